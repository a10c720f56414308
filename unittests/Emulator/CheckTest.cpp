//===- CheckTest.cpp - Faults that hardware ignores -------------------------===//
//
// Small kernels with one fault each, and their twins without it, of which nothing may be said.
//
//===----------------------------------------------------------------------===//

#include "Kernels.h"

using namespace mettle::emulator;

static constexpr char shared[] = ".shared .align 16 .b8 words[1024];\n"
                                 "mov.u32 %r1, %tid.x; mov.u32 %r2, words; shl.b32 %r3, %r1, 2;\n"
                                 "add.u32 %r4, %r2, %r3; ld.param.u64 %d1, [p0];\n"
                                 "mul.wide.u32 %d2, %r1, 4; add.u64 %d2, %d1, %d2;\n";

/// The kind of the fault that a run of 64 threads in `blocks` blocks has, and the statement at it.
/// `before`: functions that the body may call.
static std::pair<std::string, std::string> faultOf(const std::string &body, uint32_t blocks = 1,
                                                   const std::string &before = "") {
  std::vector<std::vector<uint8_t>> buffers(1, std::vector<uint8_t>(1024));
  RunOptions options;
  options.checks = true;
  std::string text = entry(shared + body + "\nret;", 1, before);
  Outcome outcome = runText(text, buffers, {{blocks, 1, 1}, {64, 1, 1}, 0, {}}, options);
  if (!outcome.fault)
    return {outcome.error, ""};
  size_t at = outcome.fault->offset;
  return {name(outcome.fault->kind).str(), text.substr(at, text.find(';', at) - at)};
}

using Found = std::pair<std::string, std::string>;
static const Found nothing = {"", ""};

TEST(Check, RaceInSharedMemory) {
  std::string before = "st.shared.u32 [%r4], %r1; xor.b32 %r5, %r3, 128; add.u32 %r5, %r5, %r2;\n";
  EXPECT_EQ(faultOf(before + "ld.shared.u32 %r6, [%r5];").first, "race");
  EXPECT_EQ(faultOf(before + "bar.sync 0; ld.shared.u32 %r6, [%r5]; st.global.u32 [%d2], %r6;"),
            nothing);
  // Within a warp too, unless it synchronises.
  std::string near = "st.shared.u32 [%r4], %r1; xor.b32 %r5, %r3, 4; add.u32 %r5, %r5, %r2;\n";
  EXPECT_EQ(faultOf(near + "ld.shared.u32 %r6, [%r5];"), Found("race", "ld.shared.u32 %r6, [%r5]"));
  EXPECT_EQ(faultOf(near + "bar.warp.sync -1; ld.shared.u32 %r6, [%r5];"), nothing);
  // A barrier for those warps alone that meet there.
  EXPECT_EQ(faultOf(before + "bar.sync 3, 64; ld.shared.u32 %r6, [%r5];"), nothing);
}

TEST(Check, NeighbouringBytesAreNoRace) {
  EXPECT_EQ(faultOf("add.u32 %r5, %r2, %r1; cvt.u16.u32 %h1, %r1; st.shared.u8 [%r5], %h1;\n"
                    "ld.shared.u8 %h2, [%r5];"),
            nothing);
  EXPECT_EQ(faultOf("shr.u32 %r5, %r1, 1; add.u32 %r5, %r2, %r5; cvt.u16.u32 %h1, %r1;\n"
                    "st.shared.u8 [%r5], %h1;"),
            Found("race", "st.shared.u8 [%r5], %h1"));
}

TEST(Check, RaceInGlobalMemory) {
  EXPECT_EQ(faultOf("st.global.u32 [%d1], %r1;").first, "race");
  // The same word from all is the same in any order.
  EXPECT_EQ(faultOf("mov.u32 %r5, 7; st.global.u32 [%d1], %r5;"), nothing);
  EXPECT_EQ(faultOf("mov.u32 %r5, %ctaid.x; st.global.u32 [%d2], %r5;", 2).first, "race");
  EXPECT_EQ(faultOf("red.global.add.u32 [%d1], 1;", 2), nothing);
  // The last block to come reads what the others left.
  EXPECT_EQ(faultOf("mov.u32 %r5, %ctaid.x; mul.wide.u32 %d3, %r5, 4; add.u64 %d3, %d1, %d3;\n"
                    "setp.ne.u32 %p1, %r1, 0; @%p1 bra done; st.global.u32 [%d3+16], %r5;\n"
                    "membar.gl; atom.global.add.u32 %r6, [%d1], 1; setp.ne.u32 %p2, %r6, 1;\n"
                    "@%p2 bra done; ld.global.u32 %r7, [%d1+16]; ld.global.u32 %r8, [%d1+20];\n"
                    "done:",
                    2),
            nothing);
}

