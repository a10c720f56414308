//===- Evaluate.cpp - From the symbolic thread to trees -------------------===//
//
// Terms one by one: memory leaves, conditions, shuffles, and butterflies over a lane bit, which are
// the sum over both values of that bit whoever holds them.
//
//===----------------------------------------------------------------------===//

#include "Mettle/Checker/Tree/Evaluate.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Twine.h"

using namespace mettle::checker;

/// Forms, terms, templates and answers together: some hundred megabytes.
static constexpr size_t MostWork = 2000000;

Evaluator::Evaluator(const Program &program, Terms &terms, Templates &trees)
    : program(program), terms(terms), trees(trees), forms(terms.forms) {
  assumptionsOf({}); // number 0
}

Evaluator::Answer Evaluator::fail(const llvm::Twine &text, InstructionId at) {
  failure = {text.str(), at};
  return {Answer::Failed, {}, 0};
}

void Evaluator::assume(llvm::ArrayRef<FormId> negative) { assumptions = assumptionsOf(negative); }

uint32_t Evaluator::assumptionsOf(llvm::ArrayRef<FormId> negative) {
  std::vector<FormId> sorted(negative);
  llvm::sort(sorted);
  sorted.erase(std::unique(sorted.begin(), sorted.end()), sorted.end());
  auto [place, isNew] = assumptionNumbers.try_emplace(sorted, uint32_t(assumptionLists.size()));
  if (isNew)
    assumptionLists.push_back(std::move(sorted));
  return place->second;
}

EnvId Evaluator::restrict(EnvId id, uint64_t bits, uint64_t loops) {
  Env env = forms.env(id);
  bool changed = false;
  for (unsigned i = 0; i < NumThreadBits; ++i)
    if (!(bits >> i & 1) && (env.mask[i] || (env.flip >> i & 1))) {
      env.mask[i] = 0;
      env.flip &= uint16_t(~(1u << i));
      changed = true;
    }
  for (size_t i = 0; i < env.counters.size();)
    if (!(loops >> env.counters[i].first & 1)) {
      env.counters.erase(env.counters.begin() + i);
      changed = true;
    } else {
      ++i;
    }
  return changed ? forms.intern(env) : id;
}

Evaluator::Answer Evaluator::evaluate(TermId id, EnvId env) {
  const Term &term = terms[id];
  std::pair<std::pair<uint64_t, uint64_t>, EnvId> sees = {{term.bits, term.loops}, env};
  auto cached = restricted.find(sees);
  EnvId narrow;
  if (cached != restricted.end()) {
    narrow = cached->second;
  } else {
    narrow = restrict(env, term.bits, term.loops);
    restricted[sees] = narrow;
  }
  std::pair<uint64_t, uint64_t> key = {id, narrow},
                                under = {id, uint64_t(assumptions) << 32 | narrow};
  if (auto found = timeless.find(key); found != timeless.end())
    return answers[found->second];
  if (auto found = conditional.find(under); found != conditional.end()) {
    ++undecided;
    return answers[found->second];
  }
  uint64_t before = undecided;
  if (forms.size() + terms.size() + trees.size() + answers.size() > MostWork)
    return fail("more work than the checker takes on", term.instruction);
  if (++depth > 20000) {
    --depth;
    return fail("a tree deeper than 20000", term.instruction);
  }
  Answer answer;
  if (std::optional<Tree> same = fromAnyThread(id, narrow))
    answer = Answer::known(*same);
  else if (std::optional<Tree> moved = fromAnyTurn(id, narrow))
    answer = Answer::known(*moved);
  else
    answer = compute(id, narrow);
  --depth;
  if (answer.kind != Answer::Failed) {
    // An answer that asked for no assumption is true under all of them.
    (undecided == before ? timeless[key] : conditional[under]) = uint32_t(answers.size());
    answers.push_back(answer);
  }
  return answer;
}

