//===- Matrix.cpp - What a step of a matrix instruction adds --------------===//
//
// Finds the factors of one element of a result, in the other lanes' registers or in shared memory,
// and brings the products into one order. Where they stand at even distances, which they mostly do,
// a first product, a second and a count say all of them.
//
//===----------------------------------------------------------------------===//
#include "Fragment.h"
#include "Mettle/Checker/Tree/Evaluate.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Twine.h"
#include <utility>

using namespace mettle::checker;
using mettle::numerics::FragmentLayout;

ElementBit mettle::checker::bitOfElement(const FragmentLayout &layout, bool isRow, unsigned bit,
                                         unsigned element) {
  CoordinateBit source = sourceOf(layout, isRow, bit);
  unsigned reg = element / layout.perRegister, place = element % layout.perRegister;
  switch (source.kind) {
  case CoordinateBit::Lane:
    return {true, source.index, false};
  case CoordinateBit::Register:
    return {false, 0, bool(reg >> source.index & 1)};
  case CoordinateBit::Place:
    return {false, 0, bool(place >> source.index & 1)};
  case CoordinateBit::Nothing:
    break;
  }
  return {};
}

unsigned mettle::checker::bitsOfExtent(unsigned extent) {
  unsigned bits = 0;
  while (1u << bits < extent)
    ++bits;
  return bits;
}

/// The factors of one element that lanes hold, along k from `first` on.
Evaluator::Answer Evaluator::factorsInRegisters(const MatrixUse &use, bool isA, unsigned element,
                                                unsigned first, EnvId env,
                                                std::vector<Tree> &found) {
  const MatrixFactor &factor = isA ? use.a : use.b;
  const FragmentLayout &layout = factor.layout;
  const Env here = forms.env(env);
  Env there = here;
  unsigned laneBits = bitsOfExtent(layout.lanes), fixedRegister = 0, fixedPlace = 0;
  for (unsigned i = 0; i < laneBits; ++i) {
    there.mask[i] = 0;
    there.flip &= uint16_t(~(1u << i));
  }
  unsigned lines = isA ? use.result.rows : use.result.cols;
  for (unsigned bit = 0; bit < bitsOfExtent(lines); ++bit) {
    ElementBit of = bitOfElement(use.result, isA, bit, element);
    CoordinateBit to = sourceOf(layout, factor.linesAreRows, bit);
    if (to.kind == CoordinateBit::Lane) {
      if (of.isLane)
        there.mask[to.index] = here.mask[of.lane];
      bool flip = of.isLane ? here.flip >> of.lane & 1 : of.value;
      there.flip |= uint16_t(flip) << to.index;
    } else if (of.isLane || to.kind == CoordinateBit::Nothing) {
      return fail("a matrix fragment that the checker does not follow", use.instruction);
    } else {
      (to.kind == CoordinateBit::Register ? fixedRegister : fixedPlace) |= of.value << to.index;
    }
  }
  unsigned placeBytes = layout.elementBits / 8;
  unsigned depthBits = bitsOfExtent(use.groupSize);
  // Lanes along k are asked as one, by bits that are bound.
  llvm::SmallVector<std::pair<unsigned, unsigned>, 3> bound; // a bit of k, and what it is bound to
  Env symbolic = there;
  unsigned fresh = freshBit(env);
  for (unsigned bit = 0; bit < depthBits; ++bit) {
    CoordinateBit to = sourceOf(layout, !factor.linesAreRows, bit);
    if (to.kind != CoordinateBit::Lane)
      continue;
    if (fresh >= FirstWriterBit)
      return fail("more than 32 nested exchanges", use.instruction);
    symbolic.mask[to.index] = uint64_t(1) << fresh;
    bound.push_back({bit, fresh++});
  }
  auto registerAt = [&](unsigned k, unsigned &place, Env *lanes) {
    unsigned reg = fixedRegister;
    place = fixedPlace;
    for (unsigned bit = 0; k >> bit; ++bit) {
      if (!(k >> bit & 1))
        continue;
      CoordinateBit to = sourceOf(layout, !factor.linesAreRows, bit);
      if (to.kind == CoordinateBit::Register)
        reg |= 1u << to.index;
      else if (to.kind == CoordinateBit::Place)
        place |= 1u << to.index;
      else if (lanes)
        lanes->flip |= uint16_t(1u << to.index);
    }
    return reg;
  };
  // With the lanes along k bound: one question for each register.
  EnvId symbolicId = forms.intern(symbolic);
  bool isEven = true;
  llvm::SmallVector<std::pair<unsigned, Tree>, 4> words;
  for (unsigned k = 0; isEven && k < use.groupSize; ++k) {
    bool isAsked = false;
    for (auto [bit, variable] : bound)
      isAsked |= k >> bit & 1;
    if (isAsked)
      continue;
    unsigned place;
    unsigned reg = registerAt(first + k, place, nullptr);
    if (llvm::any_of(words, [&](auto &word) { return word.first == reg; }))
      continue;
    Answer word = evaluate(factor.registers[reg], symbolicId);
    if (word.kind == Answer::Failed)
      return word;
    isEven = word.kind == Answer::Known;
    for (auto [bit, variable] : bound)
      isEven = isEven && isLinearIn(word.tree, variable);
    words.push_back({reg, word.tree});
  }
  for (unsigned k = 0; k < use.groupSize; ++k) {
    unsigned place;
    if (isEven) {
      unsigned reg = registerAt(first + k, place, nullptr);
      Tree word = llvm::find_if(words, [&](auto &w) { return w.first == reg; })->second;
      for (auto [bit, variable] : bound)
        word = atBit(word, variable, k >> bit & 1);
      found.push_back(part(word, place * placeBytes, placeBytes));
      continue;
    }
    Env lanes = there;
    unsigned reg = registerAt(first + k, place, &lanes);
    Answer word = evaluate(factor.registers[reg], forms.intern(lanes));
    if (word.kind != Answer::Known)
      return word;
    found.push_back(part(word.tree, place * placeBytes, placeBytes));
  }
  return Answer::known({});
}

