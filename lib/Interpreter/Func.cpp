//===- Func.cpp - helper functions -===//
//
// Direct calls and returns.
//
//===----------------------------------------------------------------------===//

#include "Model.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"

using namespace mlir;
using namespace mettle;
using namespace mettle::interpreter;

static LogicalResult lowerCall(func::CallOp op, FunctionLowering &lowering) {
  auto callee =
      lowering.symbols().lookupNearestSymbolFrom<FunctionOpInterface>(op, op.getCalleeAttr());
  if (callee.isExternal())
    return op.emitError() << "expected function '" << op.getCallee()
                          << "' to have a body, since a kernel calls it";
  lowering.emitCall(callee, op.getOperands(), op.getResults());
  return success();
}

static LogicalResult lowerReturn(func::ReturnOp op, FunctionLowering &lowering) {
  lowering.emitReturn(op.getOperands());
  return success();
}

namespace mettle::interpreter::detail {
void registerFuncModels(DialectRegistry &registry) {
  registry.addExtension(+[](MLIRContext *context, func::FuncDialect *) {
    attachModels<lowerCall, lowerReturn>(context);
  });
}
} // namespace mettle::interpreter::detail
