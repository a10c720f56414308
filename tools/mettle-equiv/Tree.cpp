//===- Tree.cpp - mettle-equiv tree ---------------------------------------===//
//
// What the elements of an output are, as text or as a picture.
//
//===----------------------------------------------------------------------===//

#include "Commands.h"
#include "Mettle/Assembly/PTX/Diagnostic.h"
#include "Mettle/Checker/Tree/Print.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"

using namespace mettle;
using namespace mettle::checker;
using namespace mettle::equiv;

namespace {
struct TreeOptions {
  enum { Text, Dot, Svg } format = Text;
  std::optional<unsigned> only;
  unsigned nodes = 160;
};
} // namespace

/// Which elements a tree describes.
static std::string titleOf(const Output &output, const Region &region) {
  std::string title;
  llvm::raw_string_ostream os(title);
  os << "param" << output.parameter << "[";
  for (size_t digit = 0; digit < output.strides.size(); ++digit)
    os << (digit ? " + " : "") << output.strides[digit] << "*x" << digit;
  os << "].b" << 8 * output.bytes << " for";
  for (size_t digit = 0; digit < output.strides.size(); ++digit) {
    os << " x" << digit << " in";
    for (auto [first, last] : region.digits[digit])
      os << " [" << first << ", " << last << ")";
  }
  return title;
}

static void printRegions(llvm::raw_ostream &os, const Source &source, const Analysis &analysis,
                         const TreeOptions &options) {
  auto lineOf = [&](InstructionId instruction) -> unsigned {
    if (instruction >= source.module.instructions.size())
      return 0;
    return assembly::ptx::positionOf(source.text, source.module.instructions[instruction].offset)
        .line;
  };
  std::vector<std::pair<std::string, Drawing>> drawings;
  for (const Output &output : analysis.signature.outputs) {
    if (options.only && output.parameter != *options.only)
      continue;
    for (const Region &region : output.regions) {
      std::string title = titleOf(output, region);
      if (options.format == TreeOptions::Text) {
        os << title << '\n';
        printTree(os, analysis.trees, region.tree, lineOf);
        continue;
      }
      Drawing drawing = drawingOf(analysis.trees, region.tree, lineOf, options.nodes);
      if (options.format == TreeOptions::Dot)
        printDot(os, drawing);
      else
        drawings.emplace_back(llvm::sys::path::filename(source.path).str() + ": " + title,
                              std::move(drawing));
    }
  }
  if (options.format == TreeOptions::Svg)
    printSvg(os, drawings);
}

int equiv::runTree(Arguments arguments, llvm::raw_ostream &os) {
  llvm::SmallVector<llvm::StringRef, 8> kept;
  TreeOptions options;
  for (size_t i = 0; i < arguments.size(); ++i) {
    bool more = i + 1 < arguments.size();
    if (arguments[i] == "--dot") {
      options.format = TreeOptions::Dot;
    } else if (arguments[i] == "--svg") {
      options.format = TreeOptions::Svg;
    } else if (arguments[i] == "--nodes" && more) {
      if (arguments[++i].getAsInteger(10, options.nodes) || options.nodes == 0)
        return bad("expected a number of nodes, found '" + arguments[i] + "'");
    } else if (arguments[i] == "--output" && more) {
      unsigned number;
      if (arguments[++i].getAsInteger(10, number))
        return bad("expected the number of a parameter, found '" + arguments[i] + "'");
      options.only = number;
    } else {
      kept.push_back(arguments[i]);
    }
  }
  Source source;
  Analysis analysis;
  if (std::optional<int> status = analyseOne(kept, source, analysis, os))
    return *status;
  bool isStored = !options.only;
  for (const Output &output : analysis.signature.outputs)
    isStored |= options.only && output.parameter == *options.only;
  if (!isStored)
    return bad("parameter " + llvm::Twine(*options.only) + " is not stored to");
  printRegions(os, source, analysis, options);
  return Equal;
}
