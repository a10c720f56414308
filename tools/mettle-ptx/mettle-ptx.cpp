//===- mettle-ptx.cpp - Reads PTX and says what is in it ------------------===//
//
// The command line of the PTX reader: checks files, prints them back, lists what was decoded,
// draws control flow, counts.
//
//===----------------------------------------------------------------------===//

#include "Mettle/Assembly/PTX/ControlFlow.h"
#include "Mettle/Assembly/PTX/Printer.h"
#include "Mettle/Assembly/PTX/Token.h"
#include "Mettle/Support/OutputFile.h"
#include "Options.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/raw_ostream.h"

using namespace mettle;
using namespace mettle::assembly::ptx;

static bool roundTrip(llvm::raw_ostream &os, llvm::StringRef name, const Module &module) {
  std::string printed;
  llvm::raw_string_ostream stream(printed);
  printModule(stream, module);
  TokenDifference difference = compareTokens(module.text, printed);
  if (difference.equal) {
    os << name << ": " << difference.tokens << " tokens equal\n";
    return true;
  }
  llvm::errs() << name << ": error: printed token " << difference.tokens << " is '"
               << difference.right << "', expected '" << difference.left << "'\n";
  return false;
}

/// Reads one file and does what was asked; false after errors, which have been printed.
static bool process(llvm::StringRef name, const Options &options, llvm::raw_ostream &os,
                    Module &module) {
  llvm::StringRef shown = name == "-" ? "<stdin>" : name;
  uint64_t size;
  if (name != "-" && !llvm::sys::fs::file_size(name, size))
    if (std::optional<Diagnostic> fault = sizeFault(size, options.parse)) {
      printDiagnostic(llvm::errs(), shown, "", *fault);
      return false;
    }
  auto buffer = llvm::MemoryBuffer::getFileOrSTDIN(name);
  if (!buffer) {
    llvm::errs() << name << ": error: cannot read: " << buffer.getError().message() << '\n';
    return false;
  }
  std::vector<Diagnostic> errors;
  llvm::StringRef text = (*buffer)->getBuffer();
  bool good = parse(text, module, errors, options.parse);
  for (const Diagnostic &error : errors)
    printDiagnostic(llvm::errs(), shown, text, error);
  if (!good)
    return false;
  switch (options.action) {
  case Action::Check:
    break;
  case Action::Print:
    printModule(os, module);
    break;
  case Action::Decode:
    printDecoded(os, module);
    break;
  case Action::ControlFlow:
    printControlFlow(os, module);
    break;
  case Action::Statistics:
    printStatistics(os, module);
    break;
  case Action::RoundTrip:
    return roundTrip(os, name, module);
  }
  return true;
}

int main(int argc, char **argv) {
  Options options;
  if (std::optional<int> status = parseOptions(argc, argv, options))
    return *status;
  llvm::Expected<OutputFile> output = OutputFile::open(options.output);
  if (!output) {
    llvm::errs() << "mettle-ptx: error: " << llvm::toString(output.takeError()) << '\n';
    return 1;
  }
  Module module;
  bool good = true;
  for (llvm::StringRef input : options.inputs)
    good &= process(input, options, output->os(), module);
  if (!good)
    return 1;
  if (llvm::Error error = output->commit()) {
    llvm::errs() << "mettle-ptx: error: " << llvm::toString(std::move(error)) << '\n';
    return 1;
  }
  return 0;
}
