//===- Token.h - The tokens of a text ---------------------------*- C++ -*-===//
//
// A tokeniser of its own, apart from the reader, to say whether two texts have the same tokens.
//
//===----------------------------------------------------------------------===//

#ifndef METTLE_ASSEMBLY_PTX_TOKEN_H
#define METTLE_ASSEMBLY_PTX_TOKEN_H

#include "llvm/ADT/StringRef.h"

namespace mettle::assembly::ptx {

/// Walks the tokens of a text: names, numbers, dotted suffixes, strings, and single characters.
/// Whatever is none of these is a token of one byte, so any bytes can be walked.
class TokenStream {
public:
  explicit TokenStream(llvm::StringRef text) : text(text) {}

  /// The next token; empty at the end.
  llvm::StringRef next();

private:
  void skipSpace();
  llvm::StringRef take(size_t length);

  llvm::StringRef text;
};

/// Where the tokens of two texts first differ.
struct TokenDifference {
  bool equal = true;
  size_t tokens = 0; ///< how many are the same before that
  llvm::StringRef left, right;
};

TokenDifference compareTokens(llvm::StringRef left, llvm::StringRef right);

} // namespace mettle::assembly::ptx

#endif // METTLE_ASSEMBLY_PTX_TOKEN_H
