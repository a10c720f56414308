//===- mettle-emulate.cpp - PTX on the CPU, with the hardware's bits ------===//
//
// The command line of the emulator: what it can do is in the help text below.
//
//===----------------------------------------------------------------------===//

#include "Commands.h"
#include "Mettle/Support/LocatedError.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/raw_ostream.h"

using namespace mettle::emulate;

static constexpr char overview[] = R"(runs PTX on the CPU, with the bits of an sm_90 GPU

EXAMPLES
  a kernel of any compiler, on a thousand random numbers:
    mettle-emulate run vadd.ptx --grid=17 --block=64 --arg=f32[1000]=rand:1 --arg=f32[1000]=rand:2
        --arg=f32[1000]=zeros --arg=1000
  every launch of an execution set, compared with what hardware returned:
    mettle-emulate replay exec-corpus.jsonl.xz --ptx corpus
  one kernel of it, one draw:
    mettle-emulate replay exec-corpus.jsonl.xz --ptx corpus --kernel softmax_row_f16 --draw 4
)";

int mettle::emulate::fail(llvm::Error error) {
  printErrors(llvm::errs(), "mettle-emulate", std::move(error));
  return 2;
}

int main(int argc, char **argv) {
  llvm::InitLLVM init(argc, argv);
  llvm::cl::ParseCommandLineOptions(argc, argv, overview);
  for (Command *command : {&runCommand, &replayCommand})
    if (command->name)
      return command->run();
  return fail(llvm::createStringError("expected a command, see mettle-emulate --help"));
}
