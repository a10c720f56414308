//===- Signature.h - A kernel as a function of its outputs ------*- C++ -*-===//
//
// For every parameter that is stored to: which elements are written, and the tree of each as a
// function of where it stands. Who wrote it (block, warp, lane, register) is gone. Two kernels with
// one signature write the same bits to the same places.
//
//===----------------------------------------------------------------------===//

#ifndef METTLE_CHECKER_EQUIV_SIGNATURE_H
#define METTLE_CHECKER_EQUIV_SIGNATURE_H

#include "Mettle/Checker/Exec/Program.h"
#include "Mettle/Checker/Tree/Template.h"

namespace mettle::checker {

/// Values of one digit of an offset: sorted, disjoint, half-open.
using Intervals = std::vector<std::pair<int64_t, int64_t>>;

/// Elements that one tree describes: a box of digits.
struct Region {
  std::vector<Intervals> digits;
  Tree tree; ///< Over the digits.
  Hash128 hash;
};

struct Output {
  uint32_t parameter = 0;
  uint8_t bytes = 0;
  /// The stride of each digit in bytes, rising.
  std::vector<int64_t> strides;
  std::vector<Region> regions;
};

struct Signature {
  std::optional<Reason> unknown;
  Hash128 hash;
  std::vector<Output> outputs;
  /// Whether an operation that ptxas may contract takes part.
  bool ptxasDependent = false;
  /// What was applied on the way to the normal form.
  RuleSet rules;
};

/// What an answer took, in processor time of the thread that found it.
struct Effort {
  enum Phase : uint8_t { Reading, Walking, Following, Merging, NumPhases };
  std::array<double, NumPhases> seconds = {};
  /// Forms, terms and trees that were made.
  size_t objects = 0;
  double total() const;
  Effort &operator+=(const Effort &other);
};

/// Adds the time from its making to its end to a phase.
class PhaseTimer {
public:
  PhaseTimer(Effort &effort, Effort::Phase phase);
  ~PhaseTimer();

private:
  double &seconds;
  double start;
};

/// Everything that one entry's analysis needs, kept as long as its trees are looked at.
struct Analysis {
  Analysis() : terms(forms), trees(terms) {}
  Forms forms;
  Terms terms;
  Templates trees;
  Program program;
  Signature signature;
  Effort effort;
};

void analyse(const assembly::ptx::Module &module, const assembly::ptx::Function &entry,
             const LaunchFacts &facts, Analysis &analysis);

/// 32 hexadecimal digits.
std::string text(const Hash128 &hash);

} // namespace mettle::checker

#endif // METTLE_CHECKER_EQUIV_SIGNATURE_H
