//===- LexerTest.cpp - text to tokens -===//
//
// What the text of each kind of token is, and what lies between tokens.
//
//===----------------------------------------------------------------------===//

#include "Mettle/Frontend/Lexer.h"

#include "gtest/gtest.h"

using namespace mettle::frontend;

namespace {
struct Lexed {
  explicit Lexed(llvm::StringRef text) : source("k.mettle", text), diagnostics(source) {
    tokens = lex(source, names, diagnostics);
    tokens.pop_back();
  }

  std::string spelling(size_t i) const {
    return source.text().slice(tokens[i].begin, tokens[i].end).str();
  }

  std::vector<std::string> spellings() const {
    std::vector<std::string> all;
    for (size_t i = 0; i < tokens.size(); ++i)
      all.push_back(spelling(i));
    return all;
  }

  Source source;
  Diagnostics diagnostics;
  NameTable names;
  std::vector<Token> tokens;
};

using Spellings = std::vector<std::string>;
} // namespace

TEST(Lexer, LongestPunctuationWins) {
  EXPECT_EQ(Lexed("a<<=b<<c<=d<e").spellings(),
            (Spellings{"a", "<<=", "b", "<<", "c", "<=", "d", "<", "e"}));
  EXPECT_EQ(Lexed("0..n ..=m .x").spellings(), (Spellings{"0", "..", "n", "..=", "m", ".", "x"}));
  EXPECT_EQ(Lexed("a->b-=-c").spellings(), (Spellings{"a", "->", "b", "-=", "-", "c"}));
  EXPECT_EQ(Lexed("&&=|||").spellings(), (Spellings{"&&", "=", "||", "|"}));
}

TEST(Lexer, EveryPunctuationAndKeywordIsItself) {
#define METTLE_TOKEN(expected, text)
#define METTLE_PUNCTUATION(expected, spelling)                                                     \
  {                                                                                                \
    Lexed lexed(spelling);                                                                         \
    ASSERT_EQ(lexed.tokens.size(), 1u) << spelling;                                                \
    EXPECT_EQ(lexed.tokens[0].kind, TokenKind::expected) << spelling;                              \
  }
#define METTLE_KEYWORD(spelling)                                                                   \
  {                                                                                                \
    Lexed lexed(#spelling);                                                                        \
    ASSERT_EQ(lexed.tokens.size(), 1u) << #spelling;                                               \
    EXPECT_EQ(lexed.tokens[0].kind, TokenKind::kw_##spelling) << #spelling;                        \
    EXPECT_EQ(Lexed(#spelling "_").tokens[0].kind, TokenKind::identifier) << #spelling;            \
  }
#include "Mettle/Frontend/Tokens.def"
}

TEST(Lexer, Numbers) {
  for (llvm::StringRef text : {"0", "42", "0x1A", "0Xdead", "0b1010", "0B1"}) {
    Lexed lexed(text);
    ASSERT_EQ(lexed.tokens.size(), 1u) << text.str();
    EXPECT_TRUE(lexed.tokens[0].is(TokenKind::integer)) << text.str();
    EXPECT_FALSE(lexed.diagnostics.hasErrors()) << text.str();
  }
  for (llvm::StringRef text : {"3.14", "0.5", ".5", "1.", "1e-3", "1E+10", "2.5e3"}) {
    Lexed lexed(text);
    ASSERT_EQ(lexed.tokens.size(), 1u) << text.str();
    EXPECT_TRUE(lexed.tokens[0].is(TokenKind::floating)) << text.str();
    EXPECT_FALSE(lexed.diagnostics.hasErrors()) << text.str();
  }
  for (llvm::StringRef text : {"1_000", "0x", "0b", "0b12", "1e", "5x", "1.5f", "1e+"})
    EXPECT_TRUE(Lexed(text).diagnostics.hasErrors() || Lexed(text).tokens.size() > 1) << text.str();
}

TEST(Lexer, CommentsNest) {
  EXPECT_EQ(Lexed("a /* /* */ still */ b // c\nd").spellings(), (Spellings{"a", "b", "d"}));
  EXPECT_EQ(Lexed("\"http://x /* y\" z").spellings(), (Spellings{"\"http://x /* y\"", "z"}));
  EXPECT_EQ(Lexed("\"a \\\" b\" c").spellings(), (Spellings{"\"a \\\" b\"", "c"}));
  EXPECT_TRUE(Lexed("/* /* */").diagnostics.hasErrors());
  EXPECT_EQ(Lexed("//").spellings(), Spellings());
  EXPECT_EQ(Lexed("").spellings(), Spellings());
}

TEST(Lexer, OneNameObjectForEachSpelling) {
  Lexed lexed("alpha beta alpha");
  EXPECT_EQ(lexed.tokens[0].name, lexed.tokens[2].name);
  EXPECT_NE(lexed.tokens[0].name, lexed.tokens[1].name);
}

TEST(Lexer, AnyBytesAreRead) {
  // Every byte alone, and between two names: no crash, and the names are still found.
  for (unsigned byte = 0; byte < 256; ++byte) {
    std::string text = "first ";
    text += static_cast<char>(byte);
    Lexed alone(text);
    if (byte == '"') {
      EXPECT_TRUE(alone.diagnostics.hasErrors());
      continue;
    }
    ASSERT_FALSE(alone.tokens.empty()) << byte;
    text += " last";
    Lexed between(text);
    EXPECT_EQ(between.spelling(0), "first") << byte;
  }
}
