//===- SymbolIndexTest.cpp - Names, their facts, and broken files ---------===//
//
// What an editor is told about a file: each name where it stands, also while the file is being
// typed.
//
//===----------------------------------------------------------------------===//

#include "Mettle/Frontend/SymbolIndex.h"

#include "llvm/ADT/StringExtras.h"
#include "gtest/gtest.h"

using namespace mettle::frontend;

namespace {
constexpr llvm::StringLiteral file = R"(const COUNT = 4;
struct Pair { first: float32; second: float32*; }
fn pick(p: float32*, i: int32) -> float32 {
  return p[i];
}
kernel work(a: float32*, n: int32) {
  workgroup var tile: float32[COUNT];
  private var own: float32[2];
  var pair: Pair;
  pair.second = a;
  for (var i: int32 = 0; i < COUNT; i += 1) {
    tile[i] += pick(pair.second, i) + (float32)n;
  }
  own[0] = pick(tile, 0);
  var q: float32* = a;
  q = own;
  a[block.x] = sqrtf(own[0]) + q[0];
}
)";

/// The facts about the n-th occurrence of a word.
std::string textOf(const AnalysedFile &analysed, llvm::StringRef word, unsigned n = 0) {
  size_t at = file.find(word);
  while (n--)
    at = file.find(word, at + 1);
  const Occurrence *found = analysed.at(Offset(at));
  return found ? found->text : "";
}

TEST(SymbolIndex, FactsOfEachKindOfName) {
  AnalysedFile analysed("k.mettle", file);
  ASSERT_TRUE(analysed.diagnostics().empty()) << analysed.diagnostics().front().message;
  EXPECT_EQ(textOf(analysed, "COUNT"), "const COUNT: int32");
  EXPECT_EQ(textOf(analysed, "Pair", 1), "struct Pair\n16 bytes, aligned to 8");
  EXPECT_EQ(textOf(analysed, "pick"), "fn pick(p: float32*, i: int32) -> float32");
  EXPECT_EQ(textOf(analysed, "pick", 2), "fn pick(p: float32*, i: int32) -> float32");
  // pick is called with global and with workgroup memory.
  EXPECT_EQ(textOf(analysed, "p[i]"),
            "p: float32*\nparameter\npoints into more than one memory: a generic pointer");
  EXPECT_EQ(textOf(analysed, "a: float32"), "a: float32*\nparameter\npoints into global memory");
  EXPECT_EQ(textOf(analysed, "tile", 1),
            "workgroup var tile: float32[4]\none for all work-items of a workgroup");
  EXPECT_EQ(textOf(analysed, "own", 1),
            "private var own: float32[2]\nin private memory of each work-item");
  EXPECT_EQ(textOf(analysed, "second = a"), "second: float32*\nfield of Pair at byte 8");
  EXPECT_EQ(textOf(analysed, "q[0]"),
            "var q: float32*\npoints into more than one memory: a generic pointer");
  EXPECT_EQ(textOf(analysed, "block"), "block.x: int32\nindex of the workgroup in the grid");
  EXPECT_EQ(textOf(analysed, "sqrtf"), "fn sqrtf(x: float32) -> float32\nbuilt in");
  EXPECT_EQ(textOf(analysed, "return"), "");
}

TEST(SymbolIndex, OccurrencesSpellTheirDefinition) {
  AnalysedFile analysed("k.mettle", file);
  unsigned names = 0;
  const Occurrence *last = nullptr;
  for (Offset at = 0; at < file.size(); ++at) {
    const Occurrence *found = analysed.at(at);
    if (!found || found == last || !found->definition)
      continue;
    last = found;
    ++names;
    const Range &definition = *found->definition;
    EXPECT_EQ(file.slice(found->begin, found->end), file.slice(definition.begin, definition.end));
  }
  EXPECT_EQ(names, 41u);
}

TEST(SymbolIndex, OutlineIsInTheOrderOfTheFile) {
  AnalysedFile analysed("k.mettle", file);
  std::vector<std::string> names;
  for (const Declaration &declared : analysed.declarations())
    names.push_back(declared.name.str());
  EXPECT_EQ(names, (std::vector<std::string>{"COUNT", "Pair", "pick", "work"}));
}

/// A file that is being typed is mostly broken: every beginning of it, every deletion of a token.
TEST(SymbolIndex, BrokenFilesAreAnswered) {
  unsigned broken = 0;
  auto check = [&](std::string text) {
    AnalysedFile analysed("k.mettle", text);
    broken += !analysed.diagnostics().empty();
    for (Offset at = 0; at <= text.size(); ++at)
      if (const Occurrence *found = analysed.at(at)) {
        EXPECT_LE(found->end, text.size());
        EXPECT_FALSE(found->text.empty());
      }
  };
  for (size_t length = 0; length < file.size(); ++length)
    check(file.take_front(length).str());
  for (size_t at = 0; at < file.size(); ++at)
    check((file.take_front(at) + file.drop_front(std::min(at + 3, file.size()))).str());
  EXPECT_GT(broken, 800u);
}
} // namespace
