//===- mettle-equiv.cpp - Do two kernels return the same bits? ------------===//
//
// The command line of the checker.
//
//===----------------------------------------------------------------------===//

#include "Commands.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/raw_ostream.h"

using namespace mettle::equiv;

static constexpr llvm::StringLiteral usage =
    R"(usage: mettle-equiv A.ptx B.ptx [--entry NAME] [--grid X,Y,Z] [--block X,Y,Z] [--param N=V]...
       mettle-equiv signature K.ptx [--entry NAME] [--grid X,Y,Z] [--block X,Y,Z] [--param N=V]...
       mettle-equiv tree K.ptx [--dot] [--output N] [--entry NAME] [--grid X,Y,Z] [--block X,Y,Z] [--param N=V]...
       mettle-equiv --classes INDEX.jsonl [--jobs N] [-o REPORT.jsonl]

Decides from PTX whether kernels return the same bits.
  --grid, --block, --param   what is known of the launch; with -a or -b (--grid-a) of one kernel
  --assume ROW               trust a matrix instruction that no device has confirmed
  --output N                 of one parameter alone
  --classes                  a class, or a reason why none, for every line of an index
  --witness FILE             the inputs on which two kernels differ, a JSON line a word
  -o FILE                    where the report goes, instead of the standard output

Exit status: 0 equal, 1 different, 2 unknown, 3 unusable input.
)";

int main(int argc, char **argv) {
  llvm::SmallVector<llvm::StringRef, 16> arguments(argv + 1, argv + argc);
  if (arguments.empty()) {
    llvm::errs() << usage;
    return Unusable;
  }
  if (arguments[0] == "--help" || arguments[0] == "-h") {
    llvm::outs() << usage;
    return 0;
  }
  if (arguments[0] == "--classes")
    return runClasses(Arguments(arguments).drop_front());
  if (arguments[0] == "signature")
    return runSignature(Arguments(arguments).drop_front());
  if (arguments[0] == "tree")
    return runTree(Arguments(arguments).drop_front());
  return runCompare(arguments);
}
