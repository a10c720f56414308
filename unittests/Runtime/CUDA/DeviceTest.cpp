//===- DeviceTest.cpp - The runtime on a real device ----------------------===//
//
// A program of its own, which integration/Runtime/cuda.test runs where there is
// a GPU: real PTX, real bits, and the driver's own words for what is wrong.
//
//===----------------------------------------------------------------------===//

#include "Mettle/Runtime/CUDA/Context.h"
#include "Mettle/Runtime/Fill.h"

#include "gtest/gtest.h"

#include <cmath>
#include <cstring>

using namespace llvm;
using namespace mettle::runtime;
using namespace mettle::runtime::cuda;

namespace {

/// y[i] += x[i] in f32, one element a thread; the block is in dynamic memory.
constexpr StringLiteral axpyPTX = R"(
.version 6.4
.target sm_75
.address_size 64
.extern .shared .align 4 .b8 dynamic[];
.visible .entry axpy(.param .u64 x, .param .u64 y, .param .f32 a, .param .u32 n) {
  .reg .pred %p;
  .reg .u32 %i, %t, %n, %s;
  .reg .u64 %x, %y, %o;
  .reg .f32 %a, %u, %v;
  ld.param.u64 %x, [x];
  ld.param.u64 %y, [y];
  ld.param.f32 %a, [a];
  ld.param.u32 %n, [n];
  mov.u32 %t, %tid.x;
  mov.u32 %i, %ctaid.x;
  mov.u32 %s, %ntid.x;
  mad.lo.u32 %i, %i, %s, %t;
  setp.ge.u32 %p, %i, %n;
  @%p bra done;
  mul.wide.u32 %o, %i, 4;
  add.u64 %x, %x, %o;
  add.u64 %y, %y, %o;
  ld.global.f32 %u, [%x];
  mov.u32 %s, dynamic;
  mad.lo.u32 %s, %t, 4, %s;
  st.shared.f32 [%s], %u;
  ld.shared.f32 %u, [%s];
  ld.global.f32 %v, [%y];
  fma.rn.f32 %v, %a, %u, %v;
  st.global.f32 [%y], %v;
done:
  ret;
}
)";

class CUDADevice : public testing::Test {
protected:
  void SetUp() override {
    auto loaded = Driver::load();
    ASSERT_TRUE(bool(loaded)) << toString(loaded.takeError());
    driver = *loaded;
  }

  std::vector<LaunchArgument> arguments(StringRef contents) {
    std::vector<LaunchArgument> result;
    result.push_back({cantFail(filledBuffer(ElementType::F32, {1000}, contents))});
    result.push_back({cantFail(filledBuffer(ElementType::F32, {1000}, "rand:2"))});
    result.push_back({Scalar{ElementType::F32, 0x40200000}}); // 2.5
    result.push_back({Scalar{ElementType::I32, 1000}});
    return result;
  }

  std::shared_ptr<const Driver> driver;
  LaunchConfig config{{4, 1, 1}, {256, 1, 1}, 1024};
};

TEST_F(CUDADevice, IsDescribed) {
  DeviceInfo info = cantFail(driver->device(0));
  EXPECT_FALSE(info.name.empty());
  EXPECT_GE(info.capability.major, 5u);
  EXPECT_GT(info.memory, 0u);
  std::optional<ComputeCapability> capability = queryLocalDevice();
  ASSERT_TRUE(capability);
  EXPECT_EQ(capability->major, info.capability.major);
  EXPECT_EQ(capability->minor, info.capability.minor);
  EXPECT_GE(cantFail(driver->version()), 10000u);
}

TEST_F(CUDADevice, ReturnsTheBitsOfTheHost) {
  Context context = cantFail(Context::open(driver));
  for (StringRef contents : {"rand:1", "special:1", "iota"}) {
    std::vector<LaunchArgument> values = arguments(contents);
    std::vector<LaunchArgument> before = arguments(contents);
    ASSERT_EQ(toString(run(context, axpyPTX, "axpy", config, values)), "");
    const Buffer &x = std::get<Buffer>(before[0].value);
    const Buffer &y = std::get<Buffer>(before[1].value);
    const Buffer &result = std::get<Buffer>(values[1].value);
    EXPECT_EQ(std::get<Buffer>(values[0].value).data(), x.data());
    for (uint64_t i = 0; i != x.size(); ++i) {
      float xi = float(elementAsDouble(ElementType::F32, x.bitsAt(i)));
      float yi = float(elementAsDouble(ElementType::F32, y.bitsAt(i)));
      float expected = std::fma(2.5f, xi, yi);
      uint32_t bits;
      std::memcpy(&bits, &expected, sizeof(bits));
      ASSERT_EQ(result.bitsAt(i), bits) << contents.str() << " " << i;
    }
  }
}

TEST_F(CUDADevice, TakesMoreThan48KiBOfDynamicMemory) {
  Context context = cantFail(Context::open(driver));
  std::vector<LaunchArgument> values = arguments("rand:1");
  config.dynamicShared = std::min<uint64_t>(context.device().sharedPerBlock, 64 * 1024);
  EXPECT_EQ(toString(run(context, axpyPTX, "axpy", config, values)), "");
}

TEST_F(CUDADevice, BadPTXCarriesTheLog) {
  Context context = cantFail(Context::open(driver));
  Expected<Module> module = context.load(".version 6.4\n.target sm_75\nbad");
  ASSERT_FALSE(bool(module));
  std::string message = toString(module.takeError());
  EXPECT_NE(message.find("CUDA_ERROR_INVALID_PTX"), std::string::npos);
  EXPECT_NE(message.find("line 3"), std::string::npos) << message;
}

TEST_F(CUDADevice, WrongArgumentsAreRefused) {
  Context context = cantFail(Context::open(driver));
  std::vector<LaunchArgument> values = arguments("rand:1");
  values.pop_back();
  EXPECT_EQ(toString(run(context, axpyPTX, "axpy", config, values)),
            "kernel 'axpy': expected 4 arguments, found 3");
  values = arguments("rand:1");
  std::string message = toString(run(context, axpyPTX, "missing", config, values));
  EXPECT_NE(message.find("CUDA_ERROR_NOT_FOUND"), std::string::npos) << message;
}

} // namespace
