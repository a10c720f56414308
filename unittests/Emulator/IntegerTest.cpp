//===- IntegerTest.cpp - Integers, logic, selection ------------------------===//
//
// Each against plain host arithmetic, mostly in 128 bits, one word at a time.
//
//===----------------------------------------------------------------------===//

#include "Instructions.h"

using namespace mettle::emulator;
using Wide = __int128;

static int64_t s32(uint64_t word) { return int32_t(word); }
static int64_t s64(uint64_t word) { return int64_t(word); }
static int64_t s16(uint64_t word) { return int16_t(word); }

TEST(Integer, Arithmetic) {
  checkInstruction("add.s32 $d, $a, $b;", {},
                   [](uint64_t a, uint64_t b, uint64_t) { return a + b; });
  checkInstruction("add.sat.s32 $d, $a, $b;", {}, [](uint64_t a, uint64_t b, uint64_t) {
    return uint64_t(std::clamp<int64_t>(s32(a) + s32(b), INT32_MIN, INT32_MAX));
  });
  checkInstruction("sub.u64 $d, $a, $b;", {64, 64, 64, 64},
                   [](uint64_t a, uint64_t b, uint64_t) { return a - b; });
  checkInstruction(
      "mul.hi.s64 $d, $a, $b;", {64, 64, 64, 64},
      [](uint64_t a, uint64_t b, uint64_t) { return uint64_t((Wide(s64(a)) * s64(b)) >> 64); });
  checkInstruction("mul.hi.u32 $d, $a, $b;", {},
                   [](uint64_t a, uint64_t b, uint64_t) { return a * b >> 32; });
  checkInstruction("mul.wide.s16 $d, $a, $b;", {32, 16, 16, 16},
                   [](uint64_t a, uint64_t b, uint64_t) { return uint64_t(s16(a) * s16(b)); });
  checkInstruction(
      "mad.wide.s32 $d, $a, $b, $c;", {64, 32, 32, 64},
      [](uint64_t a, uint64_t b, uint64_t c) { return uint64_t(s32(a) * s32(b)) + c; });
  checkInstruction("mad.hi.s32 $d, $a, $b, $c;", {}, [](uint64_t a, uint64_t b, uint64_t c) {
    return uint64_t(((s32(a) * s32(b)) >> 32) + s32(c));
  });
  checkInstruction("add.cc.u32 $d, $a, $b; addc.u32 $d, $d, $c;", {},
                   [](uint64_t a, uint64_t b, uint64_t c) { return a + b + ((a + b) >> 32) + c; });
  checkInstruction("sub.cc.u32 $d, $a, $b; subc.u32 $d, $c, 0;", {},
                   [](uint64_t a, uint64_t b, uint64_t c) { return c - (a < b); });
  checkInstruction("div.s32 $d, $a, $b;", {}, [](uint64_t a, uint64_t b, uint64_t) {
    return !b ? ~uint64_t(0) : uint64_t(s32(a) / s32(b));
  });
  checkInstruction("rem.u64 $d, $a, $b;", {64, 64, 64, 64},
                   [](uint64_t a, uint64_t b, uint64_t) { return b ? a % b : ~uint64_t(0); });
  checkInstruction("min.s16 $d, $a, $b;", {16, 16, 16, 16}, [](uint64_t a, uint64_t b, uint64_t) {
    return uint64_t(std::min(s16(a), s16(b)));
  });
  checkInstruction("abs.s64 $d, $a;", {64, 64, 64, 64},
                   [](uint64_t a, uint64_t, uint64_t) { return s64(a) < 0 ? 0 - a : a; });
  checkInstruction("sad.s32 $d, $a, $b, $c;", {}, [](uint64_t a, uint64_t b, uint64_t c) {
    return c + uint64_t(std::abs(s32(a) - s32(b)));
  });
  checkInstruction("mul24.hi.u32 $d, $a, $b;", {}, [](uint64_t a, uint64_t b, uint64_t) {
    return (a & 0xffffff) * (b & 0xffffff) >> 16;
  });
  checkInstruction("mad24.lo.u32 $d, $a, $b, $c;", {}, [](uint64_t a, uint64_t b, uint64_t c) {
    return (a & 0xffffff) * (b & 0xffffff) + c;
  });
  auto low24 = [](uint64_t word) { return int64_t(int32_t(uint32_t(word) << 8) >> 8); };
  checkInstruction("mad24.hi.s32 $d, $a, $b, $c;", {}, [&](uint64_t a, uint64_t b, uint64_t c) {
    return uint64_t(low24(a) * low24(b) >> 16) + c;
  });
  checkInstruction("mad24.hi.sat.s32 $d, $a, $b, $c;", {}, [&](uint64_t a, uint64_t b, uint64_t c) {
    int64_t product = int32_t(low24(a) * low24(b) >> 16);
    return uint64_t(std::clamp<int64_t>(product + s32(c), INT32_MIN, INT32_MAX));
  });
  checkInstruction("min.relu.s32 $d, $a, $b;", {}, [](uint64_t a, uint64_t b, uint64_t) {
    return uint64_t(std::max<int64_t>(std::min(s32(a), s32(b)), 0));
  });
  checkInstruction("max.relu.s16x2 $d, $a, $b;", {}, [](uint64_t a, uint64_t b, uint64_t) {
    uint64_t high = uint64_t(std::max<int64_t>({s16(a >> 16), s16(b >> 16), 0}));
    return high << 16 | uint64_t(std::max<int64_t>({s16(a), s16(b), 0}));
  });
  checkInstruction("dp4a.s32.u32 $d, $a, $b, $c;", {}, [](uint64_t a, uint64_t b, uint64_t c) {
    for (unsigned i = 0; i < 32; i += 8)
      c += uint64_t(int64_t(int8_t(a >> i)) * int64_t(uint8_t(b >> i)));
    return c;
  });
}

