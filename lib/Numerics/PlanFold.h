//===- PlanFold.h - The fold of a plan, over any kind of value ------------===//
//
// The one place that says in which order a plan's steps run, its parts are rounded and its sums are
// merged. What a value is (a tile of words, a node of a tree, a hash), and what a step, a rounding
// and an addition do to it, is the derived class's.
//
//===----------------------------------------------------------------------===//

#ifndef METTLE_LIB_NUMERICS_PLANFOLD_H
#define METTLE_LIB_NUMERICS_PLANFOLD_H

#include "Mettle/Numerics/KPlan.h"
#include "llvm/ADT/SmallVector.h"
#include <optional>

namespace mettle::numerics {

/// `Derived` has
///   Value start()                                   what a chain's accumulator holds first
///   Value zero(Format)                              +0
///   Value instruction(Value acc, ArrayRef<uint64_t> products)
///   Value round(Value, Format from, Format to)      called where the formats differ
///   Value add(Format result, Value sum, Format partFormat, Value part)
/// and may replace what is protected here.
template <typename Derived, typename Value> class PlanFold {
public:
  PlanFold(const GEMMDesc &desc, const KPlan &plan) : desc(desc), plan(plan) {}

  /// The value that enters the epilogue, in foldedFormat().
  Value fold() {
    return plan.nodes.empty() ? self().start() : fold(uint32_t(plan.nodes.size() - 1));
  }

protected:
  bool startsAtZero(size_t level) const { return desc.cuts[level].start == MergeStart::Zero; }

  /// One instruction's result from +0, added to the accumulator.
  Value accumulate(Value acc, Value part) {
    return self().add(desc.step.result, std::move(acc), desc.step.result, std::move(part));
  }

  Value chain(const KPlan::Node &node) {
    Value acc = self().start();
    for (uint64_t step = node.firstStep; step < node.endStep; ++step) {
      auto [begin, end] = plan.steps[step];
      auto products = llvm::ArrayRef(plan.order).slice(begin, end - begin);
      if (desc.fastAccum) {
        acc = self().instruction(std::move(acc), products);
        continue;
      }
      Value part = self().instruction(self().zero(desc.step.result), products);
      acc = self().accumulate(std::move(acc), std::move(part));
    }
    return acc;
  }

  const GEMMDesc &desc;
  const KPlan &plan;

private:
  Derived &self() { return static_cast<Derived &>(*this); }

  Value fold(uint32_t index) {
    const KPlan::Node &node = plan.nodes[index];
    if (node.level < 0)
      return self().chain(node);
    return desc.cuts[node.level].order == MergeOrder::Tree ? tree(node) : sequence(node);
  }

  Value rounded(Value value, Format from, Format to) {
    return from == to ? std::move(value) : self().round(std::move(value), from, to);
  }

  /// A finished part, rounded to the cut's partial format.
  Value part(const KPlan::Node &node, uint32_t child) {
    return rounded(fold(child), desc.sumFormat(node.level + 1), desc.cuts[node.level].partial);
  }

  Value sequence(const KPlan::Node &node) {
    const KCut &cut = desc.cuts[node.level];
    bool reverse = cut.order == MergeOrder::Reverse;
    size_t count = node.children.size();
    std::optional<Value> sum;
    if (self().startsAtZero(node.level))
      sum = self().zero(cut.merge);
    for (size_t i = 0; i < count; ++i) {
      Value next = part(node, node.children[reverse ? count - 1 - i : i]);
      sum = sum ? self().add(cut.merge, std::move(*sum), cut.partial, std::move(next))
                : rounded(std::move(next), cut.partial, cut.merge);
    }
    return std::move(*sum);
  }

  /// Neighbours first: as soon as two subtrees of one size stand side by side they are added, and
  /// what is incomplete at the end passes up. Keeps a value a round, not one a part.
  Value tree(const KPlan::Node &node) {
    const KCut &cut = desc.cuts[node.level];
    llvm::SmallVector<Value, 8> open;
    auto close = [&] {
      Value last = std::move(open.back());
      open.pop_back();
      open.back() = self().add(cut.merge, std::move(open.back()), cut.merge, std::move(last));
    };
    for (size_t i = 0; i < node.children.size(); ++i) {
      open.push_back(rounded(part(node, node.children[i]), cut.partial, cut.merge));
      for (size_t filled = i; filled & 1; filled >>= 1)
        close();
    }
    while (open.size() > 1)
      close();
    return std::move(open.front());
  }
};

} // namespace mettle::numerics

#endif // METTLE_LIB_NUMERICS_PLANFOLD_H
