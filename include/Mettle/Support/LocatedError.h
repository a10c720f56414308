//===- LocatedError.h - An error that knows its place -----------*- C++ -*-===//
//
// A message that begins with `file:line:column: error: `, so that a tool prints it as it is instead
// of putting its own name in front.
//
//===----------------------------------------------------------------------===//

#ifndef METTLE_SUPPORT_LOCATEDERROR_H
#define METTLE_SUPPORT_LOCATEDERROR_H

#include "llvm/Support/Error.h"

#include <string>

namespace mettle {

class LocatedError : public llvm::ErrorInfo<LocatedError> {
public:
  static char ID;
  explicit LocatedError(std::string text) : text(std::move(text)) {}

  void log(llvm::raw_ostream &os) const override;
  std::error_code convertToErrorCode() const override;

private:
  std::string text;
};

/// Prints each error: a located one as it is, another after `TOOL: error: `.
void printErrors(llvm::raw_ostream &os, llvm::StringRef tool, llvm::Error error);

} // namespace mettle

#endif // METTLE_SUPPORT_LOCATEDERROR_H
