//===- Approximate.cpp - functions as sm_90 approximates them -===//
//
// What the PTX that the operation becomes returns on hardware, from Numerics' model of it.
//
//===----------------------------------------------------------------------===//

#include "Mettle/Dialect/Mettle/IR/ApproximateOps.h"

#include "Mettle/Numerics/Approximate.h"
#include "Model.h"
#include "WorkItem.h"
#include "llvm/ADT/bit.h"

using namespace mlir;
using namespace mettle;
using namespace mettle::interpreter;
using numerics::Approximate;

/// log2(e) and ln(2), rounded to nearest.
static constexpr float log2OfE = 0x1.715476p+0f, lnOf2 = 0x1.62e430p-1f;

static uint32_t multiply(uint32_t word, float factor) {
  return llvm::bit_cast<uint32_t>(llvm::bit_cast<float>(word) * factor);
}

static const Instruction *execute(const Instruction *at, WorkItem &item) {
  auto operand = static_cast<uint32_t>(item.frame[at->a]);
  uint64_t &result = item.frame[at->result];
  switch (static_cast<ApproximateFunction>(at->immediate)) {
  case ApproximateFunction::Exp:
    result = numerics::approximate(Approximate::Ex2F32, multiply(operand, log2OfE));
    break;
  case ApproximateFunction::Log:
    result = multiply(numerics::approximate(Approximate::Lg2F32, operand), lnOf2);
    break;
  case ApproximateFunction::Sin:
    result = numerics::approximate(Approximate::SinF32, operand);
    break;
  case ApproximateFunction::Cos:
    result = numerics::approximate(Approximate::CosF32, operand);
    break;
  case ApproximateFunction::Rsqrt:
    result = numerics::approximate(Approximate::RsqrtF32, operand);
    break;
  }
  return at + 1;
}

static LogicalResult lowerApproximate(ApproximateOp op, FunctionLowering &lowering) {
  emitElementwise(op, lowering, execute, static_cast<uint64_t>(op.getFunction()));
  return success();
}

namespace mettle::interpreter::detail {
void registerApproximateModels(DialectRegistry &registry) {
  registry.addExtension(
      +[](MLIRContext *context, MettleDialect *) { attachModels<lowerApproximate>(context); });
}
} // namespace mettle::interpreter::detail
