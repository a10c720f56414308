//===- Diagnostics.cpp - collecting and printing messages -===//
//
// The text and JSON forms of a message, and the collector that orders messages by place.
//
//===----------------------------------------------------------------------===//

#include "Mettle/Frontend/Diagnostics.h"

#include "llvm/Support/JSON.h"
#include "llvm/Support/raw_ostream.h"

#include <algorithm>

using namespace mettle::frontend;
using llvm::StringRef;

namespace {
struct Record {
  StringRef name, text;
};
} // namespace

static constexpr Record records[] = {
#define METTLE_DIAGNOSTIC(name, text) {#name, text},
#include "Mettle/Frontend/Diagnostics.def"
};

static std::string substitute(Code code, std::initializer_list<StringRef> places) {
  std::string message;
  StringRef text = records[static_cast<unsigned>(code)].text;
  while (!text.empty()) {
    size_t brace = text.find('{');
    message += text.take_front(brace);
    if (brace == StringRef::npos)
      break;
    message += places.begin()[text[brace + 1] - '0'];
    text = text.drop_front(brace + 3);
  }
  return message;
}

StringRef mettle::frontend::codeName(Code code) {
  return records[static_cast<unsigned>(code)].name;
}

Diagnostic &Diagnostics::error(Offset begin, Offset end, Code code,
                               std::initializer_list<StringRef> places) {
  if (!this->places.insert(begin).second)
    return dropped = Diagnostic();
  Diagnostic &made = errors.emplace_back();
  made.code = code;
  made.message = substitute(code, places);
  made.begin = begin;
  made.end = std::max(begin, end);
  return made;
}

void Diagnostics::note(Diagnostic &to, Offset begin, Offset end, Code code,
                       std::initializer_list<StringRef> places) {
  Diagnostic &made = to.notes.emplace_back();
  made.severity = Severity::Note;
  made.code = code;
  made.message = substitute(code, places);
  made.begin = begin;
  made.end = std::max(begin, end);
}

void Diagnostics::flush(llvm::function_ref<void(const Source &, const Diagnostic &)> handler,
                        unsigned limit) {
  std::sort(errors.begin(), errors.end(),
            [](const Diagnostic &a, const Diagnostic &b) { return a.begin < b.begin; });
  std::vector<Diagnostic> ordered = std::move(errors);
  errors.clear();
  places.clear();
  size_t shown = std::min<size_t>(ordered.size(), limit);
  for (size_t i = 0; i < shown; ++i)
    handler(source, ordered[i]);
  if (shown == ordered.size())
    return;
  const Diagnostic &next = ordered[shown];
  Diagnostic rest;
  rest.code = Code::too_many_errors;
  rest.message = substitute(rest.code, {std::to_string(ordered.size() - shown)});
  rest.begin = next.begin;
  rest.end = next.end;
  handler(source, rest);
}

static StringRef severityName(Severity severity) {
  return severity == Severity::Error ? "error" : "note";
}

void mettle::frontend::printText(llvm::raw_ostream &os, const Source &source,
                                 const Diagnostic &diagnostic) {
  LineColumn at = source.lineColumn(diagnostic.begin);
  os << source.name() << ':' << at.line << ':' << at.column << ": "
     << severityName(diagnostic.severity) << ": " << diagnostic.message << '\n';
  // Of a line that no terminal shows whole, the part around the place.
  constexpr size_t widest = 200, before = 100;
  StringRef line = source.line(at.line);
  size_t column = at.column - 1;
  if (line.size() > widest) {
    size_t start = column > before ? column - before : 0;
    line = line.substr(start, widest);
    column -= start;
  }
  os << line << '\n';
  // A tab stays a tab, so that the caret stands below its place however wide tabs are shown.
  for (char c : line.take_front(column))
    os << (c == '\t' ? '\t' : ' ');
  os << '^';
  size_t length = diagnostic.end - diagnostic.begin;
  size_t room = line.size() > column ? line.size() - column : 1;
  for (size_t i = 1; i < std::min(length, room); ++i)
    os << '~';
  os << '\n';
  for (const Diagnostic &note : diagnostic.notes)
    printText(os, source, note);
}

static llvm::json::Object toJSON(const Source &source, const Diagnostic &diagnostic) {
  LineColumn begin = source.lineColumn(diagnostic.begin), end = source.lineColumn(diagnostic.end);
  llvm::json::Array notes;
  for (const Diagnostic &note : diagnostic.notes)
    notes.push_back(toJSON(source, note));
  return llvm::json::Object{{"file", llvm::json::fixUTF8(source.name())},
                            {"line", begin.line},
                            {"column", begin.column},
                            {"end_line", end.line},
                            {"end_column", end.column},
                            {"severity", severityName(diagnostic.severity)},
                            {"code", codeName(diagnostic.code)},
                            {"message", llvm::json::fixUTF8(diagnostic.message)},
                            {"notes", std::move(notes)}};
}

void mettle::frontend::printJSON(llvm::raw_ostream &os, const Source &source,
                                 const Diagnostic &diagnostic) {
  os << llvm::json::Value(toJSON(source, diagnostic)) << '\n';
}
