//===- MemoryTest.cpp - storage and accesses -===//
//
// What loads and stores move, and the errors of accesses that no device defines.
//
//===----------------------------------------------------------------------===//

#include "KernelTest.h"
#include <cstdlib>
#include <cstring>

using namespace mettle::interpreter;

namespace {
class MemoryTest : public KernelTest {
protected:
  /// Runs a kernel over one buffer "x" and an i64 "n", and returns its diagnostics.
  std::string runOn(const std::string &body, std::vector<uint8_t> &bytes, uint64_t n,
                    GlobalBuffer::Contents contents = GlobalBuffer::Contents::Initialised,
                    LaunchConfig config = {}) {
    Interpreter interpreter = load("mettle.kernel @k(%x: !mettle.ptr<i32, global>, %n: i64) {\n" +
                                   body + "mettle.return\n}\n");
    GlobalBuffer buffer("x", bytes.data(), bytes.size(), contents);
    return run(interpreter, {KernelArgument::pointer(buffer), KernelArgument::scalar(n, 64)},
               config);
  }
};

const std::string item = "work-item (0, 0, 0) of workgroup (0, 0, 0) ";

// Copies 16 bytes from one end of the buffer to the other through every type that fits.
TEST_F(MemoryTest, EveryAccessMovesItsBytes) {
  for (const char *element : {"i8", "i16", "i32", "i64", "f16", "bf16", "f32", "f64"}) {
    unsigned size = std::atoi(std::strpbrk(element, "1368")) / 8;
    for (unsigned count : {1, 2, 4, 8, 16}) {
      if (size * count > 16)
        continue;
      std::string pointer = std::string("!mettle.ptr<") + element + ", global>";
      std::string value =
          count == 1 ? element : "vector<" + std::to_string(count) + "x" + element + ">";
      std::vector<uint8_t> bytes(48);
      for (unsigned index = 0; index < 32; ++index)
        bytes[index] = 0x81 + 7 * index;
      std::vector<uint8_t> expected = bytes;
      std::memcpy(&expected[32], &bytes[16], size * count);
      ASSERT_EQ(runOn("%p = mettle.ptr_cast %x : !mettle.ptr<i32, global> to " + pointer +
                          "\n%from = arith.constant " + std::to_string(16 / size) +
                          " : i64\n%to = arith.constant " + std::to_string(32 / size) +
                          " : i64\n%pf = mettle.offset %p[%from] : " + pointer +
                          "\n%pt = mettle.offset %p[%to] : " + pointer +
                          "\n%v = mettle.load %pf : " + pointer + " -> " + value +
                          "\nmettle.store %v, %pt : " + value + ", " + pointer + "\n",
                      bytes, 0),
                "");
      ASSERT_EQ(bytes, expected) << value;
    }
  }
}

const std::string readElement = "%p = mettle.offset %x[%n] : !mettle.ptr<i32, global>\n"
                                "%v = mettle.load %p : !mettle.ptr<i32, global> -> i32\n";
const std::string writeElement = "%p = mettle.offset %x[%n] : !mettle.ptr<i32, global>\n"
                                 "%v = arith.constant 7 : i32\n"
                                 "mettle.store %v, %p : i32, !mettle.ptr<i32, global>\n";

TEST_F(MemoryTest, OutOfBounds) {
  std::vector<uint8_t> bytes(16);
  EXPECT_EQ(runOn(readElement, bytes, 3), "");
  EXPECT_EQ(runOn(readElement, bytes, 4),
            "k:3:6: error: " + item + "reads 4 bytes at byte 16 of 'x', which has 16\n");
  EXPECT_EQ(runOn(readElement, bytes, -1),
            "k:3:6: error: " + item + "reads 4 bytes at byte -4 of 'x', which has 16\n");
  EXPECT_EQ(runOn(writeElement, bytes, 4),
            "k:4:1: error: " + item + "writes 4 bytes at byte 16 of 'x', which has 16\n");
  // Half of the element is inside.
  std::vector<uint8_t> odd(18);
  EXPECT_EQ(runOn(readElement, odd, 4),
            "k:3:6: error: " + item + "reads 4 bytes at byte 16 of 'x', which has 18\n");
  // 2^32 elements on: a 32-bit address would be back at the start.
  EXPECT_EQ(runOn(readElement, bytes, uint64_t(1) << 32),
            "k:3:6: error: " + item + "reads 4 bytes at byte 17179869184 of 'x', which has 16\n");
}

TEST_F(MemoryTest, FarElements) {
  const uint64_t element = 600000000, size = (element + 1) * 4;
  // Pages that nobody touches cost nothing.
  std::unique_ptr<uint8_t, void (*)(void *)> memory(static_cast<uint8_t *>(std::calloc(size, 1)),
                                                    std::free);
  if (!memory)
    GTEST_SKIP() << "no address space of " << size << " bytes";
  Interpreter interpreter = load("mettle.kernel @k(%x: !mettle.ptr<i32, global>, %n: i64) {\n" +
                                 writeElement + "mettle.return\n}\n");
  GlobalBuffer buffer("x", memory.get(), size, GlobalBuffer::Contents::Uninitialised);
  EXPECT_EQ(
      run(interpreter, {KernelArgument::pointer(buffer), KernelArgument::scalar(element, 64)}), "");
  EXPECT_EQ(memory.get()[element * 4], 7);
}

TEST_F(MemoryTest, Misaligned) {
  std::vector<uint8_t> bytes(32);
  std::string pair = "%p = mettle.offset %x[%n] : !mettle.ptr<i32, global>\n"
                     "%v = mettle.load %p ALIGN: !mettle.ptr<i32, global> -> vector<2xi32>\n";
  std::string natural = pair, stated = pair;
  natural.replace(natural.find("ALIGN"), 5, "");
  stated.replace(stated.find("ALIGN"), 5, "align 4 ");
  EXPECT_EQ(runOn(natural, bytes, 2), "");
  EXPECT_EQ(runOn(natural, bytes, 3), "k:3:6: error: " + item +
                                          "reads 8 bytes at byte 12 of 'x', which is not a "
                                          "multiple of 8\n");
  EXPECT_EQ(runOn(stated, bytes, 3), "");
}

TEST_F(MemoryTest, UninitialisedGlobalMemory) {
  std::vector<uint8_t> bytes(16);
  auto uninitialised = GlobalBuffer::Contents::Uninitialised;
  EXPECT_EQ(runOn(readElement, bytes, 1, uninitialised),
            "k:3:6: error: " + item +
                "reads 4 bytes at byte 4 of 'x', which nothing has written\n");
  EXPECT_EQ(runOn(writeElement + "%w = mettle.load %p : !mettle.ptr<i32, global> -> i32\n", bytes,
                  1, uninitialised),
            "");
  // One byte of four is not enough.
  EXPECT_EQ(runOn("%b = mettle.ptr_cast %x : !mettle.ptr<i32, global> to !mettle.ptr<i8, global>\n"
                  "%v = arith.constant 7 : i8\n"
                  "mettle.store %v, %b : i8, !mettle.ptr<i8, global>\n"
                  "%w = mettle.load %x : !mettle.ptr<i32, global> -> i32\n",
                  bytes, 0, uninitialised),
            "k:5:6: error: " + item +
                "reads 4 bytes at byte 0 of 'x', which nothing has written\n");
}

TEST_F(MemoryTest, WhatALaunchWroteIsInitialisedForTheNext) {
  Interpreter interpreter = load(R"(
mettle.kernel @k(%x: !mettle.ptr<i32, global>, %write: i32) {
  %zero = arith.constant 0 : i32
  %writes = arith.cmpi ne, %write, %zero : i32
  scf.if %writes {
    mettle.store %write, %x : i32, !mettle.ptr<i32, global>
  } else {
    %v = mettle.load %x : !mettle.ptr<i32, global> -> i32
  }
  mettle.return
}
)");
  std::vector<uint32_t> words(1);
  GlobalBuffer buffer("x", words.data(), 4, GlobalBuffer::Contents::Uninitialised);
  KernelArgument pointer = KernelArgument::pointer(buffer);
  EXPECT_NE(run(interpreter, {pointer, KernelArgument::scalar(0, 32)}), "");
  EXPECT_EQ(run(interpreter, {pointer, KernelArgument::scalar(9, 32)}), "");
  EXPECT_EQ(run(interpreter, {pointer, KernelArgument::scalar(0, 32)}), "");
  EXPECT_EQ(words[0], 9u);
}

TEST_F(MemoryTest, WorkgroupAndPrivateArraysStartUninitialised) {
  for (std::string space : {"workgroup", "private"}) {
    std::string pointer = "!mettle.ptr<i32, " + space + ">";
    std::string array =
        "%a = mettle.alloc[4] : " + pointer + "\n%p = mettle.offset %a[%n] : " + pointer + "\n";
    std::string name = space == "private" ? "a private array" : "a workgroup array";
    std::vector<uint8_t> bytes(4);
    EXPECT_EQ(runOn(array + "%v = mettle.load %p : " + pointer + " -> i32\n", bytes, 1),
              "k:4:6: error: " + item + "reads 4 bytes at byte 4 of " + name +
                  ", which nothing has written\nk:2:6: note: it is declared here\n");
    EXPECT_EQ(runOn(array + "%v = mettle.load %p : " + pointer + " -> i32\n", bytes, 4),
              "k:4:6: error: " + item + "reads 4 bytes at byte 16 of " + name +
                  ", which has 16\nk:2:6: note: it is declared here\n");
    // Every workgroup and every work-item starts anew: the second one must not see the first's.
    std::string writeThenRead =
        array +
        "%one = arith.constant 1 : i32\n%block = mettle.block_id x\n"
        "%zero = arith.constant 0 : i32\n%first = arith.cmpi eq, %block, %zero : i32\n"
        "scf.if %first {\nmettle.store %one, %p : i32, " +
        pointer + "\n}\n%v = mettle.load %p : " + pointer + " -> i32\n";
    LaunchConfig config;
    config.grid = {2, 1, 1};
    std::string text = runOn(writeThenRead, bytes, 1, GlobalBuffer::Contents::Initialised, config);
    EXPECT_NE(text.find("work-item (0, 0, 0) of workgroup (1, 0, 0) reads"), std::string::npos)
        << text;
  }
}

TEST_F(MemoryTest, DynamicWorkgroupMemory) {
  std::string body = "%d = mettle.dynamic_workgroup : !mettle.ptr<i32, workgroup>\n"
                     "%e = mettle.dynamic_workgroup : !mettle.ptr<i64, workgroup>\n"
                     "%one = arith.constant 1 : i64\n"
                     "%q = mettle.offset %e[%one] : !mettle.ptr<i64, workgroup>\n"
                     "mettle.store %n, %q : i64, !mettle.ptr<i64, workgroup>\n"
                     "%two = arith.constant 2 : i64\n"
                     "%p = mettle.offset %d[%two] : !mettle.ptr<i32, workgroup>\n"
                     "%v = mettle.load %p : !mettle.ptr<i32, workgroup> -> i32\n"
                     "mettle.store %v, %x : i32, !mettle.ptr<i32, global>\n";
  std::vector<uint8_t> bytes(4);
  LaunchConfig config;
  config.dynamicWorkgroupBytes = 16;
  EXPECT_EQ(runOn(body, bytes, 0x1122334455667788, GlobalBuffer::Contents::Initialised, config),
            "");
  EXPECT_EQ(bytes, (std::vector<uint8_t>{0x88, 0x77, 0x66, 0x55}));
  config.dynamicWorkgroupBytes = 15;
  EXPECT_EQ(runOn(body, bytes, 0, GlobalBuffer::Contents::Initialised, config),
            "k:6:1: error: " + item +
                "writes 8 bytes at byte 8 of the dynamic workgroup memory, which has 15\n");
}

TEST_F(MemoryTest, MoreThanADeviceHas) {
  std::vector<uint8_t> bytes(4);
  LaunchConfig config;
  config.dynamicWorkgroupBytes = uint64_t(1) << 28;
  EXPECT_EQ(runOn("%a = mettle.alloc[1] : !mettle.ptr<i8, workgroup>\n", bytes, 0,
                  GlobalBuffer::Contents::Initialised, config),
            "k:1:1: error: expected at most 268435456 bytes of workgroup memory, got 268435457\n");
  config.dynamicWorkgroupBytes = 0;
  config.block = {1024, 1, 1};
  EXPECT_EQ(runOn("%a = mettle.alloc[1048577] : !mettle.ptr<i8, private>\n", bytes, 0,
                  GlobalBuffer::Contents::Initialised, config),
            "k:1:1: error: expected at most 1073741824 bytes of private memory in a workgroup, got "
            "1024 times 1048577\n");
}

TEST_F(MemoryTest, GenericPointers) {
  std::string array = "%a = mettle.alloc[4] : !mettle.ptr<i32, private>\n"
                      "%g = mettle.space_cast %a : !mettle.ptr<i32, private> to "
                      "!mettle.ptr<i32, generic>\n";
  std::vector<uint8_t> bytes(4);
  EXPECT_EQ(runOn(array + "%v = arith.constant 5 : i32\n"
                          "mettle.store %v, %g : i32, !mettle.ptr<i32, generic>\n"
                          "%back = mettle.space_cast %g : !mettle.ptr<i32, generic> to "
                          "!mettle.ptr<i32, private>\n"
                          "%w = mettle.load %back : !mettle.ptr<i32, private> -> i32\n"
                          "mettle.store %w, %x : i32, !mettle.ptr<i32, global>\n",
                  bytes, 0),
            "");
  EXPECT_EQ(bytes[0], 5);
  EXPECT_EQ(runOn(array + "%other = mettle.space_cast %g : !mettle.ptr<i32, generic> to "
                          "!mettle.ptr<i32, workgroup>\n",
                  bytes, 0),
            "k:4:10: error: " + item +
                "casts a pointer to workgroup memory that points into a private array in private "
                "memory\nk:2:6: note: it is declared here\n");
}
} // namespace