/// What a turn of a loop does that carries nothing is what any turn does, moved.
std::optional<Tree> Evaluator::fromAnyTurn(TermId id, EnvId env) {
  const llvm::SmallVector<std::pair<uint32_t, FormId>, 2> counters = forms.env(env).counters;
  for (auto [loop, now] : counters) {
    uint64_t key = uint64_t(loop) << 32 | id;
    if (!forms.isConstant(now) || program.loops[loop].trips < 4 || unlikeTurns.contains(key) ||
        holdsPhi(id, loop))
      continue;
    AtomId any = forms.turn(loop, program.loops[loop].trips);
    // The first turns are asked on the way: they do not ask in return.
    unlikeTurns.insert(key);
    Answer answer = evaluate(id, with(env, loop, forms.ofAtom(any)));
    unlikeTurns.erase(key);
    uint64_t mask = uint64_t(1) << loop;
    bool isMoved = answer.kind == Answer::Known && !(trees[answer.tree.tree].loops & mask);
    Tree tree = answer.tree;
    for (size_t i = 0; isMoved && i < tree.shift.size(); ++i) {
      int64_t coef = forms.coefficient(tree.shift[i], any);
      isMoved = !coef || trees[tree.tree].slots[i] != ConditionSlot;
      tree.shift[i] = forms.replace(tree.shift[i], any, now);
      isMoved = isMoved && !(forms.loopsOf(tree.shift[i]) & mask);
    }
    if (isMoved)
      return tree;
    unlikeTurns.insert(key);
  }
  return std::nullopt;
}

Evaluator::Answer Evaluator::compute(TermId id, EnvId env) {
  const Term term = terms[id];
  switch (term.kind) {
  case Term::Const:
    return Answer::known(trees.makeConstant(term.data, term.bytes));
  case Term::Integer: {
    FormId form = forms.substitute(term.form, env);
    for (const Part &part : forms.parts(form)) {
      Atom::Kind kind = forms.atom(part.atom).kind;
      if (kind == Atom::Phi || kind == Atom::Shared || kind == Atom::Pointer)
        return fail("an integer that the checker does not follow is used as data",
                    term.instruction);
    }
    if (forms.isConstant(form))
      return Answer::known(trees.makeConstant(
          uint64_t(forms.constantOf(form)) &
              (term.bytes >= 8 ? ~uint64_t(0) : (uint64_t(1) << 8 * term.bytes) - 1),
          term.bytes));
    Template node;
    node.kind = Template::Integer;
    node.bytes = term.bytes;
    return Answer::known(trees.makeLeaf(node, IntegerSlot, form));
  }
  case Term::Load:
    return computeLoad(term, env);
  case Term::SharedLoad:
    return computeShared(id, env);
  case Term::Shuffle:
    return computeShuffle(term, env);
  case Term::Select: {
    Answer condition = evaluatePred(term.pred, env);
    if (condition.kind != Answer::Known)
      return condition;
    if (trees.isTruth(condition.tree, true))
      return evaluate(term.args[0], env);
    if (trees.isTruth(condition.tree, false))
      return evaluate(term.args[1], env);
    // Which register a thread's bit picks is decided bit by bit.
    if (uint64_t bits = pickingBits(condition.tree)) {
      auto bit = unsigned(__builtin_ctzll(bits));
      if (withBit(env, bit, false) != env)
        return decide(id, env, bit);
    }
    Answer a = evaluate(term.args[0], env);
    if (a.kind != Answer::Known)
      return a;
    Answer b = evaluate(term.args[1], env);
    if (b.kind != Answer::Known)
      return b;
    if (a.tree == b.tree)
      return a;
    if (spellUpwards(condition.tree))
      std::swap(a, b);
    Template node;
    node.kind = Template::Select;
    node.bytes = term.bytes;
    node.neverNegativeZero =
        trees[a.tree.tree].neverNegativeZero && trees[b.tree.tree].neverNegativeZero;
    node.nonNegative = trees[a.tree.tree].nonNegative && trees[b.tree.tree].nonNegative;
    return Answer::known(trees.make(node, {condition.tree, a.tree, b.tree}));
  }
  case Term::Op:
    return computeOp(id, env);
  case Term::Extract: {
    Answer whole = evaluate(term.args[0], env);
    if (whole.kind != Answer::Known)
      return whole;
    return Answer::known(part(whole.tree, unsigned(term.data), term.bytes));
  }
  case Term::Concat: {
    llvm::SmallVector<Tree, 4> parts;
    for (TermId arg : term.args) {
      Answer part = evaluate(arg, env);
      if (part.kind != Answer::Known)
        return part;
      parts.push_back(part.tree);
    }
    return Answer::known(concat(parts, term.bytes));
  }
  case Term::Last:
    return evaluate(term.args[0], with(env, uint32_t(term.data),
                                       forms.constant(program.loops[term.data].trips - 1)));
  case Term::Phi:
    return computePhi(id, env);
  case Term::Undefined:
    return fail("a register that was not written", term.instruction);
  case Term::Unknown:
    return fail(terms.nameText(uint32_t(term.data)), InstructionId(term.data >> 32));
  case Term::Group:
    return computeGroup(term, env);
  }
  return fail("a term that the checker does not know", term.instruction);
}

