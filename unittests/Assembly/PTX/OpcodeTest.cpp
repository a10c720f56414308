//===- OpcodeTest.cpp - The rows of Opcodes.def ---------------------------===//
//
// Each row's example must be read as that row says; the tables may not contradict themselves.
//
//===----------------------------------------------------------------------===//

#include "ParsedText.h"
#include "llvm/ADT/StringSet.h"
#include "gtest/gtest.h"

using namespace mettle::assembly::ptx;

/// A target that has the row's opcode.
static std::string targetOf(const OpcodeInfo &row) {
  llvm::StringRef first = row.targets.split(' ').first;
  return first.empty() ? "sm_75" : "sm_" + first.str();
}

static std::string around(const OpcodeInfo &row) {
  return ".version 9.0\n.target " + targetOf(row) +
         "\n.address_size 64\n.global .texref texture;\n.global .surfref surface;\n"
         ".func (.reg .b32 out) callee(.reg .b32 in) { mov.b32 out, in; ret; }\n"
         ".visible .entry k() {\n.reg .pred %p<4>;\n.reg .b32 %r<32>;\n.reg .b64 %d<8>;\n"
         ".reg .b128 %q<4>;\nlabel:\ntargets: .branchtargets label;\n" +
         row.example.str() + ";\nret;\n}\n";
}

TEST(PTXOpcode, EveryExampleIsReadAsItsRow) {
  unsigned examples = 0;
  for (size_t i = 1; i < opcodeTable().size(); ++i) {
    const OpcodeInfo &row = opcodeTable()[i];
    if (row.example.empty())
      continue;
    ++examples;
    ParsedText parsed(around(row));
    ASSERT_TRUE(parsed.good) << row.example.str() << "\n" << parsed.complaints();
    EXPECT_EQ(parsed.lost(), "");
    // callee's two instructions come first, the entry's ret last.
    ASSERT_EQ(parsed.module.instructions.size(), 4u);
    EXPECT_EQ(parsed.instruction(2).opcode, Opcode(i)) << row.example.str();
  }
  // Opcodes that no target of today's ptxas has are the only ones without an example.
  EXPECT_GE(examples + 4, opcodeTable().size() - 1);
}

TEST(PTXOpcode, TooManyOperandsAreRefused) {
  for (size_t i = 1; i < opcodeTable().size(); ++i) {
    const OpcodeInfo &row = opcodeTable()[i];
    if (row.example.empty() || row.most == 255)
      continue;
    std::string example = row.example.str();
    for (unsigned added = 0; added <= row.most; ++added)
      example += added || llvm::StringRef(example).contains(' ') ? ", 1" : " 1";
    std::string text = around(row);
    text.replace(text.find(row.example.str() + ";"), row.example.size(), example);
    ParsedText parsed(text);
    EXPECT_FALSE(parsed.good) << example;
    EXPECT_NE(parsed.complaints().find("operands of '" + row.name.str() + "'"), std::string::npos)
        << parsed.complaints();
  }
}

TEST(PTXOpcode, TargetsBelowTheRowsAreRefused) {
  unsigned refused = 0;
  for (size_t i = 1; i < opcodeTable().size(); ++i) {
    const OpcodeInfo &row = opcodeTable()[i];
    if (row.targets.empty() || row.example.empty())
      continue;
    std::string text = around(row);
    std::string target = ".target " + targetOf(row);
    text.replace(text.find(target), target.size(), ".target sm_50");
    ParsedText parsed(text);
    if (parsed.complaints().find("needs target") != std::string::npos)
      ++refused;
    else
      ADD_FAILURE() << row.name.str() << "\n" << parsed.complaints();
    ParseOptions any;
    any.checkTarget = false;
    EXPECT_TRUE(ParsedText(text, any).good) << row.name.str();
  }
  EXPECT_GT(refused, 50u);
}

TEST(PTXOpcode, LongestSpellingWins) {
  size_t length;
  EXPECT_EQ(opcodeOf("cp.async.bulk.tensor.2d.global", length), Opcode::CpAsyncBulkTensor);
  EXPECT_EQ(length, strlen("cp.async.bulk.tensor"));
  EXPECT_EQ(opcodeOf("cp.async.bulk.commit_group", length), Opcode::CpAsyncBulkCommitGroup);
  EXPECT_EQ(opcodeOf("cp.async.ca.shared.global", length), Opcode::CpAsync);
  EXPECT_EQ(opcodeOf("bar.cta.red.popc.u32", length), Opcode::BarRed);
  EXPECT_EQ(opcodeOf("cp.unheard", length), Opcode::Opaque);
  EXPECT_EQ(length, 2u);
  // A spelling is a prefix of whole parts only.
  EXPECT_EQ(opcodeOf("address.s32", length), Opcode::Opaque);
}

TEST(PTXOpcode, RolesFollowTheRow) {
  auto roles = [](Opcode opcode, unsigned count, bool list = false) {
    std::string text;
    for (unsigned i = 0; i < count; ++i)
      text += "wrxupc"[unsigned(roleOf(opcode, i, count, list, false))];
    return text;
  };
  EXPECT_EQ(roles(Opcode::Add, 3), "wrr");
  EXPECT_EQ(roles(Opcode::SetP, 4), "wrrr");
  EXPECT_EQ(roles(Opcode::St, 2), "wr");
  EXPECT_EQ(roles(Opcode::Atom, 4), "wurr");
  EXPECT_EQ(roles(Opcode::WgmmaMmaAsync, 8), "xrrrrrrr");
  EXPECT_EQ(roles(Opcode::Call, 3, /*list=*/true), "wcr");
  EXPECT_EQ(roles(Opcode::Call, 2), "cr");
  // All that syntax tells of an unknown opcode.
  EXPECT_EQ(roles(Opcode::Opaque, 3), "wrr");
  EXPECT_EQ(roles(Opcode::Opaque, 1), "r");
  EXPECT_EQ(roleOf(Opcode::Opaque, 0, 2, false, true), Role::Update);
}

TEST(PTXOpcode, SpellingsAreUnique) {
  llvm::StringSet<> seen;
  for (const OpcodeInfo &row : opcodeTable())
    EXPECT_TRUE(seen.insert(row.name).second) << row.name.str();
  // No modifier is spelled like a type or space, or its number would depend on the order of rows.
  for (uint32_t i = 0; i < uint32_t(Modifier::FirstName); ++i) {
    if (Modifier(i) == Modifier::FirstType || Modifier(i) == Modifier::FirstSpace)
      continue;
    EXPECT_EQ(modifierNamed(modifierName(Modifier(i))), Modifier(i))
        << modifierName(Modifier(i)).str();
  }
}