Evaluator::Answer Evaluator::factors(const MatrixUse &use, bool isA, unsigned element,
                                     unsigned group, EnvId env, const std::vector<Tree> *&found) {
  // Elements of one line share their factors: what the line's constant bits are is all that counts.
  unsigned lines = isA ? use.result.rows : use.result.cols, line = 0;
  for (unsigned bit = 0; bit < bitsOfExtent(lines); ++bit) {
    ElementBit of = bitOfElement(use.result, isA, bit, element);
    line |= unsigned(!of.isLane && of.value) << bit;
  }
  auto number = uint64_t(&use - program.matrices.data());
  std::pair<uint64_t, uint64_t> key = {number << 32 | uint64_t(group) << 17 | line << 1 | isA, env};
  std::pair<uint64_t, uint64_t> under = {key.first, uint64_t(assumptions) << 32 | env};
  if (auto known = assumedFactors.find(under); known != assumedFactors.end()) {
    ++undecided;
    found = known->second.get();
    return Answer::known({});
  }
  // What no assumption is needed for serves all of them.
  unsigned first = group * use.groupSize;
  const MatrixFactor &factor = isA ? use.a : use.b;
  auto compute = [&](std::vector<Tree> &list) {
    return factor.isShared ? factorsInShared(use, isA, element, first, env, list)
                           : factorsInRegisters(use, isA, element, first, env, list);
  };
  const std::vector<Tree> *plain = nullptr;
  if (auto known = freeFactors.find(key); known != freeFactors.end()) {
    plain = known->second.get();
  } else {
    auto list = std::make_unique<std::vector<Tree>>();
    uint32_t kept = std::exchange(assumptions, NoAssumptions);
    uint64_t before = undecided;
    Answer answer = compute(*list);
    undecided = before;
    assumptions = kept;
    if (answer.kind != Answer::Known)
      return answer;
    plain = list.get();
    freeFactors[key] = std::move(list);
  }
  bool isConditional = false;
  for (const Tree &tree : *plain)
    isConditional |= llvm::is_contained(trees[tree.tree].slots, ConditionSlot);
  if (!isConditional) {
    found = plain;
    return Answer::known({});
  }
  ++undecided;
  auto list = std::make_unique<std::vector<Tree>>(*plain);
  for (Tree &tree : *list)
    while (trees[tree.tree].kind == Template::Select) {
      Tree condition = settled(trees.child(tree, 0));
      if (trees[condition.tree].kind != Template::Truth) {
        Template select;
        select.kind = Template::Select;
        select.bytes = trees[tree.tree].bytes;
        tree = trees.make(select, {condition, trees.child(tree, 1), trees.child(tree, 2)});
        break;
      }
      tree = trees.child(tree, trees.isTruth(condition, true) ? 1 : 2);
    }
  bool isDeep = false;
  for (const Tree &tree : *list)
    isDeep |= trees[tree.tree].kind != Template::Select &&
              llvm::is_contained(trees[tree.tree].slots, ConditionSlot);
  if (isDeep && assumptions != NoAssumptions) {
    list->clear();
    Answer answer = compute(*list);
    if (answer.kind != Answer::Known)
      return answer;
  }
  found = list.get();
  assumedFactors[under] = std::move(list);
  return Answer::known({});
}

