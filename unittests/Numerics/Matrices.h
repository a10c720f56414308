//===- Matrices.h - Random problems for the evaluator's tests ---*- C++ -*-===//
//
// Matrices whose elements come from distributions that separate almost-right arithmetic from right:
// wide exponents, cancelling pairs, ties, subnormals, zeros, infinities and NaNs.
//
//===----------------------------------------------------------------------===//

#ifndef METTLE_UNITTESTS_NUMERICS_MATRICES_H
#define METTLE_UNITTESTS_NUMERICS_MATRICES_H

#include "Mettle/Numerics/Evaluate.h"
#include "Random.h"
#include "llvm/ADT/bit.h"
#include "llvm/Support/MathExtras.h"
#include <cmath>
#include <cstring>
#include <vector>

namespace mettle::numerics::test {

/// How the elements of a matrix are drawn.
enum class Draw { Normal, Wide, Cancel, Subnormal, Bits, Specials };
constexpr Draw draws[] = {Draw::Normal,    Draw::Wide, Draw::Cancel,
                          Draw::Subnormal, Draw::Bits, Draw::Specials};

inline uint64_t drawCode(Random &random, Format format, Draw draw) {
  const FormatInfo &f = info(format);
  uint64_t bits = random.word() & llvm::maskTrailingOnes<uint64_t>(f.bits);
  bits = bits >> f.droppedBits << f.droppedBits;
  if (f.isInteger || draw == Draw::Bits)
    return bits;
  auto value = [&](double magnitude) {
    return fromDouble(format, random.oneIn(2) ? -magnitude : magnitude);
  };
  auto uniform = [&] { return double(random.word() >> 11) * 0x1p-53; };
  switch (draw) {
  case Draw::Normal:
    return value(uniform() + uniform());
  case Draw::Wide: {
    int span = std::min(f.maxFinite() >> (f.fractionBits + f.droppedBits), uint64_t(254));
    return value((1 + uniform()) * std::ldexp(1.0, int(random.below(span + 1)) - f.bias));
  }
  case Draw::Cancel: // few magnitudes, so that large terms meet their opposites
    return random.oneIn(3) ? value(std::ldexp(1.0, -int(random.below(14)))) : value(1);
  case Draw::Subnormal:
    return random.oneIn(4) ? value(uniform())
                           : (bits & f.signMask()) | (bits & (uint64_t(7) << f.droppedBits));
  case Draw::Specials:
    return random.oneIn(6)
               ? bits | (f.maxFinite() &
                         ~llvm::maskTrailingOnes<uint64_t>(f.fractionBits + f.droppedBits))
           : random.oneIn(6) ? bits & f.signMask()
                             : value(uniform());
  case Draw::Bits:
    break;
  }
  return bits;
}

/// Owns the storage of a matrix of codes, row-major or column-major, with a gap between rows.
class Matrix {
public:
  Matrix(Format format, uint64_t rows, uint64_t cols, bool transposed = false, uint64_t gap = 0)
      : format(format), rows(rows), cols(cols), width((info(format).bits + 7) / 8),
        rowStride(transposed ? 1 : cols + gap), colStride(transposed ? rows + gap : 1),
        bytes((rows + gap) * (cols + gap) * width + 8) {}

  void fill(Random &random, Draw draw) {
    for (uint64_t i = 0; i < rows; ++i)
      for (uint64_t j = 0; j < cols; ++j)
        set(i, j, drawCode(random, format, draw));
  }
  void set(uint64_t i, uint64_t j, uint64_t code) {
    memcpy(bytes.data() + (i * rowStride + j * colStride) * width, &code, width);
  }
  uint64_t get(uint64_t i, uint64_t j) const {
    uint64_t code = 0;
    memcpy(&code, bytes.data() + (i * rowStride + j * colStride) * width, width);
    return code;
  }
  MatrixView view() const {
    return {bytes.data(), format, int64_t(rowStride), int64_t(colStride), false};
  }
  MutableMatrixView target() {
    return {bytes.data(), format, int64_t(rowStride), int64_t(colStride), false};
  }
  bool operator==(const Matrix &other) const {
    for (uint64_t i = 0; i < rows; ++i)
      for (uint64_t j = 0; j < cols; ++j)
        if (get(i, j) != other.get(i, j))
          return false;
    return true;
  }

  Format format;
  uint64_t rows, cols;

private:
  uint64_t width, rowStride, colStride;
  std::vector<uint8_t> bytes;
};

} // namespace mettle::numerics::test

#endif // METTLE_UNITTESTS_NUMERICS_MATRICES_H
