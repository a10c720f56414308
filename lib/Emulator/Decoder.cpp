//===- Decoder.cpp - From a PTX function to ops ---------------------------===//
//
// Walks the instructions of an entry and of what it calls, hands each to its family, and resolves
// branch targets. What an instruction means stands in its family's file, not here.
//
//===----------------------------------------------------------------------===//

#include "Decoder.h"
#include "Control.h"
#include "Families.h"
#include "Segment.h"
#include "llvm/ADT/SmallVector.h"

using namespace mettle::emulator;
using namespace mettle::assembly;

DecodeFunction mettle::emulator::decodeFunctionOf(ptx::Opcode opcode) {
  switch (opcode) {
#define METTLE_EMULATOR_OPCODE(Enumerator, Function)                                               \
  case ptx::Opcode::Enumerator:                                                                    \
    return Function;
#include "Families.def"
  default:
    return nullptr;
  }
}

Decoder::Decoder(const ptx::Module &module, Code &code, std::vector<ptx::Diagnostic> &errors)
    : module(module), code(code), errors(errors) {
  code.module = &module;
}

bool Decoder::fail(const llvm::Twine &message) {
  uint64_t offset = instruction ? instruction->offset : function ? function->offset : 0;
  errors.push_back({offset, message.str(), {}});
  return false;
}

bool Decoder::unsupported() {
  return fail("expected an instruction that the emulator models, found '" + text() + "'");
}

void Decoder::note(const llvm::Twine &message) {
  code.notes.push_back({instruction->offset, message.str()});
}

Op &Decoder::emit(Handler run, OpClass opClass) {
  Op &op = code.ops.emplace_back();
  op.run = run;
  op.opClass = opClass;
  op.instruction = uint32_t(instruction - module.instructions.data());
  op.guard = code.trueSlot;
  if (instruction->guarded()) {
    op.guard = registerSlot(instruction->guardRegister());
    op.guardFlip = instruction->guardNegated ? AllLanes : 0;
  }
  return op;
}

Op *Decoder::emitPlain(Handler run, OpClass opClass, unsigned bits,
                       std::initializer_list<ptx::Type> sources) {
  Slot slots[3] = {NoSlot, NoSlot, NoSlot};
  unsigned count = 0;
  for (ptx::Type type : sources) {
    slots[count] = read(operands[count + 1], type);
    if (slots[count++] == NoSlot)
      return nullptr;
  }
  Slot d = write(operands[0], bits);
  if (d == NoSlot)
    return nullptr;
  Op &op = emit(run, opClass);
  op.d = d;
  op.a = slots[0];
  op.b = slots[1];
  op.c = slots[2];
  return &op;
}

Slot Decoder::carry() {
  if (carrySlot == NoSlot)
    carrySlot = temporary(1);
  return carrySlot;
}

//===----------------------------------------------------------------------===//
// Functions
//===----------------------------------------------------------------------===//

bool Decoder::decode(const ptx::Function &entry) {
  code.entry = &entry;
  code.trueSlot = constant(1, 1);
  if (!layOut())
    return false;
  code.firstOp.assign(module.instructions.size() + 1, ~0u);
  pending.push_back(&entry);
  size_t before = errors.size();
  for (size_t i = 0; i < pending.size() && errors.size() < before + 20; ++i)
    decodeFunction(*pending[i]);
  if (errors.size() != before)
    return false;
  for (auto [op, target] : fixups)
    code.ops[op].immediate = code.firstOp[target];
  for (auto [op, callee] : callFixups)
    code.ops[op].immediate = code.functionStart.lookup(callee);
  code.constants.resize(code.fileBytes);
  return true;
}

bool Decoder::decodeFunction(const ptx::Function &body) {
  function = &body;
  instruction = nullptr;
  if (!body.hasBody)
    return fail("expected a function with a body, found '" + module.name(body.name) + "'");
  code.functionStart[&body] = uint32_t(code.ops.size());
  for (uint32_t i = body.instructions.first; i != body.instructions.last; ++i) {
    instruction = &module.instructions[i];
    mnemonic = &module.mnemonicOf(*instruction);
    operands = module.operandsOf(*instruction);
    code.firstOp[i] = uint32_t(code.ops.size());
    if (errors.size() > 20)
      return false;
    DecodeFunction decodeOne = decodeFunctionOf(instruction->opcode);
    if (!decodeOne) {
      unsupported();
      continue;
    }
    if (!decodeOne(*this))
      continue;
    recordUses(code.firstOp[i]);
  }
  // Falling off the end returns.
  ptx::Instruction end{};
  if (body.instructions.size())
    end = module.instructions[body.instructions.last - 1];
  end.guard = ptx::Instruction::NoGuard;
  end.guardNegated = 0;
  Op &op = code.ops.emplace_back();
  op.run = body.isEntry ? leaveKernel : returnFromFunction;
  op.opClass = OpClass::Control;
  op.guard = code.trueSlot;
  op.instruction = body.instructions.size() ? body.instructions.last - 1 : 0;
  code.opUses.resize(code.ops.size());
  findUnwritten(body);
  noteContractions(body);
  return true;
}

