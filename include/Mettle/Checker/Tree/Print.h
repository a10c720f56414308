//===- Print.h - Trees as text, as DOT and as a picture ---------*- C++ -*-===//
//
// Draws a tree for people.
//
//===----------------------------------------------------------------------===//

#ifndef METTLE_CHECKER_TREE_PRINT_H
#define METTLE_CHECKER_TREE_PRINT_H

#include "Mettle/Checker/Tree/Template.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace llvm {
class raw_ostream;
} // namespace llvm

namespace mettle::checker {

/// The line of an instruction in its file, from 1; 0 where there is none.
using LineOf = llvm::function_ref<unsigned(InstructionId)>;

/// One node a line, children indented; a tree that was drawn already is named, not drawn again.
void printTree(llvm::raw_ostream &os, const Templates &trees, const Tree &tree, LineOf lineOf);

/// A tree as a graph in which each node stands once, with what is too much left out.
struct Drawing {
  struct Node {
    std::string label, detail;
    Template::Kind kind = Template::Const;
    unsigned line = 0;
    /// Nodes that stand for what was left out: how many it was.
    size_t leftOut = 0;
    /// Numbers, and what a child is to the node, where its place does not say it.
    std::vector<std::pair<unsigned, std::string>> children;
    /// The second line of its text.
    std::string below() const;
  };
  /// The root first.
  std::vector<Node> nodes;
};

/// The nodes nearest the root, at most so many; of many children the first ones and the last.
Drawing drawingOf(const Templates &trees, const Tree &tree, LineOf lineOf, size_t most);

/// In the DOT language.
void printDot(llvm::raw_ostream &os, const Drawing &drawing);

/// Drawings with their titles, one below the other, as an SVG document.
void printSvg(llvm::raw_ostream &os, llvm::ArrayRef<std::pair<std::string, Drawing>> drawings);

/// What one node says, without its children.
std::string nodeText(const Templates &trees, const Tree &tree);

} // namespace mettle::checker

#endif // METTLE_CHECKER_TREE_PRINT_H
