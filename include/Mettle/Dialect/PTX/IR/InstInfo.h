//===- InstInfo.h - what the compiler knows of an instruction -===//
//
// The table that mettle-tblgen makes of the instruction records, and how to read it. Nothing else
// knows an instruction: the verifier, both printers and the choice of a target all ask here.
//
//===----------------------------------------------------------------------===//

#ifndef METTLE_DIALECT_PTX_IR_INSTINFO_H
#define METTLE_DIALECT_PTX_IR_INSTINFO_H

#include "Mettle/Dialect/PTX/IR/InstEnums.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include <optional>
#include <string>

#include "Mettle/Dialect/PTX/IR/PTXOpcodes.h.inc"

namespace mettle::ptx {

/// How registers of a class are declared, moved and named.
struct RegisterClassInfo {
  llvm::StringLiteral type;
  llvm::StringLiteral prefix;
};

/// `Decimal` is a signed number, `Hex` 0xXXXX, `F32` 0fXXXXXXXX, `F64` 0dXXXXXXXXXXXXXXXX.
enum class ImmediateStyle : uint8_t { Decimal, Hex, F32, F64 };

struct ImmediateInfo {
  llvm::StringLiteral name;
  ImmediateStyle style;
  int64_t min, max;
};

/// The suffixes that a modifier chooses from.
struct ModifierInfo {
  llvm::StringLiteral name;
  llvm::ArrayRef<llvm::StringLiteral> suffixes;
};

/// A modifier as one instruction uses it.
struct ModifierUse {
  const ModifierInfo &info;
  bool isOptional;
};

/// An operand or immediate in the order of the record.
struct ArgumentInfo {
  /// Of a register; absent for an immediate.
  std::optional<RegisterClass> registerClass;
  /// Of an immediate; null for a register.
  const ImmediateInfo *immediate;
};

/// A piece of a format: text that stands for itself, or the `index`-th result, operand, modifier
/// or immediate.
struct FormatPiece {
  /// mettle-tblgen writes these numbers.
  enum Kind : uint8_t { Text = 0, Result = 1, Operand = 2, Modifier = 3, Immediate = 4 };
  Kind kind;
  unsigned index;
  llvm::StringRef text;
};

/// A row of the table. The strings are codes; the functions read them.
struct InstInfo {
  /// The record, and with it the opcode: FmaF32.
  llvm::StringLiteral name;
  /// How IR spells it, and its PTX text: a byte FormatPiece::Kind and a byte index + 1 for what is
  /// not literal.
  llvm::StringLiteral mnemonic, format;
  /// 'a' + register class; 'A' + immediate; modifier + 1, plus 0x40 if it may stay away.
  llvm::StringLiteral resultCodes, argumentCodes, modifierCodes;
  /// Architectures of which one must be the target, separated by blanks.
  llvm::StringLiteral features;
  uint8_t isaMajor, isaMinor;
  uint16_t minSM;
  /// A bit for each Memory.
  uint16_t reads, writes;

  unsigned numResults() const { return resultCodes.size(); }
  RegisterClass resultClass(unsigned index) const {
    return RegisterClass(resultCodes[index] - 'a');
  }
  unsigned numArguments() const { return argumentCodes.size(); }
  ArgumentInfo argument(unsigned index) const;
  /// The `index`-th of the immediates alone.
  const ImmediateInfo &immediate(unsigned index) const;
  unsigned numModifiers() const { return modifierCodes.size(); }
  ModifierUse modifier(unsigned index) const;
};

const InstInfo &instInfo(Opcode opcode);
const RegisterClassInfo &registerClassInfo(RegisterClass registerClass);

/// The opcode whose record is called `name`.
std::optional<Opcode> opcodeByName(llvm::StringRef name);

/// Takes the first piece off `format`.
FormatPiece takePiece(llvm::StringRef &format);

/// Modifiers travel as one word, four bits each: zero when it stays away, else one plus the number
/// of the suffix.
inline unsigned modifierChoice(uint32_t packed, unsigned index) {
  return packed >> (4 * index) & 15;
}
/// The chosen suffix of modifier `index`, or nothing.
llvm::StringRef modifierSuffix(const InstInfo &info, uint32_t packed, unsigned index);

/// An opcode with its modifiers.
struct SpelledInst {
  Opcode opcode;
  uint32_t modifiers;
};
/// Reads a mnemonic as IR spells it, such as fma.rn.ftz.f32.
std::optional<SpelledInst> parseMnemonic(llvm::StringRef text);
/// Writes it.
std::string printMnemonic(SpelledInst inst);

} // namespace mettle::ptx

#endif // METTLE_DIALECT_PTX_IR_INSTINFO_H
