//===- AttentionDescTest.cpp - Text and validation of attention -----------===//
//
// Descriptors parse back, and what no kernel could do is refused by field.
//
//===----------------------------------------------------------------------===//

#include "Mettle/Numerics/AttentionDesc.h"
#include "gtest/gtest.h"

using namespace mettle::numerics;

namespace {

const std::string scores = "{ gemm f16*f16 fused.F25.g16.z-133.rz23.f32 k16 -> f32 }";
const std::string output = "{ gemm f16*f16 fused.F25.g16.z-133.rz23.f32 k16 from-c -> f32 }";

std::string messageOf(const std::string &text) {
  llvm::Expected<AttentionDesc> desc = AttentionDesc::parse(text);
  if (!desc)
    return llvm::toString(desc.takeError());
  return llvm::toString(desc->validate());
}

TEST(AttentionDesc, ParsesBack) {
  for (const char *head : {"attention keys64 rowsum.tree p.f16 divide.last ",
                           "attention keys128 causal64 rowsum.lanes32 p.f16 divide.every ",
                           "attention keys1 rowsum.sequential p.f16 divide.narrowed "}) {
    std::string text = head + scores + " " + output;
    llvm::Expected<AttentionDesc> desc = AttentionDesc::parse(text);
    ASSERT_TRUE(bool(desc)) << llvm::toString(desc.takeError());
    EXPECT_EQ(desc->text(), text);
    EXPECT_EQ(messageOf(text), "");
    llvm::Expected<AttentionDesc> again = AttentionDesc::parse(desc->text());
    ASSERT_TRUE(bool(again));
    EXPECT_TRUE(*again == *desc);
  }
}

TEST(AttentionDesc, HashFollowsTheDescriptors) {
  auto hash = [](const std::string &text) { return AttentionDesc::parse(text)->hash(); };
  std::string head = "attention keys64 rowsum.tree p.f16 divide.last ";
  std::string alias = "{ gemm f16*f16 fused.F25.g16.z-133.rz23.f32 k16 parts(64x1) -> f32 }";
  EXPECT_EQ(hash(head + scores + " " + output), hash(head + alias + " " + output));
  EXPECT_NE(hash(head + scores + " " + output),
            hash("attention keys32 rowsum.tree p.f16 divide.last " + scores + " " + output));
}

TEST(AttentionDesc, ErrorsNameTheField) {
  auto with = [&](const std::string &head) {
    return messageOf("attention " + head + " " + scores + " " + output);
  };
  EXPECT_EQ(with("keys0 rowsum.tree p.f16 divide.last"),
            "attention: keys: expected a block of 1 to 65536 keys, found 0");
  EXPECT_EQ(with("keys64 causal0 rowsum.tree p.f16 divide.last"),
            "attention: causal: expected a query block with masking, and only there, found 0");
  EXPECT_EQ(with("keys64 rowsum.lanes0 p.f16 divide.last"),
            "attention: rowsum: expected 1 to 1024 lanes, found 0");
  EXPECT_EQ(with("keys64 rowsum.tree p.bf16 divide.last"),
            "attention: p: the output's first operand is f16, the probabilities are bf16");
  EXPECT_EQ(with("keys64 rowsum.heap p.f16 divide.last"),
            "attention: expected rowsum.tree, rowsum.sequential or rowsum.lanes, found 'heap'");
  EXPECT_EQ(with("keys64 rowsum.tree p.f16 divide.never"),
            "attention: expected divide.last, divide.narrowed or divide.every, found 'never'");
  EXPECT_EQ(messageOf("attention keys64 rowsum.tree p.f16 divide.last " + scores),
            "attention: expected a descriptor in braces, found ''");
  EXPECT_EQ(messageOf("attention keys64 rowsum.tree p.f16 divide.last " + scores +
                      " { gemm f16*f16 fused.F25.g16.z-133.rz23.f32 k16 parts(128) -> f32 }"),
            "attention: output: a part of 128 keys does not fit a block of 64");
}

} // namespace
