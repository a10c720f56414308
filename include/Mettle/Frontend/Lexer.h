//===- Lexer.h - text to tokens -===//
//
// The whole file becomes one array of tokens before parsing. The parser walks it by index, which
// lets it skip the body of a function by counting braces and come back when a kernel reaches it.
//
//===----------------------------------------------------------------------===//

#ifndef METTLE_FRONTEND_LEXER_H
#define METTLE_FRONTEND_LEXER_H

#include "Mettle/Frontend/Diagnostics.h"

#include "llvm/ADT/StringMap.h"
#include "llvm/Support/Allocator.h"

#include <vector>

namespace mettle::frontend {

enum class TokenKind : uint8_t {
#define METTLE_TOKEN(kind, text) kind,
#include "Mettle/Frontend/Tokens.def"
};

/// How a message names a kind of token: a spelling in quotes, or words.
llvm::StringRef describe(TokenKind kind);

/// A name, one object for each spelling of a file: names are equal when their pointers are.
using Name = const llvm::StringMapEntry<TokenKind> *;

struct Token {
  TokenKind kind = TokenKind::invalid;
  Offset begin = 0, end = 0;
  /// Set for identifiers.
  Name name = nullptr;

  bool is(TokenKind other) const { return kind == other; }
};

/// The names of a file. Keywords are entered first, with their kinds.
class NameTable {
public:
  NameTable();
  Name get(llvm::StringRef spelling);

private:
  llvm::StringMap<TokenKind, llvm::BumpPtrAllocator> entries;
};

/// Splits the text, leaving out white space and comments; the last token is end_of_file. What
/// cannot be read is reported; a character outside the language becomes an invalid token.
std::vector<Token> lex(const Source &source, NameTable &names, Diagnostics &diagnostics);

} // namespace mettle::frontend

#endif // METTLE_FRONTEND_LEXER_H