void Decoder::recordUses(uint32_t firstOp) {
  code.opUses.resize(code.ops.size());
  if (firstOp == code.ops.size())
    return;
  llvm::SmallVector<Slot, 8> reads, writes;
  module.forEachRegister(*instruction, [&](ptx::RegisterId reg, bool written, bool read) {
    Slot slot = registerSlot(reg);
    if (read && !llvm::is_contained(optionalReads, slot))
      reads.push_back(slot);
    if (written)
      writes.push_back(slot);
  });
  optionalReads.clear();
  auto append = [&](uint32_t op, llvm::ArrayRef<Slot> first, llvm::ArrayRef<Slot> second) {
    OpUses &uses = code.opUses[op];
    uses.first = uint32_t(code.uses.size());
    uses.reads = uint16_t(first.size());
    uses.writes = uint16_t(second.size());
    code.uses.insert(code.uses.end(), first.begin(), first.end());
    code.uses.insert(code.uses.end(), second.begin(), second.end());
  };
  uint32_t lastOp = uint32_t(code.ops.size()) - 1;
  if (firstOp == lastOp) {
    append(firstOp, reads, writes);
  } else {
    append(firstOp, reads, {});
    append(lastOp, {}, writes);
  }
}

void Decoder::branchTo(const ptx::Operand &label) {
  fixups.push_back({uint32_t(code.ops.size()) - 1, module.labels[label.index].target});
}

void Decoder::callTo(const ptx::Function &callee) {
  callFixups.push_back({uint32_t(code.ops.size()) - 1, &callee});
  need(callee);
}

void Decoder::need(const ptx::Function &callee) {
  if (std::find(pending.begin(), pending.end(), &callee) == pending.end())
    pending.push_back(&callee);
}

//===----------------------------------------------------------------------===//
// Memory layout
//===----------------------------------------------------------------------===//

static uint64_t aligned(uint64_t offset, uint64_t alignment) {
  return alignment ? (offset + alignment - 1) / alignment * alignment : offset;
}

bool Decoder::layOut() {
  code.variableOffset.assign(module.variables.size(), ~uint64_t(0));
  uint64_t shared = SharedStart, local = 0, param = 0, global = GlobalVariableBase,
           constants = ConstantBase, dynamicAlignment = 16;
  std::vector<uint32_t> open;
  for (uint32_t i = 0; i < module.variables.size(); ++i) {
    const ptx::Variable &variable = module.variables[i];
    const ptx::Function *owner =
        variable.function == ptx::None ? nullptr : &module.functions[variable.function];
    bool ofEntry = owner == code.entry;
    if (owner && owner->isEntry && !ofEntry)
      continue;
    bool isParameter =
        ofEntry && i >= code.entry->parameters.first && i < code.entry->parameters.last;
    if (variable.isRegister)
      continue;
    uint64_t *end = nullptr;
    switch (variable.space) {
    case ptx::StateSpace::Shared:
    case ptx::StateSpace::SharedCTA:
    case ptx::StateSpace::SharedCluster:
      // Each function's own variables are laid out too: any of them may be called.
      if (variable.linkage == ptx::Linkage::Extern || (variable.isArray && variable.size == 0)) {
        dynamicAlignment = std::max<uint64_t>(dynamicAlignment, variable.alignment);
        open.push_back(i);
        continue;
      }
      end = &shared;
      break;
    case ptx::StateSpace::Local:
      end = &local;
      break;
    case ptx::StateSpace::Param:
      end = isParameter ? &param : &local;
      break;
    case ptx::StateSpace::Global:
      end = &global;
      break;
    case ptx::StateSpace::Const:
      end = &constants;
      break;
    default:
      continue;
    }
    *end = aligned(*end, std::max<uint64_t>(variable.alignment, 1));
    code.variableOffset[i] = *end;
    *end += variable.size;
  }
  code.staticShared = uint32_t(shared - SharedStart);
  code.dynamicOffset = uint32_t(aligned(shared, dynamicAlignment));
  for (uint32_t i : open)
    code.variableOffset[i] = code.dynamicOffset;
  code.localBytes = uint32_t(aligned(local, 16));
  code.paramBytes = uint32_t(param);
  code.globalVariableBytes = global - GlobalVariableBase;
  code.constantBytes = constants - ConstantBase;
  for (const ptx::FunctionDirective &directive :
       llvm::ArrayRef(module.directives)
           .slice(code.entry->directives.first, code.entry->directives.size())) {
    llvm::StringRef name = module.name(directive.name);
    auto *to = name == "reqntid"   ? &code.requiredThreads
               : name == "maxntid" ? &code.maximumThreads
                                   : nullptr;
    if (!to)
      continue;
    for (unsigned i = 0; i < 3; ++i)
      (*to)[i] = i < directive.valueCount ? directive.values[i] : 1;
  }
  return true;
}
