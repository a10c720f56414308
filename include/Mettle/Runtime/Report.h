//===- Report.h - Arrays for people and for programs ------------*- C++ -*-===//
//
// What `mettle run` shows of the arrays a kernel was given and left behind: a
// compact table, or JSON. The hash stands for every bit of an array, so that two
// runs can be compared without their files.
//
//===----------------------------------------------------------------------===//

#ifndef METTLE_RUNTIME_REPORT_H
#define METTLE_RUNTIME_REPORT_H

#include "Mettle/Runtime/Buffer.h"

namespace llvm {
class raw_ostream;
} // namespace llvm

namespace mettle::runtime {

/// XXH3-64 of the elements' bytes, little endian: the same on every machine.
uint64_t hashOf(const Buffer &buffer);

struct NamedBuffer {
  std::string name;
  const Buffer *buffer;
};

/// One line an array: name, type and shape, hash, least and greatest element
/// other than NaN, numbers of NaNs and infinities, first and last elements.
void printTable(llvm::raw_ostream &os, llvm::ArrayRef<NamedBuffer> arrays);

/// A JSON list with one object an array: name, type, shape, hash, min, max,
/// nan, inf, and at most `elementLimit` of the first elements. What JSON has no
/// number for (inf, nan) is a string that `parseElement` reads; min and max are
/// null when every element is NaN.
void printJSON(llvm::raw_ostream &os, llvm::ArrayRef<NamedBuffer> arrays,
               uint64_t elementLimit = 16);

} // namespace mettle::runtime

#endif // METTLE_RUNTIME_REPORT_H
