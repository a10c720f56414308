//===- Draw.cpp - Words for the memory that trees read --------------------===//
//
// A word is a hash of the seed and its place, shaped by what the draw is after: each kind brings
// out another way in which two computations of one number part.
//
//===----------------------------------------------------------------------===//

#include "Mettle/Checker/Tree/Value.h"
#include "Operation.h"

using namespace mettle::checker;
using namespace mettle::numerics;

static uint64_t mixed(uint64_t x) {
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9;
  x = (x ^ (x >> 27)) * 0x94d049bb133111eb;
  return x ^ (x >> 31);
}

static Format formatOfBytes(unsigned bytes) {
  return bytes >= 4 ? Format::F32 : bytes == 2 ? Format::F16 : Format::E4M3;
}

/// A sign, an exponent that the format may cut, and a random fraction.
static uint64_t number(const FormatInfo &format, bool negative, int exponent, uint64_t random) {
  int last = (1 << format.exponentBits) - 2;
  uint64_t biased = std::clamp(exponent + format.bias, 0, last);
  return (negative ? format.signMask() : 0) | biased << format.fractionBits |
         (random & ((uint64_t(1) << format.fractionBits) - 1));
}

static uint64_t special(const FormatInfo &format, uint64_t random, bool negative) {
  uint64_t sign = negative ? format.signMask() : 0;
  switch (random >> 52 & 3) {
  case 0:
    return sign | (format.hasInfinity() ? format.infinity() : format.maxFinite());
  case 1:
    return format.nan;
  default:
    return sign;
  }
}

static uint64_t element(InputDraw::Kind kind, uint64_t seed, uint32_t parameter, Format which,
                        uint64_t random) {
  const FormatInfo &format = info(which);
  bool negative = random >> 60 & 1;
  auto within = [&](int span) { return int(random >> 32 & 0xffff) % (2 * span + 1) - span; };
  // What all elements of a draw have in common.
  uint64_t common = mixed(seed);
  bool isLarge = (random >> 40 & 127) >> (common >> 8 & 7) == 0;
  switch (kind) {
  case InputDraw::Zeros:
    // Of one sign in each parameter, or of both.
    if (seed % 4)
      negative = mixed(seed + parameter) & 1;
    return negative ? format.signMask() : 0;
  case InputDraw::Special:
    if ((random >> 56 & 3) == 0)
      return special(format, random, negative);
    break;
  case InputDraw::Small:
    return number(format, negative, within(2) - (format.bits == 8 ? 3 : 6), random);
  case InputDraw::Wide:
    return number(format, negative,
                  within(format.exponentBits >= 8   ? 40
                         : format.exponentBits == 5 ? 10
                                                    : 5),
                  random);
  case InputDraw::Levels: {
    int gap = 4 + int(common >> 16) % 24, high = int(common >> 32 & 7) - 2;
    return number(format, negative && (common & 1), isLarge ? high : high - gap - within(1),
                  random);
  }
  case InputDraw::Exponents: {
    double fraction = double(random & 0xffff) / 65536;
    double far = 4 + double(common >> 16 & 0xff) / 16;
    return fromDouble(which, isLarge ? -2 * fraction : -far - fraction);
  }
  default:
    break;
  }
  return number(format, negative, within(2), random);
}

unsigned InputDraw::elementBytes(uint32_t parameter) const {
  auto found = formats.find(parameter);
  return found == formats.end() ? 4 : info(found->second).bits / 8;
}

bool InputDraw::has(uint32_t parameter, int64_t offset, unsigned bytes) const {
  auto known = contents.find(parameter);
  return known == contents.end() ||
         (offset >= 0 && uint64_t(offset) + bytes <= known->second.size());
}

uint64_t InputDraw::word(uint32_t parameter, int64_t offset, unsigned bytes) const {
  if (auto known = contents.find(parameter); known != contents.end()) {
    uint64_t word = 0;
    std::memcpy(&word, known->second.data() + offset, std::min(bytes, 8u));
    return word;
  }
  auto found = formats.find(parameter);
  Format format = found == formats.end() ? formatOfBytes(bytes) : found->second;
  unsigned size = info(format).bits / 8;
  uint64_t result = 0;
  for (unsigned at = 0; at < bytes && at < 8; at += size) {
    Place place(parameter, offset + at);
    auto known = given.find(place);
    uint64_t random = mixed(mixed(seed * 0x9e3779b97f4a7c15 + parameter) + uint64_t(place.second));
    result |=
        (known != given.end() ? known->second : element(kind, seed, parameter, format, random))
        << 8 * at;
  }
  return result;
}

/// The format in which a node takes its children, if its name says one.
static std::optional<Format> operandFormat(const Templates &trees, const Template &node,
                                           bool second) {
  llvm::StringRef name = trees.nameOf(node);
  if (name.empty())
    return std::nullopt;
  Operation operation = Operation::parse(name);
  std::optional<Format> format;
  if (operation.kind == Operation::Step)
    format = second ? operation.to : operation.from;
  else if (operation.kind == Operation::Approximate)
    format = parseFormat(name.rsplit('.').second);
  else if (operation.kind != Operation::Unknown && operation.kind != Operation::Integer)
    format = operation.from;
  if (format == Format::TF32)
    return Format::F32;
  if (!format || info(*format).isInteger || info(*format).bits < 8 || info(*format).bits > 32 ||
      *format == Format::UE8M0)
    return std::nullopt;
  return format;
}

void mettle::checker::findFormats(const Templates &trees, TemplateId tree,
                                  std::map<uint32_t, Format> &formats) {
  struct Item {
    TemplateId tree;
    std::optional<Format> first, second;
  };
  std::vector<Item> work = {{tree, std::nullopt, std::nullopt}};
  std::map<TemplateId, bool> seen;
  std::map<uint32_t, bool> isSaid;
  while (!work.empty()) {
    Item item = work.back();
    work.pop_back();
    const Template &node = trees[item.tree];
    if (node.kind == Template::Leaf) {
      unsigned bytes = std::min<unsigned>(node.bytes, 4);
      bool isTold = item.first && info(*item.first).bits / 8 <= bytes;
      Format format = isTold ? *item.first : formatOfBytes(bytes);
      auto [place, isNew] = formats.try_emplace(node.slots[0], format);
      bool &said = isSaid[node.slots[0]];
      unsigned before = info(place->second).bits, now = info(format).bits;
      if (now < before || (now == before && isTold && !said))
        place->second = format;
      said |= isTold && now <= before;
      continue;
    }
    if (!seen.try_emplace(item.tree, true).second)
      continue;
    std::optional<Format> first = operandFormat(trees, node, false);
    std::optional<Format> second = operandFormat(trees, node, true);
    bool handsOn = node.kind == Template::Pair || node.kind == Template::Dot ||
                   node.kind == Template::Select || node.kind == Template::Set;
    if (!first && handsOn) {
      first = item.first;
      second = item.second;
    }
    if (!first && node.kind == Template::Extract) {
      first = item.first && info(*item.first).bits == 8u * node.bytes
                  ? item.first
                  : std::optional(formatOfBytes(node.bytes));
      second = first;
    }
    for (size_t i = 0; i < node.children.size(); ++i) {
      bool isSecond = node.kind == Template::Pair && i == 1;
      work.push_back({node.children[i].tree, isSecond ? second : first, second});
    }
  }
}
