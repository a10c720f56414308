//===- AsyncCopyTest.cpp - Copies, tensor maps, mbarriers -----------------===//
//
// What a kernel sees of asynchronous copies: bytes, zeros outside a tensor, swizzled places, phases
// of an mbarrier, and the faults of their misuse.
//
//===----------------------------------------------------------------------===//

#include "Kernels.h"
#include "Mettle/Emulator/TensorMap.h"
#include "llvm/Support/JSON.h"

using namespace mettle::emulator;

namespace {

using Bytes = std::vector<uint8_t>;

template <typename T> T get(const Bytes &bytes, size_t index) {
  T value;
  memcpy(&value, bytes.data() + index * sizeof(T), sizeof(T));
  return value;
}

std::string error(const std::string &body, std::vector<Bytes> buffers, unsigned threads = 1) {
  Launch launch;
  launch.block = {threads, 1, 1};
  return runText(entry(body, unsigned(buffers.size())), buffers, launch).error;
}

/// Starts with a barrier %r0 of `count` and shared memory at %r1; pointers in %d0, %d1.
std::string start(unsigned count, unsigned pointers) {
  std::string text = ".shared .align 8 .b64 barrier;\n.shared .align 1024 .b8 tile[4096];\n"
                     "mov.u32 %r0, barrier;\nmov.u32 %r1, tile;\n"
                     "mbarrier.init.shared::cta.b64 [%r0], " +
                     std::to_string(count) + ";\n";
  for (unsigned i = 0; i < pointers; ++i)
    text += "ld.param.u64 %d" + std::to_string(i) + ", [p" + std::to_string(i) + "];\n";
  return text;
}

/// Stores `words` words of shared memory to p1.
std::string dump(unsigned words) {
  return "mov.u32 %r20, 0;\ndump:\nmad.lo.u32 %r21, %r20, 4, %r1;\nmad.wide.u32 %d20, %r20, 4, "
         "%d1;\n"
         "ld.shared.b32 %r22, [%r21];\nst.global.b32 [%d20], %r22;\nadd.u32 %r20, %r20, 1;\n"
         "setp.lt.u32 %p9, %r20, " +
         std::to_string(words) + ";\n@%p9 bra dump;\n";
}

} // namespace

TEST(AsyncCopy, SmallCopiesFillUpWithZeros) {
  Bytes in(64), out(64);
  for (unsigned i = 0; i < 64; ++i)
    in[i] = uint8_t(i + 1);
  std::vector<Bytes> buffers = {in, out};
  std::string body = start(1, 2) +
                     "mov.u32 %r2, 6;\nsetp.eq.u32 %p1, %r2, 6;\nadd.u32 %r3, %r1, 16;\n"
                     "cp.async.cg.shared.global [%r1], [%d0], 16, %r2;\n"
                     "cp.async.ca.shared.global [%r3], [%d0+16], 8;\n"
                     "cp.async.ca.shared.global [%r3+8], [%d0+24], 4, %p1;\n"
                     "cp.async.ca.shared.global [%r3+12], [%d0+28], 4, !%p1;\n"
                     "cp.async.commit_group;\ncp.async.wait_group 0;\n" +
                     dump(8);
  ASSERT_EQ(runText(entry(body, 2), buffers).error, "");
  for (unsigned i = 0; i < 32; ++i) {
    bool copied = i < 6 || (i >= 16 && i < 24) || i >= 28;
    EXPECT_EQ(buffers[1][i], copied ? i + 1 : 0) << i;
  }
}

TEST(AsyncCopy, Misuse) {
  Bytes memory(64);
  std::string copy = start(1, 1) + "mov.u32 %r2, 9;\n";
  EXPECT_EQ(error(copy + "cp.async.ca.shared.global [%r1], [%d0], 8, %r2;", {memory}),
            "expected no more source bytes than the copy has");
  EXPECT_NE(error(copy + "cp.async.cg.shared.global [%r1+8], [%d0], 16;", {memory}), "");
  EXPECT_NE(error(copy + "cp.async.cg.shared.global [%r1], [%d0+56], 16;", {memory}), "");
  EXPECT_EQ(error(copy + "cp.async.cg.shared.global [%r1], [%d0], 8;", {memory}),
            "expected a copy of 16 bytes, or of 4 or 8 with .ca, found 8");
  EXPECT_EQ(error(copy + "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%r1], "
                         "[%d0], 24, [%r0];",
                  {memory}),
            "expected a number of bytes that is a multiple of 16");
}

