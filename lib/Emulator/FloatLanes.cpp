//===- FloatLanes.cpp - f32 and f64 arithmetic ----------------------------===//
//
// Compiled once for each instruction set of the host. Rounding to nearest even is the host's; every
// computed f32 NaN is 0x7fffffff; .ftz flushes what is below 2^-126 after rounding to 24 bits with
// an unbounded exponent, which differs from the host's result only where that is 2^-126 itself.
//
//===----------------------------------------------------------------------===//

#include "FloatDetail.h"
#include "Lane.h"
#include <type_traits>

namespace mettle::emulator {
namespace {

using Words = Lanes<uint32_t>;
using Floats = Lanes<float>;
using Doubles = Lanes<double>;

constexpr uint32_t SignBit = 0x80000000, CanonicalNaN = 0x7fffffff;

struct Add {
  template <typename V> METTLE_INLINE V of(V a, V b) { return a + b; }
  /// Lanes whose exact result is below 2^-126 after rounding, though the host's is 2^-126.
  METTLE_INLINE Truth<float> isBelow(Floats, Floats) { return 0; } // sums of that size are exact
};
struct Sub {
  template <typename V> METTLE_INLINE V of(V a, V b) { return a - b; }
  METTLE_INLINE Truth<float> isBelow(Floats, Floats) { return 0; }
};
constexpr double FlushLimit = 0x1p-126 - 0x1p-151;
struct Mul {
  template <typename V> METTLE_INLINE V of(V a, V b) { return a * b; }
  METTLE_INLINE Truth<float> isBelow(Floats a, Floats b) {
    Doubles exact = __builtin_elementwise_abs(convert<double>(a) * convert<double>(b));
    return __builtin_convertvector(exact < FlushLimit, Truth<float>);
  }
};
struct Fma {
  template <typename V> METTLE_INLINE V of(V a, V b, V c) {
    return __builtin_elementwise_fma(a, b, c);
  }
  METTLE_INLINE Truth<float> isBelow(Floats a, Floats b, Floats c) {
    // |p + c| < limit, as p against limit - c: both are exact.
    Doubles p = convert<double>(a) * convert<double>(b), addend = convert<double>(c);
    auto isNegative = of(convert<double>(a), convert<double>(b), addend) < 0;
    p = isNegative ? -p : p;
    addend = isNegative ? -addend : addend;
    return __builtin_convertvector(p < FlushLimit - addend, Truth<float>);
  }
};
struct Div {
  template <typename V> METTLE_INLINE V of(V a, V b) { return a / b; }
  METTLE_INLINE Truth<float> isBelow(Floats a, Floats b) {
    Doubles quotient = __builtin_elementwise_abs(convert<double>(a) / convert<double>(b));
    return __builtin_convertvector(quotient < FlushLimit, Truth<float>);
  }
};
struct Rcp {
  template <typename V> METTLE_INLINE V of(V a) { return 1 / a; }
  METTLE_INLINE Truth<float> isBelow(Floats) { return 0; } // 2^-126 has an exact reciprocal
};
struct Sqrt {
  template <typename V> METTLE_INLINE V of(V a) { return __builtin_elementwise_sqrt(a); }
  METTLE_INLINE Truth<float> isBelow(Floats) { return 0; }
};

METTLE_INLINE Words flushWords(Words word) {
  return (word & 0x7f800000) == 0 ? word & SignBit : word;
}
template <unsigned detail> METTLE_INLINE Floats input(Execution &x, Slot slot) {
  Words word = get<uint32_t>(x, slot);
  return bitsAs<Floats>(detail & Flush ? flushWords(word) : word);
}

template <unsigned detail, typename F, typename... Inputs>
METTLE_INLINE Words finishF32(Floats value, Inputs... inputs) {
  Words word = bitsAs<Words>(value);
  if (detail & Flush) {
    Truth<float> isLeast = (word & ~SignBit) == 0x00800000;
    word = flushWords(word);
    if (__builtin_expect(maskOf(isLeast) != 0, 0)) {
      Truth<float> isGone = isLeast & F::isBelow(inputs...);
      word = isGone ? word & SignBit : word;
    }
  }
  if (detail & Saturate) {
    Floats v = bitsAs<Floats>(word);
    v = v > 0 ? v : Floats(0); // NaN and -0 too
    v = v < 1 ? v : Floats(1);
    return bitsAs<Words>(v);
  }
  return value == value ? word : Words(CanonicalNaN);
}

template <unsigned detail, typename F>
const Op *unaryF32(Execution &x, const Op &op, LaneMask mask) {
  Floats a = input<detail>(x, op.a);
  put<uint32_t>(x, op.d, mask, finishF32<detail, F>(F::of(a), a));
  return op.next();
}
template <unsigned detail, typename F>
const Op *binaryF32(Execution &x, const Op &op, LaneMask mask) {
  Floats a = input<detail>(x, op.a), b = input<detail>(x, op.b);
  put<uint32_t>(x, op.d, mask, finishF32<detail, F>(F::of(a, b), a, b));
  return op.next();
}
template <unsigned detail, typename F>
const Op *ternaryF32(Execution &x, const Op &op, LaneMask mask) {
  Floats a = input<detail>(x, op.a), b = input<detail>(x, op.b), c = input<detail>(x, op.c);
  put<uint32_t>(x, op.d, mask, finishF32<detail, F>(F::of(a, b, c), a, b, c));
  return op.next();
}

/// Orders the words of numbers as integers, -0 below +0.
METTLE_INLINE Lanes<int32_t> ordered(Words word) {
  Lanes<int32_t> s = bitsAs<Lanes<int32_t>>(word);
  return s ^ bitsAs<Lanes<int32_t>>(bitsAs<Words>(s >> 31) >> 1);
}
METTLE_INLINE Lanes<int64_t> ordered(Lanes<uint64_t> word) {
  Lanes<int64_t> s = bitsAs<Lanes<int64_t>>(word);
  return s ^ bitsAs<Lanes<int64_t>>(bitsAs<Lanes<uint64_t>>(s >> 63) >> 1);
}

/// min and max of two operands, or of three if Op::c is there.
template <bool isMax> const Op *minMaxF32(Execution &x, const Op &op, LaneMask mask) {
  auto step = [&](Words a, Words b) {
    Words sign = 0;
    if (op.detail & Flush)
      a = flushWords(a), b = flushWords(b);
    if (op.detail & XorSign) {
      sign = (a ^ b) & SignBit;
      a &= ~SignBit, b &= ~SignBit;
    }
    auto isLess = ordered(a) < ordered(b);
    Words d = (isMax ? ~isLess : isLess) ? a : b;
    auto aIsNaN = (a & ~SignBit) > 0x7f800000, bIsNaN = (b & ~SignBit) > 0x7f800000;
    auto gives = op.detail & KeepNaN ? aIsNaN | bIsNaN : aIsNaN & bIsNaN;
    d = aIsNaN ? b : bIsNaN ? a : d;
    d |= sign;
    return gives ? Words(CanonicalNaN) : d;
  };
  Words d = step(get<uint32_t>(x, op.a), get<uint32_t>(x, op.b));
  if (op.c != NoSlot)
    d = step(d, get<uint32_t>(x, op.c));
  put<uint32_t>(x, op.d, mask, d);
  return op.next();
}

template <bool isAbs> const Op *signF32(Execution &x, const Op &op, LaneMask mask) {
  Words a = get<uint32_t>(x, op.a);
  if (op.detail & Flush)
    a = flushWords(a);
  Words d = isAbs ? a & ~SignBit : a ^ SignBit;
  d = (a & ~SignBit) > 0x7f800000 ? Words(CanonicalNaN) : d;
  put<uint32_t>(x, op.d, mask, d);
  return op.next();
}

//===----------------------------------------------------------------------===//
// f64. NaN results: the second NaN operand, else the third, else the first, made quiet; of a
// division the first before the second; without one, the negative default NaN.
//===----------------------------------------------------------------------===//

METTLE_INLINE Doubles quieted(Doubles a) {
  return bitsAs<Doubles>(bitsAs<Lanes<uint64_t>>(a) | 0x0008000000000000);
}
METTLE_INLINE Doubles finishF64(Doubles value) {
  return value == value ? value : bitsAs<Doubles>(Lanes<uint64_t>(0xfff8000000000000));
}
template <typename F> const Op *unaryF64(Execution &x, const Op &op, LaneMask mask) {
  Doubles a = get<double>(x, op.a);
  put<double>(x, op.d, mask, a == a ? finishF64(F::of(a)) : quieted(a));
  return op.next();
}
template <typename F> const Op *binaryF64(Execution &x, const Op &op, LaneMask mask) {
  Doubles a = get<double>(x, op.a), b = get<double>(x, op.b);
  Doubles d = finishF64(F::of(a, b));
  if constexpr (std::is_same_v<F, Div>)
    d = a == a ? b == b ? d : quieted(b) : quieted(a);
  else
    d = b == b ? a == a ? d : quieted(a) : quieted(b);
  put<double>(x, op.d, mask, d);
  return op.next();
}
template <typename F> const Op *ternaryF64(Execution &x, const Op &op, LaneMask mask) {
  Doubles a = get<double>(x, op.a), b = get<double>(x, op.b), c = get<double>(x, op.c);
  Doubles d = finishF64(F::of(a, b, c));
  d = a == a ? d : quieted(a);
  d = c == c ? d : quieted(c);
  put<double>(x, op.d, mask, b == b ? d : quieted(b));
  return op.next();
}
template <bool isMax> const Op *minMaxF64(Execution &x, const Op &op, LaneMask mask) {
  Lanes<uint64_t> a = get<uint64_t>(x, op.a), b = get<uint64_t>(x, op.b);
  auto isLess = ordered(a) < ordered(b);
  Lanes<uint64_t> d = (isMax ? ~isLess : isLess) ? a : b;
  constexpr uint64_t magnitude = 0x7fffffffffffffff, infinity = 0x7ff0000000000000;
  auto aIsNaN = (a & magnitude) > infinity, bIsNaN = (b & magnitude) > infinity;
  d = aIsNaN ? b : bIsNaN ? a : d;
  d = aIsNaN & bIsNaN ? b | 0x0008000000000000 : d;
  put<uint64_t>(x, op.d, mask, d);
  return op.next();
}
/// A NaN keeps its sign.
template <bool isAbs> const Op *signF64(Execution &x, const Op &op, LaneMask mask) {
  Lanes<uint64_t> a = get<uint64_t>(x, op.a), sign = uint64_t(1) << 63;
  Lanes<uint64_t> d = isAbs ? a & ~sign : a ^ sign;
  d = (a & ~sign) > 0x7ff0000000000000 ? a | 0x0008000000000000 : d;
  put<uint64_t>(x, op.d, mask, d);
  return op.next();
}
/// The magnitude of b with the sign of a.
template <typename T> const Op *copySign(Execution &x, const Op &op, LaneMask mask) {
  Lanes<T> sign = T(1) << (sizeof(T) * 8 - 1);
  put<T>(x, op.d, mask, (get<T>(x, op.a) & sign) | (get<T>(x, op.b) & ~sign));
  return op.next();
}

} // namespace

namespace METTLE_LANES_ISA {
extern const Handler floatLanes[];
#define METTLE_LANE(Name, ...) __VA_ARGS__,
const Handler floatLanes[] = {
#include "FloatLanes.def"
};
#undef METTLE_LANE
} // namespace METTLE_LANES_ISA
} // namespace mettle::emulator
