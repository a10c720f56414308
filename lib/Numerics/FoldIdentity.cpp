//===- FoldIdentity.cpp - What a fold computes, as a hash -----------------===//
//
// hashAt() expands a descriptor's fold into a graph of values and brings it to a normal form: what
// is computed from what, with every rounding, without the aliases that IEEE 754 has for sums.
// Equal hashes mean equal bits; the property tests evaluate both sides.
//
//===----------------------------------------------------------------------===//

#include "Epilogue.h"
#include "Mettle/Numerics/SumTree.h"
#include "PlanFold.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/xxhash.h"
#include <limits>

using namespace mettle::numerics;

static uint64_t combine(llvm::ArrayRef<uint64_t> words) {
  return llvm::xxHash64(llvm::ArrayRef<uint8_t>(reinterpret_cast<const uint8_t *>(words.data()),
                                                words.size() * sizeof(uint64_t)));
}

/// Exponent of the smallest positive number of a float format.
static int grid(Format format) { return info(format).minExponent() - info(format).fractionBits; }

namespace {

enum Tag : uint64_t {
  ZeroTag = 1,
  FromCTag,
  StepTag,
  TermTag,
  RoundTag,
  AddTag,
  ProductTag,
  FMATag,
  PositiveTag,
  ResultTag
};

/// A value of the fold. Two of the same `loose` hash are equal but for the sign of a zero. That
/// sign changes nothing but the signs of other zeros, and a value that is never -0 is told by its
/// loose hash alone: where a sum starts at +0 shows in no other way.
struct Value {
  Format format; ///< One that holds the value.
  uint64_t loose;
  uint64_t hash;
  bool neverNegativeZero = false;
  bool isZero = false; ///< +0, whatever the operands.
  bool isSum = false;
  uint32_t x = 0, y = 0; ///< Of a sum.
};

/// Values are numbers into a table of them. Additions and the products of a group commute.
class Values : public PlanFold<Values, uint32_t> {
public:
  Values(const GEMMDesc &desc, const KPlan &plan) : PlanFold(desc, plan) {
    // How far a group is filled shows in the plan; its size beyond that shows in nothing.
    ArithmeticClass step = desc.step;
    if (step.isFused() && step.kind != ArithmeticClass::BlockFused)
      step.group = 1;
    classHash = llvm::xxHash64(step.text());
    isInteger = step.isInteger();
    // A step in f64 keeps a NaN's payload, an addition between steps does not: there +0 is added.
    keepsPayload = step.result == Format::F64;
    // All products are multiples of the smallest, and so are all sums, rounded or not.
    if (!isInteger && !desc.scale)
      quantum = grid(desc.a) + grid(desc.b);
  }

  uint64_t hash(uint32_t value) const { return values[value].hash; }

  uint32_t start() {
    if (!desc.startFromC)
      return zero(desc.step.result);
    return make(desc.step.result, combine({FromCTag}), combine({FromCTag}), false);
  }

  uint32_t zero(Format format) {
    uint32_t v = make(format, combine({ZeroTag}), 0, true);
    values[v].isZero = true;
    return v;
  }

  uint32_t round(uint32_t v, Format, Format to) { return round(v, to); }
  uint32_t round(uint32_t v, Format to) {
    Value value = values[v];
    if (holdsExactly(to, value.format))
      return v;
    if (isSumOfNarrow(value, to)) {
      uint32_t once = add(to, value.x, to, value.y);
      return value.neverNegativeZero ? positive(once) : once;
    }
    return make(to, combine({RoundTag, uint64_t(to), value.loose}),
                combine({RoundTag, uint64_t(to), value.hash}),
                value.neverNegativeZero && cannotVanish(to));
  }

  uint32_t add(Format to, uint32_t x, Format, uint32_t y) {
    if (values[x].isZero)
      std::swap(x, y);
    Value a = values[x], b = values[y];
    // Whether only a sum of zeros is zero, so that one is -0 only if both are.
    bool exactZero =
        isInteger || cannotVanish(to) || (holdsExactly(to, a.format) && holdsExactly(to, b.format));
    if (b.isZero && !keepsPayload) {
      uint32_t rounded = round(x, to);
      if (a.neverNegativeZero || exactZero)
        return a.neverNegativeZero ? rounded : positive(rounded);
      return make(to, values[rounded].loose, combine({AddTag, uint64_t(to), a.hash}), false);
    }
    auto [low, high] = std::minmax(a.loose, b.loose);
    uint64_t loose = combine({AddTag, uint64_t(to), low, high}), hash = loose;
    // Beside what is never -0 the sign of a zero does not count.
    bool oneNever = a.neverNegativeZero || b.neverNegativeZero;
    if (!oneNever) {
      auto [lowHash, highHash] = std::minmax(a.hash, b.hash);
      hash = combine({AddTag, uint64_t(to), lowHash, highHash});
    }
    uint32_t v = make(to, loose, hash, oneNever && exactZero);
    values[v].isSum = true, values[v].x = x, values[v].y = y;
    return v;
  }

