//===- Analysed.h - source text run through the stages of the frontend -===//
//
// Keeps everything a test may ask about alive together, and gives the messages as text.
//
//===----------------------------------------------------------------------===//

#ifndef METTLE_UNITTESTS_FRONTEND_ANALYSED_H
#define METTLE_UNITTESTS_FRONTEND_ANALYSED_H

#include "Mettle/Frontend/Sema.h"
#include "llvm/ADT/Twine.h"

#include <string>
#include <vector>

namespace mettle::frontend {

struct Analysed {
  explicit Analysed(const llvm::Twine &text)
      : text(text.str()), source("k.mettle", this->text), diagnostics(source), tree(source),
        parser(tree, lex(source, tree.names, diagnostics), diagnostics),
        sema(tree, parser, diagnostics) {
    parser.parseDeclarations();
    sema.analyse();
    diagnostics.flush([&](const Source &, const Diagnostic &diagnostic) {
      LineColumn at = source.lineColumn(diagnostic.begin);
      errors.push_back(std::to_string(at.line) + ":" + std::to_string(at.column) + ": " +
                       codeName(diagnostic.code).str());
    });
  }

  const FunctionDecl *function(llvm::StringRef name) const {
    for (const FunctionDecl *candidate : tree.functions)
      if (candidate->name->getKey() == name && candidate->body)
        return candidate;
    return nullptr;
  }

  std::string text;
  Source source;
  Diagnostics diagnostics;
  SyntaxTree tree;
  Parser parser;
  Sema sema;
  /// `line:column: code` of each error.
  std::vector<std::string> errors;
};

} // namespace mettle::frontend

#endif // METTLE_UNITTESTS_FRONTEND_ANALYSED_H
