//===- Vector.cpp - vectors and their elements -===//
//
// The words of a vector are those of its elements, one after another.
//
//===----------------------------------------------------------------------===//

#include "Mettle/Dialect/Mettle/IR/VectorOps.h"

#include "Model.h"

using namespace mlir;
using namespace mettle;
using namespace mettle::interpreter;

static LogicalResult lowerPack(PackOp op, FunctionLowering &lowering) {
  lowering.emitCopies(lowering.copySlots(op->getResults()), lowering.copySlots(op->getOperands()));
  return success();
}

static LogicalResult lowerUnpack(UnpackOp op, FunctionLowering &lowering) {
  lowering.emitCopies(lowering.copySlots(op->getResults()), lowering.copySlots(op->getOperands()));
  return success();
}

namespace mettle::interpreter::detail {
void registerVectorModels(DialectRegistry &registry) {
  registry.addExtension(+[](MLIRContext *context, MettleDialect *) {
    attachModels<lowerPack, lowerUnpack>(context);
  });
}
} // namespace mettle::interpreter::detail
