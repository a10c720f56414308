//===- Conditions.cpp - Conditions of a thread as trees ------------------===//
//
// Decided where ranges and what is assumed decide them; a tree of their own where not.
//
//===----------------------------------------------------------------------===//

#include "Mettle/Checker/Tree/Evaluate.h"
#include "llvm/ADT/Twine.h"
#include <numeric>

using namespace mettle::checker;

Evaluator::Answer Evaluator::evaluatePred(PredId id, EnvId env) {
  if (id <= Terms::truePred)
    return Answer::known(trees.makeTruth(id == Terms::truePred));
  const Pred &pred = terms.pred(id);
  EnvId narrow = restrict(env, pred.bits, pred.loops);
  std::pair<uint64_t, uint64_t> key = {id, uint64_t(assumptions) << 32 | narrow};
  if (auto found = predMemo.find(key); found != predMemo.end()) {
    ++undecided;
    return answers[found->second];
  }
  Answer answer = computePred(id, narrow);
  if (answer.kind != Answer::Failed) {
    predMemo[key] = uint32_t(answers.size());
    answers.push_back(answer);
  }
  return answer;
}

std::optional<bool> Evaluator::assumed(FormId form) {
  FormId opposite = forms.addConstant(forms.scale(form, -1), -1);
  for (FormId known : assumptionLists[assumptions]) {
    // A form that moves in steps and is below zero is below by what its constant leaves of a step.
    int64_t step = 0;
    for (const Part &part : forms.parts(known))
      step = std::gcd(step, part.coef);
    int64_t room = 0;
    if (step > 1) {
      int64_t above = forms.constantOf(known) % step;
      room = (above > 0 ? step - above : above < 0 ? -above : step) - 1;
    }
    if (forms.hi(forms.sub(form, known)) <= room)
      return true;
    if (forms.hi(forms.sub(opposite, known)) <= room)
      return false;
  }
  return std::nullopt;
}

/// One spelling of a condition and its negation: no Not, and one that ends as the block's index
/// rises. True if the condition has become its negation.
bool Evaluator::spellUpwards(Tree &condition) {
  bool isNegated = trees[condition.tree].kind == Template::Not;
  if (isNegated)
    condition = trees.child(condition, 0);
  if (trees[condition.tree].kind != Template::Less)
    return isNegated;
  FormId form = condition.shift[0];
  for (const Part &part : forms.parts(form)) {
    if (forms.atom(part.atom).kind != Atom::Block)
      continue;
    if (part.coef > 0 || forms.lo(form) <= -Unbounded || forms.hi(form) >= Unbounded)
      return isNegated;
    condition.shift[0] = forms.addConstant(forms.scale(form, -1), -1);
    return !isNegated;
  }
  return isNegated;
}

/// Of a condition that the block has a say in, the bit that moves it farthest, by eight at least.
/// Once those are decided it is left open among eight neighbours at most, however many rows a block
/// has: kernels that cut the grid in other ways decide it for the same elements.
std::optional<unsigned> Evaluator::farthestBit(FormId form) {
  constexpr int64_t Neighbours = 8;
  if (!(forms.blocksOf(form) & forms.fixedDimensions()))
    return std::nullopt;
  std::optional<unsigned> bit;
  int64_t most = Neighbours - 1;
  for (const Part &part : forms.parts(form)) {
    const Atom &atom = forms.atom(part.atom);
    if (atom.kind == Atom::Parity && !(atom.data & (atom.data - 1)) && std::abs(part.coef) > most) {
      most = std::abs(part.coef);
      bit = unsigned(__builtin_ctzll(atom.data));
    }
  }
  return bit;
}

