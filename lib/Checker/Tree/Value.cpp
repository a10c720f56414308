//===- Value.cpp - What a tree evaluates to -------------------------------===//
//
// Node by node; what a node's name computes is Operation's.
//
//===----------------------------------------------------------------------===//

#include "Mettle/Checker/Tree/Value.h"
#include "Mettle/Checker/Tree/Evaluate.h"
#include "Mettle/Numerics/Step.h"
#include "Operation.h"
#include <cmath>

using namespace mettle::checker;
using namespace mettle::numerics;

TreeValue::TreeValue(const Templates &trees, const InputDraw &draw) : trees(trees), draw(draw) {}
TreeValue::~TreeValue() = default;

std::optional<int64_t> TreeValue::number(FormId form) const {
  int64_t result = trees.forms.constantOf(form);
  for (const Part &part : trees.forms.parts(form)) {
    const Atom &atom = trees.forms.atom(part.atom);
    if (atom.kind != Atom::Digit || atom.data >= digits.size())
      return std::nullopt;
    result += part.coef * digits[atom.data];
  }
  return result;
}

std::optional<uint64_t> TreeValue::of(const Tree &tree, llvm::ArrayRef<int64_t> where) {
  digits.assign(where.begin(), where.end());
  ofElement.clear();
  Shift shift;
  for (FormId form : tree.shift) {
    std::optional<int64_t> here = number(form);
    if (!here)
      return std::nullopt;
    shift.push_back(*here);
  }
  return value(tree.tree, shift);
}

std::optional<TreeValue::Shift> TreeValue::shiftOf(const Child &child, const Shift &shift) const {
  Shift result;
  for (auto [slot, distance] : child.slots) {
    std::optional<int64_t> far = number(distance);
    if (!far)
      return std::nullopt;
    result.push_back(shift[slot] + *far);
  }
  return result;
}

bool TreeValue::dependsOnDigits(TemplateId tree) {
  auto [place, isNew] = mentionsDigits.try_emplace(tree, false);
  if (!isNew)
    return place->second;
  bool depends = false;
  for (const Child &child : trees[tree].children) {
    for (auto [slot, distance] : child.slots)
      depends |= !trees.forms.isConstant(distance);
    depends = depends || dependsOnDigits(child.tree);
  }
  return mentionsDigits[tree] = depends;
}

std::optional<uint64_t> TreeValue::leaf(const Template &node, const Shift &shift) {
  if (node.bytes > 8)
    return std::nullopt;
  if (!draw.has(node.slots[0], shift[0], node.bytes)) {
    refused = "a load outside of the memory of parameter " + std::to_string(node.slots[0]);
    return std::nullopt;
  }
  uint64_t word = draw.word(node.slots[0], shift[0], node.bytes);
  if (notesInputs)
    inputs[{node.slots[0], shift[0]}] = {node.bytes, word};
  return word;
}

std::optional<uint64_t> TreeValue::value(TemplateId tree, const Shift &shift) {
  const Template &node = trees[tree];
  // Cheaper anew than looked up.
  if (node.kind == Template::Const)
    return node.data;
  if (node.kind == Template::Leaf) {
    ++computed;
    return leaf(node, shift);
  }
  Memo &known = dependsOnDigits(tree) ? ofElement : memo;
  auto found = known.find({tree, shift});
  if (found != known.end())
    return found->second;
  std::optional<uint64_t> result = compute(tree, shift);
  ++computed;
  if (!result && refused.empty())
    refused = trees.nameOf(node).str();
  known[{tree, shift}] = result;
  return result;
}

const Operation &TreeValue::operation(const Template &node) {
  std::unique_ptr<Operation> &known = operations[node.name];
  if (!known)
    known = std::make_unique<Operation>(Operation::parse(trees.nameOf(node)));
  return *known;
}

std::optional<uint64_t> TreeValue::child(const Template &node, unsigned index, const Shift &shift) {
  std::optional<Shift> at = shiftOf(node.children[index], shift);
  return at ? value(node.children[index].tree, *at) : std::nullopt;
}

/// acc + the products of one step, of which the first two may say where the others are.
std::optional<uint64_t> TreeValue::step(const Operation &op, uint64_t acc, const Template &node,
                                        const Shift &shift) {
  std::vector<uint64_t> x, y;
  llvm::SmallVector<Shift, 2> firsts;
  for (const Child &child : node.children) {
    std::optional<Shift> at = shiftOf(child, shift);
    if (!at)
      return std::nullopt;
    firsts.push_back(*at);
  }
  for (uint64_t k = 0; k < node.data; ++k) {
    Shift at = firsts[node.starts ? 0 : k];
    for (size_t i = 0; node.starts && k && i < at.size(); ++i)
      at[i] += int64_t(k) * (firsts[1][i] - firsts[0][i]);
    const Template &product = trees[node.children[node.starts ? 0 : k].tree];
    std::optional<uint64_t> a = child(product, 0, at), b = child(product, 1, at);
    if (!a || !b)
      return std::nullopt;
    x.push_back(*a);
    y.push_back(*b);
  }
  return evaluateStep(*op.arithmetic, {op.from, op.to, x, y}, acc);
}

