//===- ArithInteger.cpp - integer arithmetic of arith -===//
//
// Results wrap at the width. Where arith leaves a result undefined or poison (division by zero, a
// shift by the width or more, what a flag excludes) the instruction is a fault: a kernel that means
// something there says so with a select on the operand.
//
//===----------------------------------------------------------------------===//

#include "Integers.h"
#include "Model.h"
#include "WorkItem.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "llvm/ADT/bit.h"

using namespace mlir;
using namespace mettle;
using namespace mettle::interpreter;

//===----------------------------------------------------------------------===//
// Operations with a result for all operands
//===----------------------------------------------------------------------===//

namespace {
struct Add {
  static uint64_t apply(uint64_t a, uint64_t b, unsigned) { return a + b; }
};
struct Subtract {
  static uint64_t apply(uint64_t a, uint64_t b, unsigned) { return a - b; }
};
struct Multiply {
  static uint64_t apply(uint64_t a, uint64_t b, unsigned) { return a * b; }
};
struct And {
  static uint64_t apply(uint64_t a, uint64_t b, unsigned) { return a & b; }
};
struct Or {
  static uint64_t apply(uint64_t a, uint64_t b, unsigned) { return a | b; }
};
struct ExclusiveOr {
  static uint64_t apply(uint64_t a, uint64_t b, unsigned) { return a ^ b; }
};
struct MaxUnsigned {
  static uint64_t apply(uint64_t a, uint64_t b, unsigned) { return std::max(a, b); }
};
struct MinUnsigned {
  static uint64_t apply(uint64_t a, uint64_t b, unsigned) { return std::min(a, b); }
};
struct MaxSigned {
  static uint64_t apply(uint64_t a, uint64_t b, unsigned width) {
    return signExtend(a, width) < signExtend(b, width) ? b : a;
  }
};
struct MinSigned {
  static uint64_t apply(uint64_t a, uint64_t b, unsigned width) {
    return signExtend(b, width) < signExtend(a, width) ? b : a;
  }
};
} // namespace

/// result = a op b; the immediate is the width.
template <typename Operation>
static const Instruction *binary(const Instruction *at, WorkItem &item) {
  auto width = static_cast<unsigned>(at->immediate);
  item.frame[at->result] =
      zeroExtend(Operation::apply(item.frame[at->a], item.frame[at->b], width), width);
  return at + 1;
}

template <typename Op, typename Operation>
static LogicalResult lowerTotal(Op op, FunctionLowering &lowering) {
  emitElementwise(op, lowering, binary<Operation>, widthOf(op.getType()));
  return success();
}

//===----------------------------------------------------------------------===//
// Operations with conditions
//===----------------------------------------------------------------------===//

// Of the immediate, above the width in the low byte.
static constexpr uint64_t flagSignedWrap = 1 << 8, flagUnsignedWrap = 1 << 9, flagExact = 1 << 10;

static unsigned width(const Instruction *at) { return static_cast<uint8_t>(at->immediate); }

namespace {
// The same operation in numbers so wide that nothing overflows.
struct AddExactly {
  template <typename Wide> static Wide apply(Wide a, Wide b) { return a + b; }
  static constexpr llvm::StringLiteral verb = "adds";
};
struct SubtractExactly {
  template <typename Wide> static Wide apply(Wide a, Wide b) { return a - b; }
  static constexpr llvm::StringLiteral verb = "subtracts";
};
struct MultiplyExactly {
  template <typename Wide> static Wide apply(Wide a, Wide b) { return a * b; }
  static constexpr llvm::StringLiteral verb = "multiplies";
};
struct ShiftExactly {
  template <typename Wide> static Wide apply(Wide a, Wide b) { return a * (Wide(1) << b); }
  static constexpr llvm::StringLiteral verb = "shifts";
};
} // namespace

/// Reports an overflow that the flags of the operation exclude; true if there is none.
template <typename Exact>
static bool checkFlags(const Instruction *at, WorkItem &item, uint64_t a, uint64_t b,
                       uint64_t result) {
  unsigned bits = width(at);
  int64_t signedA = signExtend(a, bits);
  // A shift count is never negative.
  int64_t signedB = std::is_same_v<Exact, ShiftExactly> ? int64_t(b) : signExtend(b, bits);
  if ((at->immediate & flagSignedWrap) &&
      Exact::template apply<__int128>(signedA, signedB) != signExtend(result, bits)) {
    item.fault(at) << Exact::verb << ' ' << signedA << " and " << signedB
                   << ", which overflows a signed i" << bits << " although marked nsw";
    return false;
  }
  if ((at->immediate & flagUnsignedWrap) &&
      Exact::template apply<unsigned __int128>(a, b) != result) {
    item.fault(at) << Exact::verb << ' ' << a << " and " << b << ", which overflows an unsigned i"
                   << bits << " although marked nuw";
    return false;
  }
  return true;
}

