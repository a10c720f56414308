//===- ProbeCandidates.cpp - Descriptors that go with a tree --------------===//
//
// Enumerates; the draws decide.
//
//===----------------------------------------------------------------------===//

#include "ProbeCandidates.h"
#include "Mettle/Numerics/MatrixModel.h"
#include "WholeAxis.h"
#include "llvm/ADT/STLExtras.h"

using namespace mettle::numerics;

std::vector<ArithmeticClass> mettle::numerics::classesFor(const BlackBox &box) {
  std::vector<ArithmeticClass> classes;
  auto add = [&](const ArithmeticClass &step) {
    if (!llvm::is_contained(classes, step))
      classes.push_back(step);
  };
  for (const MatrixRow &row : matrixRows())
    if (row.a == box.a && row.b == box.b && !row.scale)
      add(row.arithmetic);
  if (!info(box.a).isInteger)
    for (const char *text : {"fma.f32", "muladd.f32", "fma.f64", "muladd.f64"})
      add(llvm::cantFail(ArithmeticClass::parse(text)));
  return classes;
}

namespace {

class Enumerator {
public:
  Enumerator(const BlackBox &box, const SumTree &tree) : box(box), tree(tree) {}

  void add(const GEMMDesc &form, ArithmeticClass step, unsigned narrowed) {
    GEMMDesc desc = form;
    bool viaF16 = step.kind == ArithmeticClass::FusedViaF16;
    if (!step.isInteger()) {
      if (viaF16 != (form.step.kind == ArithmeticClass::FusedViaF16) ||
          step.isChain() != form.step.isChain() || (step.isFused() && step.group < form.step.group))
        return;
      if (step.isFused())
        step.group = form.step.group;
    }
    desc.a = box.a, desc.b = box.b, desc.step = step;
    desc.output = box.d;
    for (KCut &cut : desc.cuts)
      cut.partial = cut.merge = step.result;
    addRoundings(desc, 0, narrowed);
    if (narrowed == 0)
      return;
    for (Format format : {Format::F16, Format::BF16}) {
      GEMMDesc outer = desc;
      outer.cuts.insert(outer.cuts.begin(), wholeAxis(format));
      addRoundings(outer, 1, narrowed - 1);
    }
  }

  std::vector<GEMMDesc> found;

private:
  void addRoundings(const GEMMDesc &desc, size_t level, unsigned narrowed) {
    if (level >= desc.cuts.size()) {
      if (narrowed > 0)
        return;
      found.push_back(desc);
      found.back().epilogue.compute = desc.accumulated();
      if (llvm::errorToBool(found.back().validate()))
        found.pop_back();
      return;
    }
    addRoundings(desc, level + 1, narrowed);
    if (narrowed == 0)
      return;
    Format wide = desc.step.result;
    // Of two parts a tree shows no order, but where the first alone is rounded to the sum's format
    // it counts.
    for (Format partial : {wide, Format::F16, Format::BF16})
      for (Format merge : {wide, Format::F16, Format::BF16, Format::F32})
        for (MergeOrder order : {desc.cuts[level].order, MergeOrder::Reverse, MergeOrder::Tree}) {
          GEMMDesc next = desc;
          next.cuts[level].partial = partial, next.cuts[level].merge = merge;
          if (next == desc || (merge == partial && order != desc.cuts[level].order))
            continue;
          next.cuts[level].order = order;
          if (order != desc.cuts[level].order &&
              !(SumTree::build(next, tree[tree.root()].leaves) == tree))
            continue;
          addRoundings(next, level + 1, narrowed - 1);
        }
  }

  const BlackBox &box;
  const SumTree &tree;
};

} // namespace

std::vector<GEMMDesc> mettle::numerics::candidates(const BlackBox &box,
                                                   llvm::ArrayRef<GEMMDesc> forms,
                                                   const SumTree &tree, unsigned narrowed) {
  Enumerator enumerator(box, tree);
  std::vector<ArithmeticClass> classes = classesFor(box);
  for (const GEMMDesc &form : forms)
    for (const ArithmeticClass &step : classes)
      enumerator.add(form, step, narrowed);
  return std::move(enumerator.found);
}

std::vector<GEMMDesc> mettle::numerics::withStarts(const GEMMDesc &desc) {
  std::vector<GEMMDesc> result = {desc};
  if (desc.step.isInteger())
    return result;
  bool narrowed = llvm::any_of(desc.cuts, [&](const KCut &cut) {
    return cut.partial != desc.step.result || cut.merge != desc.step.result;
  });
  if (!desc.sumsAreNeverNegativeZero(0))
    result.push_back(startingAtZero(desc));
  // Where no sum is narrowed, +0 at any level only makes a -0 of the whole +0.
  size_t levels = desc.cuts.size();
  if (!narrowed || levels == 0)
    return result;
  uint64_t last = (uint64_t(1) << levels) - 1;
  for (uint64_t starts = levels > 3 ? last : 1; starts <= last; ++starts) {
    GEMMDesc next = desc;
    bool shows = true;
    for (size_t level = 0; level < levels; ++level)
      if ((starts >> level) & 1) {
        next.cuts[level].start = MergeStart::Zero;
        shows &= levels > 3 || next.cuts[level].order != MergeOrder::Tree;
        shows &= levels > 3 || !next.sumsAreNeverNegativeZero(level);
        if (next.cuts[level].order == MergeOrder::Tree)
          next.cuts[level].start = MergeStart::First;
      }
    if (shows)
      result.push_back(std::move(next));
  }
  return result;
}
