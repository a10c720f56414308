//===- WarpLanes.cpp - Words that change lanes ----------------------------===//
//
// Compiled once for each instruction set of the host.
//
//===----------------------------------------------------------------------===//

#include "Lane.h"

namespace mettle::emulator {
namespace {

using Words = Lanes<uint32_t>;

enum ShuffleMode { ShuffleUp, ShuffleDown, ShuffleButterfly, ShuffleIndex };

template <unsigned by> METTLE_INLINE Words exchanged(Words a) {
  return __builtin_shufflevector(a, a, 0 ^ by, 1 ^ by, 2 ^ by, 3 ^ by, 4 ^ by, 5 ^ by, 6 ^ by,
                                 7 ^ by, 8 ^ by, 9 ^ by, 10 ^ by, 11 ^ by, 12 ^ by, 13 ^ by,
                                 14 ^ by, 15 ^ by, 16 ^ by, 17 ^ by, 18 ^ by, 19 ^ by, 20 ^ by,
                                 21 ^ by, 22 ^ by, 23 ^ by, 24 ^ by, 25 ^ by, 26 ^ by, 27 ^ by,
                                 28 ^ by, 29 ^ by, 30 ^ by, 31 ^ by);
}

/// a: words; b: lane operand; c: clamp and segment mask; slot `list`: members, Op::immediate: slot
/// of the predicate or NoSlot.
template <ShuffleMode mode> const Op *shuffle(Execution &x, const Op &op, LaneMask mask) {
  LaneMask members = x.lanes<uint32_t>(op.list)[__builtin_ctz(mask)];
  if (!x.gathered(mask, members) || (mask & ~members))
    return x.awaitLanes(op, mask, members);
  const uint32_t *b = x.lanes<uint32_t>(op.b), *c = x.lanes<uint32_t>(op.c);
  Words a = get<uint32_t>(x, op.a), d = a;
  LaneMask holds = AllLanes;
  // The literal exchanges of a reduction over the whole warp.
  if (mode == ShuffleButterfly && op.detail && mask == AllLanes) {
    switch (op.detail) {
    case 1:
      d = exchanged<1>(a);
      break;
    case 2:
      d = exchanged<2>(a);
      break;
    case 4:
      d = exchanged<4>(a);
      break;
    case 8:
      d = exchanged<8>(a);
      break;
    default:
      d = exchanged<16>(a);
      break;
    }
  } else {
    holds = 0;
    for (unsigned lane = 0; lane < NumLanes; ++lane) {
      uint32_t amount = b[lane] & 31, clamp = c[lane] & 31, segments = c[lane] >> 8 & 31;
      uint32_t most = (lane & segments) | (clamp & ~segments), least = lane & segments;
      int32_t from = 0;
      bool inside = false;
      switch (mode) {
      case ShuffleUp:
        from = int32_t(lane) - int32_t(amount);
        inside = from >= int32_t(most);
        break;
      case ShuffleDown:
        from = int32_t(lane + amount);
        inside = from <= int32_t(most);
        break;
      case ShuffleButterfly:
        from = int32_t(lane ^ amount);
        inside = from <= int32_t(most);
        break;
      case ShuffleIndex:
        from = int32_t(least | (amount & ~segments));
        inside = from <= int32_t(most);
        break;
      }
      if (inside) {
        holds |= LaneMask(1) << lane;
        d[lane] = a[from & 31];
        if (__builtin_expect(x.checks && (mask >> lane & 1) && !(mask >> (from & 31) & 1), 0))
          return x.misuse(op, lane, "expected a source lane that takes part");
      }
    }
  }
  put<uint32_t>(x, op.d, mask, d);
  if (op.immediate != NoSlot)
    x.setPredicate(Slot(op.immediate), mask, holds);
  return op.next();
}

} // namespace

namespace METTLE_LANES_ISA {
extern const Handler warpLanes[];
#define METTLE_LANE(Name, ...) __VA_ARGS__,
const Handler warpLanes[] = {
#include "WarpLanes.def"
};
#undef METTLE_LANE
} // namespace METTLE_LANES_ISA
} // namespace mettle::emulator
