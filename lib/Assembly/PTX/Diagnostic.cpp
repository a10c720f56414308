//===- Diagnostic.cpp - Located errors ------------------------------------===//
//
// Places and their presentation. Lines are counted only when an error is printed.
//
//===----------------------------------------------------------------------===//

#include "Mettle/Assembly/PTX/Diagnostic.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/raw_ostream.h"

using namespace mettle::assembly::ptx;

Position mettle::assembly::ptx::positionOf(llvm::StringRef text, size_t offset) {
  llvm::StringRef before = text.take_front(offset);
  size_t newline = before.rfind('\n');
  size_t lineStart = newline == llvm::StringRef::npos ? 0 : newline + 1;
  return {unsigned(before.count('\n') + 1), unsigned(before.size() - lineStart + 1)};
}

/// The most bytes of a line that are shown.
static constexpr size_t Window = 100;

static void printPlace(llvm::raw_ostream &os, llvm::StringRef file, llvm::StringRef text,
                       size_t offset, llvm::StringRef severity, llvm::StringRef message) {
  offset = std::min(offset, text.size());
  Position position = positionOf(text, offset);
  os << file << ':' << position.line << ':' << position.column << ": " << severity << ": "
     << message << '\n';
  size_t start = offset - (position.column - 1);
  llvm::StringRef line = text.substr(start).take_until([](char c) { return c == '\n'; });
  line.consume_back("\r");
  size_t caret = position.column - 1;
  if (line.empty())
    return;
  if (caret > Window / 2 && line.size() > Window) {
    size_t cut = std::min(caret - Window / 2, line.size());
    line = line.drop_front(cut);
    caret -= cut;
  }
  line = line.take_front(Window);
  std::string shown, under;
  for (size_t i = 0; i < line.size(); ++i) {
    std::string one = line[i] == '\t' || llvm::isPrint(line[i])
                          ? std::string(1, line[i])
                          : "\\x" + llvm::utohexstr(uint8_t(line[i]), true, 2);
    shown += one;
    if (i < caret)
      under += one == "\t" ? one : std::string(one.size(), ' ');
  }
  os << shown << '\n' << under << "^\n";
}

void mettle::assembly::ptx::printDiagnostic(llvm::raw_ostream &os, llvm::StringRef file,
                                            llvm::StringRef text, const Diagnostic &diagnostic) {
  printPlace(os, file, text, diagnostic.offset, "error", diagnostic.message);
  if (!diagnostic.note.empty())
    printPlace(os, file, text, diagnostic.noteOffset, "note", diagnostic.note);
}
