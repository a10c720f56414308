//===- ObjectMemory.cpp - objects that pointers point into -===//
//
// Host memory of the interpreter's objects.
//
//===----------------------------------------------------------------------===//

#include "ObjectMemory.h"

#include "Mettle/Interpreter/GlobalBuffer.h"
#include "llvm/Support/MemAlloc.h"
#include <cstdlib>
#include <cstring>

using namespace mettle;
using namespace mettle::interpreter;

void Arena::add(uint64_t bytes, AddressSpace space, std::string name,
                std::optional<mlir::Location> declaration, bool findRaces) {
  Storage object;
  object.data.reset(new uint8_t[bytes]);
  object.initialised = std::make_unique<uint8_t[]>(bytes);
  if (findRaces)
    object.history = std::make_unique<AccessHistory>(bytes, /*outlivesWorkgroup=*/false);
  allocations.push_back({object.data.get(), bytes, object.initialised.get(), object.history.get(),
                         space, std::move(name), declaration});
  storage.push_back(std::move(object));
}

void Arena::reset() {
  for (Allocation &allocation : allocations)
    std::memset(allocation.initialised, 0, allocation.bytes);
}

// Zeroed pages of calloc cost nothing until they are touched, which matters for buffers of
// gigabytes that a kernel reaches only in places.
GlobalBuffer::GlobalBuffer(std::string name, void *data, uint64_t size, Contents contents)
    : name(std::move(name)), data(static_cast<uint8_t *>(data)), size(size) {
  if (contents == Contents::Uninitialised)
    initialised.reset(static_cast<uint8_t *>(llvm::safe_calloc(size, 1)));
}

GlobalBuffer::GlobalBuffer(GlobalBuffer &&) noexcept = default;
GlobalBuffer &GlobalBuffer::operator=(GlobalBuffer &&) noexcept = default;
GlobalBuffer::~GlobalBuffer() = default;

void GlobalBuffer::Release::operator()(uint8_t *memory) const { std::free(memory); }