TEST(Integer, Bits) {
  checkInstruction("shl.b32 $d, $a, $b;", {},
                   [](uint64_t a, uint64_t b, uint64_t) { return b > 31 ? 0 : a << b; });
  checkInstruction("shr.s64 $d, $a, $b;", {64, 64, 32, 64}, [](uint64_t a, uint64_t b, uint64_t) {
    return uint64_t(s64(a) >> std::min<uint64_t>(b, 63));
  });
  checkInstruction("shr.u16 $d, $a, $b;", {16, 16, 32, 32},
                   [](uint64_t a, uint64_t b, uint64_t) { return b > 15 ? 0 : a >> b; });
  checkInstruction("shf.l.wrap.b32 $d, $a, $b, $c;", {}, [](uint64_t a, uint64_t b, uint64_t c) {
    return ((b << 32 | a) << (c & 31)) >> 32;
  });
  checkInstruction("shf.r.clamp.b32 $d, $a, $b, $c;", {}, [](uint64_t a, uint64_t b, uint64_t c) {
    return (b << 32 | a) >> std::min<uint64_t>(c, 32);
  });
  checkInstruction("lop3.b32 $d, $a, $b, $c, 0x96;", {},
                   [](uint64_t a, uint64_t b, uint64_t c) { return a ^ b ^ c; });
  checkInstruction("lop3.b32 $d, $a, $b, $c, 0xca;", {},
                   [](uint64_t a, uint64_t b, uint64_t c) { return (a & b) | (~a & c); });
  checkInstruction("popc.b64 $d, $a;", {32, 64, 64, 64}, [](uint64_t a, uint64_t, uint64_t) {
    return uint64_t(__builtin_popcountll(a));
  });
  checkInstruction("clz.b32 $d, $a;", {}, [](uint64_t a, uint64_t, uint64_t) {
    return uint64_t(a ? __builtin_clz(uint32_t(a)) : 32);
  });
  checkInstruction("brev.b32 $d, $a;", {}, [](uint64_t a, uint64_t, uint64_t) {
    uint64_t result = 0;
    for (unsigned i = 0; i < 32; ++i)
      result |= (a >> i & 1) << (31 - i);
    return result;
  });
  checkInstruction("bfind.s32 $d, $a;", {}, [](uint64_t a, uint64_t, uint64_t) {
    for (int i = 31; i >= 0; --i)
      if ((a >> i & 1) != (a >> 31 & 1))
        return uint64_t(i);
    return ~uint64_t(0);
  });
  // The pseudocode of the PTX manual.
  auto extract = [](uint64_t a, uint64_t b, uint64_t c, unsigned width, bool isSigned) {
    uint64_t counted = width == 32 ? 0xff : 0xffffffff;
    uint64_t pos = b & counted, length = c & counted, top = width - 1;
    uint64_t sign = !isSigned || length == 0 ? 0 : a >> std::min(pos + length - 1, top) & 1, d = 0;
    for (unsigned i = 0; i <= top; ++i)
      d |= (i < length && pos + i <= top ? a >> (pos + i) & 1 : sign) << i;
    return d;
  };
  checkInstruction("bfe.s32 $d, $a, $b, $c;", {},
                   [&](uint64_t a, uint64_t b, uint64_t c) { return extract(a, b, c, 32, true); });
  checkInstruction("bfe.u64 $d, $a, $b, $c;", {64, 64, 32, 32},
                   [&](uint64_t a, uint64_t b, uint64_t c) { return extract(a, b, c, 64, false); });
  checkInstruction("bfi.b32 $d, $a, $b, $c, 7;", {}, [](uint64_t a, uint64_t b, uint64_t c) {
    unsigned pos = c & 0xff;
    for (unsigned i = 0; i < 7 && pos + i <= 31; ++i)
      b = (b & ~(uint64_t(1) << (pos + i))) | (a >> i & 1) << (pos + i);
    return b;
  });
  checkInstruction("prmt.b32 $d, $a, $b, $c;", {}, [](uint64_t a, uint64_t b, uint64_t c) {
    uint64_t both = b << 32 | a, d = 0;
    for (unsigned i = 0; i < 4; ++i) {
      unsigned selector = c >> (4 * i) & 15;
      uint64_t byte = both >> (8 * (selector & 7)) & 0xff;
      d |= (selector & 8 ? byte & 0x80 ? 0xff : 0 : byte) << (8 * i);
    }
    return d;
  });
}

