//===- mettle-emulate.cpp - PTX on the CPU, with the hardware's bits ------===//
//
// The command line of the emulator: what it can do is in the help text below.
//
//===----------------------------------------------------------------------===//

#include "Commands.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/WithColor.h"
#include "llvm/Support/raw_ostream.h"

using namespace mettle::emulate;

static constexpr char overview[] = R"(runs PTX on the CPU, with the bits of an sm_90 GPU

EXAMPLES
  every launch of an execution set, compared with what hardware returned:
    mettle-emulate replay exec-corpus.jsonl.xz --ptx corpus
  one kernel of it, one draw:
    mettle-emulate replay exec-corpus.jsonl.xz --ptx corpus --kernel softmax_row_f16 --draw 4
)";

int mettle::emulate::fail(llvm::Error error) {
  llvm::handleAllErrors(std::move(error), [](const llvm::ErrorInfoBase &info) {
    llvm::WithColor::error(llvm::errs(), "mettle-emulate") << info.message() << '\n';
  });
  return 2;
}

int main(int argc, char **argv) {
  llvm::InitLLVM init(argc, argv);
  llvm::cl::ParseCommandLineOptions(argc, argv, overview);
  for (Command *command : {&replayCommand})
    if (command->name)
      return command->run();
  return fail(llvm::createStringError("expected a command, see mettle-emulate --help"));
}
