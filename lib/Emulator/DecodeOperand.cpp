//===- DecodeOperand.cpp - Slots for operands -----------------------------===//
//
// Gives every register, literal, special register and address a place in the register file.
//
//===----------------------------------------------------------------------===//

#include "Control.h"
#include "Decoder.h"
#include "Mettle/Numerics/Format.h"
#include "Segment.h"
#include <cstring>

using namespace mettle::emulator;
using namespace mettle::assembly;

static unsigned classBits(ptx::RegisterClass cls) {
  static constexpr unsigned bits[] = {1, 8, 16, 32, 64, 128};
  return bits[unsigned(cls)];
}

/// Bytes that a register of all lanes takes in the file.
static uint32_t slotBytes(unsigned bits) {
  return bits == 1 ? sizeof(LaneMask) : NumLanes * std::max(bits, 16u) / 8;
}

Slot Decoder::allocate(uint32_t bytes, uint32_t alignment) {
  code.fileBytes = (code.fileBytes + alignment - 1) / alignment * alignment;
  Slot slot = code.fileBytes;
  code.fileBytes += bytes;
  return slot;
}

Slot Decoder::temporary(unsigned bits) {
  uint32_t bytes = slotBytes(bits);
  return allocate(bytes, std::min<uint32_t>(bytes, 64));
}

Slot Decoder::registerSlot(const ptx::Function &owner, ptx::RegisterId reg) {
  auto [entry, isNew] = registerSlots.try_emplace({&owner, reg.raw()}, NoSlot);
  if (isNew) {
    entry->second = temporary(classBits(reg.cls()));
    code.slotSize[entry->second] = slotBytes(classBits(reg.cls()));
  }
  return entry->second;
}

Slot Decoder::splat(uint64_t word, unsigned bits) {
  Slot slot = temporary(bits);
  code.constants.resize(code.fileBytes);
  uint8_t *to = code.constants.data() + slot;
  if (bits == 1) {
    LaneMask mask = word & 1 ? AllLanes : 0;
    memcpy(to, &mask, sizeof mask);
    return slot;
  }
  unsigned bytes = std::min(64u, std::max(bits, 16u)) / 8;
  for (unsigned lane = 0; lane < NumLanes; ++lane)
    memcpy(to + lane * bytes, &word, bytes);
  return slot;
}

Slot Decoder::constant(uint64_t word, unsigned bits) {
  if (bits < 64)
    word &= (uint64_t(1) << bits) - 1;
  auto [entry, isNew] = constantSlots.try_emplace({word, std::max(bits, bits == 1 ? 1u : 16u)}, 0);
  if (isNew)
    entry->second = splat(word, bits);
  return entry->second;
}

unsigned Decoder::bitsOf(const ptx::Operand &operand) const {
  return operand.is(ptx::OperandKind::Register) ? classBits(operand.reg().cls()) : 0;
}

Slot Decoder::special(const ptx::Operand &operand, unsigned bits) {
  auto which = ptx::SpecialRegister(operand.index);
  const ptx::SpecialRegisterInfo &info = ptx::specialRegisterInfo(which);
  if (info.shape == ptx::SpecialShape::Vector && operand.count > 3) {
    fail("expected one component of '" + info.name + "'");
    return NoSlot;
  }
  auto [entry, isNew] =
      specialSlots.try_emplace({unsigned(which), unsigned(operand.count), bits}, NoSlot);
  if (isNew) {
    entry->second = splat(0, bits);
    code.specials.push_back({which, operand.count, entry->second, uint8_t(bits)});
  }
  return entry->second;
}

Slot Decoder::parameter(uint32_t offset, unsigned bits) {
  for (const ParameterSlot &one : code.parameters)
    if (one.offset == offset && one.bits == bits)
      return one.slot;
  Slot slot = splat(0, bits);
  code.parameters.push_back({offset, uint8_t(bits), slot});
  return slot;
}

