//===- Initializer.cpp - The initial value of a variable ------------------===//
//
// A tokeniser with a depth, and the filling of C's array rules on top of it.
//
//===----------------------------------------------------------------------===//

#include "Mettle/Assembly/PTX/Initializer.h"
#include "ConstantExpression.h"
#include "llvm/ADT/APFloat.h"

using namespace mettle::assembly::ptx;

bool InitializerReader::next() {
  if (isDone || !message.empty())
    return false;
  Cursor cursor(text);
  cursor.p = p;
  cursor.skip();
  current = {};
  if (depth && *cursor.p == '}') {
    --depth;
    ++cursor.p;
    current.kind = InitializerStep::Kind::Close;
    needsComma = true;
    isDone = depth == 0;
    p = cursor.p;
    return true;
  }
  if (needsComma) {
    if (*cursor.p != ',')
      return fail(cursor.p, "',' or '}' in an initialiser");
    cursor.take(',');
    // C lets a list end with a comma; ptxas does not.
    needsComma = false;
  }
  if (*cursor.p == '{') {
    // An array has as many extents as its braces, and no one has used more than a few.
    if (++depth > 16)
      return fail(cursor.p, "braces nested at most 16 deep");
    ++cursor.p;
    current.kind = InitializerStep::Kind::Open;
    p = cursor.p;
    return true;
  }
  if (!scalar(cursor.p))
    return false;
  needsComma = depth != 0;
  isDone = depth == 0;
  return true;
}

bool InitializerReader::scalar(const char *at) {
  Cursor cursor(text);
  cursor.p = at;
  auto name = [&] {
    llvm::StringRef word = cursor.name();
    cursor.skip();
    return word;
  };
  auto symbol = [&] {
    current.kind = InitializerStep::Kind::Address;
    current.symbol = name();
    if (current.symbol == "generic" && cursor.take('(')) {
      current.isGeneric = true;
      current.symbol = name();
      if (!current.symbol.empty() && !cursor.take(')'))
        return fail(cursor.p, "')' after a symbol");
    }
    if (current.symbol.empty())
      return fail(cursor.p, "an initial value");
    if (cursor.take('+')) {
      Constant addend;
      ConstantExpression expression(cursor);
      if (!expression.parse(addend) || addend.kind != Constant::Kind::Integer)
        return fail(cursor.p, "an integer after '+'");
      current.bits = addend.bits;
    }
    return true;
  };

  if (isClass(*at, NameStart) && !cursor.at("WARP_SZ")) {
    if (!symbol())
      return false;
    if (*cursor.p == '=' && !current.isGeneric) {
      cursor.take('=');
      current.kind = InitializerStep::Kind::Field;
      const char *start = cursor.p;
      while (isClass(*cursor.p, NameBody))
        ++cursor.p;
      current.value = cursor.since(start);
      if (current.value.empty())
        return fail(start, "a name or number after '='");
    }
    p = cursor.p;
    return true;
  }
  // Most values are short plain decimals.
  const char *digits = at + (*at == '-'), *stop = digits;
  uint64_t value = 0;
  while (isClass(*stop, Digit))
    value = value * 10 + uint64_t(*stop++ - '0');
  if (stop != digits && stop - digits <= 18 && (*digits != '0' || stop == digits + 1) &&
      (*stop == ',' || *stop == '}')) {
    current.kind = InitializerStep::Kind::Integer;
    current.bits = *at == '-' ? 0 - value : value;
    p = stop;
    return true;
  }
  Constant constant;
  ConstantExpression expression(cursor);
  if (!expression.parse(constant)) {
    if (cursor.p == at)
      return fail(at, "an initial value");
    p = cursor.p;
    message = expression.fault();
    return false;
  }
  if (*cursor.p == '(' && constant.kind == Constant::Kind::Integer) {
    cursor.take('(');
    if (!symbol())
      return false;
    if (!cursor.take(')'))
      return fail(cursor.p, "')' after a masked address");
    current.isMasked = true;
    current.mask = constant.bits;
    p = cursor.p;
    return true;
  }
  current.kind = constant.kind == Constant::Kind::Integer   ? InitializerStep::Kind::Integer
                 : constant.kind == Constant::Kind::Float32 ? InitializerStep::Kind::Float32
                                                            : InitializerStep::Kind::Float64;
  current.bits = constant.bits;
  p = cursor.p;
  return true;
}