TEST(Integer, CompareAndSelect) {
  checkInstruction("setp.lt.s32 $d, $a, $b;", {1},
                   [](uint64_t a, uint64_t b, uint64_t) { return s32(a) < s32(b); });
  checkInstruction("setp.hs.u64 $d, $a, $b;", {1, 64, 64, 64},
                   [](uint64_t a, uint64_t b, uint64_t) { return a >= b; });
  checkInstruction("setp.eq.s16 $d, $a, $b;", {1, 16, 16, 16},
                   [](uint64_t a, uint64_t b, uint64_t) { return a == b; });
  checkInstruction("setp.ne.u32 %p2, $c, 0; setp.gt.and.u32 $d|%p3, $a, $b, !%p2;", {1},
                   [](uint64_t a, uint64_t b, uint64_t c) { return a > b && c == 0; });
  checkInstruction("setp.gt.u32 %p2, $a, $b; selp.b32 $d, $a, $b, %p2;", {},
                   [](uint64_t a, uint64_t b, uint64_t) { return std::max(a, b); });
  checkInstruction("slct.b32.s32 $d, $a, $b, $c;", {},
                   [](uint64_t a, uint64_t b, uint64_t c) { return s32(c) >= 0 ? a : b; });
  checkInstruction("slct.ftz.b32.f32 $d, $a, $b, $c;", {}, [](uint64_t a, uint64_t b, uint64_t c) {
    uint64_t magnitude = c & 0x7fffffff;
    bool isNegative = c >> 31 && magnitude >= 0x00800000;
    return isNegative || magnitude > 0x7f800000 ? b : a;
  });
  checkInstruction(
      "set.lt.u32.bf16 $d, $a, $b;", {32, 16, 16, 16}, [](uint64_t a, uint64_t b, uint64_t) {
        auto value = [](uint64_t word) { return __builtin_bit_cast(float, uint32_t(word << 16)); };
        return value(a) < value(b) ? ~uint64_t(0) : 0;
      });
  checkInstruction("set.le.u32.s32 $d, $a, $b;", {}, [](uint64_t a, uint64_t b, uint64_t) {
    return s32(a) <= s32(b) ? ~uint64_t(0) : 0;
  });
  checkInstruction(
      "setp.lt.u32 %p2, $a, $b; setp.lt.u32 %p3, $b, $c; xor.pred %p4, %p2, %p3; not.pred $d, %p4;",
      {1}, [](uint64_t a, uint64_t b, uint64_t c) { return (a < b) == (b < c); });
}
