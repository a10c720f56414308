//===- Value.h - What a tree evaluates to -----------------------*- C++ -*-===//
//
// The word of an output element, given words for the memory that is read. This is how a difference
// of trees becomes one of numbers: inputs on which two trees return different words. It shares
// nothing with the rules of the normal form.
//
//===----------------------------------------------------------------------===//

#ifndef METTLE_CHECKER_TREE_VALUE_H
#define METTLE_CHECKER_TREE_VALUE_H

#include "Mettle/Checker/Tree/Template.h"
#include <map>

namespace mettle::checker {

/// Words for all memory, by a seed. Elements of a parameter have one size, that of the smallest
/// piece read of it.
struct InputDraw {
  enum Kind : uint8_t {
    NearOne, ///< signs and fractions at random, exponents within a few of 1
    Small,   ///< the same below 1/16, so that exponentials of sums stay near 1
    Wide,    ///< exponents far apart
    Special, ///< every fourth a zero, an infinity or a NaN
    Zeros,   ///< zeros of both signs
    NumKinds,
  };
  Kind kind = NearOne;
  uint64_t seed = 1;
  /// By number of the parameter: bytes of an element.
  std::map<uint32_t, unsigned> elementBytes;

  uint64_t word(uint32_t parameter, int64_t offset, unsigned bytes) const;
};

class TreeValue {
public:
  TreeValue(const Templates &trees, const InputDraw &draw) : trees(trees), draw(draw) {}

  /// The word of the element whose offset has these digits; nothing where the tree holds an
  /// operation that has no evaluation here. Elements share what they have in common.
  std::optional<uint64_t> of(const Tree &tree, llvm::ArrayRef<int64_t> digits);

  /// What was read: the words of (parameter, offset), with their sizes.
  std::map<std::pair<uint32_t, int64_t>, std::pair<unsigned, uint64_t>> inputs;

  /// How many nodes were evaluated.
  size_t size() const { return computed; }

  /// The operation that has no evaluation, after an answer that is none.
  std::string refused;

private:
  using Shift = llvm::SmallVector<int64_t, 2>;
  std::optional<int64_t> number(FormId form) const;
  std::optional<uint64_t> value(TemplateId tree, const Shift &shift);
  std::optional<uint64_t> compute(TemplateId tree, const Shift &shift);
  /// A child of a node that stands at a shift.
  std::optional<Shift> shiftOf(const Child &child, const Shift &shift) const;
  /// acc op x, where x may be a product or the products of a step.
  std::optional<uint64_t> combine(llvm::StringRef op, uint64_t acc, TemplateId tree,
                                  const Shift &shift);
  std::optional<uint64_t> apply(llvm::StringRef op, llvm::ArrayRef<uint64_t> args) const;

  const Templates &trees;
  std::vector<int64_t> digits;
  bool dependsOnDigits(TemplateId tree);
  const InputDraw &draw;
  /// Values by tree and shift: for good, and of trees that mention the digits for one element.
  std::map<std::pair<TemplateId, std::vector<int64_t>>, std::optional<uint64_t>> memo, ofElement;
  std::map<TemplateId, bool> mentionsDigits;
  size_t computed = 0;
};

/// Notes the size of the smallest piece read of each parameter.
void findElementSizes(const Templates &trees, TemplateId tree,
                      std::map<uint32_t, unsigned> &elementBytes);

} // namespace mettle::checker

#endif // METTLE_CHECKER_TREE_VALUE_H
