//===- MemoryLanes.cpp - Loads and stores ---------------------------------===//
//
// Compiled once for each instruction set of the host. Lanes that touch neighbours in lane order
// are one copy; others that stay in one segment are copied one by one after one check; whatever
// fails a check, or needs more of them, goes lane by lane through Execution::access.
//
//===----------------------------------------------------------------------===//

#include "MemoryChecks.h"

namespace mettle::emulator {
namespace {

/// The word a register holds for an element: bytes are held in 16 bits.
template <typename T> struct RegisterWord {
  using type = T;
};
template <> struct RegisterWord<uint8_t> {
  using type = uint16_t;
};

enum class Reach { Neighbours, Scattered, Slow };

/// Where the accesses of an op go.
template <typename A> struct Target {
  Reach reach;
  uint8_t *host; ///< of the first active lane
  const Segment *segment;
  Lanes<A> offsets; ///< from the segment's start, of active lanes
};

template <typename A, unsigned bytes>
METTLE_INLINE Target<A> aim(Execution &x, const Op &op, LaneMask mask) {
  Target<A> target;
  Lanes<A> base = get<A>(x, op.a);
  unsigned first = unsigned(__builtin_ctz(mask));
  A offset = A(op.immediate);
  uint64_t start = A(base[first] + offset);
  const Segment *segment = nullptr;
  switch (op.space) {
  case Space::Shared:
    segment = &x.shared;
    break;
  case Space::Generic:
  case Space::Global:
    segment = &x.global;
    if (__builtin_expect(start - x.global.address >= x.global.size, 0)) {
      if (start - x.otherGlobal.address < x.otherGlobal.size) {
        segment = &x.otherGlobal;
      } else if (!x.findGlobal(start)) {
        target.reach = Reach::Slow;
        return target;
      }
    }
    break;
  case Space::Constant:
    segment = &x.constant;
    break;
  case Space::Param:
    segment = &x.param;
    break;
  case Space::Local:
    target.reach = Reach::Slow;
    return target;
  }
  target.segment = segment;
  if (!segment->isWritable && op.opClass == OpClass::Store) {
    target.reach = Reach::Slow;
    return target;
  }
  // Addresses wrap in their own width, as registers do.
  Lanes<A> offsets = base + A(offset - A(segment->address));
  target.offsets = offsets;
  A firstOffset = A(start - segment->address);
  target.host = segment->host + firstOffset;
  Lanes<A> neighbours = laneNumbers<A>() * A(bytes) + A(firstOffset - A(first) * A(bytes));
  LaneMask apart = maskOf(offsets != neighbours) & mask;
  if (!apart && mask == AllLanes) {
    bool fits =
        segment->size >= NumLanes * bytes && firstOffset <= segment->size - NumLanes * bytes;
    target.reach = fits && firstOffset % bytes == 0 ? Reach::Neighbours : Reach::Slow;
    return target;
  }
  LaneMask bad = maskOf(((offsets & A(bytes - 1)) != 0) | (offsets > A(segment->size - bytes)));
  target.reach = segment->size < bytes || (bad & mask) ? Reach::Slow : Reach::Scattered;
  return target;
}

template <typename T>
METTLE_INLINE Lanes<typename RegisterWord<T>::type> toRegister(Lanes<T> value, const Op &op) {
  if constexpr (sizeof(T) == 1) {
    if (op.flip)
      return bitsAs<Lanes<uint16_t>>(convert<int16_t>(bitsAs<Lanes<int8_t>>(value)));
    return convert<uint16_t>(value);
  } else {
    return value;
  }
}

template <unsigned n> METTLE_INLINE Slot slotOf(Execution &x, const Op &op, unsigned element) {
  return n == 1 ? op.d : x.slots[op.list + element];
}

template <typename A, typename T, unsigned n>
__attribute__((noinline)) const Op *loadSlowly(Execution &x, const Op &op, LaneMask mask) {
  using R = typename RegisterWord<T>::type;
  const A *base = x.lanes<A>(op.a);
  // All lanes first: the address may be in a register that is loaded.
  T words[NumLanes][n];
  for (unsigned lane : Execution::each(mask))
    if (!x.load(op, lane, op.space, A(base[lane] + A(op.immediate)), words[lane], sizeof(T) * n))
      return x.stop();
  for (unsigned element = 0; element < n; ++element) {
    R *to = x.lanes<R>(slotOf<n>(x, op, element));
    for (unsigned lane : Execution::each(mask)) {
      T word = words[lane][element];
      to[lane] = sizeof(T) == 1 && op.flip ? R(int8_t(word)) : R(word);
    }
  }
  return op.next();
}

template <typename A, typename T, unsigned n>
const Op *load(Execution &x, const Op &op, LaneMask mask) {
  Target<A> target = aim<A, sizeof(T) * n>(x, op, mask);
  using R = typename RegisterWord<T>::type;
  if (__builtin_expect(target.reach == Reach::Neighbours, 1)) {
    if (target.segment->valid || target.segment->writers)
      if (!checkNeighbours<sizeof(T) * n, false>(x, op, *target.segment, target.host))
        return x.stop();
    if constexpr (n == 1) {
      put<R>(x, op.d, mask, toRegister<T>(loadVector<Lanes<T>>(target.host), op));
      return op.next();
    }
    T words[NumLanes * n];
    __builtin_memcpy(words, target.host, sizeof words);
    for (unsigned element = 0; element < n; ++element) {
      Lanes<T> value;
      for (unsigned lane = 0; lane < NumLanes; ++lane)
        value[lane] = words[lane * n + element];
      put<R>(x, slotOf<n>(x, op, element), mask, toRegister<T>(value, op));
    }
    return op.next();
  }
  if (target.reach == Reach::Slow ||
      ((target.segment->valid || target.segment->writers) &&
       !areSettled<sizeof(T) * n, false, A>(x, *target.segment, target.offsets, mask)))
    return loadSlowly<A, T, n>(x, op, mask);
  const uint8_t *host = target.segment->host;
  Lanes<T> values[n] = {};
  if (sizeof(T) == 4 && n == 1 && target.segment->size <= GatherLimit) {
    values[0] = convert<T>(gather(host, convert<uint32_t>(target.offsets), mask));
  } else if (mask == AllLanes) {
    A offsets[NumLanes];
    storeVector(offsets, target.offsets);
    T words[n][NumLanes];
#pragma clang loop unroll(full)
    for (unsigned lane = 0; lane < NumLanes; ++lane)
      for (unsigned element = 0; element < n; ++element)
        __builtin_memcpy(&words[element][lane], host + offsets[lane] + element * sizeof(T),
                         sizeof(T));
    __builtin_memcpy(values, words, sizeof values);
  } else {
    for (unsigned lane : Execution::each(mask)) {
      T words[n];
      __builtin_memcpy(words, host + target.offsets[lane], sizeof words);
      for (unsigned element = 0; element < n; ++element)
        values[element][lane] = words[element];
    }
  }
  for (unsigned element = 0; element < n; ++element)
    put<R>(x, slotOf<n>(x, op, element), mask, toRegister<T>(values[element], op));
  return op.next();
}

template <typename A, typename T, unsigned n>
__attribute__((noinline)) const Op *storeSlowly(Execution &x, const Op &op, LaneMask mask) {
  using R = typename RegisterWord<T>::type;
  const A *base = x.lanes<A>(op.a);
  for (unsigned lane : Execution::each(mask)) {
    T words[n];
    for (unsigned element = 0; element < n; ++element)
      words[element] = T(x.lanes<R>(slotOf<n>(x, op, element))[lane]);
    if (!x.store(op, lane, op.space, A(base[lane] + A(op.immediate)), words, sizeof words))
      return x.stop();
  }
  return op.next();
}

template <typename A, typename T, unsigned n>
const Op *store(Execution &x, const Op &op, LaneMask mask) {
  using R = typename RegisterWord<T>::type;
  Target<A> target = aim<A, sizeof(T) * n>(x, op, mask);
  if (__builtin_expect(target.reach == Reach::Neighbours, 1)) {
    if (target.segment->valid || target.segment->writers)
      if (!checkNeighbours<sizeof(T) * n, true>(x, op, *target.segment, target.host))
        return x.stop();
    if constexpr (n == 1) {
      storeVector(target.host, convert<T>(get<R>(x, op.d)));
      return op.next();
    }
    T words[NumLanes * n];
    for (unsigned element = 0; element < n; ++element) {
      Lanes<T> value = convert<T>(get<R>(x, slotOf<n>(x, op, element)));
      for (unsigned lane = 0; lane < NumLanes; ++lane)
        words[lane * n + element] = value[lane];
    }
    __builtin_memcpy(target.host, words, sizeof words);
    return op.next();
  }
  if (target.reach == Reach::Slow ||
      ((target.segment->valid || target.segment->writers) &&
       !areSettled<sizeof(T) * n, true, A>(x, *target.segment, target.offsets, mask)))
    return storeSlowly<A, T, n>(x, op, mask);
  uint8_t *host = target.segment->host;
  if constexpr (sizeof(T) == 4 && n == 1)
    if (target.segment->size <= GatherLimit) {
      scatter(host, convert<uint32_t>(target.offsets), mask, get<R>(x, op.d));
      return op.next();
    }
  for (unsigned lane : Execution::each(mask))
    for (unsigned element = 0; element < n; ++element) {
      T word = T(x.lanes<R>(slotOf<n>(x, op, element))[lane]);
      __builtin_memcpy(host + target.offsets[lane] + element * sizeof(T), &word, sizeof word);
    }
  return op.next();
}

} // namespace

namespace METTLE_LANES_ISA {
extern const Handler memoryLanes[];
#define METTLE_LANE(Name, ...) __VA_ARGS__,
const Handler memoryLanes[] = {
#include "MemoryLanes.def"
};
#undef METTLE_LANE
} // namespace METTLE_LANES_ISA
} // namespace mettle::emulator
