//===- Fragment.h - Where an element of a fragment is -----------*- C++ -*-===//
//
// The bits of a coordinate of an element of a matrix instruction's result.
//
//===----------------------------------------------------------------------===//

#ifndef METTLE_LIB_CHECKER_TREE_FRAGMENT_H
#define METTLE_LIB_CHECKER_TREE_FRAGMENT_H

#include "Mettle/Checker/Exec/MatrixUse.h"

namespace mettle::checker {

/// The bit of a coordinate of D's element: a constant, or a bit of the lane.
struct ElementBit {
  bool isLane = false;
  unsigned lane = 0;
  bool value = false;
};

ElementBit bitOfElement(const numerics::FragmentLayout &layout, bool isRow, unsigned bit,
                        unsigned element);

/// How many bits count up to an extent.
unsigned bitsOfExtent(unsigned extent);

} // namespace mettle::checker

#endif // METTLE_LIB_CHECKER_TREE_FRAGMENT_H
