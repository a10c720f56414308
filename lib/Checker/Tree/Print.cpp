//===- Print.cpp - Trees as text and as DOT -------------------------------===//
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

/// How many children say something: of a run the second element says only how far it is away.
static unsigned shownChildren(const Template &node) {
  return node.kind == Template::Run ? unsigned(node.children.size()) - 1
                                    : unsigned(node.children.size());
}

void mettle::checker::printTree(llvm::raw_ostream &os, const Templates &trees, const Tree &tree) {
  std::map<std::pair<TemplateId, std::vector<FormId>>, unsigned> seen;
  auto print = [&](auto &self, const Tree &at, unsigned indent) -> void {
    const Template &node = trees[at.tree];
    os.indent(indent);
    if (!node.children.empty()) {
      auto [place, isNew] = seen.try_emplace(
          {at.tree, std::vector<FormId>(at.shift.begin(), at.shift.end())}, seen.size());
      os << '#' << place->second << ' ';
      if (!isNew) {
        os << "as above\n";
        return;
      }
    }
    os << nodeText(trees, at) << '\n';
    for (unsigned i = 0; i < shownChildren(node); ++i)
      self(self, trees.child(at, i), indent + 2);
  };
  print(print, tree, 0);
}

void mettle::checker::printDot(llvm::raw_ostream &os, const Templates &trees, const Tree &tree) {
  std::map<std::pair<TemplateId, std::vector<FormId>>, unsigned> seen;
  os << "digraph tree {\n  node [shape=box];\n";
  auto print = [&](auto &self, const Tree &at) -> unsigned {
    auto [place, isNew] = seen.try_emplace(
        {at.tree, std::vector<FormId>(at.shift.begin(), at.shift.end())}, seen.size());
    unsigned number = place->second;
    if (!isNew)
      return number;
    os << "  n" << number << " [label=\"" << nodeText(trees, at) << "\"];\n";
    for (unsigned i = 0; i < shownChildren(trees[at.tree]); ++i) {
      unsigned child = self(self, trees.child(at, i));
      os << "  n" << number << " -> n" << child << ";\n";
    }
    return number;
  };
  print(print, tree);
  os << "}\n";
}
