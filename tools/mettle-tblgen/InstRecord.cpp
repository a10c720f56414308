//===- InstRecord.cpp - An instruction record, read and checked -----------===//
//
// The checks that make a wrong record an error at its line of the .td file, at build time.
//
//===----------------------------------------------------------------------===//

#include "InstRecord.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/TableGen/Error.h"

using namespace llvm;

namespace mettle::tblgen {

/// A modifier's choice is packed into four bits of a word (InstInfo.h).
static constexpr unsigned maxModifiers = 8, maxSuffixes = 15;

std::vector<std::string> Argument::valueNames() const {
  if (kind == Kind::Register)
    return {"%" + name.str()};
  std::vector<std::string> names;
  for (unsigned i = 0; i < count; ++i)
    names.push_back("%" + name.str() + std::to_string(i));
  return names;
}

InstRecord::InstRecord(const Record &def) : record(&def) {
  const RecordVal *summary = def.getValue("summary");
  if (!isa<StringInit>(summary->getValue()) || def.getValueAsString("summary").empty())
    PrintFatalError(def.getLoc(), "'" + def.getName() + "' has no summary");
  if (!isUpper(def.getName().front()))
    PrintFatalError(def.getLoc(),
                    "'" + def.getName() + "' must begin with a capital: it names an opcode");

  readArguments(def.getValueAsDag("outs"), outs);
  readArguments(def.getValueAsDag("ins"), ins);
  readNeeds();

  StringRef written = def.getValueAsString("format");
  if (!written.ends_with(";"))
    PrintFatalError(def.getLoc(), "format of '" + def.getName() + "' does not end with ';'");
  text = InstFormat(def, written, outs, ins);
  for (const Argument &argument : concat<const Argument>(outs, ins))
    if (!text.mentions(argument))
      PrintFatalError(def.getLoc(),
                      "format of '" + def.getName() + "' does not write '$" + argument.name + "'");

  StringRef given = def.getValueAsString("mnemonic");
  spelling = given.empty() ? text.head() : InstFormat(def, given, outs, ins);
  for (const Argument *modifier : modifiers())
    if (!spelling.mentions(*modifier))
      PrintFatalError(def.getLoc(), "mnemonic of '" + def.getName() + "' does not write '$" +
                                        modifier->name + "'");
}

void InstRecord::readArguments(const DagInit *dag, std::vector<Argument> &to) {
  bool isResult = &to == &outs;
  auto fail = [&](const Twine &what) {
    PrintFatalError(record->getLoc(), "'" + record->getName() + "' " + what);
  };
  unsigned registers = 0, immediates = 0, numModifiers = 0;
  for (auto [init, nameInit] : dag->getArgAndNames()) {
    const auto *definition = dyn_cast<DefInit>(init);
    if (!nameInit)
      fail("has an argument without a name");
    StringRef name = nameInit->getValue();
    if (!definition || !definition->getDef()->isSubClassOf("PTX_Argument"))
      fail("has the argument '$" + name + "', which is no register, list, immediate or modifier");
    for (const Argument &other : concat<const Argument>(outs, ins))
      if (other.name == name)
        fail("has two arguments named '$" + name + "'");

    Argument argument{Argument::Kind::Register, name, definition->getDef(), 1, false, 0};
    if (argument.def->isSubClassOf("PTX_Register")) {
      argument.index = registers++;
    } else if (argument.def->isSubClassOf("List")) {
      argument.kind = Argument::Kind::List;
      argument.count = argument.def->getValueAsInt("count");
      argument.def = argument.def->getValueAsDef("element");
      argument.index = registers;
      registers += argument.count;
    } else if (isResult) {
      fail("has the result '$" + name + "', which is neither a register nor a list of them");
    } else if (argument.def->isSubClassOf("PTX_Immediate")) {
      argument.kind = Argument::Kind::Immediate;
      argument.index = immediates++;
    } else {
      argument.kind = Argument::Kind::Modifier;
      if (argument.def->isSubClassOf("Optional")) {
        argument.optional = true;
        argument.def = argument.def->getValueAsDef("modifier");
      }
      argument.optional |= argument.def->isSubClassOf("PTX_Flag");
      argument.index = numModifiers++;
      if (numModifiers > maxModifiers)
        fail("has more than " + Twine(maxModifiers) + " modifiers");
      if (argument.def->getValueAsListOfStrings("suffixes").size() > maxSuffixes)
        fail("has the modifier '$" + name + "' with more than " + Twine(maxSuffixes) + " suffixes");
    }
    to.push_back(argument);
  }
}

void InstRecord::readNeeds() {
  const Record *needs = record->getValueAsDef("needs");
  StringRef isa = needs->getValueAsString("isa");
  auto [left, right] = isa.split('.');
  if (left.getAsInteger(10, major) || right.getAsInteger(10, minor) || minor > 9)
    PrintFatalError(record->getLoc(), "'" + record->getName() + "' needs the ISA version '" + isa +
                                          "', which does not read as M.m");
  for (StringRef feature : features()) {
    unsigned number;
    StringRef rest = feature;
    if (!rest.consume_front("sm_") || rest.consumeInteger(10, number) ||
        (rest != "a" && rest != "f"))
      PrintFatalError(record->getLoc(), "'" + record->getName() + "' needs the architecture '" +
                                            feature + "', which does not read as sm_NNa or sm_NNf");
  }
}

StringRef InstRecord::family() const {
  const SourceMgr &sources = SrcMgr;
  SMLoc where = record->getLoc().front();
  unsigned buffer = sources.FindBufferContainingLoc(where);
  StringRef file = sys::path::stem(sources.getMemoryBuffer(buffer)->getBufferIdentifier());
  file.consume_front("PTX");
  file.consume_back("Insts");
  return file;
}

unsigned InstRecord::minSM() const { return record->getValueAsDef("needs")->getValueAsInt("sm"); }

std::vector<StringRef> InstRecord::features() const {
  return record->getValueAsDef("needs")->getValueAsListOfStrings("features");
}

std::vector<const Record *> InstRecord::effects(StringRef field) const {
  SetVector<const Record *> all;
  for (const Record *effect : record->getValueAsListOfDefs("effects"))
    all.insert_range(effect->getValueAsListOfDefs(field));
  return {all.begin(), all.end()};
}

std::vector<const Argument *> InstRecord::modifiers() const {
  std::vector<const Argument *> result;
  for (const Argument &argument : ins)
    if (argument.kind == Argument::Kind::Modifier)
      result.push_back(&argument);
  return result;
}

unsigned InstRecord::numResults() const {
  unsigned number = 0;
  for (const Argument &result : outs)
    number += result.count;
  return number;
}

std::string InstRecord::irText(const Spelling &spelling) const {
  std::vector<std::string> operands;
  for (const Argument &argument : ins) {
    if (argument.isRegisters())
      append_range(operands, argument.valueNames());
    else if (argument.kind == Argument::Kind::Immediate)
      operands.push_back(std::to_string(argument.def->getValueAsInt("sample")));
  }
  // `::` is no part of a bare word in IR.
  bool isWord = !StringRef(spelling.text).contains(':');
  return (isWord ? spelling.text : '"' + spelling.text + '"') + (operands.empty() ? "" : " ") +
         join(operands, ", ");
}

ArrayRef<const Record *> recordsOf(const RecordKeeper &records, StringRef kind) {
  return records.getAllDerivedDefinitions(kind);
}

unsigned numberOf(const RecordKeeper &records, StringRef kind, const Record *def) {
  ArrayRef<const Record *> all = recordsOf(records, kind);
  return find(all, def) - all.begin();
}

std::vector<InstRecord> readInstructions(const RecordKeeper &records) {
  // TableGen sorts numbers within names by value; opcodeByName searches by plain order.
  std::vector<const Record *> defs = records.getAllDerivedDefinitions("PTX_Inst");
  llvm::sort(defs, [](const Record *a, const Record *b) { return a->getName() < b->getName(); });

  std::vector<InstRecord> result;
  StringMap<const Record *> spelled;
  for (const Record *def : defs) {
    result.emplace_back(*def);
    const InstRecord &inst = result.back();
    for (const Spelling &spelling : inst.mnemonic().spellings(inst.modifiers().size())) {
      auto [entry, isNew] = spelled.try_emplace(spelling.text, def);
      if (isNew)
        continue;
      PrintError(def->getLoc(), "'" + def->getName() + "' is spelled '" + spelling.text +
                                    "' in IR like '" + entry->second->getName() +
                                    "': give it a mnemonic");
      PrintFatalNote(entry->second->getLoc(), "the other one is here");
    }
  }
  return result;
}

} // namespace mettle::tblgen
