//===- LocatedError.cpp - An error that knows its place -------------------===//
//
// See the header.
//
//===----------------------------------------------------------------------===//

#include "Mettle/Support/LocatedError.h"

#include "llvm/Support/raw_ostream.h"

using namespace mettle;

char LocatedError::ID;

void LocatedError::log(llvm::raw_ostream &os) const { os << text; }

std::error_code LocatedError::convertToErrorCode() const { return llvm::inconvertibleErrorCode(); }

void mettle::printErrors(llvm::raw_ostream &os, llvm::StringRef tool, llvm::Error error) {
  llvm::handleAllErrors(std::move(error), [&](const llvm::ErrorInfoBase &info) {
    if (!info.isA<LocatedError>())
      os << tool << ": error: ";
    os << info.message() << '\n';
  });
}
