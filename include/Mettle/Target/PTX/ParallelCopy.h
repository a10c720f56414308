//===- ParallelCopy.h - copies that happen at once, one by one -===//
//
// Block arguments are assigned all at once: a branch that swaps two registers reads both before it
// writes either. PTX has only single moves.
//
//===----------------------------------------------------------------------===//

#ifndef METTLE_TARGET_PTX_PARALLELCOPY_H
#define METTLE_TARGET_PTX_PARALLELCOPY_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SmallVector.h"

namespace mettle::ptx {

/// A move between registers, which are numbers here.
struct Copy {
  unsigned destination, source;
};

/// A sequence of moves with the effect of all `copies` at once, as short as there is one: one move
/// for each register that changes, and one more for each cycle, through a register of
/// `makeTemporary(destination)`. Destinations must differ from each other. Linear time.
llvm::SmallVector<Copy> sequentialize(llvm::ArrayRef<Copy> copies,
                                      llvm::function_ref<unsigned(unsigned)> makeTemporary);

} // namespace mettle::ptx

#endif // METTLE_TARGET_PTX_PARALLELCOPY_H
