//===- Convert.cpp - cvt --------------------------------------------------===//
//
// The frequent conversions are in ConvertLanes.cpp. All others are done lane by lane, exactly, by
// the library of formats: an integer or a float becomes sign, significand and exponent, and that
// becomes a word of the other type.
//
//===----------------------------------------------------------------------===//

#include "Conversion.h"
#include "Families.h"
#include "LaneTables.h"

using namespace mettle;
using namespace mettle::emulator;
using namespace mettle::assembly;
using numerics::Format;
using numerics::Number;
using numerics::Overflow;
using ptx::Modifier;
using ptx::Type;

static std::optional<ElementType> elementType(Type type) {
  switch (type) {
  case Type::F16:
    return ElementType{1, 16, Format::F16};
  case Type::BF16:
    return ElementType{1, 16, Format::BF16};
  case Type::F16x2:
    return ElementType{2, 16, Format::F16};
  case Type::BF16x2:
    return ElementType{2, 16, Format::BF16};
  case Type::F32:
    return ElementType{1, 32, Format::F32};
  case Type::TF32:
    return ElementType{1, 32, Format::TF32};
  case Type::F64:
    return ElementType{1, 64, Format::F64};
  case Type::E4M3x2:
    return ElementType{2, 8, Format::E4M3};
  case Type::E5M2x2:
    return ElementType{2, 8, Format::E5M2};
  default:
    break;
  }
  ptx::TypeKind kind = ptx::typeKind(type);
  unsigned bits = ptx::typeBits(type);
  if ((kind != ptx::TypeKind::Signed && kind != ptx::TypeKind::Unsigned) || bits < 8 || bits > 64 ||
      type == Type::U16x2 || type == Type::S16x2 || type == Type::U8x4 || type == Type::S8x4)
    return std::nullopt;
  return ElementType{1, bits, std::nullopt, kind == ptx::TypeKind::Signed};
}

//===----------------------------------------------------------------------===//
// One element
//===----------------------------------------------------------------------===//

static Number integerNumber(uint64_t word, const ElementType &type) {
  unsigned shift = 64 - type.bits;
  int64_t value = int64_t(word << shift) >> shift;
  Number number;
  number.negative = type.isSigned && value < 0;
  number.significand = type.isSigned ? number.negative ? 0 - uint64_t(value) : uint64_t(value)
                                     : word << shift >> shift;
  number.kind = number.significand ? Number::Finite : Number::Zero;
  return number;
}

/// Rounds a finite number to a whole one; the significand becomes that, unless it is too large for
/// 64 bits, which `isHuge` says.
static Number wholeNumber(Number number, ToIntegral how, bool &isHuge) {
  isHuge = false;
  if (number.kind != Number::Finite)
    return number;
  if (number.exponent >= 0) {
    unsigned room = unsigned(__builtin_clzll(number.significand));
    isHuge = unsigned(number.exponent) > room;
    if (!isHuge) {
      number.significand <<= number.exponent;
      number.exponent = 0;
    }
    return number;
  }
  unsigned drop = unsigned(-number.exponent);
  uint64_t whole = drop < 64 ? number.significand >> drop : 0;
  uint64_t half = drop <= 64 && drop
                      ? drop == 64 ? number.significand >> 63 : number.significand >> (drop - 1) & 1
                      : 0;
  bool below = drop > 64 ? number.significand != 0
                         : (number.significand & ((uint64_t(1) << (drop - 1)) - 1)) != 0;
  bool up = false;
  switch (how) {
  case ToIntegral::NearestEven:
    up = half && (below || (whole & 1));
    break;
  case ToIntegral::Down:
    up = number.negative && (half || below);
    break;
  case ToIntegral::Up:
    up = !number.negative && (half || below);
    break;
  default:
    break;
  }
  number.significand = whole + up;
  number.exponent = 0;
  number.kind = number.significand ? Number::Finite : Number::Zero;
  return number;
}

/// The integer nearest to the number in the type.
static uint64_t integerWord(const Number &number, bool isHuge, const ElementType &type) {
  uint64_t mask = ~uint64_t(0) >> (64 - type.bits);
  uint64_t most = type.isSigned ? mask >> 1 : mask;
  uint64_t least = type.isSigned ? (mask >> 1) + 1 : 0; // its magnitude
  if (number.kind == Number::Zero)
    return 0;
  bool isInfinite = number.kind == Number::Infinity || isHuge;
  if (number.negative)
    return (isInfinite || number.significand > least ? 0 - least : 0 - number.significand) & mask;
  return isInfinite || number.significand > most ? most : number.significand;
}

