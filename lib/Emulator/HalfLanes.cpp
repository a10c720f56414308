//===- HalfLanes.cpp - f16 and bf16 arithmetic ----------------------------===//
//
// Compiled once for each instruction set of the host. A packed pair is 64 halves. Every operation
// is a*b + c computed in double, made odd where it is inexact, and rounded once: two roundings of
// which the first is to odd and has two bits to spare are one. Every computed NaN is 0x7fff.
//
//===----------------------------------------------------------------------===//

#include "FloatDetail.h"
#include "Lane.h"

namespace mettle::emulator {
namespace {

template <typename T, unsigned n> using Vector = T __attribute__((ext_vector_type(n)));
template <unsigned n> using Halves = Vector<uint16_t, n>;
template <unsigned n> using Singles = Vector<float, n>;
template <unsigned n> using Doubles = Vector<double, n>;

struct F16 {
  static constexpr uint16_t infinity = 0x7c00, one = 0x3c00;
  template <unsigned n> METTLE_INLINE Singles<n> widen(Halves<n> word) {
    auto wide = __builtin_convertvector(word, Vector<uint32_t, n>);
    auto sign = (wide & 0x8000) << 16, magnitude = wide & 0x7fff;
    // Scaling by 2^112 makes normals of subnormals; the special exponent needs its rest.
    auto value = bitsAs<Singles<n>>(magnitude << 13) * 0x1p112f;
    auto bits = bitsAs<Vector<uint32_t, n>>(value);
    bits = magnitude >= 0x7c00 ? (magnitude << 13) | 0x7f800000 : bits;
    return bitsAs<Singles<n>>(bits | sign);
  }
  /// To nearest even, overflow to infinity; NaN is up to the caller.
  template <unsigned n> METTLE_INLINE Halves<n> round(Singles<n> value) {
    auto bits = bitsAs<Vector<uint32_t, n>>(value);
    auto sign = (bits >> 16) & 0x8000, magnitude = bits & 0x7fffffff;
    auto small = bitsAs<Vector<uint32_t, n>>(bitsAs<Singles<n>>(magnitude) + 0.5f) - 0x3f000000;
    auto rounded = (magnitude + 0xfff + ((magnitude >> 13) & 1) - ((127 - 15) << 23)) >> 13;
    auto word = magnitude < 0x38800000 ? small : rounded;
    word = magnitude >= 0x47800000 ? Vector<uint32_t, n>(0x7c00) : word;
    return __builtin_convertvector(word | sign, Halves<n>);
  }
};
struct BF16 {
  static constexpr uint16_t infinity = 0x7f80, one = 0x3f80;
  template <unsigned n> METTLE_INLINE Singles<n> widen(Halves<n> word) {
    return bitsAs<Singles<n>>(__builtin_convertvector(word, Vector<uint32_t, n>) << 16);
  }
  template <unsigned n> METTLE_INLINE Halves<n> round(Singles<n> value) {
    auto bits = bitsAs<Vector<uint32_t, n>>(value);
    return __builtin_convertvector((bits + 0x7fff + ((bits >> 16) & 1)) >> 16, Halves<n>);
  }
};

/// Rounds to odd: where `rest` was lost, an even last bit moves towards it.
template <unsigned n> METTLE_INLINE Doubles<n> oddOf(Doubles<n> value, Doubles<n> rest) {
  auto bits = bitsAs<Vector<int64_t, n>>(value);
  auto away = (rest > 0) == (value > 0); // -1 where the magnitude grows
  auto moves = (rest != 0) & ((bits & 1) == 0) & (value != 0) & (rest - rest == 0);
  return bitsAs<Doubles<n>>(moves ? bits + (away ? Vector<int64_t, n>(1) : Vector<int64_t, n>(-1))
                                  : bits);
}
template <unsigned n> METTLE_INLINE Singles<n> oddSingle(Doubles<n> value) {
  auto single = __builtin_convertvector(value, Singles<n>);
  auto rest = value - __builtin_convertvector(single, Doubles<n>);
  auto bits = bitsAs<Vector<int32_t, n>>(single);
  auto isInexact = __builtin_convertvector((rest != 0) & (rest - rest == 0), Vector<int32_t, n>);
  auto away = __builtin_convertvector((rest > 0) == (value > 0), Vector<int32_t, n>);
  auto moves = isInexact & ((bits & 1) == 0) & (single != 0);
  return bitsAs<Singles<n>>(moves ? bits + (away ? Vector<int32_t, n>(1) : Vector<int32_t, n>(-1))
                                  : bits);
}

template <typename H, unsigned n> METTLE_INLINE Halves<n> flushed(Halves<n> word) {
  return (word & H::infinity) == 0 ? word & 0x8000 : word;
}
template <unsigned n> METTLE_INLINE Halves<n> halves(Execution &x, Slot slot) {
  return loadVector<Halves<n>>(x.registers + slot);
}
template <unsigned n>
METTLE_INLINE void putHalves(Execution &x, Slot slot, LaneMask mask, Halves<n> value) {
  if constexpr (n == 32)
    put<uint16_t>(x, slot, mask, value);
  else
    put<uint32_t>(x, slot, mask, bitsAs<Lanes<uint32_t>>(value));
}

enum Form { FormAdd, FormSub, FormMul, FormFma };

template <typename H, unsigned n, Form form>
const Op *halfFma(Execution &x, const Op &op, LaneMask mask) {
  auto input = [&](Slot slot) {
    Halves<n> word = halves<n>(x, slot);
    if (op.detail & Flush)
      word = flushed<H, n>(word);
    return __builtin_convertvector(H::template widen<n>(word), Doubles<n>);
  };
  Doubles<n> a = input(op.a), b = input(op.b), product, addend;
  if (form == FormAdd || form == FormSub) {
    product = a;
    addend = form == FormSub ? -b : b;
  } else {
    product = a * b; // exact
    addend = form == FormFma ? input(op.c) : Doubles<n>(-0.0);
  }
  Doubles<n> sum = product + addend;
  Doubles<n> back = sum - product, rest = (product - (sum - back)) + (addend - back);
  if (form == FormMul)
    sum = product, rest = 0;
  Singles<n> value = oddSingle<n>(oddOf<n>(sum, rest));
  Halves<n> word = H::template round<n>(value);
  auto isNaN = __builtin_convertvector(value != value, Vector<int16_t, n>);
  // Unlike f32's, an f16 result is flushed if it is below 2^-14 before rounding.
  if (op.detail & Flush)
    word = __builtin_convertvector(__builtin_elementwise_abs(value) < 0x1p-14f, Vector<int16_t, n>)
               ? word & 0x8000
               : word;
  if (op.detail & Saturate) {
    auto isNegative = (word & 0x8000) != 0;
    word = isNaN | isNegative ? Halves<n>(0) : word;
    word = word > H::one ? Halves<n>(H::one) : word;
  } else {
    if (op.detail & Relu)
      word = (word & 0x8000) != 0 ? Halves<n>(0) : word;
    word = isNaN ? Halves<n>(0x7fff) : word;
  }
  putHalves<n>(x, op.d, mask, word);
  return op.next();
}

template <typename H, unsigned n, bool isMax>
const Op *halfMinMax(Execution &x, const Op &op, LaneMask mask) {
  auto step = [&](Halves<n> a, Halves<n> b) {
    Halves<n> sign = 0;
    if (op.detail & Flush)
      a = flushed<H, n>(a), b = flushed<H, n>(b);
    if (op.detail & XorSign) {
      sign = (a ^ b) & 0x8000;
      a &= 0x7fff, b &= 0x7fff;
    }
    auto order = [](Halves<n> word) {
      auto s = bitsAs<Vector<int16_t, n>>(word);
      return s ^ ((s >> 15) & 0x7fff);
    };
    auto isLess = order(a) < order(b);
    Halves<n> d = (isMax ? ~isLess : isLess) ? a : b;
    auto aIsNaN = (a & 0x7fff) > H::infinity, bIsNaN = (b & 0x7fff) > H::infinity;
    auto gives = op.detail & KeepNaN ? aIsNaN | bIsNaN : aIsNaN & bIsNaN;
    d = aIsNaN ? b : bIsNaN ? a : d;
    d |= sign;
    return gives ? Halves<n>(0x7fff) : d;
  };
  Halves<n> d = step(halves<n>(x, op.a), halves<n>(x, op.b));
  if (op.c != NoSlot)
    d = step(d, halves<n>(x, op.c));
  putHalves<n>(x, op.d, mask, d);
  return op.next();
}

template <typename H, unsigned n, bool isAbs>
const Op *halfSign(Execution &x, const Op &op, LaneMask mask) {
  Halves<n> a = halves<n>(x, op.a);
  if (op.detail & Flush)
    a = flushed<H, n>(a);
  Halves<n> d = isAbs ? a & 0x7fff : a ^ 0x8000;
  putHalves<n>(x, op.d, mask, (a & 0x7fff) > H::infinity ? Halves<n>(0x7fff) : d);
  return op.next();
}

/// Op::immediate is the comparison, as rows of a table of truth: bit 0 less, 1 equal, 2 greater,
/// 3 unordered. A predicate a half (d, and `list` for the upper one), or with `isWord` a half word
/// of Op::bytes 2 (0 or 1.0) or of all ones in 32 bits.
template <typename H, unsigned n, bool isWord>
const Op *halfCompare(Execution &x, const Op &op, LaneMask mask) {
  Halves<n> a = halves<n>(x, op.a), b = halves<n>(x, op.b);
  if (op.detail & Flush)
    a = flushed<H, n>(a), b = flushed<H, n>(b);
  auto order = [](Halves<n> word) { // -0 is +0
    auto s = bitsAs<Vector<int16_t, n>>(word);
    auto m = s & 0x7fff;
    return s < 0 ? -m : m;
  };
  auto left = order(a), right = order(b);
  auto isNaN = ((a & 0x7fff) > H::infinity) | ((b & 0x7fff) > H::infinity);
  Vector<int16_t, n> truth = 0;
  if (op.immediate & 1)
    truth |= left < right;
  if (op.immediate & 2)
    truth |= left == right;
  if (op.immediate & 4)
    truth |= left > right;
  truth &= ~isNaN;
  if (op.immediate & 8)
    truth |= isNaN;
  if constexpr (isWord) {
    Halves<n> ones = op.flip ? Halves<n>(0xffff) : Halves<n>(H::one);
    putHalves<n>(x, op.d, mask, truth != 0 ? ones : Halves<n>(0));
  } else if constexpr (n == 32) {
    x.setPredicate(op.d, mask, maskOf(truth));
    if (op.list)
      x.setPredicate(op.list, mask, ~maskOf(truth));
  } else {
    auto pairs = bitsAs<Lanes<uint32_t>>(truth);
    x.setPredicate(op.d, mask, maskOf((pairs & 0xffff) != 0));
    if (op.list)
      x.setPredicate(op.list, mask, maskOf((pairs >> 16) != 0));
  }
  return op.next();
}

} // namespace

namespace METTLE_LANES_ISA {
extern const Handler halfLanes[];
#define METTLE_LANE(Name, ...) __VA_ARGS__,
const Handler halfLanes[] = {
#include "HalfLanes.def"
};
#undef METTLE_LANE
} // namespace METTLE_LANES_ISA
} // namespace mettle::emulator
