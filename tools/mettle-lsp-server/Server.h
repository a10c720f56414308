//===- Server.h - the language server's answers ---------------------------===//
//
// Keeps the open files analysed and answers about them: messages, hover, definitions, an outline.
//
//===----------------------------------------------------------------------===//

#ifndef METTLE_TOOLS_METTLE_LSP_SERVER_SERVER_H
#define METTLE_TOOLS_METTLE_LSP_SERVER_SERVER_H

#include "Mettle/Frontend/SymbolIndex.h"

#include "mlir/IR/MLIRContext.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/LSP/Protocol.h"
#include "llvm/Support/LSP/Transport.h"

namespace mettle::lsp {

/// Serves until the client ends the session. Returns the exit status that the protocol demands: 0
/// if a shutdown request came before the exit notification.
int serve(llvm::lsp::JSONTransport &transport);

/// An open file. The text is kept beside its analysis for incremental changes.
struct Document {
  std::string text;
  int64_t version = 0;
  std::unique_ptr<frontend::AnalysedFile> file;
  /// For whom each variable is the same, by the place of its declared name.
  llvm::DenseMap<frontend::Offset, llvm::StringRef> sameness;
};

class Server {
public:
  Server(llvm::lsp::JSONTransport &transport, llvm::lsp::MessageHandler &handler);

  bool shutdownRequested() const { return isShutDown; }

private:
  template <typename Result> using Callback = llvm::lsp::Callback<Result>;

  void initialize(const llvm::lsp::InitializeParams &parameters, Callback<llvm::json::Value> reply);
  void initialized(const llvm::lsp::InitializedParams &) {}
  void shutdown(const llvm::lsp::NoParams &, Callback<std::nullptr_t> reply);
  void opened(const llvm::lsp::DidOpenTextDocumentParams &parameters);
  void changed(const llvm::lsp::DidChangeTextDocumentParams &parameters);
  void closed(const llvm::lsp::DidCloseTextDocumentParams &parameters);
  void hover(const llvm::lsp::TextDocumentPositionParams &parameters,
             Callback<std::optional<llvm::lsp::Hover>> reply);
  void definition(const llvm::lsp::TextDocumentPositionParams &parameters,
                  Callback<std::vector<llvm::lsp::Location>> reply);
  void outline(const llvm::lsp::DocumentSymbolParams &parameters,
               Callback<std::vector<llvm::lsp::DocumentSymbol>> reply);

  /// Analyses a document's text and tells the client what is wrong with it.
  void analyse(const llvm::lsp::URIForFile &uri, Document &document);
  void publish(const llvm::lsp::URIForFile &uri, int64_t version, llvm::json::Array diagnostics);
  const frontend::AnalysedFile *fileOf(const llvm::lsp::URIForFile &uri) const;

  llvm::lsp::JSONTransport &transport;
  mlir::MLIRContext context{mlir::MLIRContext::Threading::DISABLED};
  llvm::StringMap<Document> documents;
  bool isShutDown = false;
};

} // namespace mettle::lsp

#endif // METTLE_TOOLS_METTLE_LSP_SERVER_SERVER_H
