//===- ExecuteTest.cpp - What the symbolic thread refuses -----------------===//
//
// Whatever cannot be modelled exactly is a reason, never an answer.
//
//===----------------------------------------------------------------------===//

#include "../Equiv/Kernels.h"

using namespace mettle::checker;

namespace {

std::string store(const std::string &body) {
  return module("mad.wide.s32 %d2, %r0, 4, %d0;\nmad.wide.s32 %d3, %r0, 4, %d1;\n" + body +
                "st.global.f32 [%d3], %r5;\n");
}

TEST(Execute, RefusesWhatItCannotModel) {
  const std::pair<const char *, const char *> cases[] = {
      {"atom.global.add.u32 %r5, [%d2], 1;\n", "atom"},
      {"mov.u32 %r5, %clock;\n", "%clock"},
      {"ld.global.u32 %r4, [%d2];\nmad.wide.s32 %d4, %r4, 4, %d0;\nld.global.f32 %r5, [%d4];\n",
       "data"},
      {"ld.shared.f32 %r5, [buffer];\n", "nothing has written"},
      {"shfl.sync.bfly.b32 %r5, %r0, 1, 31, 0xffff;\n", "part of a warp"},
      {"mov.f32 %r5, %r40;\n", "not written"},
      {"ld.global.f32 %r5, [%d3];\n", "both loaded from and stored to"},
  };
  for (auto [body, reason] : cases) {
    std::string key = keyOf(store(body), 1);
    EXPECT_TRUE(isUnknown(key)) << body;
    EXPECT_NE(key.find(reason), std::string::npos) << key;
  }
}

TEST(Execute, FollowsBranchesOnThreads) {
  std::string selected =
      keyOf(store("ld.global.f32 %r4, [%d2];\nneg.f32 %r6, %r4;\nsetp.lt.s32 %p0, %r0, 32;\n"
                  "selp.f32 %r5, %r4, %r6, %p0;\n"),
            1);
  std::string branched =
      keyOf(store("ld.global.f32 %r4, [%d2];\nsetp.lt.s32 %p0, %r0, 32;\nmov.b32 %r5, %r4;\n"
                  "@%p0 bra done;\nneg.f32 %r5, %r4;\ndone:\n"),
            1);
  ASSERT_FALSE(isUnknown(selected)) << selected;
  EXPECT_EQ(selected, branched);
}

TEST(Execute, ABarrierUnderAConditionIsRefused) {
  EXPECT_TRUE(
      isUnknown(keyOf(store("setp.lt.s32 %p0, %r0, 32;\n@%p0 bar.sync 0;\nmov.b32 %r5, 0;\n"), 1)));
}

} // namespace
