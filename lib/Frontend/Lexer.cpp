//===- Lexer.cpp - text to tokens -===//
//
// One pass over the bytes. Only ASCII has a meaning outside comments and strings.
//
//===----------------------------------------------------------------------===//

#include "Mettle/Frontend/Lexer.h"

#include "llvm/ADT/StringExtras.h"

using namespace mettle::frontend;
using llvm::StringRef;

StringRef mettle::frontend::describe(TokenKind kind) {
  static constexpr StringRef texts[] = {
#define METTLE_TOKEN(kind, text) text,
#include "Mettle/Frontend/Tokens.def"
  };
  return texts[static_cast<unsigned>(kind)];
}

NameTable::NameTable() {
#define METTLE_KEYWORD(spelling) entries.try_emplace(#spelling, TokenKind::kw_##spelling);
#include "Mettle/Frontend/Tokens.def"
}

Name NameTable::get(StringRef spelling) {
  return &*entries.try_emplace(spelling, TokenKind::identifier).first;
}

namespace {
class Lexer {
public:
  Lexer(const Source &source, NameTable &names, Diagnostics &diagnostics)
      : text(source.text()), names(names), diagnostics(diagnostics) {}

  std::vector<Token> run() {
    // A token takes five bytes of the kernels we have seen.
    tokens.reserve(text.size() / 4 + 1);
    while (skipBlanks())
      next();
    // Where text without an end has swallowed the file, what stands before it says nothing.
    if (swallowed)
      tokens.clear();
    add(TokenKind::end_of_file, at);
    return std::move(tokens);
  }

private:
  char peek(size_t ahead = 0) const { return at + ahead < text.size() ? text[at + ahead] : '\0'; }

  void add(TokenKind kind, Offset begin, Name name = nullptr) {
    tokens.push_back({kind, begin, at, name});
  }

  void error(Offset begin, Code code, StringRef place = {}) {
    diagnostics.error(begin, at, code, {place});
  }

  /// Moves to the next token; false at the end of the text.
  bool skipBlanks() {
    while (at < text.size()) {
      char c = text[at];
      if (c == ' ' || c == '\n' || c == '\t' || c == '\r' || c == '\f' || c == '\v')
        ++at;
      else if (c == '/' && peek(1) == '/')
        at = std::min(text.find('\n', at), text.size());
      else if (c == '/' && peek(1) == '*')
        skipBlockComment();
      else
        return true;
    }
    return false;
  }

  void skipBlockComment() {
    Offset begin = at;
    unsigned depth = 0;
    do {
      if (at >= text.size()) {
        at = begin + 2;
        error(begin, Code::unterminated_comment);
        at = text.size();
        swallowed = true;
        return;
      }
      if (text[at] == '/' && peek(1) == '*') {
        ++depth;
        at += 2;
      } else if (text[at] == '*' && peek(1) == '/') {
        --depth;
        at += 2;
      } else {
        ++at;
      }
    } while (depth);
  }

  void next() {
    char c = text[at];
    if (llvm::isAlpha(c) || c == '_')
      return word();
    if (llvm::isDigit(c) || (c == '.' && llvm::isDigit(peek(1))))
      return number();
    if (c == '"')
      return string();
    punctuation();
  }

  void word() {
    Offset begin = at;
    while (llvm::isAlnum(peek()) || peek() == '_')
      ++at;
    Name name = names.get(text.slice(begin, at));
    add(name->getValue(), begin, name->getValue() == TokenKind::identifier ? name : nullptr);
  }

  template <typename Predicate> size_t skipWhile(Predicate predicate) {
    Offset begin = at;
    while (at < text.size() && predicate(text[at]))
      ++at;
    return at - begin;
  }

  void number() {
    Offset begin = at;
    char base = llvm::toLower(peek(1));
    if (peek() == '0' && (base == 'x' || base == 'b')) {
      at += 2;
      size_t digits = skipWhile(
          [&](char c) { return base == 'x' ? llvm::isHexDigit(c) : c == '0' || c == '1'; });
      if (!digits)
        error(begin, Code::number_without_digits, base == 'x' ? "hexadecimal" : "binary");
      return endNumber(TokenKind::integer, begin);
    }
    TokenKind kind = TokenKind::integer;
    skipWhile(llvm::isDigit);
    // `0..n` is a range of two integers.
    if (peek() == '.' && peek(1) != '.') {
      kind = TokenKind::floating;
      ++at;
      skipWhile(llvm::isDigit);
    }
    if (llvm::toLower(peek()) == 'e') {
      size_t sign = peek(1) == '+' || peek(1) == '-';
      if (llvm::isDigit(peek(1 + sign))) {
        kind = TokenKind::floating;
        at += 1 + sign;
        skipWhile(llvm::isDigit);
      }
    }
    endNumber(kind, begin);
  }

  /// A letter, digit or underscore directly after a number belongs to no token the author meant.
  void endNumber(TokenKind kind, Offset begin) {
    Offset end = at;
    if (skipWhile([](char c) { return llvm::isAlnum(c) || c == '_'; }))
      error(begin, Code::number_suffix, text.slice(end, at));
    tokens.push_back({kind, begin, end, nullptr});
  }

  void string() {
    Offset begin = at++;
    while (at < text.size() && text[at] != '"')
      at += text[at] == '\\' ? 2 : 1;
    if (at >= text.size()) {
      at = begin + 1;
      error(begin, Code::unterminated_string);
      at = text.size();
      swallowed = true;
    } else {
      ++at;
    }
    add(TokenKind::string, begin);
  }

  void punctuation() {
    Offset begin = at;
    StringRef rest = text.substr(at, 3);
#define METTLE_TOKEN(kind, text)
#define METTLE_KEYWORD(spelling)
#define METTLE_PUNCTUATION(kind, spelling)                                                         \
  if (rest.starts_with(spelling)) {                                                                \
    at += sizeof(spelling) - 1;                                                                    \
    return add(TokenKind::kind, begin);                                                            \
  }
#include "Mettle/Frontend/Tokens.def"
    // The bytes of one character outside ASCII are one error.
    ++at;
    skipWhile([](char c) { return (static_cast<unsigned char>(c) & 0xC0) == 0x80; });
    StringRef character = text.slice(begin, at);
    error(begin, Code::invalid_character,
          llvm::isPrint(character[0])
              ? "'" + character.str() + "'"
              : "byte 0x" + llvm::utohexstr(static_cast<unsigned char>(character[0])));
    // The parser stops here too, and a second error at one place is not shown.
    add(TokenKind::invalid, begin);
  }

  StringRef text;
  NameTable &names;
  Diagnostics &diagnostics;
  Offset at = 0;
  bool swallowed = false;
  std::vector<Token> tokens;
};
} // namespace

std::vector<Token> mettle::frontend::lex(const Source &source, NameTable &names,
                                         Diagnostics &diagnostics) {
  return Lexer(source, names, diagnostics).run();
}
