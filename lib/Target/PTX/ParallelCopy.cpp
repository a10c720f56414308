//===- ParallelCopy.cpp - copies that happen at once, one by one -===//
//
// A register may be written once nothing still reads it. Writing such registers first leaves
// cycles, each of which opens by saving one of its registers.
//
//===----------------------------------------------------------------------===//

#include "Mettle/Target/PTX/ParallelCopy.h"

#include "llvm/ADT/DenseMap.h"

using namespace mettle::ptx;
using llvm::SmallVector;

namespace {
struct Destination {
  unsigned source;
  bool isDone;
};
} // namespace

SmallVector<Copy> mettle::ptx::sequentialize(llvm::ArrayRef<Copy> copies,
                                             llvm::function_ref<unsigned(unsigned)> makeTemporary) {
  llvm::SmallDenseMap<unsigned, Destination> pending;
  llvm::SmallDenseMap<unsigned, unsigned> readers;
  for (Copy copy : copies) {
    if (copy.destination == copy.source)
      continue;
    pending.try_emplace(copy.destination, Destination{copy.source, false});
    ++readers[copy.source];
  }

  SmallVector<Copy> moves;
  // Writes `destination`, then what that sets free, and so on.
  auto writeChain = [&](unsigned destination) {
    while (true) {
      auto entry = pending.find(destination);
      if (entry == pending.end() || entry->second.isDone || readers.lookup(destination) != 0)
        return;
      entry->second.isDone = true;
      unsigned source = entry->second.source;
      moves.push_back({destination, source});
      --readers[source];
      destination = source;
    }
  };
  for (Copy copy : copies)
    writeChain(copy.destination);

  // Every register left is read by exactly one other of its cycle.
  for (Copy copy : copies) {
    auto entry = pending.find(copy.destination);
    if (entry == pending.end() || entry->second.isDone)
      continue;
    unsigned saved = makeTemporary(copy.destination);
    moves.push_back({saved, copy.destination});
    unsigned destination = copy.destination;
    while (true) {
      Destination &next = pending.find(destination)->second;
      next.isDone = true;
      bool closes = next.source == copy.destination;
      moves.push_back({destination, closes ? saved : next.source});
      if (closes)
        break;
      destination = next.source;
    }
  }
  return moves;
}