/// A literal as an element of the type: floats are converted to a float element's format.
static uint64_t elementBits(const InitializerStep &step, Type type) {
  if (step.kind == InitializerStep::Kind::Integer || typeKind(type) != TypeKind::Float)
    return step.bits;
  const llvm::fltSemantics *target = type == Type::F16    ? &llvm::APFloat::IEEEhalf()
                                     : type == Type::BF16 ? &llvm::APFloat::BFloat()
                                     : type == Type::F32  ? &llvm::APFloat::IEEEsingle()
                                     : type == Type::F64  ? &llvm::APFloat::IEEEdouble()
                                                          : nullptr;
  if (!target)
    return step.bits;
  bool isSingle = step.kind == InitializerStep::Kind::Float32;
  const llvm::fltSemantics &source =
      isSingle ? llvm::APFloat::IEEEsingle() : llvm::APFloat::IEEEdouble();
  if (&source == target)
    return step.bits;
  llvm::APFloat value(source, llvm::APInt(isSingle ? 32 : 64, step.bits));
  bool losesInfo;
  value.convert(*target, llvm::APFloat::rmNearestTiesToEven, &losesInfo);
  return value.bitcastToAPInt().getZExtValue();
}

bool mettle::assembly::ptx::initialBytes(const Module &module, const Variable &variable,
                                         std::vector<uint8_t> &bytes,
                                         std::vector<Relocation> &relocations,
                                         std::string &reason) {
  bytes.clear();
  relocations.clear();
  auto fail = [&](llvm::StringRef text) {
    reason = text.str();
    return false;
  };
  // A vector is one more extent, the innermost.
  llvm::SmallVector<uint64_t, 4> extents;
  for (uint32_t extent :
       llvm::ArrayRef(module.extents).slice(variable.firstExtent, variable.extentCount))
    extents.push_back(extent);
  if (variable.vectorWidth > 1)
    extents.push_back(variable.vectorWidth);
  uint64_t element = typeBytes(variable.type);
  // strides[d]: bytes of one sub-object inside d braces.
  llvm::SmallVector<uint64_t, 5> strides(extents.size() + 1, element);
  for (size_t d = extents.size(); d-- > 0;)
    strides[d] = strides[d + 1] * extents[d];
  bool isOpen = !extents.empty() && extents[0] == 0;
  if (!isOpen)
    bytes.resize(variable.size);

  llvm::SmallVector<uint64_t, 4> ends;
  uint64_t at = 0;
  InitializerReader reader(module.text, variable.initializer.offset);
  while (reader.next()) {
    const InitializerStep &step = reader.step();
    switch (step.kind) {
    case InitializerStep::Kind::Open: {
      // Braces open the sub-object at this place: the outermost the whole, each further one a row.
      size_t depth = ends.size();
      if (depth >= std::max<size_t>(extents.size(), 1))
        return fail("braces are deeper than the array");
      if (depth && strides[depth] == 0)
        return fail("an extent other than the first is missing");
      if (depth && at % strides[depth] != 0)
        return fail("braces open within a row");
      ends.push_back(isOpen && depth == 0 ? UINT64_MAX : at + strides[depth]);
      continue;
    }
    case InitializerStep::Kind::Close:
      if (ends.back() != UINT64_MAX)
        at = ends.back();
      ends.pop_back();
      continue;
    case InitializerStep::Kind::Field:
      return fail("a sampler has no bytes");
    default:
      break;
    }
    if (at + element > (ends.empty() ? std::max(variable.size, element) : ends.back()))
      return fail("more values than the array has elements");
    if (bytes.size() < at + element)
      bytes.resize(at + element);
    if (step.kind == InitializerStep::Kind::Address) {
      relocations.push_back({at, uint8_t(element), module.names.find(step.symbol), step.bits,
                             step.isGeneric, step.isMasked ? step.mask : ~uint64_t(0)});
    } else {
      uint64_t bits = elementBits(step, variable.type);
      for (uint64_t i = 0; i < element; ++i)
        bytes[at + i] = i < 8 ? uint8_t(bits >> 8 * i) : 0;
    }
    at += element;
  }
  return reader.fault().empty() || fail(reader.fault());
}
