//===- Fold.cpp - What loops carry ----------------------------------------===//
//
// A carried value that only gathers becomes a run over the turns; one that does not depend on
// itself is the turn before; what is left is followed turn by turn while that is short.
//
//===----------------------------------------------------------------------===//

#include "Mettle/Checker/Tree/Evaluate.h"
#include "llvm/ADT/Twine.h"

using namespace mettle::checker;

EnvId Evaluator::without(EnvId id, uint32_t loop) {
  Env env = forms.env(id);
  for (size_t i = 0; i < env.counters.size(); ++i)
    if (env.counters[i].first == loop) {
      env.counters.erase(env.counters.begin() + i);
      return forms.intern(env);
    }
  return id;
}

EnvId Evaluator::with(EnvId id, uint32_t loop, FormId value) {
  Env env = forms.env(without(id, loop));
  size_t i = 0;
  while (i < env.counters.size() && env.counters[i].first < loop)
    ++i;
  env.counters.insert(env.counters.begin() + i, {loop, value});
  return forms.intern(env);
}

FormId Evaluator::iteration(EnvId env, uint32_t loop) {
  for (auto [number, form] : forms.env(env).counters)
    if (number == loop)
      return form;
  return forms.ofAtom(program.loops[loop].counter);
}

bool Evaluator::holdsPhi(TermId id, uint32_t loop) {
  const Term &term = terms[id];
  if (!(term.loops >> loop & 1))
    return false;
  if (term.kind == Term::Phi)
    return term.data >> 32 == loop;
  if (term.kind == Term::SharedLoad)
    return false; // resolved by its own question, which sees the turn
  uint64_t key = uint64_t(loop) << 32 | id;
  auto found = phiHolders.find(key);
  if (found != phiHolders.end())
    return found->second;
  bool holds = false;
  for (TermId arg : llvm::SmallVector<TermId, 3>(term.args))
    holds |= holdsPhi(arg, loop);
  if (terms[id].kind == Term::Select) {
    // A condition on carried data counts as well.
    llvm::SmallVector<PredId, 4> work = {terms[id].pred};
    while (!work.empty()) {
      const Pred &pred = terms.pred(work.pop_back_val());
      if (pred.kind == Pred::Not || pred.kind == Pred::And)
        work.push_back(pred.a);
      if (pred.kind == Pred::And)
        work.push_back(pred.b);
      if (pred.kind == Pred::Compare)
        holds |= holdsPhi(pred.a, loop) || holdsPhi(pred.b, loop);
      if (pred.kind == Pred::Phi || pred.kind == Pred::Unknown)
        holds = true;
    }
  }
  phiHolders[key] = holds;
  return holds;
}

bool Evaluator::findSteps(TermId body, TermId phi, std::vector<Step> &steps, PredId &when) {
  auto loop = uint32_t(terms[phi].data >> 32);
  const Term whole = terms[body];
  if (whole.kind == Term::Select && (whole.args[0] == phi || whole.args[1] == phi)) {
    bool kept = whole.args[1] == phi;
    when = kept ? whole.pred : terms.negate(whole.pred);
    body = whole.args[kept ? 0 : 1];
  }
  while (body != phi) {
    const Term term = terms[body];
    if (term.kind != Term::Op)
      return false;
    llvm::StringRef name = terms.nameText(uint32_t(term.data));
    if (name.starts_with("fma.rn.") && term.args.size() == 3) {
      // The product is one step: kept as a term with two operands.
      steps.push_back({uint32_t(term.data), false,
                       terms.op(terms.name("pair"), term.bytes, {term.args[0], term.args[1]},
                                term.instruction)});
      body = term.args[2];
      continue;
    }
    if (name.starts_with("dot.")) {
      steps.push_back({uint32_t(term.data), false, term.args[1]});
      body = term.args[0];
      continue;
    }
    if (!name.starts_with("add.rn.") || term.args.size() != 2)
      return false;
    bool a = holdsPhi(term.args[0], loop), b = holdsPhi(term.args[1], loop);
    if (a == b)
      return false;
    steps.push_back({uint32_t(term.data), true, term.args[a ? 1 : 0]});
    body = term.args[a ? 0 : 1];
  }
  std::reverse(steps.begin(), steps.end());
  return !steps.empty();
}