TEST(AsyncCopy, BulkCopiesCountAtTheBarrier) {
  Bytes in(256), out(256);
  for (unsigned i = 0; i < 256; ++i)
    in[i] = uint8_t(i * 7);
  std::vector<Bytes> buffers = {in, out};
  std::string body =
      start(1, 2) +
      "mbarrier.arrive.expect_tx.shared.b64 _, [%r0], 128;\n"
      "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%r1], [%d0], 64, [%r0];\n"
      "mbarrier.test_wait.parity.shared.b64 %p1, [%r0], 0;\n"
      "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%r1+64], [%d0+64], 64, "
      "[%r0];\n"
      "mbarrier.test_wait.parity.shared.b64 %p2, [%r0], 0;\n"
      "mbarrier.test_wait.parity.shared.b64 %p3, [%r0], 1;\n"
      "selp.u32 %r4, 1, 0, %p1;\nselp.u32 %r5, 1, 0, %p2;\nselp.u32 %r6, 1, 0, %p3;\n"
      "cp.async.bulk.global.shared::cta.bulk_group [%d1], [%r1], 128;\n"
      "cp.async.bulk.commit_group;\ncp.async.bulk.wait_group 0;\n"
      "st.global.b32 [%d1+128], %r4;\nst.global.b32 [%d1+132], %r5;\nst.global.b32 [%d1+136], "
      "%r6;\n";
  ASSERT_EQ(runText(entry(body, 2), buffers).error, "");
  EXPECT_TRUE(std::equal(in.begin(), in.begin() + 128, buffers[1].begin()));
  EXPECT_EQ(get<uint32_t>(buffers[1], 32), 0u);
  EXPECT_EQ(get<uint32_t>(buffers[1], 33), 1u);
  EXPECT_EQ(get<uint32_t>(buffers[1], 34), 0u);
}

TEST(AsyncCopy, ReductionsKeepSubnormals) {
  const uint32_t words[4] = {0x00000001, 0x3F800000, 0x80000003, 0x7F800000};
  Bytes in(16), out(32);
  memcpy(in.data(), words, 16);
  const uint32_t sums[4] = {0x00000002, 0x40000000, 0x80000000, 0xFF800000};
  memcpy(out.data(), sums, 16);
  const int32_t others[4] = {5, -7, 0, 0x3F800000};
  memcpy(out.data() + 16, others, 16);
  std::vector<Bytes> buffers = {in, out};
  std::string body =
      start(1, 2) +
      "ld.global.v4.b32 {%r4, %r5, %r6, %r7}, [%d0];\n"
      "st.shared.v4.b32 [%r1], {%r4, %r5, %r6, %r7};\nfence.proxy.async.shared::cta;\n"
      "cp.reduce.async.bulk.global.shared::cta.bulk_group.add.f32 [%d1], [%r1], 16;\n"
      "cp.reduce.async.bulk.global.shared::cta.bulk_group.max.s32 [%d1+16], [%r1], 16;\n";
  ASSERT_EQ(runText(entry(body, 2), buffers).error, "");
  const uint32_t expected[8] = {0x00000003, 0x40400000, 0x80000003, 0x7FFFFFFF,
                                5,          0x3F800000, 0,          0x7F800000};
  for (unsigned i = 0; i < 8; ++i)
    EXPECT_EQ(get<uint32_t>(buffers[1], i), expected[i]) << i;
}

TEST(AsyncCopy, StoresAndSumsThatCount) {
  std::vector<Bytes> buffers = {Bytes(4), Bytes(32)};
  std::string body =
      start(1, 2) +
      "mov.b32 %r4, 5;\nmov.b32 %r5, 6;\nmov.b32 %r6, 7;\nmov.b32 %r7, 8;\n"
      "mbarrier.arrive.expect_tx.shared.b64 _, [%r0], 24;\n"
      "st.async.weak.shared::cluster.mbarrier::complete_tx::bytes.v4.b32 [%r1], "
      "{%r4, %r5, %r6, %r7}, [%r0];\n"
      "red.async.relaxed.cluster.shared::cluster.mbarrier::complete_tx::bytes.add.u32 [%r1+4], "
      "%r7, [%r0];\n"
      "red.async.relaxed.cluster.shared::cluster.mbarrier::complete_tx::bytes.max.u32 [%r1+8], "
      "%r4, [%r0];\n"
      "mbarrier.test_wait.parity.shared.b64 %p1, [%r0], 0;\nselp.u32 %r8, 1, 0, %p1;\n"
      "st.shared.b32 [%r1+16], %r8;\n" +
      dump(5);
  ASSERT_EQ(runText(entry(body, 2), buffers).error, "");
  const uint32_t expected[5] = {5, 14, 7, 8, 1};
  for (unsigned i = 0; i < 5; ++i)
    EXPECT_EQ(get<uint32_t>(buffers[1], i), expected[i]) << i;
}

