//===- ExamplesGen.cpp - Every spelling of every instruction --------------===//
//
// An entry for each record that holds every way to choose its modifiers, so that ptxas judges
// all of a format. Records are grouped into modules by what they need: a group
// starts with a line `// needs ISA SM FEATURES`, which the test hands to the emitter.
//
//===----------------------------------------------------------------------===//

#include "InstRecord.h"
#include "mlir/TableGen/GenInfo.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/raw_ostream.h"
#include <map>

using namespace llvm;
using namespace mettle::tblgen;

/// The head of the entry and, for predicates, which are no parameters, their definitions.
static void emitHead(const InstRecord &inst, raw_ostream &os) {
  std::vector<std::string> parameters, predicates;
  for (const Argument &argument : inst.arguments()) {
    if (!argument.isRegisters())
      continue;
    StringRef type = argument.def->getValueAsString("type");
    for (const std::string &name : argument.valueNames()) {
      if (type == "pred")
        predicates.push_back(name);
      else
        parameters.push_back(name + ": !ptx." + type.str());
    }
  }
  os << "ptx.entry @" << inst.name() << '(' << join(parameters, ", ") << ") {\n";
  for (const std::string &name : predicates)
    os << "  " << name << " = ptx.inst mov.pred.imm 1\n";
}

static bool emitExamples(const RecordKeeper &records, raw_ostream &os) {
  std::vector<InstRecord> insts = readInstructions(records);
  std::map<std::string, std::vector<const InstRecord *>> groups;
  for (const InstRecord &inst : insts)
    groups[formatv("{0}.{1} {2} {3}", inst.isaMajor(), inst.isaMinor(), inst.minSM(),
                   join(inst.features(), " "))]
        .push_back(&inst);
  for (auto &[needs, members] : groups) {
    os << "// needs " << StringRef(needs).rtrim() << "\nmodule {\n";
    for (const InstRecord *inst : members) {
      emitHead(*inst, os);
      for (const Spelling &spelling : inst->mnemonic().spellings(inst->modifiers().size()))
        os << "  ptx.inst " << inst->irText(spelling) << '\n';
      os << "  ptx.ret\n}\n";
    }
    os << "}\n";
  }
  return false;
}

static mlir::GenRegistration examples("gen-ptx-examples", "Every spelling of every PTX instruction",
                                      emitExamples);
