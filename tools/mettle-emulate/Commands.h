//===- Commands.h - The subcommands of mettle-emulate -----------*- C++ -*-===//
//
// Each subcommand lives in a file of its own, which also defines its options. A command returns the
// process's exit status: 0, 1 for a negative answer (a mismatch, a fault), 2 for bad input.
//
//===----------------------------------------------------------------------===//

#ifndef METTLE_TOOLS_METTLE_EMULATE_COMMANDS_H
#define METTLE_TOOLS_METTLE_EMULATE_COMMANDS_H

#include "llvm/Support/CommandLine.h"
#include "llvm/Support/Error.h"

namespace mettle::emulate {

/// A subcommand and what it runs.
struct Command {
  llvm::cl::SubCommand name;
  int (*run)();
};

extern Command replayCommand, runCommand;

/// Prints `mettle-emulate: error: ...`, or what is located as it is, and returns 2.
int fail(llvm::Error error);

} // namespace mettle::emulate

#endif // METTLE_TOOLS_METTLE_EMULATE_COMMANDS_H
