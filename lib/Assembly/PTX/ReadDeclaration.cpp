//===- ReadDeclaration.cpp - Variables and registers ----------------------===//
//
// Declarations of every state space. Initialisers are checked here and kept as text for whoever
// wants the bytes (Initializer.h).
//
//===----------------------------------------------------------------------===//

#include "ConstantExpression.h"
#include "Mettle/Assembly/PTX/Initializer.h"
#include "Reader.h"
#include "llvm/Support/MathExtras.h"

using namespace mettle::assembly::ptx;

bool Reader::readNumber(uint64_t &value, llvm::StringRef what) {
  const char *start = cursor.p;
  ConstantExpression expression(cursor);
  Constant constant;
  if (!isClass(*start, Digit) && *start != '(' && *start != 'W')
    return expected(what);
  if (!expression.parse(constant))
    return error(cursor.p,
                 llvm::Twine(expression.fault()) + ", found " + found(cursor.p, cursor.end));
  bool negative = !constant.isUnsigned && int64_t(constant.bits) < 0;
  if (constant.kind != Constant::Kind::Integer || negative)
    return error(start, "expected " + what + ", a whole number that is not negative");
  value = constant.bits;
  return true;
}

bool Reader::readNumber(uint32_t &value, llvm::StringRef what) {
  const char *start = cursor.p;
  uint64_t wide;
  if (!readNumber(wide, what))
    return false;
  if (wide > UINT32_MAX)
    return error(start, "expected " + what + " below 2^32, found " + llvm::Twine(wide));
  value = uint32_t(wide);
  return true;
}

/// Passes the directive and the space after it, if it stands here.
bool Reader::takeDirective(llvm::StringRef name) {
  const char *start = cursor.p;
  if (cursor.dotted() == name) {
    cursor.skip();
    return true;
  }
  cursor.p = start;
  return false;
}

bool Reader::readAlignment(uint32_t &alignment, Slice &text) {
  const char *start = cursor.p;
  if (!readNumber(alignment, "an alignment"))
    return false;
  text = sliceFrom(start);
  if (!llvm::isPowerOf2_32(alignment))
    return error(start, "expected a power of two as alignment, found " + llvm::Twine(alignment));
  return true;
}

bool Reader::readTypeAndVector(Type &type, uint8_t &vectorWidth) {
  const char *start = cursor.p;
  llvm::StringRef name = cursor.dotted();
  vectorWidth = name == "v2" ? 2 : name == "v4" ? 4 : name == "v8" ? 8 : 1;
  if (vectorWidth != 1) {
    cursor.skip();
    start = cursor.p;
    name = cursor.dotted();
  }
  type = typeNamed(name);
  if (type == Type::None) {
    cursor.p = start;
    return expected("a type such as '.b32'");
  }
  cursor.skip();
  return true;
}

bool Reader::readAttributes(Slice &attributes) {
  if (!cursor.take('('))
    return expected("'(' after '.attribute'");
  const char *start = cursor.p, *stop = start;
  unsigned depth = 0;
  while (!cursor.atEnd() && (depth || *cursor.p != ')')) {
    depth += *cursor.p == '(';
    depth -= *cursor.p == ')';
    if (*cursor.p == ';' || *cursor.p == '{')
      break;
    stop = ++cursor.p;
    cursor.skip();
  }
  if (start == stop)
    return expected("an attribute");
  attributes = sliceOf(start, stop);
  return cursor.take(')') || expected("')' after an attribute");
}

bool Reader::readVariable(Linkage linkage, StateSpace space) {
  Variable variable;
  variable.linkage = linkage;
  variable.space = space;
  variable.function = currentFunction;
  // A bank number, as in .const[2], is PTX 2.1; ptxas no longer reads it and neither do we.
  if (takeDirective("attribute") && !readAttributes(variable.attributes))
    return false;
  if (takeDirective("align") && !readAlignment(variable.alignment, variable.alignmentText))
    return false;
  if (!readTypeAndVector(variable.type, variable.vectorWidth))
    return false;
  if (variable.type == Type::Pred)
    return error(cursor.p, "expected a type that memory can hold, found '.pred'");

  Variable pattern = variable;
  for (;;) {
    variable = pattern;
    if (!readDeclarator(variable))
      return false;
    if (*cursor.p == '=') {
      cursor.take('=');
      if (!skipInitializer(variable.initializer))
        return false;
    }
    auto index = uint32_t(module.variables.size());
    if (!variable.continues)
      item(ItemKind::Variable, index);
    module.variables.push_back(variable);
    if (!bind(variable.name, Binding::Variable, index, cursor.begin + variable.offset))
      return false;
    if (!cursor.take(','))
      break;
    pattern.continues = true;
  }
  return cursor.take(';') || expected("';' after a declaration");
}

