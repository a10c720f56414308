//===- FloatTest.cpp - Floats of every width --------------------------------===//
//
// Against LLVM's software floats, and conversions against the library of formats.
//
//===----------------------------------------------------------------------===//

#include "Instructions.h"
#include "Mettle/Numerics/Format.h"
#include "llvm/ADT/APFloat.h"
#include "llvm/ADT/StringExtras.h"
#include <cmath>

using namespace mettle::emulator;
using namespace mettle;
using llvm::APFloat;
using numerics::Format;

static APFloat number(const llvm::fltSemantics &semantics, uint64_t word) {
  return APFloat(semantics, llvm::APInt(APFloat::getSizeInBits(semantics), word));
}

/// The word of a result; a NaN is the canonical one.
static uint64_t word(const APFloat &value, uint64_t nan) {
  return value.isNaN() ? nan : value.bitcastToAPInt().getZExtValue();
}

using Operation = APFloat (*)(APFloat, const APFloat &, const APFloat &, llvm::RoundingMode);
static APFloat add(APFloat a, const APFloat &b, const APFloat &, llvm::RoundingMode mode) {
  a.add(b, mode);
  return a;
}
static APFloat sub(APFloat a, const APFloat &b, const APFloat &, llvm::RoundingMode mode) {
  a.subtract(b, mode);
  return a;
}
static APFloat mul(APFloat a, const APFloat &b, const APFloat &, llvm::RoundingMode mode) {
  a.multiply(b, mode);
  return a;
}
static APFloat fused(APFloat a, const APFloat &b, const APFloat &c, llvm::RoundingMode mode) {
  a.fusedMultiplyAdd(b, c, mode);
  return a;
}
static APFloat divide(APFloat a, const APFloat &b, const APFloat &, llvm::RoundingMode mode) {
  a.divide(b, mode);
  return a;
}

static Oracle exactly(const llvm::fltSemantics &semantics, uint64_t nan, Operation operation,
                      llvm::RoundingMode mode = llvm::RoundingMode::NearestTiesToEven) {
  return [=, &semantics](uint64_t a, uint64_t b, uint64_t c) {
    return word(operation(number(semantics, a), number(semantics, b), number(semantics, c), mode),
                nan);
  };
}

TEST(Float, F32) {
  const llvm::fltSemantics &f32 = APFloat::IEEEsingle();
  constexpr uint64_t nan = 0x7fffffff;
  checkInstruction("add.rn.f32 $d, $a, $b;", {}, exactly(f32, nan, add));
  checkInstruction("sub.f32 $d, $a, $b;", {}, exactly(f32, nan, sub));
  checkInstruction("mul.f32 $d, $a, $b;", {}, exactly(f32, nan, mul));
  checkInstruction("fma.rn.f32 $d, $a, $b, $c;", {}, exactly(f32, nan, fused));
  checkInstruction("div.rn.f32 $d, $a, $b;", {}, exactly(f32, nan, divide));
  checkInstruction("add.rz.f32 $d, $a, $b;", {},
                   exactly(f32, nan, add, llvm::RoundingMode::TowardZero));
  checkInstruction("mul.rp.f32 $d, $a, $b;", {},
                   exactly(f32, nan, mul, llvm::RoundingMode::TowardPositive));
  checkInstruction("fma.rm.f32 $d, $a, $b, $c;", {},
                   exactly(f32, nan, fused, llvm::RoundingMode::TowardNegative));
  checkInstruction("mul.sat.f32 $d, $a, $b;", {},
                   [&](uint64_t a, uint64_t b, uint64_t) -> uint64_t {
                     APFloat value = mul(number(f32, a), number(f32, b), number(f32, 0),
                                         llvm::RoundingMode::NearestTiesToEven);
                     if (value.isNaN() || value.isNegative())
                       return 0;
                     return std::min<uint64_t>(word(value, 0), 0x3f800000);
                   });
}

static uint64_t flushed(uint64_t word) { return word & 0x7f800000 ? word : word & 0x80000000; }

