//===- Approximate.h - PTX's approximate functions, bit by bit --*- C++ -*-===//
//
// What the approximate instructions of PTX (ex2.approx, rcp.approx, div.full and
// the others) return on sm_90, every bit of every result. They are a table lookup
// and a quadratic interpolation in the multi-function unit, and a few ordinary
// instructions around it: docs/approximate-functions.md has the datapath, the
// expansions and what was verified on hardware.
//
//===----------------------------------------------------------------------===//

#ifndef METTLE_NUMERICS_APPROXIMATE_H
#define METTLE_NUMERICS_APPROXIMATE_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include <cstdint>
#include <optional>

namespace mettle::numerics {

enum class InstructionSet : uint8_t;

/// An instruction of PTX, named as it is spelt.
enum class Approximate : uint8_t {
  Ex2F32,
  Ex2FtzF32,
  Ex2F16,
  Ex2F16x2,
  Ex2FtzBF16,
  Ex2FtzBF16x2,
  Lg2F32,
  Lg2FtzF32,
  RcpF32,
  RcpFtzF32,
  RcpFtzF64,
  RsqrtF32,
  RsqrtFtzF32,
  RsqrtFtzF64,
  SqrtF32,
  SqrtFtzF32,
  SinF32,
  SinFtzF32,
  CosF32,
  CosFtzF32,
  TanhF32,
  TanhF16,
  TanhF16x2,
  TanhBF16,
  TanhBF16x2,
  DivF32,
  DivFtzF32,
  DivFullF32,
  DivFullFtzF32,
};

struct ApproximateInfo {
  Approximate instruction;
  /// As PTX spells it: `ex2.approx.ftz.f32`, `div.full.f32`.
  llvm::StringLiteral mnemonic;
  /// 1, or 2 for a division (dividend, divisor).
  unsigned operands;
  /// Of one operand and of the result; 32 for the packed pairs. Of 64 bits the words are the upper
  /// halves: the lower half of the operand does not matter, and that of the result is 0.
  unsigned bits;
};

const ApproximateInfo &info(Approximate instruction);
llvm::ArrayRef<ApproximateInfo> allApproximates();
std::optional<Approximate> parseApproximate(llvm::StringRef mnemonic);

/// The result word for the operand words `a` and, for a division, `b`; of words
/// narrower than 32 bits the upper bits are ignored and are zero in the result.
/// NaN results are the hardware's words. Expects the host's default rounding, to
/// nearest, and subnormals not flushed.
uint32_t approximate(Approximate instruction, uint32_t a, uint32_t b = 0);

/// The same for many words, the fast way: `result[i]` from `a[i]` and `b[i]`. `b` may be empty for
/// an instruction with one operand; `result` may be `a` or `b`.
void approximate(Approximate instruction, llvm::ArrayRef<uint32_t> a, llvm::ArrayRef<uint32_t> b,
                 llvm::MutableArrayRef<uint32_t> result);

/// The same in one of the instruction sets of Evaluate.h: AVX2 code where the machine has it and
/// `set` is neither `Plain` nor `Portable`.
void approximate(Approximate instruction, llvm::ArrayRef<uint32_t> a, llvm::ArrayRef<uint32_t> b,
                 llvm::MutableArrayRef<uint32_t> result, InstructionSet set);

/// What the last step of a division multiplies, to nearest even. ptxas contracts that product
/// with an `add.f32` or `sub.f32` without rounding that takes the quotient, into one FFMA of these
/// factors: code that ran on hardware shows it (docs/approximate-functions.md).
struct DivisionFactors {
  uint32_t reciprocal, dividend;
};
DivisionFactors divisionFactors(Approximate division, uint32_t a, uint32_t b);

} // namespace mettle::numerics

#endif // METTLE_NUMERICS_APPROXIMATE_H
