//===- DocsGen.cpp - The reference page of instructions -------------------===//
//
// docs/generated/ptx-instructions.md: a table per family.
//
//===----------------------------------------------------------------------===//

#include "InstRecord.h"
#include "mlir/TableGen/GenInfo.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/raw_ostream.h"
#include <map>

using namespace llvm;
using namespace mettle::tblgen;

/// In a Markdown table cell `|` ends the cell, also within code.
static std::string cell(StringRef text) {
  std::string result;
  for (char c : text) {
    if (c == '|')
      result += '\\';
    result += c;
  }
  return result;
}

static std::string target(const InstRecord &inst) {
  if (!inst.features().empty())
    return join(inst.features(), " or ");
  return inst.minSM() <= 10 ? "every" : "sm_" + std::to_string(inst.minSM());
}

static std::string effects(const InstRecord &inst) {
  std::vector<std::string> phrases;
  for (auto [field, verb] : {std::pair("reads", "reads "), std::pair("writes", "writes ")})
    for (const Record *resource : inst.effects(field))
      phrases.push_back(verb + resource->getName().lower());
  return join(phrases, ", ");
}

/// `b32, b32 = b64, offset`: classes of the results, then of registers and immediates read.
static std::string signature(const InstRecord &inst) {
  auto classes = [](ArrayRef<Argument> arguments) {
    std::vector<std::string> names;
    for (const Argument &argument : arguments)
      if (argument.kind != Argument::Kind::Modifier)
        names.insert(names.end(), argument.count, argument.def->getName().lower());
    return join(names, ", ");
  };
  std::string results = classes(inst.results());
  return (results.empty() ? "" : results + " = ") + classes(inst.arguments());
}

static bool emitDocs(const RecordKeeper &records, raw_ostream &os) {
  std::map<StringRef, std::vector<InstRecord>> families;
  std::vector<InstRecord> insts = readInstructions(records);
  size_t number = insts.size();
  for (InstRecord &inst : insts)
    families[inst.family()].push_back(std::move(inst));

  os << "# PTX instructions\n\n"
     << number
     << " records. In a format `{.rn,.rz}` is a choice that must be made and `[.ftz]` one that may "
        "stay away; `$name` is a register or an immediate. The ISA version and the target are the "
        "lowest that have the instruction.\n";
  for (auto &[family, members] : families) {
    os << "\n## " << family << "\n\n"
       << "| opcode | PTX | an example in IR | registers | ISA | target | effects | "
          "|\n|---|---|---|---|---|---|---|---|\n";
    for (const InstRecord &inst : members) {
      Spelling example = inst.mnemonic().spellings(inst.modifiers().size()).front();
      os << "| " << inst.name() << " | `" << cell(inst.format().readable()) << "` | `"
         << inst.irText(example) << "` | " << signature(inst) << " | " << inst.isaMajor() << '.'
         << inst.isaMinor() << " | " << target(inst) << " | " << effects(inst) << " | "
         << cell(inst.summary()) << " |\n";
    }
  }
  return false;
}

static mlir::GenRegistration docs("gen-ptx-docs", "The reference page of PTX instructions",
                                  emitDocs);
