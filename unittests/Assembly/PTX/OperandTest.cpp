//===- OperandTest.cpp - Operands as they are decoded ---------------------===//
//
// Every kind of operand, its fields, and that it prints back.
//
//===----------------------------------------------------------------------===//

#include "ParsedText.h"
#include "gtest/gtest.h"

using namespace mettle::assembly::ptx;

static const char *registers = ".reg .pred %p<4>; .reg .b16 %h<4>; .reg .b32 %r<20>;"
                               ".reg .b64 %d<8>; .reg .v4 .f32 v<3>; .local .u32 a[4];\n";

static ParsedText read(const std::string &body) { return ParsedText(inEntry(registers + body)); }

TEST(PTXOperand, Registers) {
  ParsedText t = read("mov.b32 %r19, %r0; setp.ne.s32 %p1|%p2, %r1, %r2; mov.f32 v1.z, v2.r;");
  ASSERT_TRUE(t.good) << t.complaints();
  EXPECT_EQ(t.operand(0, 0).reg(), RegisterId(RegisterClass::B32, 19));
  EXPECT_EQ(t.operand(0, 1).reg(), RegisterId(RegisterClass::B32, 0));
  const Operand &pair = t.operand(1, 0);
  ASSERT_TRUE(pair.is(OperandKind::Pair));
  EXPECT_EQ(t.module.elements(pair)[1].reg(), RegisterId(RegisterClass::Pred, 2));
  // v<3> takes twelve numbers after the twenty of %r.
  EXPECT_EQ(t.operand(2, 0).reg(), RegisterId(RegisterClass::B32, 20 + 4 + 2));
  EXPECT_EQ(t.operand(2, 1).reg(), RegisterId(RegisterClass::B32, 20 + 8 + 0));
  EXPECT_EQ(t.lost(), "");
}

TEST(PTXOperand, SpecialRegisters) {
  ParsedText t = read("mov.u32 %r1, %ctaid.y; mov.u32 %r1, %envreg31; mov.u64 %d1, %clock64;");
  ASSERT_TRUE(t.good) << t.complaints();
  EXPECT_EQ(SpecialRegister(t.operand(0, 1).index), SpecialRegister::CtaId);
  EXPECT_EQ(t.operand(0, 1).count, 1);
  EXPECT_EQ(SpecialRegister(t.operand(1, 1).index), SpecialRegister::EnvReg);
  EXPECT_EQ(t.operand(1, 1).count, 31);
  EXPECT_EQ(SpecialRegister(t.operand(2, 1).index), SpecialRegister::Clock64);
  EXPECT_EQ(t.lost(), "");
}

TEST(PTXOperand, Integers) {
  struct Row {
    const char *text;
    int64_t value;
  };
  for (const Row &row : std::initializer_list<Row>{{"0", 0},
                                                   {"-1", -1},
                                                   {"-0", 0},
                                                   {"0x1f", 31},
                                                   {"0X1FU", 31},
                                                   {"017", 15},
                                                   {"0b101", 5},
                                                   {"4294967295U", 4294967295},
                                                   {"- 7", -7},
                                                   {"+7", 7},
                                                   {"-9223372036854775808", INT64_MIN},
                                                   {"18446744073709551615", -1},
                                                   {"0xffffffffffffffff", -1},
                                                   {"123456789012345678", 123456789012345678},
                                                   {"1234567890123456789", 1234567890123456789},
                                                   {"WARP_SZ", 32},
                                                   {"~5", -6},
                                                   {"!5", 0},
                                                   {"!0", 1},
                                                   {"(1+2)*3", 9},
                                                   {"-(1+2)", -3},
                                                   {"1<2 ? 5 : 6", 5},
                                                   {"1 ? 0 ? 1 : 2 : 3", 2},
                                                   {"7/2", 3},
                                                   {"-7/2", -3},
                                                   {"-7%3", -1},
                                                   {"1<<40", 1ll << 40},
                                                   {"-8>>1", -4},
                                                   {"(.u64)-8>>1", 0x7ffffffffffffffcll},
                                                   {"0x8000000000000000>>63", 1},
                                                   {"-1 > 0U", 1},
                                                   {"-1 > 0", 0},
                                                   {"6&3|8^1", 11},
                                                   {"1||0&&0", 1},
                                                   {"5==5", 1},
                                                   {"1.5 < 2.5", 1},
                                                   {"-9223372036854775807-1", INT64_MIN}}) {
    ParsedText t = read(std::string("mov.b64 %d1, ") + row.text + ";");
    ASSERT_TRUE(t.good) << row.text << "\n" << t.complaints();
    ASSERT_TRUE(t.operand(0, 1).is(OperandKind::Integer)) << row.text;
    EXPECT_EQ(int64_t(t.operand(0, 1).bits), row.value) << row.text;
    EXPECT_EQ(t.lost(), "") << row.text;
  }
}