Slot Decoder::read(const ptx::Operand &operand, ptx::Type type) {
  unsigned bits = std::max(ptx::typeBits(type), ptx::typeBits(type) == 1 ? 1u : 16u);
  bool isFloat = ptx::typeKind(type) == ptx::TypeKind::Float;
  switch (operand.kind) {
  case ptx::OperandKind::Register: {
    unsigned width = std::max(bitsOf(operand), bitsOf(operand) == 1 ? 1u : 16u);
    Slot slot = registerSlot(operand.reg());
    if (width == bits)
      return slot;
    if (width < bits || bits == 1 || width > 64) {
      fail("expected a register of " + llvm::Twine(bits) + " bits, found one of " +
           llvm::Twine(width));
      return NoSlot;
    }
    Slot low = temporary(bits);
    Op &op = emit(narrow, OpClass::Move);
    op.d = low;
    op.a = slot;
    op.bytes = uint8_t(bits / 8);
    op.detail = uint16_t(width / 8);
    return low;
  }
  case ptx::OperandKind::Special:
    return special(operand, bits);
  case ptx::OperandKind::Integer:
    if (isFloat && operand.bits != 0 && type != ptx::Type::F16x2 && type != ptx::Type::BF16x2 &&
        type != ptx::Type::F16 && type != ptx::Type::BF16)
      break;
    return constant(operand.bits, bits);
  case ptx::OperandKind::Float32:
    if (type == ptx::Type::F64)
      return constant(numerics::convert(numerics::Format::F32, operand.bits, numerics::Format::F64),
                      64);
    return constant(operand.bits, bits);
  case ptx::OperandKind::Float64:
    if (type == ptx::Type::F32)
      return constant(numerics::convert(numerics::Format::F64, operand.bits, numerics::Format::F32),
                      32);
    return constant(operand.bits, bits);
  case ptx::OperandKind::Symbol: {
    uint64_t offset = code.variableOffset[operand.index];
    if (offset == ~uint64_t(0)) {
      fail("expected a variable that this kernel can see, found '" +
           module.name(module.variables[operand.index].name) + "'");
      return NoSlot;
    }
    return constant(offset + uint64_t(int64_t(operand.offset)), bits);
  }
  case ptx::OperandKind::Function: {
    const ptx::Function &callee = module.functions[operand.index];
    need(callee);
    return constant(functionAddress(operand.index), bits);
  }
  default:
    break;
  }
  fail("expected a " + ptx::typeName(type) + " operand");
  return NoSlot;
}

Slot Decoder::write(const ptx::Operand &operand, unsigned bits) {
  bits = std::max(bits, 16u);
  if (operand.is(ptx::OperandKind::Sink))
    return temporary(bits);
  unsigned width = std::max(bitsOf(operand), 16u);
  if (!operand.is(ptx::OperandKind::Register) || bitsOf(operand) == 1 || width != bits) {
    fail("expected a register of " + llvm::Twine(bits) + " bits");
    return NoSlot;
  }
  return registerSlot(operand.reg());
}

Slot Decoder::readPredicate(const ptx::Operand &operand, bool &flip) {
  flip = operand.has(ptx::Negated);
  if (operand.is(ptx::OperandKind::Register) && bitsOf(operand) == 1)
    return registerSlot(operand.reg());
  if (operand.is(ptx::OperandKind::Integer))
    return constant(operand.bits != 0, 1);
  if (operand.is(ptx::OperandKind::Special))
    return special(operand, 1);
  fail("expected a predicate");
  return NoSlot;
}

Slot Decoder::writePredicate(const ptx::Operand &operand) {
  if (operand.is(ptx::OperandKind::Sink))
    return temporary(1);
  if (operand.is(ptx::OperandKind::Register) && bitsOf(operand) == 1)
    return registerSlot(operand.reg());
  fail("expected a predicate register");
  return NoSlot;
}