template <typename Operation, typename Exact>
static const Instruction *checkedBinary(const Instruction *at, WorkItem &item) {
  uint64_t a = item.frame[at->a], b = item.frame[at->b];
  uint64_t result = zeroExtend(Operation::apply(a, b, width(at)), width(at));
  if (!checkFlags<Exact>(at, item, a, b, result))
    return nullptr;
  item.frame[at->result] = result;
  return at + 1;
}

template <typename Op> static uint64_t overflowFlags(Op op) {
  arith::IntegerOverflowFlags flags = op.getOverflowFlags();
  return (bitEnumContainsAny(flags, arith::IntegerOverflowFlags::nsw) ? flagSignedWrap : 0) |
         (bitEnumContainsAny(flags, arith::IntegerOverflowFlags::nuw) ? flagUnsignedWrap : 0);
}

template <typename Op, typename Operation, typename Exact>
static LogicalResult lowerWrapping(Op op, FunctionLowering &lowering) {
  uint64_t flags = overflowFlags(op);
  emitElementwise(op, lowering, flags ? checkedBinary<Operation, Exact> : binary<Operation>,
                  widthOf(op.getType()) | flags);
  return success();
}

//===----------------------------------------------------------------------===//
// Shifts
//===----------------------------------------------------------------------===//

/// Reports a count that leaves nothing of the value; true if there is none.
static bool checkCount(const Instruction *at, WorkItem &item) {
  uint64_t count = item.frame[at->b];
  if (count < width(at))
    return true;
  item.fault(at) << "shifts an i" << width(at) << " by " << count;
  return false;
}

static const Instruction *shiftLeft(const Instruction *at, WorkItem &item) {
  if (!checkCount(at, item))
    return nullptr;
  uint64_t a = item.frame[at->a], b = item.frame[at->b];
  uint64_t result = zeroExtend(a << b, width(at));
  if (!checkFlags<ShiftExactly>(at, item, a, b, result))
    return nullptr;
  item.frame[at->result] = result;
  return at + 1;
}

template <bool Signed> static const Instruction *shiftRight(const Instruction *at, WorkItem &item) {
  if (!checkCount(at, item))
    return nullptr;
  uint64_t a = item.frame[at->a], b = item.frame[at->b];
  if ((at->immediate & flagExact) && b != 0 && zeroExtend(a, b) != 0) {
    item.fault(at) << "shifts bits that are set out of " << a << " although marked exact";
    return nullptr;
  }
  item.frame[at->result] = Signed ? zeroExtend(signExtend(a, width(at)) >> b, width(at)) : a >> b;
  return at + 1;
}

static LogicalResult lowerShiftLeft(arith::ShLIOp op, FunctionLowering &lowering) {
  emitElementwise(op, lowering, shiftLeft, widthOf(op.getType()) | overflowFlags(op));
  return success();
}

template <typename Op, bool Signed>
static LogicalResult lowerShiftRight(Op op, FunctionLowering &lowering) {
  emitElementwise(op, lowering, shiftRight<Signed>,
                  widthOf(op.getType()) | (op.getIsExact() ? flagExact : 0));
  return success();
}

//===----------------------------------------------------------------------===//
// Division
//===----------------------------------------------------------------------===//

namespace {
enum class Part : uint8_t { Quotient, QuotientUp, QuotientDown, Remainder };
} // namespace

template <typename Number, Part Wanted> static Number divide(Number a, Number b) {
  Number quotient = a / b, remainder = a % b;
  bool negative = (a < 0) != (b < 0);
  switch (Wanted) {
  case Part::Quotient:
    return quotient;
  case Part::QuotientUp:
    return quotient + (remainder != 0 && !negative);
  case Part::QuotientDown:
    return quotient - (remainder != 0 && negative);
  case Part::Remainder:
    return remainder;
  }
}

template <Part Wanted, bool Signed>
static const Instruction *division(const Instruction *at, WorkItem &item) {
  unsigned bits = width(at);
  uint64_t a = item.frame[at->a], b = item.frame[at->b];
  if (b == 0) {
    item.fault(at) << "divides by zero";
    return nullptr;
  }
  uint64_t result;
  if constexpr (Signed) {
    int64_t signedA = signExtend(a, bits), signedB = signExtend(b, bits);
    if (signedB != -1) {
      result = divide<int64_t, Wanted>(signedA, signedB);
    } else if (Wanted == Part::Remainder) {
      result = 0;
    } else if (signedA == smallestSigned(bits)) {
      item.fault(at) << "divides " << signedA << " by -1, which overflows an i" << bits;
      return nullptr;
    } else {
      result = -signedA;
    }
  } else {
    result = divide<uint64_t, Wanted>(a, b);
  }
  result = zeroExtend(result, bits);
  if ((at->immediate & flagExact) && zeroExtend(result * b, bits) != a) {
    item.fault(at) << "divides with a remainder although marked exact";
    return nullptr;
  }
  item.frame[at->result] = result;
  return at + 1;
}

