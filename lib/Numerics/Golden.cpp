//===- Golden.cpp - Words that hardware returned --------------------------===//
//
// The reader of the recorded format, and the comparison of each record with the matrix model.
//
//===----------------------------------------------------------------------===//

#include "Mettle/Numerics/Golden.h"
#include "Mettle/Numerics/MatrixModel.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/Endian.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/LineIterator.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"

using namespace mettle::numerics;
using llvm::StringRef;

namespace {

/// What one line of the index says of a file.
struct Layout {
  std::string name, file, instruction, arch;
  int64_t k, kinst, steps, cases, record, nd;
  bool sparse;
  int64_t bytes[4]; ///< Of a code of A, B, C and D.
};

bool fromJSON(const llvm::json::Object &line, Layout &layout) {
  auto text = [&](StringRef key, std::string &to) {
    std::optional<StringRef> value = line.getString(key);
    if (value)
      to = value->str();
    return value.has_value();
  };
  auto number = [&](StringRef key, int64_t &to) {
    std::optional<int64_t> value = line.getInteger(key);
    to = value.value_or(0);
    return value && *value > 0;
  };
  const llvm::json::Array *bytes = line.getArray("bytes");
  std::optional<bool> sparse = line.getBoolean("sparse");
  if (!bytes || bytes->size() != 4 || !sparse)
    return false;
  layout.sparse = *sparse;
  for (size_t i = 0; i < 4; ++i) {
    layout.bytes[i] = (*bytes)[i].getAsInteger().value_or(0);
    if (layout.bytes[i] < 1 || layout.bytes[i] > 8)
      return false;
  }
  return text("name", layout.name) && text("file", layout.file) &&
         text("inst", layout.instruction) && text("arch", layout.arch) && number("k", layout.k) &&
         number("kinst", layout.kinst) && number("steps", layout.steps) &&
         number("cases", layout.cases) && number("record", layout.record) &&
         number("nd", layout.nd) && layout.k == layout.kinst * layout.steps &&
         (layout.nd == 1 || layout.nd == layout.steps) && (!layout.sparse || layout.k <= 32);
}

/// Reads little-endian codes one after the other.
class Reader {
public:
  explicit Reader(const char *at) : at(at) {}
  uint64_t code(int64_t bytes) {
    uint64_t value = 0;
    for (int64_t i = 0; i < bytes; ++i)
      value |= uint64_t(uint8_t(*at++)) << (8 * i);
    return value;
  }
  void skip(int64_t bytes) { at += bytes; }

private:
  const char *at;
};

using Codes = llvm::SmallVector<uint64_t, 128>;

/// Compares one record; returns whether it matches and fills the first difference otherwise.
bool matches(const Layout &layout, const MatrixRow &row, const char *record, GoldenFile &file) {
  Reader reader(record);
  reader.skip(4); // class, row, column, subclass: only of use to people
  Codes a, b, expected;
  for (int64_t i = 0; i < layout.k; ++i)
    a.push_back(reader.code(layout.bytes[0]));
  for (int64_t i = 0; i < layout.k; ++i)
    b.push_back(reader.code(layout.bytes[1]));
  uint64_t acc = reader.code(layout.bytes[2]);
  for (int64_t i = 0; i < layout.nd; ++i)
    expected.push_back(reader.code(layout.bytes[3]));
  uint64_t kept = layout.sparse ? reader.code(4) : ~uint64_t(0);

  for (int64_t step = 0; step < layout.steps; ++step) {
    Codes stepA, stepB;
    for (int64_t i = step * layout.kinst; i < (step + 1) * layout.kinst; ++i)
      if (!layout.sparse || (kept >> i) & 1) {
        stepA.push_back(a[i]);
        stepB.push_back(b[i]);
      }
    acc = evaluateInstruction(row, stepA, stepB, acc);
    int64_t word = layout.nd == 1 ? 0 : step;
    if (layout.nd == 1 && step + 1 != layout.steps)
      continue;
    if (acc == expected[word])
      continue;
    file.firstWord = unsigned(word);
    file.expected = expected[word];
    file.evaluated = acc;
    return false;
  }
  return true;
}

llvm::Error checkFile(StringRef folder, const Layout &layout,
                      llvm::function_ref<void(const GoldenFile &)> report) {
  llvm::Expected<const MatrixRow *> row = findMatrixRow(layout.arch, layout.instruction);
  if (!row)
    return row.takeError();
  llvm::SmallString<128> path(folder);
  llvm::sys::path::append(path, layout.file);
  auto buffer = llvm::MemoryBuffer::getFile(path, /*IsText=*/false,
                                            /*RequiresNullTerminator=*/false);
  if (!buffer)
    return llvm::createStringError(path + ": " + buffer.getError().message());
  int64_t wanted = 4 + layout.k * (layout.bytes[0] + layout.bytes[1]) + layout.bytes[2] +
                   layout.nd * layout.bytes[3] + (layout.sparse ? 4 : 0);
  if (layout.record != wanted)
    return llvm::createStringError(path + ": expected records of " + llvm::Twine(wanted) +
                                   " bytes, found " + llvm::Twine(layout.record) + " in the index");
  if ((*buffer)->getBufferSize() != uint64_t(layout.record) * uint64_t(layout.cases))
    return llvm::createStringError(path + ": expected " + llvm::Twine(layout.cases) +
                                   " records of " + llvm::Twine(layout.record) + " bytes, found " +
                                   llvm::Twine((*buffer)->getBufferSize()) + " bytes");

  GoldenFile file;
  file.name = layout.name;
  file.instruction = (*row)->instruction();
  file.total = layout.cases;
  bool differed = false;
  for (int64_t i = 0; i < layout.cases; ++i) {
    GoldenFile trial;
    if (matches(layout, **row, (*buffer)->getBufferStart() + i * layout.record, trial)) {
      ++file.matched;
    } else if (!differed) {
      differed = true;
      file.firstRecord = i;
      file.firstWord = trial.firstWord;
      file.expected = trial.expected;
      file.evaluated = trial.evaluated;
    }
  }
  report(file);
  return llvm::Error::success();
}

} // namespace

llvm::Error mettle::numerics::checkGolden(StringRef folder,
                                          llvm::function_ref<void(const GoldenFile &)> report) {
  llvm::SmallString<128> path(folder);
  llvm::sys::path::append(path, "index.jsonl");
  auto index = llvm::MemoryBuffer::getFile(path);
  if (!index)
    return llvm::createStringError(path + ": " + index.getError().message());
  bool any = false;
  for (llvm::line_iterator line(**index); !line.is_at_end(); ++line) {
    auto where = [&] { return (path + ":" + llvm::Twine(line.line_number()) + ": ").str(); };
    llvm::Expected<llvm::json::Value> value = llvm::json::parse(*line);
    if (!value)
      return llvm::createStringError(where() + llvm::toString(value.takeError()));
    const llvm::json::Object *object = value->getAsObject();
    if (object && object->getString("kind") == StringRef("meta"))
      continue;
    Layout layout;
    if (!object || object->getString("kind") != StringRef("dot") || !fromJSON(*object, layout))
      return llvm::createStringError(where() + "expected the layout of a file of dot products");
    if (llvm::Error error = checkFile(folder, layout, report))
      return llvm::createStringError(where() + llvm::toString(std::move(error)));
    any = true;
  }
  if (!any)
    return llvm::createStringError(path + ": expected at least one file of dot products");
  return llvm::Error::success();
}
