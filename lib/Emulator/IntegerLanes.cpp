//===- IntegerLanes.cpp - Integers, logic, comparison, selection ----------===//
//
// Compiled once for each instruction set of the host. What an instruction means beyond its name:
// the PTX manual; division by zero: what sm_90 gives.
//
//===----------------------------------------------------------------------===//

#include "Lane.h"

namespace mettle::emulator {
namespace {

struct Identity {
  template <typename V> METTLE_INLINE V of(V a) { return a; }
};
struct Add {
  template <typename V> METTLE_INLINE V of(V a, V b) { return a + b; }
};
struct Sub {
  template <typename V> METTLE_INLINE V of(V a, V b) { return a - b; }
};
struct Mul {
  template <typename V> METTLE_INLINE V of(V a, V b) { return a * b; }
};
struct Mad {
  template <typename V> METTLE_INLINE V of(V a, V b, V c) { return a * b + c; }
};
template <typename W> struct MulWide {
  template <typename V> METTLE_INLINE Lanes<W> of(V a, V b) {
    return convert<W>(a) * convert<W>(b);
  }
};
template <typename W> struct MadWide {
  template <typename V, typename U> METTLE_INLINE U of(V a, V b, U c) {
    return bitsAs<U>(convert<W>(a) * convert<W>(b)) + c;
  }
};
template <typename T> struct Wider;
template <> struct Wider<uint16_t> {
  using type = uint32_t;
};
template <> struct Wider<int16_t> {
  using type = int32_t;
};
template <> struct Wider<uint32_t> {
  using type = uint64_t;
};
template <> struct Wider<int32_t> {
  using type = int64_t;
};
template <> struct Wider<uint64_t> {
  using type = unsigned __int128;
};
template <> struct Wider<int64_t> {
  using type = __int128;
};
template <typename T> constexpr unsigned bitsOf = sizeof(T) * 8;
template <typename T> constexpr bool isSigned = T(-1) < T(0);

struct MulHi {
  template <typename T> METTLE_INLINE T of(T a, T b) {
    using W = typename Wider<T>::type;
    return T((W(a) * W(b)) >> bitsOf<T>);
  }
};
struct MadHi {
  template <typename T> METTLE_INLINE T of(T a, T b, T c) {
    return T(uint64_t(MulHi::of(a, b)) + uint64_t(c));
  }
};
METTLE_INLINE int32_t saturated(int64_t value) {
  return value > INT32_MAX ? INT32_MAX : value < INT32_MIN ? INT32_MIN : int32_t(value);
}
struct MadHiSat {
  METTLE_INLINE int32_t of(int32_t a, int32_t b, int32_t c) {
    return saturated(int64_t(MulHi::of(a, b)) + c);
  }
};
struct AddSat {
  METTLE_INLINE int32_t of(int32_t a, int32_t b) { return saturated(int64_t(a) + b); }
};
struct SubSat {
  METTLE_INLINE int32_t of(int32_t a, int32_t b) { return saturated(int64_t(a) - b); }
};
struct Min {
  template <typename V> METTLE_INLINE V of(V a, V b) { return a < b ? a : b; }
};
struct Max {
  template <typename V> METTLE_INLINE V of(V a, V b) { return a > b ? a : b; }
};
struct Div {
  template <typename T> METTLE_INLINE T of(T a, T b) {
    if (b == 0)
      return T(-1);
    if (isSigned<T> && b == T(-1))
      return T(uint64_t(0) - uint64_t(a));
    return T(a / b);
  }
};
struct Rem {
  template <typename T> METTLE_INLINE T of(T a, T b) {
    if (b == 0)
      return T(-1);
    if (isSigned<T> && b == T(-1))
      return 0;
    return T(a % b);
  }
};
struct Neg {
  template <typename V> METTLE_INLINE V of(V a) { return 0 - a; }
};
struct Abs {
  template <typename V> METTLE_INLINE V of(V a) { return a < 0 ? 0 - a : a; }
};
struct Sad {
  template <typename T> METTLE_INLINE T of(T a, T b, T c) {
    return T(uint64_t(c) + (a < b ? uint64_t(b) - uint64_t(a) : uint64_t(a) - uint64_t(b)));
  }
};
struct And {
  template <typename V> METTLE_INLINE V of(V a, V b) { return a & b; }
};
struct Or {
  template <typename V> METTLE_INLINE V of(V a, V b) { return a | b; }
};
struct Xor {
  template <typename V> METTLE_INLINE V of(V a, V b) { return a ^ b; }
};
struct Not {
  template <typename V> METTLE_INLINE V of(V a) { return ~a; }
};
struct CNot {
  template <typename V> METTLE_INLINE V of(V a) { return a == 0 ? V(1) : V(0); }
};

/// Two 16-bit halves a word.
template <typename T, typename F> const Op *pairBinary(Execution &x, const Op &op, LaneMask mask) {
  typedef T Halves __attribute__((ext_vector_type(64)));
  Halves a = bitsAs<Halves>(get<uint32_t>(x, op.a)), b = bitsAs<Halves>(get<uint32_t>(x, op.b));
  put<uint32_t>(x, op.d, mask, bitsAs<Lanes<uint32_t>>(F::of(a, b)));
  return op.next();
}

const Op *lop3(Execution &x, const Op &op, LaneMask mask) {
  Lanes<uint32_t> a = get<uint32_t>(x, op.a), b = get<uint32_t>(x, op.b),
                  c = get<uint32_t>(x, op.c), d = 0;
  for (unsigned row = 0; row < 8; ++row)
    if (op.immediate >> row & 1)
      d |= (row & 4 ? a : ~a) & (row & 2 ? b : ~b) & (row & 1 ? c : ~c);
  put<uint32_t>(x, op.d, mask, d);
  return op.next();
}

template <typename V> constexpr unsigned widthOf = sizeof(V) / NumLanes * 8;
struct Shl {
  template <typename V> METTLE_INLINE V of(V a, Lanes<uint32_t> b) {
    constexpr unsigned width = widthOf<V>;
    V amount = __builtin_convertvector(b & (width - 1), V);
    auto isShort = __builtin_convertvector(b < width, decltype(a < a));
    return isShort ? a << amount : V(0);
  }
};
struct ShrU {
  template <typename V> METTLE_INLINE V of(V a, Lanes<uint32_t> b) {
    constexpr unsigned width = widthOf<V>;
    V amount = __builtin_convertvector(b & (width - 1), V);
    auto isShort = __builtin_convertvector(b < width, decltype(a < a));
    return isShort ? a >> amount : V(0);
  }
};
struct ShrS {
  template <typename V> METTLE_INLINE V of(V a, Lanes<uint32_t> b) {
    constexpr unsigned width = widthOf<V>;
    Lanes<uint32_t> clamped = b < width ? b : Lanes<uint32_t>(width - 1);
    return a >> __builtin_convertvector(clamped, V);
  }
};
/// The upper, or the lower, word of b:a shifted.
template <bool clamps> struct FunnelLeft {
  template <typename V> METTLE_INLINE V of(V a, V b, V c) {
    V n = clamps ? (c < 32 ? c : V(32)) : c & 31;
    auto both = convert<uint64_t>(b) << 32 | convert<uint64_t>(a);
    return convert<uint32_t>((both << convert<uint64_t>(n)) >> 32);
  }
};
template <bool clamps> struct FunnelRight {
  template <typename V> METTLE_INLINE V of(V a, V b, V c) {
    V n = clamps ? (c < 32 ? c : V(32)) : c & 31;
    auto both = convert<uint64_t>(b) << 32 | convert<uint64_t>(a);
    return convert<uint32_t>(both >> convert<uint64_t>(n));
  }
};
struct Popc {
  METTLE_INLINE uint32_t of(uint64_t a) { return uint32_t(__builtin_popcountll(a)); }
};
struct Clz {
  template <typename T> METTLE_INLINE uint32_t of(T a) {
    return a ? uint32_t(__builtin_clzll(uint64_t(a))) - (64 - bitsOf<T>) : bitsOf<T>;
  }
};
struct BRev {
  METTLE_INLINE uint32_t of(uint32_t a) { return __builtin_bitreverse32(a); }
  METTLE_INLINE uint64_t of(uint64_t a) { return __builtin_bitreverse64(a); }
};
template <bool amount> struct BFind {
  template <typename T> METTLE_INLINE uint32_t of(T a) {
    if (a < 0)
      a = ~a;
    if (!a)
      return ~0u;
    uint32_t place = 63 - uint32_t(__builtin_clzll(uint64_t(a)));
    return amount ? bitsOf<T> - 1 - place : place;
  }
};
struct Bfe {
  template <typename T> METTLE_INLINE T of(T a, uint32_t b, uint32_t c) {
    // The low 8 bits count in 32 bits, all of them in 64.
    uint64_t pos = bitsOf<T> == 32 ? b & 0xff : b, length = bitsOf<T> == 32 ? c & 0xff : c;
    constexpr uint64_t top = bitsOf<T> - 1;
    if (!length)
      return 0;
    uint64_t signPlace = pos + length - 1 < top ? pos + length - 1 : top;
    uint64_t sign = isSigned<T> ? uint64_t(a) >> signPlace & 1 : 0;
    uint64_t field = pos > top ? 0 : (uint64_t(a) & (~uint64_t(0) >> (64 - bitsOf<T>))) >> pos;
    uint64_t known = pos > top ? 0 : (length < bitsOf<T> - pos ? length : bitsOf<T> - pos);
    if (known < 64) {
      uint64_t keep = (uint64_t(1) << known) - 1;
      field = (field & keep) | (sign ? ~keep : 0);
    }
    return T(field);
  }
};
/// Operands a, b, c, and the length in slot `list`.
template <typename T> const Op *bfi(Execution &x, const Op &op, LaneMask mask) {
  Lanes<T> a = get<T>(x, op.a), b = get<T>(x, op.b), d;
  Lanes<uint32_t> c = get<uint32_t>(x, op.c), length = get<uint32_t>(x, op.list);
  for (unsigned lane = 0; lane < NumLanes; ++lane) {
    uint32_t pos = bitsOf<T> == 32 ? c[lane] & 0xff : c[lane];
    uint32_t count = bitsOf<T> == 32 ? length[lane] & 0xff : length[lane];
    T ones = count >= bitsOf<T> ? ~T(0) : (T(1) << count) - 1;
    T field = pos >= bitsOf<T> ? 0 : ones << pos;
    T bits = pos >= bitsOf<T> ? 0 : T(a[lane]) << pos;
    d[lane] = (b[lane] & ~field) | (bits & field);
  }
  put<T>(x, op.d, mask, d);
  return op.next();
}
template <bool clamps> struct BMsk {
  METTLE_INLINE uint32_t of(uint32_t a, uint32_t b) {
    if (!clamps)
      a &= 31, b &= 31;
    uint64_t ones = b >= 32 ? 0xffffffff : (uint64_t(1) << b) - 1;
    return a >= 32 ? 0 : uint32_t(ones << a);
  }
};
template <bool clamps> struct SzExt {
  template <typename T> METTLE_INLINE T of(T a, uint32_t b) {
    uint32_t n = clamps ? (b < 32 ? b : 32) : b & 31;
    if (n == 0)
      return 0;
    return T(T(uint32_t(a) << (32 - n)) >> (32 - n));
  }
};
struct Fns {
  METTLE_INLINE uint32_t of(uint32_t a, uint32_t base, int32_t offset) {
    uint32_t step = offset < 0 ? ~0u : 1, left = offset < 0 ? uint32_t(-offset) : uint32_t(offset);
    if (offset == INT32_MIN)
      return 0;
    if (!offset)
      return base < 32 && (a >> base & 1) ? base : ~0u;
    for (uint32_t place = base; place < 32; place += step)
      if ((a >> place & 1) && --left == 0)
        return place;
    return ~0u;
  }
};
template <bool high> struct Mul24 {
  template <typename T> METTLE_INLINE T of(T a, T b) {
    int64_t left = int64_t(T(uint32_t(a) << 8) >> 8), right = int64_t(T(uint32_t(b) << 8) >> 8);
    return T((left * right) >> (high ? 16 : 0));
  }
};

template <bool high> struct Mad24 {
  template <typename T> METTLE_INLINE T of(T a, T b, T c) {
    return T(uint32_t(Mul24<high>().of(a, b)) + uint32_t(c));
  }
};
struct Mad24HiSat {
  METTLE_INLINE int32_t of(int32_t a, int32_t b, int32_t c) {
    int64_t sum = int64_t(Mul24<true>().of(a, b)) + c;
    return int32_t(sum < INT32_MIN ? INT32_MIN : sum > INT32_MAX ? INT32_MAX : sum);
  }
};

struct Prmt {
  METTLE_INLINE Lanes<uint32_t> of(Lanes<uint32_t> a, Lanes<uint32_t> b, Lanes<uint32_t> c) {
    auto both = convert<uint64_t>(b) << 32 | convert<uint64_t>(a);
    Lanes<uint32_t> d = 0;
    for (unsigned i = 0; i < 4; ++i) {
      Lanes<uint32_t> selector = c >> (4 * i);
      Lanes<uint32_t> byte =
          convert<uint32_t>(both >> convert<uint64_t>((selector & 7) * 8)) & 0xff;
      Lanes<uint32_t> sign = (byte & 0x80) != 0 ? Lanes<uint32_t>(0xff) : Lanes<uint32_t>(0);
      d |= ((selector & 8) != 0 ? sign : byte) << (8 * i);
    }
    return d;
  }
};
/// The modes f4e, b4e, rc8, ecl, ecr, rc16 as Op::detail 0 to 5.
const Op *prmtMode(Execution &x, const Op &op, LaneMask mask) {
  static constexpr uint16_t selectors[6][4] = {
      {0x3210, 0x4321, 0x5432, 0x6543}, {0x5670, 0x6701, 0x7012, 0x0123},
      {0x0000, 0x1111, 0x2222, 0x3333}, {0x3210, 0x3211, 0x3222, 0x3333},
      {0x0000, 0x1110, 0x2210, 0x3210}, {0x1010, 0x3232, 0x1010, 0x3232}};
  Lanes<uint32_t> c = get<uint32_t>(x, op.c), selector = 0;
  for (unsigned lane = 0; lane < NumLanes; ++lane)
    selector[lane] = selectors[op.detail][c[lane] & 3];
  put<uint32_t>(x, op.d, mask, Prmt::of(get<uint32_t>(x, op.a), get<uint32_t>(x, op.b), selector));
  return op.next();
}

METTLE_INLINE int32_t part(uint32_t word, unsigned bits, unsigned index, bool isSignedPart) {
  uint32_t top = word << (32 - bits * (index + 1));
  return isSignedPart ? int32_t(top) >> (32 - bits) : int32_t(top >> (32 - bits));
}
/// Op::detail: 1 a is signed, 2 b is signed, 4 the upper half of b (dp2a).
const Op *dp4a(Execution &x, const Op &op, LaneMask mask) {
  Lanes<uint32_t> a = get<uint32_t>(x, op.a), b = get<uint32_t>(x, op.b),
                  d = get<uint32_t>(x, op.c);
  for (unsigned lane = 0; lane < NumLanes; ++lane)
    for (unsigned i = 0; i < 4; ++i)
      d[lane] += uint32_t(part(a[lane], 8, i, op.detail & 1)) *
                 uint32_t(part(b[lane], 8, i, op.detail & 2));
  put<uint32_t>(x, op.d, mask, d);
  return op.next();
}
const Op *dp2a(Execution &x, const Op &op, LaneMask mask) {
  Lanes<uint32_t> a = get<uint32_t>(x, op.a), b = get<uint32_t>(x, op.b),
                  d = get<uint32_t>(x, op.c);
  for (unsigned lane = 0; lane < NumLanes; ++lane)
    for (unsigned i = 0; i < 2; ++i)
      d[lane] += uint32_t(part(a[lane], 16, i, op.detail & 1)) *
                 uint32_t(part(b[lane], 8, i + (op.detail & 4 ? 2 : 0), op.detail & 2));
  put<uint32_t>(x, op.d, mask, d);
  return op.next();
}

/// The carry is the predicate in slot `list`; Op::detail: 1 it comes in, 2 it goes out.
template <typename T> const Op *addCarry(Execution &x, const Op &op, LaneMask mask) {
  Lanes<T> a = get<T>(x, op.a), b = get<T>(x, op.b);
  LaneMask in = op.detail & 1 ? x.predicate(op.list) : 0;
  Lanes<T> half = a + b, sum = half + bitsAs<Lanes<T>>(truthOf<T>(in) ? Lanes<T>(1) : Lanes<T>(0));
  LaneMask out = maskOf(half < a) | maskOf(sum < half);
  put<T>(x, op.d, mask, sum);
  if (op.detail & 2)
    x.setPredicate(op.list, mask, out);
  return op.next();
}
/// The carry of a subtraction is its borrow.
template <typename T> const Op *subCarry(Execution &x, const Op &op, LaneMask mask) {
  Lanes<T> a = get<T>(x, op.a), b = get<T>(x, op.b);
  LaneMask in = op.detail & 1 ? x.predicate(op.list) : 0;
  Lanes<T> half = a - b, rest = half - bitsAs<Lanes<T>>(truthOf<T>(in) ? Lanes<T>(1) : Lanes<T>(0));
  LaneMask out = maskOf(a < b) | maskOf(half < rest);
  put<T>(x, op.d, mask, rest);
  if (op.detail & 2)
    x.setPredicate(op.list, mask, out);
  return op.next();
}

//===----------------------------------------------------------------------===//
// Comparison and selection
//===----------------------------------------------------------------------===//

struct Eq {
  template <typename V> METTLE_INLINE LaneMask of(V a, V b) { return maskOf(a == b); }
};
struct Ne {
  template <typename V> METTLE_INLINE LaneMask of(V a, V b) { return maskOf(a != b); }
};
struct Lt {
  template <typename V> METTLE_INLINE LaneMask of(V a, V b) { return maskOf(a < b); }
};
struct Le {
  template <typename V> METTLE_INLINE LaneMask of(V a, V b) { return maskOf(a <= b); }
};
struct Gt {
  template <typename V> METTLE_INLINE LaneMask of(V a, V b) { return maskOf(a > b); }
};
struct Ge {
  template <typename V> METTLE_INLINE LaneMask of(V a, V b) { return maskOf(a >= b); }
};
struct IsNan {
  template <typename V> METTLE_INLINE LaneMask of(V a, V b) {
    return maskOf(a != a) | maskOf(b != b);
  }
};
struct Num {
  template <typename V> METTLE_INLINE LaneMask of(V a, V b) { return ~IsNan::of(a, b); }
};
struct OrderedNe {
  template <typename V> METTLE_INLINE LaneMask of(V a, V b) { return Ne::of(a, b) & Num::of(a, b); }
};
struct Equ {
  template <typename V> METTLE_INLINE LaneMask of(V a, V b) { return ~OrderedNe::of(a, b); }
};
struct Ltu {
  template <typename V> METTLE_INLINE LaneMask of(V a, V b) { return ~Ge::of(a, b); }
};
struct Leu {
  template <typename V> METTLE_INLINE LaneMask of(V a, V b) { return ~Gt::of(a, b); }
};
struct Gtu {
  template <typename V> METTLE_INLINE LaneMask of(V a, V b) { return ~Le::of(a, b); }
};
struct Geu {
  template <typename V> METTLE_INLINE LaneMask of(V a, V b) { return ~Lt::of(a, b); }
};

/// Op::detail of a comparison: how it is combined with the predicate in slot c. The predicate of
/// the opposite goes to slot `list`.
enum Combine : uint16_t { Plain, CombineAnd, CombineOr, CombineXor };

METTLE_INLINE void finishCompare(Execution &x, const Op &op, LaneMask mask, LaneMask truth) {
  LaneMask other = 0, opposite = ~truth;
  if (op.detail != Plain) {
    other = x.predicate(op.c) ^ op.flipMask();
    switch (op.detail) {
    case CombineAnd:
      truth &= other, opposite &= other;
      break;
    case CombineOr:
      truth |= other, opposite |= other;
      break;
    default:
      truth ^= other, opposite ^= other;
      break;
    }
  }
  x.setPredicate(op.d, mask, truth);
  if (op.list)
    x.setPredicate(op.list, mask, opposite);
}

template <typename T, typename F> const Op *compare(Execution &x, const Op &op, LaneMask mask) {
  finishCompare(x, op, mask, F::of(get<T>(x, op.a), get<T>(x, op.b)));
  return op.next();
}

METTLE_INLINE Lanes<float> flushed(Lanes<uint32_t> word) {
  Lanes<uint32_t> sign = word & 0x80000000;
  return bitsAs<Lanes<float>>((word & 0x7f800000) == 0 ? sign : word);
}
template <typename F> const Op *compareFlushed(Execution &x, const Op &op, LaneMask mask) {
  finishCompare(x, op, mask,
                F::of(flushed(get<uint32_t>(x, op.a)), flushed(get<uint32_t>(x, op.b))));
  return op.next();
}

/// The predicate in slot a as a word: Op::immediate where it holds, else 0.
template <typename T> const Op *setFrom(Execution &x, const Op &op, LaneMask mask) {
  put<T>(x, op.d, mask, truthOf<T>(x.predicate(op.a)) ? Lanes<T>(T(op.immediate)) : Lanes<T>(0));
  return op.next();
}

template <typename T> const Op *selp(Execution &x, const Op &op, LaneMask mask) {
  LaneMask chosen = x.predicate(op.c) ^ op.flipMask();
  put<T>(x, op.d, mask, truthOf<T>(chosen) ? get<T>(x, op.a) : get<T>(x, op.b));
  return op.next();
}

template <typename T, typename C> const Op *slct(Execution &x, const Op &op, LaneMask mask) {
  LaneMask chosen = maskOf(get<C>(x, op.c) >= 0);
  if (op.detail) // .ftz: a negative subnormal is -0
    chosen |= maskOf((get<uint32_t>(x, op.c) & 0x7f800000) == 0);
  put<T>(x, op.d, mask, truthOf<T>(chosen) ? get<T>(x, op.a) : get<T>(x, op.b));
  return op.next();
}

} // namespace

namespace METTLE_LANES_ISA {
extern const Handler integerLanes[];
#define METTLE_LANE(Name, ...) __VA_ARGS__,
const Handler integerLanes[] = {
#include "IntegerLanes.def"
};
#undef METTLE_LANE
} // namespace METTLE_LANES_ISA
} // namespace mettle::emulator
