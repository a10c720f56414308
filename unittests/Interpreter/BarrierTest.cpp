//===- BarrierTest.cpp - work-items that share memory -===//
//
// Barriers, and the races and divergence that the sanitizer reports.
//
//===----------------------------------------------------------------------===//

#include "KernelTest.h"
#include "Random.h"

using namespace mettle::interpreter;

namespace {
class BarrierTest : public KernelTest {
protected:
  std::string runItems(const std::string &text, uint32_t items, uint32_t groups = 1) {
    Interpreter interpreter = load(text);
    out.assign(items * groups, 0);
    GlobalBuffer buffer = bufferOf("out", out);
    LaunchConfig config;
    config.block = {items, 1, 1};
    config.grid = {groups, 1, 1};
    config.reportGlobalRaces = reportGlobalRaces;
    return run(interpreter, {KernelArgument::pointer(buffer)}, config);
  }

  std::vector<uint32_t> out;
  bool reportGlobalRaces = true;
};

// Every work-item hands its id to its neighbour, through whatever BARRIER stands between.
std::string neighbours(const std::string &barrier) {
  return R"(
mettle.kernel @k(%out: !mettle.ptr<i32, global>) {
  %tile = mettle.alloc[64] : !mettle.ptr<i32, workgroup>
  %i = mettle.thread_id x
  %n = mettle.block_dim x
  %block = mettle.block_id x
  %one = arith.constant 1 : i32
  %at = arith.extui %i : i32 to i64
  %mine = mettle.offset %tile[%at] : !mettle.ptr<i32, workgroup>
  mettle.store %i, %mine : i32, !mettle.ptr<i32, workgroup>
  )" + barrier +
         R"(
  %next = arith.addi %i, %one : i32
  %wrapped = arith.remui %next, %n : i32
  %from = arith.extui %wrapped : i32 to i64
  %theirs = mettle.offset %tile[%from] : !mettle.ptr<i32, workgroup>
  %v = mettle.load %theirs : !mettle.ptr<i32, workgroup> -> i32
  %first = arith.muli %block, %n : i32
  %place = arith.addi %first, %i : i32
  %to = arith.extui %place : i32 to i64
  %p = mettle.offset %out[%to] : !mettle.ptr<i32, global>
  mettle.store %v, %p : i32, !mettle.ptr<i32, global>
  mettle.return
}
)";
}

TEST_F(BarrierTest, HandsValuesOver) {
  for (const char *barrier :
       {"mettle.barrier workgroup, acq_rel", "mettle.barrier workgroup|global, seq_cst"}) {
    ASSERT_EQ(runItems(neighbours(barrier), 64, 3), "");
    for (unsigned place = 0; place < out.size(); ++place)
      ASSERT_EQ(out[place], (place % 64 + 1) % 64);
  }
}

TEST_F(BarrierTest, WithoutOneTheAccessesRace) {
  // In order, work-item 0 reads its neighbour's element first: nothing has written that.
  EXPECT_EQ(
      runItems(neighbours(""), 2),
      "k:15:8: error: work-item (0, 0, 0) of workgroup (0, 0, 0) reads 4 bytes at byte 4 of a "
      "workgroup array, which nothing has written\nk:2:11: note: it is declared here\n");
}

// A barrier that does not order workgroup memory, or only in one direction.
TEST_F(BarrierTest, OneThatDoesNotOrderTheMemoryIsNotEnough) {
  for (const char *barrier : {"mettle.barrier global, acq_rel", "mettle.barrier workgroup, acquire",
                              "mettle.barrier workgroup, release"})
    EXPECT_EQ(
        runItems(neighbours(barrier), 2),
        "k:15:8: error: work-item (0, 0, 0) of workgroup (0, 0, 0) reads 4 bytes at byte 4 of "
        "a workgroup array, which work-item (1, 0, 0) of workgroup (0, 0, 0) writes with no "
        "barrier between\nk:9:3: note: the other access is here\n")
        << barrier;
}

