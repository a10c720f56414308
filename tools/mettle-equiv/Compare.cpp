//===- Compare.cpp - mettle-equiv A.ptx B.ptx -----------------------------===//
//
// Two kernels, one answer.
//
//===----------------------------------------------------------------------===//

#include "Commands.h"
#include "Mettle/Assembly/PTX/Diagnostic.h"
#include "Mettle/Checker/Equiv/Difference.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/raw_ostream.h"

using namespace mettle;
using namespace mettle::checker;
using namespace mettle::equiv;

namespace {
/// What was said of one kernel on the command line.
struct Side {
  llvm::StringRef path, entry;
  LaunchFacts facts;
  std::vector<std::optional<double>> floats;
};
} // namespace

static bool readExtents(llvm::StringRef text, std::array<uint32_t, 3> &extents) {
  extents = {1, 1, 1};
  llvm::SmallVector<llvm::StringRef, 3> parts;
  text.split(parts, ',');
  if (parts.empty() || parts.size() > 3)
    return false;
  for (size_t d = 0; d < parts.size(); ++d)
    if (parts[d].getAsInteger(10, extents[d]) || extents[d] == 0)
      return false;
  return true;
}

static bool readParameter(llvm::StringRef text, Side &side) {
  auto [number, value] = text.split('=');
  unsigned index;
  if (number.getAsInteger(10, index) || index > 255 || value.empty())
    return false;
  if (side.facts.scalars.size() <= index)
    side.facts.scalars.resize(index + 1);
  if (side.floats.size() <= index)
    side.floats.resize(index + 1);
  int64_t integer;
  double fraction;
  if (!value.getAsInteger(0, integer))
    side.facts.scalars[index] = uint64_t(integer);
  else if (!value.getAsDouble(fraction))
    side.floats[index] = fraction;
  else
    return false;
  return true;
}

/// Reads the arguments for one or two kernels; nothing where all is well.
static std::optional<int> readSides(Arguments arguments, llvm::MutableArrayRef<Side> sides) {
  size_t files = 0;
  for (size_t i = 0; i < arguments.size(); ++i) {
    llvm::StringRef name = arguments[i];
    if (!name.starts_with("--")) {
      if (files == sides.size())
        return bad("unexpected argument '" + name + "'");
      sides[files++].path = name;
      continue;
    }
    if (i + 1 == arguments.size())
      return bad("expected a value after '" + name + "'");
    llvm::StringRef value = arguments[++i];
    llvm::MutableArrayRef<Side> meant = sides;
    if (sides.size() == 2 && name.consume_back("-a"))
      meant = meant.take_front();
    else if (sides.size() == 2 && name.consume_back("-b"))
      meant = meant.drop_front();
    for (Side &side : meant) {
      bool good = true;
      if (name == "--entry")
        side.entry = value;
      else if (name == "--grid")
        good = readExtents(value, side.facts.grid);
      else if (name == "--block")
        good = readExtents(value, side.facts.block);
      else if (name == "--param")
        good = readParameter(value, side);
      else if (name == "--assume")
        side.facts.trusted.push_back(value.str());
      else
        return bad("unexpected argument '" + arguments[i - 1] + "'");
      if (!good)
        return bad("expected a value for '" + name + "', found '" + value + "'");
    }
  }
  if (files != sides.size())
    return bad(sides.size() == 2 ? "expected two files" : "expected a file");
  return std::nullopt;
}

/// Reads and analyses one kernel; false after an error, which has been printed.
static bool analyseSide(const Side &side, Source &source, Analysis &analysis) {
  auto report = [](llvm::Error problem) {
    llvm::errs() << llvm::toString(std::move(problem)) << '\n';
    return false;
  };
  if (llvm::Error problem = readSource(side.path, source))
    return report(std::move(problem));
  llvm::Expected<const assembly::ptx::Function *> entry = findEntry(source, side.entry);
  if (!entry)
    return report(entry.takeError());
  LaunchFacts facts = side.facts;
  if (llvm::Error problem = completeFacts(source, **entry, facts, side.floats))
    return report(std::move(problem));
  analyse(source.module, **entry, facts, analysis);
  return true;
}

/// Prefixes a line with the place of an instruction in its file.
static void printPlace(llvm::raw_ostream &os, const Source &source, InstructionId instruction) {
  os << source.path;
  if (instruction < source.module.instructions.size()) {
    auto position =
        assembly::ptx::positionOf(source.text, source.module.instructions[instruction].offset);
    os << ':' << position.line << ':' << position.column;
  }
  os << ": ";
}