static bool isSubnormal(uint64_t word, const ElementType &type) {
  const numerics::FormatInfo &info = numerics::info(*type.format);
  uint64_t magnitude = word & ~info.signMask();
  return magnitude && magnitude < uint64_t(1) << (info.fractionBits + info.droppedBits);
}

/// What a NaN of `from` becomes: its payload stays where an f64 is read or written, and between
/// bf16 and f32; everything else gives the format's own NaN.
static uint64_t convertNaN(const Conversion &conversion, uint64_t word) {
  const ElementType &from = conversion.from, &to = conversion.to;
  if (!to.format) // f64 and 64-bit integers go another way through the hardware
    return from.bits == 64 || to.bits == 64 ? uint64_t(1) << (to.bits - 1) : 0;
  if (conversion.saturate)
    return 0;
  if (to.format == Format::TF32 && conversion.rounding == numerics::Rounding::NearestAway)
    return conversion.saturateFinite ? (word & 0xffffe000) - 0x2000 : word & 0xffffe000;
  if (from.format == Format::BF16 && to.format == Format::F32)
    return word << 16;
  bool isDouble = from.format == Format::F64 || to.format == Format::F64;
  if (!isDouble || (from.bits < 64 && numerics::info(*to.format).exponentBits == 4))
    return numerics::info(*to.format).nan;
  if (conversion.flushInput)
    word = numerics::info(*from.format).nan;
  const numerics::FormatInfo &in = numerics::info(*from.format), &out = numerics::info(*to.format);
  uint64_t payload = (word & ((uint64_t(1) << in.fractionBits) - 1)) << (52 - in.fractionBits);
  uint64_t fraction = payload >> (52 - out.fractionBits);
  return (word & in.signMask() ? out.signMask() : 0) | out.infinity() | fraction |
         uint64_t(1) << (out.fractionBits - 1);
}

static uint64_t convertElement(const Conversion &conversion, uint64_t word) {
  const ElementType &from = conversion.from, &to = conversion.to;
  Number number;
  if (from.format) {
    if (conversion.flushInput && isSubnormal(word, from))
      word &= numerics::info(*from.format).signMask();
    number = numerics::decode(*from.format, word);
  } else {
    number = integerNumber(word, from);
  }
  if (number.kind == Number::NaN && from.format)
    return convertNaN(conversion, word);
  bool isHuge = false;
  if (conversion.integral != ToIntegral::No)
    number = wholeNumber(number, conversion.integral, isHuge);
  if (!to.format) {
    if (from.format || conversion.saturate)
      return integerWord(number, isHuge, to);
    unsigned shift = 64 - from.bits;
    return from.isSigned ? uint64_t(int64_t(word << shift) >> shift) : word;
  }
  if (conversion.saturate) {
    if (number.negative)
      return 0;
    uint64_t one = numerics::fromDouble(*to.format, 1);
    if (number.kind == Number::Infinity)
      return one;
    uint64_t result = std::min(one, numerics::encode(*to.format, number, conversion.rounding));
    return conversion.flushOutput && isSubnormal(result, to) ? 0 : result;
  }
  if (conversion.relu && number.negative)
    return 0;
  uint64_t result =
      numerics::encode(*to.format, number, conversion.rounding,
                       conversion.saturateFinite ? Overflow::Saturate : Overflow::ByRounding);
  if (conversion.flushOutput && isSubnormal(result, to))
    result &= numerics::info(*to.format).signMask();
  return result;
}

//===----------------------------------------------------------------------===//
// An op
//===----------------------------------------------------------------------===//

static uint64_t wordAt(Execution &x, Slot slot, unsigned bytes, unsigned lane) {
  uint64_t word = 0;
  __builtin_memcpy(&word, x.registers + slot + lane * bytes, bytes);
  return word;
}

