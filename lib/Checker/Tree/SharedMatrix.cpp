//===- SharedMatrix.cpp - Factors that stand in shared memory ------------===//
//
// A factor behind a descriptor, seen once as a whole: trees over bits that stand for its lines and
// for k, from which an element takes its own.
//
//===----------------------------------------------------------------------===//

#include "Fragment.h"
#include "Mettle/Checker/Tree/Evaluate.h"
#include "llvm/ADT/Twine.h"

using namespace mettle::checker;

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
  view->lineBits = bitsOfExtent(isA ? use.result.rows : use.result.cols);
  view->depthBits = bitsOfExtent(use.depth);
  view->firstBit = freshBit(here);
  unsigned total = view->lineBits + view->depthBits;
  if (view->firstBit + total > FirstWriterBit)
    return fail("more than 32 nested exchanges", use.instruction);
  view->skipped = bitsOfExtent(inChunk);
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
    // Two stores that put one thing at an even distance are one.
    const SharedView::Node &low = view->nodes[*zero], &high = view->nodes[*one];
    if (low.split < 0 && high.split < 0)
      if (std::optional<Tree> both = join(low.tree, high.tree, split, true)) {
        view->nodes[place].tree = std::move(*both);
        return place;
      }
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