Evaluator::Answer Evaluator::computeLoad(const Term &term, EnvId env) {
  FormId address = forms.substitute(term.form, env);
  std::optional<AtomId> base;
  for (const Part &part : forms.parts(address)) {
    const Atom &atom = forms.atom(part.atom);
    if (atom.kind == Atom::Pointer) {
      if (base || part.coef != 1)
        return fail("an address that is made of two pointers", term.instruction);
      base = part.atom;
    } else if (atom.kind == Atom::Phi || atom.kind == Atom::Shared) {
      return fail("an address that comes from data", term.instruction);
    }
  }
  if (!base)
    return fail("an address that is not based on a parameter", term.instruction);
  Template node;
  node.kind = Template::Leaf;
  node.bytes = term.bytes;
  node.instruction = term.instruction;
  return Answer::known(
      trees.makeLeaf(node, SlotKey(forms.atom(*base).data), forms.without(address, *base)));
}

Evaluator::Answer Evaluator::computeShuffle(const Term &term, EnvId env) {
  const Env here = forms.env(env);
  Env there = here;
  if (ShuffleMode(term.data) == ShuffleMode::Xor) {
    there.flip ^= uint16_t(forms.constantOf(term.form) & 31);
    return evaluate(term.args[0], forms.intern(there));
  }
  FormId lane = forms.substitute(term.form, env);
  std::optional<BitView> view = forms.bitsOf(lane, 32);
  if (!view && forms.bitsOf(lane))
    return Answer::split(unsigned(__builtin_ctzll(forms.bitsOf(lane)))); // a carry from bit to bit
  if (!view || view->count < 5)
    return fail("a shuffle from a lane that the checker does not follow", term.instruction);
  for (unsigned i = 0; i < 5; ++i) {
    there.mask[i] = view->mask[i];
    there.flip = uint16_t((there.flip & ~(1u << i)) | unsigned(view->bit(i)) << i);
  }
  return evaluate(term.args[0], forms.intern(there));
}

unsigned Evaluator::freshBit(EnvId env) const {
  uint64_t used = forms.env(env).fixed;
  for (uint64_t mask : forms.env(env).mask)
    used |= mask;
  for (auto [loop, form] : forms.env(env).counters)
    used |= forms.bitsOf(form);
  for (unsigned bit = FirstBoundBit; bit < FirstWriterBit; ++bit)
    if (!(used >> bit & 1))
      return bit;
  return NumBits;
}

EnvId Evaluator::withBit(EnvId id, unsigned bit, bool value) {
  Env env = forms.env(id);
  for (unsigned i = 0; i < NumThreadBits; ++i)
    if (env.mask[i] >> bit & 1) {
      env.mask[i] &= ~(uint64_t(1) << bit);
      if (value)
        env.flip ^= uint16_t(1u << i);
    }
  // Counters may mention the bit only through an outer exchange, which the checker does not make.
  return forms.intern(env);
}

bool Evaluator::isLinearIn(const Tree &tree, unsigned bit) const {
  uint64_t mask = uint64_t(1) << bit;
  const Template &node = trees[tree.tree];
  if (node.bits & mask)
    return false;
  for (size_t i = 0; i < tree.shift.size(); ++i) {
    if (forms.isEntangled(tree.shift[i], mask))
      return false;
    // What a condition says may be decided on one side only.
    if (node.slots[i] == ConditionSlot && (forms.bitsOf(tree.shift[i]) & mask))
      return false;
  }
  return true;
}

Tree Evaluator::atBit(const Tree &tree, unsigned bit, bool value) {
  Tree result = tree;
  for (FormId &f : result.shift) {
    if (!(forms.bitsOf(f) >> bit & 1))
      continue;
    for (const Part &part : llvm::SmallVector<Part, 8>(forms.parts(f)))
      if (forms.atom(part.atom).kind == Atom::Parity && forms.atom(part.atom).data == uint64_t(1)
                                                                                          << bit)
        f = forms.addConstant(forms.without(f, part.atom), value ? part.coef : 0);
  }
  return result;
}

