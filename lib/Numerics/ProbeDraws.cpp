//===- ProbeDraws.cpp - Operands that tell almost-right sums apart --------===//
//
// A rounding shows where a sum is a little more than its format holds and what hides it cancels; a
// start at +0 shows where every part is -0; an order shows where a first part overflows. Dense
// matrices meet none of that by chance, a few products in the right places do.
//
//===----------------------------------------------------------------------===//

#include "ProbeDraws.h"
#include "llvm/Support/MathExtras.h"
#include <cmath>
#include <cstring>

using namespace mettle::numerics;

namespace {

class Random {
public:
  explicit Random(uint64_t seed) : state(seed) {}
  uint64_t word() {
    uint64_t z = (state += 0x9E3779B97F4A7C15);
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EB;
    return z ^ (z >> 31);
  }
  uint64_t below(uint64_t bound) { return word() % bound; }
  double unit() { return double(word() >> 11) * 0x1p-53; }

private:
  uint64_t state;
};

enum Magnitudes : uint8_t {
  NearOne,
  Binades,      ///< Exponents of a dozen binades.
  Few,          ///< Few magnitudes: large terms meet their opposites, small ones remain.
  Smallest,     ///< Products about the smallest normal number of a sum.
  TinyNegative, ///< Products all negative and so small that sums, or narrow ones, are -0.
  Subnormal,    ///< Subnormals and zeros.
  Cancel,       ///< Large products and some about the last fraction bit that is kept beside them.
  Largest,      ///< Some products about the largest f16.
  Remainder,    ///< A product, its opposite, and one about the last fraction bit kept beside them.
  Alike,        ///< All of a row and a column alike: what a product lost when rounded remains.
  Underflow,    ///< Small multiples of a fraction of the smallest sum: ties, and halves of them.
};

enum Sparsity : uint8_t {
  Dense,
  Fifth,     ///< One product of five.
  Local,     ///< Two to six that meet early in the tree.
  Triple,    ///< Two that meet early, and one anywhere.
  OneAChain, ///< One of each accumulator, so that its value is that product.
};

struct Draw {
  Magnitudes magnitudes;
  Sparsity sparsity;
  int exponent = 0; ///< Of the operands of TinyNegative: products vanish in f32, bf16 or f16.
};
constexpr Draw draws[] = {
    {NearOne, Dense},
    {Binades, Dense},
    {Remainder, Triple},
    {Few, Dense},
    {Smallest, Dense},
    {Remainder, Triple},
    {TinyNegative, OneAChain, -100},
    {Remainder, Triple},
    {Cancel, Local},
    {Binades, Local},
    {TinyNegative, Dense, -100},
    {Cancel, Fifth},
    {Underflow, Local},
    {Binades, OneAChain},
    {Largest, Local},
    {TinyNegative, OneAChain, -69},
    {Subnormal, Dense},
    {Few, Local},
    {Largest, OneAChain},
    {Underflow, Dense},
    {Cancel, OneAChain},
    {TinyNegative, OneAChain, -16},
    {Underflow, OneAChain},
    {Alike, Local},
    {Alike, Dense},
    {Remainder, Triple},
    {TinyNegative, Dense, -16},
    {Remainder, Triple},
    {NearOne, OneAChain},
    {Remainder, Triple},
    {Smallest, OneAChain},
};

/// One element. `side` is 0 in A, 1 in B; `turn` changes from trial to trial.
uint64_t element(Random &random, Format format, const Draw &draw, unsigned turn, unsigned side) {
  const FormatInfo &f = info(format);
  if (f.isInteger)
    return random.word() & llvm::maskTrailingOnes<uint64_t>(f.bits);
  double sign = random.below(2) ? -1 : 1, magnitude = 1;
  int smallest = f.minExponent() - f.fractionBits;
  switch (draw.magnitudes) {
  case NearOne:
    magnitude = 0.5 + random.unit();
    break;
  case Binades:
    magnitude = std::ldexp(1 + random.unit(), -int(random.below(12)));
    break;
  case Few:
    magnitude = random.below(3) ? 1 : std::ldexp(1.0, -int(random.below(14)));
    break;
  case Smallest:
    magnitude = std::ldexp(1 + random.unit(), -f.bias / 2 - int(random.below(12)));
    break;
  case TinyNegative:
    sign = side ? -1 : 1;
    magnitude =
        std::ldexp(1 + double(random.below(2)) * random.unit(), std::max(draw.exponent, smallest));
    break;
  case Subnormal:
    magnitude =
        random.below(4) ? toDouble(format, random.below(8) << f.droppedBits) : random.unit();
    break;
  case Cancel: {
    int large = int(turn % 4) * 2;
    bool small = random.below(2);
    magnitude = small
                    ? std::ldexp(1 + double(random.below(4)) / 4, large - 11 - int(random.below(4)))
                    : std::ldexp(1.0, large);
    break;
  }
  case Largest:
    magnitude = random.below(3)
                    ? std::ldexp(1 - std::ldexp(random.unit(), -int(random.below(11))), 8)
                    : std::ldexp(1 + random.unit(), -int(random.below(6)));
    break;
  case Remainder:
  case Alike: // `random` is the row's or the column's: see fill()
    return fromDouble(format, std::ldexp(1 + random.unit(), int(turn % 3) * 3));
  case Underflow: {
    // Half the exponent of the smallest sum: of f32 where the operands reach down to it, of f16
    // else.
    int half = f.exponentBits >= 8 ? -75 : -12;
    magnitude =
        std::ldexp(double(1 + random.below(7)), std::max(half - int(random.below(2)), smallest));
    break;
  }
  }
  return fromDouble(format, sign * magnitude);
}

/// Elements below the ancestor of a leaf that is at most `climb` above it.
std::vector<uint64_t> neighbours(const SumTree &tree, uint32_t leaf, uint64_t climb) {
  uint32_t top = leaf;
  for (; climb > 0 && tree[top].parent != SumTree::none; --climb)
    top = tree[top].parent;
  return tree.elementsBelow(top);
}

} // namespace

