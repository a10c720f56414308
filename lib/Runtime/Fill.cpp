//===- Fill.cpp - Reproducible contents for argument arrays ---------------===//
//
// The generators, integer arithmetic only. The mixture of special values is a
// table of sixteen equally likely slots, chosen by the top four bits of a word.
//
//===----------------------------------------------------------------------===//

#include "Mettle/Runtime/Fill.h"

#include "llvm/ADT/APFloat.h"
#include "llvm/Support/MathExtras.h"

#include <cmath>
#include <functional>

using namespace llvm;

namespace mettle::runtime {

uint64_t randomWord(uint64_t seed, uint64_t index) {
  uint64_t z = seed + (index + 1) * 0x9E3779B97F4A7C15ull;
  z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ull;
  z = (z ^ (z >> 27)) * 0x94D049BB133111EBull;
  return z ^ (z >> 31);
}

namespace {

enum class Special : uint8_t {
  NearOne,        ///< exponent within 2^-4 .. 2^3
  Finite,         ///< any normal exponent
  One,            ///< 1
  Zero,           ///< 0
  Infinity,       ///< infinity
  Subnormal,      ///< any subnormal but 0
  LeastSubnormal, ///< smallest number above 0
  MostSubnormal,  ///< largest subnormal
  LeastNormal,    ///< smallest normal
  Tiny,           ///< one of the four lowest normal exponents
  Huge,           ///< one of the four highest exponents
  Largest,        ///< largest finite
  QuietNaN,       ///< quiet, any payload
  SignallingNaN,  ///< signalling, any payload but 0
};

} // namespace

/// Slot by the top four bits of the word; `nan:` replaces the first two.
static constexpr Special specialSlots[16] = {
    Special::Finite,        Special::Finite,      Special::NearOne,   Special::NearOne,
    Special::NearOne,       Special::One,         Special::Zero,      Special::Zero,
    Special::Infinity,      Special::Subnormal,   Special::Subnormal, Special::LeastSubnormal,
    Special::MostSubnormal, Special::LeastNormal, Special::Tiny,      Special::Huge,
};

static uint64_t specialFloat(const ElementRecord &record, uint64_t word, bool withNaN) {
  // Bits 63..60 choose the slot, 59 the sign, 58..52 place the exponent and
  // 51..0 are the fraction, of which a narrow format takes the low bits.
  unsigned slot = unsigned(word >> 60);
  uint64_t sign = (word >> 59) & 1;
  uint64_t place = (word >> 52) & 0x7F;
  uint64_t fractionMask = maskTrailingOnes<uint64_t>(record.fractionBits);
  uint64_t fraction = word & fractionMask;
  uint64_t quietBit = uint64_t(1) << (record.fractionBits - 1);
  uint64_t top = maskTrailingOnes<uint64_t>(record.exponentBits());
  uint64_t bias = top >> 1;

  Special special = specialSlots[slot];
  if (withNaN && slot < 2)
    special = slot == 0 ? Special::QuietNaN : Special::SignallingNaN;
  if (special == Special::Huge && place >= 0x40)
    special = Special::Largest;

  uint64_t exponent = 0;
  switch (special) {
  case Special::NearOne:
    exponent = bias - 4 + (place & 7);
    break;
  case Special::Finite:
    exponent = 1 + ((place * (top - 1)) >> 7);
    break;
  case Special::One:
    exponent = bias;
    fraction = 0;
    break;
  case Special::Zero:
    fraction = 0;
    break;
  case Special::Infinity:
    exponent = top;
    fraction = 0;
    break;
  case Special::Subnormal:
    fraction |= fraction == 0;
    break;
  case Special::LeastSubnormal:
    fraction = 1;
    break;
  case Special::MostSubnormal:
    fraction = fractionMask;
    break;
  case Special::LeastNormal:
    exponent = 1;
    fraction = 0;
    break;
  case Special::Tiny:
    exponent = 1 + (place & 3);
    break;
  case Special::Huge:
    exponent = top - 1 - (place & 3);
    break;
  case Special::Largest:
    exponent = top - 1;
    fraction = fractionMask;
    break;
  case Special::QuietNaN:
    exponent = top;
    fraction |= quietBit;
    break;
  case Special::SignallingNaN:
    exponent = top;
    fraction &= ~quietBit;
    fraction |= fraction == 0;
    break;
  }
  return (sign << (record.bits() - 1)) | (exponent << record.fractionBits) | fraction;
}

static uint64_t specialInteger(const ElementRecord &record, uint64_t word) {
  unsigned width = record.bits();
  uint64_t mask = maskTrailingOnes<uint64_t>(width);
  uint64_t highBit = uint64_t(1) << (width - 1);
  switch (word >> 61) {
  case 0:
    return 0;
  case 1:
    return 1;
  case 2:
    return mask; // -1, or the largest unsigned
  case 3:
    return highBit; // the smallest signed
  case 4:
    return highBit - 1; // the largest signed
  case 5:
    return ((word & 15) - 8) & mask; // -8 .. 7
  case 6:
    return uint64_t(1) << (word % width);
  default:
    return word & mask;
  }
}

static uint64_t iotaFloat(const ElementRecord &record, uint64_t index) {
  APFloat value(record.semantics());
  value.convertFromAPInt(APInt(64, index), /*IsSigned=*/false, APFloat::rmNearestTiesToEven);
  return value.bitcastToAPInt().getZExtValue();
}

/// Every step is exact: the numerator has at most p significant bits.
static uint64_t uniformFloat(const ElementRecord &record, uint64_t word) {
  unsigned precision = record.fractionBits + 1;
  int64_t numerator = int64_t(word >> (64 - precision)) - (int64_t(1) << (precision - 1));
  APFloat value(std::ldexp(double(numerator), 1 - int(precision)));
  bool losesInfo;
  value.convert(record.semantics(), APFloat::rmTowardZero, &losesInfo);
  return value.bitcastToAPInt().getZExtValue();
}

template <typename Generator> static void generate(Buffer &buffer, Generator &&element) {
  for (uint64_t i = 0, end = buffer.size(); i != end; ++i)
    buffer.setBitsAt(i, element(i));
}

/// What `text` asks for: a function from index to bits.
static Expected<std::function<uint64_t(uint64_t)>> parseGenerator(const ElementRecord &record,
                                                                  StringRef text) {
  bool isFloat = record.kind == ElementKind::Float;
  unsigned width = record.kind == ElementKind::Bool ? 1 : record.bits();
  uint64_t mask = maskTrailingOnes<uint64_t>(width);

  if (text == "iota")
    return [=](uint64_t i) { return isFloat ? iotaFloat(record, i) : i & mask; };

  auto [name, seedText] = text.split(':');
  bool isNaN = name == "nan" && text.contains(':');
  if (name == "rand" || name == "special" || isNaN) {
    uint64_t seed;
    if (seedText.getAsInteger(10, seed))
      return createStringError("expected " + name + ":SEED with a decimal seed, found '" + text +
                               "'");
    if (isNaN && !isFloat)
      return createStringError("expected a float type for nan:SEED, found " + record.name);
    if (name == "rand")
      return [=](uint64_t i) {
        uint64_t word = randomWord(seed, i);
        return isFloat ? uniformFloat(record, word) : word >> (64 - width);
      };
    return [=](uint64_t i) {
      uint64_t word = randomWord(seed, i);
      if (isFloat)
        return specialFloat(record, word, isNaN);
      return width == 1 ? word & 1 : specialInteger(record, word);
    };
  }

  Expected<uint64_t> value = parseElement(record.type, text);
  if (!value) {
    consumeError(value.takeError());
    return createStringError("expected iota, zeros, ones, rand:SEED, special:SEED, nan:SEED, "
                             "@FILE.npy or a value of type " +
                             record.name + ", found '" + text + "'");
  }
  return [bits = *value](uint64_t) { return bits; };
}

Expected<Buffer> filledBuffer(ElementType type, ArrayRef<uint64_t> shape, StringRef text) {
  const ElementRecord &record = recordOf(type);
  bool isBool = record.kind == ElementKind::Bool;
  if (text == "ones")
    text = isBool ? "true" : "1";

  std::function<uint64_t(uint64_t)> element;
  if (text != "zeros") {
    auto generator = parseGenerator(record, text);
    if (!generator)
      return generator.takeError();
    element = std::move(*generator);
  }
  Expected<Buffer> buffer = Buffer::zeros(type, shape);
  if (!buffer || !element)
    return buffer;
  for (uint64_t i = 0, end = buffer->size(); i != end; ++i)
    buffer->setBitsAt(i, element(i));
  return buffer;
}

} // namespace mettle::runtime
