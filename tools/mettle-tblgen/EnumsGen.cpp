//===- EnumsGen.cpp - Enumerations of modifiers, classes and opcodes ------===//
//
// Two headers: what the builders of one family take, which changes seldom, and the opcodes, which
// change with every record and which only the table's readers include.
//
//===----------------------------------------------------------------------===//

#include "InstRecord.h"
#include "mlir/TableGen/GenInfo.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/TableGen/Error.h"

using namespace llvm;
using namespace mettle::tblgen;

static void emitEnum(raw_ostream &os, StringRef name, StringRef type,
                     ArrayRef<const Record *> cases) {
  os << "enum class " << name << " : " << type << " {\n";
  for (const Record *def : cases)
    os << "  " << def->getName() << ",\n";
  os << "};\n\n";
}

static bool emitEnums(const RecordKeeper &records, raw_ostream &os) {
  os << "namespace mettle::ptx {\n\n";
  emitEnum(os, "RegisterClass", "uint8_t", recordsOf(records, "PTX_Register"));
  emitEnum(os, "Memory", "uint8_t", recordsOf(records, "PTX_Resource"));
  os << "inline constexpr unsigned numRegisterClasses = "
     << recordsOf(records, "PTX_Register").size() << ";\n"
     << "inline constexpr unsigned numMemories = " << recordsOf(records, "PTX_Resource").size()
     << ";\n\n";
  for (const Record *modifier : recordsOf(records, "PTX_Modifier")) {
    if (modifier->isSubClassOf("PTX_Flag"))
      continue;
    os << "enum class " << modifier->getName() << " : uint8_t {\n";
    std::vector<StringRef> enumerators = modifier->getValueAsListOfStrings("enumerators");
    if (enumerators.size() != modifier->getValueAsListOfStrings("suffixes").size())
      PrintFatalError(modifier->getLoc(),
                      "'" + modifier->getName() +
                          "' has another number of enumerators than of suffixes");
    for (auto [index, enumerator] : enumerate(enumerators))
      os << "  " << enumerator << " = " << index + 1 << ",\n";
    os << "};\n\n";
  }
  os << "} // namespace mettle::ptx\n";
  return false;
}

static bool emitOpcodes(const RecordKeeper &records, raw_ostream &os) {
  std::vector<const Record *> defs;
  for (const InstRecord &inst : readInstructions(records))
    defs.push_back(&inst.def());
  os << "namespace mettle::ptx {\n\n";
  emitEnum(os, "Opcode", "uint16_t", defs);
  os << "inline constexpr unsigned numOpcodes = " << defs.size() << ";\n\n"
     << "} // namespace mettle::ptx\n";
  return false;
}

static mlir::GenRegistration enums("gen-ptx-enums",
                                   "Enumerations of PTX modifiers, register classes and memories",
                                   emitEnums);
static mlir::GenRegistration opcodes("gen-ptx-opcodes", "The enumeration of PTX opcodes",
                                     emitOpcodes);
