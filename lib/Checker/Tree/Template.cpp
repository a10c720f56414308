//===- Template.cpp - Dependence trees up to where they stand -------------===//
//
// Interning of templates; the slots of a node are the union of its children's, each slot of a key
// placed at the first child that has it.
//
//===----------------------------------------------------------------------===//

#include "Mettle/Checker/Tree/Template.h"

using namespace mettle::checker;

Templates::Templates(Terms &terms) : terms(terms), forms(terms.forms) {}

TemplateId Templates::intern(Template node) {
  uint64_t hash = uint64_t(node.kind) << 16 | uint64_t(node.bytes) << 8 | node.starts;
  hash = InternTable::mix(hash << 32 | node.name, node.data);
  for (SlotKey slot : node.slots)
    hash = InternTable::mix(hash, slot);
  for (const Child &child : node.children) {
    hash = InternTable::mix(hash, child.tree);
    for (auto [slot, distance] : child.slots)
      hash = InternTable::mix(hash, uint64_t(slot) << 32 | distance);
  }
  return table.find(
      InternTable::finish(hash),
      [&](TemplateId id) {
        const Template &other = all[id];
        return other.kind == node.kind && other.bytes == node.bytes &&
               other.starts == node.starts && other.name == node.name && other.data == node.data &&
               other.children == node.children && other.slots == node.slots;
      },
      [&] { return add(std::move(node)); });
}

TemplateId Templates::add(Template node) {
  Hash128 shape;
  shape.add(uint64_t(node.kind)).add(node.bytes).add(node.starts).add(node.data);
  shape.add(nameOf(node));
  for (SlotKey slot : node.slots)
    shape.add(slot);
  for (const Child &child : node.children) {
    const Template &inner = all[child.tree];
    shape.add(inner.shape);
    node.bits |= inner.bits;
    node.loops |= inner.loops;
    node.hasBlocks |= inner.hasBlocks;
    node.isFree |= inner.isFree;
    for (auto [slot, distance] : child.slots) {
      node.bits |= forms.bitsOf(distance);
      node.loops |= forms.loopsOf(distance);
      node.hasBlocks |= forms.blocksOf(distance) != 0;
    }
  }
  node.shape = shape;
  all.push_back(std::move(node));
  return uint32_t(all.size() - 1);
}

Tree Templates::make(Template node, llvm::ArrayRef<Tree> children) {
  Tree result;
  node.children.clear();
  node.slots.clear();
  for (const Tree &tree : children) {
    Child child;
    child.tree = tree.tree;
    const Template &inner = all[tree.tree];
    for (size_t i = 0; i < inner.slots.size(); ++i) {
      SlotKey key = inner.slots[i];
      size_t at = 0;
      while (at < node.slots.size() && node.slots[at] != key)
        ++at;
      if (at == node.slots.size()) {
        node.slots.push_back(key);
        result.shift.push_back(tree.shift[i]);
      }
      child.slots.push_back({uint32_t(at), forms.sub(tree.shift[i], result.shift[at])});
    }
    node.children.push_back(std::move(child));
  }
  result.tree = intern(std::move(node));
  return result;
}

Tree Templates::makeLeaf(Template node, SlotKey key, FormId shift) {
  node.slots = {key};
  Tree result;
  result.shift = {shift};
  result.tree = intern(std::move(node));
  return result;
}

Tree Templates::makeConstant(uint64_t bits, unsigned bytes) {
  Template node;
  node.kind = Template::Const;
  node.bytes = uint8_t(bytes);
  node.data = bits;
  node.neverNegativeZero = bytes == 4 ? bits != 0x80000000 : bytes == 2 ? bits != 0x8000 : false;
  node.nonNegative = bytes == 4 ? !(bits >> 31) : bytes == 2 ? !(bits >> 15) : false;
  Tree result;
  result.tree = intern(std::move(node));
  return result;
}

Tree Templates::makeTruth(bool value) {
  Template node;
  node.kind = Template::Truth;
  node.data = value;
  Tree result;
  result.tree = intern(std::move(node));
  return result;
}

Tree Templates::child(const Tree &tree, unsigned index) const {
  const Child &child = all[tree.tree].children[index];
  Tree result;
  result.tree = child.tree;
  for (auto [slot, distance] : child.slots)
    result.shift.push_back(forms.add(tree.shift[slot], distance));
  return result;
}