TEST_F(BarrierTest, RacesInGlobalMemory) {
  std::string text = R"(
mettle.kernel @k(%out: !mettle.ptr<i32, global>) {
  %i = mettle.thread_id x
  mettle.store %i, %out : i32, !mettle.ptr<i32, global>
  mettle.return
}
)";
  EXPECT_EQ(runItems(text, 2),
            "k:3:3: error: work-item (1, 0, 0) of workgroup (0, 0, 0) writes 4 bytes at byte 0 of "
            "'out', which work-item (0, 0, 0) of workgroup (0, 0, 0) writes with no barrier "
            "between\nk:3:3: note: the other access is here\n");
  // No barrier orders two workgroups.
  EXPECT_EQ(runItems(text, 1, 2),
            "k:3:3: error: work-item (0, 0, 0) of workgroup (1, 0, 0) writes 4 bytes at byte 0 of "
            "'out', which work-item (0, 0, 0) of workgroup (0, 0, 0) writes, and nothing orders "
            "workgroups\nk:3:3: note: the other access is here\n");
  reportGlobalRaces = false;
  EXPECT_EQ(runItems(text, 2, 2), "");
}

TEST_F(BarrierTest, DivergentBarriers) {
  auto kernel = [](const std::string &otherwise) {
    return R"(
mettle.kernel @k(%out: !mettle.ptr<i32, global>) {
  %i = mettle.thread_id x
  %two = arith.constant 2 : i32
  %low = arith.cmpi ult, %i, %two : i32
  scf.if %low {
    mettle.barrier workgroup, acq_rel
  } )" + otherwise +
           R"(
  mettle.return
}
)";
  };
  EXPECT_EQ(runItems(kernel(""), 2), "");
  EXPECT_EQ(runItems(kernel(""), 4),
            "k:6:5: error: work-item (0, 0, 0) of workgroup (0, 0, 0) waits at this barrier, which "
            "work-item (2, 0, 0) of workgroup (0, 0, 0) has returned without reaching\n");
  EXPECT_EQ(runItems(kernel("else {\n    mettle.barrier workgroup, acq_rel\n  }"), 4),
            "k:6:5: error: work-item (0, 0, 0) of workgroup (0, 0, 0) waits at this barrier, which "
            "work-item (2, 0, 0) of workgroup (0, 0, 0) does not reach\n"
            "k:8:5: note: it waits at this one\n");
}

TEST_F(BarrierTest, DivergentCollectives) {
  auto kernel = [](const std::string &body) {
    return R"(
mettle.kernel @k(%out: !mettle.ptr<i32, global>) {
  %i = mettle.thread_id x
  %two = arith.constant 2 : i32
  %low = arith.cmpi ult, %i, %two : i32
)" + body + R"(
  mettle.return
}
)";
  };
  EXPECT_EQ(runItems(kernel(R"(  scf.if %low {
    %a = mettle.subgroup_reduce add %i : i32
  } else {
    %b = mettle.subgroup_reduce umax %i : i32
  })"),
                     4),
            "k:6:10: error: work-item (0, 0, 0) of workgroup (0, 0, 0) waits at this collective of "
            "its subgroup, which work-item (2, 0, 0) of workgroup (0, 0, 0) does not reach\n"
            "k:8:10: note: it waits at this one\n");
  EXPECT_EQ(runItems(kernel("  %v = mettle.subgroup_broadcast %i, %i : i32"), 4),
            "k:5:8: error: work-item (1, 0, 0) of workgroup (0, 0, 0) broadcasts lane 1, where "
            "another lane has 0\n");
}

TEST_F(BarrierTest, FaultsInHelpersShowTheCalls) {
  EXPECT_EQ(runItems(R"(
mettle.kernel @k(%out: !mettle.ptr<i32, global>) {
  func.call @outer(%out) : (!mettle.ptr<i32, global>) -> ()
  mettle.return
}
func.func @outer(%p: !mettle.ptr<i32, global>) {
  func.call @inner(%p) : (!mettle.ptr<i32, global>) -> ()
  return
}
func.func @inner(%p: !mettle.ptr<i32, global>) {
  mettle.barrier global, acq_rel
  %far = arith.constant 9 : i64
  %q = mettle.offset %p[%far] : !mettle.ptr<i32, global>
  %v = mettle.load %q : !mettle.ptr<i32, global> -> i32
  return
}
)",
                     2),
            "k:13:8: error: work-item (0, 0, 0) of workgroup (0, 0, 0) reads 4 bytes at byte 36 of "
            "'out', which has 8\nk:6:3: note: in 'inner', called here\n"
            "k:2:3: note: in 'outer', called here\n");
}

TEST_F(BarrierTest, StepLimit) {
  Interpreter interpreter = load(R"(
mettle.kernel @k() {
  cf.br ^again
^again:
  mettle.barrier workgroup, acq_rel
  cf.br ^again
}
)");
  LaunchConfig config;
  config.stepLimit = 1000;
  EXPECT_EQ(run(interpreter, {}, config),
            "k:4:3: error: work-item (0, 0, 0) of workgroup (0, 0, 0) has executed 1000 "
            "instructions, which is the limit\n");
  EXPECT_EQ(statistics.instructions, 1000u);
}