/// Op::bytes: of a source word; Op::count: of the result's; Op::list: the row.
static const Op *runConvert(Execution &x, const Op &op, LaneMask mask) {
  const Conversion &conversion = x.code->conversions[op.list];
  uint64_t fromMask = ~uint64_t(0) >> (64 - conversion.from.bits);
  for (unsigned lane : Execution::each(mask)) {
    uint64_t first = wordAt(x, op.a, op.bytes, lane), result = 0;
    if (conversion.sources == 2) {
      uint64_t second = wordAt(x, op.b, op.bytes, lane);
      result = convertElement(conversion, first) << conversion.to.bits |
               convertElement(conversion, second);
    } else {
      for (unsigned i = 0; i < conversion.to.count; ++i)
        result |= convertElement(conversion, first >> (i * conversion.from.bits) & fromMask)
                  << (i * conversion.to.bits);
    }
    // A register wider than an integer is filled with its sign or zeros.
    if (!conversion.to.format && conversion.to.isSigned) {
      unsigned shift = 64 - conversion.to.bits;
      result = uint64_t(int64_t(result << shift) >> shift);
    } else if (!conversion.to.format) {
      result &= ~uint64_t(0) >> (64 - conversion.to.bits);
    }
    __builtin_memcpy(x.registers + op.d + lane * op.count, &result, op.count);
  }
  return op.next();
}

namespace {
/// A conversion that has a handler of its own, if it has no modifiers but these.
struct Frequent {
  Type to, from;
  std::optional<Modifier> rounding;
  ConvertLane lane;
  unsigned sources = 1;
};
} // namespace

static constexpr Frequent frequent[] = {
    {Type::U64, Type::U32, std::nullopt, ConvertLane::Extend32To64U},
    {Type::S64, Type::S32, std::nullopt, ConvertLane::Extend32To64S},
    {Type::U64, Type::S32, std::nullopt, ConvertLane::Extend32To64S},
    {Type::S64, Type::U32, std::nullopt, ConvertLane::Extend32To64U},
    {Type::U32, Type::U16, std::nullopt, ConvertLane::Extend16To32U},
    {Type::S32, Type::U16, std::nullopt, ConvertLane::Extend16To32U},
    {Type::S32, Type::S16, std::nullopt, ConvertLane::Extend16To32S},
    {Type::U32, Type::S16, std::nullopt, ConvertLane::Extend16To32S},
    {Type::U64, Type::U16, std::nullopt, ConvertLane::Extend16To64U},
    {Type::S64, Type::S16, std::nullopt, ConvertLane::Extend16To64S},
    {Type::U32, Type::U64, std::nullopt, ConvertLane::Truncate64To32},
    {Type::S32, Type::S64, std::nullopt, ConvertLane::Truncate64To32},
    {Type::U16, Type::U32, std::nullopt, ConvertLane::Truncate32To16},
    {Type::S16, Type::S32, std::nullopt, ConvertLane::Truncate32To16},
    {Type::U16, Type::U64, std::nullopt, ConvertLane::Truncate64To16},
    {Type::F32, Type::S32, Modifier::Rn, ConvertLane::F32FromS32},
    {Type::F32, Type::U32, Modifier::Rn, ConvertLane::F32FromU32},
    {Type::F32, Type::F16, std::nullopt, ConvertLane::F32FromF16},
    {Type::F32, Type::BF16, std::nullopt, ConvertLane::F32FromBF16},
    {Type::F16, Type::F32, Modifier::Rn, ConvertLane::F16FromF32},
    {Type::BF16, Type::F32, Modifier::Rn, ConvertLane::BF16FromF32},
    {Type::F16x2, Type::F32, Modifier::Rn, ConvertLane::F16x2FromF32, 2},
    {Type::BF16x2, Type::F32, Modifier::Rn, ConvertLane::BF16x2FromF32, 2},
    {Type::S32, Type::F32, Modifier::Rzi, ConvertLane::S32FromF32Zero},
};

static Type bitsType(unsigned bits) {
  return bits <= 16 ? Type::B16 : bits == 32 ? Type::B32 : Type::B64;
}

