//===- Diagnostics.h - what the frontend tells about a kernel file -===//
//
// Every message is one record of Diagnostics.def: a stable code, which tools and tests may rely on,
// and a text with numbered places. A renderer gets whole Diagnostic values, so that text, JSON and
// an editor protocol differ only in how they print them.
//
//===----------------------------------------------------------------------===//

#ifndef METTLE_FRONTEND_DIAGNOSTICS_H
#define METTLE_FRONTEND_DIAGNOSTICS_H

#include "Mettle/Frontend/Source.h"

#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLFunctionalExtras.h"

#include <initializer_list>
#include <vector>

namespace llvm {
class raw_ostream;
} // namespace llvm

namespace mettle::frontend {

/// The records of Diagnostics.def.
enum class Code : uint16_t {
#define METTLE_DIAGNOSTIC(name, text) name,
#include "Mettle/Frontend/Diagnostics.def"
};

/// The stable name of a code, which is its spelling in Diagnostics.def.
llvm::StringRef codeName(Code code);

enum class Severity : uint8_t { Error, Note };

/// One message at one place, with the notes that belong to it. Notes point at another place of the
/// same file.
struct Diagnostic {
  Severity severity = Severity::Error;
  Code code;
  std::string message;
  /// The place, as a half-open range of bytes; the caret stands at its start.
  Offset begin = 0, end = 0;
  std::vector<Diagnostic> notes;
};

/// Collects the messages about one file. Nothing is printed before flush, which sorts by place: the
/// stages of the frontend see a file in different orders, its author in one.
class Diagnostics {
public:
  explicit Diagnostics(const Source &source) : source(source) {}

  /// Reports an error at [begin, end); `{0}`, `{1}`, … in the text are replaced. A second error
  /// that starts where an earlier one did is dropped, since it follows from it. Returns the
  /// message, to which notes may be added, or a scratch one that was dropped.
  Diagnostic &error(Offset begin, Offset end, Code code,
                    std::initializer_list<llvm::StringRef> places = {});

  static void note(Diagnostic &to, Offset begin, Offset end, Code code,
                   std::initializer_list<llvm::StringRef> places = {});

  bool hasErrors() const { return !errors.empty(); }

  /// Gives every message to the handler in order of place, and forgets them. After `limit` errors
  /// one more says how many are not shown.
  void flush(llvm::function_ref<void(const Source &, const Diagnostic &)> handler,
             unsigned limit = 20);

private:
  const Source &source;
  std::vector<Diagnostic> errors;
  llvm::DenseSet<Offset> places;
  Diagnostic dropped;
};

/// Prints `file:line:column: error: message`, the line of source and a caret under the place, then
/// the notes alike.
void printText(llvm::raw_ostream &os, const Source &source, const Diagnostic &diagnostic);

/// Prints one JSON object on a line: `{"file", "line", "column", "end_line", "end_column",
/// "severity", "code", "message", "notes": […]}`.
void printJSON(llvm::raw_ostream &os, const Source &source, const Diagnostic &diagnostic);

} // namespace mettle::frontend

#endif // METTLE_FRONTEND_DIAGNOSTICS_H
