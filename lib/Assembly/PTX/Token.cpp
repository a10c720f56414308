//===- Token.cpp - The tokens of a text -----------------------------------===//
//
// Deliberately shares no scanning code with the reader: it is the judge of what the reader and the
// printer keep.
//
//===----------------------------------------------------------------------===//

#include "Mettle/Assembly/PTX/Token.h"
#include "llvm/ADT/StringExtras.h"

using namespace mettle::assembly::ptx;

static bool isWord(char c) { return llvm::isAlnum(c) || c == '_' || c == '$'; }

llvm::StringRef TokenStream::take(size_t length) {
  llvm::StringRef token = text.take_front(length);
  text = text.drop_front(token.size());
  return token;
}

void TokenStream::skipSpace() {
  for (;;) {
    text = text.ltrim(" \t\n\r\v\f");
    if (text.starts_with("//"))
      text = text.drop_until([](char c) { return c == '\n'; });
    else if (text.starts_with("/*"))
      text = text.drop_front(std::min(text.find("*/", 2), text.size() - 2) + 2);
    else
      return;
  }
}

llvm::StringRef TokenStream::next() {
  skipSpace();
  if (text.empty())
    return {};
  char first = text[0];
  size_t length = 1;
  auto words = [&] {
    while (length < text.size() && isWord(text[length]))
      ++length;
  };
  if (first == '"') {
    while (length < text.size() && text[length] != '"')
      length += text[length] == '\\' ? 2 : 1;
    ++length;
  } else if (llvm::isDigit(first)) {
    // 1.5e-3 is one token; 0xe+1 is three.
    words();
    bool hexadecimal = text.starts_with("0x") || text.starts_with("0X");
    bool floating = false;
    if (length < text.size() && text[length] == '.') {
      floating = true;
      ++length;
      words();
    }
    char last = llvm::toLower(text[length - 1]);
    if (last == 'e' && !hexadecimal && length + 1 < text.size() &&
        (text[length] == '-' || text[length] == '+') && llvm::isDigit(text[length + 1]) &&
        (floating ||
         text.take_front(length - 1).find_if_not(llvm::isDigit) == llvm::StringRef::npos)) {
      ++length;
      words();
    }
  } else if (isWord(first) || first == '%') {
    words();
  } else if (first == '.' && text.size() > 1 && isWord(text[1])) {
    words();
    while (text.substr(length).starts_with("::") && length + 2 < text.size() &&
           isWord(text[length + 2])) {
      length += 2;
      words();
    }
  }
  return take(length);
}

TokenDifference mettle::assembly::ptx::compareTokens(llvm::StringRef left, llvm::StringRef right) {
  TokenStream lefts(left), rights(right);
  TokenDifference result;
  for (;; ++result.tokens) {
    result.left = lefts.next();
    result.right = rights.next();
    if (result.left != result.right) {
      result.equal = false;
      return result;
    }
    if (result.left.empty())
      return result;
  }
}
