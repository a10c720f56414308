//===- ReadOperand.cpp - Operands -----------------------------------------===//
//
// Registers, immediates, names, addresses and the groups made of them. Sub-operands of a group go
// to the module's operands as the group ends, so they stand together and before the instruction's
// own.
//
//===----------------------------------------------------------------------===//

#include "ConstantExpression.h"
#include "Reader.h"

using namespace mettle::assembly::ptx;

/// An operand of an instruction, with the space after it.
bool Reader::readOperand(Operand &operand) {
  switch (*cursor.p) {
  case '{':
    return readVector(operand);
  case '[':
    return readAddress(operand);
  case '(':
    if (opcodeInfo(currentOpcode).flow == Flow::Call)
      return readList(operand);
    break;
  }
  if (!readSimple(operand))
    return false;
  if (*cursor.p != '|')
    return true;
  if (!operand.is(OperandKind::Register) && !operand.is(OperandKind::Sink))
    return expected("',' or ';' after an operand");
  cursor.take('|');
  Operand pair[2] = {operand, {}};
  const char *start = cursor.p;
  if (!readSimple(pair[1]))
    return false;
  if (!pair[1].is(OperandKind::Register) && !pair[1].is(OperandKind::Sink)) {
    cursor.p = start;
    return expected("a register after '|'");
  }
  return group(operand, OperandKind::Pair, pair);
}

/// A register, name, sink or immediate, with the space after it.
bool Reader::readSimple(Operand &operand) {
  char c = *cursor.p;
  if (c == '%' || isClass(c, NameStart)) {
    if (!readRegisterOrName(operand))
      return false;
    cursor.skip();
    if (operand.is(OperandKind::Symbol)) {
      if (*cursor.p == '+')
        return readOffset(operand);
      if (*cursor.p == '[')
        return readIndex(operand);
    }
    return true;
  }
  if ((c == '!' || c == '-') && !isClass(cursor.p[1], Digit)) {
    // An expression may start with either, but only a register takes part in neither.
    const char *start = cursor.p;
    cursor.take(c);
    if (isClass(*cursor.p, NameStart) && !cursor.at("WARP_SZ")) {
      if (!readRegisterOrName(operand))
        return false;
      if (!operand.is(OperandKind::Register))
        return error(start, llvm::Twine("expected a register after '") + llvm::Twine(c) + "'");
      operand.flags |= c == '!' ? Negated : Minus;
      cursor.skip();
      return true;
    }
    cursor.p = start;
  }
  return readImmediate(operand);
}

/// The cursor stands at an identifier; the space after it is not passed.
bool Reader::readRegisterOrName(Operand &operand) {
  const char *start = cursor.p;
  if (*start == '%' && !hasNamedRegisters) {
    uint64_t prefix = 0;
    const char *p = start;
    do
      prefix = prefix << 8 | uint8_t(*p++);
    while (isClass(*p, NameBody) && !isClass(*p, Digit));
    const char *digits = p;
    uint32_t number = 0;
    while (isClass(*p, Digit))
      number = number * 10 + uint32_t(*p++ - '0');
    size_t digitCount = size_t(p - digits);
    if (digitCount - 1 < 9 && digits - start <= 8 && !isClass(*p, NameBody) && *p != '.' &&
        (*digits != '0' || digitCount == 1))
      for (unsigned i = 0; i < quickRangeCount; ++i)
        if (quickRanges[i].prefix == prefix) {
          if (number >= quickRanges[i].count)
            break;
          operand.kind = OperandKind::Register;
          operand.index = quickRanges[i].first + number;
          operand.count = 1;
          cursor.p = p;
          return true;
        }
  }
  llvm::StringRef name = cursor.name();
  if (name == "_") {
    operand.kind = OperandKind::Sink;
    return true;
  }
  if (name == "WARP_SZ") {
    cursor.p = start;
    return readImmediate(operand);
  }
  if (!resolve(name, operand)) {
    if (name[0] == '%')
      return error(start, "register '" + name + "' is not declared");
    sawName = true;
    operand.spelling = offsetOf(start);
    return true;
  }
  return *cursor.p != '.' || readSelector(operand);
}

