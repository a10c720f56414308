//===- Options.cpp - The command line of mettle-ptx -----------------------===//
//
// One table of options, from which parsing and --help derive.
//
//===----------------------------------------------------------------------===//

#include "Options.h"
#include "llvm/ADT/Twine.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"

namespace {
struct Row {
  llvm::StringLiteral name;
  llvm::StringLiteral value; ///< what it takes, empty for nothing
  llvm::StringLiteral help;
  /// Applies the option; false if the value will not do.
  bool (*apply)(Options &options, llvm::StringRef value);
};
} // namespace

template <Action action> static bool act(Options &options, llvm::StringRef) {
  options.action = action;
  return true;
}

static constexpr Row rows[] = {
    {"--print", "", "print the module as PTX, token for token", act<Action::Print>},
    {"--decode", "", "list what was decoded", act<Action::Decode>},
    {"--cfg", "", "print control-flow graphs in the DOT language", act<Action::ControlFlow>},
    {"--stats", "", "print counts", act<Action::Statistics>},
    {"--round-trip", "", "print the module to memory and compare its tokens with the file's",
     act<Action::RoundTrip>},
    {"-o", "FILE", "write there instead of to the standard output",
     [](Options &options, llvm::StringRef value) {
       options.output = value;
       return !value.empty();
     }},
    {"--max-size", "MIB", "refuse longer files (default 512)",
     [](Options &options, llvm::StringRef value) {
       unsigned size;
       bool good = !value.getAsInteger(10, size);
       options.parse.maxBytes = uint64_t(size) << 20;
       return good;
     }},
    {"--max-errors", "N", "stop reading a file after so many errors (default 20)",
     [](Options &options, llvm::StringRef value) {
       return !value.getAsInteger(10, options.parse.maxErrors) && options.parse.maxErrors;
     }},
    {"--any-target", "", "accept opcodes that the module's target does not have",
     [](Options &options, llvm::StringRef) {
       options.parse.checkTarget = false;
       return true;
     }},
};

static void help(llvm::raw_ostream &os) {
  os << "usage: mettle-ptx [option]... FILE...\n"
        "Reads PTX. Without an action, only says what is wrong; '-' is the standard input.\n\n";
  for (const Row &row : rows) {
    std::string left = row.name.str();
    if (!row.value.empty())
      left += (llvm::Twine(" ") + row.value).str();
    os << llvm::format("  %-18s", left.c_str()) << row.help << '\n';
  }
  os << llvm::format("  %-18s", "--help") << "print this\n";
}

std::optional<int> parseOptions(int argc, char **argv, Options &options) {
  auto fail = [](const llvm::Twine &message) {
    llvm::errs() << "mettle-ptx: error: " << message << "; see mettle-ptx --help\n";
    return 1;
  };
  for (int i = 1; i < argc; ++i) {
    llvm::StringRef argument = argv[i];
    if (argument == "--help" || argument == "-h") {
      help(llvm::outs());
      return 0;
    }
    if (!argument.starts_with("-") || argument == "-") {
      options.inputs.push_back(argument);
      continue;
    }
    auto [name, value] = argument.split('=');
    bool attached = argument.contains('=');
    const Row *found = nullptr;
    for (const Row &row : rows)
      if (row.name == name)
        found = &row;
    if (!found)
      return fail("unknown option '" + argument + "'");
    if (found->value.empty() && attached)
      return fail("option '" + name + "' takes no value");
    if (!found->value.empty() && !attached) {
      if (++i == argc)
        return fail("option '" + name + "' needs a value");
      value = argv[i];
    }
    if (!found->apply(options, value))
      return fail("'" + value + "' is not a value of option '" + name + "'");
  }
  if (options.inputs.empty())
    return fail("expected an input file");
  return std::nullopt;
}