/// Reads a name and its extents, and works out alignment and size.
bool Reader::readDeclarator(Variable &variable) {
  const char *start = cursor.p;
  llvm::StringRef name = cursor.name();
  if (name.empty())
    return expected("a name to declare");
  variable.name = module.names.intern(name);
  variable.offset = offsetOf(start);
  cursor.skip();
  uint64_t element = uint64_t(typeBytes(variable.type)) * variable.vectorWidth;
  if (variable.alignmentText.empty())
    variable.alignment = uint32_t(llvm::PowerOf2Ceil(element));
  variable.size = element;
  variable.firstExtent = uint32_t(module.extents.size());
  const char *brackets = cursor.p;
  while (cursor.take('[')) {
    uint32_t extent = 0;
    if (*cursor.p != ']' && !readNumber(extent, "an extent"))
      return false;
    if (!cursor.take(']'))
      return expected("']' after an extent");
    module.extents.push_back(extent);
    ++variable.extentCount;
    variable.isArray = true;
    bool overflow = false;
    variable.size = llvm::SaturatingMultiply(variable.size, uint64_t(extent), &overflow);
    if (overflow)
      return error(start, "array '" + name + "' is larger than 2^64 bytes");
  }
  if (variable.isArray)
    variable.extentText = sliceFrom(brackets);
  return true;
}

/// Passes an initialiser, checking it.
bool Reader::skipInitializer(Slice &initializer) {
  const char *start = cursor.p;
  InitializerReader reader(module.text, offsetOf(start));
  while (reader.next()) {
    if (reader.step().kind != InitializerStep::Kind::Address)
      continue;
    llvm::StringRef symbol = reader.step().symbol;
    Binding kind = bindingOf(module.names.intern(symbol)).kind;
    if (kind != Binding::Variable && kind != Binding::Function)
      return error(symbol.begin(), "'" + symbol + "' is not a declared variable or function");
  }
  cursor.p = cursor.begin + reader.offset();
  if (!reader.fault().empty())
    return error(cursor.p, reader.fault() + ", found " + found(cursor.p, cursor.end));
  initializer = sliceOf(start, cursor.p);
  cursor.skip();
  return true;
}

bool Reader::readRegisters() {
  RegisterDeclaration declaration;
  if (!readTypeAndVector(declaration.type, declaration.vectorWidth))
    return false;
  do {
    if (!readRegister(declaration))
      return false;
    if (!declaration.continues)
      item(ItemKind::Registers, uint32_t(module.registers.size() - 1));
    declaration.continues = true;
  } while (cursor.take(','));
  return cursor.take(';') || expected("';' after a register declaration");
}

/// Reads a register name or range and gives it numbers.
bool Reader::readRegister(RegisterDeclaration &declaration) {
  const char *start = cursor.p;
  llvm::StringRef name = cursor.name();
  if (name.empty())
    return expected("a register name");
  cursor.skip();
  declaration.name = module.names.intern(name);
  declaration.offset = offsetOf(start);
  declaration.isRange = *cursor.p == '<';
  declaration.count = 1;
  if (declaration.isRange) {
    cursor.take('<');
    // A literal: an expression could not tell its own `>` from the one that ends the range.
    const char *digits = cursor.p;
    while (isClass(*cursor.p, NameBody))
      ++cursor.p;
    declaration.countText = sliceOf(cursor.since(digits));
    if (cursor.since(digits).getAsInteger(0, declaration.count)) {
      cursor.p = digits;
      return expected("a number of registers below 2^32");
    }
    cursor.skip();
    if (!cursor.take('>'))
      return expected("'>' after a number of registers");
  }
  if (!numberRegisters(declaration, start))
    return false;
  auto index = uint32_t(module.registers.size());
  module.registers.push_back(declaration);
  return declaration.isRange ? bindRange(index, start)
                             : bind(declaration.name, Binding::Register, index, start);
}
