//===- InstRecord.h - An instruction record, read and checked ---*- C++ -*-===//
//
// What every generator works on: the record of one instruction with its arguments resolved, its
// format parsed and every inconsistency already reported at the record's line.
//
//===----------------------------------------------------------------------===//

#ifndef METTLE_TOOLS_TBLGEN_INSTRECORD_H
#define METTLE_TOOLS_TBLGEN_INSTRECORD_H

#include "InstFormat.h"
#include "llvm/TableGen/Record.h"
#include <string>
#include <vector>

namespace mettle::tblgen {

/// One entry of `outs` or `ins`.
struct Argument {
  enum class Kind { Register, List, Immediate, Modifier };
  Kind kind;
  llvm::StringRef name;
  /// The register, immediate or modifier record; for a list that of its elements.
  const llvm::Record *def;
  /// Registers: how many. Everything else counts one.
  unsigned count;
  /// A modifier that may stay away.
  bool optional;
  /// Position of the first among the results, operands, immediates or modifiers.
  unsigned index;

  bool isRegisters() const { return kind == Kind::Register || kind == Kind::List; }
  /// SSA names for its registers in an example.
  std::vector<std::string> valueNames() const;
};

class InstRecord {
public:
  /// Ends the program with an error at the record's line if the record is inconsistent.
  explicit InstRecord(const llvm::Record &def);
  /// Formats point at arguments: an instruction moves but is not copied.
  InstRecord(InstRecord &&) = default;

  const llvm::Record &def() const { return *record; }
  llvm::StringRef name() const { return record->getName(); }
  llvm::StringRef summary() const { return record->getValueAsString("summary"); }
  /// NAME of the file PTXNAMEInsts.td that the record stands in.
  llvm::StringRef family() const;
  llvm::ArrayRef<Argument> results() const { return outs; }
  llvm::ArrayRef<Argument> arguments() const { return ins; }
  const InstFormat &format() const { return text; }
  /// How IR spells the instruction.
  const InstFormat &mnemonic() const { return spelling; }

  unsigned isaMajor() const { return major; }
  unsigned isaMinor() const { return minor; }
  unsigned minSM() const;
  std::vector<llvm::StringRef> features() const;
  /// Resources read, or written, without repeats.
  std::vector<const llvm::Record *> effects(llvm::StringRef field) const;

  std::vector<const Argument *> modifiers() const;
  unsigned numResults() const;
  /// One use in IR, after `ptx.inst`: the mnemonic, registers and sample immediates.
  std::string irText(const Spelling &spelling) const;

private:
  void readArguments(const llvm::DagInit *dag, std::vector<Argument> &to);
  void readNeeds();

  const llvm::Record *record;
  std::vector<Argument> outs, ins;
  InstFormat text, spelling;
  unsigned major = 0, minor = 0;
};

/// The records of class `kind` (PTX_Register, PTX_Modifier, ...), in the order in which generated
/// tables number them.
llvm::ArrayRef<const llvm::Record *> recordsOf(const llvm::RecordKeeper &records,
                                               llvm::StringRef kind);
/// The number of `def` among them.
unsigned numberOf(const llvm::RecordKeeper &records, llvm::StringRef kind, const llvm::Record *def);

/// Every instruction record, by name; also reports two that share a spelling.
std::vector<InstRecord> readInstructions(const llvm::RecordKeeper &records);

} // namespace mettle::tblgen

#endif // METTLE_TOOLS_TBLGEN_INSTRECORD_H