Evaluator::Answer Evaluator::computePred(PredId id, EnvId env) {
  const Pred pred = terms.pred(id);
  auto truth = [&](bool value) { return Answer::known(trees.makeTruth(value)); };
  switch (pred.kind) {
  case Pred::False:
    return truth(false);
  case Pred::True:
    return truth(true);
  case Pred::Less:
  case Pred::Zero: {
    FormId form = forms.substitute(pred.form, env);
    PredId simple = pred.kind == Pred::Less ? terms.less(form) : terms.zero(form);
    if (simple <= Terms::truePred)
      return truth(simple == Terms::truePred);
    ++undecided;
    for (const Part &part : forms.parts(form)) {
      Atom::Kind kind = forms.atom(part.atom).kind;
      if (kind == Atom::Phi || kind == Atom::Shared || kind == Atom::Pointer)
        return fail("a condition on an integer that comes from data", ~0u);
    }
    if (pred.kind == Pred::Less)
      if (std::optional<bool> holds = assumed(form)) {
        terms.rules.add(RuleId::Decided);
        return truth(*holds);
      }
    if (std::optional<unsigned> bit = farthestBit(form))
      return Answer::split(*bit);
    Template node;
    node.kind = pred.kind == Pred::Less ? Template::Less : Template::Zero;
    return Answer::known(trees.makeLeaf(node, ConditionSlot, form));
  }
  case Pred::Not: {
    Answer inner = evaluatePred(pred.a, env);
    if (inner.kind != Answer::Known)
      return inner;
    if (trees[inner.tree.tree].kind == Template::Truth)
      return truth(!trees[inner.tree.tree].data);
    Template node;
    node.kind = Template::Not;
    return Answer::known(trees.make(node, {inner.tree}));
  }
  case Pred::And: {
    Answer a = evaluatePred(pred.a, env);
    if (a.kind == Answer::Known && trees.isTruth(a.tree, false))
      return a;
    Answer b = evaluatePred(pred.b, env);
    if (b.kind == Answer::Known && trees.isTruth(b.tree, false))
      return b;
    if (a.kind != Answer::Known)
      return a;
    if (b.kind != Answer::Known)
      return b;
    if (trees.isTruth(a.tree, true))
      return b;
    if (trees.isTruth(b.tree, true))
      return a;
    Template node;
    node.kind = Template::And;
    if (isBefore(b.tree, a.tree))
      std::swap(a, b);
    return Answer::known(trees.make(node, {a.tree, b.tree}));
  }
  case Pred::Compare: {
    Answer a = evaluate(pred.a, env);
    if (a.kind != Answer::Known)
      return a;
    Answer b = evaluate(pred.b, env);
    if (b.kind != Answer::Known)
      return b;
    const Template &x = trees[a.tree.tree], &y = trees[b.tree.tree];
    if (x.kind == Template::Const && y.kind == Template::Const)
      if (std::optional<bool> holds = foldComparison(terms.nameText(pred.op), x.data, y.data)) {
        terms.rules.add(RuleId::Integers);
        return truth(*holds);
      }
    Template node;
    node.kind = Template::Compare;
    node.name = pred.op;
    return Answer::known(trees.make(node, {a.tree, b.tree}));
  }
  default:
    return fail("a condition that the checker does not follow", pred.a);
  }
}

std::optional<bool> Evaluator::decided(const Tree &condition) {
  const Template &node = trees[condition.tree];
  switch (node.kind) {
  case Template::Truth:
    return node.data != 0;
  case Template::Zero:
  case Template::Less: {
    FormId form = condition.shift[0];
    PredId simple = node.kind == Template::Less ? terms.less(form) : terms.zero(form);
    if (simple <= Terms::truePred)
      return simple == Terms::truePred;
    return node.kind == Template::Less ? assumed(form) : std::nullopt;
  }
  case Template::Not:
    if (std::optional<bool> inner = decided(trees.child(condition, 0)))
      return !*inner;
    return std::nullopt;
  case Template::And: {
    std::optional<bool> a = decided(trees.child(condition, 0)),
                        b = decided(trees.child(condition, 1));
    if ((a && !*a) || (b && !*b))
      return false;
    return a && b ? std::optional(true) : std::nullopt;
  }
  default:
    return std::nullopt;
  }
}

Tree Evaluator::settled(const Tree &condition) {
  if (std::optional<bool> holds = decided(condition))
    return trees.makeTruth(*holds);
  const Template node = trees[condition.tree];
  if (node.kind == Template::Not) {
    Template opposite;
    opposite.kind = Template::Not;
    return trees.make(opposite, {settled(trees.child(condition, 0))});
  }
  if (node.kind != Template::And)
    return condition;
  Tree a = settled(trees.child(condition, 0)), b = settled(trees.child(condition, 1));
  if (trees.isTruth(a, true))
    return b;
  if (trees.isTruth(b, true))
    return a;
  Template both;
  both.kind = Template::And;
  if (trees[b.tree].shape < trees[a.tree].shape)
    std::swap(a, b);
  return trees.make(both, {a, b});
}
