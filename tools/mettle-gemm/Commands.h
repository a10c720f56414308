//===- Commands.h - The subcommands of mettle-gemm --------------*- C++ -*-===//
//
// Each subcommand lives in a file of its own, which also defines its options. A command returns the
// process's exit status: 0, 1 for a negative answer (a mismatch), 2 for bad input.
//
//===----------------------------------------------------------------------===//

#ifndef METTLE_TOOLS_METTLE_GEMM_COMMANDS_H
#define METTLE_TOOLS_METTLE_GEMM_COMMANDS_H

#include "llvm/Support/CommandLine.h"
#include "llvm/Support/Error.h"

namespace mettle::gemm {

/// A subcommand and what it runs.
struct Command {
  llvm::cl::SubCommand name;
  int (*run)();
};

extern Command algorithmsCommand, benchCommand, convertCommand, describeCommand, evalCommand,
    explainCommand, goldenCommand, probeCommand, rowsCommand;

/// Prints `mettle-gemm: error: ...` and returns 2.
int fail(llvm::Error error);

} // namespace mettle::gemm

#endif // METTLE_TOOLS_METTLE_GEMM_COMMANDS_H
