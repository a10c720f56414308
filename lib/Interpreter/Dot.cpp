//===- Dot.cpp - products of bytes -===//
//
// What the operation itself says it returns.
//
//===----------------------------------------------------------------------===//

#include "Mettle/Dialect/Mettle/IR/DotOps.h"

#include "Model.h"
#include "WorkItem.h"

using namespace mlir;
using namespace mettle;
using namespace mettle::interpreter;

/// The immediate says whether bytes are unsigned.
static const Instruction *dot4(const Instruction *at, WorkItem &item) {
  auto word = [&](Slot slot) { return static_cast<uint32_t>(item.frame[slot]); };
  item.frame[at->result] =
      Dot4Op::evaluate(word(at->a), word(at->b), word(at->c), at->immediate != 0);
  return at + 1;
}

static LogicalResult lowerDot4(Dot4Op op, FunctionLowering &lowering) {
  emitElementwise(op, lowering, dot4, op.getIsUnsigned());
  return success();
}

namespace mettle::interpreter::detail {
void registerDotModels(DialectRegistry &registry) {
  registry.addExtension(
      +[](MLIRContext *context, MettleDialect *) { attachModels<lowerDot4>(context); });
}
} // namespace mettle::interpreter::detail
