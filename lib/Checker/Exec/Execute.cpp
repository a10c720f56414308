//===- Execute.cpp - Walking an entry with a symbolic thread --------------===//
//
// Blocks in reverse post-order, with a condition a path. Loops are in Loops.cpp.
//
//===----------------------------------------------------------------------===//

#include "Machine.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Twine.h"

using namespace mettle::checker;
using namespace mettle::assembly::ptx;

Machine::Machine(const Module &module, const Function &entry, const LaunchFacts &facts,
                 Terms &terms)
    : module(module), entry(entry), facts(facts), terms(terms), forms(terms.forms),
      graph(module, entry) {
  forms.grid = facts.grid;
}

void Machine::fail(const llvm::Twine &text) {
  if (!program.failure)
    program.failure = Reason{text.str(), at};
}

/// Opcodes that change memory or other threads, so that skipping one is never right.
static bool hasEffects(Opcode opcode) {
  switch (opcodeInfo(opcode).group) {
  case OpcodeGroup::Integer:
  case OpcodeGroup::Float:
  case OpcodeGroup::Compare:
  case OpcodeGroup::Logic:
  case OpcodeGroup::Warp:
  case OpcodeGroup::Texture:
  case OpcodeGroup::Video:
    return false;
  case OpcodeGroup::Move:
    return opcode == Opcode::St || opcode == Opcode::StAsync || opcode == Opcode::StBulk ||
           opcode == Opcode::Discard;
  case OpcodeGroup::Matrix:
    return opcode != Opcode::Mma && opcode != Opcode::WmmaMma && opcode != Opcode::WmmaLoad &&
           opcode != Opcode::LdMatrix && opcode != Opcode::MovMatrix;
  default:
    return true;
  }
}

void Machine::unsupported(const char *what) {
  std::string reason = what ? what : (text(*mnemonic) + " is not modelled");
  if (instruction->opcode == Opcode::Atom || instruction->opcode == Opcode::Red)
    reason = text(*mnemonic) + " is an atomic: in which order threads come to it is not determined";
  if (hasEffects(instruction->opcode))
    return fail(reason);
  unsupportedResult(reason);
}

void Machine::unsupportedResult(llvm::StringRef reason) {
  PredId keep = guard;
  guard = Terms::truePred;
  module.forEachRegister(*instruction, [&](RegisterId id, bool written, bool) {
    if (!written)
      return;
    if (id.cls() == RegisterClass::Pred) {
      Pred unknown;
      unknown.kind = Pred::Unknown;
      unknown.a = at;
      writeRegister(id, truth(terms.intern(unknown)));
    } else {
      writeRegister(id, data(terms.unknown(reason, at, bytesOf(id.cls()))));
    }
  });
  guard = keep;
}

void Machine::step(InstructionId index) {
  at = index;
  instruction = &module.instructions[index];
  mnemonic = &module.mnemonicOf(*instruction);
  operands = module.operandsOf(*instruction);
  guard = Terms::truePred;
  if (instruction->guarded()) {
    Value value = reg(instruction->guardRegister());
    if (value.kind == Value::Condition) {
      guard = value.id;
    } else {
      Pred unknown;
      unknown.kind = Pred::Unknown;
      unknown.a = at;
      guard = terms.intern(unknown);
    }
    if (instruction->guardNegated)
      guard = terms.negate(guard);
    if (guard == Terms::falsePred)
      return;
  }
  if (touchesBusyRegister())
    return fail("a register of a wgmma that has not been waited for");
  if (stepMemory() || stepSync() || stepPhase() || stepTensor() || stepWarp() || stepMatrix() ||
      stepData() || stepInteger())
    return;
  unsupported();
}

//===----------------------------------------------------------------------===//
// Blocks
//===----------------------------------------------------------------------===//

void Machine::findLoops() {
  auto blocks = graph.blocks();
  for (uint32_t latch : graph.reversePostOrder())
    for (uint32_t header : graph.successors(latch)) {
      if (!graph.dominates(header, latch))
        continue;
      NaturalLoop loop;
      loop.header = header;
      loop.latch = latch;
      loop.holds.assign(blocks.size(), false);
      loop.holds[header] = true;
      llvm::SmallVector<uint32_t, 8> work;
      if (latch != header) {
        loop.holds[latch] = true;
        work.push_back(latch);
      }
      while (!work.empty()) {
        uint32_t block = work.pop_back_val();
        for (uint32_t before : graph.predecessors(block))
          if (!loop.holds[before]) {
            loop.holds[before] = true;
            work.push_back(before);
          }
      }
      for (uint32_t block : graph.reversePostOrder())
        if (loop.holds[block])
          loop.blocks.push_back(block);
      naturalLoops.push_back(std::move(loop));
    }
}

