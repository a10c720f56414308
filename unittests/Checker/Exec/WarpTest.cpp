//===- WarpTest.cpp - What lanes exchange in registers --------------------===//
//
// An exchange is what it would be by other instructions, and another where its mode, distance or
// segment is.
//
//===----------------------------------------------------------------------===//

#include "../Equiv/Kernels.h"

using namespace mettle::checker;

namespace {

/// What thread 0 of each warp makes of its lanes' words.
std::string ofWarps(const std::string &body, const std::string &type = "f32",
                    const std::string &lane = "31") {
  return module("mad.wide.s32 %d2, %r0, 4, %d0;\nld.global." + type + " %r3, [%d2];\n" + body +
                "and.b32 %r20, %r0, " + lane +
                ";\nsetp.eq.s32 %p9, %r20, 0;\nshr.u32 %r21, %r0, 5;\n"
                "mad.wide.s32 %d3, %r21, 4, %d1;\n@%p9 st.global." +
                type + " [%d3], %r3;\n");
}

std::string stages(const std::string &mode, const std::string &operation,
                   std::initializer_list<int> distances, const std::string &clamp = "31") {
  std::string body;
  for (int by : distances)
    body += "shfl.sync." + mode + ".b32 %r4, %r3, " + std::to_string(by) + ", " + clamp +
            ", -1;\n" + operation + " %r3, %r3, %r4;\n";
  return body;
}

TEST(Warp, ShufflesDownToTheFirstLane) {
  std::string key = keyOf(ofWarps(stages("down", "add.f32", {16, 8, 4, 2, 1})), 1);
  ASSERT_FALSE(isUnknown(key)) << key;
  EXPECT_EQ(keyOf(ofWarps(stages("bfly", "add.f32", {16, 8, 4, 2, 1})), 1), key);
  EXPECT_NE(keyOf(ofWarps(stages("down", "add.f32", {1, 2, 4, 8, 16})), 1), key);
  EXPECT_NE(keyOf(ofWarps(stages("down", "add.f32", {16, 8, 4, 2, 2})), 1), key);
  // Nothing is below lane 0: every sum is with itself.
  std::string up = keyOf(ofWarps(stages("up", "add.f32", {16}, "0")), 1);
  EXPECT_EQ(up, keyOf(ofWarps("add.f32 %r3, %r3, %r3;\n"), 1));
}

TEST(Warp, SegmentsEndWhereTheyEnd) {
  // Segments of 16 lanes: bit 4 of the lane is in common.
  std::string half = keyOf(ofWarps(stages("bfly", "add.f32", {8, 4, 2, 1})), 1);
  ASSERT_FALSE(isUnknown(half)) << half;
  EXPECT_EQ(keyOf(ofWarps(stages("bfly", "add.f32", {8, 4, 2, 1}, "0x101f")), 1), half);
  EXPECT_EQ(keyOf(ofWarps(stages("down", "add.f32", {8, 4, 2, 1}, "0x101f")), 1), half);
  // Lane 0 has no lane 16 in its segment.
  EXPECT_EQ(keyOf(ofWarps(stages("down", "add.f32", {16}, "0x101f")), 1),
            keyOf(ofWarps("add.f32 %r3, %r3, %r3;\n"), 1));
  EXPECT_NE(keyOf(ofWarps(stages("down", "add.f32", {16})), 1),
            keyOf(ofWarps("add.f32 %r3, %r3, %r3;\n"), 1));
  EXPECT_TRUE(isUnknown(keyOf(ofWarps(stages("bfly", "add.f32", {16}, "0x101f")), 1)));
  EXPECT_TRUE(isUnknown(keyOf(ofWarps(stages("bfly", "add.f32", {8}, "15")), 1)));
}

TEST(Warp, ReductionsOfIntegersAreButterflies) {
  std::string key = keyOf(ofWarps("redux.sync.add.s32 %r3, %r3, -1;\n", "s32"), 1);
  ASSERT_FALSE(isUnknown(key)) << key;
  EXPECT_EQ(keyOf(ofWarps(stages("bfly", "add.s32", {16, 8, 4, 2, 1}), "s32"), 1), key);
  EXPECT_NE(keyOf(ofWarps("redux.sync.max.s32 %r3, %r3, -1;\n", "s32"), 1), key);
  EXPECT_NE(keyOf(ofWarps(stages("bfly", "add.s32", {16, 8, 4, 2}), "s32"), 1), key);
  EXPECT_TRUE(isUnknown(keyOf(ofWarps("redux.sync.add.s32 %r3, %r3, 0xffff;\n", "s32"), 1)));
}

TEST(Warp, VotesOnWhoVotes) {
  auto vote = [](const std::string &instruction, const std::string &condition) {
    return keyOf(ofWarps("and.b32 %r22, %r0, 31;\nshr.u32 %r23, %r0, 5;\nsetp." + condition +
                         ";\n" + instruction +
                         "\nneg.f32 %r5, %r3;\nselp.f32 %r3, %r3, %r5, %p1;\n"),
                 1);
  };
  std::string yes = vote("mov.pred %p1, -1;", "lt.s32 %p0, %r0, 1000");
  std::string no = vote("mov.pred %p1, 0;", "lt.s32 %p0, %r0, 1000");
  ASSERT_FALSE(isUnknown(yes)) << yes;
  ASSERT_NE(yes, no);
  EXPECT_EQ(vote("vote.sync.any.pred %p1, %p0, -1;", "eq.s32 %p0, %r22, 7"), yes);
  EXPECT_EQ(vote("vote.sync.any.pred %p1, %p0, -1;", "eq.s32 %p0, %r22, 32"), no);
  EXPECT_EQ(vote("vote.sync.all.pred %p1, %p0, -1;", "eq.s32 %p0, %r22, 7"), no);
  EXPECT_EQ(vote("vote.sync.all.pred %p1, %p0, -1;", "lt.s32 %p0, %r22, 32"), yes);
  EXPECT_EQ(vote("vote.sync.uni.pred %p1, %p0, -1;", "eq.s32 %p0, %r22, 7"), no);
  EXPECT_EQ(
      vote("vote.sync.ballot.b32 %r6, %p0, -1;\nsetp.eq.s32 %p1, %r6, 128;", "eq.s32 %p0, %r22, 7"),
      yes);
  // All of the first warp and none of the second.
  std::string first = vote("setp.eq.s32 %p1, %r23, 0;", "eq.s32 %p0, %r0, 7");
  ASSERT_NE(first, yes);
  EXPECT_EQ(vote("vote.sync.any.pred %p1, %p0, -1;", "eq.s32 %p0, %r23, 0"), first);
  EXPECT_EQ(vote("vote.sync.uni.pred %p1, %p0, -1;", "eq.s32 %p0, %r23, 0"), yes);
  std::string data = "vote.sync.any.pred %p1, %p0, -1;";
  EXPECT_TRUE(isUnknown(vote(data, "gt.f32 %p0, %r3, 0f00000000")));
}

TEST(Warp, AtomicsAreNamed) {
  std::string key = keyOf(ofWarps("red.global.add.f32 [%d3], %r3;\n"), 1);
  EXPECT_NE(key.find("order"), std::string::npos) << key;
}

} // namespace
