//===- Lane.h - 32 lanes as vectors -----------------------------*- C++ -*-===//
//
// Vector types over the lanes of a warp, and the shapes that most handlers have. Included by the
// vector families only, which are compiled once for each instruction set of the host: everything
// here is local to the file that includes it, and nothing inline may be shared between them.
//
//===----------------------------------------------------------------------===//

#ifndef METTLE_LIB_EMULATOR_LANE_H
#define METTLE_LIB_EMULATOR_LANE_H

#include "Execution.h"

namespace mettle::emulator {
namespace {

#define METTLE_INLINE __attribute__((always_inline)) static inline

template <typename T> struct LanesOf {
  typedef T type __attribute__((ext_vector_type(32)));
};
template <typename T> using Lanes = typename LanesOf<T>::type;
/// A predicate of all lanes, one bit each.
typedef bool Flags __attribute__((ext_vector_type(32)));

template <unsigned bytes> struct SignedOf;
template <> struct SignedOf<1> {
  using type = int8_t;
};
template <> struct SignedOf<2> {
  using type = int16_t;
};
template <> struct SignedOf<4> {
  using type = int32_t;
};
template <> struct SignedOf<8> {
  using type = int64_t;
};
/// What a comparison of lanes of T gives: 0 or -1.
template <typename T> using Truth = Lanes<typename SignedOf<sizeof(T)>::type>;

/// Through a pointer: a copy of so many bytes would be a call. Slots are aligned to 64 bytes.
template <typename V> METTLE_INLINE V loadVector(const void *from) {
  typedef V Aliasing __attribute__((may_alias, aligned(1)));
  return *static_cast<const Aliasing *>(from);
}
template <typename V> METTLE_INLINE void storeVector(void *to, V value) {
  typedef V Aliasing __attribute__((may_alias, aligned(1)));
  *static_cast<Aliasing *>(to) = value;
}

template <typename T> METTLE_INLINE Lanes<T> get(Execution &x, Slot slot) {
  return loadVector<Lanes<T>>(x.registers + slot);
}

template <typename To, typename From> METTLE_INLINE To bitsAs(From from) {
  return __builtin_bit_cast(To, from);
}

METTLE_INLINE Flags flagsOf(LaneMask mask) { return bitsAs<Flags>(mask); }
template <typename T> METTLE_INLINE Truth<T> truthOf(LaneMask mask) {
  return __builtin_convertvector(flagsOf(mask), Truth<T>) != 0;
}
template <typename V> METTLE_INLINE LaneMask maskOf(V truth) {
  return bitsAs<LaneMask>(__builtin_convertvector(truth, Flags));
}

/// Stores the lanes of the mask.
template <typename T>
METTLE_INLINE void put(Execution &x, Slot slot, LaneMask mask, Lanes<T> value) {
  if (__builtin_expect(mask != AllLanes, 0))
    value = truthOf<T>(mask) ? value : get<T>(x, slot);
  storeVector(x.registers + slot, value);
}

template <typename To, typename V> METTLE_INLINE Lanes<To> convert(V value) {
  return __builtin_convertvector(value, Lanes<To>);
}
template <typename T> METTLE_INLINE Lanes<T> splat(T value) { return value; }

//===----------------------------------------------------------------------===//
// Shapes of handlers. D, A, B, C are the words' types; F::of computes vectors.
//===----------------------------------------------------------------------===//

template <typename D, typename A, typename F>
const Op *unary(Execution &x, const Op &op, LaneMask mask) {
  put<D>(x, op.d, mask, F::of(get<A>(x, op.a)));
  return op.next();
}

template <typename D, typename A, typename B, typename F>
const Op *binary(Execution &x, const Op &op, LaneMask mask) {
  put<D>(x, op.d, mask, F::of(get<A>(x, op.a), get<B>(x, op.b)));
  return op.next();
}

template <typename D, typename A, typename B, typename C, typename F>
const Op *ternary(Execution &x, const Op &op, LaneMask mask) {
  put<D>(x, op.d, mask, F::of(get<A>(x, op.a), get<B>(x, op.b), get<C>(x, op.c)));
  return op.next();
}

/// The same for what is computed lane by lane; F::of takes and gives one word.
template <typename D, typename A, typename F>
const Op *eachUnary(Execution &x, const Op &op, LaneMask mask) {
  Lanes<A> a = get<A>(x, op.a);
  Lanes<D> d;
  for (unsigned lane = 0; lane < NumLanes; ++lane)
    d[lane] = F::of(A(a[lane]));
  put<D>(x, op.d, mask, d);
  return op.next();
}

template <typename D, typename A, typename B, typename F>
const Op *eachBinary(Execution &x, const Op &op, LaneMask mask) {
  Lanes<A> a = get<A>(x, op.a);
  Lanes<B> b = get<B>(x, op.b);
  Lanes<D> d;
  for (unsigned lane = 0; lane < NumLanes; ++lane)
    d[lane] = F::of(A(a[lane]), B(b[lane]));
  put<D>(x, op.d, mask, d);
  return op.next();
}

template <typename D, typename A, typename B, typename C, typename F>
const Op *eachTernary(Execution &x, const Op &op, LaneMask mask) {
  Lanes<A> a = get<A>(x, op.a);
  Lanes<B> b = get<B>(x, op.b);
  Lanes<C> c = get<C>(x, op.c);
  Lanes<D> d;
  for (unsigned lane = 0; lane < NumLanes; ++lane)
    d[lane] = F::of(A(a[lane]), B(b[lane]), C(c[lane]));
  put<D>(x, op.d, mask, d);
  return op.next();
}

} // namespace
} // namespace mettle::emulator

#endif // METTLE_LIB_EMULATOR_LANE_H
