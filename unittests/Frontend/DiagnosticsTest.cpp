//===- DiagnosticsTest.cpp - places and how messages are shown -===//
//
// Lines and columns, the text form with its caret, JSON, order and limit.
//
//===----------------------------------------------------------------------===//

#include "Mettle/Frontend/Diagnostics.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/raw_ostream.h"
#include "gtest/gtest.h"

using namespace mettle::frontend;

static std::string shown(Diagnostics &diagnostics, decltype(printText) print, unsigned limit = 20) {
  std::string text;
  llvm::raw_string_ostream os(text);
  diagnostics.flush(
      [&](const Source &source, const Diagnostic &diagnostic) { print(os, source, diagnostic); },
      limit);
  return text;
}

TEST(Source, LinesAndColumns) {
  Source source("f", "ab\n\ncd\r\ne");
  struct {
    Offset offset;
    unsigned line, column;
  } places[] = {{0, 1, 1}, {2, 1, 3}, {3, 2, 1}, {4, 3, 1}, {5, 3, 2}, {8, 4, 1}, {9, 4, 2}};
  for (auto &place : places) {
    LineColumn at = source.lineColumn(place.offset);
    EXPECT_EQ(at.line, place.line) << place.offset;
    EXPECT_EQ(at.column, place.column) << place.offset;
  }
  EXPECT_EQ(source.line(1), "ab");
  EXPECT_EQ(source.line(2), "");
  EXPECT_EQ(source.line(3), "cd");
  EXPECT_EQ(source.line(4), "e");
}

TEST(Diagnostics, TextHasACaretUnderThePlace) {
  Source source("k.mettle", "one\n\tx = missing;\n");
  Diagnostics diagnostics(source);
  diagnostics.error(9, 16, Code::unknown_name, {"missing"});
  EXPECT_EQ(shown(diagnostics, printText), "k.mettle:2:6: error: unknown name 'missing'\n"
                                           "\tx = missing;\n"
                                           "\t    ^~~~~~~\n");
}

TEST(Diagnostics, ACaretMayStandBehindTheLastByte) {
  Source source("k.mettle", "one");
  Diagnostics diagnostics(source);
  diagnostics.error(3, 3, Code::no_kernel);
  EXPECT_EQ(shown(diagnostics, printText),
            "k.mettle:1:4: error: expected at least one kernel in this file\none\n   ^\n");
}

TEST(Diagnostics, AMarkStaysOnItsLine) {
  Source source("k.mettle", "ab\ncd\n");
  Diagnostics diagnostics(source);
  diagnostics.error(1, 5, Code::no_value);
  EXPECT_EQ(shown(diagnostics, printText),
            "k.mettle:1:2: error: this call returns nothing\nab\n ^\n");
}

TEST(Diagnostics, OrderOfPlaceAndOnceAPlace) {
  Source source("k.mettle", "a b c\n");
  Diagnostics diagnostics(source);
  diagnostics.error(4, 5, Code::unknown_name, {"c"});
  diagnostics.error(0, 1, Code::unknown_name, {"a"});
  diagnostics.error(4, 5, Code::unknown_type, {"c"});
  std::vector<Offset> order;
  diagnostics.flush(
      [&](const Source &, const Diagnostic &diagnostic) { order.push_back(diagnostic.begin); });
  EXPECT_EQ(order, (std::vector<Offset>{0, 4}));
  EXPECT_FALSE(diagnostics.hasErrors());
}

TEST(Diagnostics, Limit) {
  Source source("k.mettle", "abcdef\n");
  Diagnostics diagnostics(source);
  for (Offset i = 0; i < 5; ++i)
    diagnostics.error(i, i + 1, Code::unknown_name, {"x"});
  std::vector<Code> codes;
  diagnostics.flush(
      [&](const Source &, const Diagnostic &diagnostic) { codes.push_back(diagnostic.code); }, 2);
  EXPECT_EQ(codes,
            (std::vector<Code>{Code::unknown_name, Code::unknown_name, Code::too_many_errors}));
}

TEST(Diagnostics, JSONHasPlaceCodeAndNotes) {
  Source source("k.mettle", "x\nyy \xFF\n");
  Diagnostics diagnostics(source);
  Diagnostic &made = diagnostics.error(2, 4, Code::redefinition, {"yy\xFF"});
  Diagnostics::note(made, 0, 1, Code::declared_here, {"yy"});
  auto value = llvm::json::parse(shown(diagnostics, printJSON));
  ASSERT_TRUE(static_cast<bool>(value)) << llvm::toString(value.takeError());
  const llvm::json::Object &object = *value->getAsObject();
  EXPECT_EQ(object.getString("file"), llvm::StringRef("k.mettle"));
  EXPECT_EQ(object.getInteger("line"), 2);
  EXPECT_EQ(object.getInteger("column"), 1);
  EXPECT_EQ(object.getInteger("end_column"), 3);
  EXPECT_EQ(object.getString("severity"), llvm::StringRef("error"));
  EXPECT_EQ(object.getString("code"), llvm::StringRef("redefinition"));
  ASSERT_EQ(object.getArray("notes")->size(), 1u);
  EXPECT_EQ((*object.getArray("notes"))[0].getAsObject()->getString("code"),
            llvm::StringRef("declared_here"));
}

TEST(Diagnostics, EveryPlaceOfATextIsADigitInBraces) {
  // A text is only ever filled by position; anything else in braces is a mistake in the record.
  for (llvm::StringRef text : {
#define METTLE_DIAGNOSTIC(name, text) llvm::StringRef(text),
#include "Mettle/Frontend/Diagnostics.def"
       }) {
    EXPECT_FALSE(text.ends_with(".")) << text.str();
    for (size_t at = text.find('{'); at != llvm::StringRef::npos; at = text.find('{', at + 1))
      EXPECT_TRUE(text.size() > at + 2 && llvm::isDigit(text[at + 1]) && text[at + 2] == '}')
          << text.str();
  }
}
