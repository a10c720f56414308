//===- Section.cpp - The data of a .section -------------------------------===//
//
// A section is a sequence of labels and of `.b8`, `.b16`, `.b32`, `.b64` lists.
//
//===----------------------------------------------------------------------===//

#include "Mettle/Assembly/PTX/Section.h"
#include "Cursor.h"

using namespace mettle::assembly::ptx;

/// A symbol; those that name a section start with a dot.
static llvm::StringRef symbolAt(Cursor &cursor) {
  const char *start = cursor.p;
  if (*cursor.p == '.')
    ++cursor.p;
  if (cursor.name().empty())
    cursor.p = start;
  return cursor.since(start);
}

static bool numberAt(Cursor &cursor, uint64_t &value) {
  const char *start = cursor.p;
  bool negative = *cursor.p == '-';
  if (negative)
    ++cursor.p;
  const char *digits = cursor.p;
  value = 0;
  if (isClass(*cursor.p, Digit) && (*cursor.p != '0' || !isClass(cursor.p[1], NameBody))) {
    while (isClass(*cursor.p, Digit))
      value = value * 10 + uint64_t(*cursor.p++ - '0');
    // Up to 19 digits cannot overflow.
    if (cursor.p - digits <= 19 && !isClass(*cursor.p, NameBody) && *cursor.p != '.') {
      value = negative ? 0 - value : value;
      return true;
    }
  }
  while (isClass(*cursor.p, NameBody))
    ++cursor.p;
  llvm::StringRef spelled = cursor.since(digits);
  spelled.consume_back("U");
  if (spelled.empty() || *cursor.p == '.' || spelled.getAsInteger(0, value)) {
    cursor.p = start;
    return false;
  }
  value = negative ? 0 - value : value;
  return true;
}

bool SectionReader::next() {
  Cursor cursor(text);
  cursor.p = p;
  cursor.skip();
  if (listContinues && *cursor.p == ',') {
    cursor.take(',');
  } else {
    listContinues = false;
    if (*cursor.p == '}') {
      p = cursor.p;
      return false;
    }
    const char *start = cursor.p;
    if (*cursor.p != '.') {
      llvm::StringRef label = cursor.name();
      cursor.skip();
      if (label.empty() || *cursor.p != ':')
        return fail(label.empty() ? start : cursor.p,
                    label.empty() ? "data, a label or '}' in a section" : "':' after a label");
      p = cursor.p + 1;
      current = {SectionDatum::Kind::Label, 0, 0, label, {}};
      return true;
    }
    llvm::StringRef width = cursor.dotted();
    current.bytes = width == "b8"    ? 1
                    : width == "b16" ? 2
                    : width == "b32" ? 4
                    : width == "b64" ? 8
                                     : 0;
    if (!current.bytes)
      return fail(start, "'.b8', '.b16', '.b32' or '.b64' in a section");
    cursor.skip();
  }

  current.symbol = current.other = {};
  current.value = 0;
  current.kind = SectionDatum::Kind::Value;
  if (isClass(*cursor.p, Digit) || *cursor.p == '-') {
    if (!numberAt(cursor, current.value))
      return fail(cursor.p, "an integer of at most 64 bits");
  } else {
    current.symbol = symbolAt(cursor);
    if (current.symbol.empty())
      return fail(cursor.p, "an integer or a symbol");
    current.kind = SectionDatum::Kind::Address;
    const char *stop = cursor.p;
    cursor.skip();
    if (cursor.take('+')) {
      if (!numberAt(cursor, current.value))
        return fail(cursor.p, "an integer after '+'");
    } else if (cursor.take('-')) {
      current.kind = SectionDatum::Kind::Difference;
      current.other = symbolAt(cursor);
      if (current.other.empty())
        return fail(cursor.p, "a symbol after '-'");
    } else {
      cursor.p = stop;
    }
  }
  listContinues = true;
  p = cursor.p;
  return true;
}
