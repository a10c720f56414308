//===- ControlTest.cpp - Branches, ends and endless loops -----------------===//
//
// That control goes where it should, and that what never ends is found.
//
//===----------------------------------------------------------------------===//

#include "Kernels.h"

using namespace mettle::emulator;

TEST(Control, EndlessLoopMeetsTheStepLimit) {
  std::vector<std::vector<uint8_t>> buffers(1, std::vector<uint8_t>(4));
  RunOptions options;
  options.stepLimit = 1000000;
  Outcome outcome = runText(entry("again: bra again;"), buffers, {}, options);
  ASSERT_TRUE(outcome.fault);
  EXPECT_EQ(outcome.fault->kind, FaultKind::StepLimit);
}

TEST(Control, TrapIsLocated) {
  std::vector<std::vector<uint8_t>> buffers(1, std::vector<uint8_t>(4));
  std::string text = entry("bra over;\nover:\ntrap;");
  Outcome outcome = runText(text, buffers, {{2, 1, 1}, {32, 1, 1}, 0, {}});
  ASSERT_TRUE(outcome.fault);
  EXPECT_EQ(outcome.fault->kind, FaultKind::Trap);
  EXPECT_EQ(text.substr(outcome.fault->offset, 5), "trap;");
  EXPECT_EQ(outcome.fault->block[0], 0u);
}

TEST(Control, UnknownInstructionIsRefusedByName) {
  std::vector<std::vector<uint8_t>> buffers(1, std::vector<uint8_t>(4));
  Outcome outcome = runText(entry("txq.width.b32 %r0, [%d0];"), buffers);
  EXPECT_EQ(outcome.error,
            "expected an instruction that the emulator models, found 'txq.width.b32'");
}

/// Arguments and results in registers, of every width, the callee's body after a prototype.
TEST(Control, CallWithRegisterParameters) {
  std::vector<std::vector<uint8_t>> buffers(1, std::vector<uint8_t>(32));
  std::string before = ".func (.reg .b64 %result) sum(.reg .b16 %a, .reg .b32 %b, .reg .b64 %c);\n";
  std::string after = "\n.func (.reg .b64 %result) sum(.reg .b16 %a, .reg .b32 %b, .reg .b64 %c)\n"
                      "{\n.reg .b64 %t<3>;\ncvt.u64.u16 %t0, %a;\ncvt.u64.u32 %t1, %b;\n"
                      "add.u64 %t2, %t0, %t1;\nadd.u64 %result, %t2, %c;\nret;\n}\n";
  std::string body = "ld.param.u64 %d0, [p0];\nmov.u16 %h0, 3;\nmov.u32 %r0, 0x80000000;\n"
                     "mov.u64 %d1, 0x100000000;\ncall (%d2), sum, (%h0, %r0, %d1);\n"
                     "st.global.b64 [%d0], %d2;\ncall (%d3), sum, (%h0, 7, %d2);\n"
                     "st.global.b64 [%d0+8], %d3;\nret;";
  Outcome outcome = runText(entry(body, 1, before) + after, buffers);
  ASSERT_EQ(outcome.error, "");
  uint64_t words[2];
  memcpy(words, buffers[0].data(), sizeof words);
  EXPECT_EQ(words[0], 0x180000003u);
  EXPECT_EQ(words[1], 0x18000000du);
}

TEST(Control, CallOfAFunctionWithoutABodyIsRefused) {
  std::vector<std::vector<uint8_t>> buffers(1, std::vector<uint8_t>(4));
  Outcome outcome = runText(entry("call nowhere;", 1, ".extern .func nowhere;"), buffers);
  EXPECT_EQ(outcome.error, "expected a function with a body, found 'nowhere'");
}
