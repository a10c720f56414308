//===- Kernel.cpp - the end of a kernel -===//
//
// A kernel itself needs no model: the lowering takes its body.
//
//===----------------------------------------------------------------------===//

#include "Mettle/Dialect/Mettle/IR/KernelOps.h"

#include "Model.h"

using namespace mlir;
using namespace mettle;
using namespace mettle::interpreter;

static LogicalResult lowerReturn(ReturnOp, FunctionLowering &lowering) {
  lowering.emitReturn({});
  return success();
}

namespace mettle::interpreter::detail {
void registerKernelModels(DialectRegistry &registry) {
  registry.addExtension(
      +[](MLIRContext *context, MettleDialect *) { attachModels<lowerReturn>(context); });
}
} // namespace mettle::interpreter::detail