/// The operand itself, or the elements of a vector, or the registers that a vector register spans.
static llvm::SmallVector<ptx::Operand, 8> elementsOf(const ptx::Module &module,
                                                     const ptx::Operand &operand) {
  llvm::SmallVector<ptx::Operand, 8> list;
  if (operand.isGroup()) {
    llvm::append_range(list, module.elements(operand));
  } else if (operand.is(ptx::OperandKind::Register) && !operand.has(ptx::Component)) {
    for (unsigned i = 0; i < std::max<unsigned>(operand.count, 1); ++i) {
      ptx::Operand one = operand;
      one.index = ptx::RegisterId(operand.reg().cls(), operand.reg().number() + i).raw();
      one.count = 1;
      list.push_back(one);
    }
  } else {
    list.push_back(operand);
  }
  return list;
}

uint32_t Decoder::readList(const ptx::Operand &operand, ptx::Type type, unsigned &count) {
  llvm::SmallVector<Slot, 8> slots;
  for (const ptx::Operand &element : elementsOf(module, operand))
    slots.push_back(read(element, type));
  count = unsigned(slots.size());
  uint32_t first = uint32_t(code.slots.size());
  code.slots.insert(code.slots.end(), slots.begin(), slots.end());
  return first;
}

uint32_t Decoder::writeList(const ptx::Operand &operand, unsigned bits, unsigned &count) {
  llvm::SmallVector<Slot, 8> slots;
  for (const ptx::Operand &element : elementsOf(module, operand))
    slots.push_back(write(element, bits));
  count = unsigned(slots.size());
  uint32_t first = uint32_t(code.slots.size());
  code.slots.insert(code.slots.end(), slots.begin(), slots.end());
  return first;
}

Space Decoder::spaceOf(ptx::StateSpace space) {
  switch (space) {
  case ptx::StateSpace::Global:
    return Space::Global;
  case ptx::StateSpace::Shared:
  case ptx::StateSpace::SharedCTA:
  case ptx::StateSpace::SharedCluster:
    return Space::Shared;
  case ptx::StateSpace::Local:
    return Space::Local;
  case ptx::StateSpace::Const:
    return Space::Constant;
  case ptx::StateSpace::Param:
  case ptx::StateSpace::ParamEntry:
  case ptx::StateSpace::ParamFunc:
    return Space::Param;
  default:
    return Space::Generic;
  }
}

Space Decoder::space() const { return spaceOf(mnemonic->space); }

bool Decoder::address(const ptx::Operand &operand, Space space, Address &result) {
  result.space = space;
  if (operand.is(ptx::OperandKind::Address) && operand.base() == ptx::Base::Register) {
    ptx::RegisterId reg = operand.reg();
    result.bits = classBits(reg.cls());
    if (result.bits != 32 && result.bits != 64)
      return fail("expected an address in a register of 32 or 64 bits");
    result.base = registerSlot(reg);
    result.offset = uint64_t(int64_t(operand.offset));
    return true;
  }
  if (operand.is(ptx::OperandKind::Address) && operand.base() == ptx::Base::Absolute) {
    result.base = constant(operand.bits, 64);
    return true;
  }
  bool isSymbol = operand.is(ptx::OperandKind::Symbol) ||
                  (operand.is(ptx::OperandKind::Address) && operand.base() == ptx::Base::Symbol);
  if (!isSymbol)
    return fail("expected an address");
  const ptx::Variable &variable = module.variables[operand.index];
  uint64_t offset = code.variableOffset[operand.index];
  if (offset == ~uint64_t(0))
    return fail("expected a variable that this kernel can see, found '" +
                module.name(variable.name) + "'");
  // A parameter of a called function, and one declared in a body, is local memory here.
  bool ofEntry =
      operand.index >= code.entry->parameters.first && operand.index < code.entry->parameters.last;
  result.space = spaceOf(variable.space);
  if (result.space == Space::Param && !ofEntry)
    result.space = Space::Local;
  result.isLiteral = true;
  result.literal = offset + uint64_t(int64_t(operand.offset));
  result.base = constant(result.literal, 64);
  return true;
}

bool Decoder::immediate(const ptx::Operand &operand, llvm::StringRef what, uint64_t &value) {
  if (!operand.is(ptx::OperandKind::Integer))
    return fail("expected a number for " + what);
  value = operand.bits;
  return true;
}
