//===- Buffer.h - A typed array in host memory ------------------*- C++ -*-===//
//
// The memory of one kernel argument on the host. Its zeros come from calloc, so
// a large output array costs memory only where a kernel writes it.
//
//===----------------------------------------------------------------------===//

#ifndef METTLE_RUNTIME_BUFFER_H
#define METTLE_RUNTIME_BUFFER_H

#include "Mettle/Runtime/Element.h"

#include "llvm/ADT/SmallVector.h"

#include <cstdlib>
#include <memory>

namespace mettle::runtime {

/// A dense array in C order, little endian; aligned for every element type.
class Buffer {
public:
  /// An array of zeros. An error when its size does not fit in memory.
  static llvm::Expected<Buffer> zeros(ElementType type, llvm::ArrayRef<uint64_t> shape);

  ElementType type() const { return elementType; }
  llvm::ArrayRef<uint64_t> shape() const { return extents; }
  /// Number of elements.
  uint64_t size() const { return bytes / recordOf(elementType).bytes; }

  llvm::MutableArrayRef<uint8_t> data() { return {memory.get(), size_t(bytes)}; }
  llvm::ArrayRef<uint8_t> data() const { return {memory.get(), size_t(bytes)}; }

  /// The bits of one element, zero-extended.
  uint64_t bitsAt(uint64_t index) const;
  void setBitsAt(uint64_t index, uint64_t bits);

  /// Type and shape as `--arg` spells them: "f32[64,32]".
  std::string describe() const;

private:
  Buffer(ElementType type, llvm::ArrayRef<uint64_t> shape, uint64_t bytes, uint8_t *memory)
      : elementType(type), extents(shape), bytes(bytes), memory(memory) {}

  struct Free {
    void operator()(uint8_t *memory) const { std::free(memory); }
  };

  ElementType elementType;
  llvm::SmallVector<uint64_t, 4> extents;
  uint64_t bytes;
  std::unique_ptr<uint8_t, Free> memory;
};

/// Bytes of an array; nothing when they exceed 64 bits.
std::optional<uint64_t> arrayBytes(ElementType type, llvm::ArrayRef<uint64_t> shape);

/// "f32[64,32]".
std::string describeArray(ElementType type, llvm::ArrayRef<uint64_t> shape);

} // namespace mettle::runtime

#endif // METTLE_RUNTIME_BUFFER_H