TEST(PTXOperand, Floats) {
  struct Row {
    const char *text;
    OperandKind kind;
    uint64_t bits;
  };
  for (const Row &row : std::initializer_list<Row>{
           {"0f3f800000", OperandKind::Float32, 0x3f800000},
           {"0F7FC00000", OperandKind::Float32, 0x7fc00000},
           {"-0f3f800000", OperandKind::Float32, 0xbf800000},
           {"0d3ff0000000000000", OperandKind::Float64, 0x3ff0000000000000},
           {"0DFFF0000000000001", OperandKind::Float64, 0xfff0000000000001},
           {"1.0", OperandKind::Float64, 0x3ff0000000000000},
           {"-0.0", OperandKind::Float64, 0x8000000000000000},
           {"1e3", OperandKind::Float64, 0x408f400000000000},
           {"1.5E-3", OperandKind::Float64, 0x3f589374bc6a7efa},
           {"0.1", OperandKind::Float64, 0x3fb999999999999a},
           // Half an ulp above 1, to be rounded to even, and just above it.
           {"1.00000000000000011102230246251565404", OperandKind::Float64, 0x3ff0000000000000},
           {"1.00000000000000011102230246251565405", OperandKind::Float64, 0x3ff0000000000001},
           {"4.9e-324", OperandKind::Float64, 1},
           {"1e400", OperandKind::Float64, 0x7ff0000000000000},
           {"1.0+2.0*3.0", OperandKind::Float64, 0x401c000000000000}}) {
    ParsedText t = read(std::string("mov.b64 %d1, ") + row.text + ";");
    ASSERT_TRUE(t.good) << row.text << "\n" << t.complaints();
    EXPECT_EQ(t.operand(0, 1).kind, row.kind) << row.text;
    EXPECT_EQ(t.operand(0, 1).bits, row.bits) << row.text;
    EXPECT_EQ(t.lost(), "") << row.text;
  }
}

TEST(PTXOperand, Addresses) {
  ParsedText t = read("ld.global.b32 %r1, [%d1];\n"
                      "ld.global.b32 %r1, [ %d2 + 0 ];\n"
                      "ld.global.b32 %r1, [%d3+-8];\n"
                      "ld.global.b32 %r1, [%d4+0x10];\n"
                      "ld.param.b64 %d1, [p];\n"
                      "ld.local.b32 %r1, [a+4*2];\n"
                      "ld.local.b32 %r1, [16];\n"
                      "ld.local.b32 %r1, [0x10];\n"
                      "ld.local.u32 %r1, a[2];\n"
                      "ld.local.u32 %r1, a[%r2+1];\n"
                      "mov.u64 %d1, a+8;\n"
                      "mov.u64 %d1, a[3];\n"
                      "ld.global.b32 %r1, [%d1].unified;\n");
  ASSERT_TRUE(t.good) << t.complaints();
  EXPECT_EQ(t.lost(), "");
  int32_t offsets[] = {0, 0, -8, 16, 0, 8};
  for (unsigned i = 0; i < 6; ++i) {
    ASSERT_TRUE(t.operand(i, 1).is(OperandKind::Address)) << i;
    EXPECT_EQ(t.operand(i, 1).offset, offsets[i]) << i;
  }
  EXPECT_EQ(t.operand(3, 1).base(), Base::Register);
  EXPECT_EQ(t.operand(3, 1).reg(), RegisterId(RegisterClass::B64, 4));
  EXPECT_EQ(t.operand(4, 1).base(), Base::Symbol);
  for (unsigned i : {6u, 7u}) {
    EXPECT_EQ(t.operand(i, 1).base(), Base::Absolute);
    EXPECT_EQ(t.operand(i, 1).bits, 16u);
  }
  // An element of an array is an address to a load, a symbol to a move.
  EXPECT_TRUE(t.operand(8, 1).is(OperandKind::Address));
  EXPECT_EQ(t.operand(8, 1).offset, 8);
  ASSERT_TRUE(t.operand(9, 1).is(OperandKind::Element));
  EXPECT_EQ(t.module.elements(t.operand(9, 1)).size(), 3u);
  EXPECT_TRUE(t.operand(10, 1).is(OperandKind::Symbol));
  EXPECT_EQ(t.operand(10, 1).offset, 8);
  EXPECT_TRUE(t.operand(11, 1).is(OperandKind::Symbol));
  EXPECT_EQ(t.operand(11, 1).offset, 12);
  EXPECT_TRUE(t.operand(12, 1).has(Unified));
}

