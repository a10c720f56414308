//===- Rules.cpp - The rules of the normal form as data -------------------===//
//
// The rows of Rules.def as a table.
//
//===----------------------------------------------------------------------===//

#include "Mettle/Checker/Canon/Rules.h"

using namespace mettle::checker;

static constexpr Rule table[] = {
#define METTLE_CHECKER_RULE(Name, What, Condition, Why) {Name, What, Condition, Why},
#include "Mettle/Checker/Canon/Rules.def"
};

llvm::ArrayRef<Rule> mettle::checker::rules() { return table; }