TEST(Check, OrderedAccessesDoNotRaceWithAtomics) {
  for (std::string order : {"relaxed.gpu", "acquire.gpu", "volatile"})
    for (std::string type : {"u16 %h1", "u32 %r5", "u64 %d5"})
      EXPECT_EQ(
          faultOf("red.global.add.u64 [%d1], 1; ld." + order + ".global." + type + ", [%d1];", 2),
          nothing);
  for (std::string order : {"relaxed.gpu", "release.gpu", "volatile"})
    EXPECT_EQ(faultOf("st." + order + ".global.u32 [%d1], %r1; red.global.add.u32 [%d1], 1;", 2),
              nothing);
  EXPECT_EQ(faultOf("st.relaxed.cta.shared.u32 [words], %r1; ld.acquire.cta.shared.u32 %r5, "
                    "[words]; atom.shared.exch.b32 %r6, [words], %r1;"),
            nothing);
  EXPECT_EQ(faultOf("red.global.add.u32 [%d1], 1; ld.global.u32 %r5, [%d1];"),
            Found("race", "ld.global.u32 %r5, [%d1]"));
  // With what is not atomic they do.
  std::string other = "xor.b32 %r5, %r1, 1; mul.wide.u32 %d3, %r5, 4; add.u64 %d3, %d1, %d3;\n";
  EXPECT_EQ(faultOf(other + "st.global.u32 [%d2], %r1; ld.relaxed.gpu.global.u32 %r6, [%d3];"),
            Found("race", "ld.relaxed.gpu.global.u32 %r6, [%d3]"));
  EXPECT_EQ(faultOf(other + "st.relaxed.gpu.global.u32 [%d2], %r1; ld.global.u32 %r6, [%d3];"),
            Found("race", "ld.global.u32 %r6, [%d3]"));
}

TEST(Check, AnUnsetWordStoredOutOfBoundsMarksNothing) {
  // So far outside that a mark at its place would end the process.
  EXPECT_EQ(faultOf("add.u32 %r5, %r4, 0x20000000; st.shared.u32 [%r5], %r21;").second,
            "st.shared.u32 [%r5], %r21");
  EXPECT_EQ(faultOf("add.u32 %r5, %r4, 1024; st.shared.u32 [%r5], %r21;").second,
            "st.shared.u32 [%r5], %r21");
}

TEST(Check, UnsetWords) {
  // Read and dropped: no fault. Stored: reported where it was read.
  EXPECT_EQ(faultOf("add.u32 %r20, %r21, 1;"), nothing);
  EXPECT_EQ(faultOf("add.u32 %r20, %r21, 1; st.global.u32 [%d2], %r20;"),
            Found("uninitialised register", "add.u32 %r20, %r21, 1"));
  EXPECT_EQ(faultOf("setp.lt.u32 %p1, %r1, 64; add.u32 %r20, %r21, 1;\n"
                    "selp.u32 %r22, %r1, %r20, %p1; st.global.u32 [%d2], %r22;"),
            nothing);
  EXPECT_EQ(faultOf("setp.eq.u32 %p1, %r21, 0; @%p1 bra over; over:"),
            Found("uninitialised register", "setp.eq.u32 %p1, %r21, 0"));
  // Where several threads store such a word, that is the fault, not the race.
  EXPECT_EQ(faultOf("add.u32 %r20, %r21, %r1; st.shared.u32 [%r2], %r20;"),
            Found("uninitialised register", "add.u32 %r20, %r21, %r1"));
  EXPECT_EQ(faultOf("add.u64 %d3, %d1, %d4; cp.async.ca.shared.global [%r4], [%d3], 4;"),
            Found("uninitialised register", "add.u64 %d3, %d1, %d4"));
  EXPECT_EQ(faultOf("ld.shared.u32 %r20, [%r4]; st.global.u32 [%d2], %r20;"),
            Found("uninitialised memory", "ld.shared.u32 %r20, [%r4]"));
  EXPECT_EQ(faultOf("add.u32 %r20, %r21, 1; st.shared.u32 [%r4], %r20; ld.shared.u32 %r22, [%r4];\n"
                    "st.global.u32 [%d2], %r22;"),
            Found("uninitialised register", "add.u32 %r20, %r21, 1"));
}

