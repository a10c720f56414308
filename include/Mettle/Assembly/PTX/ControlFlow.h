//===- ControlFlow.h - Control-flow graphs ----------------------*- C++ -*-===//
//
// The basic blocks of a function, and what dominates what. A block ends after an instruction that
// may send control elsewhere (a guarded one too) and before a label.
//
//===----------------------------------------------------------------------===//

#ifndef METTLE_ASSEMBLY_PTX_CONTROLFLOW_H
#define METTLE_ASSEMBLY_PTX_CONTROLFLOW_H

#include "Mettle/Assembly/PTX/Module.h"

namespace llvm {
class raw_ostream;
} // namespace llvm

namespace mettle::assembly::ptx {

struct BasicBlock {
  /// Half-open range of module instructions; empty only for a label at the end of a body.
  uint32_t first = 0, last = 0;
  Range successors, predecessors;
  /// Control may leave the function here: return, exit, trap, or the end of the body.
  bool leaves = false;
};

/// The graph of one function. Block 0 is the entry; blocks are in text order.
class ControlFlowGraph {
public:
  ControlFlowGraph(const Module &module, const Function &function);

  llvm::ArrayRef<BasicBlock> blocks() const { return table; }
  llvm::ArrayRef<uint32_t> successors(uint32_t block) const {
    return slice(successorList, table[block].successors);
  }
  llvm::ArrayRef<uint32_t> predecessors(uint32_t block) const {
    return slice(predecessorList, table[block].predecessors);
  }
  /// The block that holds the instruction.
  uint32_t blockOf(uint32_t instruction) const;

  /// Blocks that control can reach, each before its successors but for back edges.
  llvm::ArrayRef<uint32_t> reversePostOrder() const { return order; }
  bool isReachable(uint32_t block) const { return block == 0 || dominators[block] != None; }

  /// The immediate dominator; None for the entry and for what cannot be reached.
  uint32_t immediateDominator(uint32_t block) const { return dominators[block]; }
  /// The immediate post-dominator, where lanes that part at the end of `block` meet again; None
  /// if they only meet by leaving the function, or may never.
  uint32_t immediatePostDominator(uint32_t block) const { return postDominators[block]; }
  bool dominates(uint32_t above, uint32_t below) const;

private:
  static llvm::ArrayRef<uint32_t> slice(const std::vector<uint32_t> &list, Range range) {
    return llvm::ArrayRef(list).slice(range.first, range.size());
  }
  void findBlocks(const Module &module, const Function &function);
  void findEdges(const Module &module, const Function &function);
  void findDominators();

  std::vector<BasicBlock> table;
  std::vector<uint32_t> successorList, predecessorList;
  std::vector<uint32_t> order;
  std::vector<uint32_t> dominators, postDominators;
  /// Position of a block in `order`.
  std::vector<uint32_t> orderOf;
};

/// Prints the graph of every function with a body in the DOT language.
void printControlFlow(llvm::raw_ostream &os, const Module &module);

} // namespace mettle::assembly::ptx

#endif // METTLE_ASSEMBLY_PTX_CONTROLFLOW_H
