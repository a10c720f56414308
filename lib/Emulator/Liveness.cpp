//===- Liveness.cpp - Registers that may be read unwritten ----------------===//
//
// Which registers of a function some path reads before it has written them. Only these are zeroed
// when a block starts, and only from these can an unset word come (see Definedness.h). A guarded
// write counts as none, a branch that some lanes take as both ways.
//
//===----------------------------------------------------------------------===//

#include "Decoder.h"
#include "Mettle/Assembly/PTX/ControlFlow.h"
#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/DenseSet.h"

using namespace mettle::emulator;
using namespace mettle::assembly;

void Decoder::findUnwritten(const ptx::Function &body) {
  ptx::ControlFlowGraph graph(module, body);
  llvm::DenseMap<Slot, unsigned> numbers;
  std::vector<Slot> slots;
  auto numberOf = [&](Slot slot) {
    auto [entry, isNew] = numbers.try_emplace(slot, unsigned(slots.size()));
    if (isNew)
      slots.push_back(slot);
    return entry->second;
  };
  struct Flow {
    llvm::BitVector reads, writes, in;
  };
  std::vector<Flow> flows(graph.blocks().size());
  auto opsOf = [&](const ptx::BasicBlock &block) {
    uint32_t first = block.first < block.last ? code.firstOp[block.first] : 0;
    uint32_t last = block.last < code.firstOp.size() && code.firstOp[block.last] != ~0u
                        ? code.firstOp[block.last]
                        : uint32_t(code.ops.size());
    return std::pair(first, block.first < block.last ? last : first);
  };
  for (const OpUses &uses :
       llvm::ArrayRef(code.opUses).drop_front(code.functionStart.lookup(&body)))
    for (unsigned i = 0; i < uses.reads + uses.writes; ++i)
      numberOf(code.uses[uses.first + i]);
  for (auto [block, flow] : llvm::zip_equal(graph.blocks(), flows)) {
    for (llvm::BitVector *bits : {&flow.reads, &flow.writes, &flow.in})
      bits->resize(unsigned(slots.size()));
    auto [first, last] = opsOf(block);
    for (uint32_t i = first; i < last; ++i) {
      const OpUses &uses = code.opUses[i];
      const Slot *slot = code.uses.data() + uses.first;
      for (unsigned j = 0; j < uses.reads; ++j, ++slot)
        if (unsigned number = numberOf(*slot); !flow.writes[number])
          flow.reads.set(number);
      bool isCertain = code.ops[i].guard == code.trueSlot;
      for (unsigned j = 0; j < uses.writes && isCertain; ++j, ++slot)
        flow.writes.set(numberOf(*slot));
    }
    flow.in = flow.reads;
  }
  for (bool changed = true; changed;) {
    changed = false;
    llvm::ArrayRef<uint32_t> order = graph.reversePostOrder();
    for (uint32_t block : llvm::reverse(order)) {
      llvm::BitVector in = flows[block].in;
      for (uint32_t successor : graph.successors(block)) {
        llvm::BitVector through = flows[successor].in;
        through.reset(flows[block].writes);
        in |= through;
      }
      if (in != flows[block].in) {
        flows[block].in = std::move(in);
        changed = true;
      }
    }
  }
  llvm::DenseSet<Slot> unwritten;
  if (!flows.empty())
    for (unsigned number : flows[0].in.set_bits())
      unwritten.insert(slots[number]);
  // A call writes the parameters of a function.
  for (uint32_t i = body.parameters.first; !body.isEntry && i != body.parameters.last; ++i)
    if (module.variables[i].isRegister)
      unwritten.erase(parameterSlot(body, module.variables[i]));
  code.unwritten.insert(code.unwritten.end(), unwritten.begin(), unwritten.end());
}
