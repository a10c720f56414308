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
#include "Mettle/Numerics/Format.h"
#include <map>
#include <unordered_map>

namespace mettle::checker {

/// An element of memory: a parameter and an offset in bytes.
using Place = std::pair<uint32_t, int64_t>;

/// Words for all memory, by a seed. Elements of a parameter have one format, that of the smallest
/// piece read of it.
struct InputDraw {
  enum Kind : uint8_t {
    NearOne,   ///< signs and fractions at random, exponents within a few of 1
    Small,     ///< the same below 1/16, so that exponentials of sums stay near 1
    Wide,      ///< exponents far apart
    Special,   ///< every fourth a zero, an infinity or a NaN
    Zeros,     ///< zeros, of one sign in a parameter or of both
    Levels,    ///< few large ones, and many so small that only together they count beside them
    Exponents, ///< the same for exponentials: a few near 0, the others far below
    NumKinds,
  };
  Kind kind = NearOne;
  uint64_t seed = 1;
  /// By number of the parameter.
  std::map<uint32_t, numerics::Format> formats;
  /// Elements whose words are not drawn.
  std::map<Place, uint64_t> given;
  /// Parameters whose memory is known as a whole.
  std::map<uint32_t, llvm::ArrayRef<uint8_t>> contents;

  uint64_t word(uint32_t parameter, int64_t offset, unsigned bytes) const;
  /// False of a place outside of memory that is known as a whole.
  bool has(uint32_t parameter, int64_t offset, unsigned bytes) const;
  unsigned elementBytes(uint32_t parameter) const;
};

struct Operation;

class TreeValue {
public:
  TreeValue(const Templates &trees, const InputDraw &draw);
  ~TreeValue();

  /// The word of the element whose offset has these digits; nothing where the tree holds an
  /// operation that has no evaluation here. Elements share what they have in common.
  std::optional<uint64_t> of(const Tree &tree, llvm::ArrayRef<int64_t> digits);

  /// What was read, if that was asked for: words with their sizes.
  bool notesInputs = false;
  std::map<Place, std::pair<unsigned, uint64_t>> inputs;

  /// Forgets what elements have in common.
  void forget() { memo.clear(); }
  size_t remembered() const { return memo.size(); }

  /// How many nodes were evaluated.
  size_t size() const { return computed; }

  /// The operation that has no evaluation, after an answer that is none.
  std::string refused;

private:
  using Shift = llvm::SmallVector<int64_t, 2>;
  struct Key {
    TemplateId tree;
    Shift shift;
    bool operator==(const Key &other) const { return tree == other.tree && shift == other.shift; }
  };
  struct KeyHash {
    size_t operator()(const Key &key) const {
      return llvm::hash_combine(key.tree, llvm::hash_combine_range(key.shift));
    }
  };
  using Memo = std::unordered_map<Key, std::optional<uint64_t>, KeyHash>;

  std::optional<int64_t> number(FormId form) const;
  std::optional<uint64_t> value(TemplateId tree, const Shift &shift);
  std::optional<uint64_t> leaf(const Template &node, const Shift &shift);
  std::optional<uint64_t> compute(TemplateId tree, const Shift &shift);
  std::optional<uint64_t> compare(const Template &node, uint64_t a, uint64_t b) const;
  std::optional<uint64_t> gather(const Template &node, const Shift &shift);
  std::optional<uint64_t> child(const Template &node, unsigned index, const Shift &shift);
  /// A child of a node that stands at a shift.
  std::optional<Shift> shiftOf(const Child &child, const Shift &shift) const;
  /// acc op x, where x may be a product or the products of a step.
  std::optional<uint64_t> combine(const Operation &op, uint64_t acc, TemplateId tree,
                                  const Shift &shift);
  std::optional<uint64_t> step(const Operation &op, uint64_t acc, const Template &node,
                               const Shift &shift);
  const Operation &operation(const Template &node);

  const Templates &trees;
  std::vector<int64_t> digits;
  bool dependsOnDigits(TemplateId tree);
  const InputDraw &draw;
  /// Values by tree and shift: for good, and of trees that mention the digits for one element.
  Memo memo, ofElement;
  std::unordered_map<TemplateId, bool> mentionsDigits;
  std::unordered_map<uint32_t, std::unique_ptr<Operation>> operations;
  size_t computed = 0;
};

/// Notes the format of the smallest piece read of each parameter, as far as what reads it says.
void findFormats(const Templates &trees, TemplateId tree,
                 std::map<uint32_t, numerics::Format> &formats);

} // namespace mettle::checker

#endif // METTLE_CHECKER_TREE_VALUE_H
