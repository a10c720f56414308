//===- DriverTest.cpp - Finding the driver and its devices ----------------===//
//
// Present, absent, of the wrong kind, and failing.
//
//===----------------------------------------------------------------------===//

#include "FakeDriver.h"

using namespace llvm;
using namespace mettle::runtime::cuda;

namespace {

using CUDADriver = FakeDriverTest;

TEST_F(CUDADriver, TellsItsDevices) {
  auto fake = driver();
  EXPECT_EQ(cantFail(fake->version()), 13000u);
  EXPECT_EQ(cantFail(fake->deviceCount()), 2);
  DeviceInfo info = cantFail(fake->device(1));
  EXPECT_EQ(info.ordinal, 1);
  EXPECT_EQ(info.name, "Fake GPU 1");
  EXPECT_EQ(info.capability.major, 9u);
  EXPECT_EQ(info.capability.minor, 0u);
  EXPECT_EQ(info.multiprocessors, 132u);
  EXPECT_EQ(info.memory, uint64_t(1) << 37);
  EXPECT_EQ(info.sharedPerBlock, 102400u);
}

TEST_F(CUDADriver, UnknownDeviceIsAnError) {
  for (int ordinal : {-1, 2}) {
    Expected<DeviceInfo> info = driver()->device(ordinal);
    ASSERT_FALSE(bool(info));
    EXPECT_EQ(toString(info.takeError()),
              "expected a CUDA device below 2, found " + std::to_string(ordinal));
  }
}

TEST_F(CUDADriver, AbsentDriverIsAnError) {
  auto loaded = Driver::load("libmettle-no-such-driver.so.1");
  ASSERT_FALSE(bool(loaded));
  EXPECT_EQ(toString(loaded.takeError()), "no CUDA driver found (libmettle-no-such-driver.so.1)");
}

TEST_F(CUDADriver, OtherLibraryIsAnError) {
  auto loaded = Driver::load("libc.so.6");
  ASSERT_FALSE(bool(loaded));
  EXPECT_EQ(toString(loaded.takeError()), "expected cuGetErrorName in the CUDA driver, found none "
                                          "(libc.so.6)");
}

TEST_F(CUDADriver, ErrorsHaveTheDriversWords) {
  fail("cuInit", 2);
  auto loaded = Driver::load(library);
  ASSERT_FALSE(bool(loaded));
  EXPECT_EQ(toString(loaded.takeError()),
            "CUDA driver: cuInit failed: CUDA_ERROR_OUT_OF_MEMORY (out of "
            "memory)");
  fail("cuInit", 12345);
  loaded = Driver::load(library);
  ASSERT_FALSE(bool(loaded));
  EXPECT_EQ(toString(loaded.takeError()), "CUDA driver: cuInit failed with code 12345");
}

TEST_F(CUDADriver, QueryAnswersOrIsSilent) {
  std::optional<ComputeCapability> capability = queryLocalDevice(library);
  ASSERT_TRUE(capability);
  EXPECT_EQ(capability->major, 12u);
  EXPECT_EQ(capability->minor, 1u);
  EXPECT_FALSE(queryLocalDevice("libmettle-no-such-driver.so.1"));
  for (const char *function : {"cuInit", "cuDeviceGet", "cuDeviceGetAttribute"}) {
    fail(function, 2);
    EXPECT_FALSE(queryLocalDevice(library)) << function;
  }
}

} // namespace
