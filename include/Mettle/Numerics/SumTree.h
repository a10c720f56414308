//===- SumTree.h - In which order a sum is formed ---------------*- C++ -*-===//
//
// The shape of a dependence tree over the k axis, without order among the inputs of an addition:
// what a black box shows to probes, and what a descriptor implies at one K. A node with more than
// two inputs is one fused step.
//
//===----------------------------------------------------------------------===//

#ifndef METTLE_NUMERICS_SUMTREE_H
#define METTLE_NUMERICS_SUMTREE_H

#include "Mettle/Numerics/KPlan.h"
#include "llvm/ADT/DenseMap.h"

namespace mettle::numerics {

class SumTree {
public:
  static constexpr uint32_t none = ~uint32_t(0);

  struct Node {
    uint64_t k = 0;               ///< Of a leaf: its element of the axis.
    std::vector<uint32_t> inputs; ///< Of an inner node, at least two; empty for a leaf.
    uint32_t leaves = 1;          ///< Elements below.
    uint64_t leafHash = 0;        ///< Of the set of elements below.
    uint64_t shapeHash = 0;       ///< Of the whole shape below.
    uint32_t parent = none;
  };

  uint32_t leaf(uint64_t k);
  /// One input is passed through: no node is made.
  uint32_t join(std::vector<uint32_t> inputs);
  void setRoot(uint32_t node) { rootNode = node; }

  bool empty() const { return rootNode == none; }
  uint32_t root() const { return rootNode; }
  const Node &operator[](uint32_t index) const { return nodes[index]; }
  /// The node whose elements are exactly those of the hash, if there is one. Where a node and its
  /// only child have the same elements (which join() avoids) there would be two.
  uint32_t nodeOf(uint64_t leafHash) const;
  /// The leaf of element k.
  uint32_t leafOf(uint64_t k) const;
  /// The elements below a node, in no order.
  std::vector<uint64_t> elementsBelow(uint32_t node) const;

  /// Sets add up: the hash of a set of elements is the sum of theirs.
  static uint64_t hashOfElement(uint64_t k);

  /// Equal shapes over equal elements (up to a collision of 64 bits).
  bool operator==(const SumTree &other) const;

  /// Nested parentheses, elements in order of the smallest below, as `((0 1) (2 3))`.
  std::string text() const;

  /// The shape of a valid, unscaled descriptor at K = k.
  static SumTree build(const GEMMDesc &desc, uint64_t k);

private:
  std::vector<Node> nodes;
  llvm::DenseMap<uint64_t, uint32_t> byLeaves;
  uint32_t rootNode = none;
};

/// Identity of a descriptor's bits at one K: as hash(), but of the expanded fold with its roundings
/// in place of the text, so that descriptors which differ only beyond this K agree.
uint64_t hashAt(const GEMMDesc &desc, uint64_t k);

/// The descriptor simplified as far as hashAt(k) stays the same: cuts that do nothing at this K are
/// dropped, lengths and orders take their simplest equivalent. Canonical, too. The text is unique
/// where all sums are kept in the accumulator's format; else hashAt() decides.
GEMMDesc canonicalAt(const GEMMDesc &desc, uint64_t k);

} // namespace mettle::numerics

#endif // METTLE_NUMERICS_SUMTREE_H
