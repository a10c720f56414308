//===- ArithCast.cpp - conversions of arith -===//
//
// Between widths, between integers and floats, between float formats with every rounding mode. A
// cast that keeps the slot's word costs no instruction.
//
//===----------------------------------------------------------------------===//

#include "FloatModel.h"
#include "Integers.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "llvm/ADT/SmallString.h"

using namespace mlir;
using namespace mettle;
using namespace mettle::interpreter;

//===----------------------------------------------------------------------===//
// Integers
//===----------------------------------------------------------------------===//

// The immediate: the source's width, the result's, flags.
static unsigned sourceWidth(const Instruction *at) { return static_cast<uint8_t>(at->immediate); }
static unsigned resultWidth(const Instruction *at) {
  return static_cast<uint8_t>(at->immediate >> 8);
}
static constexpr uint64_t flagSignedWrap = 1 << 16, flagUnsignedWrap = 1 << 17;

template <typename Op> static uint64_t widthsOf(Op op) {
  return widthOf(op->getOperand(0).getType()) | widthOf(op->getResult(0).getType()) << 8;
}

static const Instruction *extendSigned(const Instruction *at, WorkItem &item) {
  item.frame[at->result] =
      zeroExtend(signExtend(item.frame[at->a], sourceWidth(at)), resultWidth(at));
  return at + 1;
}

static const Instruction *truncateWord(const Instruction *at, WorkItem &item) {
  uint64_t a = item.frame[at->a], result = zeroExtend(a, resultWidth(at));
  bool overflows = ((at->immediate & flagUnsignedWrap) && result != a) ||
                   ((at->immediate & flagSignedWrap) &&
                    signExtend(result, resultWidth(at)) != signExtend(a, sourceWidth(at)));
  if (overflows) {
    item.fault(at) << "truncates " << a << " to i" << resultWidth(at)
                   << ", which a flag of the operation excludes";
    return nullptr;
  }
  item.frame[at->result] = result;
  return at + 1;
}

template <typename Op> static LogicalResult lowerSameWord(Op op, FunctionLowering &lowering) {
  lowering.defineAlias(op.getResult(), op->getOperand(0));
  return success();
}

static LogicalResult lowerExtendSigned(arith::ExtSIOp op, FunctionLowering &lowering) {
  emitElementwise(op, lowering, extendSigned, widthsOf(op));
  return success();
}

static LogicalResult lowerTruncate(arith::TruncIOp op, FunctionLowering &lowering) {
  arith::IntegerOverflowFlags flags = op.getOverflowFlags();
  uint64_t immediate = widthsOf(op);
  if (bitEnumContainsAny(flags, arith::IntegerOverflowFlags::nsw))
    immediate |= flagSignedWrap;
  if (bitEnumContainsAny(flags, arith::IntegerOverflowFlags::nuw))
    immediate |= flagUnsignedWrap;
  emitElementwise(op, lowering, truncateWord, immediate);
  return success();
}

/// index is 64 bits: a cast extends, truncates or keeps.
template <typename Op, bool Signed>
static LogicalResult lowerIndexCast(Op op, FunctionLowering &lowering) {
  unsigned from = widthOf(op.getIn().getType()), to = widthOf(op.getType());
  if (from == to || (from < to && !Signed))
    return lowerSameWord(op, lowering);
  emitElementwise(op, lowering, from < to ? extendSigned : truncateWord, widthsOf(op));
  return success();
}

static LogicalResult lowerBitcast(arith::BitcastOp op, FunctionLowering &lowering) {
  if (elementCount(op.getIn().getType()) != elementCount(op.getType()))
    return op.emitError() << "expected as many elements on both sides for the interpreter, got "
                          << op.getIn().getType() << " and " << op.getType();
  return lowerSameWord(op, lowering);
}

//===----------------------------------------------------------------------===//
// Integers and floats
//===----------------------------------------------------------------------===//

/// The exact number rounded once; the host's conversions are not relied on.
template <typename Float> static uint64_t writeInteger(bool negative, uint64_t magnitude) {
  numerics::Number number;
  number.kind = magnitude ? numerics::Number::Finite : numerics::Number::Zero;
  number.negative = negative;
  number.significand = magnitude;
  return numerics::encode(Float::format, number);
}

namespace {
/// result = a, an integer of `immediate` bits
template <typename Float> struct FromUnsigned {
  static const Instruction *execute(const Instruction *at, WorkItem &item) {
    item.frame[at->result] = writeInteger<Float>(false, item.frame[at->a]);
    return at + 1;
  }
};
template <typename Float> struct FromSigned {
  static const Instruction *execute(const Instruction *at, WorkItem &item) {
    int64_t a = signExtend(item.frame[at->a], static_cast<unsigned>(at->immediate));
    uint64_t magnitude = a < 0 ? -static_cast<uint64_t>(a) : a;
    item.frame[at->result] = writeInteger<Float>(a < 0, magnitude);
    return at + 1;
  }
};
} // namespace

