//===- Server.cpp - the language server's answers -------------------------===//
//
// Every change analyses the whole file again: the frontend takes a millisecond for thousands of
// lines, so there is nothing to keep.
//
//===----------------------------------------------------------------------===//

#include "Server.h"

#include "Sameness.h"

#include "Positions.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/raw_ostream.h"

using namespace mettle;
using namespace mettle::lsp;
using namespace llvm::lsp;
using frontend::AnalysedFile;
using llvm::json::Array;
using llvm::json::Object;

namespace lsp_protocol = llvm::lsp;

Server::Server(JSONTransport &transport, MessageHandler &handler) : transport(transport) {
  handler.method("initialize", this, &Server::initialize);
  handler.notification("initialized", this, &Server::initialized);
  handler.method("shutdown", this, &Server::shutdown);
  handler.notification("textDocument/didOpen", this, &Server::opened);
  handler.notification("textDocument/didChange", this, &Server::changed);
  handler.notification("textDocument/didClose", this, &Server::closed);
  handler.method("textDocument/hover", this, &Server::hover);
  handler.method("textDocument/definition", this, &Server::definition);
  handler.method("textDocument/documentSymbol", this, &Server::outline);
}

//===----------------------------------------------------------------------===//
// The session
//===----------------------------------------------------------------------===//

void Server::initialize(const InitializeParams &, Callback<llvm::json::Value> reply) {
  Object synchronization{{"openClose", true}, {"change", int(TextDocumentSyncKind::Incremental)}};
  reply(Object{{"serverInfo", Object{{"name", "mettle-lsp-server"}, {"version", METTLE_VERSION}}},
               {"capabilities", Object{{"textDocumentSync", std::move(synchronization)},
                                       {"hoverProvider", true},
                                       {"definitionProvider", true},
                                       {"documentSymbolProvider", true}}}});
}

void Server::shutdown(const NoParams &, Callback<std::nullptr_t> reply) {
  isShutDown = true;
  reply(nullptr);
}

//===----------------------------------------------------------------------===//
// Documents
//===----------------------------------------------------------------------===//

void Server::opened(const DidOpenTextDocumentParams &parameters) {
  Document &document = documents[parameters.textDocument.uri.file()];
  document.text = parameters.textDocument.text;
  document.version = parameters.textDocument.version;
  analyse(parameters.textDocument.uri, document);
}

void Server::changed(const DidChangeTextDocumentParams &parameters) {
  auto found = documents.find(parameters.textDocument.uri.file());
  if (found == documents.end())
    return;
  Document &document = found->second;
  for (const TextDocumentContentChangeEvent &change : parameters.contentChanges) {
    if (!change.range) {
      document.text = change.text;
      continue;
    }
    // Each change of one message applies to what the one before left.
    frontend::Source before("", document.text);
    frontend::Offset begin = offsetOf(before, change.range->start);
    frontend::Offset end = std::max(begin, offsetOf(before, change.range->end));
    document.text.replace(begin, end - begin, change.text);
  }
  document.version = parameters.textDocument.version;
  analyse(parameters.textDocument.uri, document);
}

void Server::closed(const DidCloseTextDocumentParams &parameters) {
  documents.erase(parameters.textDocument.uri.file());
  publish(parameters.textDocument.uri, 0, {});
}

const AnalysedFile *Server::fileOf(const URIForFile &uri) const {
  auto found = documents.find(uri.file());
  return found == documents.end() ? nullptr : found->second.file.get();
}

void Server::analyse(const URIForFile &uri, Document &document) {
  document.file = std::make_unique<AnalysedFile>(uri.file(), document.text);
  document.sameness.clear();
  if (document.file->diagnostics().empty())
    document.sameness = samenessOfVariables(context, uri.file(), document.text);
  const frontend::Source &source = document.file->source();
  Array diagnostics;
  for (const frontend::Diagnostic &message : document.file->diagnostics()) {
    Array related;
    for (const frontend::Diagnostic &note : message.notes)
      related.push_back(
          Object{{"location",
                  Object{{"uri", uri},
                         {"range", lsp_protocol::toJSON(rangeOf(source, note.begin, note.end))}}},
                 {"message", note.message}});
    diagnostics.push_back(
        Object{{"range", lsp_protocol::toJSON(rangeOf(source, message.begin, message.end))},
               {"severity", int(DiagnosticSeverity::Error)},
               {"code", frontend::codeName(message.code)},
               {"source", "mettle"},
               {"message", message.message},
               {"relatedInformation", std::move(related)}});
  }
  publish(uri, document.version, std::move(diagnostics));
}

void Server::publish(const URIForFile &uri, int64_t version, Array diagnostics) {
  transport.notify(
      "textDocument/publishDiagnostics",
      Object{{"uri", uri}, {"version", version}, {"diagnostics", std::move(diagnostics)}});
}

//===----------------------------------------------------------------------===//
// Questions
//===----------------------------------------------------------------------===//

void Server::hover(const TextDocumentPositionParams &parameters,
                   Callback<std::optional<Hover>> reply) {
  const AnalysedFile *file = fileOf(parameters.textDocument.uri);
  const frontend::Occurrence *found =
      file ? file->at(offsetOf(file->source(), parameters.position)) : nullptr;
  if (!found)
    return reply(std::nullopt);
  // The declaration as code, what else is known below it.
  auto [declaration, facts] = llvm::StringRef(found->text).split('\n');
  Hover hover(rangeOf(file->source(), found->begin, found->end));
  hover.contents.value = llvm::formatv("```mettle\n{0}\n```", declaration).str();
  for (llvm::StringRef fact : llvm::split(facts, '\n'))
    if (!fact.empty())
      hover.contents.value += "\n\n" + fact.str();
  if (found->definition) {
    const Document &document = documents.find(parameters.textDocument.uri.file())->second;
    if (llvm::StringRef words = document.sameness.lookup(found->definition->begin); !words.empty())
      hover.contents.value += "\n\n" + words.str();
  }
  reply(std::move(hover));
}

void Server::definition(const TextDocumentPositionParams &parameters,
                        Callback<std::vector<Location>> reply) {
  std::vector<Location> places;
  if (const AnalysedFile *file = fileOf(parameters.textDocument.uri)) {
    const frontend::Occurrence *found = file->at(offsetOf(file->source(), parameters.position));
    if (found && found->definition)
      places.emplace_back(
          parameters.textDocument.uri,
          rangeOf(file->source(), found->definition->begin, found->definition->end));
  }
  reply(std::move(places));
}

void Server::outline(const DocumentSymbolParams &parameters,
                     Callback<std::vector<DocumentSymbol>> reply) {
  std::vector<DocumentSymbol> symbols;
  if (const AnalysedFile *file = fileOf(parameters.textDocument.uri))
    for (const frontend::Declaration &declared : file->declarations()) {
      static constexpr SymbolKind kinds[] = {SymbolKind::Function, SymbolKind::Function,
                                             SymbolKind::Struct, SymbolKind::Constant};
      lsp_protocol::Range range = rangeOf(file->source(), declared.range.begin, declared.range.end);
      symbols.emplace_back(declared.name, kinds[declared.kind], range, range);
      symbols.back().detail = declared.detail;
    }
  reply(std::move(symbols));
}

int lsp::serve(JSONTransport &transport) {
  MessageHandler handler(transport);
  Server server(transport, handler);
  if (llvm::Error error = transport.run(handler)) {
    llvm::errs() << "mettle-lsp-server: error: " << llvm::toString(std::move(error)) << '\n';
    return 1;
  }
  return server.shutdownRequested() ? 0 : 1;
}
