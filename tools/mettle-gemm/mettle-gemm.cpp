//===- mettle-gemm.cpp - GEMMs by their descriptor, on the CPU ------------===//
//
// The command line of the numerics library: what it can do is in the help text below.
//
//===----------------------------------------------------------------------===//

#include "Commands.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/WithColor.h"
#include "llvm/Support/raw_ostream.h"

using namespace mettle::gemm;

static constexpr char overview[] = R"(what matrix instructions return, bit for bit, on the CPU

EXAMPLES
  D = A * B as cuBLAS's split-K kernels on an H200 compute it:
    mettle-gemm eval "gemm f16*f16 fused.F25.g16.z-133.rz23.f32 k16 parts(4096) -> f16" a.npy b.npy -o d.npy
  a named descriptor: its text, canonical form and hash, and whether sm_90 can realise it:
    mettle-gemm describe split-k --arch=sm_90
  the operations behind D(0, 0), as text or as a drawing:
    mettle-gemm explain split-k --k=64
    mettle-gemm explain gemv13 --k=64 --svg=tree.svg
  in which order a hidden descriptor adds, found by experiment; then the same of cuBLASLt:
    mettle-gemm probe --desc=gemv13 --m=16 --n=16 --k=300
    mettle-gemm probe --cublaslt --type=f16 --output=f16 --m=64 --n=64 --k=4096
  with which options cuBLASLt takes its algorithms 13 and 14 for a vector, and what one of them does:
    mettle-gemm algorithms f16,f16,1,64,255,b-along-k --id=13,14
    mettle-gemm probe --cublaslt --algorithm=13:0:0:1:0:0:74 --output=f16 --m=1 --n=64 --k=255 --b-along-k
  every word that an H200 returned, against the matrix model:
    mettle-gemm golden DIR
  the arithmetic of an instruction, and where it is known from:
    mettle-gemm rows --arch=sm_90 --instruction=wgmma.mma_async.sync.aligned.m64n128k16.f32.f16.f16
  f32 numbers to fp8, saturating:
    mettle-gemm convert x.npy --from=f32 --to=e4m3 --overflow=sat -o y.npy
)";

int mettle::gemm::fail(llvm::Error error) {
  llvm::handleAllErrors(std::move(error), [](const llvm::ErrorInfoBase &info) {
    llvm::WithColor::error(llvm::errs(), "mettle-gemm") << info.message() << '\n';
  });
  return 2;
}

int main(int argc, char **argv) {
  llvm::InitLLVM init(argc, argv);
  llvm::cl::ParseCommandLineOptions(argc, argv, overview);
  for (Command *command :
       {&algorithmsCommand, &benchCommand, &convertCommand, &describeCommand, &evalCommand,
        &explainCommand, &goldenCommand, &probeCommand, &rowsCommand})
    if (command->name)
      return command->run();
  return fail(llvm::createStringError("expected a command, see mettle-gemm --help"));
}