TEST(MBarrier, PhasesAndStates) {
  // Three arrivals a phase, five of them; each state says how many were pending before.
  std::string body = start(3, 1);
  for (unsigned i = 0; i < 5; ++i) {
    std::string at = std::to_string(i * 8), next = std::to_string(i * 8 + 4);
    body += "mbarrier.arrive.shared.b64 %d5, [%r0];\nmbarrier.pending_count.b64 %r5, %d5;\n"
            "mbarrier.test_wait.shared.b64 %p1, [%r0], %d5;\nselp.u32 %r6, 1, 0, %p1;\n"
            "st.global.b32 [%d0+" +
            at + "], %r5;\nst.global.b32 [%d0+" + next + "], %r6;\n";
  }
  std::vector<Bytes> buffers = {Bytes(40)};
  ASSERT_EQ(runText(entry(body, 1), buffers).error, "");
  const uint32_t expected[10] = {3, 0, 2, 0, 1, 1, 3, 0, 2, 0};
  for (unsigned i = 0; i < 10; ++i)
    EXPECT_EQ(get<uint32_t>(buffers[0], i), expected[i]) << i;
}

TEST(MBarrier, WarpsWaitForOneAnother) {
  // 64 threads arrive; each then reads what the last one wrote before it arrived.
  std::string body =
      ".shared .align 8 .b64 barrier;\n.shared .align 4 .b32 word;\nld.param.u64 %d0, [p0];\n"
      "mov.u32 %r0, barrier;\nmov.u32 %r1, word;\nmov.u32 %r2, %tid.x;\nsetp.eq.u32 %p1, %r2, 0;\n"
      "@%p1 mbarrier.init.shared::cta.b64 [%r0], 64;\nbar.sync 0;\nsetp.eq.u32 %p2, %r2, 63;\n"
      "@%p2 st.shared.b32 [%r1], 77;\nmbarrier.arrive.shared.b64 _, [%r0];\n"
      "wait:\nmbarrier.try_wait.parity.shared.b64 %p3, [%r0], 0;\n@!%p3 bra wait;\n"
      "ld.shared.b32 %r3, [%r1];\nmad.wide.u32 %d1, %r2, 4, %d0;\nst.global.b32 [%d1], %r3;\n";
  std::vector<Bytes> buffers = {Bytes(256)};
  Launch launch;
  launch.block = {64, 1, 1};
  ASSERT_EQ(runText(entry(body, 1), buffers, launch).error, "");
  for (unsigned i = 0; i < 64; ++i)
    EXPECT_EQ(get<uint32_t>(buffers[0], i), 77u);
}

TEST(MBarrier, Misuse) {
  EXPECT_EQ(error(start(1, 0) + "mbarrier.arrive.shared.b64 _, [%r1];", {}),
            "expected an initialised mbarrier");
  EXPECT_EQ(error(start(2, 0) + "mbarrier.arrive.shared.b64 _, [%r0], 3;", {}),
            "expected no more arrivals at an mbarrier than are pending");
  EXPECT_EQ(error(start(2, 0) + "mov.u32 %r5, 0;\nmbarrier.init.shared::cta.b64 [%r1], %r5;", {}),
            "expected a count of 1 to 2^20 - 1 for an mbarrier");
  // Nobody arrives.
  EXPECT_NE(error(start(2, 0) + "wait:\nmbarrier.try_wait.parity.shared.b64 %p3, [%r0], 0;\n"
                                "@!%p3 bra wait;\n",
                  {}),
            "");
}

