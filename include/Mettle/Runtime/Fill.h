//===- Fill.h - Reproducible contents for argument arrays -------*- C++ -*-===//
//
// What `=iota`, `=zeros`, `=ones`, `=rand:SEED`, `=special:SEED` and
// `=nan:SEED` put into an array. Element i depends on the seed and on i only, by
// integer arithmetic, so every machine, thread count and language (numpy: see
// docs/launch-values.md) makes the same bits.
//
//===----------------------------------------------------------------------===//

#ifndef METTLE_RUNTIME_FILL_H
#define METTLE_RUNTIME_FILL_H

#include "Mettle/Runtime/Buffer.h"

namespace mettle::runtime {

/// Word `index` of the stream of `seed`: SplitMix64's output function
/// (Steele, Lea, Flood, "Fast splittable pseudorandom number generators",
/// OOPSLA 2014) at state seed + (index + 1) * 0x9E3779B97F4A7C15.
uint64_t randomWord(uint64_t seed, uint64_t index);

/// An array with the contents that `text` names:
///   iota          element i is i; wraps in integers, nearest even in floats
///   zeros, ones
///   rand:SEED     the top bits of word i: an integer or bool of its width;
///                 a float with p significant bits is
///                 (w >> (64 - p)) * 2^(1 - p) - 1, exact and uniform on a grid
///                 of [-1, 1)
///   special:SEED  what breaks kernels: signed zeros, subnormals, infinities,
///                 largest and smallest numbers among ordinary ones (the table
///                 in Fill.cpp); for integers the ends of the range
///   nan:SEED      the same with quiet and signalling NaNs; floats only
///   a value       that value in every element (`parseElement`)
llvm::Expected<Buffer> filledBuffer(ElementType type, llvm::ArrayRef<uint64_t> shape,
                                    llvm::StringRef text);

} // namespace mettle::runtime

#endif // METTLE_RUNTIME_FILL_H
