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
