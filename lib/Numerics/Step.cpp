//===- Step.cpp - One matrix instruction, evaluated plainly ---------------===//
//
// Exact integer arithmetic on decoded numbers; no floating-point operation of the host takes part
// except the fused multiply-add of the FMA class, which is IEEE 754's.
//
//===----------------------------------------------------------------------===//

#include "Mettle/Numerics/Step.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/bit.h"
#include "llvm/Support/MathExtras.h"
#include <cmath>

using namespace mettle::numerics;
using llvm::ArrayRef;

namespace {

/// (-1)^negative * significand * 2^unit, aligned by `exponent`.
struct Term {
  bool negative = false;
  uint64_t significand = 0;
  int unit = 0;
  int exponent = 0;
};

/// What infinities and NaNs among the inputs make of a sum.
struct Special {
  bool nan = false, plus = false, minus = false;

  void add(const Number &x) {
    nan |= x.kind == Number::NaN;
    if (x.kind == Number::Infinity)
      (x.negative ? minus : plus) = true;
  }
  void addProduct(const Number &x, const Number &y) {
    bool infinite = x.kind == Number::Infinity || y.kind == Number::Infinity;
    bool zero = x.kind == Number::Zero || y.kind == Number::Zero;
    nan |= x.kind == Number::NaN || y.kind == Number::NaN || (infinite && zero);
    if (infinite && !nan)
      (x.negative != y.negative ? minus : plus) = true;
  }
  bool any() const { return nan || plus || minus; }
  uint64_t word(Format format) const {
    Number number;
    number.kind = nan || (plus && minus) ? Number::NaN : Number::Infinity;
    number.negative = minus;
    return encode(format, number);
  }
};

constexpr int noExponent = INT32_MIN / 2;

/// Both decoded operands of a product, and their exponents as a matrix instruction reads them.
Term product(const Number &x, const Number &y, Format xFormat, Format yFormat) {
  Term term;
  term.negative = x.negative != y.negative;
  term.significand = x.significand * y.significand;
  term.unit = x.exponent + y.exponent;
  term.exponent = term.unit + info(xFormat).fractionBits + info(yFormat).fractionBits;
  return term;
}

Term accumulator(const Number &c, Format format) {
  return {c.negative, c.significand, c.exponent, c.exponent + info(format).fractionBits};
}

int maxExponent(ArrayRef<Term> terms, int floor) {
  int max = floor;
  for (const Term &term : terms)
    if (term.significand != 0)
      max = std::max(max, term.exponent);
  return max;
}

/// The term in units of 2^quantum, truncated in magnitude.
int64_t truncated(const Term &term, int quantum) {
  if (term.significand == 0) // a zero's exponent may be anything
    return 0;
  int shift = term.unit - quantum;
  uint64_t magnitude = shift >= 0    ? term.significand << shift
                       : shift > -64 ? term.significand >> -shift
                                     : 0;
  return term.negative ? -int64_t(magnitude) : int64_t(magnitude);
}

int64_t floorShift(int64_t value, int shift) {
  if (value == 0)
    return 0;
  if (shift <= 0)
    return value >> std::min(-shift, 63);
  return value * (int64_t(1) << shift);
}

Number numberOf(int64_t value, int exponent) {
  Number number;
  number.kind = value == 0 ? Number::Zero : Number::Finite;
  number.negative = value < 0;
  number.significand = value < 0 ? -uint64_t(value) : uint64_t(value);
  number.exponent = exponent;
  return number;
}

/// sum * 2^quantum as the class's result. A result of zero is +0, whatever it was cut from.
uint64_t finish(const ArithmeticClass &cls, int64_t sum, int quantum) {
  const FormatInfo &result = info(cls.result);
  uint64_t word = encode(cls.result, numberOf(sum, quantum), cls.rounding, cls.overflow);
  if (word != result.infinity() && word != (result.infinity() | result.signMask()))
    word &= ~llvm::maskTrailingOnes<uint64_t>(result.fractionBits - cls.resultBits);
  return word == result.signMask() ? 0 : word;
}

uint64_t fusedSum(const ArithmeticClass &cls, llvm::SmallVectorImpl<Term> &terms) {
  int quantum = maxExponent(terms, cls.alignFloor) - cls.fractionBits;
  int64_t sum = 0;
  for (const Term &term : terms)
    sum += truncated(term, quantum);
  return finish(cls, sum, quantum);
}

/// One group of Fused or ScaledFused: products first .. first + count - 1.
uint64_t fusedGroup(const ArithmeticClass &cls, const DotOperands &dot, size_t first, size_t count,
                    uint64_t c) {
  Special special;
  llvm::SmallVector<Term, 40> terms;
  for (size_t i = first; i < first + count; ++i) {
    Number x = decode(dot.aFormat, dot.a[i]), y = decode(dot.bFormat, dot.b[i]);
    special.addProduct(x, y);
    Term term = product(x, y, dot.aFormat, dot.bFormat);
    if (cls.kind == ArithmeticClass::ScaledFused) {
      Number sx = decode(dot.scales->format, dot.scales->a[i / dot.scales->block]);
      Number sy = decode(dot.scales->format, dot.scales->b[i / dot.scales->block]);
      special.add(sx);
      special.add(sy);
      term.unit += sx.exponent + sy.exponent;
      term.exponent += sx.exponent + sy.exponent;
    }
    terms.push_back(term);
  }
  Number acc = decode(cls.result, c);
  special.add(acc);
  if (special.any())
    return special.word(cls.result);
  terms.push_back(accumulator(acc, cls.result));
  return fusedSum(cls, terms);
}

/// One group of BlockFused.
uint64_t blockFusedGroup(const ArithmeticClass &cls, const DotOperands &dot, size_t first,
                         size_t count, uint64_t c) {
  Special special;
  llvm::SmallVector<Term, 8> terms;
  const BlockScales &scales = *dot.scales;
  const FormatInfo &scale = info(scales.format);
  int products = -(info(dot.aFormat).fractionBits + info(dot.bFormat).fractionBits);
  for (size_t begin = first; begin < first + count; begin += cls.scaleGroup) {
    int64_t sum = 0; // in units of 2^products, below which no product has bits
    bool zero = true;
    for (size_t i = begin; i < std::min<size_t>(begin + cls.scaleGroup, first + count); ++i) {
      Number x = decode(dot.aFormat, dot.a[i]), y = decode(dot.bFormat, dot.b[i]);
      special.addProduct(x, y);
      Term term = product(x, y, dot.aFormat, dot.bFormat);
      zero &= term.significand == 0;
      sum += truncated(term, products);
    }
    Number sx = decode(scales.format, scales.a[begin / scales.block]);
    Number sy = decode(scales.format, scales.b[begin / scales.block]);
    special.add(sx);
    special.add(sy);
    Term scaling = product(sx, sy, scale.format, scale.format);
    if (zero || scaling.significand == 0)
      continue;
    // A sum of zero that products of different sign left still takes part in the alignment.
    Term term;
    term.negative = sum < 0;
    term.significand = scaling.significand * uint64_t(std::abs(sum));
    term.unit = scaling.unit + products;
    term.exponent = scaling.exponent;
    terms.push_back(term);
  }
  Number acc = decode(cls.result, c);
  special.add(acc);
  if (special.any())
    return special.word(cls.result);
  int max = cls.alignFloor;
  for (const Term &term : terms)
    max = std::max(max, term.exponent);
  terms.push_back(accumulator(acc, cls.result));
  if (acc.kind == Number::Finite)
    max = std::max(max, terms.back().exponent);
  int64_t sum = 0;
  for (const Term &term : terms)
    sum += truncated(term, max - cls.fractionBits);
  return finish(cls, sum, max - cls.fractionBits);
}

/// FusedViaF16: the operands as f16, the pairs of k apart, C last.
uint64_t fusedViaF16(const ArithmeticClass &cls, const DotOperands &dot, uint64_t c) {
  ArithmeticClass fused = cls;
  fused.kind = ArithmeticClass::Fused;
  uint64_t sum = 0;
  for (unsigned pair : {0u, 2u}) {
    llvm::SmallVector<uint64_t, 16> a, b;
    for (size_t i = 0; i < dot.a.size(); ++i)
      if ((i & 2) == pair) {
        a.push_back(convert(dot.aFormat, dot.a[i], Format::F16));
        b.push_back(convert(dot.bFormat, dot.b[i], Format::F16));
      }
    DotOperands half{Format::F16, Format::F16, a, b};
    sum = fusedGroup(fused, half, 0, a.size(), sum);
  }
  return addRounded(cls.result, cls.result, sum, cls.result, c);
}

/// Sum of the products of one group (or of its even or odd half), in units of
/// 2^(exponent - fractionBits).
struct Dot {
  int64_t sum = 0;
  int exponent = noExponent;
};

Dot truncatedDot(const ArithmeticClass &cls, const DotOperands &dot, size_t first, size_t end,
                 size_t stride, Special &special) {
  llvm::SmallVector<Term, 16> terms;
  for (size_t i = first; i < end; i += stride) {
    Number x = decode(dot.aFormat, dot.a[i]), y = decode(dot.bFormat, dot.b[i]);
    special.addProduct(x, y);
    Term term = product(x, y, dot.aFormat, dot.bFormat);
    // A product that f32 cannot hold is infinite before the sum.
    if (term.significand != 0 && term.unit + int(llvm::Log2_64(term.significand)) >= 128)
      (term.negative ? special.minus : special.plus) = true;
    terms.push_back(term);
  }
  Dot result;
  result.exponent = maxExponent(terms, noExponent);
  for (const Term &term : terms)
    result.sum += truncated(term, result.exponent - cls.fractionBits);
  return result;
}

/// One group of FloorFused or FloorFusedPairs.
uint64_t floorFusedGroup(const ArithmeticClass &cls, const DotOperands &operands, size_t first,
                         size_t count, uint64_t c) {
  Special special;
  Dot dot;
  if (cls.kind == ArithmeticClass::FloorFusedPairs) {
    Dot even = truncatedDot(cls, operands, first, first + count, 2, special);
    Dot odd = truncatedDot(cls, operands, first + 1, first + count, 2, special);
    dot.exponent = std::max(even.exponent, odd.exponent);
    dot.sum = floorShift(even.sum, even.exponent - dot.exponent) +
              floorShift(odd.sum, odd.exponent - dot.exponent);
  } else {
    dot = truncatedDot(cls, operands, first, first + count, 1, special);
  }
  Number number = decode(cls.result, c);
  special.add(number);
  if (special.any())
    return special.word(cls.result);

  Term acc = accumulator(number, cls.result);
  int max = std::max(dot.exponent, acc.exponent);
  int quantum = max - (cls.wideBits + 1);
  int64_t sum = floorShift(dot.sum, dot.exponent - cls.fractionBits - quantum);
  int64_t signedC = acc.negative ? -int64_t(acc.significand) : int64_t(acc.significand);
  bool tooSmall =
      cls.kind == ArithmeticClass::FloorFusedPairs && acc.exponent < max - cls.fractionBits - 1;
  if (!tooSmall)
    sum += floorShift(floorShift(signedC, acc.unit - (max - cls.fractionBits)),
                      cls.wideBits + 1 - cls.fractionBits);

  // Normalise, round toward -infinity at wideBits, then to the result.
  int top = sum == 0 ? 0 : int(llvm::Log2_64(uint64_t(std::abs(sum))));
  int exponent = std::max(quantum + top, info(cls.result).minExponent());
  int drop = exponent - cls.wideBits - quantum;
  if (drop > 0) {
    sum = floorShift(sum, -drop);
    quantum += drop;
  }
  return encode(cls.result, numberOf(sum, quantum), cls.rounding, cls.overflow);
}

uint64_t integerStep(const ArithmeticClass &cls, const DotOperands &dot, uint64_t c) {
  int64_t sum = int32_t(c);
  for (size_t i = 0; i < dot.a.size(); ++i) {
    if (cls.kind == ArithmeticClass::XorPopcount) {
      sum += llvm::popcount(dot.a[i] ^ dot.b[i]);
      continue;
    }
    Number x = decode(dot.aFormat, dot.a[i]), y = decode(dot.bFormat, dot.b[i]);
    int64_t magnitude = int64_t(x.significand * y.significand);
    sum += x.negative != y.negative ? -magnitude : magnitude;
  }
  return encode(cls.result, numberOf(sum, 0), Rounding::TowardZero, cls.overflow);
}

/// The value of a code; decoding would lose an f64's NaN payload.
double operand(Format format, uint64_t code) {
  return format == Format::F64 ? llvm::bit_cast<double>(code) : toDouble(format, code);
}

/// f64 alone keeps payloads: of the accumulator before those of a and b, made quiet. (No recorded
/// word tells whether a or b comes first where both are NaN and the accumulator is not.)
double nanOfF64(double x, double y, double acc) {
  for (double candidate : {acc, x, y})
    if (std::isnan(candidate))
      return llvm::bit_cast<double>(llvm::bit_cast<uint64_t>(candidate) | uint64_t(1) << 51);
  return llvm::bit_cast<double>(info(Format::F64).nan);
}

template <typename Float, typename Word>
uint64_t chain(const ArithmeticClass &cls, const DotOperands &dot, uint64_t c) {
  Float acc = llvm::bit_cast<Float>(Word(c));
  for (size_t i = 0; i < dot.a.size(); ++i) {
    Float x = Float(operand(dot.aFormat, dot.a[i])), y = Float(operand(dot.bFormat, dot.b[i]));
    Float next = cls.kind == ArithmeticClass::FMA ? std::fma(x, y, acc) : acc + x * y;
    if (std::isnan(next) && cls.result == Format::F64)
      next = Float(nanOfF64(x, y, acc));
    acc = next;
  }
  if (std::isnan(acc) && cls.result != Format::F64)
    return info(cls.result).nan;
  return llvm::bit_cast<Word>(acc);
}

} // namespace

