//===- Recognise.cpp - From a tree to descriptors -------------------------===//
//
// Reads candidate cuts and chains off a revealed tree, and keeps those whose own tree is the same:
// the reading may guess, the comparison decides.
//
//===----------------------------------------------------------------------===//

#include "Mettle/Numerics/Probe.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"
#include <algorithm>

using namespace mettle::numerics;

namespace {

/// The form of a descriptor below some level: the rest of the nest, and the chain.
struct Form {
  std::vector<KCut> cuts; // innermost first while it grows
  uint32_t instructionK = 1, groups = 1, residueStep = 0;
  bool fastAccum = true;
};

class Reader {
public:
  Reader(const SumTree &tree, Reading reading)
      : tree(tree), k(tree[tree.root()].leaves), reading(reading) {}

  std::vector<GEMMDesc> read() {
    std::vector<uint64_t> axis;
    for (uint64_t i = 0; i < k; ++i)
      axis.push_back(i);
    std::vector<GEMMDesc> found;
    for (const Form &form : forms(tree.root(), axis, 0, reading.exactProducts))
      for (const GEMMDesc &desc : described(form))
        if (!llvm::is_contained(found, desc) && !llvm::errorToBool(desc.validate()) &&
            SumTree::build(desc, k) == tree) {
          found.push_back(desc);
          break; // of the short turns that fit, the smallest
        }
    return found;
  }

private:
  /// Forms of the subtree `node` over the elements of `axis`, in their order.
  std::vector<Form> forms(uint32_t node, const std::vector<uint64_t> &axis, unsigned depth,
                          bool noSingle) {
    std::vector<Form> result = chains(node, axis);
    if (depth == 12)
      return result;
    std::vector<uint64_t> prefix(1);
    for (uint64_t k : axis)
      prefix.push_back(prefix.back() + SumTree::hashOfElement(k));
    // A scalar chain is also a nest of cuts that leave one element each: the last alone may be one.
    bool scalar = llvm::any_of(result, [](const Form &form) { return form.instructionK == 1; });
    // A first part is a subtree on the way from the first element up.
    for (uint32_t part = tree.leafOf(axis.front()); part != node && part != SumTree::none;
         part = tree[part].parent) {
      std::optional<KCut> cut;
      bool single = scalar && tree[part].leaves + 1 == axis.size();
      if (!single || !noSingle)
        cut = cutOf(part, axis, prefix);
      if (!cut)
        continue;
      for (Form form : forms(part, elementsOf(*cut, 0, axis), depth + 1, noSingle || single)) {
        form.cuts.push_back(*cut);
        result.push_back(std::move(form));
      }
    }
    return result;
  }

  static std::vector<uint64_t> elementsOf(const KCut &cut, uint64_t part,
                                          const std::vector<uint64_t> &axis) {
    std::vector<uint64_t> elements;
    for (uint64_t at = 0; at < axis.size(); ++at)
      if (cut.layout == CutLayout::Contiguous ? at / cut.span == part
                                              : at / cut.span % cut.count == part)
        elements.push_back(axis[at]);
    return elements;
  }

  uint32_t nodeOf(const std::vector<uint64_t> &elements) const {
    uint64_t hash = 0;
    for (uint64_t k : elements)
      hash += SumTree::hashOfElement(k);
    return tree.nodeOf(hash);
  }

  /// The cut of `axis` whose first part is `part`, if its other parts are subtrees too.
  std::optional<KCut> cutOf(uint32_t part, const std::vector<uint64_t> &axis,
                            const std::vector<uint64_t> &prefix) {
    uint64_t size = tree[part].leaves, length = axis.size();
    if (size >= length)
      return std::nullopt;
    KCut cut;
    if (tree[part].leafHash == prefix[size]) {
      cut.span = size;
      // The cheap test that refuses the many places inside a chain.
      if (tree.nodeOf(prefix[std::min(2 * size, length)] - prefix[size]) == SumTree::none)
        return std::nullopt;
    } else if (!strided(part, axis, cut)) {
      return std::nullopt;
    }
    uint64_t parts = cut.layout == CutLayout::Contiguous
                         ? llvm::divideCeil(length, cut.span)
                         : std::min(cut.count, llvm::divideCeil(length, cut.span));
    std::vector<uint64_t> hashes;
    for (uint64_t p = 0; p < parts; ++p) {
      uint64_t hash = 0;
      for (uint64_t k : elementsOf(cut, p, axis))
        hash += SumTree::hashOfElement(k);
      if (tree.nodeOf(hash) == SumTree::none)
        return std::nullopt;
      hashes.push_back(hash);
      if (parts > 4096 && p > 8)
        break;
    }
    cut.order = orderOf(hashes);
    return cut;
  }

  /// In a tree parts 2 and 3 meet on their own; in a reverse sum the last two do.
  MergeOrder orderOf(const std::vector<uint64_t> &hashes) const {
    size_t n = hashes.size();
    auto meet = [&](size_t x, size_t y) {
      return tree.nodeOf(hashes[x] + hashes[y]) != SumTree::none;
    };
    if (n <= 2)
      return MergeOrder::Forward;
    if (meet(0, 1))
      return n >= 4 && meet(2, 3) ? MergeOrder::Tree : MergeOrder::Forward;
    return MergeOrder::Reverse;
  }