std::optional<Tree> Evaluator::join(const Tree &zero, const Tree &one, unsigned bit,
                                    bool withConditions) {
  if (zero.tree != one.tree)
    return std::nullopt;
  const Template &node = trees[zero.tree];
  Tree result = zero;
  for (size_t i = 0; i < zero.shift.size(); ++i) {
    FormId d = forms.sub(one.shift[i], zero.shift[i]);
    if (!forms.isConstant(d) || (d != 0 && node.slots[i] == ConditionSlot && !withConditions))
      return std::nullopt;
    result.shift[i] =
        forms.add(zero.shift[i], forms.parity(uint64_t(1) << bit, false, forms.constantOf(d)));
  }
  return result;
}

/// The bits of equalities within a condition.
uint64_t Evaluator::pickingBits(const Tree &condition) const {
  const Template &node = trees[condition.tree];
  if (node.kind == Template::Zero)
    return forms.bitsOf(condition.shift[0]);
  uint64_t bits = 0;
  if (node.kind == Template::Not || node.kind == Template::And)
    for (unsigned i = 0; i < node.children.size(); ++i)
      bits |= pickingBits(trees.child(condition, i));
  return bits;
}

Evaluator::Answer Evaluator::decide(TermId id, EnvId env, unsigned bit) {
  Answer zero = evaluate(id, withBit(env, bit, false));
  if (zero.kind != Answer::Known)
    return zero;
  Answer one = evaluate(id, withBit(env, bit, true));
  if (one.kind != Answer::Known)
    return one;
  if (std::optional<Tree> both = join(zero.tree, one.tree, bit))
    return Answer::known(*both);
  return Answer::split(bit);
}

Evaluator::Answer Evaluator::butterfly(uint32_t op, TermId value, uint64_t lanes, EnvId env) {
  terms.rules.add(RuleId::Butterfly);
  const Env here = forms.env(env);
  unsigned low = unsigned(__builtin_ctzll(lanes));
  unsigned bound = freshBit(env);
  if (bound == NumBits)
    return fail("more than 32 nested exchanges", terms[value].instruction);
  auto lane = [&](uint64_t mask, bool flip) {
    Env there = here;
    for (unsigned i = 0; i < 5; ++i) {
      if (!(lanes >> i & 1) || i == low)
        continue;
      there.mask[i] = here.mask[i] ^ here.mask[low] ^ mask;
      bool f = (here.flip >> i & 1) ^ (here.flip >> low & 1) ^ flip;
      there.flip = uint16_t((there.flip & ~(1u << i)) | unsigned(f) << i);
    }
    there.mask[low] = mask;
    there.flip = uint16_t((there.flip & ~(1u << low)) | unsigned(flip) << low);
    return forms.intern(there);
  };
  unsigned bytes = terms[value].bytes;
  // What was once not alike on both sides (masks, mostly) is asked on each side at once.
  uint64_t key = uint64_t(value) << 5 | lanes;
  Answer both;
  if (!uneven.count(key))
    both = evaluate(value, lane(uint64_t(1) << bound, false));
  if (both.kind == Answer::Known && isLinearIn(both.tree, bound))
    return Answer::known(operation(op, bytes,
                                   {atBit(both.tree, bound, false), atBit(both.tree, bound, true)},
                                   terms[value].instruction));
  if (both.kind == Answer::Split && both.bit != bound)
    return both;
  uneven.insert(key);
  Answer zero = evaluate(value, lane(0, false));
  if (zero.kind != Answer::Known)
    return zero;
  Answer one = evaluate(value, lane(0, true));
  if (one.kind != Answer::Known)
    return one;
  return Answer::known(operation(op, bytes, {zero.tree, one.tree}, terms[value].instruction));
}

Evaluator::Answer Evaluator::computeOp(TermId id, EnvId env) {
  const Term term = terms[id];
  auto name = uint32_t(term.data);
  if (term.args.size() == 2 && terms.traits(name).commutes)
    for (unsigned i = 0; i < 2; ++i) {
      const Term &other = terms[term.args[i]];
      if (other.kind == Term::Shuffle && other.args[0] == term.args[1 - i] &&
          ShuffleMode(other.data) == ShuffleMode::Xor) {
        auto lanes = uint64_t(forms.constantOf(other.form));
        if (lanes & terms[other.args[0]].bits)
          return butterfly(name, other.args[0], lanes & 31, env);
      }
    }
  llvm::SmallVector<Tree, 3> args;
  for (TermId arg : term.args) {
    Answer answer = evaluate(arg, env);
    if (answer.kind != Answer::Known)
      return answer;
    args.push_back(answer.tree);
  }
  return Answer::known(operation(name, term.bytes, args, term.instruction));
}
