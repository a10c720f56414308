//===- Rules.h - The rules of the normal form as data -----------*- C++ -*-===//
//
// What docs and tests know of the rules, and which of them an answer rests on.
//
//===----------------------------------------------------------------------===//

#ifndef METTLE_CHECKER_CANON_RULES_H
#define METTLE_CHECKER_CANON_RULES_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include <cstdint>
#include <string>
#include <vector>

namespace mettle::checker {

struct Rule {
  llvm::StringLiteral name, what, condition, justification;
};

llvm::ArrayRef<Rule> rules();

/// Numbers of the rows of rules().
enum class RuleId : uint8_t {
#define METTLE_CHECKER_RULE(Id, Name, What, Condition, Why) Id,
#include "Mettle/Checker/Canon/Rules.def"
};

/// The rules that were applied on the way to an answer.
class RuleSet {
public:
  void add(RuleId rule) { bits |= uint64_t(1) << unsigned(rule); }
  void add(RuleSet other) { bits |= other.bits; }
  bool has(RuleId rule) const { return bits >> unsigned(rule) & 1; }
  /// Their names, in the order of the table.
  std::vector<std::string> names() const;

private:
  uint64_t bits = 0;
};

} // namespace mettle::checker

#endif // METTLE_CHECKER_CANON_RULES_H
