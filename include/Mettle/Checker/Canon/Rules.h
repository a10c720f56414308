//===- Rules.h - The rules of the normal form as data -----------*- C++ -*-===//
//
// What docs and tests know of the rules.
//
//===----------------------------------------------------------------------===//

#ifndef METTLE_CHECKER_CANON_RULES_H
#define METTLE_CHECKER_CANON_RULES_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

namespace mettle::checker {

struct Rule {
  llvm::StringLiteral name, what, condition, justification;
};

llvm::ArrayRef<Rule> rules();

} // namespace mettle::checker

#endif // METTLE_CHECKER_CANON_RULES_H
