//===- ModuleInfoTest.cpp - reading SPIR-V words --------------------------===//
//
// What the reader finds in a module, and that no word it is given makes it read past the end.
//
//===----------------------------------------------------------------------===//

#include "Mettle/Runtime/OpenCL/ModuleInfo.h"
#include "gtest/gtest.h"

#include <random>

using namespace llvm;
using namespace mettle::runtime::opencl;

namespace {

uint32_t head(uint32_t words, uint32_t opcode) { return words << 16 | opcode; }

/// Capabilities Kernel and Float16, one extension, and `kernel k(global f32*, i16, workgroup
/// f64*)`.
std::vector<uint32_t> module() {
  return {
      0x07230203,  1 << 16 | 4 << 8,
      0,           20,
      0,              // header, version 1.4
      head(2, 17), 6, // OpCapability Kernel
      head(2, 17), 9, // OpCapability Float16
      head(3, 10), 0x5f565053,
      0x00000058, // OpExtension "SPV_X"
      head(4, 15), 6,
      10,          0x0000006b, // OpEntryPoint Kernel %10 "k"
      head(2, 19), 1,          // %1 = OpTypeVoid
      head(3, 22), 2,
      32, // %2 = OpTypeFloat 32
      head(4, 32), 3,
      5,           2, // %3 = OpTypePointer CrossWorkgroup %2
      head(4, 21), 4,
      16,          0, // %4 = OpTypeInt 16 0
      head(3, 22), 5,
      64, // %5 = OpTypeFloat 64
      head(4, 32), 6,
      4,           5, // %6 = OpTypePointer Workgroup %5
      head(6, 33), 7,
      1,           3,
      4,           6, // %7 = OpTypeFunction %1 %3 %4 %6
      head(5, 54), 1,
      10,          0,
      7,           // %10 = OpFunction %1 None %7
      head(1, 56), // OpFunctionEnd
  };
}

TEST(OpenCLModuleInfo, ReadsAKernel) {
  Expected<ModuleInfo> info = ModuleInfo::read(module());
  ASSERT_TRUE(bool(info)) << toString(info.takeError());
  EXPECT_EQ(info->major, 1u);
  EXPECT_EQ(info->minor, 4u);
  EXPECT_EQ(info->capabilities, (std::vector<uint32_t>{6, 9}));
  EXPECT_EQ(info->extensions, std::vector<std::string>{"SPV_X"});
  ASSERT_EQ(info->kernels.size(), 1u);
  const KernelInfo &kernel = info->kernels.front();
  EXPECT_EQ(kernel.name, "k");
  ASSERT_EQ(kernel.parameters.size(), 3u);
  EXPECT_EQ(kernel.parameters[0].kind, ParameterInfo::Kind::Global);
  EXPECT_EQ(kernel.parameters[1].kind, ParameterInfo::Kind::Scalar);
  EXPECT_EQ(kernel.parameters[1].bytes, 2u);
  EXPECT_EQ(kernel.parameters[2].kind, ParameterInfo::Kind::Workgroup);
}

/// The module whose kernel calls a function %20, which has one more instruction; variable %30 is
/// decorated as a built-in.
std::vector<uint32_t> calling(std::vector<uint32_t> instruction, uint32_t builtIn) {
  std::vector<uint32_t> words = module();
  words.pop_back();
  words.insert(words.begin() + 16, {head(4, 71), 30, 11, builtIn});
  for (uint32_t word : {head(4, 57), 1u, 40u, 20u, head(1, 56), head(5, 54), 1u, 20u, 0u, 7u})
    words.push_back(word);
  words.insert(words.end(), instruction.begin(), instruction.end());
  words.push_back(head(1, 56));
  return words;
}

TEST(OpenCLModuleInfo, FindsSubgroupsBehindCalls) {
  auto uses = [](ArrayRef<uint32_t> words) {
    return cantFail(ModuleInfo::read(words)).kernels.front().usesSubgroups;
  };
  constexpr uint32_t subgroupSize = 36, workgroupId = 26;
  std::vector<uint32_t> load = {head(4, 61), 2, 31, 30}, other = {head(4, 61), 2, 31, 32};
  EXPECT_FALSE(uses(module()));
  EXPECT_TRUE(uses(calling(load, subgroupSize)));
  EXPECT_FALSE(uses(calling(load, workgroupId)));
  EXPECT_FALSE(uses(calling(other, subgroupSize)));
  for (uint32_t opcode : {261u, 271u, 333u, 345u, 366u, 4421u, 4432u})
    EXPECT_TRUE(uses(calling({head(2, opcode), 2}, workgroupId))) << opcode;
  for (uint32_t opcode : {260u, 272u, 332u, 367u})
    EXPECT_FALSE(uses(calling({head(2, opcode), 2}, workgroupId))) << opcode;
}

TEST(OpenCLModuleInfo, FindsKernelsByName) {
  Expected<ModuleInfo> info = ModuleInfo::read(module());
  ASSERT_TRUE(bool(info));
  Expected<const KernelInfo *> found = info->kernel("k");
  ASSERT_TRUE(bool(found));
  EXPECT_EQ((*found)->name, "k");
  EXPECT_EQ(toString(info->kernel("other").takeError()),
            "expected one of the kernels k, got 'other'");
}

std::string messageOf(ArrayRef<uint32_t> words) {
  Expected<ModuleInfo> info = ModuleInfo::read(words);
  return info ? "none" : toString(info.takeError());
}

TEST(OpenCLModuleInfo, RefusesWhatIsNoModule) {
  EXPECT_EQ(messageOf({}), "expected a SPIR-V module, got the end at word 0");
  EXPECT_EQ(messageOf({1, 2, 3, 4, 5}), "expected a SPIR-V module, got the number 0x1 at word 0");
  std::vector<uint32_t> words = module();
  words[5] = head(0, 17);
  EXPECT_EQ(messageOf(words), "expected a SPIR-V module, got an instruction of 0 words at word 5");
  words = module();
  words.back() = head(9, 56);
  EXPECT_EQ(messageOf(words), "expected a SPIR-V module, got an instruction of 9 words at word " +
                                  std::to_string(words.size() - 1));
  words = module();
  words[5] = head(1, 17);
  words[6] = head(1, 0);
  EXPECT_EQ(messageOf(words),
            "expected a SPIR-V module, got an instruction that is too short at word 5");
}

TEST(OpenCLModuleInfo, RefusesParametersItCannotBind) {
  std::vector<uint32_t> words = module();
  // The pointer now leads into private memory.
  for (uint32_t &word : words)
    if (&word != words.data() && *(&word - 1) == 3 && word == 5)
      word = 7;
  EXPECT_EQ(messageOf(words), "expected argument 1 of kernel 'k' to be a number or a pointer to "
                              "global or workgroup memory");
}

TEST(OpenCLModuleInfo, SurvivesAnyWords) {
  std::mt19937 random(1);
  for (int round = 0; round != 20000; ++round) {
    std::vector<uint32_t> words = module();
    for (int changes = 1 + random() % 3; changes; --changes)
      words[random() % words.size()] =
          random() % 4 ? random() % 70 << 16 | random() % 70 : random();
    if (random() % 4 == 0)
      words.resize(random() % words.size());
    Expected<ModuleInfo> info = ModuleInfo::read(words);
    if (!info)
      EXPECT_NE(toString(info.takeError()), "");
  }
}

} // namespace
