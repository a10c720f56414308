//===- mettle-lsp-server.cpp - the language server for editors ------------===//
//
// Speaks the Language Server Protocol on the standard input and output.
//
//===----------------------------------------------------------------------===//

#include "Server.h"

#include "llvm/Support/CommandLine.h"
#include "llvm/Support/Program.h"
#include "llvm/Support/raw_ostream.h"

namespace cl = llvm::cl;

int main(int argc, char **argv) {
  cl::OptionCategory category("mettle-lsp-server options");
  cl::opt<bool> delimited(
      "delimited", cl::desc("Messages without headers, separated by '// -----' lines, for tests"),
      cl::cat(category));
  cl::opt<bool> pretty("pretty", cl::desc("Indent the JSON that is written"), cl::cat(category));
  cl::HideUnrelatedOptions(category);
  cl::SetVersionPrinter(
      [](llvm::raw_ostream &os) { os << "mettle-lsp-server " METTLE_VERSION "\n"; });
  cl::ParseCommandLineOptions(argc, argv,
                              "Tells editors about Mettle kernels: messages, hover, definitions\n");
  // Headers count bytes, so that no line end may be translated.
  (void)llvm::sys::ChangeStdinToBinary();
  llvm::lsp::JSONTransport transport(stdin, llvm::outs(),
                                     delimited ? llvm::lsp::JSONStreamStyle::Delimited
                                               : llvm::lsp::JSONStreamStyle::Standard,
                                     pretty);
  return mettle::lsp::serve(transport);
}