/// A witness's inputs, one JSON line a word.
static void writeInputs(const Witness &witness, llvm::raw_ostream &os) {
  for (const auto &[place, word] : witness.inputs)
    os << llvm::formatv(
        "{{\"parameter\": {0}, \"offset\": {1}, \"bytes\": {2}, \"word\": \"{3:x}\"}\n",
        place.first, place.second, word.first, word.second);
}

static int printDifference(const Source (&sources)[2], const Difference &difference,
                           llvm::StringRef witnessPath, llvm::raw_ostream &os) {
  os << "different: " << difference.sentence << '\n';
  for (unsigned i = 0; i < 2; ++i)
    if (const std::string &node = i ? difference.nodeB : difference.nodeA; !node.empty()) {
      printPlace(os, sources[i], i ? difference.instructionB : difference.instructionA);
      os << node << '\n';
    }
  if (!difference.witness) {
    os << "trees differ, no witness found";
    if (!difference.refused.empty())
      os << ": " << difference.refused << " has no evaluation";
    os << '\n';
    return Different;
  }
  const Witness &witness = *difference.witness;
  os << "witness: param" << witness.parameter << '[' << witness.offset << "].b"
     << 8 * witness.bytes;
  if (witness.writtenBy != Witness::Both) {
    os << " is written " << (witness.writtenBy == Witness::A ? "here" : "there") << " alone\n";
    return Different;
  }
  os << " is " << llvm::format_hex(witness.a, 2 + 2 * witness.bytes) << " here and "
     << llvm::format_hex(witness.b, 2 + 2 * witness.bytes) << " there, for";
  unsigned shown = 0;
  for (const auto &[place, word] : witness.inputs) {
    if (++shown > 4)
      break;
    os << (shown > 1 ? "," : "") << " param" << place.first << '[' << place.second << "].b"
       << 8 * word.first << " = " << llvm::format_hex(word.second, 2 + 2 * word.first);
  }
  if (witness.inputs.size() > 4)
    os << " and " << witness.inputs.size() - 4 << " more";
  os << '\n';
  if (!witnessPath.empty() &&
      !writeFile(witnessPath, [&](llvm::raw_ostream &file) { writeInputs(witness, file); }))
    return Unusable;
  return Different;
}

static void printUnknown(llvm::raw_ostream &os, const Source &source, const Reason &reason) {
  os << "unknown: ";
  printPlace(os, source, reason.instruction);
  os << reason.text << '\n';
}

int equiv::runCompare(Arguments arguments, llvm::raw_ostream &os) {
  Side sides[2];
  llvm::StringRef witnessPath;
  llvm::SmallVector<llvm::StringRef, 16> kept;
  for (size_t i = 0; i < arguments.size(); ++i)
    if (arguments[i] == "--witness" && i + 1 < arguments.size())
      witnessPath = arguments[++i];
    else
      kept.push_back(arguments[i]);
  if (std::optional<int> status = readSides(kept, sides))
    return *status;
  Source sources[2];
  Analysis analyses[2];
  for (unsigned i = 0; i < 2; ++i)
    if (!analyseSide(sides[i], sources[i], analyses[i]))
      return Unusable;
  for (unsigned i = 0; i < 2; ++i)
    if (const std::optional<Reason> &reason = analyses[i].signature.unknown) {
      printUnknown(os, sources[i], *reason);
      return Unknown;
    }
  bool isEqual = analyses[0].signature.hash == analyses[1].signature.hash;
  if (isEqual) {
    os << "equal" << (analyses[0].signature.ptxasDependent ? ", ptxas-dependent" : "");
    for (const std::string &row : analyses[0].program.assumed)
      os << ", assuming " << row;
    os << '\n';
  }
  int status =
      isEqual ? int(Equal)
              : printDifference(sources, findDifference(analyses[0], analyses[1]), witnessPath, os);
  RuleSet rules = analyses[0].signature.rules;
  rules.add(analyses[1].signature.rules);
  os << "rules: " << llvm::join(rules.names(), ", ") << '\n';
  return status;
}

std::optional<int> equiv::analyseOne(Arguments arguments, Source &source, Analysis &analysis,
                                     llvm::raw_ostream &os) {
  Side side;
  if (std::optional<int> status = readSides(arguments, side))
    return status;
  if (!analyseSide(side, source, analysis))
    return Unusable;
  if (analysis.signature.unknown) {
    printUnknown(os, source, *analysis.signature.unknown);
    return Unknown;
  }
  return std::nullopt;
}

int equiv::runSignature(Arguments arguments, llvm::raw_ostream &os) {
  Source source;
  Analysis analysis;
  if (std::optional<int> status = analyseOne(arguments, source, analysis, os))
    return *status;
  os << text(analysis.signature.hash) << '\n';
  return Equal;
}