uint64_t mettle::numerics::evaluateStep(const ArithmeticClass &cls, const DotOperands &dot,
                                        uint64_t c) {
  auto groups = [&](auto group) {
    for (size_t first = 0; first < dot.a.size(); first += cls.group)
      c = group(cls, dot, first, std::min<size_t>(cls.group, dot.a.size() - first), c);
    return c;
  };
  switch (cls.kind) {
  case ArithmeticClass::Fused:
  case ArithmeticClass::ScaledFused:
    return groups(fusedGroup);
  case ArithmeticClass::BlockFused:
    return groups(blockFusedGroup);
  case ArithmeticClass::FloorFused:
  case ArithmeticClass::FloorFusedPairs:
    return groups(floorFusedGroup);
  case ArithmeticClass::FusedViaF16:
    return fusedViaF16(cls, dot, c);
  case ArithmeticClass::FMA:
  case ArithmeticClass::MulAdd:
    return cls.result == Format::F64 ? chain<double, uint64_t>(cls, dot, c)
                                     : chain<float, uint32_t>(cls, dot, c);
  case ArithmeticClass::Integer:
  case ArithmeticClass::XorPopcount:
    return integerStep(cls, dot, c);
  }
  llvm_unreachable("unknown arithmetic class");
}

uint64_t mettle::numerics::addRounded(Format result, Format xFormat, uint64_t x, Format yFormat,
                                      uint64_t y) {
  Number left = decode(xFormat, x), right = decode(yFormat, y);
  Special special;
  special.add(left);
  special.add(right);
  if (special.any())
    return special.word(result);
  if (left.kind == Number::Zero || right.kind == Number::Zero) {
    if (left.kind == Number::Zero && right.kind == Number::Zero)
      left.negative &= right.negative;
    return encode(result, left.kind == Number::Zero && right.kind == Number::Finite ? right : left,
                  Rounding::NearestEven, Overflow::ByRounding);
  }
  // Align the larger one's top bit at bit 125 of 128; the smaller one's lost bits become sticky.
  normalise(left);
  normalise(right);
  if (left.exponent < right.exponent)
    std::swap(left, right);
  using Wide = unsigned __int128;
  Wide high = Wide(left.significand) << 62, low = Wide(right.significand) << 62;
  int unit = left.exponent - 62, shift = left.exponent - right.exponent;
  bool sticky = shift > 126 || (shift > 0 && (low & ((Wide(1) << shift) - 1)) != 0);
  low = shift > 126 ? 0 : low >> shift;
  bool negative = left.negative;
  Wide sum;
  if (left.negative == right.negative) {
    sum = high + low;
  } else {
    if (high < low) {
      std::swap(high, low);
      negative = right.negative;
    }
    // What was shifted out belongs to the subtrahend: the true difference is a little smaller.
    sum = high - low - (sticky ? 1 : 0);
  }
  if (sum == 0 && !sticky)
    return 0;
  Number number{Number::Finite, negative, 0, unit};
  int top = uint64_t(sum >> 64) ? 64 + int(llvm::Log2_64(uint64_t(sum >> 64)))
                                : int(llvm::Log2_64(uint64_t(sum)));
  if (top > 63) {
    sticky |= (sum & ((Wide(1) << (top - 63)) - 1)) != 0;
    sum >>= top - 63;
    number.exponent += top - 63;
  }
  number.significand = uint64_t(sum);
  return encode(result, number, Rounding::NearestEven,
                info(result).isInteger ? Overflow::Wrap : Overflow::ByRounding, sticky);
}
