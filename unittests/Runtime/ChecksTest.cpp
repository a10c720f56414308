//===- ChecksTest.cpp - What a kernel said about its run ------------------===//
//
// Buffers as kernels leave them, full ones and overwritten ones included.
//
//===----------------------------------------------------------------------===//

#include "Mettle/Runtime/Checks.h"

#include "Mettle/Support/CheckBuffer.h"

#include "gtest/gtest.h"

using namespace llvm;
using namespace mettle;
using namespace mettle::runtime;

namespace {

const CheckSite sites[] = {
    {false, "n fits", {}},
    {true, "{} {{{}}} {}", {ElementType::I8, ElementType::F64, ElementType::Bool}},
    {true, "end", {}}};

class Checks : public testing::Test {
protected:
  void put(std::initializer_list<uint32_t> words, uint32_t at) {
    for (uint32_t word : words)
      buffer.setBitsAt(at++, word);
  }
  std::string failure() {
    Expected<CheckResults> results = readCheckBuffer(buffer, sites);
    return results ? "no error" : toString(results.takeError());
  }

  Buffer buffer = cantFail(makeCheckBuffer(64));
};

TEST(Format, PutsValuesInPlaces) {
  EXPECT_EQ(formatPrint("{} {{{}}} {}", sites[1].kinds, {0xffu, 0x3ff8000000000000u, 1u}),
            "-1 {1.5} true");
  EXPECT_EQ(formatPrint("", {}, {}), "");
  EXPECT_EQ(formatPrint("{{}}", {}, {}), "{}");
}

TEST_F(Checks, AnUntouchedBufferSaysNothing) {
  EXPECT_EQ(buffer.bitsAt(checks::Capacity), 64u);
  CheckResults results = cantFail(readCheckBuffer(buffer, sites));
  EXPECT_FALSE(results.failed);
  EXPECT_TRUE(results.prints.empty());
  EXPECT_EQ(results.lost, 0u);
}

TEST_F(Checks, AFailedAssertionNamesItsWorkItem) {
  put({1, 1, 7, 8, 9, 1, 2, 3}, checks::Failed);
  CheckResults results = cantFail(readCheckBuffer(buffer, sites));
  ASSERT_TRUE(results.failed);
  EXPECT_EQ(results.failed->site, 0u);
  EXPECT_EQ(results.failed->workItem, (Extents{7, 8, 9}));
  EXPECT_EQ(results.failed->workgroup, (Extents{1, 2, 3}));
}

TEST_F(Checks, PrintsAreSortedAndStayInOrderWithinAWorkItem) {
  // Of work-item 1, then 0, then 1 again; of workgroup 1 and then 0.
  put({3, 1, 0, 0, 0, 0, 0, 2, 0, 0, 0, 1, 0, 0, 0x80, 0, 0xbff00000, 0,
       3, 0, 0, 0, 0, 0, 0, 2, 1, 0, 0, 0, 0, 0, 5,    0, 0,          1},
      checks::Records);
  buffer.setBitsAt(checks::Asked, 36);
  buffer.setBitsAt(checks::Lost, 2);
  CheckResults results = cantFail(readCheckBuffer(buffer, sites));
  std::vector<std::string> texts;
  for (const Printed &print : results.prints)
    texts.push_back(print.text);
  EXPECT_EQ(texts, (std::vector<std::string>{"end", "end", "5 {0} true", "-128 {-1} false"}));
  EXPECT_EQ(results.lost, 2u);
}

TEST_F(Checks, ARecordThatFoundNoRoomEndsThem) {
  put({3, 0, 0, 0, 0, 0, 0}, checks::Records);
  // Two more were asked for: one that would end behind the buffer, and one behind it.
  buffer.setBitsAt(checks::Asked, 80);
  EXPECT_EQ(cantFail(readCheckBuffer(buffer, sites)).prints.size(), 1u);
}

TEST_F(Checks, AForeignBufferIsRefused) {
  constexpr const char *foreign =
      "the kernel has overwritten the buffer of its assertions and prints";
  put({1, 2}, checks::Failed); // A print's site.
  EXPECT_EQ(failure(), foreign);
  put({1, 0}, checks::Failed);
  EXPECT_EQ(failure(), foreign);
  put({1, 4}, checks::Failed);
  EXPECT_EQ(failure(), foreign);
  put({0, 0}, checks::Failed);
  buffer.setBitsAt(checks::Asked, 7);
  for (uint32_t site : {1u, 4u, 0xffffffffu}) {
    put({site}, checks::Records);
    EXPECT_EQ(failure(), foreign);
  }
}

} // namespace
