//===- NamedDescs.cpp - Descriptors with a name ---------------------------===//
//
// One example for each algorithm family that a GEMM library dispatches to, and for each plan mode
// of the published reconstruction of cuBLAS on an H100. Spans and counts are those of one shape;
// what is particular to the family is the form.
//
//===----------------------------------------------------------------------===//

#include "Mettle/Numerics/GEMMDesc.h"

using namespace mettle::numerics;

#define F16_STEP "gemm f16*f16 fused.F25.g16.z-133.rz23.f32 k16"
#define FP8_STEP "gemm e4m3*e4m3 fused.F13.g32.z-133.rz13.f32 k32"
#define SIMT "gemm f16*f16 fma.f32 k1"
// Five rounds of a butterfly that counts down, over runs of `span` elements a lane: the last round
// adds the even lanes' sum to the odd lanes' sum, the round before splits each of those alike.
#define BUTTERFLY_DOWN(span)                                                                       \
  " lanes(" span "x2) lanes(" span "x2) lanes(" span "x2) lanes(" span "x2) lanes(" span "x2)"

static constexpr NamedDesc descs[] = {
    {"single-pass", F16_STEP " -> f16", "one accumulator over the whole axis (nvjet)"},
    {"split-k", F16_STEP " parts(4096) -> f16",
     "parts of their own accumulator in f32, summed in order by a second kernel (nvjet)"},
    {"per-mma", F16_STEP " first64 -> f16",
     "the main loop's short turn runs first (CUTLASS), so that K mod 64 decides which products "
     "share a rounding"},
    {"split-k-per-mma", F16_STEP " first64 parts(2048).partial.f16 -> f16",
     "split-K whose parts are rounded to the output's type before an f32 sum (CUTLASS)"},
    {"three-level-chain", SIMT " parts(1x2) parts(256) -> f16",
     "threads take a contiguous chunk each, and close an accumulator every 256 elements (gemmSN)"},
    {"lane-tree-gemv", SIMT BUTTERFLY_DOWN("8") " -> f16",
     "32 lanes take runs of 8 in turn; a butterfly that counts down folds them (gemv2T)"},
    {"contiguous-slice-gemv", SIMT BUTTERFLY_DOWN("128") " -> f16",
     "32 lanes take a contiguous slice of a K of 4096 each, folded likewise (gemv2T)"},
    {"workspace-gemv", SIMT " parts(4096).tree lanes(2x128).tree -> f16",
     "blocks leave a partial each in a workspace, folded by one more block (reduce_1Block)"},
    {"plain", F16_STEP " -> f16", "plan mode: single-pass accumulation"},
    {"split", F16_STEP " parts(64x4) -> f16",
     "plan mode: split-K into 4 parts of whole blocks of 64"},
    {"split_blocks", FP8_STEP " parts(128) -> bf16",
     "plan mode: fp8, the tensor core's accumulator is added to an f32 one every 128 elements"},
    {"k_per_dot", "gemm f16*f16 fused.F25.g8.z-133.rz23.f32 k8 first64 -> f16",
     "plan mode: per-MMA accumulation with 8 products an instruction"},
    {"splitk_groups", F16_STEP " first64 parts(64x4).merge.f16 -> f16",
     "plan mode: split-K, grouped; the running sum is kept in the output's type"},
    {"gemmsn", SIMT " parts(1x4) parts(128) -> f16", "plan mode: three-level chain"},
    {"gemv13", SIMT BUTTERFLY_DOWN("8") " -> f16", "plan mode: lane-tree GEMV"},
    {"gemv14", SIMT " parts(256)" BUTTERFLY_DOWN("2") " lanes(2x2) parts(2) -> f16",
     "plan mode: dot kernel and one block that reduces; 64 lanes take pairs of a block's 256"},
    {"gemv_cslice", SIMT BUTTERFLY_DOWN("128") " -> f16", "plan mode: contiguous-slice GEMV"},
    {"promoted-every-step", FP8_STEP " slow -> bf16",
     "use_fast_accum off: each instruction starts from zero and is added in f32"},
    {"hopper-fp8-mma", "gemm e4m3*e4m3 fusedviaf16.F25.g16.z-133.rz23.f32 k32 -> f32",
     "fp8 mma.sync on sm_90, which runs through f16"},
    {"accumulate-into-c", F16_STEP " from-c -> f32",
     "the accumulator starts at C, as a kernel's own mma chain does"},
    {"scaled-epilogue", F16_STEP " epilogue.f32(alpha beta.fma bias.n relu) -> f16",
     "alpha, beta by a fused multiply-add, bias and ReLU, all in f32"},
};

llvm::ArrayRef<NamedDesc> mettle::numerics::namedDescs() { return descs; }

llvm::Expected<GEMMDesc> mettle::numerics::findDesc(llvm::StringRef nameOrText) {
  llvm::StringRef text = nameOrText;
  for (const NamedDesc &desc : descs)
    if (desc.name == nameOrText)
      text = desc.text;
  llvm::Expected<GEMMDesc> desc = GEMMDesc::parse(text);
  if (!desc)
    return desc.takeError();
  if (llvm::Error error = desc->validate())
    return std::move(error);
  return desc;
}