std::optional<uint64_t> TreeValue::combine(const Operation &op, uint64_t acc, TemplateId tree,
                                           const Shift &shift) {
  const Template &node = trees[tree];
  if (node.kind == Template::Pair) {
    std::optional<uint64_t> a = child(node, 0, shift), b = child(node, 1, shift);
    return a && b ? op.apply({*a, *b, acc}) : std::nullopt;
  }
  if (node.kind == Template::Dot)
    return op.kind == Operation::Step ? step(op, acc, node, shift) : std::nullopt;
  std::optional<uint64_t> other = value(tree, shift);
  return other ? op.apply({acc, *other}) : std::nullopt;
}

std::optional<uint64_t> TreeValue::compare(const Template &node, uint64_t a, uint64_t b) const {
  llvm::StringRef name = trees.nameOf(node);
  if (std::optional<bool> holds = foldComparison(name, a, b))
    return *holds;
  if (!name.ends_with(".f32"))
    return std::nullopt;
  float x = floatOf(uint32_t(a)), y = floatOf(uint32_t(b));
  llvm::StringRef relation = name.split('.').second.split('.').first;
  bool isUnordered = std::isnan(x) || std::isnan(y);
  if (relation == "eq" || relation == "lt" || relation == "gt" || relation == "le" ||
      relation == "ge" || relation == "ne") {
    if (isUnordered)
      return false;
  } else if (relation.size() == 3 && relation.ends_with("u")) {
    if (isUnordered)
      return true;
    relation = relation.drop_back();
  } else {
    return relation == "num"   ? std::optional<uint64_t>(!isUnordered)
           : relation == "nan" ? std::optional<uint64_t>(isUnordered)
                               : std::nullopt;
  }
  return relation == "lt"   ? x < y
         : relation == "gt" ? x > y
         : relation == "le" ? x <= y
         : relation == "ge" ? x >= y
         : relation == "eq" ? x == y
                            : x != y;
}

/// A run: its elements one after the other.
std::optional<uint64_t> TreeValue::gather(const Template &node, const Shift &shift) {
  unsigned first = node.starts;
  std::optional<Shift> at = shiftOf(node.children[first], shift),
                       next = shiftOf(node.children[first + 1], shift);
  if (!at || !next)
    return std::nullopt;
  TemplateId element = node.children[first].tree;
  const Operation &op = operation(node);
  std::optional<uint64_t> acc = node.starts ? child(node, 0, shift) : value(element, *at);
  for (uint64_t k = node.starts ? 0 : 1; acc && k < node.data; ++k) {
    Shift here = *at;
    for (size_t i = 0; i < here.size(); ++i)
      here[i] += int64_t(k) * ((*next)[i] - (*at)[i]);
    acc = combine(op, *acc, element, here);
  }
  return acc;
}

std::optional<uint64_t> TreeValue::compute(TemplateId id, const Shift &shift) {
  const Template &node = trees[id];
  uint64_t mask = node.bytes >= 8 ? ~uint64_t(0) : (uint64_t(1) << 8 * node.bytes) - 1;
  switch (node.kind) {
  case Template::Truth:
    return node.data;
  case Template::Integer:
    return uint64_t(shift[0]) & mask;
  case Template::Less:
    return shift[0] < 0;
  case Template::Zero:
    return shift[0] == 0;
  case Template::Not: {
    std::optional<uint64_t> inner = child(node, 0, shift);
    return inner ? std::optional<uint64_t>(!*inner) : std::nullopt;
  }
  case Template::And: {
    std::optional<uint64_t> a = child(node, 0, shift), b = child(node, 1, shift);
    return a && b ? std::optional<uint64_t>(*a && *b) : std::nullopt;
  }
  case Template::Select: {
    std::optional<uint64_t> condition = child(node, 0, shift);
    return condition ? child(node, *condition ? 1 : 2, shift) : std::nullopt;
  }
  case Template::Compare: {
    std::optional<uint64_t> a = child(node, 0, shift), b = child(node, 1, shift);
    return a && b ? compare(node, *a, *b) : std::nullopt;
  }
  case Template::Concat: {
    uint64_t result = 0;
    unsigned at = 0;
    for (unsigned i = 0; i < node.children.size(); ++i) {
      std::optional<uint64_t> piece = child(node, i, shift);
      if (!piece || at >= 64)
        return std::nullopt;
      result |= *piece << at;
      at += 8 * trees[node.children[i].tree].bytes;
    }
    return result;
  }
  case Template::Extract: {
    std::optional<uint64_t> whole = child(node, 0, shift);
    if (!whole || node.data >= 8)
      return std::nullopt;
    return *whole >> 8 * node.data & mask;
  }
  case Template::Set: {
    std::optional<uint64_t> result = child(node, 0, shift);
    for (unsigned i = 1; result && i < node.children.size(); ++i) {
      std::optional<uint64_t> other = child(node, i, shift);
      result = other ? operation(node).apply({*result, *other}) : std::nullopt;
    }
    return result;
  }
  case Template::Run:
    return gather(node, shift);
  case Template::Op: {
    if (node.children.size() == 2) {
      std::optional<uint64_t> acc = child(node, 0, shift);
      std::optional<Shift> at = shiftOf(node.children[1], shift);
      return acc && at ? combine(operation(node), *acc, node.children[1].tree, *at) : std::nullopt;
    }
    llvm::SmallVector<uint64_t, 3> args;
    for (unsigned i = 0; i < node.children.size(); ++i) {
      std::optional<uint64_t> arg = child(node, i, shift);
      if (!arg)
        return std::nullopt;
      args.push_back(*arg);
    }
    return operation(node).apply(args);
  }
  default:
    return std::nullopt;
  }
}
