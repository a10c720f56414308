//===- Partition.cpp - Classes of many kernels ----------------------------===//
//
// From a line of an index to a class key. Nothing but the PTX text and the launch is looked at.
//
//===----------------------------------------------------------------------===//

#include "Mettle/Checker/Equiv/Partition.h"
#include "Mettle/Assembly/PTX/Parser.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"
#include <cstring>

using namespace mettle::checker;
using namespace mettle::assembly;

static llvm::Error error(const llvm::Twine &text) {
  return llvm::createStringError(llvm::inconvertibleErrorCode(), text);
}

llvm::Expected<std::vector<IndexEntry>> mettle::checker::readIndex(llvm::StringRef text,
                                                                   llvm::StringRef folder) {
  std::vector<IndexEntry> entries;
  unsigned number = 0;
  while (!text.empty()) {
    auto [line, rest] = text.split('\n');
    text = rest;
    ++number;
    if (line.trim().empty())
      continue;
    auto where = [&](const llvm::Twine &what) {
      return error(llvm::Twine(number) + ":1: error: " + what);
    };
    llvm::Expected<llvm::json::Value> value = llvm::json::parse(line);
    if (!value)
      return where("expected a JSON object, found " + llvm::toString(value.takeError()));
    const llvm::json::Object *object = value->getAsObject();
    if (!object)
      return where("expected a JSON object");
    IndexEntry entry;
    std::optional<llvm::StringRef> ptx = object->getString("ptx");
    if (!ptx)
      return where("expected the key ptx");
    llvm::SmallString<128> path(folder);
    if (llvm::sys::path::is_absolute(*ptx))
      path = *ptx;
    else
      llvm::sys::path::append(path, *ptx);
    entry.path = path.str().str();
    entry.kernel = object->getString("kernel").value_or("").str();
    const llvm::json::Value *given = object->get("index");
    entry.index = given ? *given : llvm::json::Value(int64_t(number) - 1);
    entry.entryName = object->getString("entry").value_or("").str();
    if (std::optional<int64_t> threads = object->getInteger("threads"))
      entry.facts.block = {uint32_t(*threads), 1, 1};
    if (const llvm::json::Array *grid = object->getArray("grid")) {
      entry.facts.grid = {1, 1, 1};
      for (size_t d = 0; d < 3 && d < grid->size(); ++d)
        entry.facts.grid[d] = uint32_t((*grid)[d].getAsInteger().value_or(0));
    }
    entry.facts.dynamicShared = uint64_t(object->getInteger("dynamic_shared").value_or(0));
    if (const llvm::json::Array *params = object->getArray("params"))
      for (const llvm::json::Value &param : *params) {
        entry.facts.scalars.push_back(std::nullopt);
        entry.floats.push_back(std::nullopt);
        if (std::optional<int64_t> integer = param.getAsInteger())
          entry.facts.scalars.back() = uint64_t(*integer);
        else if (std::optional<double> number = param.getAsNumber())
          entry.floats.back() = *number;
      }
    entries.push_back(std::move(entry));
  }
  return entries;
}

llvm::Error mettle::checker::readSource(llvm::StringRef path, Source &source) {
  source.path = path.str();
  auto buffer = llvm::MemoryBuffer::getFileOrSTDIN(path);
  if (!buffer)
    return error(path + ": error: cannot read: " + buffer.getError().message());
  source.text = (*buffer)->getBuffer().str();
  return decodeSource(source);
}

llvm::Error mettle::checker::decodeSource(Source &source) {
  std::vector<ptx::Diagnostic> errors;
  if (!ptx::parse(source.text, source.module, errors)) {
    std::string text;
    llvm::raw_string_ostream os(text);
    ptx::printDiagnostic(os, source.path, source.text, errors.front());
    return error(llvm::StringRef(text).split('\n').first);
  }
  return llvm::Error::success();
}

llvm::Expected<const ptx::Function *> mettle::checker::findEntry(const Source &source,
                                                                 llvm::StringRef name) {
  const ptx::Function *found = nullptr;
  unsigned entries = 0;
  for (const ptx::Function &function : source.module.functions) {
    if (!function.isEntry || !function.hasBody)
      continue;
    ++entries;
    if (name.empty() || source.module.name(function.name) == name)
      found = &function;
  }
  if (entries == 0)
    return error(source.path + ":1:1: error: expected an entry, found none");
  if (!found)
    return error(source.path + ":1:1: error: expected an entry named '" + name + "', found none");
  if (name.empty() && entries > 1)
    return error(source.path + ":1:1: error: expected the name of one of " + llvm::Twine(entries) +
                 " entries");
  return found;
}

