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
  for (Command *command : {&convertCommand, &goldenCommand, &rowsCommand})
    if (command->name)
      return command->run();
  return fail(llvm::createStringError("expected a command, see mettle-gemm --help"));
}
