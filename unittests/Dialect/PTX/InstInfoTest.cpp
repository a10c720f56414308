//===- InstInfoTest.cpp - The table of instructions -----------------------===//
//
// Every row is found by its name, and every spelling reads back as what it was written from.
//
//===----------------------------------------------------------------------===//

#include "Mettle/Dialect/PTX/IR/InstInfo.h"
#include "gtest/gtest.h"

using namespace mettle::ptx;

namespace {

/// Calls `check` for every way to choose the modifiers of `opcode`.
template <typename Check> void forEachSpelling(Opcode opcode, Check check) {
  const InstInfo &info = instInfo(opcode);
  auto choose = [&](auto &self, unsigned index, uint32_t packed) -> void {
    if (index == info.numModifiers())
      return check(packed);
    ModifierUse use = info.modifier(index);
    for (uint32_t choice = use.isOptional ? 0 : 1; choice <= use.info.suffixes.size(); ++choice)
      self(self, index + 1, packed | choice << (4 * index));
  };
  choose(choose, 0, 0);
}

TEST(InstInfo, FindsEveryRowByItsName) {
  for (unsigned i = 0; i < numOpcodes; ++i)
    EXPECT_EQ(opcodeByName(instInfo(Opcode(i)).name), Opcode(i)) << instInfo(Opcode(i)).name.str();
  EXPECT_EQ(opcodeByName("Fma"), std::nullopt);
  EXPECT_EQ(opcodeByName(""), std::nullopt);
  EXPECT_EQ(opcodeByName("ZZZ"), std::nullopt);
}

TEST(InstInfo, ReadsEverySpellingBack) {
  unsigned spellings = 0;
  for (unsigned i = 0; i < numOpcodes; ++i)
    forEachSpelling(Opcode(i), [&](uint32_t modifiers) {
      std::string text = printMnemonic({Opcode(i), modifiers});
      std::optional<SpelledInst> read = parseMnemonic(text);
      ASSERT_TRUE(read) << text;
      EXPECT_EQ(read->opcode, Opcode(i)) << text;
      EXPECT_EQ(read->modifiers, modifiers) << text;
      ++spellings;
    });
  EXPECT_GT(spellings, numOpcodes);
}

TEST(InstInfo, RefusesOtherSpellings) {
  for (const char *text :
       {"", ".", "fma", "fma.f32", "fma.rn", "fma.rn.f32.", "fma.rn.f32x", "fma.rx.f32",
        "fma.ftz.rn.f32", "fma.rn.rn.f32", "FMA.rn.f32", "fma.rnf32", "fma.rn..f32"})
    EXPECT_FALSE(parseMnemonic(text)) << text;
}

TEST(InstInfo, TakesFormatsApart) {
  llvm::StringRef format = instInfo(Opcode::LdGlobalB32).format;
  std::string pieces;
  while (!format.empty()) {
    FormatPiece piece = takePiece(format);
    pieces += piece.kind == FormatPiece::Text
                  ? piece.text.str()
                  : "<" + std::to_string(piece.kind) + ":" + std::to_string(piece.index) + ">";
  }
  EXPECT_EQ(pieces, "ld.global<3:0>.b32 <1:0>, [<2:0>+<4:0>];");
}

TEST(InstInfo, TellsArguments) {
  const InstInfo &info = instInfo(Opcode::StGlobalB64);
  ASSERT_EQ(info.numArguments(), 3u);
  EXPECT_EQ(info.argument(0).registerClass, RegisterClass::B64);
  EXPECT_EQ(info.argument(1).registerClass, std::nullopt);
  EXPECT_EQ(info.argument(1).immediate->max, 0x7fffffff);
  EXPECT_EQ(&info.immediate(0), info.argument(1).immediate);
  EXPECT_EQ(info.argument(2).registerClass, RegisterClass::B64);
  EXPECT_EQ(info.numResults(), 0u);
  EXPECT_EQ(info.writes, 1u << unsigned(Memory::Global));
  EXPECT_EQ(info.reads, 0u);
}

} // namespace