llvm::Error mettle::checker::completeFacts(const Source &source, const ptx::Function &entry,
                                           LaunchFacts &facts,
                                           llvm::ArrayRef<std::optional<double>> floats) {
  const ptx::Module &module = source.module;
  for (uint32_t i = entry.directives.first; i < entry.directives.last; ++i) {
    const ptx::FunctionDirective &directive = module.directives[i];
    llvm::StringRef name = module.name(directive.name);
    if (name != "reqntid" && name != ".reqntid")
      continue;
    std::array<uint32_t, 3> block = {1, 1, 1};
    for (unsigned d = 0; d < directive.valueCount && d < 3; ++d)
      block[d] = directive.values[d];
    if (facts.block[0] && facts.block != block)
      return error(source.path + ":1:1: error: expected " + llvm::Twine(block[0]) + "x" +
                   llvm::Twine(block[1]) + "x" + llvm::Twine(block[2]) +
                   " threads, as .reqntid says, found " + llvm::Twine(facts.block[0]) + "x" +
                   llvm::Twine(facts.block[1]) + "x" + llvm::Twine(facts.block[2]));
    facts.block = block;
  }
  uint32_t parameters = entry.parameters.size();
  if (facts.scalars.size() > parameters)
    return error(source.path + ":1:1: error: expected at most " + llvm::Twine(parameters) +
                 " parameters, found " + llvm::Twine(uint64_t(facts.scalars.size())));
  for (uint32_t i = 0; i < facts.scalars.size(); ++i) {
    const ptx::Variable &variable = module.variables[entry.parameters.first + i];
    std::optional<double> number;
    if (i < floats.size())
      number = floats[i];
    bool isFloat = ptx::typeKind(variable.type) == ptx::TypeKind::Float;
    if (!number && isFloat && facts.scalars[i])
      number = double(int64_t(*facts.scalars[i]));
    if (!number)
      continue;
    if (variable.type == ptx::Type::F32) {
      auto narrow = float(*number);
      uint32_t bits;
      std::memcpy(&bits, &narrow, sizeof bits);
      facts.scalars[i] = bits;
    } else if (variable.type == ptx::Type::F64) {
      uint64_t bits;
      std::memcpy(&bits, &*number, sizeof bits);
      facts.scalars[i] = bits;
    } else {
      return error(source.path + ":1:1: error: expected an integer for parameter " +
                   llvm::Twine(i) + ", found a fraction");
    }
  }
  return llvm::Error::success();
}

static Classified unusable(llvm::Error problem) {
  Classified result;
  result.unknown = llvm::toString(std::move(problem));
  result.unusable = true;
  return result;
}

static llvm::Error analyseEntry(const Source &source, llvm::StringRef entryName, LaunchFacts facts,
                                llvm::ArrayRef<std::optional<double>> floats, Analysis &analysis) {
  llvm::Expected<const ptx::Function *> entry = findEntry(source, entryName);
  if (!entry)
    return entry.takeError();
  if (llvm::Error problem = completeFacts(source, **entry, facts, floats))
    return problem;
  analyse(source.module, **entry, facts, analysis);
  return llvm::Error::success();
}

llvm::Error mettle::checker::analyseEntry(const IndexEntry &index, Source &source,
                                          Analysis &analysis) {
  if (llvm::Error problem = readSource(index.path, source))
    return problem;
  return ::analyseEntry(source, index.entryName, index.facts, index.floats, analysis);
}

Classified mettle::checker::classify(const IndexEntry &index) {
  Source source;
  Effort reading;
  {
    PhaseTimer timer(reading, Effort::Reading);
    if (llvm::Error problem = readSource(index.path, source))
      return unusable(std::move(problem));
  }
  Classified result = classify(source, index.entryName, index.facts, index.floats);
  result.effort += reading;
  return result;
}

Classified mettle::checker::classify(const Source &source, llvm::StringRef entryName,
                                     LaunchFacts facts,
                                     llvm::ArrayRef<std::optional<double>> floats) {
  Classified result;
  Analysis analysis;
  if (llvm::Error problem = ::analyseEntry(source, entryName, std::move(facts), floats, analysis))
    return unusable(std::move(problem));
  result.effort = analysis.effort;
  const Signature &signature = analysis.signature;
  if (signature.unknown) {
    result.unknown = signature.unknown->text;
    InstructionId at = signature.unknown->instruction;
    if (at < source.module.instructions.size()) {
      ptx::Position position = ptx::positionOf(source.text, source.module.instructions[at].offset);
      result.line = position.line;
      result.column = position.column;
    }
    return result;
  }
  result.key = text(signature.hash);
  result.ptxasDependent = signature.ptxasDependent;
  result.rules = signature.rules;
  return result;
}
