//===- RaceRoadsTest.cpp - One verdict on every road ------------------------===//
//
// Accesses of a whole warp are checked in vectors where they can be, and lane by lane elsewhere.
// Here random accesses run both ways: as one instruction of the warp, and as 32 that are guarded
// for one lane each. The verdict must be the same: the same fault at the same access by the same
// thread, or none. Every instruction set of the host takes its turn.
//
//===----------------------------------------------------------------------===//

#include "Kernels.h"
#include "llvm/ADT/StringRef.h"
#include <random>

using namespace mettle::emulator;

namespace {

struct Touch {
  bool isLoad, isShared, isBarrier, isPart;
  unsigned shape, amount, bytes;
};

Touch draw(std::mt19937 &random) {
  auto one = [&](unsigned of) { return unsigned(random() % of); };
  return {one(3) != 0, one(2) != 0, one(4) == 0, one(4) == 0, one(6), one(32), one(3) ? 4u : 8u};
}

/// %r5: which element of 64 the thread %r1 touches.
std::string place(const Touch &touch) {
  std::string amount = std::to_string(touch.amount);
  switch (touch.shape) {
  case 0: // in order, shifted a little
    return "add.u32 %r5, %r1, " + std::to_string(touch.amount % 4) + ";";
  case 1: // permuted within the warp
    return "xor.b32 %r5, %r1, " + amount + ";";
  case 2: // permuted over the block
    return "xor.b32 %r5, %r1, " + std::to_string(touch.amount * 2 + 1) + ";";
  case 3: // one for all, or one a warp
    return touch.amount % 2 ? "mov.u32 %r5, " + amount + ";" : "and.b32 %r5, %r1, 32;";
  case 4: // groups of lanes
    return "shr.u32 %r5, %r1, " + std::to_string(touch.amount % 3) +
           "; and.b32 %r6, %r1, 32; "
           "or.b32 %r5, %r5, %r6;";
  default: // an odd stride
    return "mul.lo.u32 %r5, %r1, " + std::to_string(touch.amount | 1) + ";";
  }
}

std::string access(const Touch &touch, const std::string &guard) {
  std::string type = touch.bytes == 4 ? ".b32" : ".b64", word = touch.bytes == 4 ? "%r8" : "%d8";
  std::string space = touch.isShared ? ".shared" : ".global";
  std::string address = touch.isShared ? "[%r7]" : "[%d7]";
  return guard +
         (touch.isLoad ? "ld" + space + type + " " + word + ", " + address
                       : "st" + space + type + " " + address + ", " + word) +
         ";\n";
}

/// `apart`: each lane by itself.
std::string program(const std::vector<Touch> &touches, bool apart) {
  std::string text = ".shared .align 16 .b8 words[512];\nmov.u32 %r1, %tid.x; mov.u32 %r2, words;\n"
                     "ld.param.u64 %d1, [p0];\n"
                     // What every thread may read: all of shared memory is written.
                     "shl.b32 %r3, %r1, 3; add.u32 %r3, %r3, %r2; mov.u64 %d8, 0;\n"
                     "st.shared.b64 [%r3], %d8; bar.sync 0;\nand.b32 %r9, %r1, 31;\n";
  for (size_t i = 0; i < touches.size(); ++i) {
    const Touch &touch = touches[i];
    text += "// access " + std::to_string(i) + "\n";
    if (touch.isBarrier)
      text += "bar.sync 0;\n";
    text += place(touch) + " and.b32 %r5, %r5, 63; mul.lo.u32 %r5, %r5, " +
            std::to_string(touch.bytes) +
            "; add.u32 %r7, %r2, %r5; cvt.u64.u32 %d7, %r5; "
            "add.u64 %d7, %d7, %d1; add.u32 %r8, %r1, " +
            std::to_string(i) + "; cvt.u64.u32 %d8, %r8;\n";
    unsigned lanes = touch.isPart ? 20 : 32;
    if (!apart) {
      text += "setp.lt.u32 %p1, %r9, " + std::to_string(lanes) + ";\n" +
              access(touch, touch.isPart ? "@%p1 " : "");
      continue;
    }
    for (unsigned lane = 0; lane < lanes; ++lane)
      text += "setp.eq.u32 %p1, %r9, " + std::to_string(lane) + ";\n" + access(touch, "@%p1 ");
  }
  return entry(text + "ret;");
}

/// Kind, access and thread of the fault, or nothing.
std::string verdict(const std::string &text) {
  std::vector<std::vector<uint8_t>> buffers(1, std::vector<uint8_t>(512));
  RunOptions options;
  options.checks = true;
  Outcome outcome = runText(text, buffers, {{1, 1, 1}, {64, 1, 1}, 0, {}}, options);
  if (!outcome.fault)
    return outcome.error;
  llvm::StringRef before = llvm::StringRef(text).take_front(outcome.fault->offset);
  llvm::StringRef number = before.substr(before.rfind("// access ")).split('\n').first;
  return name(outcome.fault->kind).str() + " at " + number.str() + " in thread " +
         std::to_string(outcome.fault->thread[0]) + ": " + outcome.error;
}

} // namespace

TEST(RaceRoads, AgreeOnRandomAccesses) {
  unsigned races = 0, clean = 0;
  for (HostISA isa : {HostISA::Portable, HostISA::AVX2, HostISA::AVX512}) {
    if (!setHostISA(isa))
      continue;
    std::mt19937 random(7);
    for (unsigned round = 0; round < 1000; ++round) {
      std::vector<Touch> touches(1 + random() % 5);
      for (Touch &touch : touches)
        touch = draw(random);
      std::string whole = program(touches, false);
      std::string found = verdict(whole);
      ASSERT_EQ(found, verdict(program(touches, true))) << whole;
      ++(found.empty() ? clean : races);
    }
  }
  setHostISA(HostISA::Best);
  EXPECT_GT(races, 500u);
  EXPECT_GT(clean, 500u);
}
