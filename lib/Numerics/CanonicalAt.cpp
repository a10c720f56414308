//===- CanonicalAt.cpp - A descriptor's identity at one K -----------------===//
//
// canonicalAt() searches for simpler descriptors of the same hashAt().
//
//===----------------------------------------------------------------------===//

#include "Mettle/Numerics/Probe.h"
#include "Mettle/Numerics/SumTree.h"
#include "WholeAxis.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"
#include <tuple>

using namespace mettle::numerics;

/// Elements of the first part of a cut: of all its nodes, the first has the longest axis.
static uint64_t firstPart(const KPlan &plan, size_t level) {
  for (const KPlan::Node &node : plan.nodes)
    if (node.level == int(level)) {
      const KPlan::Node &part = plan.nodes[node.children.front()];
      return plan.steps[part.endStep - 1].end - plan.steps[part.firstStep].begin;
    }
  return 0;
}

/// Neighbours of a descriptor that may be simpler.
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
    // What starts at zero may leave that to a neighbour.
    for (size_t other = 0; other < desc.cuts.size(); ++other)
      if (other != level && desc.cuts[level].start == MergeStart::Zero &&
          desc.cuts[other].order != MergeOrder::Tree)
        trial([&](GEMMDesc &d) {
          d.cuts[other].start = MergeStart::Zero;
          d.cuts.erase(d.cuts.begin() + level);
        });
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
    trial([&](GEMMDesc &d) {
      d.cuts[level].merge = d.cuts[level].partial;
      d.cuts[level].partial = inner;
    });
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

/// What is simpler has a smaller cost: an instruction that its accumulator enters, fewer cuts,
/// parts rather than lanes, starts at zero further out, a shorter text.
static auto cost(const GEMMDesc &desc) {
  size_t lanes = 0, zeros = 0;
  for (size_t level = 0; level < desc.cuts.size(); ++level) {
    lanes += desc.cuts[level].layout == CutLayout::Strided;
    zeros += desc.cuts[level].start == MergeStart::Zero ? level + 1 : 0;
  }
  std::string text = desc.text();
  return std::tuple(!desc.fastAccum, desc.cuts.size(), lanes, zeros, text.size(), text);
}

static bool isSimpler(const GEMMDesc &x, const GEMMDesc &y) { return cost(x) < cost(y); }

/// The simplest descriptor of the same tree whose sums are all kept in the accumulator's format.
static std::optional<GEMMDesc> readBack(const GEMMDesc &desc, uint64_t k, uint64_t hash) {
  bool viaF16 = desc.step.kind == ArithmeticClass::FusedViaF16;
  // In some nests one scalar class is as good as the other.
  llvm::SmallVector<ArithmeticClass::Kind, 2> kinds = {desc.step.kind};
  if (desc.step.isChain())
    kinds = {ArithmeticClass::FMA, ArithmeticClass::MulAdd};
  std::optional<GEMMDesc> best;
  for (GEMMDesc form : recognise(SumTree::build(desc, k), {viaF16, desc.hasExactProducts()})) {
    uint16_t group = form.step.group;
    if (viaF16 != (form.step.kind == ArithmeticClass::FusedViaF16) ||
        desc.step.isChain() != form.step.isChain())
      continue;
    form.a = desc.a, form.b = desc.b, form.step = desc.step;
    if (desc.step.isFused())
      form.step.group = group;
    for (KCut &cut : form.cuts)
      cut.partial = cut.merge = desc.step.result;
    form.epilogue = desc.epilogue;
    form.output = desc.output, form.outputOverflow = desc.outputOverflow;
    for (ArithmeticClass::Kind kind : kinds)
      for (GEMMDesc trial : {form, startingAtZero(form)}) {
        trial.step.kind = kind;
        trial = trial.canonical();
        // The whole axis is as long as it is.
        for (KCut &cut : trial.cuts)
          cut.span = std::min(cut.span, k);
        if (!llvm::errorToBool(trial.validate()) && hashAt(trial, k) == hash &&
            (!best || isSimpler(trial, *best)))
          best = trial;
      }
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
      if (!isSimpler(canonical, best) || llvm::errorToBool(canonical.validate()) ||
          hashAt(canonical, k) != hash)
        continue;
      best = canonical;
      changed = true;
      break;
    }
  }
  if (best.step.isInteger() || best.scale || best.startFromC || k == 0)
    return best;
  // Where no sum is narrowed the tree says all but the start, and what is read off it is unique.
  return readBack(best, k, hash).value_or(best);
}
