//===- VerifyStrictFloat.cpp - refuse float operations without stated bits -===//
//
// The gate of the numeric contract: what passes it means the same bits on every target. It runs
// before every lowering, so the targets need not ask again.
//
//===----------------------------------------------------------------------===//

#include "Mettle/Dialect/Mettle/Transforms/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/TypeUtilities.h"

using namespace mlir;

namespace mettle {
#define GEN_PASS_DEF_VERIFYSTRICTFLOAT
#include "Mettle/Dialect/Mettle/Transforms/Passes.h.inc"
} // namespace mettle

/// The operations of `math` with one exact result; those on integers have no rounding to state.
static bool isExactMath(Operation *op) {
  return isa<math::AbsFOp, math::AbsIOp, math::CeilOp, math::CopySignOp, math::CountLeadingZerosOp,
             math::CountTrailingZerosOp, math::CtPopOp, math::FloorOp, math::FmaOp,
             math::RoundEvenOp, math::SqrtOp, math::TruncOp>(op);
}

static bool isSupportedFloat(Type type) {
  return type.isF16() || type.isBF16() || type.isF32() || type.isF64();
}

static LogicalResult verifyOperation(Operation *op) {
  // strict_float-c1
  if (auto fastMath = dyn_cast<arith::ArithFastMathInterface>(op))
    if (auto flags = fastMath.getFastMathFlagsAttr();
        flags && flags.getValue() != arith::FastMathFlags::none)
      return op->emitOpError() << "expected no fastmath flag, got "
                               << arith::stringifyFastMathFlags(flags.getValue());
  // strict_float-c2
  if (auto truncation = dyn_cast<arith::TruncFOp>(op)) {
    std::optional<arith::RoundingMode> mode = truncation.getRoundingmode();
    if (!mode)
      return op->emitOpError() << "expected a rounding mode, got none";
    if (*mode == arith::RoundingMode::to_nearest_away)
      return op->emitOpError()
             << "expected to_nearest_even, downward, upward or toward_zero, got to_nearest_away";
  }
  // strict_float-c3
  if (isa<math::MathDialect>(op->getDialect()) && !isExactMath(op))
    return op->emitOpError() << "expected an operation with one exact result; this one is an "
                                "approximation whose bits "
                                "no target shares";
  // strict_float-c4
  if (isa<arith::MaxNumFOp, arith::MinNumFOp>(op))
    return op->emitOpError()
           << "expected maximumf or minimumf; which zero this operation returns is unspecified";
  if (isa<arith::RemFOp>(op))
    return op->emitOpError()
           << "expected an operation that every target has; none has a float remainder";
  // strict_float-c5
  if (isa<arith::ArithDialect, math::MathDialect>(op->getDialect()))
    for (Type type : llvm::concat<Type>(llvm::to_vector(op->getOperandTypes()),
                                        llvm::to_vector(op->getResultTypes())))
      if (auto element = dyn_cast<FloatType>(getElementTypeOrSelf(type));
          element && !isSupportedFloat(element))
        return op->emitOpError() << "expected f16, bf16, f32 or f64, got " << element;
  return success();
}

namespace {
struct VerifyStrictFloat : mettle::impl::VerifyStrictFloatBase<VerifyStrictFloat> {
  void runOnOperation() override {
    // Every fault is reported, not the first alone.
    bool failed = false;
    getOperation()->walk([&](Operation *op) { failed |= mlir::failed(verifyOperation(op)); });
    if (failed)
      signalPassFailure();
    else
      markAllAnalysesPreserved();
  }
};
} // namespace
