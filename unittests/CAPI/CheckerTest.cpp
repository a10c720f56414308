//===- CheckerTest.cpp - The PTX checker from C ---------------------------===//
//
// Keys, reasons and messages come through; one launch fact more or less matters.
//
//===----------------------------------------------------------------------===//

#include "Mettle-c/Checker.h"
#include "gtest/gtest.h"
#include <memory>
#include <string>

namespace {

using Signature = std::unique_ptr<MettleSignature, void (*)(MettleSignature *)>;

std::string scale(const std::string &factor) {
  return ".version 8.0\n.target sm_90\n.address_size 64\n"
         ".visible .entry k(.param .u64 .ptr .global x, .param .u64 .ptr .global y, .param .u32 "
         "n)\n"
         ".reqntid 128\n{\n.reg .pred %p<2>;\n.reg .b32 %r<8>;\n.reg .b64 %d<8>;\n"
         "ld.param.u64 %d0, [x];\nld.param.u64 %d1, [y];\nld.param.u32 %r0, [n];\n"
         "mov.u32 %r1, %tid.x;\nmov.u32 %r2, %ctaid.x;\nmad.lo.s32 %r3, %r2, 128, %r1;\n"
         "setp.lt.s32 %p0, %r3, %r0;\nmad.wide.s32 %d2, %r3, 4, %d0;\n"
         "mad.wide.s32 %d3, %r3, 4, %d1;\n@!%p0 bra done;\nld.global.f32 %r4, [%d2];\n"
         "mul.rn.f32 %r5, %r4, " +
         factor + ";\nst.global.f32 [%d3], %r5;\ndone:\nret;\n}\n";
}

Signature signatureOf(const std::string &text, uint32_t blocks, const char *entry = nullptr) {
  const uint8_t isKnown[] = {0, 0, 1};
  const uint64_t scalars[] = {0, 0, 500};
  MettleLaunch launch = {entry,   {0, 0, 0}, {blocks, blocks ? 1u : 0u, blocks ? 1u : 0u}, 0, 3,
                         isKnown, scalars};
  return Signature(mettleSignatureCreate(text.data(), text.size(), &launch),
                   mettleSignatureDestroy);
}

TEST(CAPI, Keys) {
  Signature one = signatureOf(scale("0f40400000"), 4), same = signatureOf(scale("0f40400000"), 4),
            other = signatureOf(scale("0f40400001"), 4);
  ASSERT_EQ(mettleSignatureAnswer(one.get()), METTLE_CLASSIFIED)
      << mettleSignatureReason(one.get());
  EXPECT_EQ(std::string(mettleSignatureKey(one.get())).size(), 32u);
  EXPECT_STREQ(mettleSignatureKey(one.get()), mettleSignatureKey(same.get()));
  EXPECT_STRNE(mettleSignatureKey(one.get()), mettleSignatureKey(other.get()));
  EXPECT_STREQ(mettleSignatureReason(one.get()), "");
  EXPECT_EQ(mettleSignatureIsPtxasDependent(one.get()), 0);
}

TEST(CAPI, ReasonsAndMessages) {
  Signature unknown = signatureOf(scale("0f40400000"), 0);
  EXPECT_EQ(mettleSignatureAnswer(unknown.get()), METTLE_UNKNOWN);
  EXPECT_STREQ(mettleSignatureKey(unknown.get()), "");
  EXPECT_EQ(std::string(mettleSignatureReason(unknown.get())).rfind("without the grid: ", 0), 0u);
  EXPECT_GT(mettleSignatureLine(unknown.get()), 0u);
  Signature entry = signatureOf(scale("0f40400000"), 4, "other");
  EXPECT_EQ(mettleSignatureAnswer(entry.get()), METTLE_UNUSABLE);
  EXPECT_STREQ(mettleSignatureReason(entry.get()),
               "<ptx>:1:1: error: expected an entry named 'other', found none");
  Signature cut = signatureOf(scale("0f40400000").substr(0, 200), 4);
  EXPECT_EQ(mettleSignatureAnswer(cut.get()), METTLE_UNUSABLE);
}

} // namespace
