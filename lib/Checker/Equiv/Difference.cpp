//===- Difference.cpp - Where two signatures part -------------------------===//
//
// Goes down both trees as long as only a child differs, then says what stands there.
//
//===----------------------------------------------------------------------===//

#include "Mettle/Checker/Equiv/Difference.h"
#include "Mettle/Checker/Tree/Print.h"
#include "Pieces.h"
#include "Search.h"
#include "llvm/Support/raw_ostream.h"

using namespace mettle::checker;

namespace {
/// One kernel's tree at the place where both are looked at.
struct Side {
  Analysis &analysis;
  Tree tree;
  llvm::DenseMap<TemplateId, Hash128> hashes{};

  const Templates &trees() const { return analysis.trees; }
  const Template &node() const { return analysis.trees[tree.tree]; }
  std::string text() const { return nodeText(analysis.trees, tree); }
  Hash128 hashOfChild(unsigned i) {
    const Child child = node().children[i];
    Hash128 hash = hashOf(analysis.trees, child.tree, hashes);
    for (auto [slot, distance] : child.slots)
      hash.add(slot).add(analysis.forms.hash(distance));
    return hash;
  }
  InstructionId instruction() const {
    std::vector<TemplateId> work = {tree.tree};
    for (unsigned looked = 0; looked < work.size() && looked < 64; ++looked) {
      const Template &node = analysis.trees[work[looked]];
      if (node.instruction != ~0u)
        return node.instruction;
      for (const Child &child : node.children)
        work.push_back(child.tree);
    }
    return ~0u;
  }
};
} // namespace

/// How a sum is put together, to a depth: `((0 + 64) + (32 + 96))` by the offsets of what is read.
static std::string association(const Templates &trees, const Tree &tree, uint32_t op,
                               unsigned depth) {
  const Template node = trees[tree.tree];
  auto offset = [&](const Tree &at) {
    return at.shift.empty() ? std::string("constant")
                            : std::to_string(trees.forms.constantOf(at.shift[0]));
  };
  bool gathers = node.name == op && (node.kind == Template::Run || node.kind == Template::Op) &&
                 node.children.size() >= 2;
  if (gathers && depth == 0)
    return "(" + offset(tree) + "...)";
  if (node.kind == Template::Op && node.name == op && node.children.size() == 2)
    return "(" + association(trees, trees.child(tree, 0), op, depth - 1) + " + " +
           association(trees, trees.child(tree, 1), op, depth - 1) + ")";
  if (node.kind == Template::Run && node.name == op) {
    std::string text = "(";
    if (node.starts)
      text += association(trees, trees.child(tree, 0), op, depth - 1) + " + ";
    Tree first = trees.child(tree, node.starts), second = trees.child(tree, node.starts + 1);
    text += association(trees, first, op, depth - 1) + " + " +
            association(trees, second, op, depth - 1);
    return text + (node.data > 2 ? " + ... " + std::to_string(node.data) + " in order)" : ")");
  }
  return offset(tree);
}

static bool isGathering(const Template &node) {
  return node.kind == Template::Run || (node.kind == Template::Op && node.children.size() == 2);
}

static std::string sentenceOf(const Side &a, const Side &b) {
  const Template &x = a.node(), &y = b.node();
  llvm::StringRef nameA = a.trees().nameOf(x), nameB = b.trees().nameOf(y);
  std::string here = a.text(), there = b.text();
  if (x.kind == Template::Leaf && y.kind == Template::Leaf)
    return here + " is read here and " + there + " there";
  if (x.kind == Template::Const && y.kind == Template::Const)
    return "the constant is " + here + " here and " + there + " there";
  if (isGathering(x) && isGathering(y) && nameA == nameB) {
    if (x.kind == Template::Run && y.kind == Template::Run && x.data != y.data &&
        x.starts == y.starts)
      return nameA.str() + " goes over " + std::to_string(x.data) + " terms here and over " +
             std::to_string(y.data) + " there";
    std::string p = association(a.trees(), a.tree, x.name, 3),
                q = association(b.trees(), b.tree, y.name, 3);
    if (p != q)
      return "terms are combined by " + nameA.str() + " as " + p + " here and as " + q + " there";
  }
  if (x.kind == Template::Op && y.kind == Template::Op && nameA != nameB)
    return "the operation is " + nameA.str() + " here and " + nameB.str() + " there";
  if (here == there)
    return "operands of " + here + " stand in other places";
  return here + " stands here and " + there + " there";
}