namespace {

/// Makes a map at %r1 + 2048 of the 5 x 4 words at %d0, in rows of 32 bytes, with boxes of 8 x 4.
std::string makeMap(unsigned swizzle, unsigned element = 7) {
  std::string text = "cvt.u64.u32 %d10, %r1;\nadd.u64 %d10, %d10, 2048;\nmov.b64 %d11, 32;\n"
                     "mov.b32 %r10, 5;\nmov.b32 %r11, 4;\nmov.b32 %r12, 8;\nmov.b32 %r13, 1;\n";
  for (unsigned i = 0; i < 32; ++i)
    text += "st.shared.b32 [%r1+" + std::to_string(2048 + 4 * i) + "], 0;\n";
  auto replace = [&](const std::string &field, const std::string &bits, const std::string &value) {
    text += "tensormap.replace.tile." + field + ".shared::cta.b1024.b" + bits + " [%d10], " +
            value + ";\n";
  };
  replace("global_address", "64", "%d0");
  replace("rank", "32", "1");
  replace("global_dim", "32", "0, %r10");
  replace("global_dim", "32", "1, %r11");
  replace("global_stride", "64", "0, %d11");
  replace("box_dim", "32", "0, %r12");
  replace("box_dim", "32", "1, %r11");
  replace("element_stride", "32", "0, %r13");
  replace("element_stride", "32", "1, %r13");
  replace("elemtype", "32", std::to_string(element));
  replace("interleave_layout", "32", "0");
  replace("swizzle_mode", "32", std::to_string(swizzle));
  replace("fill_mode", "32", "0");
  return text + "cvta.shared.u64 %d12, %d10;\n";
}

} // namespace

TEST(TensorCopy, LoadsABoxThatLeavesTheTensor) {
  Bytes in(128);
  for (unsigned i = 0; i < 32; ++i)
    memcpy(&in[4 * i], &i, 4);
  for (unsigned swizzle : {0u, 1u}) {
    std::vector<Bytes> buffers = {in, Bytes(128)};
    std::string body =
        start(1, 2) + makeMap(swizzle) +
        "mbarrier.arrive.expect_tx.shared.b64 _, [%r0], 128;\n"
        "cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes [%r1], "
        "[%d12, {-4, 1}], [%r0];\n"
        "wait:\nmbarrier.try_wait.parity.shared.b64 %p3, [%r0], 0;\n@!%p3 bra wait;\n" +
        dump(32);
    ASSERT_EQ(runText(entry(body, 2), buffers).error, "");
    for (int y = 0; y < 4; ++y)
      for (int x = 0; x < 8; ++x) {
        bool inside = x - 4 >= 0 && x - 4 < 5 && y + 1 < 4;
        // Rows of 32 bytes: all four stand in the first 128, so nothing moves.
        EXPECT_EQ(get<uint32_t>(buffers[1], y * 8 + x), inside ? uint32_t((y + 1) * 8 + x - 4) : 0u)
            << "swizzle " << swizzle << " at " << x << ", " << y;
      }
  }
}

TEST(TensorCopy, StoresOnlyWhatIsInside) {
  std::vector<Bytes> buffers = {Bytes(128, 0xFF), Bytes(4)};
  std::string body = start(1, 2) + makeMap(0) +
                     "mov.u32 %r20, 0;\nfill:\n"
                     "mad.lo.u32 %r21, %r20, 4, %r1;\n"
                     "st.shared.b32 [%r21], %r20;\nadd.u32 %r20, %r20, 1;\n"
                     "setp.lt.u32 %p9, %r20, 32;\n@%p9 bra fill;\n"
                     "fence.proxy.async.shared::cta;\n"
                     "cp.async.bulk.tensor.2d.global.shared::cta.tile."
                     "bulk_group [%d12, {4, 1}], [%r1];\n";
  ASSERT_EQ(runText(entry(body, 2), buffers).error, "");
  for (int y = 0; y < 4; ++y)
    for (int x = 0; x < 8; ++x) {
      bool inside = x >= 4 && x < 5 && y >= 1;
      EXPECT_EQ(get<uint32_t>(buffers[0], y * 8 + x), inside ? uint32_t((y - 1) * 8 + x - 4) : ~0u);
    }
}

