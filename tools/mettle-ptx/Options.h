//===- Options.h - The command line of mettle-ptx ---------------*- C++ -*-===//
//
// An own parser, because LLVM's libraries claim `--stats` and `--print-...` for themselves.
//
//===----------------------------------------------------------------------===//

#ifndef METTLE_TOOLS_METTLE_PTX_OPTIONS_H
#define METTLE_TOOLS_METTLE_PTX_OPTIONS_H

#include "Mettle/Assembly/PTX/Parser.h"
#include <optional>

enum class Action { Check, Print, Decode, ControlFlow, Statistics, RoundTrip };

struct Options {
  Action action = Action::Check;
  std::vector<llvm::StringRef> inputs;
  llvm::StringRef output = "-";
  mettle::assembly::ptx::ParseOptions parse;
};

/// Reads the command line. After `--help` or a mistake, which it has printed, gives the exit
/// status instead.
std::optional<int> parseOptions(int argc, char **argv, Options &options);

#endif // METTLE_TOOLS_METTLE_PTX_OPTIONS_H