bool mettle::emulator::decodeCvt(Decoder &decoder) {
  const ptx::Mnemonic &mnemonic = *decoder.mnemonic;
  if (mnemonic.typeCount != 2)
    return decoder.unsupported();
  Type to = mnemonic.types[0], from = mnemonic.types[1];
  std::optional<ElementType> toType = elementType(to), fromType = elementType(from);
  bool known = toType && fromType && !decoder.has(Modifier::Rs) && !decoder.has(Modifier::Scaled);
  if (!known)
    return decoder.unsupported();
  unsigned sources = unsigned(decoder.operands.size()) - 1;
  unsigned held = std::max(ptx::typeBits(to), 16u);
  bool isSpecial = decoder.has(Modifier::Ftz) || decoder.has(Modifier::Sat) ||
                   decoder.has(Modifier::Relu) || decoder.has(Modifier::Satfinite);
  OpClass opClass = OpClass::Convert;
  if (to == Type::F32 && from == Type::F32 && !decoder.has(Modifier::Ftz) &&
      !decoder.has(Modifier::Sat) && !decoder.has(Modifier::Rni) && !decoder.has(Modifier::Rzi) &&
      !decoder.has(Modifier::Rmi) && !decoder.has(Modifier::Rpi)) // a move
    return decoder.emitPlain(handlerOf(IntegerLane::Mov32), opClass, 32, {Type::B32});

  for (const Frequent &one : frequent) {
    bool isThis = one.to == to && one.from == from && one.sources == sources && !isSpecial &&
                  (!one.rounding || decoder.has(*one.rounding)) &&
                  decoder.bitsOf(decoder.operands[0]) == ptx::typeBits(to);
    if (!isThis)
      continue;
    Type in = bitsType(ptx::typeBits(from));
    return sources == 2 ? decoder.emitPlain(handlerOf(one.lane), opClass, held, {in, in})
                        : decoder.emitPlain(handlerOf(one.lane), opClass, held, {in});
  }

  Conversion conversion;
  conversion.from = *fromType;
  conversion.to = *toType;
  conversion.sources = sources;
  if (sources > 2 || (sources == 2 && (toType->count != 2 || fromType->count != 1)) ||
      (sources == 1 && toType->count != fromType->count))
    return decoder.unsupported();
  static constexpr std::pair<Modifier, numerics::Rounding> roundings[] = {
      {Modifier::Rn, numerics::Rounding::NearestEven},
      {Modifier::Rz, numerics::Rounding::TowardZero},
      {Modifier::Rm, numerics::Rounding::Down},
      {Modifier::Rp, numerics::Rounding::Up},
      {Modifier::Rna, numerics::Rounding::NearestAway}};
  static constexpr std::pair<Modifier, ToIntegral> integrals[] = {
      {Modifier::Rni, ToIntegral::NearestEven},
      {Modifier::Rzi, ToIntegral::TowardZero},
      {Modifier::Rmi, ToIntegral::Down},
      {Modifier::Rpi, ToIntegral::Up}};
  for (auto [modifier, rounding] : roundings)
    if (decoder.has(modifier))
      conversion.rounding = rounding;
  for (auto [modifier, integral] : integrals)
    if (decoder.has(modifier))
      conversion.integral = integral;
  if (fromType->format && !toType->format && conversion.integral == ToIntegral::No)
    return decoder.unsupported();
  // An f16 result takes f32 subnormals as they are.
  conversion.flushInput = decoder.has(Modifier::Ftz) && from == Type::F32 && to != Type::F16;
  conversion.flushOutput = decoder.has(Modifier::Ftz) && to == Type::F32;
  conversion.saturate = decoder.has(Modifier::Sat);
  conversion.saturateFinite = decoder.has(Modifier::Satfinite);
  conversion.relu = decoder.has(Modifier::Relu);

  // The result may go to a wider register, an integer then with its sign.
  const ptx::Operand &result = decoder.operands[0];
  unsigned width = std::max(decoder.bitsOf(result), held);
  Type in = bitsType(ptx::typeBits(from));
  Slot d = decoder.write(result, width), a = decoder.read(decoder.operands[1], in), b = NoSlot;
  if (sources == 2)
    b = decoder.read(decoder.operands[2], in);
  if (d == NoSlot || a == NoSlot || (sources == 2 && b == NoSlot))
    return false;
  Op &op = decoder.emit(runConvert, opClass);
  op.d = d;
  op.a = a;
  op.b = b;
  op.bytes = uint8_t(ptx::typeBits(in) / 8);
  op.count = uint16_t(width / 8);
  op.list = uint32_t(decoder.code.conversions.size());
  decoder.code.conversions.push_back(conversion);
  return true;
}
