//===- EquivalenceTest.cpp - Pairs that are equal and pairs that are not --===//
//
// One small kernel and its changes: those that keep every bit must keep the key, those that do not
// must change it or take it away. Among the latter is every kind of edit that the checker of
// arXiv 2609.11356 was found blind to.
//
//===----------------------------------------------------------------------===//

#include "Kernels.h"

using namespace mettle::checker;

namespace {

struct Edit {
  const char *what, *from, *to;
};

TEST(Equivalence, ChangesThatKeepTheBits) {
  const std::string kernel = rowSum(), key = keyOf(kernel);
  ASSERT_FALSE(isUnknown(key)) << key;
  const Edit edits[] = {
      {"operands of a sum", "add.f32 %r15, %r13, %r14", "add.f32 %r15, %r14, %r13"},
      {"a rounding that is the default", "add.f32 %r4, %r3", "add.rn.f32 %r4, %r3"},
      {"another way to the address", "mad.lo.s32 %r2, %r1, 64, %r0",
       "shl.b32 %r30, %r1, 6;\nor.b32 %r2, %r0, %r30"},
      {"another way to the lane", "and.b32 %r9, %r0, 31", "mov.u32 %r9, %laneid"},
      {"another place in shared memory", "add.s32 %r12, %r11, %r10;",
       "xor.b32 %r31, %r10, 4;\nadd.s32 %r12, %r11, %r31;"},
      {"one more barrier", "bar.sync 0;", "bar.sync 0;\nbar.sync 0;"},
      {"another thread stores", "setp.eq.s32 %p1, %r0, 0", "setp.eq.s32 %p1, %r0, 37"},
  };
  for (const Edit &edit : edits)
    EXPECT_EQ(keyOf(replaced(kernel, edit.from, edit.to)), key) << edit.what;
}

TEST(Equivalence, ChangesThatChangeTheBits) {
  const std::string kernel = rowSum(), key = keyOf(kernel);
  const Edit edits[] = {
      {"a shuffle's distance", ", 16, 31", ", 8, 31"},
      {"the order of the lanes", "shfl.sync.bfly.b32 %r20, %r3, 16",
       "shfl.sync.bfly.b32 %r20, %r3, 1"},
      {"a rounding mode", "add.f32 %r4, %r3", "add.rz.f32 %r4, %r3"},
      {"subnormals flushed", "add.f32 %r4, %r3", "add.ftz.f32 %r4, %r3"},
      {"a barrier removed", "bar.sync 0;\n", ""},
      {"an address by one element", "ld.global.f32 %r3, [%d2]", "ld.global.f32 %r3, [%d2+4]"},
      {"a row's stride", "%r1, 64, %r0", "%r1, 128, %r0"},
      {"an output by one element", "[%d3], %r15", "[%d3+4], %r15"},
      {"the outputs' stride", "mad.wide.s32 %d3, %r1, 4", "mad.wide.s32 %d3, %r1, 8"},
      {"one warp twice", "[buffer+4]", "[buffer]"},
      {"the operation", "add.f32 %r15", "sub.f32 %r15"},
      {"a partial result rounded", "add.f32 %r15, %r13, %r14;",
       "add.f32 %r15, %r13, %r14;\ncvt.rn.f16.f32 %h0, %r15;\ncvt.f32.f16 %r15, %h0;"},
      {"a seed of -0", "add.f32 %r15, %r13, %r14;",
       "add.f32 %r15, %r13, %r14;\nadd.f32 %r15, %r15, 0f80000000;"},
      {"a result negated", "add.f32 %r15, %r13, %r14;",
       "add.f32 %r15, %r13, %r14;\nneg.f32 %r15, %r15;"},
      {"fewer threads store", "setp.eq.s32 %p1, %r0, 0", "setp.eq.s32 %p1, %r2, 0"},
      {"every thread stores in its own place", "mad.wide.s32 %d3, %r1, 4",
       "mad.wide.s32 %d3, %r0, 4"},
      {"a guard", "@%p0 st.shared", "@!%p0 st.shared"},
  };
  for (const Edit &edit : edits)
    EXPECT_NE(keyOf(replaced(kernel, edit.from, edit.to)), key) << edit.what;
  EXPECT_NE(keyOf(kernel, 4), key) << "fewer blocks";
}

TEST(Equivalence, OperandsThatDifferInADistanceAlone) {
  // Two exponentials of one shape: the maximum stands at another distance from each.
  auto kernel = [](const std::string &sum) {
    return module("mad.wide.s32 %d2, %r0, 4, %d0;\nmad.wide.s32 %d3, %r0, 4, %d1;\n"
                  "ld.global.f32 %r2, [%d2];\nld.global.f32 %r3, [%d2+256];\n"
                  "max.f32 %r4, %r2, %r3;\nsub.f32 %r5, %r2, %r4;\nsub.f32 %r6, %r3, %r4;\n"
                  "ex2.approx.f32 %r9, %r5;\nex2.approx.f32 %r10, %r6;\n" +
                  sum + "st.global.f32 [%d3], %r11;\n");
  };
  std::string key = keyOf(kernel("add.f32 %r11, %r9, %r10;\n"), 1);
  EXPECT_EQ(keyOf(kernel("add.f32 %r11, %r10, %r9;\n"), 1), key);
  EXPECT_NE(keyOf(kernel("sub.f32 %r11, %r10, %r9;\n"), 1), key);
  EXPECT_NE(keyOf(kernel("sub.f32 %r11, %r9, %r10;\n"), 1),
            keyOf(kernel("sub.f32 %r11, %r10, %r9;\n"), 1));
}

TEST(Equivalence, ASecondRoundNeedsABarrierOfItsOwn) {
  std::string again = "ld.shared.f32 %r14, [buffer+4];\n";
  std::string kernel = replaced(rowSum(), again, again + "@%p0 st.shared.f32 [%r12], %r3;\n");
  EXPECT_EQ(keyOf(kernel), "unknown: shared memory is overwritten with no barrier after the load");
  EXPECT_FALSE(isUnknown(keyOf(replaced(kernel, "@%p0 st.shared.f32 [%r12], %r3",
                                        "bar.sync 0;\n@%p0 st.shared.f32 [%r12], %r3"))));
}

TEST(Equivalence, AStoreMeetsItselfInTheNextTurn) {
  // All threads write the turn's number to one place.
  auto kernel = [](const std::string &barrier) {
    return module("mov.b32 %r4, 0;\nagain:\n" + barrier +
                  "st.shared.b32 [buffer], %r4;\n"
                  "add.s32 %r4, %r4, 1;\nsetp.lt.s32 %p0, %r4, 2;\n@%p0 bra again;\nbar.sync 0;\n"
                  "ld.shared.b32 %r8, [buffer];\nmad.wide.s32 %d3, %r0, 4, %d1;\n"
                  "st.global.b32 [%d3], %r8;\n");
  };
  EXPECT_EQ(keyOf(kernel(""), 1),
            "unknown: shared memory is written twice with no barrier between");
  EXPECT_FALSE(isUnknown(keyOf(kernel("bar.sync 0;\n"), 1)));
}

TEST(Equivalence, ElementsThatDoNotGoOnFromOneAnother) {
  auto kernel = [](const std::string &stores) {
    return module("mad.lo.s32 %r2, %r1, 64, %r0;\nmad.wide.s32 %d2, %r2, 16, %d0;\n"
                  "mad.wide.s32 %d3, %r2, 16, %d1;\n"
                  "ld.global.v4.b32 {%r3, %r4, %r5, %r6}, [%d2];\n" +
                  stores);
  };
  std::string straight = keyOf(kernel("st.global.v4.b32 [%d3], {%r3, %r4, %r5, %r6};\n")),
              swapped = keyOf(kernel("st.global.v4.b32 [%d3], {%r4, %r3, %r5, %r6};\n"));
  EXPECT_FALSE(isUnknown(swapped)) << swapped;
  EXPECT_NE(straight, swapped);
  EXPECT_EQ(swapped, keyOf(kernel("st.global.b32 [%d3+12], %r6;\nst.global.b32 [%d3], %r4;\n"
                                  "st.global.b32 [%d3+4], %r3;\nst.global.b32 [%d3+8], %r5;\n")));
  EXPECT_NE(swapped, keyOf(kernel("st.global.v4.b32 [%d3], {%r4, %r3, %r6, %r5};\n")));
}

TEST(Equivalence, WithoutABarrierNothingIsKnown) {
  EXPECT_EQ(keyOf(replaced(rowSum(), "bar.sync 0;\n", "")),
            "unknown: shared memory is read with no barrier after the store");
}

/// 64 numbers a row, eight a turn by one thread of the row.
std::string loop(const std::string &turns, const std::string &seed, const std::string &body,
                 const std::string &step) {
  return module("mad.lo.s32 %r2, %r1, 64, %r0;\nshl.b32 %r2, %r2, 6;\n"
                "mad.wide.s32 %d2, %r2, 4, %d0;\nmov.b32 %r3, " +
                    seed + ";\nmov.b32 %r4, 0;\nagain:\n" + body + "add.s64 %d2, %d2, " + step +
                    ";\nadd.s32 %r4, %r4, 1;\nsetp.lt.s32 %p0, %r4, " + turns +
                    ";\n@%p0 bra again;\nmad.lo.s32 %r5, %r1, 64, %r0;\n"
                    "mad.wide.s32 %d3, %r5, 4, %d1;\nst.global.f32 [%d3], %r3;\n",
                64);
}

TEST(Equivalence, LoopsByWhatTheySum) {
  const std::string one = "ld.global.f32 %r10, [%d2];\nadd.f32 %r3, %r3, %r10;\n";
  const std::string two = one + "ld.global.f32 %r11, [%d2+4];\nadd.f32 %r3, %r3, %r11;\n";
  const std::string key = keyOf(loop("64", "0f00000000", one, "4"));
  ASSERT_FALSE(isUnknown(key)) << key;
  EXPECT_EQ(keyOf(loop("32", "0f00000000", two, "8")), key) << "unrolled by two";
  EXPECT_NE(keyOf(loop("63", "0f00000000", one, "4")), key) << "a trip count";
  EXPECT_NE(keyOf(loop("64", "0f3f800000", one, "4")), key) << "a seed";
  EXPECT_NE(keyOf(loop("64", "0f00000000", one, "8")), key) << "a step";
  EXPECT_NE(keyOf(loop("64", "0f00000000", two, "4")), key) << "every element twice";
}

/// Row r of 128 gathers the columns up to r, `columns` a turn; a block has `rows` rows, a thread
/// one. Masked columns of a turn count as `masked`.
std::string triangle(unsigned rows, unsigned columns, const std::string &masked,
                     const std::string &compare = "setp.gt.s32 %p1, %r8, %r2;\n") {
  std::string body = "mad.lo.s32 %r2, %r1, " + std::to_string(rows) +
                     ", %r0;\nshl.b32 %r3, %r2, 9;\ncvt.s64.s32 %d2, %r3;\nadd.s64 %d2, %d0, %d2;\n"
                     "add.s32 %r4, %r1, 1;\nmul.lo.s32 %r4, %r4, " +
                     std::to_string(rows) +
                     ";\nmov.b32 %r5, 0;\nmov.b32 %r6, 0fFF800000;\nagain:\n";
  for (unsigned k = 0; k < columns; ++k)
    body += "ld.global.f32 %r7, [%d2+" + std::to_string(4 * k) + "];\nadd.s32 %r8, %r5, " +
            std::to_string(k) + ";\n" + compare + "selp.f32 %r7, " + masked +
            ", %r7, %p1;\nadd.f32 %r6, %r6, %r7;\n";
  body += "add.s64 %d2, %d2, " + std::to_string(4 * columns) + ";\nadd.s32 %r5, %r5, " +
          std::to_string(columns) +
          ";\nsetp.lt.s32 %p0, %r5, %r4;\n@%p0 bra again;\n"
          "mad.wide.s32 %d3, %r2, 4, %d1;\nst.global.f32 [%d3], %r6;\n";
  return module(body, rows);
}

TEST(Equivalence, ATripCountMayBeTheBlocks) {
  std::string key = keyOf(triangle(32, 32, "0f3F800000"), 4);
  ASSERT_FALSE(isUnknown(key)) << key;
  // Other comparisons of the same.
  EXPECT_EQ(
      keyOf(triangle(32, 32, "0f3F800000", "setp.le.s32 %p1, %r8, %r2;\nnot.pred %p1, %p1;\n"), 4),
      key);
  EXPECT_EQ(keyOf(triangle(32, 32, "0f3F800000",
                           "setp.gt.s32 %p1, %r8, %r2;\nselp.b32 %r20, -1, 0, %p1;\n"
                           "shl.b32 %r20, %r20, 3;\nand.b32 %r21, %r20, 8;\n"
                           "setp.ne.b32 %p1, %r21, 0;\n"),
                  4),
            key);
  // Columns above the diagonal that are added and those that never are.
  EXPECT_NE(keyOf(triangle(64, 32, "0f3F800000"), 2), key);
  EXPECT_NE(keyOf(triangle(32, 32, "0f40000000"), 4), key);
  EXPECT_NE(keyOf(triangle(32, 32, "0f3F800000", "setp.ge.s32 %p1, %r8, %r2;\n"), 4), key);
  EXPECT_TRUE(isUnknown(keyOf(triangle(32, 32, "0f3F800000"), 0)));
}

TEST(Equivalence, TheSameTrianglesInOtherBlocks) {
  // Blocks of 32 rows go as far as those of 64 do, in steps of 64.
  std::string key = keyOf(triangle(64, 64, "0f3F800000"), 2);
  ASSERT_FALSE(isUnknown(key)) << key;
  EXPECT_EQ(keyOf(triangle(32, 64, "0f3F800000"), 4), key);
  EXPECT_NE(keyOf(triangle(32, 64, "0f3F800000"), 3), key);
}

TEST(Equivalence, ABlockThatIsTakenApartNeedsAGrid) {
  std::string kernel = module("shr.u32 %r2, %r1, 1;\nand.b32 %r3, %r1, 1;\n"
                              "mad.lo.s32 %r4, %r2, 2, %r3;\nmad.lo.s32 %r4, %r4, 64, %r0;\n"
                              "mad.wide.s32 %d2, %r4, 4, %d0;\nmad.wide.s32 %d3, %r4, 4, %d1;\n"
                              "ld.global.f32 %r5, [%d2];\nst.global.f32 [%d3], %r5;\n");
  EXPECT_FALSE(isUnknown(keyOf(kernel, 8)));
  EXPECT_EQ(keyOf(kernel, 0).rfind("unknown: without the grid: ", 0), 0u) << keyOf(kernel, 0);
  // Not one block's half, but every block's.
  std::string halves = replaced(kernel, "%r4, %r2, 2, %r3", "%r4, %r2, 2, 0");
  EXPECT_EQ(keyOf(halves, 0).rfind("unknown: without the grid: ", 0), 0u) << keyOf(halves, 0);
}

TEST(Equivalence, WhatTheAssemblerMayContract) {
  auto kernel = [](const std::string &body) {
    return module("mad.wide.s32 %d2, %r0, 4, %d0;\nmad.wide.s32 %d3, %r0, 4, %d1;\n"
                  "ld.global.f32 %r2, [%d2];\nld.global.f32 %r3, [%d2+256];\n" +
                  body + "st.global.f32 [%d3], %r5;\n");
  };
  std::string free = keyOf(kernel("mul.f32 %r4, %r2, %r3;\nadd.f32 %r5, %r4, %r2;\n"), 1);
  EXPECT_EQ(keyOf(kernel("mul.f32 %r6, %r2, %r3;\nmov.b32 %r4, %r6;\nadd.f32 %r5, %r4, %r2;\n"), 1),
            free);
  EXPECT_NE(keyOf(kernel("mul.rn.f32 %r4, %r2, %r3;\nadd.rn.f32 %r5, %r4, %r2;\n"), 1), free);
  EXPECT_NE(keyOf(kernel("fma.rn.f32 %r5, %r2, %r3, %r2;\n"), 1), free);
  // What is picked is no product to the assembler, though the launch decides which it is.
  EXPECT_EQ(keyOf(kernel("mul.f32 %r6, %r2, %r3;\nsetp.lt.s32 %p0, %r0, 1000;\n"
                         "selp.f32 %r4, %r6, %r2, %p0;\nadd.f32 %r5, %r4, %r2;\n"),
                  1),
            keyOf(kernel("mul.rn.f32 %r4, %r2, %r3;\nadd.rn.f32 %r5, %r4, %r2;\n"), 1));
  EXPECT_EQ(keyOf(kernel("mul.f32 %r5, %r2, %r3;\n"), 1),
            keyOf(kernel("mul.rn.f32 %r5, %r2, %r3;\n"), 1));
  // Epilogues that hold the same instructions, on other values.
  EXPECT_NE(keyOf(kernel("fma.rn.f32 %r4, %r2, %r3, %r2;\nadd.f32 %r5, %r4, %r3;\n"), 1),
            keyOf(kernel("add.f32 %r4, %r2, %r3;\nfma.rn.f32 %r5, %r4, %r3, %r2;\n"), 1));
}

} // namespace