TEST(Float, FlushedF32) {
  // Rounded to 24 bits with an exponent that does not end, as doubles give it, then flushed.
  auto flushing = [](Operation operation) {
    return [=](uint64_t a, uint64_t b, uint64_t c) {
      auto in = [](uint64_t word) {
        APFloat value = number(APFloat::IEEEsingle(), flushed(word));
        bool lost;
        value.convert(APFloat::IEEEquad(), llvm::RoundingMode::NearestTiesToEven, &lost);
        return value;
      };
      APFloat value = operation(in(a), in(b), in(c), llvm::RoundingMode::NearestTiesToEven);
      if (value.isNaN())
        return uint64_t(0x7fffffff);
      if (value.isZero() || value.isInfinity())
        return word(operation(number(APFloat::IEEEsingle(), flushed(a)),
                              number(APFloat::IEEEsingle(), flushed(b)),
                              number(APFloat::IEEEsingle(), flushed(c)),
                              llvm::RoundingMode::NearestTiesToEven),
                    0x7fffffff);
      APFloat magnitude = abs(value), limit(APFloat::IEEEquad(), "0x1.ffffffp-127");
      bool lost;
      if (magnitude < limit)
        return uint64_t(value.isNegative() ? 0x80000000 : 0);
      value.convert(APFloat::IEEEsingle(), llvm::RoundingMode::NearestTiesToEven, &lost);
      return word(value, 0);
    };
  };
  checkInstruction("mul.ftz.f32 $d, $a, $b;", {}, flushing(mul));
  checkInstruction("add.ftz.f32 $d, $a, $b;", {}, flushing(add));
  // 2^-126 but for the last bit of the product: rounds up, or is flushed.
  for (auto [a, b, expected] :
       {std::tuple(0x00800000u, 0x3f7fffffu, 0u), {0x00800001u, 0x3f7fffffu, 0x00800000u}})
    checkInstruction("mul.ftz.f32 $d, " + std::to_string(0) + "f" + llvm::utohexstr(a, false, 8) +
                         ", 0f" + llvm::utohexstr(b, false, 8) + ";",
                     {}, [=](uint64_t, uint64_t, uint64_t) { return uint64_t(expected); });
}

TEST(Float, MinMax) {
  auto isNaN = [](uint64_t word) { return (word & 0x7fffffff) > 0x7f800000; };
  auto order = [](uint64_t word) {
    return word & 0x80000000 ? ~word & 0xffffffff : word | 0x80000000;
  };
  checkInstruction("max.f32 $d, $a, $b;", {}, [=](uint64_t a, uint64_t b, uint64_t) {
    return isNaN(a) ? isNaN(b) ? 0x7fffffff : b : isNaN(b) ? a : order(a) > order(b) ? a : b;
  });
  checkInstruction("min.NaN.f32 $d, $a, $b;", {}, [=](uint64_t a, uint64_t b, uint64_t) {
    return isNaN(a) || isNaN(b) ? 0x7fffffff : order(a) < order(b) ? a : b;
  });
  checkInstruction(
      "setp.ltu.f32 $d, $a, $b;", {1}, [=](uint64_t a, uint64_t b, uint64_t) -> uint64_t {
        return isNaN(a) || isNaN(b) ||
               __builtin_bit_cast(float, uint32_t(a)) < __builtin_bit_cast(float, uint32_t(b));
      });
}

TEST(Float, F64) {
  auto computed = [](Operation operation) {
    return [=](uint64_t a, uint64_t b, uint64_t c) {
      const llvm::fltSemantics &f64 = APFloat::IEEEdouble();
      return word(operation(number(f64, a), number(f64, b), number(f64, c),
                            llvm::RoundingMode::NearestTiesToEven),
                  0xdead);
    };
  };
  // Which word a NaN has is not the question here.
  for (auto [text, operation] :
       {std::pair<const char *, Operation>("fma.rn.f64 $d, $a, $b, $c;", fused),
        {"add.f64 $d, $a, $b;", add}})
    checkInstruction(std::string(text) +
                         " testp.notanumber.f64 %p2, $d; selp.b64 $d, 0xdead, $d, %p2;",
                     {64, 64, 64, 64}, computed(operation));
}