template <typename Op, Part Wanted, bool Signed>
static LogicalResult lowerDivision(Op op, FunctionLowering &lowering) {
  uint64_t flags = 0;
  if constexpr (std::is_same_v<Op, arith::DivSIOp> || std::is_same_v<Op, arith::DivUIOp>)
    flags = op.getIsExact() ? flagExact : 0;
  emitElementwise(op, lowering, division<Wanted, Signed>, widthOf(op.getType()) | flags);
  return success();
}

//===----------------------------------------------------------------------===//
// Results of two words
//===----------------------------------------------------------------------===//

/// result, c = the low and the high half of a * b
template <typename Wide>
static const Instruction *multiplyExtended(const Instruction *at, WorkItem &item) {
  unsigned bits = width(at);
  uint64_t a = item.frame[at->a], b = item.frame[at->b];
  Wide product;
  if constexpr (std::is_same_v<Wide, __int128>)
    product = Wide(signExtend(a, bits)) * signExtend(b, bits);
  else
    product = Wide(a) * b;
  item.frame[at->result] = zeroExtend(product, bits);
  item.frame[at->c] = zeroExtend(product >> bits, bits);
  return at + 1;
}

/// result, c = the sum and the carry of a + b
static const Instruction *addExtended(const Instruction *at, WorkItem &item) {
  uint64_t a = item.frame[at->a], sum = zeroExtend(a + item.frame[at->b], width(at));
  item.frame[at->result] = sum;
  item.frame[at->c] = sum < a;
  return at + 1;
}

template <typename Op, Handler Compute>
static LogicalResult lowerExtended(Op op, FunctionLowering &lowering) {
  Slot a = lowering.slot(op.getLhs()), b = lowering.slot(op.getRhs());
  Slot first = lowering.slot(op->getResult(0)), second = lowering.slot(op->getResult(1));
  Type type = op.getLhs().getType();
  for (unsigned element = 0; element < elementCount(type); ++element)
    lowering.emit(Compute, first + element, a + element, b + element, second + element,
                  widthOf(type));
  return success();
}

namespace mettle::interpreter::detail {
void registerArithIntegerModels(DialectRegistry &registry) {
  registry.addExtension(+[](MLIRContext *context, arith::ArithDialect *) {
    attachModels<lowerWrapping<arith::AddIOp, Add, AddExactly>,
                 lowerWrapping<arith::SubIOp, Subtract, SubtractExactly>,
                 lowerWrapping<arith::MulIOp, Multiply, MultiplyExactly>,
                 lowerTotal<arith::AndIOp, And>, lowerTotal<arith::OrIOp, Or>,
                 lowerTotal<arith::XOrIOp, ExclusiveOr>, lowerTotal<arith::MaxSIOp, MaxSigned>,
                 lowerTotal<arith::MinSIOp, MinSigned>, lowerTotal<arith::MaxUIOp, MaxUnsigned>,
                 lowerTotal<arith::MinUIOp, MinUnsigned>>(context);
    attachModels<lowerShiftLeft, lowerShiftRight<arith::ShRUIOp, false>,
                 lowerShiftRight<arith::ShRSIOp, true>>(context);
    attachModels<lowerDivision<arith::DivUIOp, Part::Quotient, false>,
                 lowerDivision<arith::DivSIOp, Part::Quotient, true>,
                 lowerDivision<arith::CeilDivUIOp, Part::QuotientUp, false>,
                 lowerDivision<arith::CeilDivSIOp, Part::QuotientUp, true>,
                 lowerDivision<arith::FloorDivSIOp, Part::QuotientDown, true>,
                 lowerDivision<arith::RemUIOp, Part::Remainder, false>,
                 lowerDivision<arith::RemSIOp, Part::Remainder, true>>(context);
    attachModels<lowerExtended<arith::AddUIExtendedOp, addExtended>,
                 lowerExtended<arith::MulSIExtendedOp, multiplyExtended<__int128>>,
                 lowerExtended<arith::MulUIExtendedOp, multiplyExtended<unsigned __int128>>>(
        context);
  });
}
} // namespace mettle::interpreter::detail
