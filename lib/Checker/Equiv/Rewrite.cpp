//===- Rewrite.cpp - Templates with other variables -----------------------===//
//
// Visits, replaces and hashes the forms within templates.
//
//===----------------------------------------------------------------------===//

#include "Pieces.h"

using namespace mettle::checker;

void mettle::checker::forEachForm(const Templates &trees, TemplateId id,
                                  llvm::DenseMap<TemplateId, bool> &seen,
                                  llvm::function_ref<void(FormId)> visit) {
  const Template &node = trees[id];
  if (!node.bits && !node.loops && !node.hasBlocks)
    return;
  if (!seen.try_emplace(id, true).second)
    return;
  for (const Child &child : node.children) {
    for (auto [slot, distance] : child.slots)
      visit(distance);
    forEachForm(trees, child.tree, seen, visit);
  }
}

TemplateId mettle::checker::rewrite(Templates &trees, TemplateId id,
                                    llvm::DenseMap<TemplateId, TemplateId> &memo,
                                    llvm::function_ref<FormId(FormId)> change) {
  {
    const Template &node = trees[id];
    if (!node.bits && !node.loops && !node.hasBlocks)
      return id;
  }
  auto found = memo.find(id);
  if (found != memo.end())
    return found->second;
  Template node = trees[id];
  llvm::SmallVector<Child, 3> children = node.children;
  node.bits = node.loops = 0;
  node.hasBlocks = false;
  for (Child &child : children) {
    child.tree = rewrite(trees, child.tree, memo, change);
    for (auto &[slot, distance] : child.slots)
      distance = change(distance);
  }
  TemplateId result = trees.makeWith(std::move(node), children);
  memo[id] = result;
  return result;
}

Hash128 mettle::checker::hashOf(Templates &trees, TemplateId id,
                                llvm::DenseMap<TemplateId, Hash128> &memo) {
  auto found = memo.find(id);
  if (found != memo.end())
    return found->second;
  const Template node = trees[id];
  Hash128 hash;
  hash.add(uint64_t(node.kind)).add(node.bytes).add(node.starts).add(node.data);
  hash.add(trees.nameOf(node));
  for (SlotKey slot : node.slots)
    hash.add(slot);
  for (const Child &child : node.children) {
    hash.add(hashOf(trees, child.tree, memo));
    for (auto [slot, distance] : child.slots)
      hash.add(slot).add(trees.forms.hash(distance));
  }
  memo[id] = hash;
  return hash;
}