TEST(Float, Halves) {
  for (auto [type, semantics] :
       {std::pair<std::string, const llvm::fltSemantics *>("f16", &APFloat::IEEEhalf()),
        {"bf16", &APFloat::BFloat()}}) {
    checkInstruction("add.rn." + type + " $d, $a, $b;", {16, 16, 16, 16},
                     exactly(*semantics, 0x7fff, add));
    checkInstruction("mul.rn." + type + " $d, $a, $b;", {16, 16, 16, 16},
                     exactly(*semantics, 0x7fff, mul));
    checkInstruction("fma.rn." + type + " $d, $a, $b, $c;", {16, 16, 16, 16},
                     exactly(*semantics, 0x7fff, fused));
    Oracle one = exactly(*semantics, 0x7fff, fused);
    checkInstruction(
        "fma.rn." + type + "x2 $d, $a, $b, $c;", {}, [=](uint64_t a, uint64_t b, uint64_t c) {
          return one(a & 0xffff, b & 0xffff, c & 0xffff) | one(a >> 16, b >> 16, c >> 16) << 16;
        });
  }
}

TEST(Float, Conversions) {
  auto format = [](Format from, Format to,
                   numerics::Rounding rounding = numerics::Rounding::NearestEven) {
    return [=](uint64_t a, uint64_t, uint64_t) { return numerics::convert(from, a, to, rounding); };
  };
  checkInstruction("cvt.rn.f16.f32 $d, $a;", {16}, format(Format::F32, Format::F16));
  checkInstruction("cvt.rn.bf16.f32 $d, $a;", {16}, format(Format::F32, Format::BF16));
  checkInstruction("cvt.rz.f16.f32 $d, $a;", {16},
                   format(Format::F32, Format::F16, numerics::Rounding::TowardZero));
  checkInstruction("cvt.f32.f16 $d, $a;", {32, 16, 16, 16}, format(Format::F16, Format::F32));
  // A NaN is cut, even to infinity.
  checkInstruction("cvt.rna.tf32.f32 $d, $a;", {}, [&](uint64_t a, uint64_t b, uint64_t c) {
    return (a & 0x7fffffff) > 0x7f800000
               ? a & 0xffffe000
               : format(Format::F32, Format::TF32, numerics::Rounding::NearestAway)(a, b, c);
  });
  checkInstruction("cvt.rn.f16x2.f32 $d, $a, $b;", {}, [](uint64_t a, uint64_t b, uint64_t) {
    return numerics::convert(Format::F32, a, Format::F16) << 16 |
           numerics::convert(Format::F32, b, Format::F16);
  });
  checkInstruction(
      "cvt.rn.satfinite.e4m3x2.f32 $d, $a, $b;", {16}, [](uint64_t a, uint64_t b, uint64_t) {
        auto one = [](uint64_t x) {
          return numerics::convert(Format::F32, x, Format::E4M3, numerics::Rounding::NearestEven,
                                   numerics::Overflow::Saturate);
        };
        return one(a) << 8 | one(b);
      });
  auto clamped = [](double value, double least, double most) {
    return value != value ? 0 : std::clamp(value, least, most);
  };
  checkInstruction("cvt.rzi.s32.f32 $d, $a;", {}, [=](uint64_t a, uint64_t, uint64_t) {
    return uint64_t(int64_t(clamped(__builtin_bit_cast(float, uint32_t(a)), -0x1p31, 0x1p31 - 1)));
  });
  checkInstruction("cvt.rni.u32.f32 $d, $a;", {}, [=](uint64_t a, uint64_t, uint64_t) {
    return uint64_t(
        clamped(std::nearbyint(double(__builtin_bit_cast(float, uint32_t(a)))), 0, 0x1p32 - 1));
  });
  checkInstruction("cvt.rn.f32.s32 $d, $a;", {}, [](uint64_t a, uint64_t, uint64_t) {
    return uint64_t(__builtin_bit_cast(uint32_t, float(int32_t(a))));
  });
  checkInstruction("cvt.rn.f32.u64 $d, $a;", {32, 64, 64, 64}, [](uint64_t a, uint64_t, uint64_t) {
    return uint64_t(__builtin_bit_cast(uint32_t, float(a)));
  });
  checkInstruction("cvt.s64.s32 $d, $a;", {64},
                   [](uint64_t a, uint64_t, uint64_t) { return uint64_t(int64_t(int32_t(a))); });
  checkInstruction("cvt.s32.s8 $d, $a;", {},
                   [](uint64_t a, uint64_t, uint64_t) { return uint64_t(int64_t(int8_t(a))); });
  checkInstruction("cvt.sat.u8.s32 $d, $a;", {}, [](uint64_t a, uint64_t, uint64_t) {
    return uint64_t(std::clamp(int32_t(a), 0, 255));
  });
}
