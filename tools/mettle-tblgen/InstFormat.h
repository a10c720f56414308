//===- InstFormat.h - The format language of instructions -------*- C++ -*-===//
//
// The text of an instruction as a sequence of pieces. The language is literal text, `$name` and
// `{$name}`; it has no conditions.
//
//===----------------------------------------------------------------------===//

#ifndef METTLE_TOOLS_TBLGEN_INSTFORMAT_H
#define METTLE_TOOLS_TBLGEN_INSTFORMAT_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringRef.h"
#include <string>
#include <vector>

namespace llvm {
class Record;
} // namespace llvm

namespace mettle::tblgen {

struct Argument;

struct FormatPiece {
  /// Of a literal.
  std::string text;
  /// What `$name` means; null for a literal.
  const Argument *argument = nullptr;
  bool isResult = false;
};

/// One way to write a mnemonic: the text, and per modifier the suffix that was chosen, counted
/// from one (zero: stays away).
struct Spelling {
  std::string text;
  std::vector<unsigned> choices;
};

class InstFormat {
public:
  InstFormat() = default;
  /// Parses `text`, which refers to `outs` and `ins` of `record`.
  InstFormat(const llvm::Record &record, llvm::StringRef text, llvm::ArrayRef<Argument> outs,
             llvm::ArrayRef<Argument> ins);

  llvm::ArrayRef<FormatPiece> pieces() const { return parts; }
  /// The pieces before the first blank.
  InstFormat head() const;
  /// Whether `argument` stands in it.
  bool mentions(const Argument &argument) const;
  /// Every way to choose the modifiers of a mnemonic.
  std::vector<Spelling> spellings(unsigned numModifiers) const;
  /// The bytes that InstInfo.h describes, as the inside of a C++ string literal.
  std::string encoded() const;
  /// For people: modifiers as `{.rn,.rz}`, where one must be taken, or `[.ftz]`.
  std::string readable() const;

private:
  std::vector<FormatPiece> parts;
};

} // namespace mettle::tblgen

#endif // METTLE_TOOLS_TBLGEN_INSTFORMAT_H
