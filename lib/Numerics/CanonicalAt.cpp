//===- CanonicalAt.cpp - A descriptor's identity at one K -----------------===//
//
// hashAt() hashes the fold that a descriptor expands to, with every rounding in it; canonicalAt()
// searches for simpler descriptors of the same hash.
//
//===----------------------------------------------------------------------===//

#include "Mettle/Numerics/Probe.h"
#include "Mettle/Numerics/SumTree.h"
#include "PlanFold.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Support/xxhash.h"
#include <tuple>

using namespace mettle::numerics;

static uint64_t combine(llvm::ArrayRef<uint64_t> words) {
  return llvm::xxHash64(llvm::ArrayRef<uint8_t>(reinterpret_cast<const uint8_t *>(words.data()),
                                                words.size() * sizeof(uint64_t)));
}

namespace {

enum Tag : uint64_t { Zero = 1, FromC, StepTag, SumTag, RoundTag, AddTag, ProductTag, ResultTag };

/// Hashes of values: what is computed from what. Additions and the products of a group commute.
class Values : public PlanFold<Values, uint64_t> {
public:
  Values(const GEMMDesc &desc, const KPlan &plan) : PlanFold(desc, plan) {
    // How far a group is filled shows in the plan; its size beyond that shows in nothing.
    ArithmeticClass step = desc.step;
    if (step.isFused() && step.kind != ArithmeticClass::BlockFused)
      step.group = 1;
    classHash = llvm::xxHash64(step.text());
    uniform = llvm::all_of(desc.cuts, [&](const KCut &cut) {
      return cut.partial == desc.step.result && cut.merge == desc.step.result;
    });
  }

  /// The value that enters the epilogue.
  uint64_t run() {
    uint64_t value = fold();
    bool fromZero =
        llvm::any_of(desc.cuts, [](const KCut &cut) { return cut.start == MergeStart::Zero; });
    if (!plan.nodes.empty() && uniform && fromZero && !desc.sumsAreNeverNegativeZero(0))
      value = add(desc.step.result, zero(desc.step.result), desc.step.result, value);
    return value;
  }

  /// Where no sum is rounded to a narrower format, +0 at any level only makes a -0 of the whole
  /// +0: run() adds it once.
  bool startsAtZero(size_t level) const {
    return PlanFold::startsAtZero(level) && !uniform && !desc.sumsAreNeverNegativeZero(level);
  }

  /// A rounding, or nothing where the format holds the value as it is.
  uint64_t round(uint64_t value, Format from, Format to) {
    const FormatInfo &f = info(from), &t = info(to);
    if (from == to || (!f.isInteger && !t.isInteger && t.fractionBits >= f.fractionBits &&
                       t.exponentBits >= f.exponentBits))
      return value;
    return combine({RoundTag, uint64_t(to), value});
  }

  uint64_t start() { return combine({desc.startFromC ? FromC : Zero}); }
  uint64_t zero(Format) { return combine({Zero}); }
  uint64_t add(Format result, uint64_t x, Format, uint64_t y) {
    return combine({AddTag, uint64_t(result), std::min(x, y), std::max(x, y)});
  }

  /// From +0 a sum that is never -0 is what is added to it.
  uint64_t accumulate(uint64_t acc, uint64_t part) {
    bool first = acc == zero(desc.step.result) && desc.sumsAreNeverNegativeZero(desc.cuts.size());
    return first ? part : PlanFold::accumulate(acc, part);
  }

