//===- mettle-equiv.cpp - Do two kernels return the same bits? ------------===//
//
// The command line of the checker.
//
//===----------------------------------------------------------------------===//

#include "Commands.h"
#include "Mettle/Support/OutputFile.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/raw_ostream.h"

using namespace mettle;
using namespace mettle::equiv;

static constexpr llvm::StringLiteral usage =
    R"(usage: mettle-equiv A.ptx B.ptx [--entry NAME] [--grid X,Y,Z] [--block X,Y,Z] [--param N=V]...
       mettle-equiv signature K.ptx [--entry NAME] [--grid X,Y,Z] [--block X,Y,Z] [--param N=V]...
       mettle-equiv tree K.ptx [--dot | --svg] [--output N] [--nodes N] [--entry NAME] [--grid X,Y,Z] [--block X,Y,Z] [--param N=V]...
       mettle-equiv evaluate K.ptx --output N --input N=FILE... [--entry NAME] [--grid X,Y,Z] [--block X,Y,Z] [--param N=V]... [-o FILE]
       mettle-equiv --classes INDEX.jsonl [--jobs N] [--witnesses FILE] [--timings FILE] [-o REPORT.jsonl]

Decides from PTX whether kernels return the same bits.
  --grid, --block, --param   what is known of the launch; with -a or -b (--grid-a) of one kernel
  --assume ROW               trust a matrix instruction that no device has confirmed
  --dot, --svg               as a graph or a picture of the nodes nearest the root, at most --nodes
  --output N                 of one parameter alone
  --input N=FILE             the bytes of a parameter's memory; those of the output are what it held before
  --classes                  a class, or a reason why none, for every line of an index
  --witnesses FILE           and for every two of its classes an input on which they part
  --timings FILE             and what each line took, in milliseconds of processor time by phase
  --witness FILE             the inputs on which two kernels differ, a JSON line a word
  -o FILE                    where the report goes, instead of the standard output

Exit status: 0 equal, 1 different, 2 unknown, 3 unusable input.
)";

int equiv::bad(const llvm::Twine &text) {
  llvm::errs() << "mettle-equiv: error: " << text << '\n';
  return Unusable;
}

bool equiv::writeFile(llvm::StringRef path, llvm::function_ref<void(llvm::raw_ostream &)> write) {
  llvm::Expected<OutputFile> file = OutputFile::open(path);
  if (!file) {
    bad(llvm::toString(file.takeError()));
    return false;
  }
  write(file->os());
  if (llvm::Error problem = file->commit()) {
    bad(llvm::toString(std::move(problem)));
    return false;
  }
  return true;
}

static int run(Arguments arguments, llvm::raw_ostream &os) {
  if (arguments[0] == "--classes")
    return runClasses(arguments.drop_front(), os);
  if (arguments[0] == "signature")
    return runSignature(arguments.drop_front(), os);
  if (arguments[0] == "evaluate")
    return runEvaluate(arguments.drop_front(), os);
  if (arguments[0] == "tree")
    return runTree(arguments.drop_front(), os);
  return runCompare(arguments, os);
}

int main(int argc, char **argv) {
  llvm::SmallVector<llvm::StringRef, 16> arguments;
  llvm::StringRef output = "-";
  for (int i = 1; i < argc; ++i)
    if (llvm::StringRef(argv[i]) == "-o" && i + 1 < argc)
      output = argv[++i];
    else
      arguments.push_back(argv[i]);
  if (arguments.empty()) {
    llvm::errs() << usage;
    return Unusable;
  }
  if (arguments[0] == "--help" || arguments[0] == "-h") {
    llvm::outs() << usage;
    return 0;
  }
  llvm::Expected<OutputFile> file = OutputFile::open(output);
  if (!file)
    return bad(llvm::toString(file.takeError()));
  int status = run(arguments, file->os());
  // Of unusable input there may be answers all the same, for other lines of an index.
  if (status == Unusable && file->os().tell() == 0)
    return status;
  if (llvm::Error problem = file->commit())
    return bad(llvm::toString(std::move(problem)));
  return status;
}
