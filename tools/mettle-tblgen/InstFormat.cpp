//===- InstFormat.cpp - The format language of instructions ---------------===//
//
// Parsing of formats, with an error at the place of every misspelt name.
//
//===----------------------------------------------------------------------===//

#include "InstFormat.h"
#include "InstRecord.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/TableGen/Error.h"

using namespace llvm;

namespace mettle::tblgen {

namespace {

/// Cuts a format into pieces, with every error at the record's line.
class FormatParser {
public:
  FormatParser(const Record &record, StringRef text, ArrayRef<Argument> outs,
               ArrayRef<Argument> ins)
      : record(record), text(text), outs(outs), ins(ins) {}

  std::vector<FormatPiece> parse() {
    // Generated C++ holds the text between quotes.
    if (!all_of(text, [](char c) { return isPrint(c) && c != '"' && c != '\\'; }))
      fail("has a character that no instruction has");
    while (!text.empty()) {
      size_t dollar = text.find('$');
      literal(text.take_front(dollar));
      if (dollar == StringRef::npos)
        break;
      bool braced = text.take_front(dollar).ends_with("{");
      text = text.drop_front(dollar + 1);
      name(braced);
    }
    return std::move(parts);
  }

private:
  [[noreturn]] void fail(const Twine &what) {
    PrintFatalError(record.getLoc(), "format of '" + record.getName() + "' " + what);
  }

  void literal(StringRef part) {
    if (part.empty())
      return;
    if (part.contains(' '))
      inMnemonic = false;
    FormatPiece piece;
    piece.text = part.str();
    parts.push_back(std::move(piece));
  }

  void name(bool braced) {
    StringRef name = text.take_while([](char c) { return isAlnum(c) || c == '_'; });
    text = text.drop_front(name.size());
    if (name.empty())
      fail("has a '$' without a name");
    FormatPiece piece;
    piece.argument = find(name, piece.isResult);
    if (!piece.argument)
      fail("names '$" + name + "', which is no result, operand, immediate or modifier of it");

    bool isModifier = piece.argument->kind == Argument::Kind::Modifier;
    if (isModifier != inMnemonic)
      fail(isModifier ? "has the modifier '$" + name + "' outside the mnemonic"
                      : "has '$" + name + "', which is no modifier, in the mnemonic");
    bool isList = piece.argument->kind == Argument::Kind::List;
    if (isList && !(braced && text.starts_with("}")))
      fail("must write the list '$" + name + "' as '{$" + name + "}'");
    if (!isList && braced && text.starts_with("}"))
      fail("has braces around '$" + name + "', which is no list");
    parts.push_back(std::move(piece));
  }

  const Argument *find(StringRef name, bool &isResult) {
    for (const Argument &argument : outs)
      if (argument.name == name) {
        isResult = true;
        return &argument;
      }
    for (const Argument &argument : ins)
      if (argument.name == name)
        return &argument;
    return nullptr;
  }

  const Record &record;
  StringRef text;
  ArrayRef<Argument> outs, ins;
  bool inMnemonic = true;
  std::vector<FormatPiece> parts;
};

std::vector<StringRef> suffixes(const Argument &modifier) {
  return modifier.def->getValueAsListOfStrings("suffixes");
}

} // namespace

InstFormat::InstFormat(const Record &record, StringRef text, ArrayRef<Argument> outs,
                       ArrayRef<Argument> ins)
    : parts(FormatParser(record, text, outs, ins).parse()) {}

InstFormat InstFormat::head() const {
  InstFormat result;
  for (const FormatPiece &piece : parts) {
    result.parts.push_back(piece);
    if (piece.argument)
      continue;
    StringRef text = piece.text;
    size_t end = text.find_first_of(" ;");
    if (end == StringRef::npos)
      continue;
    if (end == 0)
      result.parts.pop_back();
    else
      result.parts.back().text.resize(end);
    break;
  }
  return result;
}

bool InstFormat::mentions(const Argument &argument) const {
  return any_of(parts, [&](const FormatPiece &piece) { return piece.argument == &argument; });
}

std::vector<Spelling> InstFormat::spellings(unsigned numModifiers) const {
  std::vector<Spelling> all{{"", std::vector<unsigned>(numModifiers)}};
  for (const FormatPiece &piece : parts) {
    if (!piece.argument) {
      for (Spelling &spelling : all)
        spelling.text += piece.text;
      continue;
    }
    std::vector<Spelling> longer;
    for (const Spelling &spelling : all) {
      if (piece.argument->optional)
        longer.push_back(spelling);
      for (auto [index, suffix] : enumerate(suffixes(*piece.argument))) {
        Spelling next = spelling;
        next.text += "." + suffix.str();
        next.choices[piece.argument->index] = index + 1;
        longer.push_back(std::move(next));
      }
    }
    all = std::move(longer);
  }
  return all;
}

/// FormatPiece::Kind of InstInfo.h.
enum class Escape { Result = 1, Operand = 2, Modifier = 3, Immediate = 4 };

std::string InstFormat::encoded() const {
  std::string bytes;
  raw_string_ostream os(bytes);
  auto item = [&](Escape escape, unsigned index) {
    os << llvm::format("\\%03o\\%03o", unsigned(escape), index + 1);
  };
  for (const FormatPiece &piece : parts) {
    if (!piece.argument) {
      os << piece.text;
      continue;
    }
    const Argument &argument = *piece.argument;
    switch (argument.kind) {
    case Argument::Kind::Register:
    case Argument::Kind::List:
      for (unsigned i = 0; i < argument.count; ++i) {
        os << (i ? ", " : "");
        item(piece.isResult ? Escape::Result : Escape::Operand, argument.index + i);
      }
      break;
    case Argument::Kind::Modifier:
      item(Escape::Modifier, argument.index);
      break;
    case Argument::Kind::Immediate:
      item(Escape::Immediate, argument.index);
      break;
    }
  }
  return bytes;
}

std::string InstFormat::readable() const {
  std::string result;
  for (const FormatPiece &piece : parts) {
    if (!piece.argument) {
      result += piece.text;
      continue;
    }
    if (piece.argument->kind != Argument::Kind::Modifier) {
      result += "$" + piece.argument->name.str();
      continue;
    }
    std::vector<StringRef> choices = suffixes(*piece.argument);
    std::string joined = "." + join(choices, ",.");
    result += piece.argument->optional ? "[" + joined + "]" : "{" + joined + "}";
  }
  return result;
}

} // namespace mettle::tblgen
