//===- ReadName.cpp - Scopes, register numbers, name lookup ---------------===//
//
// What an identifier stands for. Bindings are arrays indexed by name; a scope that ends undoes its
// own. A register range binds its prefix, so %r12 needs no entry of its own.
//
//===----------------------------------------------------------------------===//

#include "Reader.h"

using namespace mettle::assembly::ptx;

Reader::BindingEntry &Reader::bindingOf(NameId name) {
  if (name >= bindings.size())
    bindings.resize(std::max<size_t>(name + 1, module.names.size()));
  return bindings[name];
}

bool Reader::bind(NameId name, Binding kind, uint32_t index, const char *at) {
  BindingEntry &entry = bindingOf(name);
  auto depth = uint32_t(scopes.size());
  if (entry.kind != Binding::None && entry.kind != Binding::Special && entry.depth == depth) {
    // A function or external variable may be declared again; the later one is then meant.
    bool again = depth == 0 && entry.kind == kind &&
                 (kind == Binding::Function || kind == Binding::Variable);
    if (!again)
      return error(at, "'" + module.name(name) + "' is already declared in this scope");
    entry.index = index;
    return true;
  }
  if (depth)
    undo.push_back({name, false, entry, NoSlot, {}});
  entry = {kind, depth, index};
  if (kind == Binding::Register && module.name(name).starts_with("%"))
    hasNamedRegisters = true;
  return true;
}

bool Reader::bindRange(uint32_t declaration, const char *at) {
  const RegisterDeclaration &range = module.registers[declaration];
  if (range.name >= ranges.size())
    ranges.resize(std::max<size_t>(range.name + 1, module.names.size()));
  BindingEntry &entry = ranges[range.name];
  auto depth = uint32_t(scopes.size());
  if (entry.kind != Binding::None && entry.depth == depth)
    return error(at, "'" + module.name(range.name) + "<>' is already declared in this scope");
  undo.push_back({range.name, true, entry, NoSlot, {}});
  outerRanges.resize(declaration + 1);
  outerRanges[declaration] = entry;
  entry = {Binding::Register, depth, declaration};

  llvm::StringRef prefix = module.name(range.name);
  if (prefix.size() > 8 || prefix[0] != '%' || isClass(prefix.back(), Digit))
    return true;
  uint64_t key = 0;
  for (char c : prefix)
    key = key << 8 | uint8_t(c);
  unsigned slot = 0;
  while (slot < quickRangeCount && quickRanges[slot].prefix != key)
    ++slot;
  bool isNew = slot == quickRangeCount;
  if (slot == MaxQuickRanges)
    return true;
  undo.back().slot = slot;
  undo.back().oldQuick = isNew ? QuickRange{} : quickRanges[slot];
  quickRangeCount += isNew;
  // A count of 0 sends vector registers to the slow path, as numbers past the count are.
  uint32_t count = range.vectorWidth == 1 ? range.count : 0;
  quickRanges[slot] = {key, count, RegisterId(range.cls, range.first).raw()};
  return true;
}

/// The class of registers of this type; None of the classes is left to chance: a type without one
/// cannot be declared.
static bool classOf(Type type, RegisterClass &cls) {
  switch (typeKind(type) == TypeKind::Opaque ? 0 : typeBits(type)) {
  case 1:
    cls = RegisterClass::Pred;
    return type == Type::Pred;
  case 8:
    cls = RegisterClass::B8;
    return true;
  case 16:
    cls = RegisterClass::B16;
    return true;
  case 32:
    cls = RegisterClass::B32;
    return true;
  case 64:
    cls = RegisterClass::B64;
    return true;
  case 128:
    cls = RegisterClass::B128;
    return true;
  default:
    return false;
  }
}

bool Reader::numberRegisters(RegisterDeclaration &declaration, const char *at) {
  if (!classOf(declaration.type, declaration.cls))
    return error(at,
                 "expected a type of 8, 16, 32, 64 or 128 bits or .pred for a register, found '." +
                     typeName(declaration.type) + "'");
  uint32_t &count = module.functions[currentFunction].registerCount[unsigned(declaration.cls)];
  declaration.first = count;
  uint64_t after = uint64_t(count) + uint64_t(declaration.count) * declaration.vectorWidth;
  if (after > RegisterId::MaxNumber)
    return error(at, "expected at most " + llvm::Twine(RegisterId::MaxNumber) +
                         " registers of a class in a function, found " + llvm::Twine(after));
  count = uint32_t(after);
  return true;
}

bool Reader::rangeRegister(llvm::StringRef name, RegisterId &reg, uint8_t &width, uint32_t &depth) {
  // The longest run of digits is the number, unless no range has the prefix before it.
  size_t digits = name.size();
  while (digits > 1 && isClass(name[digits - 1], Digit) && name.size() - digits < 9)
    --digits;
  for (; digits < name.size(); ++digits) {
    llvm::StringRef number = name.drop_front(digits);
    if (number.size() > 1 && number[0] == '0')
      continue;
    NameId prefix = module.names.intern(name.take_front(digits));
    uint32_t index;
    if (prefix >= ranges.size() || number.getAsInteger(10, index))
      continue;
    // A range hides those of its numbers only.
    for (BindingEntry entry = ranges[prefix]; entry.kind != Binding::None;
         entry = outerRanges[entry.index]) {
      const RegisterDeclaration &range = module.registers[entry.index];
      if (index >= range.count)
        continue;
      reg = RegisterId(range.cls, range.first + index * range.vectorWidth);
      width = range.vectorWidth;
      depth = entry.depth;
      return true;
    }
  }
  return false;
}

/// Sets the operand to what `name` stands for; false if nothing declares it.
bool Reader::resolve(llvm::StringRef name, Operand &operand) {
  NameId id = module.names.intern(name);
  BindingEntry entry = bindingOf(id);
  if (isClass(name.back(), Digit)) {
    RegisterId reg;
    uint8_t width;
    uint32_t depth;
    if (rangeRegister(name, reg, width, depth) &&
        (entry.kind == Binding::None || depth > entry.depth)) {
      operand.kind = OperandKind::Register;
      operand.index = reg.raw();
      operand.count = width;
      return true;
    }
  }
  if (entry.kind == Binding::None && name[0] == '%') {
    if (std::optional<SpecialRegisterName> special = specialRegisterNamed(name)) {
      entry = {Binding::Special, 0, uint32_t(special->special) | uint32_t(special->number) << 16};
      bindingOf(id) = entry;
    }
  }
  switch (entry.kind) {
  case Binding::None:
    operand.kind = OperandKind::Name;
    operand.index = id;
    return false;
  case Binding::Register: {
    const RegisterDeclaration &declaration = module.registers[entry.index];
    operand.kind = OperandKind::Register;
    operand.index = RegisterId(declaration.cls, declaration.first).raw();
    operand.count = declaration.vectorWidth;
    return true;
  }
  case Binding::Special: {
    operand.kind = OperandKind::Special;
    operand.index = entry.index & 0xffff;
    bool vector = specialRegisterInfo(SpecialRegister(operand.index)).shape == SpecialShape::Vector;
    operand.count = vector ? 0xffff : uint16_t(entry.index >> 16);
    return true;
  }
  case Binding::Variable:
    operand.kind = OperandKind::Symbol;
    break;
  case Binding::Function:
    operand.kind = OperandKind::Function;
    break;
  case Binding::Label:
    operand.kind = OperandKind::Label;
    break;
  }
  operand.index = entry.index;
  return true;
}