  uint32_t instruction(uint32_t acc, llvm::ArrayRef<uint64_t> products) {
    if (desc.step.isChain())
      return chained(acc, products);
    const ArithmeticClass &step = desc.step;
    // The halves of FusedViaF16 and FloorFusedPairs depend on places within the instruction.
    bool placed =
        step.kind == ArithmeticClass::FusedViaF16 || step.kind == ArithmeticClass::FloorFusedPairs;
    // An integer instruction saturates once.
    size_t size = placed || !step.isFused() ? products.size() : step.group;
    for (size_t at = 0; at < products.size(); at += size) {
      uint64_t terms = 0;
      for (size_t i = at; i < std::min(at + size, products.size()); ++i)
        terms += combine({TermTag, products[i], placed ? i & 3 : 0});
      acc = group(acc, terms);
    }
    return acc;
  }

private:
  uint32_t make(Format format, uint64_t loose, uint64_t hash, bool never) {
    never |= isInteger;
    values.push_back({format, loose, never ? combine({PositiveTag, loose}) : hash, never});
    return uint32_t(values.size() - 1);
  }

  /// The value with +0 for -0.
  uint32_t positive(uint32_t v) {
    Value value = values[v];
    value.neverNegativeZero = true;
    value.hash = combine({PositiveTag, value.loose});
    values.push_back(value);
    return uint32_t(values.size() - 1);
  }

  /// Whether rounding to the format makes no sum of products zero that is not.
  bool cannotVanish(Format format) const { return quantum >= grid(format); }

  /// The sum of two numbers of a narrow format, rounded to a format of more than twice the bits and
  /// then to the narrow one, is the sum rounded once (Figueroa 1995); where it is subnormal there
  /// it is exact.
  bool isSumOfNarrow(const Value &value, Format narrow) const {
    return value.isSum && holdsExactly(narrow, values[value.x].format) &&
           holdsExactly(narrow, values[value.y].format) && holdsExactly(value.format, narrow) &&
           info(value.format).fractionBits >= 2 * info(narrow).fractionBits + 3;
  }

  /// Scalar steps. A product that the accumulator's format holds, or that is rounded to it, is an
  /// addend like any other.
  uint32_t chained(uint32_t acc, llvm::ArrayRef<uint64_t> products) {
    Format format = desc.step.result;
    bool exact = desc.hasExactProducts() && !keepsPayload;
    bool addends = exact || (desc.step.kind == ArithmeticClass::MulAdd && !keepsPayload);
    for (uint64_t k : products) {
      uint64_t product = combine({ProductTag, k, exact ? 0 : 1 + uint64_t(format)});
      if (addends) {
        acc = add(format, acc, format, make(format, product, product, false));
        continue;
      }
      Value from = values[acc];
      uint64_t kind = uint64_t(desc.step.kind);
      uint64_t loose = combine({FMATag, kind, uint64_t(format), from.loose, k});
      uint64_t hash = combine({FMATag, kind, uint64_t(format), from.hash, k});
      // The first is the product rounded, but for the sign of an exact zero.
      acc = make(format, from.isZero && !keepsPayload ? product : loose, hash,
                 from.neverNegativeZero && cannotVanish(format));
    }
    return acc;
  }

  uint32_t group(uint32_t acc, uint64_t terms) {
    const ArithmeticClass &step = desc.step;
    // The accumulator of FusedViaF16 is an addend like any other.
    bool addend = step.kind == ArithmeticClass::FusedViaF16;
    Value from = values[addend ? zero(step.result) : acc];
    // To a fused step a zero is a zero, and its own zero is +0.
    bool signless = addend || step.kind == ArithmeticClass::Fused ||
                    step.kind == ArithmeticClass::ScaledFused ||
                    step.kind == ArithmeticClass::BlockFused;
    uint32_t result = make(step.result, combine({StepTag, classHash, from.loose, terms}),
                           combine({StepTag, classHash, from.hash, terms}), signless);
    return addend ? add(step.result, acc, step.result, result) : result;
  }

  std::vector<Value> values;
  uint64_t classHash;
  int quantum = std::numeric_limits<int>::min();
  bool isInteger, keepsPayload;
};

} // namespace

uint64_t mettle::numerics::hashAt(const GEMMDesc &original, uint64_t k) {
  GEMMDesc desc = original.canonical();
  KPlan plan = KPlan::build(desc, k);
  Values values(desc, plan);
  uint32_t value = values.fold();
  // Without an epilogue the output is one more rounding, and none if a sum had it already.
  if (desc.epilogue.ops.empty() && desc.outputOverflow == Overflow::ByRounding)
    value = values.round(value, desc.output);
  // What comes after the fold, and the formats it works on, by their text.
  GEMMDesc rest;
  rest.a = desc.a, rest.b = desc.b;
  rest.scale = desc.scale, rest.scaleBlock = desc.scaleBlock;
  rest.epilogue = desc.epilogue;
  if (rest.epilogue.ops.empty())
    rest.epilogue.compute = rest.step.result;
  rest.output = desc.output, rest.outputOverflow = desc.outputOverflow;
  return combine({ResultTag, llvm::xxHash64(rest.text()), values.hash(value)});
}
