//===- RandomDesc.h - Random descriptors for property tests -----*- C++ -*-===//
//
// The generator of the numerics property tests: classes of real instructions, nests of up to three
// cuts of both layouts, all merge orders, narrow partials, short turns first.
//
//===----------------------------------------------------------------------===//

#ifndef METTLE_UNITTESTS_NUMERICS_RANDOMDESC_H
#define METTLE_UNITTESTS_NUMERICS_RANDOMDESC_H

#include "Mettle/Numerics/GEMMDesc.h"
#include "Random.h"

namespace mettle::numerics::test {

/// A valid descriptor whose spans suit an axis of about `k` elements; block scales are left out.
inline GEMMDesc randomDesc(Random &random, uint64_t k) {
  static const char *const starts[] = {
      "gemm f16*f16 fused.F25.g16.z-133.rz23.f32 k16 -> f32",
      "gemm f16*f16 fused.F25.g8.z-133.rz23.f32 k8 -> f32",
      "gemm f16*f16 fused.F24.g8.z-132.rz23.f32 k16 -> f32",
      "gemm f16*f16 fused.F25.g16.z-21.rn10.f16 k16 -> f16",
      "gemm bf16*bf16 fused.F25.g16.z-133.rz23.f32 k16 -> f32",
      "gemm tf32*tf32 fused.F25.g8.z-133.rz23.f32 k8 -> f32",
      "gemm e4m3*e4m3 fused.F13.g32.z-133.rz13.f32 k32 -> f32",
      "gemm e4m3*e5m2 fusedviaf16.F25.g16.z-133.rz23.f32 k32 -> f32",
      "gemm f16*f16 fma.f32 k1 -> f32",
      "gemm f32*f32 fma.f32 k4 -> f32",
      "gemm bf16*bf16 muladd.f32 k1 -> f32",
      "gemm f64*f64 fma.f64 k4 -> f64",
      "gemm i8*i8 int.wrap.i32 k32 -> i32",
      "gemm i8*i8 int.sat.i32 k16 -> i32",
  };
  GEMMDesc desc = llvm::cantFail(GEMMDesc::parse(starts[random.below(std::size(starts))]));
  bool integer = desc.step.isInteger();
  if (random.oneIn(4))
    desc.fastAccum = false;
  if (random.oneIn(3))
    desc.residueStep = desc.instructionK * uint32_t(1 + random.below(4));
  for (uint64_t cuts = random.below(4); cuts > 0; --cuts) {
    KCut cut;
    cut.layout = random.oneIn(2) ? CutLayout::Strided : CutLayout::Contiguous;
    cut.span = 1 + random.below(std::max<uint64_t>(1, k / 2));
    if (random.oneIn(2))
      cut.span = uint64_t(1) << random.below(9);
    if (cut.layout == CutLayout::Strided || random.oneIn(3))
      cut.count = 1 + random.below(5);
    Format wide = desc.step.result;
    cut.partial = cut.merge = wide;
    if (!integer && random.oneIn(4))
      cut.partial = random.oneIn(2) ? Format::F16 : Format::BF16;
    if (!integer && random.oneIn(4))
      cut.merge = random.oneIn(2) ? Format::F16 : Format::F64;
    cut.order = MergeOrder(random.below(3));
    if (cut.order != MergeOrder::Tree && random.oneIn(3))
      cut.start = MergeStart::Zero;
    desc.cuts.push_back(cut);
  }
  desc.epilogue.compute = desc.accumulated();
  if (!integer && random.oneIn(3))
    desc.output = Format::F16;
  if (!integer && random.oneIn(5)) {
    desc.epilogue.compute = Format::F32;
    desc.epilogue.ops = {EpilogueOp::Alpha, EpilogueOp::ReLU};
  }
  return desc;
}

} // namespace mettle::numerics::test

#endif // METTLE_UNITTESTS_NUMERICS_RANDOMDESC_H
