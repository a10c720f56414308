//===- ContextTest.cpp - Launches on the stand-in driver ------------------===//
//
// Arguments, limits and every failing call, with nothing left open behind it.
//
//===----------------------------------------------------------------------===//

#include "FakeDriver.h"

#include "Mettle/Runtime/CUDA/Context.h"
#include "Mettle/Runtime/Fill.h"

using namespace llvm;
using namespace mettle::runtime;
using namespace mettle::runtime::cuda;

namespace {

class CUDAContext : public FakeDriverTest {
protected:
  std::vector<LaunchArgument> arguments() {
    std::vector<LaunchArgument> result;
    result.push_back({cantFail(filledBuffer(ElementType::I32, {8}, "iota"))});
    result.push_back({Scalar{ElementType::I32, 5}});
    return result;
  }

  Error runAdd(std::vector<LaunchArgument> &values, StringRef ptx = ".version",
               StringRef kernel = "add", LaunchConfig config = {{2, 1, 1}, {4, 1, 1}, 64}) {
    Expected<Context> context = Context::open(driver());
    if (!context)
      return context.takeError();
    return run(*context, ptx, kernel, config, values);
  }
};

TEST_F(CUDAContext, RunsAKernel) {
  std::vector<LaunchArgument> values = arguments();
  ASSERT_EQ(toString(runAdd(values)), "");
  const Buffer &buffer = std::get<Buffer>(values[0].value);
  for (uint64_t i = 0; i != 8; ++i)
    EXPECT_EQ(buffer.bitsAt(i), i + 5);
  EXPECT_EQ(dynamicSharedLimit(), 64);
}

TEST_F(CUDAContext, EveryFailingCallIsReportedAndNothingStays) {
  for (const char *function :
       {"cuDeviceGetCount", "cuDeviceGet", "cuDeviceGetName", "cuDeviceGetAttribute",
        "cuDeviceTotalMem_v2", "cuDevicePrimaryCtxRetain", "cuCtxSetCurrent", "cuModuleLoadDataEx",
        "cuMemAlloc_v2", "cuMemcpyHtoD_v2", "cuModuleGetFunction", "cuFuncGetAttribute",
        "cuFuncSetAttribute", "cuFuncGetParamInfo", "cuLaunchKernel", "cuCtxSynchronize",
        "cuMemcpyDtoH_v2"}) {
    fail(function, 2);
    std::vector<LaunchArgument> values = arguments();
    std::string message = toString(runAdd(values));
    EXPECT_NE(message.find(std::string(function) + " failed: CUDA_ERROR_OUT_OF_MEMORY"),
              std::string::npos)
        << function << ": " << message;
    EXPECT_EQ(std::get<Buffer>(values[0].value).bitsAt(7), 7u);
    fail("", 0);
  }
}

TEST_F(CUDAContext, BadPTXCarriesTheLog) {
  std::vector<LaunchArgument> values = arguments();
  EXPECT_EQ(toString(runAdd(values, "nonsense")),
            "CUDA driver: cuModuleLoadDataEx failed: CUDA_ERROR_INVALID_PTX (a "
            "PTX JIT compilation failed)\n"
            "ptxas application ptx input, line 1; fatal: missing .version");
}

TEST_F(CUDAContext, UnknownKernelIsNamed) {
  std::vector<LaunchArgument> values = arguments();
  EXPECT_EQ(toString(runAdd(values, ".version", "sub")),
            "kernel 'sub': CUDA driver: cuModuleGetFunction failed: "
            "CUDA_ERROR_NOT_FOUND (named symbol not found)");
}

TEST_F(CUDAContext, LimitsOfTheDeviceAreChecked) {
  std::vector<LaunchArgument> values = arguments();
  EXPECT_EQ(toString(runAdd(values, ".version", "add", {{1, 1, 1}, {513, 1, 1}})),
            "kernel 'add': expected at most 512 threads in a block on Fake GPU "
            "0, found 513");
  EXPECT_EQ(toString(runAdd(values, ".version", "add", {{1, 1, 1}, {1, 1, 1}, 101377})),
            "kernel 'add': expected at most 102400 bytes of workgroup memory on Fake "
            "GPU 0, found 102401");
  EXPECT_EQ(toString(runAdd(values, ".version", "add", {{0, 1, 1}})),
            "expected grid.x from 1 to 2147483647, found 0");
}

TEST_F(CUDAContext, ArgumentsAreCheckedAgainstTheKernel) {
  std::vector<LaunchArgument> few = arguments();
  few.pop_back();
  EXPECT_EQ(toString(runAdd(few)), "kernel 'add': expected 2 arguments, found 1");
  std::vector<LaunchArgument> many = arguments();
  many.push_back({Scalar{ElementType::I32, 0}});
  EXPECT_EQ(toString(runAdd(many)), "kernel 'add': expected 2 arguments, found 3");
  std::vector<LaunchArgument> wide = arguments();
  wide[1].value = Scalar{ElementType::I64, 5};
  EXPECT_EQ(toString(runAdd(wide)), "kernel 'add': expected 4 bytes for argument 2, found 8");
}

TEST_F(CUDAContext, MemoryOutlivesTheContextHandle) {
  std::optional<DeviceMemory> memory;
  {
    Context context = cantFail(Context::open(driver(), 1));
    EXPECT_EQ(context.device().name, "Fake GPU 1");
    memory.emplace(cantFail(context.allocate(4)));
  }
  const uint8_t in[4] = {1, 2, 3, 4};
  uint8_t out[4] = {};
  EXPECT_EQ(toString(memory->copyFrom(in)), "");
  EXPECT_EQ(toString(memory->copyTo(out)), "");
  EXPECT_EQ(ArrayRef(out), ArrayRef(in));
}

} // namespace
