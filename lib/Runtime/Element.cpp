//===- Element.cpp - Element types of launch values -----------------------===//
//
// The table of element types, and the exact conversion between values and text.
// Decimal floats go through APFloat, which rounds correctly in every format.
//
//===----------------------------------------------------------------------===//

#include "Mettle/Runtime/Element.h"

#include "llvm/ADT/APFloat.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Support/raw_ostream.h"

#include <charconv>

using namespace llvm;

namespace mettle::runtime {

static constexpr ElementRecord records[] = {
    {ElementType::I8, ElementKind::Signed, "i8", "|i1", 1, 0},
    {ElementType::I16, ElementKind::Signed, "i16", "<i2", 2, 0},
    {ElementType::I32, ElementKind::Signed, "i32", "<i4", 4, 0},
    {ElementType::I64, ElementKind::Signed, "i64", "<i8", 8, 0},
    {ElementType::U8, ElementKind::Unsigned, "u8", "|u1", 1, 0},
    {ElementType::U16, ElementKind::Unsigned, "u16", "<u2", 2, 0},
    {ElementType::U32, ElementKind::Unsigned, "u32", "<u4", 4, 0},
    {ElementType::U64, ElementKind::Unsigned, "u64", "<u8", 8, 0},
    {ElementType::F16, ElementKind::Float, "f16", "<f2", 2, 10},
    {ElementType::F32, ElementKind::Float, "f32", "<f4", 4, 23},
    {ElementType::F64, ElementKind::Float, "f64", "<f8", 8, 52},
    {ElementType::Bool, ElementKind::Bool, "bool", "|b1", 1, 0},
};

ArrayRef<ElementRecord> elementRecords() { return records; }

const ElementRecord &recordOf(ElementType type) { return records[size_t(type)]; }

std::optional<ElementType> elementNamed(StringRef name) {
  for (const ElementRecord &record : records)
    if (record.name == name)
      return record.type;
  return std::nullopt;
}

const fltSemantics &ElementRecord::semantics() const {
  switch (type) {
  case ElementType::F16:
    return APFloat::IEEEhalf();
  case ElementType::F64:
    return APFloat::IEEEdouble();
  default:
    return APFloat::IEEEsingle();
  }
}

static Error expected(const ElementRecord &record, const Twine &what, StringRef found) {
  return createStringError("expected " + what + " of type " + record.name + ", found '" + found +
                           "'");
}

/// Reads an unsigned integer with an optional 0x or 0b prefix. No leading zero
/// means octal. False when `text` is no such number or exceeds 64 bits.
static bool readMagnitude(StringRef text, uint64_t &value) {
  unsigned radix = 10;
  if (text.consume_front_insensitive("0x"))
    radix = 16;
  else if (text.consume_front_insensitive("0b"))
    radix = 2;
  return !text.getAsInteger(radix, value);
}

static Expected<uint64_t> parseInteger(const ElementRecord &record, StringRef text, bool signless) {
  bool isSigned = record.kind == ElementKind::Signed;
  StringRef digits = text;
  bool negative = digits.consume_front("-");
  uint64_t magnitude;
  if (!isDigit(digits.empty() ? '\0' : digits.front()) || !readMagnitude(digits, magnitude))
    return expected(record, "an integer", text);
  uint64_t highest = maskTrailingOnes<uint64_t>(record.bits() - (isSigned && !signless ? 1 : 0));
  uint64_t lowest = isSigned ? uint64_t(1) << (record.bits() - 1) : 0;
  if (magnitude > (negative ? lowest : highest))
    return expected(record,
                    "an integer from " + Twine(isSigned ? "-" : "") + Twine(lowest) + " to " +
                        Twine(highest),
                    text);
  uint64_t bits = negative ? uint64_t(0) - magnitude : magnitude;
  return bits & maskTrailingOnes<uint64_t>(record.bits());
}

/// Whether `text` (no sign) is a float that APFloat's parser may be given: it
/// asserts on some malformed input. `hasExponent` tells of a hexadecimal one.
static bool isFloatLiteral(StringRef text, bool &isHex, bool &hasExponent) {
  isHex = text.consume_front_insensitive("0x");
  auto isDigitHere = [&](char c) { return isHex ? isHexDigit(c) : isDigit(c); };
  size_t digits = 0;
  auto skipDigits = [&] {
    size_t count = text.take_while(isDigitHere).size();
    text = text.drop_front(count);
    digits += count;
  };
  skipDigits();
  if (text.consume_front("."))
    skipDigits();
  if (!digits)
    return false;
  hasExponent = text.consume_front_insensitive(isHex ? "p" : "e");
  if (!hasExponent)
    return text.empty();
  if (!text.consume_front("-"))
    text.consume_front("+");
  return !text.empty() && all_of(text, isDigit);
}

static Expected<uint64_t> parseFloat(const ElementRecord &record, StringRef text) {
  StringRef magnitude = text;
  bool negative = magnitude.consume_front("-");
  APFloat value(record.semantics());
  bool isHex, hasExponent;
  if (magnitude == "inf") {
    value = APFloat::getInf(record.semantics());
  } else if (magnitude == "nan") {
    value = APFloat::getQNaN(record.semantics());
  } else if (isFloatLiteral(magnitude, isHex, hasExponent)) {
    std::string literal = magnitude.str();
    if (isHex && !hasExponent)
      literal += "p0";
    Expected<APFloat::opStatus> status =
        value.convertFromString(literal, APFloat::rmNearestTiesToEven);
    if (!status) {
      consumeError(status.takeError());
      return expected(record, "a number", text);
    }
    if (value.isInfinity())
      return expected(record, "a number in the range", text);
  } else {
    return expected(record, "a number", text);
  }
  if (negative)
    value.changeSign();
  return value.bitcastToAPInt().getZExtValue();
}

Expected<uint64_t> parseElement(ElementType type, StringRef text, bool signless) {
  const ElementRecord &record = recordOf(type);
  StringRef word = text;
  if (word.consume_front("bits:")) {
    uint64_t bits;
    unsigned width = record.kind == ElementKind::Bool ? 1 : record.bits();
    if (!readMagnitude(word, bits) || bits > maskTrailingOnes<uint64_t>(width))
      return expected(record, Twine(width) + " bits", text);
    return bits;
  }
  switch (record.kind) {
  case ElementKind::Signed:
  case ElementKind::Unsigned:
    return parseInteger(record, text, signless);
  case ElementKind::Float:
    return parseFloat(record, text);
  case ElementKind::Bool:
    if (text == "true" || text == "1")
      return 1;
    if (text == "false" || text == "0")
      return 0;
    return expected(record, "true or false", text);
  }
  llvm_unreachable("an ElementKind without a parser");
}

static APFloat asFloat(const ElementRecord &record, uint64_t bits) {
  return APFloat(record.semantics(), APInt(record.bits(), bits));
}

/// The fewest significant digits that read back to `bits`.
static std::string printFloat(const ElementRecord &record, uint64_t bits) {
  APFloat value = asFloat(record, bits);
  char text[40];
  std::to_chars_result end;
  if (record.type == ElementType::F64) {
    end = std::to_chars(text, std::end(text), value.convertToDouble());
  } else if (record.type == ElementType::F32) {
    end = std::to_chars(text, std::end(text), value.convertToFloat());
  } else {
    double wide = elementAsDouble(record.type, bits);
    for (int precision = 1;; ++precision) {
      end = std::to_chars(text, std::end(text), wide, std::chars_format::general, precision);
      APFloat back(record.semantics());
      cantFail(
          back.convertFromString(StringRef(text, end.ptr - text), APFloat::rmNearestTiesToEven));
      if (back.bitwiseIsEqual(value))
        break;
    }
  }
  return std::string(text, end.ptr);
}

std::string printElement(ElementType type, uint64_t bits) {
  const ElementRecord &record = recordOf(type);
  switch (record.kind) {
  case ElementKind::Signed:
    return itostr(SignExtend64(bits, record.bits()));
  case ElementKind::Unsigned:
    return utostr(bits);
  case ElementKind::Bool:
    return bits ? "true" : "false";
  case ElementKind::Float:
    break;
  }
  APFloat value = asFloat(record, bits);
  if (value.isInfinity())
    return value.isNegative() ? "-inf" : "inf";
  if (!value.isNaN())
    return printFloat(record, bits);
  if (value.bitwiseIsEqual(APFloat::getQNaN(record.semantics())))
    return "nan";
  std::string text;
  raw_string_ostream(text) << "bits:" << format_hex(bits, record.bytes * 2 + 2);
  return text;
}

double elementAsDouble(ElementType type, uint64_t bits) {
  const ElementRecord &record = recordOf(type);
  switch (record.kind) {
  case ElementKind::Signed:
    return double(SignExtend64(bits, record.bits()));
  case ElementKind::Unsigned:
  case ElementKind::Bool:
    return double(bits);
  case ElementKind::Float:
    break;
  }
  APFloat value = asFloat(record, bits);
  bool losesInfo;
  value.convert(APFloat::IEEEdouble(), APFloat::rmNearestTiesToEven, &losesInfo);
  return value.convertToDouble();
}

} // namespace mettle::runtime