  uint64_t instruction(uint64_t acc, llvm::ArrayRef<uint64_t> products) {
    // The halves of FusedViaF16 and FloorFusedPairs depend on places within the instruction.
    bool placed = desc.step.kind == ArithmeticClass::FusedViaF16 ||
                  desc.step.kind == ArithmeticClass::FloorFusedPairs;
    // An exact product is an addend: a sum of one is the product, whoever adds it.
    if (desc.step.isChain() && desc.hasExactProducts()) {
      for (uint64_t k : products) {
        uint64_t product = combine({ProductTag, k});
        acc = acc == combine({Zero}) ? product : sum(acc, product);
      }
      return acc;
    }
    size_t size = desc.step.isFused() && !placed ? desc.step.group : placed ? products.size() : 1;
    for (size_t at = 0; at < products.size(); at += size) {
      uint64_t set = 0;
      for (size_t i = at; i < std::min(at + size, products.size()); ++i)
        set += combine({SumTag, products[i], placed ? i & 3 : 0});
      // The accumulator of FusedViaF16 is an addend like any other: +0 with what is never -0.
      bool addend = desc.step.kind == ArithmeticClass::FusedViaF16;
      uint64_t zero = combine({Zero});
      uint64_t step = combine({StepTag, classHash, addend ? zero : acc, set});
      acc = addend && acc != zero ? sum(acc, step) : step;
    }
    return acc;
  }

private:
  uint64_t sum(uint64_t acc, uint64_t addend) {
    return add(desc.step.result, acc, desc.step.result, addend);
  }

  uint64_t classHash;
  bool uniform;
};

} // namespace

uint64_t mettle::numerics::hashAt(const GEMMDesc &original, uint64_t k) {
  GEMMDesc desc = original.canonical();
  KPlan plan = KPlan::build(desc, k);
  Values values(desc, plan);
  uint64_t value = values.run();
  // Without an epilogue the output is one more rounding, and none if a sum had it already.
  if (desc.epilogue.ops.empty() && desc.outputOverflow == Overflow::ByRounding)
    value = values.round(value, plan.nodes.empty() ? desc.step.result : desc.accumulated(),
                         desc.output);
  // What comes after the fold, and the formats it works on, by their text.
  GEMMDesc rest;
  rest.a = desc.a, rest.b = desc.b;
  rest.scale = desc.scale, rest.scaleBlock = desc.scaleBlock;
  rest.epilogue = desc.epilogue;
  if (rest.epilogue.ops.empty())
    rest.epilogue.compute = rest.step.result;
  rest.output = desc.output, rest.outputOverflow = desc.outputOverflow;
  return combine({ResultTag, llvm::xxHash64(rest.text()), value});
}

/// Elements of the first part of a cut: of all its nodes, the first has the longest axis.
static uint64_t firstPart(const KPlan &plan, size_t level) {
  for (const KPlan::Node &node : plan.nodes)
    if (node.level == int(level)) {
      const KPlan::Node &part = plan.nodes[node.children.front()];
      return plan.steps[part.endStep - 1].end - plan.steps[part.firstStep].begin;
    }
  return 0;
}