/// Whether the trees stand at even distances.
static bool isProgression(Forms &forms, llvm::ArrayRef<Tree> list) {
  for (size_t k = 1; k < list.size(); ++k) {
    if (list[k].tree != list[0].tree)
      return false;
    for (size_t i = 0; k > 1 && i < list[k].shift.size(); ++i)
      if (forms.sub(list[k].shift[i], list[k - 1].shift[i]) !=
          forms.sub(list[1].shift[i], list[0].shift[i]))
        return false;
  }
  return true;
}

Tree Evaluator::product(const MatrixUse &use, Tree x, Tree y) {
  if (use.factorsCommute) {
    bool swap = isBefore(y, x);
    if (x.tree == y.tree)
      swap = !isForward(y.shift, x.shift);
    if (swap) {
      terms.rules.add(RuleId::ProductsAreASet);
      std::swap(x, y);
    }
  }
  Template pair;
  pair.kind = Template::Pair;
  pair.bytes = trees[x.tree].bytes;
  return trees.make(pair, {x, y});
}

Tree Evaluator::dot(const MatrixUse &use, llvm::ArrayRef<Tree> a, llvm::ArrayRef<Tree> b) {
  terms.rules.add(RuleId::OneArithmetic);
  Template node;
  node.kind = Template::Dot;
  node.name = use.step;
  node.bytes = uint8_t(use.result.elementBits / 8);
  auto even = [&](llvm::ArrayRef<Tree> list) {
    node.data = list.size();
    node.starts = true;
    if (list.size() == 1)
      return trees.make(node, {list[0]});
    bool forward = isForward(list[1].shift, list[0].shift);
    return trees.make(node,
                      {forward ? list[0] : list.back(), forward ? list[1] : list[list.size() - 2]});
  };
  auto isZero = [&](const Tree &tree) {
    return trees[tree.tree].kind == Template::Const && trees[tree.tree].data == 0;
  };
  if (a.size() > 1 && trees[a[0].tree].kind != Template::Const && isProgression(forms, a) &&
      isProgression(forms, b)) {
    Tree p = product(use, a[0], b[0]), q = product(use, a[1], b[1]);
    size_t last = a.size() - 1;
    Tree y = product(use, a[last - 1], b[last - 1]), z = product(use, a[last], b[last]);
    if (p.tree == q.tree && y.tree == p.tree && z.tree == p.tree) {
      node.data = a.size();
      node.starts = true;
      bool forward = isForward(q.shift, p.shift);
      terms.rules.add(RuleId::ProductsAreASet);
      return trees.make(node, {forward ? p : z, forward ? q : y});
    }
  }
  std::vector<Tree> products;
  for (size_t k = 0; k < a.size(); ++k)
    if (!isZero(a[k]) || !isZero(b[k]))
      products.push_back(product(use, a[k], b[k]));
  if (products.size() < a.size())
    terms.rules.add(RuleId::ZeroProducts);
  terms.rules.add(RuleId::ProductsAreASet);
  sortTrees(products);
  if (!products.empty() && isProgression(forms, products))
    return even(products);
  node.data = products.size();
  return trees.make(node, products);
}

Evaluator::Answer Evaluator::computeGroup(const Term &term, EnvId env) {
  const MatrixUse &use = program.matrices[term.data >> 32];
  unsigned group = term.data >> 16 & 0xffff, element = term.data & 0xffff;
  const std::vector<Tree> *a = nullptr, *b = nullptr;
  Answer answer = factors(use, true, element, group, env, a);
  if (answer.kind != Answer::Known)
    return answer;
  answer = factors(use, false, element, group, env, b);
  if (answer.kind != Answer::Known)
    return answer;
  return Answer::known(dot(use, *a, *b));
}
