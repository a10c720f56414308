//===- Fold.h - Reductions whose order is stated ----------------*- C++ -*-===//
//
// Folds of a list by a binary operation in the orders that the language can state. An absent
// element (a lane past a partial end, a masked-off thread) passes its partner through unchanged; it
// is not replaced by a neutral value, so that -0 and NaN survive. The result depends on the
// elements and their order alone, not on how they are spread over threads, warps or registers.
//
//===----------------------------------------------------------------------===//

#ifndef METTLE_NUMERICS_FOLD_H
#define METTLE_NUMERICS_FOLD_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"
#include <optional>

namespace mettle::numerics {

/// a and b where both are there, else the one that is.
template <typename T, typename Operation>
std::optional<T> combinePresent(std::optional<T> a, std::optional<T> b, Operation operation) {
  if (!a || !b)
    return a ? a : b;
  return operation(*a, *b);
}

/// Neighbours first, balanced: round r combines element i with i + 2^r for every i that is a
/// multiple of 2^(r + 1). The list is as good as padded to a power of two with absent elements.
template <typename T, typename Operation>
std::optional<T> foldInnerTree(llvm::ArrayRef<std::optional<T>> elements, Operation operation) {
  llvm::SmallVector<std::optional<T>, 32> values(elements.begin(), elements.end());
  for (size_t distance = 1; distance < values.size(); distance *= 2)
    for (size_t i = 0; i + distance < values.size(); i += 2 * distance)
      values[i] = combinePresent(values[i], values[i + distance], operation);
  return values.empty() ? std::optional<T>() : values.front();
}

/// ((x0 + x1) + x2) + ..., in index order.
template <typename T, typename Operation>
std::optional<T> foldSequential(llvm::ArrayRef<std::optional<T>> elements, Operation operation) {
  std::optional<T> value;
  for (const std::optional<T> &element : elements)
    value = combinePresent(value, element, operation);
  return value;
}

/// Lane l takes elements l, l + lanes, l + 2 lanes, ... and folds them in that order; the lanes'
/// values are then folded as an inner tree. `lanes` is at least 1.
template <typename T, typename Operation>
std::optional<T> foldStrided(llvm::ArrayRef<std::optional<T>> elements, size_t lanes,
                             Operation operation) {
  llvm::SmallVector<std::optional<T>, 32> values(lanes);
  for (size_t i = 0; i < elements.size(); ++i)
    values[i % lanes] = combinePresent(values[i % lanes], elements[i], operation);
  return foldInnerTree<T>(values, operation);
}

} // namespace mettle::numerics

#endif // METTLE_NUMERICS_FOLD_H