TEST(TensorCopy, UnusableMapsAreFaults) {
  auto copy = [](const std::string &map, const std::string &place = "0, 0") {
    return error(start(1, 1) + map +
                     "cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes "
                     "[%r1], [%d12, {" +
                     place + "}], [%r0];\n",
                 {Bytes(128)});
  };
  EXPECT_EQ(error(start(1, 1) + makeMap(0) +
                      "cp.async.bulk.tensor.2d.global.shared::cta.tile.bulk_group [%d12, {0, -1}], "
                      "[%r1];\n",
                  {Bytes(128)}),
            "expected coordinates of a store that are not negative, found -1");
  EXPECT_EQ(copy(makeMap(0), "-2, 0"), "expected a box that starts at a multiple of 16 bytes, "
                                       "found coordinate -2 of elements of 4");
  std::string strided = makeMap(0);
  strided.replace(strided.find("%d11, 32"), 8, "%d11, 20");
  EXPECT_EQ(copy(strided),
            "expected a tensor map whose strides are multiples of 16 below 2^40, found 20");
}

TEST(TensorMap, CodesAndText) {
  TensorMap map;
  map.address = 0x123456780;
  map.element = TensorElement::BF16;
  map.rankMinusOne = 2;
  map.swizzle = 3;
  map.dims = {7, 4000000000u, 9, 0, 0};
  map.strides = {64, uint64_t(1) << 39, 0, 0};
  map.box = {64, 256, 1, 0, 0};
  map.elementStrides = {1, 8, 1, 0, 0};
  uint8_t bytes[TensorMap::Bytes];
  map.encode(bytes);
  TensorMap again = TensorMap::decode(bytes);
  EXPECT_EQ(again.dims, map.dims);
  EXPECT_EQ(again.strides, map.strides);
  EXPECT_EQ(again.box, map.box);
  EXPECT_EQ(again.elementStrides, map.elementStrides);
  EXPECT_EQ(again.address, map.address);
  EXPECT_EQ(again.fault(), "");
  EXPECT_EQ(again.boxCount(1), 32u);

  auto parse = [](const char *text) {
    llvm::json::Value value = llvm::cantFail(llvm::json::parse(text));
    llvm::Expected<TensorMap> parsed = TensorMap::parse(*value.getAsObject());
    return parsed ? std::string("rank ") + std::to_string(parsed->rank())
                  : llvm::toString(parsed.takeError());
  };
  EXPECT_EQ(parse(R"({"element": "f16", "dims": [256, 512], "strides": [512], "box": [64, 64],
                      "swizzle": 128})"),
            "rank 2");
  EXPECT_EQ(parse(R"({"element": "f17", "dims": [4], "strides": [], "box": [4]})"),
            "expected the 'element' of a tensor map, such as f16");
  EXPECT_EQ(parse(R"({"element": "f16", "dims": [4, 4], "strides": [], "box": [4, 4]})"),
            "expected 1 numbers as the 'strides' of a tensor map");
  EXPECT_EQ(parse(R"({"element": "f16", "dims": [4], "strides": [], "box": [-1]})"),
            "expected a size as number 0 of 'box'");
  EXPECT_EQ(parse(R"({"element": "f16", "dims": [4], "strides": [], "box": [4], "swizzle": 16})"),
            "expected a 'swizzle' of 0, 32, 64 or 128 bytes");
}

TEST(Cluster, IsOneBlock) {
  std::string body = ".shared .align 4 .b32 word;\nld.param.u64 %d0, [p0];\nmov.u32 %r0, %tid.x;\n"
                     "mov.u32 %r1, word;\nmapa.shared::cluster.u32 %r2, %r1, 0;\n"
                     "getctarank.shared::cluster.u32 %r3, %r1;\nelect.sync %r4|%p1, -1;\n"
                     "@%p1 st.shared::cluster.b32 [%r2], %r0;\nbarrier.cluster.arrive.aligned;\n"
                     "barrier.cluster.wait.aligned;\nld.shared.b32 %r5, [%r1];\n"
                     "mad.lo.u32 %r5, %r5, 100, %r4;\nadd.u32 %r5, %r5, %r3;\n"
                     "mad.wide.u32 %d1, %r0, 4, %d0;\nst.global.b32 [%d1], %r5;\n";
  std::vector<Bytes> buffers = {Bytes(128)};
  Launch launch;
  launch.block = {32, 1, 1};
  ASSERT_EQ(runText(entry(body, 1), buffers, launch).error, "");
  for (unsigned i = 0; i < 32; ++i)
    EXPECT_EQ(get<uint32_t>(buffers[0], i), 0u);
  std::string other = body;
  other.replace(other.find("%r1, 0;"), 7, "%r1, 1;");
  EXPECT_EQ(runText(entry(other, 1), buffers, launch).error,
            "expected block 0 of a cluster of one");
}
