//===- Commands.h - The commands of mettle-equiv ----------------*- C++ -*-===//
//
// Exit codes: 0 equal (or done), 1 different, 2 unknown, 3 unusable input. What a command has to
// say goes to the stream that it is handed, errors to the error stream.
//
//===----------------------------------------------------------------------===//

#ifndef METTLE_TOOLS_METTLE_EQUIV_COMMANDS_H
#define METTLE_TOOLS_METTLE_EQUIV_COMMANDS_H

#include "Mettle/Checker/Equiv/Partition.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

namespace mettle::equiv {

enum ExitCode : int { Equal = 0, Different = 1, Unknown = 2, Unusable = 3 };

using Arguments = llvm::ArrayRef<llvm::StringRef>;

int runClasses(Arguments arguments, llvm::raw_ostream &os);
int runCompare(Arguments arguments, llvm::raw_ostream &os);
int runEvaluate(Arguments arguments, llvm::raw_ostream &os);
int runSignature(Arguments arguments, llvm::raw_ostream &os);
int runTree(Arguments arguments, llvm::raw_ostream &os);

/// Analyses the one kernel that the arguments name; the exit code where that gives no signature.
std::optional<int> analyseOne(Arguments arguments, checker::Source &source,
                              checker::Analysis &analysis, llvm::raw_ostream &os);

/// Prints one line to the error stream; Unusable.
int bad(const llvm::Twine &text);

/// Opens a file, lets it be written and makes it visible; false after an error, which is printed.
bool writeFile(llvm::StringRef path, llvm::function_ref<void(llvm::raw_ostream &)> write);

/// For every two classes of a kernel a JSON line with a witness, or why there is none.
void writeWitnesses(llvm::ArrayRef<checker::IndexEntry> entries,
                    llvm::ArrayRef<checker::Classified> results, unsigned jobs,
                    llvm::raw_ostream &os);

} // namespace mettle::equiv

#endif // METTLE_TOOLS_METTLE_EQUIV_COMMANDS_H
