//===- SumTree.cpp - In which order a sum is formed -----------------------===//
//
// The tree itself, and its construction from a descriptor's plan.
//
//===----------------------------------------------------------------------===//

#include "Mettle/Numerics/SumTree.h"
#include "PlanFold.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/raw_ostream.h"
#include <functional>

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

std::string SumTree::text() const {
  std::string text;
  llvm::raw_string_ostream os(text);
  std::function<uint64_t(uint32_t)> smallest = [&](uint32_t index) {
    const Node &node = nodes[index];
    if (node.inputs.empty())
      return node.k;
    uint64_t least = ~uint64_t(0);
    for (uint32_t input : node.inputs)
      least = std::min(least, smallest(input));
    return least;
  };
  std::function<void(uint32_t)> print = [&](uint32_t index) {
    const Node &node = nodes[index];
    if (node.inputs.empty()) {
      os << node.k;
      return;
    }
    std::vector<std::pair<uint64_t, uint32_t>> inputs;
    for (uint32_t input : node.inputs)
      inputs.push_back({smallest(input), input});
    llvm::sort(inputs);
    os << '(';
    llvm::interleave(inputs, os, [&](const auto &input) { print(input.second); }, " ");
    os << ')';
  };
  if (!empty())
    print(rootNode);
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
