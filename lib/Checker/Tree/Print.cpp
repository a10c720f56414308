//===- Print.cpp - Trees as text, as graphs and as DOT --------------------===//
//
// A run is drawn by its first element and how far the next is away.
//
//===----------------------------------------------------------------------===//

#include "Mettle/Checker/Tree/Print.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"
#include <map>

using namespace mettle::checker;

std::string mettle::checker::nodeText(const Templates &trees, const Tree &tree) {
  const Template &node = trees[tree.tree];
  std::string text;
  llvm::raw_string_ostream os(text);
  auto form = [&](size_t slot) { return trees.forms.text(tree.shift[slot]); };
  switch (node.kind) {
  case Template::Const:
    os << "0x" << llvm::format_hex_no_prefix(node.data, 2 * node.bytes);
    break;
  case Template::Leaf:
    os << "param" << node.slots[0] << '[' << form(0) << "].b" << 8 * node.bytes;
    break;
  case Template::Integer:
    os << "integer " << form(0);
    break;
  case Template::Op:
  case Template::Compare:
  case Template::Dot:
    os << trees.nameOf(node);
    break;
  case Template::Select:
    os << "select";
    break;
  case Template::Concat:
    os << "concat";
    break;
  case Template::Extract:
    os << "bytes " << node.data << " to " << node.data + node.bytes;
    break;
  case Template::Less:
    os << form(0) << " < 0";
    break;
  case Template::Zero:
    os << form(0) << " == 0";
    break;
  case Template::Not:
    os << "not";
    break;
  case Template::And:
    os << "and";
    break;
  case Template::Truth:
    os << (node.data ? "true" : "false");
    break;
  case Template::Run: {
    os << trees.nameOf(node) << " over " << node.data << (node.starts ? " after a start" : "");
    Tree first = trees.child(tree, node.starts), second = trees.child(tree, node.starts + 1);
    os << ", apart by";
    for (size_t i = 0; i < first.shift.size(); ++i)
      os << ' ' << trees.forms.text(trees.forms.sub(second.shift[i], first.shift[i]));
    break;
  }
  case Template::Set:
    os << trees.nameOf(node) << " of " << node.children.size();
    break;
  case Template::Pair:
    os << "product";
    break;
  case Template::State:
    os << "state " << node.data;
    break;
  case Template::Fold:
    os << "fold";
    break;
  }
  return text;
}

/// A node that is to be drawn once.
using Place = std::pair<TemplateId, std::vector<FormId>>;
static Place placeOf(const Tree &tree) {
  return {tree.tree, std::vector<FormId>(tree.shift.begin(), tree.shift.end())};
}

/// How many children say something: of a run the second element says only how far it is away.
static unsigned shownChildren(const Template &node) {
  return node.kind == Template::Run ? unsigned(node.children.size()) - 1
                                    : unsigned(node.children.size());
}

void mettle::checker::printTree(llvm::raw_ostream &os, const Templates &trees, const Tree &tree,
                                LineOf lineOf) {
  std::map<Place, unsigned> seen;
  auto print = [&](auto &self, const Tree &at, unsigned indent) -> void {
    const Template &node = trees[at.tree];
    os.indent(indent);
    if (!node.children.empty()) {
      auto [place, isNew] = seen.try_emplace(placeOf(at), seen.size());
      os << '#' << place->second << ' ';
      if (!isNew) {
        os << "as above\n";
        return;
      }
    }
    os << nodeText(trees, at);
    if (unsigned line = lineOf(node.instruction))
      os << "    line " << line;
    os << '\n';
    for (unsigned i = 0; i < shownChildren(node); ++i)
      self(self, trees.child(at, i), indent + 2);
  };
  print(print, tree, 0);
}

/// What a child is to its parent, where more than its place says it.
static std::string roleOf(const Template &node, unsigned child) {
  switch (node.kind) {
  case Template::Select:
    return child == 0 ? "if" : child == 1 ? "then" : "else";
  case Template::Run:
    return !node.starts ? "" : child == 0 ? "start" : "first";
  case Template::Dot:
    if (node.starts && node.data > 1)
      return child == 0 ? "first" : "second";
    return "";
  default:
    return "";
  }
}

/// How far a run goes; what it starts from is drawn.
static std::string overText(llvm::StringRef detail) {
  auto [before, after] = detail.split(" after a start");
  return detail.empty() ? "" : "over " + before.str() + after.str();
}

/// Of many children the first ones and the last are drawn.
static constexpr unsigned MostChildren = 9, FirstChildren = 6, LastChildren = 2;

std::string Drawing::Node::below() const {
  std::string text = detail;
  if (line)
    text += (text.empty() ? "line " : ", line ") + std::to_string(line);
  return text;
}

Drawing mettle::checker::drawingOf(const Templates &trees, const Tree &tree, LineOf lineOf,
                                   size_t most) {
  Drawing drawing;
  std::map<Place, unsigned> numbers;
  std::vector<Tree> all;
  auto numberOf = [&](const Tree &at) {
    auto [place, isNew] = numbers.try_emplace(placeOf(at), unsigned(all.size()));
    if (isNew) {
      const Template &node = trees[at.tree];
      all.push_back(at);
      std::string text = nodeText(trees, at);
      auto [label, detail] = llvm::StringRef(text).split(" over ");
      drawing.nodes.push_back(
          {label.str(), overText(detail), node.kind, lineOf(node.instruction), 0, {}});
    }
    return place->second;
  };
  auto leaveOut = [&](unsigned parent, std::string label, size_t count) {
    all.push_back(tree);
    drawing.nodes[parent].children.emplace_back(unsigned(drawing.nodes.size()), "");
    drawing.nodes.push_back({std::move(label), "", Template::Truth, 0, count, {}});
  };
  numberOf(tree);
  // Level by level, so that what is near the root is drawn.
  for (unsigned at = 0; at < all.size(); ++at) {
    if (drawing.nodes[at].leftOut)
      continue;
    Tree here = all[at];
    const Template &node = trees[here.tree];
    unsigned children = shownChildren(node);
    if (children && all.size() >= most) {
      leaveOut(at, "\u2026", children);
      continue;
    }
    for (unsigned i = 0; i < children; ++i) {
      if (children > MostChildren && i == FirstChildren) {
        unsigned count = children - FirstChildren - LastChildren;
        leaveOut(at, std::to_string(count) + " more", count);
        i = children - LastChildren;
      }
      unsigned child = numberOf(trees.child(here, i));
      drawing.nodes[at].children.emplace_back(child, roleOf(trees[here.tree], i));
    }
  }
  return drawing;
}

void mettle::checker::printDot(llvm::raw_ostream &os, const Drawing &drawing) {
  os << "digraph tree {\n  rankdir=LR;\n  ordering=out;\n  node [shape=box, fontname=monospace];\n";
  for (size_t i = 0; i < drawing.nodes.size(); ++i) {
    const Drawing::Node &node = drawing.nodes[i];
    os << "  n" << i << " [label=\"" << node.label;
    if (std::string below = node.below(); !below.empty())
      os << "\\n" << below;
    os << '"' << (node.leftOut ? ", style=dashed" : "") << "];\n";
    for (const auto &[child, role] : node.children) {
      os << "  n" << i << " -> n" << child;
      if (!role.empty())
        os << " [label=\"" << role << "\"]";
      os << ";\n";
    }
  }
  os << "}\n";
}
