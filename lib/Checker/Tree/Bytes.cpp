//===- Bytes.cpp - Some bytes of a tree, and trees side by side ----------===//
//
// Neighbours in memory are one piece of it; constants and selections are taken apart.
//
//===----------------------------------------------------------------------===//

#include "Mettle/Checker/Tree/Evaluate.h"

using namespace mettle::checker;

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