  /// Fills a strided cut whose first part is `part`.
  bool strided(uint32_t part, const std::vector<uint64_t> &axis, KCut &cut) {
    std::vector<uint64_t> elements = tree.elementsBelow(part);
    llvm::sort(elements);
    uint64_t run = 0;
    while (run < elements.size() && elements[run] == axis[run])
      ++run;
    if (run == 0 || run == elements.size())
      return false;
    uint64_t next = uint64_t(llvm::lower_bound(axis, elements[run]) - axis.begin());
    if (next % run != 0)
      return false;
    cut.layout = CutLayout::Strided;
    cut.span = run;
    cut.count = next / run;
    return elementsOf(cut, 0, axis) == elements;
  }

  /// Forms without a cut: the sizes of the groups that a chain takes, last first.
  std::vector<Form> chains(uint32_t node, const std::vector<uint64_t> &axis) const {
    std::vector<Form> result;
    std::vector<uint64_t> sizes;
    uint32_t at = node;
    bool fast = true;
    while (!tree[at].inputs.empty() && fast) {
      uint32_t inner = SumTree::none;
      uint64_t leaves = 0;
      for (uint32_t input : tree[at].inputs) {
        if (tree[input].inputs.empty())
          ++leaves;
        else if (inner == SumTree::none)
          inner = input;
        else
          fast = false;
      }
      sizes.push_back(leaves);
      if (inner == SumTree::none)
        break;
      at = inner;
    }
    if (sizes.empty())
      sizes.push_back(1);
    if (fast) {
      Form form;
      uint64_t largest = *llvm::max_element(sizes);
      // An element passes through its first addition, so a chain of single ones begins with two.
      if (largest <= 2 && isScalar(node, axis))
        result.push_back(form);
      // Behind a short first turn of one element, the next step takes that element as its own.
      for (uint64_t size : {largest, largest - 1})
        if (size > 1 && form.instructionK != llvm::PowerOf2Ceil(size)) {
          form.instructionK = uint32_t(llvm::PowerOf2Ceil(size));
          result.push_back(form);
        }
    } else {
      // One addition per instruction, of one group or two; what each holds is compared later.
      for (uint32_t size : {2, 4, 8, 16, 32, 64})
        for (uint32_t groups : {1, 2}) {
          Form form;
          form.fastAccum = false;
          form.instructionK = size;
          form.groups = groups;
          result.push_back(form);
        }
    }
    return result;
  }

  /// Whether the subtree adds one element of the axis after the other.
  bool isScalar(uint32_t node, llvm::ArrayRef<uint64_t> axis) const {
    for (; axis.size() > 1; axis = axis.drop_back()) {
      uint32_t last = tree.leafOf(axis.back());
      if (last == SumTree::none || tree[last].parent != node || tree[node].inputs.size() != 2)
        return false;
      node = tree[node].inputs[tree[node].inputs[0] == last ? 1 : 0];
    }
    return tree[node].inputs.empty() && tree[node].k == axis.front();
  }

  /// The descriptors of a form: every length of the main loop's turn, without one first.
  std::vector<GEMMDesc> described(const Form &form) const {
    std::vector<GEMMDesc> result;
    GEMMDesc desc;
    desc.instructionK = form.instructionK;
    desc.fastAccum = form.fastAccum;
    desc.cuts.assign(form.cuts.rbegin(), form.cuts.rend());
    desc.step.result = Format::F32;
    if (form.instructionK > 1) {
      desc.step = *llvm::expectedToOptional(ArithmeticClass::parse("fused.F25.g16.z-133.rz23.f32"));
      desc.step.group = uint16_t(form.instructionK / form.groups);
    }
    auto add = [&](GEMMDesc d) {
      for (uint64_t turn = 0; turn <= std::min<uint64_t>(k, 64 * d.instructionK);
           turn += d.instructionK) {
        d.residueStep = uint32_t(turn);
        result.push_back(d);
        if (d.instructionK == 1)
          break;
      }
    };
    add(desc);
    if (reading.viaF16 && form.instructionK > 1) {
      // The halves of the instruction make its size uncertain.
      for (uint32_t size : {4, 8, 16, 32}) {
        GEMMDesc via = desc;
        via.a = via.b = Format::E4M3;
        via.fastAccum = true;
        via.instructionK = size;
        via.step.kind = ArithmeticClass::FusedViaF16;
        via.step.group = uint16_t(size / 2);
        add(via);
      }
    }
    return result;
  }

  const SumTree &tree;
  uint64_t k;
  Reading reading;
};

} // namespace

std::vector<GEMMDesc> mettle::numerics::recognise(const SumTree &tree, Reading reading) {
  if (tree.empty())
    return {};
  return Reader(tree, reading).read();
}
