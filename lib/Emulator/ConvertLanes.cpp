//===- ConvertLanes.cpp - The frequent conversions ------------------------===//
//
// Compiled once for each instruction set of the host; compared with the library of formats over
// all inputs in the tests.
//
//===----------------------------------------------------------------------===//

#include "Lane.h"

namespace mettle::emulator {
namespace {

using Words = Lanes<uint32_t>;

template <typename T> struct To {
  template <typename V> METTLE_INLINE Lanes<T> of(V a) { return convert<T>(a); }
};
struct WidenF16 {
  METTLE_INLINE Words of(Lanes<uint16_t> word) {
    Words wide = convert<uint32_t>(word), sign = (wide & 0x8000) << 16, magnitude = wide & 0x7fff;
    Words bits = bitsAs<Words>(bitsAs<Lanes<float>>(magnitude << 13) * 0x1p112f);
    bits = magnitude >= 0x7c00 ? Words(0x7f800000) : bits;
    return magnitude > 0x7c00 ? Words(0x7fffffff) : bits | sign;
  }
};
/// A shift: NaN payloads stay.
struct WidenBF16 {
  METTLE_INLINE Words of(Lanes<uint16_t> word) { return convert<uint32_t>(word) << 16; }
};
struct ToF16 {
  METTLE_INLINE Words word(Words bits) {
    Words sign = (bits >> 16) & 0x8000, magnitude = bits & 0x7fffffff;
    Words small = bitsAs<Words>(bitsAs<Lanes<float>>(magnitude) + 0.5f) - 0x3f000000;
    Words rounded = (magnitude + 0xfff + ((magnitude >> 13) & 1) - ((127 - 15) << 23)) >> 13;
    Words result = magnitude < 0x38800000 ? small : rounded;
    result = magnitude >= 0x47800000 ? Words(0x7c00) : result;
    return magnitude > 0x7f800000 ? Words(0x7fff) : result | sign;
  }
  METTLE_INLINE Lanes<uint16_t> of(Words bits) { return convert<uint16_t>(word(bits)); }
};
struct ToBF16 {
  METTLE_INLINE Words word(Words bits) {
    Words rounded = (bits + 0x7fff + ((bits >> 16) & 1)) >> 16;
    return (bits & 0x7fffffff) > 0x7f800000 ? Words(0x7fff) : rounded;
  }
  METTLE_INLINE Lanes<uint16_t> of(Words bits) { return convert<uint16_t>(word(bits)); }
};
/// The first operand goes to the upper half.
template <typename F> struct Packed {
  METTLE_INLINE Words of(Words a, Words b) { return F::word(a) << 16 | F::word(b); }
};
/// Towards zero; out of range to the nearest end, NaN to 0.
struct ToS32 {
  METTLE_INLINE Lanes<int32_t> of(Lanes<float> a) {
    auto inRange = (a >= -0x1p31f) & (a < 0x1p31f);
    Lanes<int32_t> value = convert<int32_t>(inRange ? a : Lanes<float>(0));
    value = a >= 0x1p31f ? Lanes<int32_t>(INT32_MAX) : value;
    return a < -0x1p31f ? Lanes<int32_t>(INT32_MIN) : value;
  }
};

} // namespace

namespace METTLE_LANES_ISA {
extern const Handler convertLanes[];
#define METTLE_LANE(Name, ...) __VA_ARGS__,
const Handler convertLanes[] = {
#include "ConvertLanes.def"
};
#undef METTLE_LANE
} // namespace METTLE_LANES_ISA
} // namespace mettle::emulator
