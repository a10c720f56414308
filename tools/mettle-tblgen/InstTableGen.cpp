//===- InstTableGen.cpp - The table of instructions ---------------------------===//
//
// Writes the definitions behind InstInfo.h: one row an opcode, and the small tables that rows
// refer to by number.
//
//===----------------------------------------------------------------------===//

#include "InstRecord.h"
#include "mlir/TableGen/GenInfo.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;
using namespace mettle::tblgen;

namespace {

class TableWriter {
public:
  TableWriter(const RecordKeeper &records, raw_ostream &os) : records(records), os(os) {}

  void write() {
    os << "namespace mettle::ptx {\n\n";
    writeRegisterClasses();
    writeImmediates();
    writeModifiers();
    os << "static constexpr InstInfo instTable[] = {\n";
    for (const InstRecord &inst : readInstructions(records))
      writeRow(inst);
    os << "};\n\n} // namespace mettle::ptx\n";
  }

private:
  void writeRegisterClasses() {
    os << "static constexpr RegisterClassInfo registerClassTable[] = {\n";
    for (const Record *def : recordsOf(records, "PTX_Register"))
      os << "  {\"" << def->getValueAsString("type") << "\", \"" << def->getValueAsString("prefix")
         << "\"},\n";
    os << "};\n\n";
  }

  void writeImmediates() {
    os << "static constexpr ImmediateInfo immediateTable[] = {\n";
    for (const Record *def : recordsOf(records, "PTX_Immediate")) {
      std::string style = def->getValueAsString("style").str();
      style.front() = toUpper(style.front());
      os << "  {\"" << def->getName() << "\", ImmediateStyle::" << style << ", ";
      writeInteger(def->getValueAsInt("min"));
      os << ", ";
      writeInteger(def->getValueAsInt("max"));
      os << "},\n";
    }
    os << "};\n\n";
  }

  /// The most negative number has no literal.
  void writeInteger(int64_t value) {
    if (value == std::numeric_limits<int64_t>::min())
      os << "INT64_MIN";
    else
      os << value << "LL";
  }

  void writeModifiers() {
    ArrayRef<const Record *> all = recordsOf(records, "PTX_Modifier");
    for (const Record *def : all) {
      os << "static constexpr llvm::StringLiteral suffixesOf" << def->getName() << "[] = {";
      ListSeparator comma;
      for (StringRef suffix : def->getValueAsListOfStrings("suffixes"))
        os << comma << '"' << suffix << '"';
      os << "};\n";
    }
    os << "static constexpr ModifierInfo modifierTable[] = {\n";
    for (const Record *def : all)
      os << "  {\"" << def->getName() << "\", suffixesOf" << def->getName() << "},\n";
    os << "};\n\n";
  }

  void writeRow(const InstRecord &inst) {
    os << "  {\"" << inst.name() << "\", \"" << inst.mnemonic().encoded() << "\", \""
       << inst.format().encoded() << "\", \"";
    writeSignature(inst.results());
    os << "\", \"";
    writeSignature(inst.arguments());
    os << "\", \"";
    for (const Argument *modifier : inst.modifiers())
      os << format("\\%03o", (modifier->optional ? 0x40 : 0) + 1 +
                                 numberOf(records, "PTX_Modifier", modifier->def));
    os << "\", \"" << join(inst.features(), " ") << "\", " << inst.isaMajor() << ", "
       << inst.isaMinor() << ", " << inst.minSM() << ", " << effectBits(inst, "reads") << ", "
       << effectBits(inst, "writes") << "},\n";
  }

  /// Registers as small letters, immediates as capitals.
  void writeSignature(ArrayRef<Argument> arguments) {
    for (const Argument &argument : arguments) {
      if (argument.isRegisters())
        os << std::string(argument.count,
                          char('a' + numberOf(records, "PTX_Register", argument.def)));
      else if (argument.kind == Argument::Kind::Immediate)
        os << char('A' + numberOf(records, "PTX_Immediate", argument.def));
    }
  }

  std::string effectBits(const InstRecord &inst, StringRef field) {
    unsigned bits = 0;
    for (const Record *resource : inst.effects(field))
      bits |= 1u << numberOf(records, "PTX_Resource", resource);
    return "0x" + utohexstr(bits);
  }

  const RecordKeeper &records;
  raw_ostream &os;
};

} // namespace

static bool emitTable(const RecordKeeper &records, raw_ostream &os) {
  TableWriter(records, os).write();
  return false;
}

static mlir::GenRegistration table("gen-ptx-table", "The table of PTX instructions", emitTable);
