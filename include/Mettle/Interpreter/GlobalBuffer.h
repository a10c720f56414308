//===- GlobalBuffer.h - global memory of a launch -===//
//
// The interpreter's view of memory that the caller owns: an identity, a size, a name for messages,
// and what the sanitizer knows about each byte.
//
//===----------------------------------------------------------------------===//

#ifndef METTLE_INTERPRETER_GLOBALBUFFER_H
#define METTLE_INTERPRETER_GLOBALBUFFER_H

#include <cstdint>
#include <memory>
#include <string>

namespace mettle::interpreter {

/// A piece of global memory, from element 0 of some kernel pointer to its end. Two buffers are two
/// objects: no offset leads from one into the other. Kernels read and write the caller's bytes
/// directly. Its base counts as aligned for every access, as memory from a device's allocator is.
class GlobalBuffer {
public:
  enum class Contents : uint8_t {
    Initialised,   ///< every byte may be read
    Uninitialised, ///< a byte may be read after a kernel wrote it
  };

  /// `data` holds `size` bytes and outlives the buffer. `name` is how messages call it, for
  /// example the kernel's parameter.
  GlobalBuffer(std::string name, void *data, uint64_t size,
               Contents contents = Contents::Initialised);
  GlobalBuffer(GlobalBuffer &&) noexcept;
  GlobalBuffer &operator=(GlobalBuffer &&) noexcept;
  ~GlobalBuffer();

  const std::string &getName() const { return name; }
  uint8_t *getData() const { return data; }
  /// In bytes.
  uint64_t getSize() const { return size; }
  /// One byte for each byte of the buffer, 1 where it was written; null where all are initialised.
  /// It lasts across launches.
  uint8_t *getInitialised() const { return initialised.get(); }

private:
  struct Release {
    void operator()(uint8_t *memory) const;
  };

  std::string name;
  uint8_t *data;
  uint64_t size;
  std::unique_ptr<uint8_t[], Release> initialised;
};

} // namespace mettle::interpreter

#endif // METTLE_INTERPRETER_GLOBALBUFFER_H