/// Simpler neighbours of a descriptor, the simplest first.
static std::vector<GEMMDesc> simpler(const GEMMDesc &desc, uint64_t k) {
  std::vector<GEMMDesc> trials;
  auto trial = [&](auto change) {
    GEMMDesc changed = desc;
    change(changed);
    if (changed != desc)
      trials.push_back(changed);
  };
  KPlan plan = KPlan::build(desc, k);
  for (size_t level = 0; level < desc.cuts.size(); ++level) {
    trial([&](GEMMDesc &d) { d.cuts.erase(d.cuts.begin() + level); });
    const KCut &cut = desc.cuts[level];
    uint64_t length = firstPart(plan, level);
    if (cut.layout == CutLayout::Strided || cut.count != 0)
      trial([&](GEMMDesc &d) {
        d.cuts[level].layout = CutLayout::Contiguous;
        d.cuts[level].span = cut.layout == CutLayout::Strided && cut.count > 1 ? cut.span : length;
        d.cuts[level].count = 0;
      });
    if (cut.layout == CutLayout::Contiguous && length < cut.span)
      trial([&](GEMMDesc &d) { d.cuts[level].span = length; });
    trial([&](GEMMDesc &d) { d.cuts[level].order = MergeOrder::Forward; });
    trial([&](GEMMDesc &d) { d.cuts[level].start = MergeStart::First; });
    // A start that shows at one level alone moves out as far as it can.
    for (size_t outer = 0; outer < level; ++outer)
      if (cut.start == MergeStart::Zero)
        trial([&](GEMMDesc &d) {
          d.cuts[level].start = MergeStart::First;
          d.cuts[outer].start = MergeStart::Zero;
        });
    Format inner = desc.sumFormat(level + 1);
    trial([&](GEMMDesc &d) { d.cuts[level].partial = inner; });
    trial([&](GEMMDesc &d) { d.cuts[level].merge = inner; });
    trial([&](GEMMDesc &d) { d.cuts[level].merge = d.cuts[level].partial; });
  }
  trial([](GEMMDesc &d) { d.residueStep = 0; });
  for (uint32_t turn = desc.instructionK; turn < desc.residueStep; turn += desc.instructionK)
    trial([&](GEMMDesc &d) { d.residueStep = turn; });
  trial([](GEMMDesc &d) { d.fastAccum = true; });
  if (!desc.fastAccum)
    trial([&](GEMMDesc &d) {
      KCut cut;
      cut.span = desc.instructionK;
      cut.partial = cut.merge = desc.step.result;
      cut.start = MergeStart::Zero;
      d.fastAccum = true;
      d.cuts.push_back(cut);
    });
  for (uint32_t smaller = 1; smaller < desc.instructionK; smaller *= 2)
    trial([&](GEMMDesc &d) { d.instructionK = smaller; });
  return trials;
}

/// What is simpler: fewer cuts, then a shorter text.
static bool isSimpler(const GEMMDesc &x, const GEMMDesc &y) {
  std::string xText = x.text(), yText = y.text();
  return std::tuple(x.cuts.size(), xText.size(), xText) <
         std::tuple(y.cuts.size(), yText.size(), yText);
}

/// The simplest descriptor of the same tree whose sums are all kept in the accumulator's format.
static std::optional<GEMMDesc> readBack(const GEMMDesc &desc, uint64_t k, uint64_t hash) {
  bool viaF16 = desc.step.kind == ArithmeticClass::FusedViaF16;
  std::optional<GEMMDesc> best;
  for (GEMMDesc form : recognise(SumTree::build(desc, k), viaF16)) {
    uint16_t group = form.step.group;
    if (viaF16 != (form.step.kind == ArithmeticClass::FusedViaF16) ||
        desc.step.isChain() != (form.instructionK == 1))
      continue;
    form.a = desc.a, form.b = desc.b, form.step = desc.step;
    if (desc.step.isFused())
      form.step.group = group;
    for (KCut &cut : form.cuts)
      cut.partial = cut.merge = desc.step.result;
    form.epilogue = desc.epilogue;
    form.output = desc.output, form.outputOverflow = desc.outputOverflow;
    form = form.canonical();
    if (!llvm::errorToBool(form.validate()) && hashAt(form, k) == hash &&
        (!best || isSimpler(form, *best)))
      best = form;
  }
  return best;
}

GEMMDesc mettle::numerics::canonicalAt(const GEMMDesc &desc, uint64_t k) {
  GEMMDesc best = desc.canonical();
  uint64_t hash = hashAt(best, k);
  for (bool changed = true; changed;) {
    changed = false;
    for (const GEMMDesc &trial : simpler(best, k)) {
      GEMMDesc canonical = trial.canonical();
      if (canonical == best || llvm::errorToBool(canonical.validate()) ||
          hashAt(canonical, k) != hash)
        continue;
      best = canonical;
      changed = true;
      break;
    }
  }
  if (best.step.isInteger() || best.scale || best.startFromC || k == 0)
    return best;
  std::optional<GEMMDesc> read = readBack(best, k, hash);
  return read && !isSimpler(best, *read) ? *read : best;
}