TEST(Check, BarriersAndAddresses) {
  EXPECT_EQ(faultOf("setp.lt.u32 %p1, %r1, 16; @%p1 bar.sync 0;").first, "barrier divergence");
  EXPECT_EQ(faultOf("setp.lt.u32 %p1, %r1, 32; @%p1 bar.sync 0; @!%p1 bar.sync 1;").first,
            "barrier divergence");
  EXPECT_EQ(faultOf("ld.global.u32 %r5, [%d2+1024];"),
            Found("out of bounds", "ld.global.u32 %r5, [%d2+1024]"));
  EXPECT_EQ(faultOf("ld.global.u32 %r5, [%d2+2];").first, "misaligned");
  EXPECT_EQ(faultOf("ld.shared.u32 %r5, [%r4+65536];").first, "out of bounds");
}

/// Lanes that are through with a loop wait for those whose call in it has not come back, wherever
/// the function's text stands.
TEST(Check, LanesMeetAfterCallsInALoop) {
  std::string prototype = ".func (.reg .b32 %result) less(.reg .b32 %a)";
  std::string function = prototype +
                         "\n{\n.reg .pred %odd;\n.reg .b32 %b;\nand.b32 %b, %a, 1;\n"
                         "setp.ne.u32 %odd, %b, 0;\n@%odd bra out;\nadd.u32 %b, %b, 0;\n"
                         "out:\nsub.u32 %result, %a, 1;\nret;\n}\n";
  std::string body = "add.u32 %r5, %r1, 1;\nagain:\ncall (%r5), less, (%r5);\n"
                     "setp.ne.u32 %p1, %r5, 0; @%p1 bra again;\nbar.sync 0;\n";
  EXPECT_EQ(faultOf(body, 1, function), nothing);
  // In a function that the kernel calls, too.
  std::string outer = ".func (.reg .b32 %result) none(.reg .b32 %a)\n{\n.reg .pred %more;\n"
                      "mov.u32 %result, %a;\nagain:\ncall (%result), less, (%result);\n"
                      "setp.ne.u32 %more, %result, 0; @%more bra again;\nbar.sync 0;\nret;\n}\n";
  EXPECT_EQ(faultOf("add.u32 %r5, %r1, 1; call (%r5), none, (%r5);", 1, function + outer), nothing);
  // Those that never come are missed, still.
  EXPECT_EQ(faultOf("add.u32 %r5, %r1, 1; setp.lt.u32 %p1, %r1, 16; @%p1 call (%r5), none, (%r5);",
                    1, function + outer)
                .first,
            "barrier divergence");
}

/// Copies of a word each, from `p0` to the thread's word.
static const std::string copyWord = "cp.async.ca.shared.global [%r4], [%d2], 4;\n";

TEST(Check, CopiesAreWaitedFor) {
  // Global memory is read before it is written.
  std::string read = "ld.shared.u32 %r6, [%r4];", write = "st.shared.u32 [%r4], %r1;";
  std::string commit = "cp.async.commit_group;\n";
  Found early = {"missing wait", "ld.shared.u32 %r6, [%r4]"};
  EXPECT_EQ(faultOf(copyWord + read), early);
  EXPECT_EQ(faultOf(copyWord + commit + read), early);
  EXPECT_EQ(faultOf(copyWord + commit + "bar.sync 0;" + read), early);
  EXPECT_EQ(faultOf(copyWord + commit + write), Found("missing wait", "st.shared.u32 [%r4], %r1"));
  EXPECT_EQ(faultOf(copyWord + commit + "cp.async.wait_group 0;" + read), nothing);
  EXPECT_EQ(faultOf(copyWord + commit + "cp.async.wait_group 0;" + write), nothing);
  EXPECT_EQ(faultOf(copyWord + "cp.async.wait_all;" + read), nothing);
  // What was not committed is in no group that is waited for.
  EXPECT_EQ(faultOf(copyWord + "cp.async.wait_group 0;" + read), early);
  // All but the last group.
  std::string other = "cp.async.ca.shared.global [%r4+256], [%d2], 4;\n";
  EXPECT_EQ(faultOf(copyWord + commit + other + commit + "cp.async.wait_group 1;" + read), nothing);
  EXPECT_EQ(faultOf(other + commit + copyWord + commit + "cp.async.wait_group 1;" + read), early);
  EXPECT_EQ(faultOf(copyWord + commit + commit + "cp.async.wait_group 1;" + read), nothing);
  // A byte of it.
  EXPECT_EQ(faultOf(copyWord + commit + "ld.shared.u8 %h1, [%r4+1];").first, "missing wait");
  EXPECT_EQ(faultOf("cvt.u16.u32 %h1, %r1; st.shared.u8 [%r4+1], %h1;" + copyWord + commit +
                    "ld.shared.u8 %h1, [%r4+1];")
                .first,
            "missing wait");
  EXPECT_EQ(faultOf("cvt.u16.u32 %h1, %r1; st.shared.u8 [%r4+1], %h1;" + copyWord +
                    "cp.async.wait_all; ld.shared.u8 %h1, [%r4+1];"),
            nothing);
}

