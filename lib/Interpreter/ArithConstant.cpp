//===- ArithConstant.cpp - arith.constant -===//
//
// A constant costs no instruction: it is in the function's frame from its entry on.
//
//===----------------------------------------------------------------------===//

#include "Integers.h"
#include "Model.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace mettle;
using namespace mettle::interpreter;

static LogicalResult lowerConstant(arith::ConstantOp op, FunctionLowering &lowering) {
  SmallVector<uint64_t> words;
  auto addInteger = [&](const APInt &value) { words.push_back(value.getZExtValue()); };
  auto addFloat = [&](const APFloat &value) { addInteger(value.bitcastToAPInt()); };
  if (auto integer = dyn_cast<IntegerAttr>(op.getValue()))
    addInteger(integer.getValue());
  else if (auto number = dyn_cast<FloatAttr>(op.getValue()))
    addFloat(number.getValue());
  else if (auto integers = dyn_cast<DenseIntElementsAttr>(op.getValue()))
    llvm::for_each(integers.getValues<APInt>(), addInteger);
  else if (auto floats = dyn_cast<DenseFPElementsAttr>(op.getValue()))
    llvm::for_each(floats.getValues<APFloat>(), addFloat);
  else
    return op.emitError() << "expected a number or dense elements for the interpreter, got "
                          << op.getValue();
  lowering.defineConstant(op, words);
  return success();
}

namespace mettle::interpreter::detail {
void registerArithConstantModels(DialectRegistry &registry) {
  registry.addExtension(
      +[](MLIRContext *context, arith::ArithDialect *) { attachModels<lowerConstant>(context); });
}
} // namespace mettle::interpreter::detail
