//===- Rules.cpp - The rules of the normal form as data -------------------===//
//
// The rows of Rules.def as a table.
//
//===----------------------------------------------------------------------===//

#include "Mettle/Checker/Canon/Rules.h"

using namespace mettle::checker;

static constexpr Rule table[] = {
#define METTLE_CHECKER_RULE(Id, Name, What, Condition, Why) {Name, What, Condition, Why},
#include "Mettle/Checker/Canon/Rules.def"
};

llvm::ArrayRef<Rule> mettle::checker::rules() { return table; }

static_assert(std::size(table) <= 64, "a set of rules is a word");

std::vector<std::string> RuleSet::names() const {
  std::vector<std::string> list;
  for (size_t i = 0; i < std::size(table); ++i)
    if (bits >> i & 1)
      list.push_back(table[i].name.str());
  return list;
}
