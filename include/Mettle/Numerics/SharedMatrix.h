//===- SharedMatrix.h - Matrices that wgmma reads from shared memory -*- C++ -*-===//
//
// The 64-bit matrix descriptor of wgmma and the shared-memory address of each element behind it,
// with the swizzles that tensor copies use as well.
//
//===----------------------------------------------------------------------===//

#ifndef METTLE_NUMERICS_SHAREDMATRIX_H
#define METTLE_NUMERICS_SHAREDMATRIX_H

#include <cstdint>

namespace mettle::numerics {

/// How the 16-byte chunks of a row of 32, 64 or 128 bytes are permuted.
enum class Swizzle : uint8_t { None, B32, B64, B128 };

/// The permutation of shared-memory addresses: the number of the 16-byte chunk within a row (1, 2
/// or 3 bits from bit 4) is xor-ed with the address bits from bit 7 (of 32, 64 or 128 bytes: as
/// many bits). An involution; it leaves everything above untouched.
inline uint32_t swizzled(Swizzle mode, uint32_t address) {
  uint32_t mask = ((1u << unsigned(mode)) - 1) << 4;
  return address ^ ((address >> 3) & mask);
}

/// Bytes after which the pattern repeats: what a pattern must be aligned to.
inline unsigned swizzlePeriod(Swizzle mode) { return 128u << unsigned(mode); }

/// The fields of a wgmma matrix descriptor, in bytes. PTX ISA 9.0, "Matrix descriptor".
struct MatrixDescriptor {
  uint32_t start = 0;         ///< Bits 0-13, in units of 16 bytes.
  uint32_t leadingOffset = 0; ///< Bits 16-29, likewise.
  uint32_t strideOffset = 0;  ///< Bits 32-45, likewise.
  unsigned baseOffset = 0;    ///< Bits 49-51: (start of the pattern >> 7) & 7.
  Swizzle swizzle = Swizzle::None;

  static MatrixDescriptor decode(uint64_t bits);
  uint64_t encode() const;
};

/// A matrix of wgmma in shared memory: A with its rows, or B with its columns, as `lines`, each of
/// them 32 bytes of k long. K-major has k contiguous; MN-major (imm-trans 1, 16-bit elements only)
/// has the lines contiguous.
///
/// PTX ISA 9.0, "Shared memory matrix layout": K-major, groups of 8 lines are strideOffset apart,
/// and without a swizzle the two 16-byte halves of a line are leadingOffset apart; MN-major, groups
/// of 8 k are strideOffset apart and pieces of 16, 32, 64 or 128 bytes of lines leadingOffset
/// apart. Without a swizzle and MN-major it is the other way round: 8 lines are strideOffset apart,
/// 8 k leadingOffset.
class SharedMatrix {
public:
  SharedMatrix(const MatrixDescriptor &descriptor, bool mnMajor, unsigned elementBytes)
      : start(descriptor.start), leading(descriptor.leadingOffset), stride(descriptor.strideOffset),
        base(descriptor.baseOffset), swizzle(descriptor.swizzle), mnMajor(mnMajor),
        elementBytes(elementBytes) {}

  /// The address of k = `k` of line `line`. Below 2^18, as the descriptor's addresses are. The base
  /// offset is taken from the address bits that permute the chunks (an H200's words).
  uint32_t address(unsigned line, unsigned k) const {
    uint32_t plain = start + offset(line, k), mask = ((1u << unsigned(swizzle)) - 1) << 4;
    return (plain ^ (((plain >> 3) - (base << 4)) & mask)) & 0x3FFFF;
  }
  /// Bytes from one address on that hold neighbouring elements: of k (K-major), else of lines.
  static constexpr unsigned chunkBytes = 16;

private:
  uint32_t offset(unsigned line, unsigned k) const {
    if (!mnMajor) {
      uint32_t byte = k * elementBytes;
      uint32_t inGroup = (line % 8) * rowBytes();
      uint32_t half = swizzle == Swizzle::None ? byte / 16 * leading + byte % 16 : byte;
      return line / 8 * stride + inGroup + half;
    }
    uint32_t byte = line * elementBytes, piece = rowBytes();
    uint32_t pieces = byte / piece * (swizzle == Swizzle::None ? stride : leading);
    uint32_t groups = k / 8 * (swizzle == Swizzle::None ? leading : stride);
    return pieces + groups + (k % 8) * piece + byte % piece;
  }
  unsigned rowBytes() const { return 16u << unsigned(swizzle); }

  uint32_t start, leading, stride, base;
  Swizzle swizzle;
  bool mnMajor;
  unsigned elementBytes;
};

} // namespace mettle::numerics

#endif // METTLE_NUMERICS_SHAREDMATRIX_H
