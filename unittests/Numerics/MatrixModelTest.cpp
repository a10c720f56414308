//===- MatrixModelTest.cpp - The table of matrix instructions -------------===//
//
// Every row can be named and found again, names of PTX lead to the same rows, and every class
// prints and parses.
//
//===----------------------------------------------------------------------===//

#include "Mettle/Numerics/MatrixModel.h"
#include "gtest/gtest.h"
#include <set>

using namespace mettle::numerics;

TEST(MatrixModel, EveryRowIsFoundByItsNameAndOnlyOnce) {
  std::set<std::string> seen;
  for (const MatrixRow &row : matrixRows()) {
    std::string key = row.arch.str() + " " + row.instruction();
    EXPECT_TRUE(seen.insert(key).second) << key;
    llvm::Expected<const MatrixRow *> found = findMatrixRow(row.arch, row.instruction());
    ASSERT_TRUE(bool(found)) << key << ": " << llvm::toString(found.takeError());
    EXPECT_EQ(*found, &row) << key;
  }
  EXPECT_GT(seen.size(), 600u);
}

TEST(MatrixModel, OnlyHopperIsConfirmed) {
  for (const MatrixRow &row : matrixRows()) {
    EXPECT_EQ(row.confirmed, row.source == Source::Golden);
    if (row.confirmed) {
      EXPECT_EQ(row.arch, "sm_90");
    }
  }
}

TEST(MatrixModel, ClassesPrintAndParse) {
  for (const MatrixRow &row : matrixRows()) {
    llvm::Expected<ArithmeticClass> parsed = ArithmeticClass::parse(row.arithmetic.text());
    ASSERT_TRUE(bool(parsed)) << llvm::toString(parsed.takeError());
    EXPECT_EQ(*parsed, row.arithmetic);
  }
}

TEST(MatrixModel, ClassErrorsNameTheField) {
  auto message = [](const char *text) {
    llvm::Expected<ArithmeticClass> parsed = ArithmeticClass::parse(text);
    return parsed ? std::string("parsed") : llvm::toString(parsed.takeError());
  };
  EXPECT_EQ(message("fused.F25.g16.z-133.rz23.f32"), "parsed");
  EXPECT_EQ(message("fuse.F25"), "class: expected the name of a kind, found 'fuse'");
  EXPECT_EQ(message("fused.F99.g16.z-133.rz23.f32"),
            "class: expected F1 to F40, the fraction bits, in 'fused.F99.g16.z-133.rz23.f32', "
            "found 'F99'");
  EXPECT_EQ(message("fma.i32"), "class: expected a float result, found 'i32'");
  EXPECT_EQ(message("int.wrap.f32"), "class: expected i32 result, found 'f32'");
  EXPECT_EQ(
      message("fused.F25.g16.z-133.rn13.f32"),
      "class: expected rounding rz where the result keeps fewer bits than f32 has, found 'rn'");
  EXPECT_EQ(message("fma.f64.f64"), "class: expected the end of 'fma.f64.f64', found 'f64'");
  EXPECT_EQ(message("fused.F25"),
            "class: expected g1 to g256, the group size, in 'fused.F25', found ''");
}

TEST(MatrixModel, PTXNames) {
  struct {
    const char *arch, *ptx, *instruction;
  } table[] = {
      {"sm_90a", "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32",
       "mma.m16n8k16.f32.f16.f16.f32"},
      {"sm_90", "mma.sp::ordered_metadata.sync.aligned.m16n8k32.row.col.f32.bf16.bf16.f32",
       "mma.sp.m16n8k32.f32.bf16.bf16.f32"},
      {"sm_90", "wmma.mma.sync.aligned.row.col.m16n16k16.f16.f16",
       "wmma.m16n16k16.f16.f16.f16.f16"},
      {"sm_90", "wmma.mma.sync.aligned.row.col.m16n16k8.f32.tf32.tf32.f32",
       "wmma.m16n16k8.f32.tf32.tf32.f32"},
      {"sm_90a", "wgmma.mma_async.sync.aligned.m64n256k32.s32.s8.s8.satfinite",
       "wgmma.m64n0k32.i32.i8.i8.i32.sat"},
      {"sm_80", "mma.sync.aligned.m16n8k256.row.col.s32.b1.b1.s32.and.popc",
       "mma.m16n8k256.i32.b1.b1.i32.and"},
      {"sm_120a",
       "mma.sync.aligned.m16n8k32.row.col.kind::mxf8f6f4.block_scale.scale_vec::1X.f32.e3m2.e2m3."
       "f32.ue8m0",
       "mma.scaled.m16n8k32.f32.e3m2.e2m3.f32.ue8m0/32"},
      {"sm_120a", "mma.sync.aligned.m16n8k32.row.col.kind::f8f6f4.f32.e3m2.e2m1.f32",
       "mma.m16n8k32.f32.e3m2.e2m1.f32"},
      {"sm_100a", "tcgen05.m128n64k16.f32.bf16.bf16", "tcgen05.m128n0k16.f32.bf16.bf16.f32"},
  };
  for (const auto &e : table) {
    llvm::Expected<const MatrixRow *> row = findMatrixRow(e.arch, e.ptx);
    ASSERT_TRUE(bool(row)) << llvm::toString(row.takeError());
    EXPECT_EQ((*row)->instruction(), e.instruction);
  }
  EXPECT_FALSE(bool(llvm::expectedToOptional(
      findMatrixRow("sm_90a", "wgmma.mma_async.sync.aligned.m64n12k16.f32.f16.f16"))))
      << "n is a multiple of 8";
}
