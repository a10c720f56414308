//===- SupportTest.cpp - what a device must have --------------------------===//
//
// Versions and extensions that a device lacks are named; the loader's absence too.
//
//===----------------------------------------------------------------------===//

#include "Mettle/Runtime/OpenCL/Context.h"
#include "Mettle/Runtime/OpenCL/Probe.h"
#include "gtest/gtest.h"

using namespace llvm;
using namespace mettle::runtime;
using namespace mettle::runtime::opencl;

namespace {

DeviceInfo device() {
  DeviceInfo info = {};
  info.name = "toy";
  info.languages = {"SPIR-V_1.0", "SPIR-V_1.4"};
  return info;
}

ModuleInfo module(std::vector<uint32_t> capabilities) {
  ModuleInfo info = {};
  info.major = 1;
  info.minor = 4;
  info.capabilities = std::move(capabilities);
  return info;
}

TEST(OpenCLSupport, TakesWhatEveryDeviceHas) {
  // Addresses, Linkage, Kernel, Int64, Int8, Int16, GenericPointer.
  EXPECT_EQ(toString(checkSupport(device(), module({4, 5, 6, 11, 39, 22, 38}))), "");
}

TEST(OpenCLSupport, NamesTheVersion) {
  DeviceInfo old = device();
  old.languages = {"SPIR-V_1.0"};
  EXPECT_EQ(toString(checkSupport(old, module({}))),
            "expected a device that takes SPIR-V_1.4, got 'toy', which takes SPIR-V_1.0");
  old.languages.clear();
  EXPECT_EQ(toString(checkSupport(old, module({}))),
            "expected a device that takes SPIR-V_1.4, got 'toy', which takes no SPIR-V");
}

TEST(OpenCLSupport, NamesTheSubgroupSize) {
  ModuleInfo fixed = module({});
  fixed.kernels.push_back({"k", {}, true, 16});
  DeviceInfo some = device();
  EXPECT_EQ(toString(checkSupport(some, fixed)),
            "kernel 'k' fixes a subgroup size of 16, 'toy' lets no kernel choose: it lacks "
            "cl_intel_required_subgroup_size");
  some.subgroupSizes = {8, 32};
  EXPECT_EQ(toString(checkSupport(some, fixed)),
            "kernel 'k' fixes a subgroup size of 16, 'toy' has 8, 32");
  some.subgroupSizes.push_back(16);
  EXPECT_EQ(toString(checkSupport(some, fixed)), "");
  fixed.kernels.front().subgroupSize = 0;
  EXPECT_EQ(toString(checkSupport(device(), fixed)), "");
}

TEST(OpenCLSupport, NamesTheExtension) {
  EXPECT_EQ(toString(checkSupport(device(), module({9}))),
            "expected a device with the extension cl_khr_fp16, which the module's capability "
            "Float16 needs, got 'toy', which lacks it");
  DeviceInfo half = device();
  half.extensions = {"cl_khr_fp16"};
  EXPECT_EQ(toString(checkSupport(half, module({9}))), "");
}

TEST(OpenCLSupport, AsksForBothExtensionsOf64BitAtomics) {
  DeviceInfo base = device();
  base.extensions = {"cl_khr_int64_base_atomics"};
  EXPECT_EQ(toString(checkSupport(base, module({12}))),
            "expected a device with the extension cl_khr_int64_extended_atomics, which the "
            "module's capability Int64Atomics needs, got 'toy', which lacks it");
}

TEST(OpenCLLoader, IsReportedAsAbsent) {
  Expected<std::shared_ptr<const Loader>> loader = Loader::load("libnothing-here.so.1");
  ASSERT_FALSE(bool(loader));
  EXPECT_EQ(toString(loader.takeError()), "no OpenCL loader found (libnothing-here.so.1)");
}

TEST(OpenCLLoader, RefusesAnotherLibrary) {
  Expected<std::shared_ptr<const Loader>> loader = Loader::load("libm.so.6");
  ASSERT_FALSE(bool(loader));
  EXPECT_EQ(toString(loader.takeError()),
            "expected clGetPlatformIDs in the OpenCL loader, found none (libm.so.6)");
}

TEST(OpenCLProbe, SaysWhatDoesNotHold) {
  FloatConformance loose{ElementType::F32, false, true, true, false, true};
  EXPECT_EQ(loose.describe(), "f32: divide inexact, square root exact, fused multiply-add exact, "
                              "subnormals flushed, contraction off");
  EXPECT_EQ(toString(requireExact(device(), {loose})),
            "expected a device with exact arithmetic, got 'toy' with f32: divide inexact, square "
            "root exact, fused multiply-add exact, subnormals flushed, contraction off");
  FloatConformance exact{ElementType::F64, true, true, true, true, true};
  EXPECT_EQ(toString(requireExact(device(), {exact})), "");
}

} // namespace