TEST(Check, OthersReadCopiesAfterWaitAndBarrier) {
  std::string copy =
      copyWord + "cp.async.commit_group; xor.b32 %r5, %r3, 128; add.u32 %r5, %r5, %r2;\n";
  std::string wait = "cp.async.wait_group 0;\n", barrier = "bar.sync 0;\n",
              read = "ld.shared.u32 %r6, [%r5];";
  EXPECT_EQ(faultOf(copy + wait + barrier + read), nothing);
  EXPECT_EQ(faultOf(copy + barrier + read).first, "missing wait");
  EXPECT_EQ(faultOf(copy + barrier + wait + read).first, "missing wait"); // of the other warp
  std::string near = "xor.b32 %r5, %r3, 4; add.u32 %r5, %r5, %r2;\n";
  EXPECT_EQ(faultOf(copy + barrier + wait + near + read),
            Found("race", "ld.shared.u32 %r6, [%r5]"));
  EXPECT_EQ(faultOf(copy + wait + "bar.warp.sync -1;\n" + near + read), nothing);
  EXPECT_EQ(faultOf(copy + wait + read).first, "race");
  // Through an mbarrier that the copies arrive at.
  std::string init = "add.u32 %r7, %r2, 512; setp.ne.u32 %p1, %r1, 0; @%p1 bra over;\n"
                     "mbarrier.init.shared.b64 [%r7], 64;\nover: bar.sync 0;\n";
  std::string arrive = "cp.async.mbarrier.arrive.noinc.shared.b64 [%r7];\nwait:\n"
                       "mbarrier.try_wait.parity.shared.b64 %p2, [%r7], 0; @!%p2 bra wait;\n";
  EXPECT_EQ(faultOf(init + copy + arrive + read), nothing);
}

TEST(Check, BulkCopiesAreWaitedFor) {
  std::string init = "add.u32 %r7, %r2, 512; setp.ne.u32 %p1, %r1, 0; @%p1 bra over;\n"
                     "mbarrier.init.shared.b64 [%r7], 1;\nover: bar.sync 0;\n";
  std::string copy = "@%p1 bra behind;\nmbarrier.arrive.expect_tx.shared.b64 %d5, [%r7], 256;\n"
                     "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%r2], "
                     "[%d1], 256, [%r7];\n"
                     "behind:\n";
  std::string wait = "wait:\nmbarrier.try_wait.parity.shared.b64 %p2, [%r7], 0; @!%p2 bra wait;\n";
  std::string read = "ld.shared.u32 %r6, [%r4];";
  EXPECT_EQ(faultOf(init + copy + wait + read), nothing);
  EXPECT_EQ(faultOf(init + copy + read), Found("missing wait", "ld.shared.u32 %r6, [%r4]"));
  // A barrier does not wait for a copy.
  EXPECT_EQ(faultOf(init + copy + "bar.sync 0;" + read).first, "missing wait");
  EXPECT_EQ(faultOf(init + copy + "@%p1 bra out;\n" + wait + "out:\nbar.sync 0;" + read), nothing);
  EXPECT_EQ(faultOf(init + copy + "@%p1 bra out;\n" + wait + "out:\n" + read).first, "race");
}