TEST(PTXOperand, Groups) {
  ParsedText t =
      read("cp.async.bulk.tensor.2d.global.shared::cta.bulk_group [%d1, {%r1, %r2}], [%r3];\n"
           "st.global.v2.b32 [%d1+0], { %r1, 0f3f800000 };\n"
           "mbarrier.arrive.shared.b64 _, [%r1];\n"
           "vadd.s32.u32.s32 %r1, %r2.b3, -%r3.h1;\n");
  ASSERT_TRUE(t.good) << t.complaints();
  EXPECT_EQ(t.lost(), "");
  llvm::ArrayRef<Operand> bracket = t.module.elements(t.operand(0, 0));
  ASSERT_EQ(bracket.size(), 2u);
  EXPECT_TRUE(bracket[0].is(OperandKind::Address));
  EXPECT_EQ(t.module.elements(bracket[1])[1].reg(), RegisterId(RegisterClass::B32, 2));
  EXPECT_TRUE(t.module.elements(t.operand(1, 1))[1].is(OperandKind::Float32));
  EXPECT_TRUE(t.operand(2, 0).is(OperandKind::Sink));
  EXPECT_TRUE(t.operand(3, 2).has(Minus));
}

TEST(PTXOperand, RegistersVisited) {
  ParsedText t = read("@!%p3 ld.global.v2.b32 {%r1, %r2}, [%d1];\n"
                      "st.global.b32 [%d2+4], %r3;\n"
                      "atom.global.cas.b32 %r4, [%d3], %r5, %r6;\n"
                      "mov.v4.f32 v1, v0;\n"
                      "unheard.of %r7, %r8, [%d4];\n");
  ASSERT_TRUE(t.good) << t.complaints();
  auto visited = [&](unsigned index) {
    std::string text;
    t.module.forEachRegister(t.instruction(index), [&](RegisterId reg, bool written, bool read) {
      text += "pbhrdq"[unsigned(reg.cls())] + std::to_string(reg.number()) + (written ? "w" : "") +
              (read ? "r" : "") + " ";
    });
    return text;
  };
  EXPECT_EQ(visited(0), "p3r r1w r2w d1r ");
  EXPECT_EQ(visited(1), "d2r r3r ");
  EXPECT_EQ(visited(2), "r4w d3r r5r r6r ");
  EXPECT_EQ(visited(3), "r24w r25w r26w r27w r20r r21r r22r r23r ");
  EXPECT_EQ(visited(4), "r7w r8r d4r ");
  EXPECT_EQ(t.instruction(4).opcode, Opcode::Opaque);
}

TEST(PTXOperand, Mnemonics) {
  ParsedText t = read("ld.relaxed.sys.global.v4.b32 {%r1,%r2,%r3,%r4}, [%d1];\n"
                      "add .s32 %r1, %r2, %r3;\n"
                      "mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32 {%r0,%r1,%r2,%r3}, "
                      "{%r4,%r5,%r6,%r7}, {%r8,%r9}, {%r0,%r1,%r2,%r3};\n"
                      "add.s32 %r4, %r5, %r6;\n");
  ASSERT_TRUE(t.good) << t.complaints();
  EXPECT_EQ(t.lost(), "");
  const Mnemonic &load = t.module.mnemonicOf(t.instruction(0));
  EXPECT_EQ(load.space, StateSpace::Global);
  EXPECT_EQ(load.vectorWidth, 4);
  EXPECT_EQ(load.type(), Type::B32);
  EXPECT_TRUE(load.has(Modifier::Relaxed) && load.has(Modifier::Sys));
  EXPECT_FALSE(load.has(Modifier::Volatile));
  EXPECT_EQ(t.instruction(1).opcode, Opcode::Add);
  EXPECT_EQ(t.module.mnemonicOf(t.instruction(1)).type(), Type::S32);
  const Mnemonic &mma = t.module.mnemonicOf(t.instruction(2));
  EXPECT_EQ(mma.shape.m, 16);
  EXPECT_EQ(mma.shape.n, 8);
  EXPECT_EQ(mma.shape.k, 16);
  EXPECT_EQ(mma.typeCount, 4);
  EXPECT_EQ(mma.types[1], Type::BF16);
}
