//===- ControlFlow.cpp - Control-flow graphs ------------------------------===//
//
// Blocks from labels and from what opcodes do to the program counter; edges from operands.
//
//===----------------------------------------------------------------------===//

#include "Mettle/Assembly/PTX/ControlFlow.h"
#include "Dominators.h"

using namespace mettle::assembly::ptx;

ControlFlowGraph::ControlFlowGraph(const Module &module, const Function &function) {
  findBlocks(module, function);
  findEdges(module, function);
  findDominators();
}

static bool endsBlock(Flow flow) { return flow != Flow::Next && flow != Flow::Call; }

void ControlFlowGraph::findBlocks(const Module &module, const Function &function) {
  std::vector<uint32_t> starts = {function.instructions.first};
  for (uint32_t i = function.labels.first; i < function.labels.last; ++i)
    if (module.labels[i].kind == LabelKind::Code)
      starts.push_back(module.labels[i].target);
  for (uint32_t i = function.instructions.first; i + 1 < function.instructions.last; ++i)
    if (endsBlock(opcodeInfo(module.instructions[i].opcode).flow))
      starts.push_back(i + 1);
  llvm::sort(starts);
  starts.erase(std::unique(starts.begin(), starts.end()), starts.end());
  for (size_t i = 0; i < starts.size(); ++i) {
    BasicBlock block;
    block.first = starts[i];
    block.last = i + 1 < starts.size() ? starts[i + 1] : function.instructions.last;
    table.push_back(block);
  }
}

uint32_t ControlFlowGraph::blockOf(uint32_t instruction) const {
  auto after = llvm::upper_bound(
      table, instruction, [](uint32_t at, const BasicBlock &block) { return at < block.first; });
  return uint32_t(after - table.begin()) - 1;
}

void ControlFlowGraph::findEdges(const Module &module, const Function &function) {
  auto count = uint32_t(table.size());
  for (uint32_t b = 0; b < count; ++b) {
    BasicBlock &block = table[b];
    block.successors.first = uint32_t(successorList.size());
    auto add = [&](uint32_t target) {
      auto begin = successorList.begin() + block.successors.first;
      if (std::find(begin, successorList.end(), target) == successorList.end())
        successorList.push_back(target);
    };
    auto addLabel = [&](const Operand &operand) {
      if (operand.is(OperandKind::Label) && module.labels[operand.index].kind == LabelKind::Code)
        add(blockOf(module.labels[operand.index].target));
    };

    Flow flow = Flow::Next;
    bool falls = true;
    if (block.first != block.last) {
      const Instruction &last = module.instructions[block.last - 1];
      flow = opcodeInfo(last.opcode).flow;
      falls = !endsBlock(flow) || last.guarded();
      llvm::ArrayRef<Operand> operands = module.operandsOf(last);
      if (flow == Flow::Branch && !operands.empty()) {
        addLabel(operands[0]);
      } else if (flow == Flow::IndexedBranch && operands.size() > 1) {
        const Operand &list = operands[1];
        if (list.is(OperandKind::Label) &&
            module.labels[list.index].kind == LabelKind::BranchTargets) {
          const CodeTable &targets = module.codeTables[module.labels[list.index].target];
          for (uint32_t i = 0; i < targets.count; ++i)
            addLabel(module.operands[targets.firstOperand + i]);
        }
      }
    }
    block.leaves = flow == Flow::Return || flow == Flow::Exit || flow == Flow::Trap;
    if (falls && b + 1 < count)
      add(b + 1);
    else if (falls)
      block.leaves = true;
    block.successors.last = uint32_t(successorList.size());
  }

  // Predecessors: count, place, fill.
  for (uint32_t successor : successorList)
    ++table[successor].predecessors.last;
  uint32_t next = 0;
  for (BasicBlock &block : table) {
    block.predecessors.first = next;
    next += block.predecessors.last;
    block.predecessors.last = block.predecessors.first;
  }
  predecessorList.resize(next);
  for (uint32_t b = 0; b < count; ++b)
    for (uint32_t successor : successors(b))
      predecessorList[table[successor].predecessors.last++] = b;
}

void ControlFlowGraph::findDominators() {
  auto count = uint32_t(table.size());
  auto forward = [&](uint32_t block) { return successors(block); };
  auto backward = [&](uint32_t block) { return predecessors(block); };
  order = ptx::reversePostOrder(count, 0, forward);
  dominators = immediateDominators(count, order, backward);
  orderOf.assign(count, None);
  for (uint32_t i = 0; i < order.size(); ++i)
    orderOf[order[i]] = i;

  // Post-dominators are dominators of the reversed graph with one exit added behind every block
  // that leaves.
  uint32_t exit = count;
  std::vector<uint32_t> exits;
  for (uint32_t b = 0; b < count; ++b)
    if (table[b].leaves)
      exits.push_back(b);
  std::vector<std::vector<uint32_t>> leaving(count);
  for (uint32_t b : exits) {
    leaving[b].assign(successors(b).begin(), successors(b).end());
    leaving[b].push_back(exit);
  }
  auto reversedSuccessors = [&](uint32_t block) {
    return block == exit ? llvm::ArrayRef<uint32_t>(exits) : predecessors(block);
  };
  auto reversedPredecessors = [&](uint32_t block) {
    if (block == exit)
      return llvm::ArrayRef<uint32_t>();
    return table[block].leaves ? llvm::ArrayRef<uint32_t>(leaving[block]) : successors(block);
  };
  std::vector<uint32_t> reversed = ptx::reversePostOrder(count + 1, exit, reversedSuccessors);
  postDominators = immediateDominators(count + 1, reversed, reversedPredecessors);
  postDominators.pop_back();
  for (uint32_t &dominator : postDominators)
    if (dominator == exit)
      dominator = None;
}

bool ControlFlowGraph::dominates(uint32_t above, uint32_t below) const {
  if (!isReachable(above) || !isReachable(below))
    return false;
  while (orderOf[below] > orderOf[above])
    below = dominators[below];
  return below == above;
}
