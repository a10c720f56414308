//===- KPlan.cpp - A descriptor's fold of the k axis, expanded ------------===//
//
// The one place where a nest of cuts becomes a list of steps and a tree; PlanFold.h runs it.
//
//===----------------------------------------------------------------------===//

#include "Mettle/Numerics/KPlan.h"
#include "llvm/Support/MathExtras.h"
#include <numeric>

using namespace mettle::numerics;

namespace {

class Builder {
public:
  Builder(const GEMMDesc &desc, KPlan &plan) : desc(desc), plan(plan) {}

  /// Adds the node of cut `level` over `axis` (not empty) and returns its index.
  uint32_t fold(std::vector<uint64_t> axis, size_t level) {
    if (level == desc.cuts.size())
      return chain(axis);
    KPlan::Node node{int(level), plan.steps.size(), 0, {}};
    for (std::vector<uint64_t> &part : deal(desc.cuts[level], axis))
      node.children.push_back(fold(std::move(part), level + 1));
    return add(std::move(node));
  }

private:
  uint32_t add(KPlan::Node node) {
    node.endStep = plan.steps.size();
    plan.nodes.push_back(std::move(node));
    return uint32_t(plan.nodes.size() - 1);
  }

  uint32_t chain(const std::vector<uint64_t> &axis) {
    KPlan::Node node{-1, plan.steps.size(), 0, {}};
    uint64_t residue = desc.residueStep ? axis.size() % desc.residueStep : 0;
    run(axis, 0, residue);
    run(axis, residue, axis.size());
    return add(std::move(node));
  }

  /// Instructions over axis[begin .. end), the last one short where they do not fit.
  void run(const std::vector<uint64_t> &axis, uint64_t begin, uint64_t end) {
    for (; begin < end; begin += desc.instructionK) {
      uint64_t stop = std::min(end, begin + desc.instructionK);
      uint64_t at = plan.order.size();
      plan.order.insert(plan.order.end(), axis.begin() + begin, axis.begin() + stop);
      plan.steps.push_back({at, plan.order.size()});
    }
  }

  /// The parts of one cut, absent ones left out.
  static std::vector<std::vector<uint64_t>> deal(const KCut &cut,
                                                 const std::vector<uint64_t> &axis) {
    std::vector<std::vector<uint64_t>> parts;
    if (cut.layout == CutLayout::Contiguous) {
      uint64_t length = cut.span;
      if (cut.count) {
        uint64_t grains = llvm::divideCeil(axis.size(), cut.span);
        length = llvm::divideCeil(grains, cut.count) * cut.span;
      }
      for (uint64_t at = 0; at < axis.size(); at += length)
        parts.emplace_back(axis.begin() + at,
                           axis.begin() + std::min<uint64_t>(at + length, axis.size()));
      return parts;
    }
    parts.resize(std::min(cut.count, llvm::divideCeil(axis.size(), cut.span)));
    for (uint64_t at = 0; at < axis.size(); ++at)
      parts[(at / cut.span) % cut.count].push_back(axis[at]);
    return parts;
  }

  const GEMMDesc &desc;
  KPlan &plan;
};

} // namespace

KPlan KPlan::build(const GEMMDesc &desc, uint64_t k) {
  KPlan plan;
  if (k == 0)
    return plan;
  std::vector<uint64_t> axis(k);
  std::iota(axis.begin(), axis.end(), uint64_t(0));
  plan.order.reserve(k);
  Builder(desc, plan).fold(std::move(axis), 0);
  return plan;
}
