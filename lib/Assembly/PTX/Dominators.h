//===- Dominators.h - Immediate dominators of a graph -----------*- C++ -*-===//
//
// Cooper, Harvey and Kennedy's iteration, used forward for dominators and backward for
// post-dominators.
//
//===----------------------------------------------------------------------===//

#ifndef METTLE_LIB_ASSEMBLY_PTX_DOMINATORS_H
#define METTLE_LIB_ASSEMBLY_PTX_DOMINATORS_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include <cstdint>
#include <vector>

namespace mettle::assembly::ptx {

using Edges = llvm::function_ref<llvm::ArrayRef<uint32_t>(uint32_t)>;

/// The nodes reachable from `root`, in reverse post-order.
std::vector<uint32_t> reversePostOrder(uint32_t nodes, uint32_t root, Edges successors);

/// The immediate dominator of each node, ~0 for the root and what `order` does not have.
std::vector<uint32_t> immediateDominators(uint32_t nodes, llvm::ArrayRef<uint32_t> order,
                                          Edges predecessors);

} // namespace mettle::assembly::ptx

#endif // METTLE_LIB_ASSEMBLY_PTX_DOMINATORS_H
