//===- Dominators.cpp - Immediate dominators of a graph -------------------===//
//
// "A Simple, Fast Dominance Algorithm", Cooper, Harvey and Kennedy, 2001.
//
//===----------------------------------------------------------------------===//

#include "Dominators.h"
#include <algorithm>

using namespace mettle::assembly::ptx;

static constexpr uint32_t Absent = ~0u;

std::vector<uint32_t> mettle::assembly::ptx::reversePostOrder(uint32_t nodes, uint32_t root,
                                                              Edges successors) {
  std::vector<uint32_t> order;
  std::vector<bool> seen(nodes);
  // Node and how many of its successors have been entered.
  std::vector<std::pair<uint32_t, uint32_t>> stack = {{root, 0}};
  seen[root] = true;
  while (!stack.empty()) {
    auto &[node, entered] = stack.back();
    llvm::ArrayRef<uint32_t> next = successors(node);
    if (entered == next.size()) {
      order.push_back(node);
      stack.pop_back();
      continue;
    }
    uint32_t successor = next[entered++];
    if (!seen[successor]) {
      seen[successor] = true;
      stack.push_back({successor, 0});
    }
  }
  std::reverse(order.begin(), order.end());
  return order;
}

std::vector<uint32_t> mettle::assembly::ptx::immediateDominators(uint32_t nodes,
                                                                 llvm::ArrayRef<uint32_t> order,
                                                                 Edges predecessors) {
  std::vector<uint32_t> position(nodes, Absent), dominator(nodes, Absent);
  for (uint32_t i = 0; i < order.size(); ++i)
    position[order[i]] = i;
  uint32_t root = order.front();
  dominator[root] = root;
  auto meet = [&](uint32_t a, uint32_t b) {
    while (a != b) {
      while (position[a] > position[b])
        a = dominator[a];
      while (position[b] > position[a])
        b = dominator[b];
    }
    return a;
  };
  for (bool changed = true; changed;) {
    changed = false;
    for (uint32_t node : order.drop_front()) {
      uint32_t found = Absent;
      for (uint32_t predecessor : predecessors(node))
        if (dominator[predecessor] != Absent)
          found = found == Absent ? predecessor : meet(found, predecessor);
      changed |= dominator[node] != found;
      dominator[node] = found;
    }
  }
  dominator[root] = Absent;
  return dominator;
}
