//===- Print.h - Trees as text and as DOT -----------------------*- C++ -*-===//
//
// Draws a tree for people.
//
//===----------------------------------------------------------------------===//

#ifndef METTLE_CHECKER_TREE_PRINT_H
#define METTLE_CHECKER_TREE_PRINT_H

#include "Mettle/Checker/Tree/Template.h"

namespace llvm {
class raw_ostream;
} // namespace llvm

namespace mettle::checker {

/// One node a line, children indented; a tree that was drawn already is named, not drawn again.
void printTree(llvm::raw_ostream &os, const Templates &trees, const Tree &tree);

/// The same in the DOT language.
void printDot(llvm::raw_ostream &os, const Templates &trees, const Tree &tree);

/// What one node says, without its children.
std::string nodeText(const Templates &trees, const Tree &tree);

} // namespace mettle::checker

#endif // METTLE_CHECKER_TREE_PRINT_H
