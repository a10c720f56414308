//===- ApproximateTest.cpp - Approximate functions against an H200 --------===//
//
// Inputs/approximate holds what an H200 returned (OnDevice/Sweep.cpp, --record): for
// every instruction 2048 result words, and a digest of the results of each 2^22
// consecutive indices over all of them. The default run checks a few digests an
// instruction, the deep run all, which is every operand word there is.
//
//===----------------------------------------------------------------------===//

#include "Mettle/Numerics/Approximate.h"
#include "ApproximateOperands.h"
#include "Mettle/Numerics/Evaluate.h"
#include "Mettle/Numerics/ScalarConvert.h"
#include "llvm/Support/MemoryBuffer.h"
#include "gtest/gtest.h"
#include <atomic>
#include <thread>
#include <vector>

using namespace mettle::numerics;
using namespace mettle::numerics::test;

template <typename T>
static std::vector<T> readRecord(const ApproximateInfo &info, const char *suffix) {
  std::string path = std::string(METTLE_APPROXIMATE_INPUTS) + "/" + info.mnemonic.str() + suffix;
  auto buffer =
      llvm::MemoryBuffer::getFile(path, /*IsText=*/false, /*RequiresNullTerminator=*/false);
  if (!buffer) {
    ADD_FAILURE() << path << ": " << buffer.getError().message();
    return {};
  }
  std::vector<T> values((*buffer)->getBufferSize() / sizeof(T));
  std::memcpy(values.data(), (*buffer)->getBufferStart(), values.size() * sizeof(T));
  return values;
}

/// The digest of the model's results of one block.
static uint64_t digestOf(const ApproximateInfo &info, uint64_t block) {
  std::vector<uint32_t> a(std::min(blockSize, indexCount(info))), b(a.size()), results(a.size());
  for (size_t i = 0; i < a.size(); ++i) {
    Operands operands = operandsAt(info, block * blockSize + i);
    a[i] = operands.a;
    b[i] = operands.b;
  }
  approximate(info.instruction, a, b, results);
  Digest digest;
  for (uint32_t word : results)
    digest.add(word);
  return digest.value();
}

namespace {

class ApproximateTest : public testing::TestWithParam<ApproximateInfo> {};

TEST_P(ApproximateTest, ReturnsTheRecordedWords) {
  const ApproximateInfo &info = GetParam();
  std::vector<uint32_t> words = readRecord<uint32_t>(info, ".words");
  ASSERT_EQ(words.size(), sampleCount);
  for (uint64_t i = 0; i < sampleCount; ++i) {
    Operands operands = operandsAt(info, sampleIndex(info, i));
    ASSERT_EQ(approximate(info.instruction, operands.a, operands.b), words[i])
        << std::hex << operands.a << ' ' << operands.b;
  }
}

TEST_P(ApproximateTest, ReturnsTheRecordedDigests) {
  const ApproximateInfo &info = GetParam();
  std::vector<uint64_t> digests = readRecord<uint64_t>(info, ".digests");
  ASSERT_EQ(digests.size(), std::max<uint64_t>(1, indexCount(info) / blockSize));
  // The slice differs between instructions; its stride is odd, so that all exponents and both
  // halves of a binade occur somewhere.
  std::vector<uint64_t> blocks;
  for (uint64_t i = 0; i < (deep() ? digests.size() : std::min<size_t>(2, digests.size())); ++i)
    blocks.push_back(deep() ? i : (i * 241 + uint64_t(info.instruction) * 37) % digests.size());
  std::atomic<size_t> next = 0;
  std::vector<std::thread> threads(deep() ? std::thread::hardware_concurrency() : 1);
  for (std::thread &thread : threads)
    thread = std::thread([&] {
      for (size_t i = next++; i < blocks.size(); i = next++)
        EXPECT_EQ(digestOf(info, blocks[i]), digests[blocks[i]]) << "block " << blocks[i];
    });
  for (std::thread &thread : threads)
    thread.join();
}

TEST_P(ApproximateTest, IsTheSameInEveryInstructionSet) {
  const ApproximateInfo &info = GetParam();
  // Not a multiple of any vector's width.
  std::vector<uint32_t> a(10007), b(a.size()), expected(a.size());
  for (size_t i = 0; i < a.size(); ++i) {
    Operands operands = operandsAt(info, sampleIndex(info, i));
    a[i] = operands.a;
    b[i] = operands.b;
    expected[i] = approximate(info.instruction, a[i], b[i]);
  }
  for (InstructionSet set : {InstructionSet::Plain, InstructionSet::Portable, InstructionSet::AVX2,
                             InstructionSet::AVX512, InstructionSet::Best}) {
    if (!isAvailable(set))
      continue;
    std::vector<uint32_t> results(a.size());
    approximate(info.instruction, a, b, results, set);
    EXPECT_EQ(results, expected) << name(set).str();
  }
}

TEST_P(ApproximateTest, MayOverwriteItsOperands) {
  const ApproximateInfo &info = GetParam();
  std::vector<uint32_t> a(100), b(100);
  for (size_t i = 0; i < a.size(); ++i) {
    Operands operands = operandsAt(info, Random(i).word());
    a[i] = operands.a;
    b[i] = operands.b;
  }
  std::vector<uint32_t> expected(a.size()), inPlace = a;
  approximate(info.instruction, a, b, expected);
  approximate(info.instruction, inPlace, b, inPlace);
  EXPECT_EQ(inPlace, expected);
}

TEST_P(ApproximateTest, IsFoundByItsMnemonic) {
  EXPECT_EQ(parseApproximate(GetParam().mnemonic), GetParam().instruction);
  EXPECT_EQ(info(GetParam().instruction).mnemonic, GetParam().mnemonic);
}

INSTANTIATE_TEST_SUITE_P(All, ApproximateTest, testing::ValuesIn(allApproximates()),
                         [](const testing::TestParamInfo<ApproximateInfo> &param) {
                           std::string name = param.param.mnemonic.str();
                           std::replace(name.begin(), name.end(), '.', '_');
                           return name;
                         });

TEST(Approximate, IgnoresUpperBitsOfNarrowOperands) {
  for (const ApproximateInfo &info : allApproximates())
    if (info.bits == 16)
      for (uint32_t a : {0x0000u, 0x3C00u, 0xBC00u, 0x7FFFu})
        EXPECT_EQ(approximate(info.instruction, a | 0xABCD0000), approximate(info.instruction, a))
            << info.mnemonic.str();
}

TEST(Approximate, DividesByTheProductOfItsFactors) {
  for (Approximate division : {Approximate::DivF32, Approximate::DivFullF32})
    for (uint64_t i = 0; i < 100000; ++i) {
      Operands operands = operandsAt(info(division), Random(i).word());
      DivisionFactors factors = divisionFactors(division, operands.a, operands.b);
      float product = floatOf(factors.reciprocal) * floatOf(factors.dividend);
      uint32_t quotient = approximate(division, operands.a, operands.b);
      if (product == product)
        ASSERT_EQ(bitsOf(product), quotient) << std::hex << operands.a << ' ' << operands.b;
      else
        ASSERT_EQ(quotient, 0x7FFFFFFFu);
    }
}

TEST(Approximate, RefusesOtherMnemonics) {
  for (const char *mnemonic : {"", "ex2", "ex2.approx", "rcp.rn.f32", "rsqrt.approx.f64",
                               "tanh.approx.ftz.f32", "EX2.APPROX.F32"})
    EXPECT_EQ(parseApproximate(mnemonic), std::nullopt) << mnemonic;
}

} // namespace
