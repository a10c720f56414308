//===- Reader.cpp - Entry, errors and recovery ----------------------------===//
//
// How reading starts, ends, and goes on after an error.
//
//===----------------------------------------------------------------------===//

#include "Reader.h"
#include "Foreign.h"
#include "llvm/ADT/StringExtras.h"
#include <tuple>

using namespace mettle::assembly::ptx;

std::optional<Diagnostic> mettle::assembly::ptx::sizeFault(uint64_t bytes,
                                                           const ParseOptions &options) {
  uint64_t limit = std::min<uint64_t>(options.maxBytes, UINT32_MAX - 1);
  if (bytes <= limit)
    return std::nullopt;
  return Diagnostic{0,
                    ("expected a text of at most " + llvm::Twine(limit) + " bytes, found one of " +
                     llvm::Twine(bytes))
                        .str(),
                    ""};
}

bool mettle::assembly::ptx::parse(llvm::StringRef text, Module &module,
                                  std::vector<Diagnostic> &errors, const ParseOptions &options) {
  module.clear();
  module.text = text;
  if (std::optional<Diagnostic> fault = sizeFault(text.size(), options)) {
    errors.push_back(*fault);
    return false;
  }
  size_t before = errors.size();
  Reader(text, module, errors, options).run();
  // A label that never came is known only at the end of its function.
  std::sort(errors.begin() + before, errors.end(), [](const Diagnostic &a, const Diagnostic &b) {
    return std::tie(a.offset, a.message) < std::tie(b.offset, b.message);
  });
  return errors.size() == before;
}

Reader::Reader(llvm::StringRef text, Module &module, std::vector<Diagnostic> &errors,
               const ParseOptions &options)
    : cursor(text), module(module), errors(errors), options(options) {
  module.locations.emplace_back();
}

void Reader::run() {
  if (!header())
    return;
  while (!stopped) {
    cursor.skip();
    if (cursor.atEnd())
      break;
    moduleStatement();
  }
  if (cursor.openComment())
    error(cursor.end, "expected '*/' before the end of the file");
}

std::string Reader::found(const char *at, const char *end) {
  if (at >= end)
    return "end of file";
  const char *stop = at;
  if (isClass(*at, NameStart | NameBody) || *at == '.') {
    ++stop;
    while (isClass(*stop, NameBody) && stop - at < 40)
      ++stop;
  } else if (llvm::isPrint(*at)) {
    ++stop;
  } else {
    return "byte 0x" + llvm::utohexstr(uint8_t(*at), /*LowerCase=*/true, /*Width=*/2);
  }
  return ("'" + llvm::StringRef(at, size_t(stop - at)) + "'").str();
}

bool Reader::error(const char *at, const llvm::Twine &message) {
  return error(at, message, nullptr, "");
}

bool Reader::error(const char *at, const llvm::Twine &message, const char *other,
                   const llvm::Twine &note) {
  // A second complaint about one place is an echo of the first.
  if (stopped || (errorCount && errors.back().offset == offsetOf(at)))
    return false;
  errors.push_back({offsetOf(at), message.str(), other ? note.str() : std::string(),
                    other ? offsetOf(other) : 0});
  stopped = ++errorCount >= options.maxErrors;
  return false;
}

bool Reader::expected(const llvm::Twine &what) {
  return error(cursor.p, "expected " + what + ", found " + found(cursor.p, cursor.end));
}

/// Whether a directive stands here that starts a statement and nothing else.
static bool startsStatement(Cursor cursor) {
  llvm::StringRef name = cursor.dotted();
  static constexpr llvm::StringLiteral names[] = {
      "version", "target", "address_size", "file", "section", "visible", "extern",
      "weak",    "common", "entry",        "func", "loc",     "alias"};
  return llvm::is_contained(names, name);
}

void Reader::recover() {
  unsigned depth = 0;
  const char *start = cursor.p;
  for (;;) {
    const char *space = cursor.p;
    cursor.skip();
    if (cursor.atEnd())
      return;
    // Some directives end without a semicolon; the next then stands on a line of its own.
    if (cursor.p != start && depth == 0 && cursor.since(space).contains('\n') &&
        (*cursor.p == '#' || startsStatement(cursor)))
      return;
    switch (*cursor.p) {
    case '"':
      if (cursor.string().empty())
        ++cursor.p;
      continue;
    case '{':
      ++depth;
      break;
    case '}':
      // Within a body an unmatched brace ends a block; at module scope it is noise.
      if (depth == 0 && currentFunction != None)
        return;
      if (depth <= 1 && currentFunction == None) {
        cursor.take('}');
        cursor.take(';');
        return;
      }
      --depth;
      break;
    case ';':
      if (depth == 0) {
        ++cursor.p;
        return;
      }
      break;
    }
    ++cursor.p;
  }
}
