//===- InstInfo.cpp - the table of instructions -===//
//
// The generated rows, and the reading of their codes and of mnemonics.
//
//===----------------------------------------------------------------------===//

#include "Mettle/Dialect/PTX/IR/InstInfo.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringMap.h"

#include "Mettle/Dialect/PTX/IR/PTXInstTable.cpp.inc"

using namespace mettle::ptx;
using llvm::StringRef;

const InstInfo &mettle::ptx::instInfo(Opcode opcode) { return instTable[unsigned(opcode)]; }

const RegisterClassInfo &mettle::ptx::registerClassInfo(RegisterClass registerClass) {
  return registerClassTable[unsigned(registerClass)];
}

std::optional<Opcode> mettle::ptx::opcodeByName(StringRef name) {
  // Rows stand in the order of their names.
  const InstInfo *row =
      llvm::partition_point(instTable, [&](const InstInfo &info) { return info.name < name; });
  if (row == std::end(instTable) || row->name != name)
    return std::nullopt;
  return Opcode(row - instTable);
}

ArgumentInfo InstInfo::argument(unsigned index) const {
  char code = argumentCodes[index];
  if (code >= 'a')
    return {RegisterClass(code - 'a'), nullptr};
  return {std::nullopt, &immediateTable[code - 'A']};
}

const ImmediateInfo &InstInfo::immediate(unsigned index) const {
  StringRef codes = argumentCodes;
  while (codes.front() >= 'a' || index--)
    codes = codes.drop_front();
  return immediateTable[codes.front() - 'A'];
}

ModifierUse InstInfo::modifier(unsigned index) const {
  unsigned code = modifierCodes[index];
  return {modifierTable[(code & 0x3f) - 1], (code & 0x40) != 0};
}

FormatPiece mettle::ptx::takePiece(StringRef &format) {
  auto isCode = [](char c) { return c <= FormatPiece::Immediate; };
  if (isCode(format.front())) {
    FormatPiece piece{FormatPiece::Kind(format[0]), format[1] - 1u, {}};
    format = format.drop_front(2);
    return piece;
  }
  FormatPiece piece{FormatPiece::Text, 0, format.take_until(isCode)};
  format = format.drop_front(piece.text.size());
  return piece;
}

StringRef mettle::ptx::modifierSuffix(const InstInfo &info, uint32_t packed, unsigned index) {
  unsigned choice = modifierChoice(packed, index);
  return choice ? StringRef(info.modifier(index).info.suffixes[choice - 1]) : StringRef();
}

/// Takes the dotted word off `text` if it stands at its beginning and ends there.
static bool consumeSuffix(StringRef &text, StringRef suffix) {
  StringRef rest = text;
  if (!rest.consume_front(".") || !rest.consume_front(suffix) || !(rest.empty() || rest[0] == '.'))
    return false;
  text = rest;
  return true;
}

/// Reads `text` as `info` spells it.
static std::optional<uint32_t> matchMnemonic(const InstInfo &info, StringRef text) {
  uint32_t packed = 0;
  StringRef format = info.mnemonic;
  while (!format.empty()) {
    FormatPiece piece = takePiece(format);
    if (piece.kind == FormatPiece::Text) {
      if (!text.consume_front(piece.text))
        return std::nullopt;
      continue;
    }
    ModifierUse use = info.modifier(piece.index);
    unsigned choice = 0;
    for (auto [number, suffix] : llvm::enumerate(use.info.suffixes))
      if (consumeSuffix(text, suffix)) {
        choice = number + 1;
        break;
      }
    if (!choice && !use.isOptional)
      return std::nullopt;
    packed |= choice << (4 * piece.index);
  }
  return text.empty() ? std::optional(packed) : std::nullopt;
}

/// Everything to the first dot or modifier: what all spellings of an instruction begin with.
static StringRef firstWord(StringRef text) {
  return text.take_until([](char c) { return c == '.' || c <= FormatPiece::Immediate; });
}

std::optional<SpelledInst> mettle::ptx::parseMnemonic(StringRef text) {
  // Made at the first use: a compiler that reads no text of the dialect does not pay for it.
  static const llvm::StringMap<llvm::SmallVector<Opcode>> byFirstWord = [] {
    llvm::StringMap<llvm::SmallVector<Opcode>> map;
    for (unsigned opcode = 0; opcode < numOpcodes; ++opcode)
      map[firstWord(instTable[opcode].mnemonic)].push_back(Opcode(opcode));
    return map;
  }();
  auto candidates = byFirstWord.find(firstWord(text));
  if (candidates == byFirstWord.end())
    return std::nullopt;
  for (Opcode opcode : candidates->second)
    if (std::optional<uint32_t> modifiers = matchMnemonic(instInfo(opcode), text))
      return SpelledInst{opcode, *modifiers};
  return std::nullopt;
}

std::string mettle::ptx::printMnemonic(SpelledInst inst) {
  const InstInfo &info = instInfo(inst.opcode);
  std::string text;
  StringRef format = info.mnemonic;
  while (!format.empty()) {
    FormatPiece piece = takePiece(format);
    if (piece.kind == FormatPiece::Text) {
      text += piece.text;
    } else if (StringRef suffix = modifierSuffix(info, inst.modifiers, piece.index);
               !suffix.empty()) {
      text += '.';
      text += suffix;
    }
  }
  return text;
}
