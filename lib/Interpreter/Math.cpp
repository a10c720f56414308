//===- Math.cpp - exactly rounded functions of math -===//
//
// Fused multiply-add, square root, rounding to an integer, signs, and counts of bits. Functions
// whose results differ between targets have no model.
//
//===----------------------------------------------------------------------===//

#include "mlir/Dialect/Math/IR/Math.h"
#include "FloatModel.h"
#include "Integers.h"
#include "llvm/ADT/bit.h"

using namespace mlir;
using namespace mettle;
using namespace mettle::interpreter;

double interpreter::fusedMultiplyAddThroughDouble(double a, double b, double c) {
  double product = a * b, sum = product + c;
  if (!std::isfinite(sum))
    return sum;
  // The rounding error of the sum, exactly (Knuth's TwoSum).
  double part = sum - product;
  double error = (product - (sum - part)) + (c - part);
  uint64_t bits = llvm::bit_cast<uint64_t>(sum);
  // Of the two neighbours of the exact sum, the one with an odd significand.
  if (error != 0 && (bits & 1) == 0)
    bits += (error > 0) == (sum > 0) ? 1 : -1;
  return llvm::bit_cast<double>(bits);
}

namespace {
struct SquareRoot {
  template <typename Number> static Number apply(Number a) { return std::sqrt(a); }
};
struct Ceiling {
  template <typename Number> static Number apply(Number a) { return std::ceil(a); }
};
struct Floor {
  template <typename Number> static Number apply(Number a) { return std::floor(a); }
};
struct Truncate {
  template <typename Number> static Number apply(Number a) { return std::trunc(a); }
};
/// Halves away from zero.
struct Round {
  template <typename Number> static Number apply(Number a) { return std::round(a); }
};
struct RoundEven {
  static float apply(float a) { return __builtin_roundevenf(a); }
  static double apply(double a) { return __builtin_roundeven(a); }
};

/// result = a * b + c
template <typename Float> struct FusedMultiplyAdd {
  static const Instruction *execute(const Instruction *at, WorkItem &item) {
    item.frame[at->result] = Float::write(fusedMultiplyAdd<Float>(Float::read(item.frame[at->a]),
                                                                  Float::read(item.frame[at->b]),
                                                                  Float::read(item.frame[at->c])));
    return at + 1;
  }
};
} // namespace

static LogicalResult lowerFusedMultiplyAdd(math::FmaOp op, FunctionLowering &lowering) {
  return emitFloat<FusedMultiplyAdd>(op, lowering, op.getType());
}

static const Instruction *absolute(const Instruction *at, WorkItem &item) {
  item.frame[at->result] = item.frame[at->a] & ~at->immediate;
  return at + 1;
}

static const Instruction *copySign(const Instruction *at, WorkItem &item) {
  item.frame[at->result] =
      (item.frame[at->a] & ~at->immediate) | (item.frame[at->b] & at->immediate);
  return at + 1;
}

//===----------------------------------------------------------------------===//
// Classes of floats
//===----------------------------------------------------------------------===//

namespace {
struct IsFinite {
  static bool apply(numerics::Number number, bool) { return number.isFinite(); }
};
struct IsInfinite {
  static bool apply(numerics::Number number, bool) {
    return number.kind == numerics::Number::Infinity;
  }
};
struct IsNaN {
  static bool apply(numerics::Number number, bool) { return number.kind == numerics::Number::NaN; }
};
struct IsNormal {
  static bool apply(numerics::Number number, bool hiddenBit) {
    return number.kind == numerics::Number::Finite && hiddenBit;
  }
};

/// result = whether a is of the class
template <typename Class> struct Classify {
  template <typename Float> struct On {
    static const Instruction *execute(const Instruction *at, WorkItem &item) {
      numerics::Number number = numerics::decode(Float::format, item.frame[at->a]);
      bool hiddenBit = number.significand >> numerics::info(Float::format).fractionBits;
      item.frame[at->result] = Class::apply(number, hiddenBit);
      return at + 1;
    }
  };
};
} // namespace

template <typename Op, typename Class>
static LogicalResult lowerClass(Op op, FunctionLowering &lowering) {
  return emitFloat<Classify<Class>::template On>(op, lowering, op.getOperand().getType());
}

//===----------------------------------------------------------------------===//
// Integers
//===----------------------------------------------------------------------===//

namespace {
/// The smallest number has no counterpart and stays.
struct Absolute {
  static uint64_t apply(uint64_t a, unsigned width) {
    int64_t value = signExtend(a, width);
    return zeroExtend(value < 0 ? -static_cast<uint64_t>(value) : value, width);
  }
};
struct LeadingZeros {
  static uint64_t apply(uint64_t a, unsigned width) { return llvm::countl_zero(a) - (64 - width); }
};
struct TrailingZeros {
  static uint64_t apply(uint64_t a, unsigned width) {
    return a ? llvm::countr_zero(a) : static_cast<int>(width);
  }
};
struct SetBits {
  static uint64_t apply(uint64_t a, unsigned) { return llvm::popcount(a); }
};
} // namespace

/// result = Compute(a), for integers of `immediate` bits
template <typename Compute>
static const Instruction *unaryInteger(const Instruction *at, WorkItem &item) {
  auto width = static_cast<unsigned>(at->immediate);
  item.frame[at->result] = zeroExtend(Compute::apply(item.frame[at->a], width), width);
  return at + 1;
}

template <typename Op, typename Compute>
static LogicalResult lowerInteger(Op op, FunctionLowering &lowering) {
  emitElementwise(op, lowering, unaryInteger<Compute>, widthOf(op.getType()));
  return success();
}

namespace mettle::interpreter::detail {
void registerMathModels(DialectRegistry &registry) {
  registry.addExtension(+[](MLIRContext *context, math::MathDialect *) {
    attachModels<lowerFusedMultiplyAdd, lowerUnary<math::SqrtOp, SquareRoot>,
                 lowerUnary<math::CeilOp, Ceiling>, lowerUnary<math::FloorOp, Floor>,
                 lowerUnary<math::TruncOp, Truncate>, lowerUnary<math::RoundOp, Round>,
                 lowerUnary<math::RoundEvenOp, RoundEven>, lowerSign<math::AbsFOp, absolute>,
                 lowerSign<math::CopySignOp, copySign>>(context);
    attachModels<lowerClass<math::IsFiniteOp, IsFinite>, lowerClass<math::IsInfOp, IsInfinite>,
                 lowerClass<math::IsNaNOp, IsNaN>, lowerClass<math::IsNormalOp, IsNormal>>(context);
    attachModels<lowerInteger<math::AbsIOp, Absolute>,
                 lowerInteger<math::CountLeadingZerosOp, LeadingZeros>,
                 lowerInteger<math::CountTrailingZerosOp, TrailingZeros>,
                 lowerInteger<math::CtPopOp, SetBits>>(context);
  });
}
} // namespace mettle::interpreter::detail
