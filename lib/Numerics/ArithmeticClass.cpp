//===- ArithmeticClass.cpp - Text of an arithmetic class ------------------===//
//
// One table says which fields each kind has; printer, parser and checks follow it.
//
//===----------------------------------------------------------------------===//

#include "Mettle/Numerics/ArithmeticClass.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/raw_ostream.h"
#include <tuple>

using namespace mettle::numerics;
using llvm::StringRef;

namespace {

enum Fields : unsigned {
  FractionBits = 1,
  WideBits = 2,
  Group = 4,
  ScaleGroup = 8,
  AlignFloor = 16,
  Rounded = 32,
  OverflowRule = 64,
  FusedFields = FractionBits | Group | AlignFloor | Rounded,
};

struct KindInfo {
  ArithmeticClass::Kind kind;
  llvm::StringLiteral name;
  unsigned fields;
};

constexpr KindInfo kinds[] = {
    {ArithmeticClass::Fused, "fused", FusedFields},
    {ArithmeticClass::ScaledFused, "scaledfused", FusedFields},
    {ArithmeticClass::FusedViaF16, "fusedviaf16", FusedFields},
    {ArithmeticClass::BlockFused, "blockfused", FusedFields | ScaleGroup},
    {ArithmeticClass::FloorFused, "floorfused", FractionBits | WideBits | Group | Rounded},
    {ArithmeticClass::FloorFusedPairs, "floorfusedpairs",
     FractionBits | WideBits | Group | Rounded},
    {ArithmeticClass::FMA, "fma", 0},
    {ArithmeticClass::MulAdd, "muladd", 0},
    {ArithmeticClass::Integer, "int", OverflowRule},
    {ArithmeticClass::XorPopcount, "xorpopc", OverflowRule},
};

llvm::Error error(const llvm::Twine &message) {
  return llvm::createStringError(llvm::inconvertibleErrorCode(), message);
}

/// Reads an integer in [low, high] after `prefix`.
template <typename T>
bool readField(StringRef token, StringRef prefix, int low, int high, T &field) {
  int value;
  if (!token.consume_front(prefix) || token.getAsInteger(10, value) || value < low || value > high)
    return false;
  field = T(value);
  return true;
}

/// What the arithmetic itself can hold: the plain evaluation adds terms of up to 2^(F + 2) in 64
/// bits, and a result keeps no more fraction bits than its format has.
llvm::Error check(const ArithmeticClass &c, unsigned fields) {
  const FormatInfo &result = info(c.result);
  bool integer = fields & OverflowRule;
  if (integer ? c.result != Format::I32 : result.isInteger)
    return error("class: expected " + llvm::Twine(integer ? "i32" : "a float") +
                 " result, found '" + result.name + "'");
  if (!integer && c.result != Format::F32 && c.result != Format::F64 && c.result != Format::F16)
    return error("class: expected result f16, f32 or f64, found '" + result.name + "'");
  if (c.isChain() && c.result == Format::F16)
    return error("class: expected result f32 or f64 of a chain, found 'f16'");
  if ((fields & Rounded) && (c.resultBits > result.fractionBits || c.result == Format::F64))
    return error("class: " + llvm::Twine(c.resultBits) + " fraction bits do not fit a fused " +
                 result.name + " result");
  // Rounding twice, to resultBits and then to the format, is exact only by truncation.
  if ((fields & Rounded) && c.resultBits != result.fractionBits &&
      c.rounding != Rounding::TowardZero)
    return error("class: expected rounding rz where the result keeps fewer bits than " +
                 result.name + " has, found '" + name(c.rounding) + "'");
  if ((fields & ScaleGroup) && c.group % c.scaleGroup != 0)
    return error("class: expected a group that is a multiple of s" + llvm::Twine(c.scaleGroup) +
                 ", found g" + llvm::Twine(c.group));
  return llvm::Error::success();
}

} // namespace

unsigned ArithmeticClass::productsPerStep() const {
  if (!isFused())
    return 1;
  return kind == FusedViaF16 ? 2 * group : group;
}

static auto tie(const ArithmeticClass &c) {
  return std::tie(c.kind, c.result, c.fractionBits, c.wideBits, c.group, c.scaleGroup, c.alignFloor,
                  c.rounding, c.resultBits, c.overflow);
}

bool ArithmeticClass::operator==(const ArithmeticClass &other) const {
  return tie(*this) == tie(other);
}

std::string ArithmeticClass::text() const {
  std::string text;
  llvm::raw_string_ostream os(text);
  const KindInfo &k = kinds[kind];
  os << k.name;
  if (k.fields & FractionBits)
    os << ".F" << unsigned(fractionBits);
  if (k.fields & WideBits)
    os << ".w" << unsigned(wideBits);
  if (k.fields & Group)
    os << ".g" << group;
  if (k.fields & ScaleGroup)
    os << ".s" << unsigned(scaleGroup);
  if (k.fields & AlignFloor)
    os << ".z" << alignFloor;
  if (k.fields & Rounded)
    os << '.' << name(rounding) << unsigned(resultBits);
  if (k.fields & OverflowRule)
    os << '.' << name(overflow);
  os << '.' << name(result);
  return text;
}

llvm::Expected<ArithmeticClass> ArithmeticClass::parse(StringRef text) {
  llvm::SmallVector<StringRef, 8> tokens;
  text.split(tokens, '.');
  const KindInfo *k = llvm::find_if(kinds, [&](const KindInfo &i) { return i.name == tokens[0]; });
  if (k == std::end(kinds))
    return error("class: expected the name of a kind, found '" + tokens[0] + "'");

  ArithmeticClass c;
  c.kind = k->kind;
  size_t next = 1;
  StringRef taken;
  auto take = [&]() { return taken = next < tokens.size() ? tokens[next++] : StringRef(); };
  auto missing = [&](StringRef what) {
    return error("class: expected " + what + " in '" + text + "', found '" + taken + "'");
  };
  if ((k->fields & FractionBits) && !readField(take(), "F", 1, 40, c.fractionBits))
    return missing("F1 to F40, the fraction bits,");
  if ((k->fields & WideBits) && !readField(take(), "w", 1, 40, c.wideBits))
    return missing("w1 to w40, the wide fraction bits,");
  if ((k->fields & Group) && !readField(take(), "g", 1, 256, c.group))
    return missing("g1 to g256, the group size,");
  if ((k->fields & ScaleGroup) && !readField(take(), "s", 1, 64, c.scaleGroup))
    return missing("s1 to s64, the products of one scale,");
  if ((k->fields & AlignFloor) && !readField(take(), "z", -300, 0, c.alignFloor))
    return missing("z-300 to z0, the alignment floor,");
  if (k->fields & Rounded) {
    StringRef token = take();
    StringRef mode = token.take_while([](char c) { return llvm::isAlpha(c); });
    std::optional<Rounding> rounding = parseRounding(mode);
    if (!rounding || !readField(token, mode, 1, 52, c.resultBits))
      return missing("a rounding and its fraction bits, as rz23,");
    c.rounding = *rounding;
  }
  if (k->fields & OverflowRule) {
    std::optional<Overflow> overflow = parseOverflow(take());
    if (overflow != Overflow::Wrap && overflow != Overflow::Saturate)
      return missing("wrap or sat");
    c.overflow = *overflow;
  }
  std::optional<Format> result = parseFormat(take());
  if (!result)
    return missing("the result's format");
  c.result = *result;
  if (next != tokens.size())
    return error("class: expected the end of '" + text + "', found '" + tokens[next] + "'");
  if (llvm::Error e = check(c, k->fields))
    return std::move(e);
  return c;
}
