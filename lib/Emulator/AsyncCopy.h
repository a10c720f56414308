//===- AsyncCopy.h - What the asynchronous copies share -------------------===//
//
// Addresses brought to one width, the reductions of bulk copies, and the checks of a cluster of
// one.
//
//===----------------------------------------------------------------------===//

#ifndef METTLE_LIB_EMULATOR_ASYNCCOPY_H
#define METTLE_LIB_EMULATOR_ASYNCCOPY_H

#include "Decoder.h"
#include "Execution.h"

namespace mettle::emulator {

/// A slot of 64 bits with the whole address, its offset added.
Slot wideAddress(Decoder &decoder, const Decoder::Address &address);
inline uint64_t wideWord(Execution &x, Slot slot, unsigned lane) {
  return x.lanes<uint64_t>(slot)[lane];
}

/// What a reducing copy does to each element.
struct Reduction {
  enum Operation : uint8_t { Add, Min, Max, Inc, Dec, And, Or, Xor };
  Operation operation = Add;
  ptx::Type type = ptx::Type::None;
  bool flushes = false; ///< f32 subnormals are zeros; never in what is encoded

  uint64_t encode() const { return uint64_t(operation) | uint64_t(type) << 8; }
  static Reduction decode(uint64_t word) { return {Operation(word & 255), ptx::Type(word >> 8)}; }
};

/// The operation and type that the mnemonic names; the type stays None where a tensor map gives it.
bool decodeReduction(Decoder &decoder, Reduction &reduction, bool hasType);
/// Whether there is such a reduction.
bool isReduction(Reduction reduction);
/// target = target op source, element by element.
void reduceBytes(Reduction reduction, uint8_t *target, const uint8_t *source, size_t bytes);

/// A multicast mask, if there is one as operand `index`, must name the only block of the cluster.
bool checkMulticast(Decoder &decoder, unsigned index);

} // namespace mettle::emulator

#endif // METTLE_LIB_EMULATOR_ASYNCCOPY_H
