//===- Checks.h - What a kernel said about its run --------------*- C++ -*-===//
//
// Failed assertions and prints, which a kernel leaves in a buffer of its own
// (Support/CheckBuffer.h), and how they are shown.
//
//===----------------------------------------------------------------------===//

#ifndef METTLE_RUNTIME_CHECKS_H
#define METTLE_RUNTIME_CHECKS_H

#include "Mettle/Runtime/Launch.h"

namespace mettle::runtime {

/// An assertion or a print of a module; the i-th has the number i + 1.
struct CheckSite {
  bool isPrint;
  std::string text;
  /// Of the values that a print shows.
  std::vector<ElementType> kinds;
};

/// What one execution of a print shows.
struct Printed {
  Extents workgroup, workItem;
  std::string text;
};

struct FailedAssertion {
  /// Index of its site.
  size_t site;
  Extents workgroup, workItem;
};

struct CheckResults {
  std::optional<FailedAssertion> failed;
  std::vector<Printed> prints;
  /// Prints that found no room.
  uint64_t lost = 0;
};

/// Puts each value in the place of a `{}`; `{{` and `}}` become braces. There
/// are as many values as places.
std::string formatPrint(llvm::StringRef text, llvm::ArrayRef<ElementType> kinds,
                        llvm::ArrayRef<uint64_t> values);

/// Workgroups and work-items in order, x fastest; those of one work-item stay as
/// they are.
void sortPrints(std::vector<Printed> &prints);

/// An empty buffer with room for `words` words of prints, at least as many as
/// the longest takes.
llvm::Expected<Buffer> makeCheckBuffer(uint32_t words = 1 << 18);

/// What a launch left. An error where a kernel has written something else there.
llvm::Expected<CheckResults> readCheckBuffer(const Buffer &buffer, llvm::ArrayRef<CheckSite> sites);

} // namespace mettle::runtime

#endif // METTLE_RUNTIME_CHECKS_H