template <typename Op, template <typename> class Instruction>
static LogicalResult lowerFromInteger(Op op, FunctionLowering &lowering) {
  return emitFloat<Instruction>(op, lowering, op.getType(), widthOf(op.getIn().getType()));
}

/// result = a without its fraction, as an integer of `immediate` bits
template <typename Float, bool Signed>
static const Instruction *toInteger(const Instruction *at, WorkItem &item) {
  auto width = static_cast<unsigned>(at->immediate);
  double value = Float::read(item.frame[at->a]), whole = std::trunc(value);
  double low = Signed ? -std::ldexp(1.0, width - 1) : 0.0;
  double end = std::ldexp(1.0, Signed ? width - 1 : width);
  // False for a NaN.
  if (!(whole >= low && whole < end)) {
    SmallString<32> text;
    APFloat(value).toString(text);
    item.fault(at) << "converts " << text << " to " << (Signed ? "a signed" : "an unsigned") << " i"
                   << width << ", which cannot hold it";
    return nullptr;
  }
  item.frame[at->result] =
      Signed ? zeroExtend(static_cast<int64_t>(whole), width) : static_cast<uint64_t>(whole);
  return at + 1;
}

namespace {
template <typename Float> struct ToSigned {
  static const Instruction *execute(const Instruction *at, WorkItem &item) {
    return toInteger<Float, true>(at, item);
  }
};
template <typename Float> struct ToUnsigned {
  static const Instruction *execute(const Instruction *at, WorkItem &item) {
    return toInteger<Float, false>(at, item);
  }
};
} // namespace

template <typename Op, template <typename> class Instruction>
static LogicalResult lowerToInteger(Op op, FunctionLowering &lowering) {
  return emitFloat<Instruction>(op, lowering, op.getIn().getType(), widthOf(op.getType()));
}

//===----------------------------------------------------------------------===//
// Floats
//===----------------------------------------------------------------------===//

static numerics::Rounding roundingOf(arith::RoundingMode mode) {
  switch (mode) {
  case arith::RoundingMode::to_nearest_even:
    return numerics::Rounding::NearestEven;
  case arith::RoundingMode::downward:
    return numerics::Rounding::Down;
  case arith::RoundingMode::upward:
    return numerics::Rounding::Up;
  case arith::RoundingMode::toward_zero:
    return numerics::Rounding::TowardZero;
  case arith::RoundingMode::to_nearest_away:
    return numerics::Rounding::NearestAway;
  }
  llvm_unreachable("every mode is listed");
}

namespace {
/// result = a, rounded as `immediate` says. A double holds the source exactly.
template <typename From> struct Convert {
  template <typename To> struct On {
    static const Instruction *execute(const Instruction *at, WorkItem &item) {
      double value = From::read(item.frame[at->a]);
      item.frame[at->result] =
          numerics::fromDouble(To::format, value, static_cast<numerics::Rounding>(at->immediate));
      return at + 1;
    }
  };
};
} // namespace

static LogicalResult emitConversion(Operation *op, FunctionLowering &lowering, Type from, Type to,
                                    numerics::Rounding rounding) {
  auto immediate = static_cast<uint64_t>(rounding);
  Type source = getElementTypeOrSelf(from);
  if (source.isF32())
    return emitFloat<Convert<F32>::On>(op, lowering, to, immediate);
  if (source.isF64())
    return emitFloat<Convert<F64>::On>(op, lowering, to, immediate);
  if (source.isF16())
    return emitFloat<Convert<F16>::On>(op, lowering, to, immediate);
  if (source.isBF16())
    return emitFloat<Convert<BF16>::On>(op, lowering, to, immediate);
  return refuseFormat(op, from);
}

static LogicalResult lowerExtendFloat(arith::ExtFOp op, FunctionLowering &lowering) {
  return emitConversion(op, lowering, op.getIn().getType(), op.getType(),
                        numerics::Rounding::NearestEven);
}

static LogicalResult lowerTruncateFloat(arith::TruncFOp op, FunctionLowering &lowering) {
  arith::RoundingMode mode = op.getRoundingmode().value_or(arith::RoundingMode::to_nearest_even);
  return emitConversion(op, lowering, op.getIn().getType(), op.getType(), roundingOf(mode));
}

namespace mettle::interpreter::detail {
void registerArithCastModels(DialectRegistry &registry) {
  registry.addExtension(+[](MLIRContext *context, arith::ArithDialect *) {
    attachModels<lowerSameWord<arith::ExtUIOp>, lowerExtendSigned, lowerTruncate,
                 lowerIndexCast<arith::IndexCastOp, true>,
                 lowerIndexCast<arith::IndexCastUIOp, false>, lowerBitcast>(context);
    attachModels<lowerFromInteger<arith::UIToFPOp, FromUnsigned>,
                 lowerFromInteger<arith::SIToFPOp, FromSigned>,
                 lowerToInteger<arith::FPToUIOp, ToUnsigned>,
                 lowerToInteger<arith::FPToSIOp, ToSigned>>(context);
    attachModels<lowerExtendFloat, lowerTruncateFloat>(context);
  });
}
} // namespace mettle::interpreter::detail
