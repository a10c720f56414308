//===- SumTree.cpp - In which order a sum is formed -----------------------===//
//
// The tree itself, and its construction from a descriptor's plan.
//
//===----------------------------------------------------------------------===//

#include "Mettle/Numerics/SumTree.h"
#include "PlanFold.h"
#include "llvm/ADT/STLExtras.h"

using namespace mettle::numerics;

/// splitmix64's finaliser.
static uint64_t mix(uint64_t z) {
  z += 0x9E3779B97F4A7C15;
  z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9;
  z = (z ^ (z >> 27)) * 0x94D049BB133111EB;
  return z ^ (z >> 31);
}

uint64_t SumTree::hashOfElement(uint64_t k) { return mix(k ^ 0x5EED); }

uint32_t SumTree::leaf(uint64_t k) {
  Node node;
  node.k = k;
  node.leafHash = hashOfElement(k);
  node.shapeHash = mix(node.leafHash);
  nodes.push_back(node);
  byLeaves[node.leafHash] = uint32_t(nodes.size() - 1);
  return uint32_t(nodes.size() - 1);
}

uint32_t SumTree::join(std::vector<uint32_t> inputs) {
  if (inputs.size() == 1)
    return inputs.front();
  uint32_t index = uint32_t(nodes.size());
  Node node;
  node.leaves = 0;
  uint64_t shapes = 0;
  for (uint32_t input : inputs) {
    node.leaves += nodes[input].leaves;
    node.leafHash += nodes[input].leafHash;
    shapes += nodes[input].shapeHash;
    nodes[input].parent = index;
  }
  node.shapeHash = mix(shapes ^ inputs.size());
  node.inputs = std::move(inputs);
  byLeaves[node.leafHash] = index;
  nodes.push_back(std::move(node));
  return index;
}

uint32_t SumTree::nodeOf(uint64_t leafHash) const {
  auto found = byLeaves.find(leafHash);
  return found == byLeaves.end() ? none : found->second;
}

uint32_t SumTree::leafOf(uint64_t k) const { return nodeOf(hashOfElement(k)); }

bool SumTree::operator==(const SumTree &other) const {
  if (empty() || other.empty())
    return empty() == other.empty();
  return nodes[rootNode].shapeHash == other.nodes[other.rootNode].shapeHash;
}

std::vector<uint64_t> SumTree::elementsBelow(uint32_t top) const {
  std::vector<uint64_t> elements;
  std::vector<uint32_t> open = {top};
  while (!open.empty()) {
    const Node &node = nodes[open.back()];
    open.pop_back();
    if (node.inputs.empty())
      elements.push_back(node.k);
    open.insert(open.end(), node.inputs.begin(), node.inputs.end());
  }
  return elements;
}

std::string SumTree::text() const {
  if (empty())
    return "";
  // Inputs come before the nodes that use them.
  std::vector<uint64_t> smallest;
  for (const Node &node : nodes) {
    uint64_t least = node.k;
    for (uint32_t input : node.inputs)
      least = std::min(input == node.inputs.front() ? smallest[input] : least, smallest[input]);
    smallest.push_back(least);
  }
  // A long chain nests as deeply as it is long: no recursion.
  std::string text;
  struct Open {
    std::vector<uint32_t> inputs;
    size_t next = 0;
  };
  std::vector<Open> open;
  auto enter = [&](uint32_t index) {
    const Node &node = nodes[index];
    if (node.inputs.empty()) {
      text += std::to_string(node.k);
      return;
    }
    text += '(';
    open.push_back({node.inputs});
    llvm::sort(open.back().inputs,
               [&](uint32_t x, uint32_t y) { return smallest[x] < smallest[y]; });
  };
  enter(rootNode);
  while (!open.empty()) {
    Open &last = open.back();
    if (last.next == last.inputs.size()) {
      text += ')';
      open.pop_back();
      continue;
    }
    if (last.next > 0)
      text += ' ';
    enter(last.inputs[last.next++]);
  }
  return text;
}

namespace {

/// The joins of one descriptor. A value is a node; a sum from +0 is what is added to it.
class Shape : public PlanFold<Shape, uint32_t> {
public:
  Shape(const GEMMDesc &desc, const KPlan &plan, SumTree &tree)
      : PlanFold(desc, plan), tree(tree) {}

  uint32_t start() { return SumTree::none; }
  uint32_t zero(Format) { return SumTree::none; }
  uint32_t round(uint32_t value, Format, Format) { return value; }
  uint32_t add(Format, uint32_t sum, Format, uint32_t part) { return both(sum, part); }

  uint32_t instruction(uint32_t acc, llvm::ArrayRef<uint64_t> products) {
    const ArithmeticClass &step = desc.step;
    if (step.kind == ArithmeticClass::FusedViaF16)
      return both(acc, halves(products, 2, [&](uint32_t first, llvm::ArrayRef<uint64_t> second) {
                    return group(first, second);
                  }));
    size_t size = step.isFused() ? step.group : 1;
    for (size_t at = 0; at < products.size(); at += size) {
      llvm::ArrayRef<uint64_t> some = products.slice(at, std::min(size, products.size() - at));
      if (step.kind == ArithmeticClass::FloorFused)
        acc = both(acc, group(SumTree::none, some));
      else if (step.kind == ArithmeticClass::FloorFusedPairs)
        acc = both(acc, halves(some, 1, [&](uint32_t even, llvm::ArrayRef<uint64_t> odd) {
                     return both(even, group(SumTree::none, odd));
                   }));
      else
        acc = group(acc, some);
    }
    return acc;
  }

private:
  uint32_t both(uint32_t acc, uint32_t sum) {
    return acc == SumTree::none ? sum : tree.join({acc, sum});
  }

  uint32_t group(uint32_t acc, llvm::ArrayRef<uint64_t> products) {
    std::vector<uint32_t> inputs;
    if (acc != SumTree::none)
      inputs.push_back(acc);
    for (uint64_t k : products)
      inputs.push_back(tree.leaf(k));
    return tree.join(std::move(inputs));
  }

  /// Runs of `run` products go to two halves in turn; the first is a group of its own.
  uint32_t halves(llvm::ArrayRef<uint64_t> products, size_t run,
                  llvm::function_ref<uint32_t(uint32_t, llvm::ArrayRef<uint64_t>)> meet) {
    std::vector<uint64_t> dealt[2];
    for (size_t i = 0; i < products.size(); ++i)
      dealt[i / run & 1].push_back(products[i]);
    uint32_t first = group(SumTree::none, dealt[0]);
    return dealt[1].empty() ? first : meet(first, dealt[1]);
  }

  SumTree &tree;
};

} // namespace

SumTree SumTree::build(const GEMMDesc &desc, uint64_t k) {
  SumTree tree;
  KPlan plan = KPlan::build(desc, k);
  tree.setRoot(Shape(desc, plan, tree).fold());
  return tree;
}