ProbeDraws::ProbeDraws(const BlackBox &box, const SumTree &tree, llvm::ArrayRef<GEMMDesc> forms,
                       uint64_t seed)
    : box(box), tree(tree), seed(seed) {
  if (forms.empty() || tree.empty())
    return;
  for (const GEMMDesc *form : {&forms.front(), &forms.back()}) {
    KPlan plan = KPlan::build(*form, tree[tree.root()].leaves);
    Chains &chains = readings.emplace_back();
    for (const KPlan::Node &node : plan.nodes)
      if (node.level < 0)
        chains.emplace_back(plan.order.begin() + plan.steps[node.firstStep].begin,
                            plan.order.begin() + plan.steps[node.endStep - 1].end);
  }
}

unsigned ProbeDraws::trials() { return 2 * std::size(draws); }

/// The products of one row or column that are not zero; empty for all. Of a triple the two that
/// meet early come first.
std::vector<uint64_t> ProbeDraws::present(unsigned sparsity, uint64_t seed) const {
  Random random(seed);
  std::vector<uint64_t> elements;
  switch (Sparsity(sparsity)) {
  case Dense:
    break;
  case Fifth:
    for (uint64_t k = 0; k < box.k; ++k)
      if (random.below(5) == 0)
        elements.push_back(k);
    break;
  case Local:
  case Triple: {
    if (tree.empty())
      break;
    uint32_t leaf = tree.leafOf(random.below(tree[tree.root()].leaves));
    if (leaf == SumTree::none)
      break;
    std::vector<uint64_t> near = neighbours(tree, leaf, 1 + random.below(3));
    elements.push_back(tree[leaf].k);
    for (uint64_t count = sparsity == Triple ? 1 : 1 + random.below(3); count > 0; --count)
      elements.push_back(near[random.below(near.size())]);
    for (uint64_t count = sparsity == Triple ? 1 : random.below(3); count > 0; --count)
      elements.push_back(random.below(box.k));
    break;
  }
  case OneAChain:
    if (!readings.empty())
      for (const std::vector<uint64_t> &chain : readings[random.below(readings.size())])
        elements.push_back(chain[random.below(chain.size())]);
    break;
  }
  return elements;
}

void ProbeDraws::fill(unsigned trial, std::vector<uint8_t> &a, std::vector<uint8_t> &b) const {
  const Draw &draw = draws[trial % std::size(draws)];
  Magnitudes magnitudes = draw.magnitudes;
  unsigned turn = trial / unsigned(std::size(draws)) + trial % unsigned(std::size(draws));
  Random random(seed + trial);
  auto filled = [&](uint64_t rows, uint64_t cols, Format format, unsigned side) {
    unsigned width = (info(format).bits + 7) / 8;
    std::vector<uint8_t> bytes(rows * cols * width);
    for (uint64_t at = 0; at < rows * cols; ++at) {
      Random line(seed ^ (trial * 1000003 + (side ? at % cols : at / cols) * 2 + side));
      uint64_t code = element(magnitudes == Alike || magnitudes == Remainder ? line : random,
                              format, draw, turn, side);
      if (magnitudes == Alike && random.below(2)) // signs differ
        code ^= info(format).signMask();
      memcpy(&bytes[at * width], &code, width);
    }
    return bytes;
  };
  a = filled(box.m, box.k, box.a, 0);
  b = filled(box.k, box.n, box.b, 1);
  if (info(box.a).isInteger)
    return;
  // The longer side of D has more choices to make: the other operand stays dense.
  bool byRow = box.m >= box.n;
  Format format = byRow ? box.a : box.b;
  unsigned width = (info(format).bits + 7) / 8;
  std::vector<uint8_t> &bytes = byRow ? a : b;
  for (uint64_t line = 0; line < (byRow ? box.m : box.n); ++line) {
    std::vector<uint64_t> elements = present(draw.sparsity, random.word());
    if (elements.empty())
      continue;
    auto at = [&](uint64_t k) {
      return &bytes[(byRow ? line * box.k + k : k * box.n + line) * width];
    };
    std::vector<bool> keep(box.k);
    for (uint64_t k : elements)
      keep[k] = true;
    for (uint64_t k = 0; k < box.k; ++k)
      if (!keep[k])
        memset(at(k), 0, width);
    if (magnitudes != Remainder)
      continue;
    double large = std::ldexp(1 + random.unit(), 6);
    double small = std::ldexp(random.unit() - 0.5, 6 - 9 - int(random.below(19)));
    double values[] = {large, small, -large};
    for (unsigned i = 0; i < 3; ++i) {
      uint64_t code = fromDouble(format, values[i]);
      memcpy(at(elements[i]), &code, width);
    }
  }
}