/// `.x` of a vector register or special register, `.b0` or `.h1` of a video operand.
bool Reader::readSelector(Operand &operand) {
  const char *start = cursor.p;
  llvm::StringRef name = cursor.dotted();
  unsigned row = 0;
  while (row < std::size(selectorNames) && selectorNames[row] != name)
    ++row;
  bool component = row < NumComponentSelectors;
  if (operand.is(OperandKind::Special)) {
    auto special = SpecialRegister(operand.index);
    // Components of special registers are spelled x to w only.
    if (row < 4 && specialRegisterInfo(special).shape == SpecialShape::Vector) {
      operand.count = uint16_t(row);
      return true;
    }
  } else if (operand.is(OperandKind::Register)) {
    bool isVector = operand.count > 1;
    if (component && isVector && row % 4 < operand.count) {
      operand.index += row % 4;
      operand.count = uint16_t(row);
      operand.flags |= Component;
      return true;
    }
    if (!component && row < std::size(selectorNames) && !isVector) {
      operand.count = uint16_t(row);
      operand.flags |= Component;
      return true;
    }
  }
  cursor.p = start;
  return error(start, "expected a component that the operand has, found '." + name + "'");
}

/// A literal or constant expression, with the space after it.
bool Reader::readImmediate(Operand &operand) {
  // Most immediates are short plain decimals.
  const char *start = cursor.p;
  const char *p = start + (*start == '-');
  if (isClass(*p, Digit)) {
    const char *digits = p;
    uint64_t value = 0;
    while (isClass(*p, Digit))
      value = value * 10 + uint64_t(*p++ - '0');
    bool plain = p - digits <= 18 && !isClass(*p, NameBody) && *p != '.' &&
                 (*digits != '0' || (p == digits + 1 && digits == start));
    if (plain) {
      cursor.p = p;
      cursor.skip();
      if (*cursor.p == ',' || *cursor.p == ';' || *cursor.p == '}' || *cursor.p == ')' ||
          *cursor.p == ']') {
        operand.kind = OperandKind::Integer;
        operand.bits = *start == '-' ? 0 - value : value;
        return true;
      }
      cursor.p = start;
    }
  }
  Constant constant;
  ConstantExpression expression(cursor);
  if (!expression.parse(constant)) {
    if (cursor.p == start)
      return expected("an operand");
    return error(cursor.p,
                 llvm::Twine(expression.fault()) + ", found " + found(cursor.p, cursor.end));
  }
  operand.kind = constant.kind == Constant::Kind::Integer   ? OperandKind::Integer
                 : constant.kind == Constant::Kind::Float32 ? OperandKind::Float32
                                                            : OperandKind::Float64;
  operand.bits = constant.bits;
  operand.index = offsetOf(start);
  operand.flags |= Spelled;
  return true;
}

bool Reader::group(Operand &operand, OperandKind kind, llvm::ArrayRef<Operand> elements) {
  operand = {};
  operand.kind = kind;
  operand.index = uint32_t(module.operands.size());
  if (elements.size() > UINT16_MAX)
    return error(cursor.p, "expected at most 65535 operands in a group, found " +
                               llvm::Twine(elements.size()));
  operand.count = uint16_t(elements.size());
  module.operands.insert(module.operands.end(), elements.begin(), elements.end());
  return true;
}

bool Reader::readVector(Operand &operand) {
  cursor.take('{');
  llvm::SmallVector<Operand, 16> elements;
  do
    if (!readSimple(elements.emplace_back()))
      return false;
  while (cursor.take(','));
  if (!cursor.take('}'))
    return expected("',' or '}' in a vector");
  return group(operand, OperandKind::Vector, elements);
}

/// The parenthesised list of a call, which may be empty.
bool Reader::readList(Operand &operand) {
  cursor.take('(');
  llvm::SmallVector<Operand, 16> elements;
  if (*cursor.p != ')')
    do
      if (!readSimple(elements.emplace_back()))
        return false;
    while (cursor.take(','));
  if (!cursor.take(')'))
    return expected("',' or ')' in a list");
  return group(operand, OperandKind::List, elements);
}

