//===- Matrix.cpp - What a step of a matrix instruction adds --------------===//
//
// Finds the factors of one element of a result, in the other lanes' registers or in shared memory,
// and brings the products into one order. Where they stand at even distances, which they mostly do,
// a first product, a second and a count say all of them.
//
//===----------------------------------------------------------------------===//

#include "Mettle/Checker/Tree/Evaluate.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Twine.h"

using namespace mettle::checker;
using mettle::numerics::FragmentLayout;

Tree Evaluator::part(const Tree &tree, unsigned first, unsigned bytes) {
  const Template node = trees[tree.tree];
  if (first == 0 && node.bytes == bytes)
    return tree;
  switch (node.kind) {
  case Template::Const:
    if (first >= 8 || node.data == 0)
      return trees.makeConstant(0, bytes);
    if (first + bytes <= 8)
      return trees.makeConstant(node.data >> 8 * first &
                                    (bytes == 8 ? ~uint64_t(0) : (uint64_t(1) << 8 * bytes) - 1),
                                bytes);
    break;
  case Template::Leaf: {
    Template leaf;
    leaf.kind = Template::Leaf;
    leaf.bytes = uint8_t(bytes);
    leaf.instruction = node.instruction;
    return trees.makeLeaf(leaf, node.slots[0], forms.addConstant(tree.shift[0], int64_t(first)));
  }
  case Template::Concat: {
    llvm::SmallVector<Tree, 4> parts;
    unsigned at = 0;
    for (unsigned i = 0; i < node.children.size(); ++i) {
      Tree child = trees.child(tree, i);
      unsigned size = trees[child.tree].bytes, from = std::max(at, first),
               to = std::min(at + size, first + bytes);
      if (from < to)
        parts.push_back(part(child, from - at, to - from));
      at += size;
    }
    return concat(parts, bytes);
  }
  case Template::Select: {
    Template select;
    select.kind = Template::Select;
    select.bytes = uint8_t(bytes);
    return trees.make(select, {trees.child(tree, 0), part(trees.child(tree, 1), first, bytes),
                               part(trees.child(tree, 2), first, bytes)});
  }
  case Template::Extract:
    return part(trees.child(tree, 0), unsigned(node.data) + first, bytes);
  default:
    break;
  }
  Template extract;
  extract.kind = Template::Extract;
  extract.bytes = uint8_t(bytes);
  extract.data = first;
  return trees.make(extract, {tree});
}

Tree Evaluator::concat(llvm::ArrayRef<Tree> parts, unsigned bytes) {
  if (parts.size() == 1)
    return parts[0];
  bool constants = bytes <= 8;
  uint64_t bits = 0;
  unsigned at = 0;
  for (const Tree &tree : parts) {
    const Template &node = trees[tree.tree];
    constants &= node.kind == Template::Const;
    if (constants)
      bits |= node.data << at;
    at += 8 * node.bytes;
  }
  if (constants)
    return trees.makeConstant(bits, bytes);
  // Neighbours in memory are one piece of it.
  const Template first = trees[parts[0].tree];
  bool isPiece = first.kind == Template::Leaf;
  int64_t far = 0;
  for (const Tree &tree : parts) {
    const Template &node = trees[tree.tree];
    isPiece = isPiece && node.kind == Template::Leaf && node.slots == first.slots &&
              tree.shift[0] == forms.addConstant(parts[0].shift[0], far);
    far += node.bytes;
  }
  if (isPiece) {
    Template leaf;
    leaf.kind = Template::Leaf;
    leaf.bytes = uint8_t(bytes);
    leaf.instruction = first.instruction;
    return trees.makeLeaf(leaf, first.slots[0], parts[0].shift[0]);
  }
  Template node;
  node.kind = Template::Concat;
  node.bytes = uint8_t(bytes);
  return trees.make(node, parts);
}

namespace {
/// The bit of a coordinate of D's element: a constant, or a bit of the lane.
struct ElementBit {
  bool isLane = false;
  unsigned lane = 0;
  bool value = false;
};
} // namespace

