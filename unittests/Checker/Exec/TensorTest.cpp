//===- TensorTest.cpp - Tensor copies and what their phases order ---------===//
//
// A kernel whose tiles come by tensor copies returns what one returns that loads them itself, and
// is no longer followed, or another, where its map, its places or its order are.
//
//===----------------------------------------------------------------------===//

#include "../Equiv/Kernels.h"

using namespace mettle::checker;

namespace {

struct Edit {
  const char *what, *from, *to;
};

std::string withEntry(const std::string &body) {
  std::string text = replaced(replaced(module(body), "sm_90", "sm_90a"), "8.0", "8.6");
  return replaced(
      replaced(replaced(text, "buffer[1024]", "buffer[8192]"), ".align 16", ".align 1024"),
      "x, .param .u64 .ptr .global y)",
      "x, .param .u64 .ptr .global y, .param .u64 .ptr .global scratch)");
}

/// Each of 64 threads adds 16 bytes of eight tiles of 8 rows of 64 f16, in order.
const char *const eachThread = "shr.u32 %r10, %r0, 3;\nand.b32 %r11, %r0, 7;\n"
                               "mov.b32 %r20, 0f00000000;\n";
const char *const sumWords = "add.f32 %r20, %r20, %r16;\nadd.f32 %r20, %r20, %r17;\n"
                             "add.f32 %r20, %r20, %r18;\nadd.f32 %r20, %r20, %r19;\n";
const char *const storeSum = "mad.lo.s32 %r21, %r1, 64, %r0;\nmad.wide.s32 %d9, %r21, 4, %d1;\n"
                             "st.global.b32 [%d9], %r20;\n";

std::string plainTiles() {
  // Row r of a block is 8 * block + r, a row is 512 f16.
  return withEntry(std::string(eachThread) +
                   "mad.lo.s32 %r12, %r1, 8, %r10;\nmul.lo.s32 %r12, %r12, 1024;\n"
                   "mad.lo.s32 %r12, %r11, 16, %r12;\ncvt.s64.s32 %d2, %r12;\n"
                   "add.s64 %d2, %d0, %d2;\nmov.b32 %r13, 0;\nagain:\n"
                   "ld.global.v4.b32 {%r16, %r17, %r18, %r19}, [%d2];\n" +
                   sumWords +
                   "add.s64 %d2, %d2, 128;\nadd.s32 %r13, %r13, 1;\n"
                   "setp.lt.s32 %p0, %r13, 8;\n@%p0 bra again;\n" +
                   storeSum);
}

/// Two buffers; the copy of a turn is for the next one.
std::string copiedTiles() {
  std::string replace = "@%p0 tensormap.replace.tile.";
  std::string space = ".shared::cta.b1024.";
  std::string body =
      std::string("ld.param.u64 %d4, [scratch];\nmov.b32 %r2, buffer;\ncvt.u64.u32 %d3, %r2;\n"
                  "setp.eq.s32 %p0, %r0, 0;\nsetp.lt.u32 %p1, %r0, 32;\n"
                  "mad.wide.s32 %d4, %r1, 128, %d4;\n"
                  "shl.b32 %r3, %r0, 2;\nadd.s32 %r3, %r2, %r3;\nmov.b32 %r4, 0;\n"
                  "@%p1 st.shared.b32 [%r3], %r4;\nbar.warp.sync -1;\n") +
      replace + "global_address" + space + "b64 [%d3], %d0;\n" + //
      replace + "rank" + space + "b32 [%d3], 1;\n" +             //
      "mov.b32 %r5, 64;\n" + replace + "box_dim" + space + "b32 [%d3], 0, %r5;\n" +
      "mov.b32 %r6, 8;\n" + replace + "box_dim" + space + "b32 [%d3], 1, %r6;\n" +
      "mov.b32 %r7, 512;\n" + replace + "global_dim" + space + "b32 [%d3], 0, %r7;\n" +
      "mov.b32 %r8, 64;\n" + replace + "global_dim" + space + "b32 [%d3], 1, %r8;\n" +
      "mov.b64 %d5, 1024;\n" + replace + "global_stride" + space + "b64 [%d3], 0, %d5;\n" +
      "mov.b32 %r9, 1;\n" + replace + "element_stride" + space + "b32 [%d3], 0, %r9;\n" + replace +
      "element_stride" + space + "b32 [%d3], 1, %r9;\n" +         //
      replace + "elemtype" + space + "b32 [%d3], 6;\n" +          //
      replace + "interleave_layout" + space + "b32 [%d3], 0;\n" + //
      replace + "swizzle_mode" + space + "b32 [%d3], 3;\n" +      //
      replace + "fill_mode" + space + "b32 [%d3], 0;\n" +
      "@%p1 tensormap.cp_fenceproxy.global.shared::cta.tensormap::generic.release.gpu.sync.aligned "
      "[%d4], [%d3], 128;\n"
      "@%p1 fence.proxy.tensormap::generic.acquire.gpu [%d4], 128;\nbar.sync 0;\n" +
      eachThread +
      "shl.b32 %r22, %r1, 3;\n"
      "@%p0 mbarrier.init.shared::cta.b64 [buffer+4096], 1;\n"
      "@%p0 mbarrier.init.shared::cta.b64 [buffer+4104], 1;\nbar.sync 0;\n"
      "@%p0 mbarrier.arrive.expect_tx.shared.b64 _, [buffer+4096], 1024;\n"
      "elect.sync %r23|%p2, -1;\nand.pred %p2, %p1, %p2;\n"
      "@%p2 cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes [buffer], "
      "[%d4, {%r4, %r22}], [buffer+4096];\n"
      "mov.b32 %r24, 0;\nmov.b32 %r25, 0;\nmov.b32 %r27, 0;\nmov.b32 %r36, 0;\n"
      "mov.b32 %r28, 0;\nagain:\n"
      // The next buffer, if there is a turn for it.
      "add.s32 %r39, %r28, 1;\nsetp.gt.s32 %p9, %r39, 1;\nselp.b32 %r28, 0, %r39, %p9;\n"
      "mov.b32 %r29, buffer;\nmad.lo.s32 %r30, %r28, 1024, %r29;\n"
      "shl.b32 %r31, %r28, 3;\nadd.s32 %r31, %r29, %r31;\nadd.s32 %r31, %r31, 4096;\n"
      "setp.lt.s32 %p3, %r24, 7;\nadd.s32 %r25, %r25, 64;\n"
      "and.pred %p4, %p0, %p3;\n"
      "@%p4 mbarrier.arrive.expect_tx.shared.b64 _, [%r31], 1024;\n"
      "elect.sync %r23|%p5, -1;\nand.pred %p5, %p1, %p5;\nand.pred %p5, %p3, %p5;\n"
      "@%p5 cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes [%r30], "
      "[%d4, {%r25, %r22}], [%r31];\n"
      // This turn's: its parity changes every second turn.
      "shl.b32 %r32, %r36, 3;\nadd.s32 %r32, %r29, %r32;\nadd.s32 %r32, %r32, 4096;\n"
      "spin:\nmbarrier.try_wait.parity.shared.b64 %p6, [%r32], %r27;\n@!%p6 bra spin;\n"
      "shl.b32 %r33, %r10, 7;\nxor.b32 %r34, %r11, %r10;\nshl.b32 %r34, %r34, 4;\n"
      "or.b32 %r33, %r33, %r34;\nmad.lo.s32 %r35, %r36, 1024, %r29;\nadd.s32 %r35, %r35, %r33;\n"
      "ld.shared.v4.b32 {%r16, %r17, %r18, %r19}, [%r35];\nbar.sync 0;\n" +
      sumWords +
      "add.s32 %r36, %r36, 1;\nsetp.gt.s32 %p7, %r36, 1;\nselp.b32 %r36, 0, %r36, %p7;\n"
      "selp.b32 %r37, 1, 0, %p7;\nxor.b32 %r27, %r27, %r37;\n"
      "add.s32 %r24, %r24, 1;\nsetp.lt.s32 %p8, %r24, 8;\n@%p8 bra again;\n" +
      storeSum;
  return withEntry(body);
}

TEST(Tensor, ATileThatIsCopiedIsWhatItWasCopiedFrom) {
  std::string key = keyOf(plainTiles());
  ASSERT_FALSE(isUnknown(key)) << key;
  EXPECT_EQ(keyOf(copiedTiles()), key);
}

TEST(Tensor, AnotherMapOrPlaceIsAnotherKernel) {
  const Edit edits[] = {
      {"another column", "{%r4, %r22}", "{%r6, %r22}"},
      {"another row", "shl.b32 %r22, %r1, 3", "add.s32 %r22, %r1, 1"},
      {"another stride", "mov.b64 %d5, 1024", "mov.b64 %d5, 2048"},
      {"fewer rows than are read", "mov.b32 %r8, 64", "mov.b32 %r8, 4"},
      {"fewer columns than are read", "mov.b32 %r7, 512", "mov.b32 %r7, 508"},
  };
  std::string key = keyOf(copiedTiles());
  for (const Edit &edit : edits) {
    std::string other = keyOf(replaced(copiedTiles(), edit.from, edit.to));
    EXPECT_NE(other, key) << edit.what;
    EXPECT_FALSE(isUnknown(other)) << edit.what << ": " << other;
  }
  std::string swizzle = "swizzle_mode.shared::cta.b1024.b32 [%d3], ";
  EXPECT_NE(keyOf(replaced(copiedTiles(), swizzle + "3", swizzle + "0")), key);
}

TEST(Tensor, WhatPhasesDoNotOrderIsUnknown) {
  const Edit edits[] = {
      {"no wait",
       "spin:\nmbarrier.try_wait.parity.shared.b64 %p6, [%r32], %r27;\n@!%p6 bra spin;\n", ""},
      {"the wrong parity", "mov.b32 %r27, 0;", "mov.b32 %r27, 1;"},
      {"a parity that stays", "xor.b32 %r27, %r27, %r37;\n", ""},
      {"the other buffer's phase", "shl.b32 %r32, %r36, 3", "shl.b32 %r32, %r28, 3"},
      {"fewer bytes expected", "[%r31], 1024", "[%r31], 512"},
      {"no bytes expected", "[buffer+4096], 1024", "[buffer+4096], 0"},
      {"two arrivals", "[buffer+4104], 1;", "[buffer+4104], 2;"},
      {"no barrier after the init", "[buffer+4104], 1;\nbar.sync 0;", "[buffer+4104], 1;"},
      {"no barrier after the load", "[%r35];\nbar.sync 0;", "[%r35];"},
      {"the mbarrier within a tile", "[buffer+4096], 1;", "[buffer+512], 1;"},
      {"every thread copies", "and.pred %p2, %p1, %p2;\n@%p2", ""},
      {"a map that is not made visible",
       "@%p1 fence.proxy.tensormap::generic.acquire.gpu [%d4], 128;", ""},
      {"a map that is not made here", "[%d4, {%r4, %r22}]", "[%d1, {%r4, %r22}]"},
      {"the bytes of a map are no input", "st.global.b32 [%d9]",
       "ld.global.b32 %r20, [%d4];\nst.global.b32 [%d9]"},
      {"more than asks", "mbarrier.try_wait.parity.shared.b64 %p6, [%r32], %r27;\n",
       "mbarrier.try_wait.parity.shared.b64 %p6, [%r32], %r27;\nadd.s32 %r38, %r38, 1;\n"},
  };
  for (const Edit &edit : edits)
    EXPECT_TRUE(isUnknown(keyOf(replaced(copiedTiles(), edit.from, edit.to)))) << edit.what;
}

TEST(Tensor, AnElectedLaneIsAnyLane) {
  std::string kernel = module("elect.sync %r2|%p0, -1;\nmov.b32 %r3, 0;\n"
                              "mad.wide.s32 %d3, %r0, 4, %d1;\n@%p0 st.global.b32 [%d3], %r3;\n");
  EXPECT_TRUE(isUnknown(keyOf(kernel)));
}

} // namespace