static void describe(Side a, Side b, Difference &difference) {
  for (;;) {
    const Template &x = a.node(), &y = b.node();
    bool alike = x.kind == y.kind && x.data == y.data && x.starts == y.starts &&
                 x.bytes == y.bytes && a.trees().nameOf(x) == b.trees().nameOf(y) &&
                 x.slots == y.slots && x.children.size() == y.children.size();
    std::optional<unsigned> next;
    for (unsigned i = 0; alike && !next && i < x.children.size(); ++i)
      if (hashOf(a.analysis.trees, x.children[i].tree, a.hashes) !=
          hashOf(b.analysis.trees, y.children[i].tree, b.hashes))
        next = i;
    // The same within, but moved: down to what is read.
    for (unsigned i = 0; alike && !next && i < x.children.size(); ++i)
      if (a.hashOfChild(i) != b.hashOfChild(i))
        next = i;
    for (unsigned i = 0; alike && !next && i < x.children.size(); ++i)
      next = i; // the roots were moved
    // Operands that commute may stand the other way round.
    if (next && x.kind == Template::Op && x.children.size() == 2 && commutes(a.trees().nameOf(x))) {
      auto same = [&](unsigned i, unsigned j) {
        return hashOf(a.analysis.trees, x.children[i].tree, a.hashes) ==
               hashOf(b.analysis.trees, y.children[j].tree, b.hashes);
      };
      if (same(0, 1) != same(1, 0)) {
        unsigned i = same(0, 1) ? 1 : 0;
        a.tree = a.analysis.trees.child(a.tree, i);
        b.tree = b.analysis.trees.child(b.tree, 1 - i);
        continue;
      }
    }
    // Where both halves of a sum are others, it is the sum that is put together otherwise.
    if (next && isGathering(x) && x.kind == Template::Op &&
        hashOf(a.analysis.trees, x.children[1 - std::min(*next, 1u)].tree, a.hashes) !=
            hashOf(b.analysis.trees, y.children[1 - std::min(*next, 1u)].tree, b.hashes))
      break;
    if (!next)
      break;
    // So it is where one side's next is no sum any more, or another.
    if (isGathering(x)) {
      const Template &p = a.trees()[x.children[*next].tree], &q = b.trees()[y.children[*next].tree];
      if (p.kind != q.kind || a.trees().nameOf(p) != b.trees().nameOf(q))
        break;
    }
    a.tree = a.analysis.trees.child(a.tree, *next);
    b.tree = b.analysis.trees.child(b.tree, *next);
  }
  difference.sentence = sentenceOf(a, b);
  difference.nodeA = a.text();
  difference.nodeB = b.text();
  difference.instructionA = a.instruction();
  difference.instructionB = b.instruction();
}

static bool holds(const Output &output, const Region &region) {
  for (const Region &other : output.regions)
    if (other.hash == region.hash && other.digits == region.digits)
      return true;
  return false;
}

Difference mettle::checker::findDifference(Analysis &a, Analysis &b) {
  Difference difference;
  auto name = [](const Output &output) {
    return "param" + std::to_string(output.parameter) + " in pieces of " +
           std::to_string(output.bytes) + " bytes";
  };
  for (Analysis *one : {&a, &b}) {
    Analysis &other = one == &a ? b : a;
    for (const Output &output : one->signature.outputs) {
      bool found = false;
      for (const Output &theirs : other.signature.outputs)
        found |= theirs.parameter == output.parameter && theirs.bytes == output.bytes;
      if (!found) {
        difference.sentence = name(output) + " is written " +
                              (one == &a ? "here and not there" : "there and not here");
        difference.witness = unsharedElement(output, one == &a ? Witness::A : Witness::B);
        return difference;
      }
    }
  }
  for (const Output &output : a.signature.outputs)
    for (const Output &theirs : b.signature.outputs) {
      if (theirs.parameter != output.parameter || difference.witness)
        continue;
      for (const Region &x : output.regions) {
        if (output.strides == theirs.strides && holds(theirs, x))
          continue;
        for (const Region &y : theirs.regions)
          if (difference.sentence.empty() && x.hash != y.hash)
            describe(Side{a, x.tree}, Side{b, y.tree}, difference);
      }
      difference.witness = findWitness(a, b, output, theirs, difference.refused);
      if (difference.sentence.empty() && (difference.witness || output.strides != theirs.strides))
        difference.sentence = "other elements of " + name(output) + " are written";
    }
  return difference;
}