static ElementBit bitOfElement(const FragmentLayout &layout, bool isRow, unsigned bit,
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

static unsigned bitsOf(unsigned extent) {
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
  unsigned laneBits = bitsOf(layout.lanes), fixedRegister = 0, fixedPlace = 0;
  for (unsigned i = 0; i < laneBits; ++i) {
    there.mask[i] = 0;
    there.flip &= uint16_t(~(1u << i));
  }
  unsigned lines = isA ? use.result.rows : use.result.cols;
  for (unsigned bit = 0; bit < bitsOf(lines); ++bit) {
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
  unsigned depthBits = bitsOf(use.groupSize);
  // Lanes along k are asked as one, by bits that are bound.
  llvm::SmallVector<std::pair<unsigned, unsigned>, 3> bound; // a bit of k, and what it is bound to
  Env symbolic = there;
  unsigned fresh = freshBit(env);
  for (unsigned bit = 0; bit < depthBits; ++bit) {
    CoordinateBit to = sourceOf(layout, !factor.linesAreRows, bit);
    if (to.kind != CoordinateBit::Lane)
      continue;
    if (fresh >= 48)
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

/// The whole factor in shared memory, as few trees over bits that stand for its lines and k: one
/// for each store instruction that wrote a part of it, as a rule.
Evaluator::Answer Evaluator::viewShared(const MatrixUse &use, bool isA, EnvId env,
                                        const SharedView *&found) {
  const MatrixFactor &factor = isA ? use.a : use.b;
  // The lanes of the warpgroup read one matrix, whichever of them asks.
  constexpr uint16_t Lanes = 127;
  if (forms.bitsOf(factor.start) & Lanes)
    return fail("a wgmma descriptor that is not one for the warpgroup", use.instruction);
  Env all = forms.env(env);
  for (unsigned lane = 0; lane < 7; ++lane)
    all.mask[lane] = 0;
  all.flip &= uint16_t(~Lanes);
  EnvId here = forms.intern(all);
  auto number = uint64_t(&use - program.matrices.data());
  std::pair<uint64_t, uint64_t> key = {number << 1 | isA, here};
  if (auto known = views.find(key); known != views.end()) {
    found = known->second.get();
    return Answer::known({});
  }
  auto view = std::make_unique<SharedView>();
  unsigned inChunk = 16 / factor.elementBytes;
  view->lineBits = bitsOf(isA ? use.result.rows : use.result.cols);
  view->depthBits = bitsOf(use.depth);
  view->firstBit = freshBit(here);
  unsigned total = view->lineBits + view->depthBits;
  if (view->firstBit + total > 48)
    return fail("more than 32 nested exchanges", use.instruction);
  view->skipped = bitsOf(inChunk);
  view->skipsLines = factor.mnMajor;
  Term load;
  load.kind = Term::SharedLoad;
  load.bytes = 16;
  load.data = factor.event;
  load.instruction = use.instruction;
  load.bits = (uint64_t(1) << NumThreadBits) - 1;
  for (uint32_t loop = program.events[factor.event].loop; loop != ~0u;
       loop = program.loops[loop].parent)
    load.loops |= uint64_t(1) << loop;
  // Bits of lines first, then those of k; `fixed` are decided.
  Answer trouble;
  auto build = [&](auto &self, uint64_t fixed, uint64_t value) -> std::optional<uint32_t> {
    FormId line = 0, depth = 0;
    for (unsigned i = 0; i < total; ++i) {
      bool isLine = i < view->lineBits;
      unsigned bit = isLine ? i : i - view->lineBits;
      if (isLine == view->skipsLines && bit < view->skipped)
        continue;
      int64_t weight = int64_t(1) << bit;
      FormId part = fixed >> i & 1
                        ? forms.constant(value >> i & 1 ? weight : 0)
                        : forms.parity(uint64_t(1) << (view->firstBit + i), false, weight);
      (isLine ? line : depth) = forms.add(isLine ? line : depth, part);
    }
    Term asked = load;
    asked.form = sharedAddress(forms, factor, line, depth);
    Answer answer = evaluate(terms.intern(std::move(asked)), here);
    unsigned split = NumBits;
    if (answer.kind == Answer::Failed) {
      trouble = answer;
      return std::nullopt;
    }
    if (answer.kind == Answer::Split) {
      split = answer.bit;
    } else {
      for (unsigned i = 0; i < total && split == NumBits; ++i)
        if (!(fixed >> i & 1) && !isMovedBy(answer.tree, view->firstBit + i))
          split = view->firstBit + i;
    }
    auto place = uint32_t(view->nodes.size());
    view->nodes.emplace_back();
    if (split == NumBits) {
      view->nodes[place].tree = answer.tree;
      return place;
    }
    if (split < view->firstBit || split >= view->firstBit + total ||
        (fixed >> (split - view->firstBit) & 1)) {
      trouble = Answer::split(split);
      return std::nullopt;
    }
    unsigned bit = split - view->firstBit;
    uint64_t mask = uint64_t(1) << bit;
    std::optional<uint32_t> zero = self(self, fixed | mask, value);
    if (!zero)
      return std::nullopt;
    std::optional<uint32_t> one = self(self, fixed | mask, value | mask);
    if (!one)
      return std::nullopt;
    view->nodes[place].split = int(bit);
    view->nodes[place].children = {*zero, *one};
    return place;
  };
  if (!build(build, 0, 0))
    return trouble;
  found = view.get();
  views[key] = std::move(view);
  return Answer::known({});
}

/// Whether a bit only moves a tree, so that putting another form in its place is exact.
bool Evaluator::isMovedBy(const Tree &tree, unsigned bit) const {
  uint64_t mask = uint64_t(1) << bit;
  if (trees[tree.tree].bits & mask)
    return false;
  for (FormId form : tree.shift)
    if (forms.isEntangled(form, mask))
      return false;
  return true;
}

/// The factors of one element that stand in shared memory, along k from `first` on.
Evaluator::Answer Evaluator::factorsInShared(const MatrixUse &use, bool isA, unsigned element,
                                             unsigned first, EnvId env, std::vector<Tree> &found) {
  const MatrixFactor &factor = isA ? use.a : use.b;
  const SharedView *view = nullptr;
  Answer answer = viewShared(use, isA, env, view);
  if (answer.kind != Answer::Known)
    return answer;
  const Env here = forms.env(env);
  unsigned bytes = factor.elementBytes, inChunk = 16 / bytes;
  llvm::SmallVector<ElementBit, 8> line;
  for (unsigned bit = 0; bit < view->lineBits; ++bit)
    line.push_back(bitOfElement(use.result, isA, bit, element));
  FormId offset = 0;
  for (unsigned bit = 0; factor.mnMajor && bit < view->skipped && bit < line.size(); ++bit) {
    int64_t weight = int64_t(bytes) << bit;
    ElementBit of = line[bit];
    offset = forms.add(
        offset, of.isLane ? forms.parity(here.mask[of.lane], here.flip >> of.lane & 1, weight)
                          : forms.constant(of.value ? weight : 0));
  }
  unsigned step = factor.mnMajor ? 1 : inChunk;
  for (unsigned k = 0; k < use.groupSize; k += step) {
    // Down the view; a line's bit that a lane holds must not be one that decides.
    uint32_t at = 0;
    while (view->nodes[at].split >= 0) {
      auto bit = unsigned(view->nodes[at].split);
      bool value;
      if (bit >= view->lineBits) {
        value = (first + k) >> (bit - view->lineBits) & 1;
      } else if (!line[bit].isLane) {
        value = line[bit].value;
      } else if (uint64_t mask = here.mask[line[bit].lane]) {
        return Answer::split(unsigned(__builtin_ctzll(mask)));
      } else {
        value = here.flip >> line[bit].lane & 1;
      }
      at = view->nodes[at].children[value];
    }
    Tree chunk = view->nodes[at].tree;
    for (FormId &form : chunk.shift) {
      if (!(forms.bitsOf(form) >> view->firstBit))
        continue;
      FormId moved = form;
      for (const Part &part : llvm::SmallVector<Part, 12>(forms.parts(form))) {
        if (forms.atom(part.atom).kind != Atom::Parity)
          continue;
        auto bit = unsigned(__builtin_ctzll(forms.atom(part.atom).data));
        if (bit < view->firstBit || bit >= view->firstBit + view->lineBits + view->depthBits)
          continue;
        bit -= view->firstBit;
        FormId by = 0;
        if (bit >= view->lineBits)
          by = forms.constant((first + k) >> (bit - view->lineBits) & 1);
        else if (line[bit].isLane)
          by = forms.parity(here.mask[line[bit].lane], here.flip >> line[bit].lane & 1);
        else
          by = forms.constant(line[bit].value);
        moved = forms.replace(moved, part.atom, by);
      }
      form = moved;
    }
    if (!factor.mnMajor) {
      for (unsigned i = 0; i < inChunk; ++i)
        found.push_back(part(chunk, i * bytes, bytes));
      continue;
    }
    std::optional<Tree> one = partAt(chunk, offset, bytes);
    if (!one) {
      // Which part of a chunk that is no piece of memory: by the bits of who asks.
      uint64_t asked = forms.bitsOf(offset);
      return Answer::split(unsigned(__builtin_ctzll(asked)));
    }
    found.push_back(*one);
  }
  return Answer::known({});
}

/// Some bytes from an offset on that need not be a constant.
std::optional<Tree> Evaluator::partAt(const Tree &tree, FormId offset, unsigned bytes) {
  if (forms.isConstant(offset))
    return part(tree, unsigned(forms.constantOf(offset)), bytes);
  const Template node = trees[tree.tree];
  if (node.kind == Template::Leaf) {
    Tree leaf = part(tree, 0, bytes);
    leaf.shift[0] = forms.add(leaf.shift[0], offset);
    return leaf;
  }
  if (node.kind == Template::Const && node.data == 0)
    return trees.makeConstant(0, bytes);
  if (node.kind == Template::Select) {
    std::optional<Tree> a = partAt(trees.child(tree, 1), offset, bytes),
                        b = partAt(trees.child(tree, 2), offset, bytes);
    if (!a || !b)
      return std::nullopt;
    Template select;
    select.kind = Template::Select;
    select.bytes = uint8_t(bytes);
    return trees.make(select, {trees.child(tree, 0), *a, *b});
  }
  return std::nullopt;
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

Evaluator::Answer Evaluator::factors(const MatrixUse &use, bool isA, unsigned element,
                                     unsigned group, EnvId env, const std::vector<Tree> *&found) {
  // Elements of one line share their factors: what the line's constant bits are is all that counts.
  unsigned lines = isA ? use.result.rows : use.result.cols, line = 0;
  for (unsigned bit = 0; bit < bitsOf(lines); ++bit) {
    ElementBit of = bitOfElement(use.result, isA, bit, element);
    line |= unsigned(!of.isLane && of.value) << bit;
  }
  auto number = uint64_t(&use - program.matrices.data());
  std::pair<uint64_t, uint64_t> key = {number << 32 | uint64_t(group) << 17 | line << 1 | isA, env};
  if (auto known = assumedFactors.find(key); known != assumedFactors.end()) {
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
    std::vector<FormId> kept;
    std::swap(kept, assumptions);
    uint64_t before = undecided;
    Answer answer = compute(*list);
    undecided = before;
    std::swap(kept, assumptions);
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
      std::optional<bool> holds = decided(trees.child(tree, 0));
      if (!holds)
        break;
      tree = trees.child(tree, *holds ? 1 : 2);
    }
  bool isDeep = false;
  for (const Tree &tree : *list)
    isDeep |= trees[tree.tree].kind != Template::Select &&
              llvm::is_contained(trees[tree.tree].slots, ConditionSlot);
  if (isDeep && !assumptions.empty()) {
    list->clear();
    Answer answer = compute(*list);
    if (answer.kind != Answer::Known)
      return answer;
  }
  found = list.get();
  assumedFactors[key] = std::move(list);
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
    bool swap = trees[y.tree].shape < trees[x.tree].shape;
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
