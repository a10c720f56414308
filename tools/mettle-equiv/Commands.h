//===- Commands.h - The commands of mettle-equiv ----------------*- C++ -*-===//
//
// Exit codes: 0 equal (or done), 1 different, 2 unknown, 3 unusable input.
//
//===----------------------------------------------------------------------===//

#ifndef METTLE_TOOLS_METTLE_EQUIV_COMMANDS_H
#define METTLE_TOOLS_METTLE_EQUIV_COMMANDS_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

namespace mettle::equiv {

enum ExitCode : int { Equal = 0, Different = 1, Unknown = 2, Unusable = 3 };

using Arguments = llvm::ArrayRef<llvm::StringRef>;

int runClasses(Arguments arguments);
int runCompare(Arguments arguments);
int runSignature(Arguments arguments);
int runTree(Arguments arguments);

} // namespace mettle::equiv

#endif // METTLE_TOOLS_METTLE_EQUIV_COMMANDS_H
