//===- Search.h - Inputs on which two outputs part --------------*- C++ -*-===//
//
// The search for a witness: both trees of an element are evaluated on inputs that are likely to
// bring a difference of order, rounding or place into the result.
//
//===----------------------------------------------------------------------===//

#ifndef METTLE_LIB_CHECKER_EQUIV_SEARCH_H
#define METTLE_LIB_CHECKER_EQUIV_SEARCH_H

#include "Mettle/Checker/Equiv/Difference.h"

namespace mettle::checker {

/// Of one parameter as both kernels write it. `refused` names an operation that has no evaluation.
std::optional<Witness> findWitness(Analysis &a, Analysis &b, const Output &here,
                                   const Output &there, std::string &refused);

/// An element of an output that one kernel alone has.
std::optional<Witness> unsharedElement(const Output &output, uint8_t writtenBy);

} // namespace mettle::checker

#endif // METTLE_LIB_CHECKER_EQUIV_SEARCH_H
