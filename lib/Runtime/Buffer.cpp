//===- Buffer.cpp - A typed array in host memory --------------------------===//
//
// Allocation with checked sizes, and element access by bits.
//
//===----------------------------------------------------------------------===//

#include "Mettle/Runtime/Buffer.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/SwapByteOrder.h"
#include "llvm/Support/raw_ostream.h"

#include <cstring>

using namespace llvm;

namespace mettle::runtime {

static_assert(sys::IsLittleEndianHost, "elements are stored little endian and read in place");

std::optional<uint64_t> arrayBytes(ElementType type, ArrayRef<uint64_t> shape) {
  if (is_contained(shape, 0))
    return 0;
  uint64_t bytes = recordOf(type).bytes;
  for (uint64_t extent : shape)
    if (__builtin_mul_overflow(bytes, extent, &bytes))
      return std::nullopt;
  return bytes;
}

Expected<Buffer> Buffer::zeros(ElementType type, ArrayRef<uint64_t> shape) {
  std::optional<uint64_t> bytes = arrayBytes(type, shape);
  // calloc(0) may return null, which would read as a failure.
  void *memory = bytes ? std::calloc(*bytes ? *bytes : 1, 1) : nullptr;
  if (!memory)
    return createStringError("cannot allocate memory for " + describeArray(type, shape));
  return Buffer(type, shape, *bytes, static_cast<uint8_t *>(memory));
}

uint64_t Buffer::bitsAt(uint64_t index) const {
  unsigned width = recordOf(elementType).bytes;
  uint64_t bits = 0;
  std::memcpy(&bits, memory.get() + index * width, width);
  return bits;
}

void Buffer::setBitsAt(uint64_t index, uint64_t bits) {
  unsigned width = recordOf(elementType).bytes;
  std::memcpy(memory.get() + index * width, &bits, width);
}

std::string Buffer::describe() const { return describeArray(elementType, extents); }

std::string describeArray(ElementType type, ArrayRef<uint64_t> shape) {
  std::string text;
  raw_string_ostream os(text);
  os << recordOf(type).name << '[';
  interleave(shape, os, ",");
  os << ']';
  return text;
}

} // namespace mettle::runtime
