//===- AnyThread.cpp - One answer for all threads -------------------------===//
//
// What one thread holds is what any thread holds, with its bits put in. Conditions on the thread
// (masks of tails, mostly) are decided where it is asked; threads for which they fall alike share
// an answer.
//
//===----------------------------------------------------------------------===//

#include "Mettle/Checker/Tree/Evaluate.h"
#include "llvm/ADT/STLExtras.h"
#include <utility>

using namespace mettle::checker;

/// A question with more conditions in its answer is put to each thread.
static constexpr size_t MostConditions = 32;

void Evaluator::findConditions(const Tree &tree, AnyThread &found) {
  llvm::DenseSet<std::pair<TemplateId, FormId>> seen;
  auto visit = [&](auto &self, TemplateId id, FormId place) -> void {
    if (!seen.insert({id, place}).second)
      return;
    const Template &node = trees[id];
    if (node.kind == Template::Less && !llvm::is_contained(found.less, place))
      found.less.push_back(place);
    found.hasOthers |= node.kind == Template::Zero;
    for (const Child &child : node.children) {
      auto inner = trees[child.tree].slots.begin();
      for (auto [slot, distance] : child.slots)
        if (*inner++ == ConditionSlot)
          self(self, child.tree, forms.add(place, distance));
    }
  };
  const auto &slots = trees[tree.tree].slots;
  if (auto at = llvm::find(slots, ConditionSlot); at != slots.end())
    visit(visit, tree.tree, tree.shift[size_t(at - slots.begin())]);
}

std::optional<bool> Evaluator::isNegative(FormId form) {
  PredId simple = terms.less(form);
  if (simple <= Terms::truePred)
    return simple == Terms::truePred;
  return assumed(form);
}

std::optional<Tree> Evaluator::fromAnyThread(TermId id, EnvId env) {
  const Term &term = terms[id];
  bool isCheap = term.kind == Term::Const || term.kind == Term::Integer ||
                 term.kind == Term::Load || term.kind == Term::Extract;
  if (isCheap || !(term.bits & ((uint64_t(1) << NumThreadBits) - 1)))
    return std::nullopt;
  Env any = forms.env(env), thread = any;
  for (unsigned i = 0; i < NumThreadBits; ++i)
    any.mask[i] = term.bits & uint64_t(1) << i;
  any.flip = 0;
  any.fixed = any.fixedValue = 0;
  for (auto [loop, form] : any.counters)
    if (forms.bitsOf(form))
      return std::nullopt;
  EnvId general = forms.intern(any);
  if (general == env)
    return std::nullopt;
  // Assumptions are about the threads that were asked for, and so is what is undecided.
  uint32_t here = assumptions;
  uint64_t before = undecided;
  auto ask = [&](uint32_t assuming) {
    assumptions = assuming;
    Answer answer = evaluate(id, general);
    assumptions = here;
    undecided = before;
    return answer;
  };
  auto [place, isNew] = anyThreads.try_emplace({id, general});
  if (isNew) {
    // Single threads are asked on the way: they do not ask in return.
    place->second = std::make_unique<AnyThread>();
    AnyThread *made = place->second.get();
    Answer answer = ask(NoAssumptions);
    if (answer.kind == Answer::Known) {
      made->tree = answer.tree;
      findConditions(answer.tree, *made);
      made->isKnown = made->less.size() <= MostConditions && !made->hasOthers;
    }
  }
  const AnyThread *known = anyThreads[{id, general}].get();
  if (!known->isKnown)
    return std::nullopt;
  thread.counters.clear();
  EnvId bits = forms.intern(thread);
  Tree tree = known->tree;
  if (!known->less.empty()) {
    std::vector<FormId> negative;
    for (FormId form : known->less)
      if (std::optional<bool> holds = isNegative(forms.substitute(form, bits)))
        negative.push_back(*holds ? form : forms.addConstant(forms.scale(form, -1), -1));
    if (!negative.empty()) {
      uint32_t deciding = assumptionsOf(negative);
      std::pair<uint64_t, uint64_t> key = {id, uint64_t(deciding) << 32 | general};
      if (unlikeThreads.contains(key))
        return std::nullopt;
      unlikeThreads.insert(key);
      Answer answer = ask(deciding);
      if (answer.kind != Answer::Known)
        return std::nullopt;
      unlikeThreads.erase(key);
      tree = answer.tree;
    }
    ++undecided;
    // What is left must be open where it is asked as well.
    AnyThread left;
    findConditions(tree, left);
    for (FormId form : left.less)
      if (isNegative(forms.substitute(form, bits)))
        return std::nullopt;
    if (left.hasOthers)
      return std::nullopt;
  }
  const Template &node = trees[tree.tree];
  if (node.bits || llvm::is_contained(node.slots, IntegerSlot))
    return std::nullopt;
  for (FormId &form : tree.shift)
    form = forms.substitute(form, bits);
  return tree;
}
