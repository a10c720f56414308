//===- Explain.cpp - remarks as lines of JSON -===//
//
// What --explain=json prints in place of text: one object a line, with the members that
// --diagnostics=json gives an error. A remark ends in its stable code, "[copy_divergent]", which
// becomes the member "code".
//
//===----------------------------------------------------------------------===//

#include "Driver.h"

#include "llvm/Support/JSON.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;
using llvm::json::Object;

static Object toJSON(const Diagnostic &diagnostic, StringRef severity) {
  std::string text = diagnostic.str();
  StringRef message = text, code;
  if (message.consume_back("]"))
    std::tie(message, code) = message.rsplit(" [");
  Object object{
      {"severity", severity}, {"code", code.str()}, {"message", llvm::json::fixUTF8(message)}};
  if (auto place = diagnostic.getLocation()->findInstanceOf<FileLineColLoc>()) {
    object["file"] = llvm::json::fixUTF8(place.getFilename().getValue());
    object["line"] = place.getLine();
    object["column"] = place.getColumn();
  }
  llvm::json::Array notes;
  for (const Diagnostic &note : diagnostic.getNotes())
    notes.push_back(toJSON(note, "note"));
  object["notes"] = std::move(notes);
  return object;
}

LogicalResult mettle::driver::printRemarkAsJSON(const Diagnostic &diagnostic) {
  if (diagnostic.getSeverity() != DiagnosticSeverity::Remark)
    return failure();
  llvm::errs() << llvm::json::Value(toJSON(diagnostic, "remark")) << '\n';
  return success();
}