/// `+ offset` after a symbol or the base of an address. There is no `-`: an offset is subtracted
/// by adding a negative one.
bool Reader::readOffset(Operand &operand) {
  const char *plus = cursor.p;
  cursor.take('+');
  const char *start = cursor.p;
  Operand offset;
  if (!readImmediate(offset))
    return false;
  auto value = int64_t(offset.bits);
  if (!offset.is(OperandKind::Integer) || value != int32_t(value))
    return error(start, "expected an offset of 32 bits");
  operand.offset = int32_t(value);
  operand.spelling = offsetOf(plus);
  operand.flags |= Offset | (offset.flags & Spelled);
  return true;
}

/// `[2]`, `[%r1]` or `[%r1+2]` after the name of an array.
bool Reader::readIndex(Operand &operand) {
  const char *open = cursor.p;
  cursor.take('[');
  Operand index;
  if (!readSimple(index))
    return false;
  if (index.is(OperandKind::Integer)) {
    const Variable &variable = module.variables[operand.index];
    __int128 bytes =
        __int128(int64_t(index.bits)) * typeBytes(variable.type) * variable.vectorWidth;
    if (bytes != int32_t(bytes))
      return error(open, "expected an index within 2^31 bytes");
    operand.offset = int32_t(bytes);
    operand.spelling = offsetOf(open);
    operand.flags |= Indexed | Spelled;
    if (currentOpcode != Opcode::Mov && currentOpcode != Opcode::Cvta) {
      operand.kind = OperandKind::Address;
      operand.count = uint16_t(Base::Symbol);
    }
  } else if (index.is(OperandKind::Register)) {
    llvm::SmallVector<Operand, 3> parts = {operand, index};
    if (cursor.take('+') && !readImmediate(parts.emplace_back()))
      return false;
    if (!group(operand, OperandKind::Element, parts))
      return false;
  } else {
    return error(open, "expected a number or register as index");
  }
  return cursor.take(']') || expected("']' after an index");
}

bool Reader::readAddress(Operand &operand) {
  cursor.take('[');
  const char *start = cursor.p;
  if (!readSimple(operand))
    return false;
  if (operand.is(OperandKind::Register) && *cursor.p == '+' && !readOffset(operand))
    return false;
  if (operand.has(Indexed)) {
    cursor.p = start;
    return expected("a register, variable or number as base of an address");
  }
  switch (operand.kind) {
  case OperandKind::Register:
    if (operand.has(Negated) || operand.has(Minus) ||
        (operand.count != 1 && !operand.has(Component))) {
      cursor.p = start;
      return expected("a scalar register as base of an address");
    }
    operand.kind = OperandKind::Address;
    operand.count = uint16_t(unsigned(Base::Register) |
                             (operand.has(Component) ? unsigned(operand.count) << 8 : 0));
    break;
  case OperandKind::Symbol:
    operand.kind = OperandKind::Address;
    operand.count = uint16_t(Base::Symbol);
    break;
  case OperandKind::Integer:
    operand.kind = OperandKind::Address;
    operand.count = uint16_t(Base::Absolute);
    break;
  case OperandKind::Name:
    return error(start, "'" + module.name(operand.index) + "' is not declared");
  default:
    cursor.p = start;
    return expected("a register, variable or number as base of an address");
  }

  if (*cursor.p == ',') {
    // [texture, sampler, {x, y}]: the base keeps its kind, the whole is a bracket.
    llvm::SmallVector<Operand, 4> elements = {operand};
    while (cursor.take(',')) {
      Operand &element = elements.emplace_back();
      if (*cursor.p == '{' ? !readVector(element) : !readSimple(element))
        return false;
    }
    if (!group(operand, OperandKind::Bracket, elements))
      return false;
  }
  if (!cursor.take(']'))
    return expected("']' after an address");
  if (*cursor.p == '.') {
    const char *at = cursor.p;
    if (cursor.dotted() != "unified") {
      cursor.p = at;
      return expected("',' or ';' after an address");
    }
    operand.flags |= Unified;
    cursor.skip();
  }
  return true;
}
