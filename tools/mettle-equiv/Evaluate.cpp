//===- Evaluate.cpp - mettle-equiv evaluate -------------------------------===//
//
// What a kernel leaves in a parameter's memory, by the trees of its elements. Nothing is executed:
// this is how the trees, and the evaluator that finds witnesses, are held against hardware.
//
//===----------------------------------------------------------------------===//

#include "Commands.h"
#include "Mettle/Checker/Tree/Value.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/raw_ostream.h"

using namespace mettle;
using namespace mettle::checker;
using namespace mettle::equiv;

/// Words that elements have in common are kept up to so many.
static constexpr size_t MostRemembered = 1000000;

using Contents = std::map<uint32_t, std::unique_ptr<llvm::MemoryBuffer>>;

/// Reads `N=FILE`; false after an error, which is printed.
static bool readContents(llvm::StringRef text, Contents &contents) {
  auto [number, path] = text.split('=');
  unsigned parameter;
  if (number.getAsInteger(10, parameter) || path.empty()) {
    bad("expected the number of a parameter and a file for '--input', found '" + text + "'");
    return false;
  }
  auto buffer = llvm::MemoryBuffer::getFile(path, /*IsText=*/false,
                                            /*RequiresNullTerminator=*/false);
  if (!buffer) {
    llvm::errs() << path << ": error: cannot read: " << buffer.getError().message() << '\n';
    return false;
  }
  contents[parameter] = std::move(*buffer);
  return true;
}

/// Calls visit with the digits and the offset of each element of a region.
static bool forEachElement(const Output &output, const Region &region,
                           llvm::function_ref<bool(llvm::ArrayRef<int64_t>, int64_t)> visit) {
  std::vector<int64_t> digits(output.strides.size());
  // The last digit in the outermost loop.
  auto walk = [&](auto &self, size_t left, int64_t offset) -> bool {
    if (left == 0)
      return visit(digits, offset);
    for (auto [first, last] : region.digits[left - 1])
      for (int64_t digit = first; digit < last; ++digit) {
        digits[left - 1] = digit;
        if (!self(self, left - 1, offset + digit * output.strides[left - 1]))
          return false;
      }
    return true;
  };
  return walk(walk, digits.size(), 0);
}

/// Writes the words of an output's elements over what its memory held; Equal if all went well.
static int evaluate(const Analysis &analysis, const Output &output, const InputDraw &draw,
                    std::vector<uint8_t> &memory) {
  TreeValue value(analysis.trees, draw);
  for (const Region &region : output.regions) {
    int status = Equal;
    forEachElement(output, region, [&](llvm::ArrayRef<int64_t> digits, int64_t offset) {
      std::optional<uint64_t> word = value.of(region.tree, digits);
      if (!word) {
        llvm::errs() << "mettle-equiv: error: expected what has a value, found "
                     << (value.refused.empty() ? "an address" : value.refused) << '\n';
        status = Unknown;
        return false;
      }
      if (offset < 0 || uint64_t(offset) + output.bytes > memory.size()) {
        status =
            bad("expected " + llvm::Twine(offset + output.bytes) + " bytes of parameter " +
                llvm::Twine(output.parameter) + ", found " + llvm::Twine(uint64_t(memory.size())));
        return false;
      }
      memcpy(memory.data() + offset, &*word, output.bytes);
      if (value.remembered() > MostRemembered)
        value.forget();
      return true;
    });
    if (status != Equal)
      return status;
  }
  return Equal;
}

int equiv::runEvaluate(Arguments arguments, llvm::raw_ostream &os) {
  llvm::SmallVector<llvm::StringRef, 8> kept;
  Contents contents;
  std::optional<unsigned> wanted;
  for (size_t i = 0; i < arguments.size(); ++i) {
    bool more = i + 1 < arguments.size();
    if (arguments[i] == "--input" && more) {
      if (!readContents(arguments[++i], contents))
        return Unusable;
    } else if (arguments[i] == "--output" && more) {
      unsigned number;
      if (arguments[++i].getAsInteger(10, number))
        return bad("expected the number of a parameter, found '" + arguments[i] + "'");
      wanted = number;
    } else {
      kept.push_back(arguments[i]);
    }
  }
  if (!wanted || !contents.count(*wanted))
    return bad(
        "expected an output, by '--output N', and what its memory held, by '--input N=FILE'");
  Source source;
  Analysis analysis;
  if (std::optional<int> status = analyseOne(kept, source, analysis, os))
    return *status;
  InputDraw draw;
  for (const auto &[parameter, buffer] : contents)
    draw.contents[parameter] = llvm::ArrayRef(
        reinterpret_cast<const uint8_t *>(buffer->getBufferStart()), buffer->getBufferSize());
  for (const Output &output : analysis.signature.outputs) {
    if (output.parameter != *wanted)
      continue;
    std::vector<uint8_t> memory = draw.contents[*wanted].vec();
    if (int status = evaluate(analysis, output, draw, memory))
      return status;
    os.write(reinterpret_cast<const char *>(memory.data()), memory.size());
    return Equal;
  }
  return bad("parameter " + llvm::Twine(*wanted) + " is not stored to");
}