std::shared_ptr<Registers> Machine::merge(uint32_t block, PredId &merged) {
  auto &edges = incoming[block];
  merged = Terms::falsePred;
  for (const Edge &edge : edges)
    merged = terms.either(merged, edge.path);
  if (edges.size() == 1)
    return edges[0].state;
  auto result = std::make_shared<Registers>(*edges[0].state);
  for (size_t k = 1; k < edges.size(); ++k)
    for (unsigned cls = 0; cls < NumRegisterClasses; ++cls) {
      auto &into = result->values[cls];
      auto &from = edges[k].state->values[cls];
      for (size_t i = 0; i < into.size(); ++i)
        if (!(into[i] == from[i]))
          into[i] = into[i].kind == Value::None ? from[i]
                    : from[i].kind == Value::None
                        ? into[i]
                        : select(edges[k].path, from[i], into[i], bytesOf(RegisterClass(cls)));
    }
  return result;
}

void Machine::leave(uint32_t from, uint32_t to, PredId along, const NaturalLoop *inside) {
  if (along == Terms::falsePred)
    return;
  if (inside && !inside->holds[to]) {
    // The way out of the loop is taken care of by the loop itself, if it is from its latch.
    if (from != inside->latch)
      fail("a loop that is left from its middle");
    return;
  }
  incoming[to].push_back({from, along, regs});
}

void Machine::runBlock(uint32_t block, const NaturalLoop *inside) {
  const BasicBlock &b = graph.blocks()[block];
  PredId taken = Terms::falsePred;
  uint32_t target = ~0u;
  bool ends = false;
  for (uint32_t i = b.first; i < b.last; ++i) {
    const Instruction &in = module.instructions[i];
    Flow flow = opcodeInfo(in.opcode).flow;
    if (flow == Flow::Next) {
      step(i);
      if (program.failure)
        return;
      continue;
    }
    at = i;
    PredId condition = Terms::truePred;
    if (in.guarded()) {
      Value value = reg(in.guardRegister());
      if (value.kind != Value::Condition)
        return fail("a branch on a condition that is not known");
      condition = in.guardNegated ? terms.negate(value.id) : value.id;
    }
    if (flow == Flow::Branch) {
      taken = condition;
      target = graph.blockOf(module.labels[module.operandsOf(in)[0].index].target);
    } else if (flow == Flow::Return || flow == Flow::Exit) {
      if (condition == Terms::truePred)
        ends = true;
      else if (condition != Terms::falsePred)
        taken = condition; // those threads are gone: the rest goes on under its negation
    } else {
      return fail("control flow that the checker does not model");
    }
  }
  if (ends)
    return;
  PredId here = path;
  for (uint32_t successor : graph.successors(block)) {
    if (inside && successor == inside->header) {
      // The back edge; its condition is read by runLoop.
      incoming[successor].push_back(
          {block, terms.both(here, successor == target ? taken : terms.negate(taken)), regs});
      continue;
    }
    PredId along = successor == target ? taken : terms.negate(taken);
    if (graph.successors(block).size() == 1 && target != ~0u)
      along = Terms::truePred; // both ways lead there
    leave(block, successor, terms.both(here, along), inside);
  }
}

void Machine::runBlocks(llvm::ArrayRef<uint32_t> blocks, const NaturalLoop *inside) {
  std::vector<bool> done(graph.blocks().size(), false);
  for (uint32_t block : blocks) {
    if (program.failure)
      return;
    if (done[block] || incoming[block].empty())
      continue;
    const NaturalLoop *inner = nullptr;
    for (const NaturalLoop &loop : naturalLoops)
      if (loop.header == block && &loop != inside &&
          (!inner || loop.blocks.size() > inner->blocks.size()))
        inner = &loop;
    if (inner && inside && inner->header == inside->header)
      return fail("two loops with one head");
    if (inner) {
      for (uint32_t held : inner->blocks)
        done[held] = true;
      regs = merge(block, path);
      incoming[block].clear();
      if (std::optional<uint32_t> wait = spinsOn(*inner)) {
        runSpinLoop(*inner, *wait, inside);
        continue;
      }
      runLoop(*inner);
      if (program.failure)
        return;
      // What follows the loop.
      for (uint32_t successor : graph.successors(inner->latch))
        if (!inner->holds[successor])
          leave(inner->latch, successor, path, inside);
      continue;
    }
    regs = std::make_shared<Registers>(*merge(block, path));
    incoming[block].clear();
    runBlock(block, inside);
  }
}

Program Machine::run() {
  regs = std::make_shared<Registers>();
  for (unsigned cls = 0; cls < NumRegisterClasses; ++cls)
    regs->values[cls].resize(entry.registerCount[cls]);
  incoming.resize(graph.blocks().size());
  if (facts.block[0])
    program.threadBits = facts.block[0] - 1;
  findLoops();
  incoming[0].push_back({~0u, Terms::truePred, regs});
  runBlocks(graph.reversePostOrder(), nullptr);
  return std::move(program);
}

Program mettle::checker::execute(const Module &module, const Function &entry,
                                 const LaunchFacts &facts, Terms &terms) {
  return Machine(module, entry, facts, terms).run();
}