Evaluator::Answer Evaluator::computePhi(TermId id, EnvId env) {
  const Term phi = terms[id];
  auto loop = uint32_t(phi.data >> 32);
  const Carried &carried = program.loops[loop].carried[uint32_t(phi.data)];
  AtomId counter = program.loops[loop].counter;
  FormId now = iteration(env, loop);
  EnvId outside = without(env, loop);
  if (forms.isConstant(now) && forms.constantOf(now) == 0)
    return evaluate(carried.initial, outside);
  if (!holdsPhi(carried.body, loop)) {
    // The turn before, whoever asks; at the first turn it must be what the loop began with.
    EnvId before = with(env, loop, forms.addConstant(now, -1));
    if (forms.lo(now) >= 1)
      return evaluate(carried.body, before);
    return fail("a value that one turn of a loop hands to the next", phi.instruction);
  }
  if (!forms.isConstant(now))
    return fail("a recurrence that is no sum", phi.instruction);
  int64_t turns = forms.constantOf(now);
  std::vector<Step> steps;
  PredId when = Terms::truePred;
  bool isSum = findSteps(carried.body, id, steps, when);
  for (const Step &step : steps)
    isSum &= step.op == steps[0].op;
  if (!isSum) {
    // Turn by turn, the first ones first, so that no question goes deep.
    if (turns > 256)
      return fail("a long recurrence that is no sum", phi.instruction);
    for (int64_t turn = 1; turn < turns; ++turn) {
      Answer before = evaluate(id, with(env, loop, forms.constant(turn)));
      if (before.kind != Answer::Known)
        return before;
    }
    return evaluate(carried.body, with(env, loop, forms.constant(turns - 1)));
  }
  EnvId symbolic = outside;
  bool bounded = true;
  if (when != Terms::truePred) {
    Answer condition = evaluatePred(when, symbolic);
    if (condition.kind != Answer::Known)
      return condition;
    if (trees.isTruth(condition.tree, false))
      return evaluate(carried.initial, outside);
    if (!trees.isTruth(condition.tree, true)) {
      if (trees[condition.tree.tree].kind != Template::Less)
        return fail("a loop whose turns count on a condition", phi.instruction);
      FormId form = condition.tree.shift[0];
      if (forms.bitsOf(form))
        return Answer::split(unsigned(__builtin_ctzll(forms.bitsOf(form))));
      int64_t slope = forms.coefficient(form, counter);
      if (forms.parts(form).size() != 1 || slope <= 0)
        return fail("a loop whose turns count on a condition", phi.instruction);
      // Holds for the turns below -c / slope.
      int64_t c = forms.constantOf(form);
      int64_t most = c >= 0 ? 0 : (-c + slope - 1) / slope;
      turns = std::min(turns, most);
      bounded = false;
      if (turns == 0)
        return evaluate(carried.initial, outside);
    }
  }
  Answer start = evaluate(carried.initial, outside);
  if (start.kind != Answer::Known)
    return start;
  auto valueOf = [&](const Step &step, EnvId at) -> Answer {
    const Term &term = terms[step.value];
    if (term.kind != Term::Op || terms.nameText(uint32_t(term.data)) != "pair")
      return evaluate(step.value, at);
    llvm::SmallVector<TermId, 3> args(term.args);
    InstructionId where = term.instruction;
    uint8_t bytes = term.bytes;
    Answer a = evaluate(args[0], at);
    if (a.kind != Answer::Known)
      return a;
    Answer b = evaluate(args[1], at);
    if (b.kind != Answer::Known)
      return b;
    Template pair;
    pair.kind = Template::Pair;
    pair.bytes = bytes;
    pair.instruction = where;
    if (isBefore(b.tree, a.tree))
      std::swap(a, b);
    pair.nonNegative = a.tree == b.tree && bytes == 4;
    return Answer::known(trees.make(pair, {a.tree, b.tree}));
  };
  current = terms[carried.body].instruction;
  // One turn with the counter as a symbol: a run, if every step moves evenly. Only the turns that
  // count are meant, so that what another one does (a masked tail, mostly) is not asked.
  if (turns < program.loops[loop].trips && turns > 1) {
    counter = forms.turn(loop, turns);
    symbolic = with(env, loop, forms.ofAtom(counter));
  }
  std::vector<Tree> firsts;
  llvm::SmallVector<FormId, 2> stride;
  bool even = bounded;
  for (size_t k = 0; even && k < steps.size(); ++k) {
    Answer answer = valueOf(steps[k], symbolic);
    if (answer.kind == Answer::Split)
      return answer;
    if (answer.kind == Answer::Failed) {
      even = false;
      break;
    }
    Tree tree = answer.tree;
    uint64_t mask = uint64_t(1) << loop;
    even &= !(trees[tree.tree].loops & mask);
    llvm::SmallVector<FormId, 2> moves;
    for (size_t i = 0; even && i < tree.shift.size(); ++i) {
      FormId &f = tree.shift[i];
      int64_t coef = forms.coefficient(f, counter);
      f = forms.without(f, counter);
      even &= !(forms.loopsOf(f) & mask) && !(coef && trees[tree.tree].slots[i] == ConditionSlot);
      moves.push_back(forms.constant(coef));
    }
    even &= k == 0 || (firsts[0].tree == tree.tree && moves == stride);
    if (k == 0)
      stride = moves;
    firsts.push_back(tree);
  }
  if (even && firsts.size() == 1)
    return Answer::known(append(steps[0].op, start.tree, firsts[0], stride, turns));
  if (even) {
    llvm::SmallVector<FormId, 2> small;
    for (size_t i = 0; i < stride.size(); ++i)
      small.push_back(forms.sub(firsts[1].shift[i], firsts[0].shift[i]));
    bool run = true;
    for (size_t k = 1; k < firsts.size(); ++k)
      for (size_t i = 0; i < stride.size(); ++i)
        run &= forms.sub(firsts[k].shift[i], firsts[k - 1].shift[i]) == small[i];
    for (size_t i = 0; i < stride.size(); ++i)
      run &= forms.scale(small[i], int64_t(firsts.size())) == stride[i];
    if (run)
      return Answer::known(
          append(steps[0].op, start.tree, firsts[0], small, turns * int64_t(firsts.size())));
  }
  if (turns * int64_t(steps.size()) > 4096)
    return fail("a long recurrence whose turns are not alike", phi.instruction);
  Tree sum = start.tree;
  for (int64_t turn = 0; turn < turns; ++turn) {
    EnvId at = with(env, loop, forms.constant(turn));
    for (const Step &step : steps) {
      Answer answer = valueOf(step, at);
      if (answer.kind != Answer::Known)
        return answer;
      sum = combine(step.op, step.commutes, sum, answer.tree);
    }
  }
  return Answer::known(sum);
}
