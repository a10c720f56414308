//===- Flow.h - what control flow says about a function -===//
//
// One walk over a checked body finds what lowering needs to build SSA in one pass: slots for the
// variables in registers, the slots each loop sets, the jumps that leave each statement. The same
// walk refuses a variable read before it is set and a function that ends without its value.
//
//===----------------------------------------------------------------------===//

#ifndef METTLE_FRONTEND_FLOW_H
#define METTLE_FRONTEND_FLOW_H

#include "Mettle/Frontend/AST.h"

namespace mettle::frontend {

/// Fills the fields of the tree that are marked as coming from flow analysis.
void analyseFlow(SyntaxTree &tree, FunctionDecl &function, Diagnostics &diagnostics);

/// Whether a condition is a literal that is true, as in `while (1)`.
bool isAlwaysTrue(const Expr *condition);

} // namespace mettle::frontend

#endif // METTLE_FRONTEND_FLOW_H