// Random accesses of four work-items in a few intervals, against a brute-force search of all pairs
// for a race: the report comes if and only if there is one.
TEST_F(BarrierTest, RacesAgainstAllPairs) {
  struct Access {
    unsigned at, bytes;
    bool writes;
  };
  constexpr unsigned items = 4, intervals = 3, each = 2, arrayBytes = 256;
  Random random(7);
  unsigned racy = 0, rounds = caseCount(400, 5000);
  for (unsigned round = 0; round < rounds; ++round) {
    // Few distinct places make races likely, many make them rare.
    unsigned spread = 1 + random.below(arrayBytes / 8);
    Access accesses[intervals][items][each];
    std::string body = "%tile = mettle.alloc[256] : !mettle.ptr<i8, workgroup>\n"
                       "%i = mettle.thread_id x\n%index = arith.index_castui %i : i32 to index\n";
    unsigned id = 0;
    // Work-item 0 writes everything first, so that no read is of uninitialised bytes.
    body += "%zero = arith.constant 0 : i32\n%z64 = arith.constant 0 : i64\n"
            "%is0 = arith.cmpi eq, %i, %zero : i32\nscf.if %is0 {\n";
    for (unsigned at = 0; at < arrayBytes; at += 8)
      body +=
          "%o" + std::to_string(at) + " = arith.constant " + std::to_string(at) + " : i64\n%q" +
          std::to_string(at) + " = mettle.offset %tile[%o" + std::to_string(at) +
          "] : !mettle.ptr<i8, workgroup>\n%w" + std::to_string(at) + " = mettle.ptr_cast %q" +
          std::to_string(at) +
          " : !mettle.ptr<i8, workgroup> to !mettle.ptr<i64, workgroup>\nmettle.store %z64, %w" +
          std::to_string(at) + " : i64, !mettle.ptr<i64, workgroup>\n";
    body += "}\nmettle.barrier workgroup, acq_rel\n";
    for (auto &interval : accesses) {
      body += "scf.index_switch %index\n";
      for (unsigned item = 0; item < items; ++item) {
        body += item + 1 < items ? "case " + std::to_string(item) + " {\n" : "default {\n";
        for (Access &access : interval[item]) {
          access.bytes = 1u << random.below(4);
          access.at = random.below(spread) * 8 + random.below(8 / access.bytes) * access.bytes;
          access.writes = random.below(6) == 0;
          std::string n = std::to_string(id++), type = "i" + std::to_string(access.bytes * 8);
          body += "%a" + n + " = arith.constant " + std::to_string(access.at) + " : i64\n%b" + n +
                  " = mettle.offset %tile[%a" + n + "] : !mettle.ptr<i8, workgroup>\n%p" + n +
                  " = mettle.ptr_cast %b" + n + " : !mettle.ptr<i8, workgroup> to !mettle.ptr<" +
                  type + ", workgroup>\n";
          body += access.writes
                      ? "%v" + n + " = arith.constant 1 : " + type + "\nmettle.store %v" + n +
                            ", %p" + n + " : " + type + ", !mettle.ptr<" + type + ", workgroup>\n"
                      : "%v" + n + " = mettle.load %p" + n + " : !mettle.ptr<" + type +
                            ", workgroup> -> " + type + "\n";
        }
        body += "scf.yield\n}\n";
      }
      body += "mettle.barrier workgroup, acq_rel\n";
    }
    bool expected = false;
    for (auto &interval : accesses)
      for (unsigned a = 0; a < items; ++a)
        for (unsigned b = a + 1; b < items; ++b)
          for (const Access &x : interval[a])
            for (const Access &y : interval[b])
              expected |= (x.writes || y.writes) && x.at < y.at + y.bytes && y.at < x.at + x.bytes;
    std::string text = runItems("mettle.kernel @k(%out: !mettle.ptr<i32, global>) {\n" + body +
                                    "mettle.return\n}\n",
                                items);
    ASSERT_EQ(text.find("with no barrier between") != std::string::npos, expected) << body << text;
    ASSERT_EQ(text.empty(), !expected) << text;
    racy += expected;
  }
  // The test has power in both directions.
  EXPECT_GT(racy, rounds / 10);
  EXPECT_LT(racy, rounds * 9 / 10);
}
} // namespace
