//===- SymbolIndex.h - what stands where in a kernel file -------*- C++ -*-===//
//
// For editors: every name of an analysed file with its place, what it means, and where that is
// declared. Bodies that no kernel reaches are host code to the frontend and have no names here.
//
//===----------------------------------------------------------------------===//

#ifndef METTLE_FRONTEND_SYMBOLINDEX_H
#define METTLE_FRONTEND_SYMBOLINDEX_H

#include "Mettle/Frontend/AST.h"
#include "Mettle/Frontend/AddressSpaces.h"
#include "Mettle/Frontend/Diagnostics.h"

#include <memory>
#include <optional>

namespace mettle::frontend {

/// A name in the text, in [begin, end).
struct Occurrence {
  Offset begin = 0, end = 0;
  /// Declaration and facts in the words of the language, a line each.
  std::string text;
  /// The name at its declaration; none for what the language itself declares.
  std::optional<Range> definition;
};

/// A declaration of the file, for an outline.
struct Declaration {
  enum Kind : uint8_t { Kernel, Function, Record, Constant } kind;
  llvm::StringRef name;
  Range range;
  std::string detail;
};

/// A file, analysed, with everything its answers need. The text is copied.
class AnalysedFile {
public:
  AnalysedFile(llvm::StringRef name, llvm::StringRef text);
  ~AnalysedFile();

  const Source &source() const;
  llvm::ArrayRef<Diagnostic> diagnostics() const { return messages; }
  llvm::ArrayRef<Declaration> declarations() const { return outline; }
  /// The name at a position, or that ends there; null if none does.
  const Occurrence *at(Offset offset) const;

private:
  struct Stages;
  std::unique_ptr<Stages> stages;
  std::vector<Diagnostic> messages;
  std::vector<Declaration> outline;
  /// In order of place, without overlaps.
  std::vector<Occurrence> occurrences;
};

} // namespace mettle::frontend

#endif // METTLE_FRONTEND_SYMBOLINDEX_H
