//===- GEMMDescText.cpp - A descriptor as one line ------------------------===//
//
// Printer and parser. Words are separated by spaces; what has its default value is not printed, so
// that short descriptors stay short and two equal ones print alike.
//
//===----------------------------------------------------------------------===//

#include "Mettle/Numerics/GEMMDesc.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/raw_ostream.h"

using namespace mettle::numerics;
using llvm::StringRef;

static constexpr llvm::StringLiteral epilogueOps[] = {
    "alpha", "beta", "beta.fma", "bias.m", "bias.n", "relu", "relu.nan", "f16", "bf16"};

/// What the parts of cut `level` are folded into before they are rounded.
static Format inner(const GEMMDesc &desc, size_t level) {
  return level + 1 < desc.cuts.size() ? desc.cuts[level + 1].merge : desc.step.result;
}

static void print(llvm::raw_ostream &os, const KCut &cut, Format inner) {
  if (cut.layout == CutLayout::Strided)
    os << " lanes(" << cut.span << 'x' << cut.count << ')';
  else if (cut.count)
    os << " parts(" << cut.span << 'x' << cut.count << ')';
  else
    os << " parts(" << cut.span << ')';
  if (cut.partial != inner)
    os << ".partial." << name(cut.partial);
  if (cut.merge != inner)
    os << ".merge." << name(cut.merge);
  if (cut.order != MergeOrder::Forward)
    os << (cut.order == MergeOrder::Reverse ? ".reverse" : ".tree");
  if (cut.start == MergeStart::Zero)
    os << ".zero";
}

std::string GEMMDesc::text() const {
  std::string text;
  llvm::raw_string_ostream os(text);
  os << "gemm " << name(a) << '*' << name(b) << ' ' << step.text() << " k" << instructionK;
  if (!fastAccum)
    os << " slow";
  if (residueStep)
    os << " first" << residueStep;
  if (scale)
    os << " scale(" << name(*scale) << '/' << scaleBlock << ')';
  for (size_t level = 0; level < cuts.size(); ++level)
    print(os, cuts[level], inner(*this, level));
  if (startFromC)
    os << " from-c";
  if (!epilogue.ops.empty() || epilogue.compute != accumulated()) {
    os << " epilogue." << name(epilogue.compute) << '(';
    llvm::interleave(epilogue.ops, os, [&](EpilogueOp op) { os << epilogueOps[size_t(op)]; }, " ");
    os << ')';
  }
  os << " -> " << name(output);
  if (outputOverflow != Overflow::ByRounding)
    os << '.' << name(outputOverflow);
  return text;
}

namespace {

/// Reads a descriptor from left to right; the first error stops it.
class Parser {
public:
  explicit Parser(StringRef text) : text(text), rest(text) {}

  llvm::Expected<GEMMDesc> parse() {
    if (!word("gemm") || !operands() || !arithmetic() || !instruction())
      return takeError();
    for (;;) {
      skipSpaces();
      if (rest.consume_front("->"))
        break;
      if (!option())
        return takeError();
    }
    if (!output())
      return takeError();
    skipSpaces();
    if (!rest.empty()) {
      expected("the end");
      return takeError();
    }
    finish();
    return desc;
  }

private:
  void skipSpaces() { rest = rest.ltrim(' '); }

  bool expected(const llvm::Twine &what) {
    StringRef found = rest.take_until([](char c) { return c == ' '; });
    message = ("descriptor:" + llvm::Twine(text.size() - rest.size() + 1) + ": expected " + what +
               ", found '" + found + "'")
                  .str();
    return false;
  }
  llvm::Error takeError() { return llvm::createStringError(message); }

  bool word(StringRef wanted) {
    skipSpaces();
    return rest.consume_front(wanted) || expected("'" + wanted + "'");
  }

  bool format(Format &to) {
    StringRef token = rest.take_while(llvm::isAlnum);
    std::optional<Format> parsed = parseFormat(token);
    if (!parsed)
      return expected("a number format");
    to = *parsed;
    rest = rest.drop_front(token.size());
    return true;
  }

  template <typename T> bool number(T &to) {
    uint64_t value;
    StringRef before = rest;
    if (rest.empty() || !llvm::isDigit(rest[0]) || rest.consumeInteger(10, value) ||
        value != T(value)) {
      rest = before;
      return expected("a number");
    }
    to = T(value);
    return true;
  }

  bool operands() {
    skipSpaces();
    return format(desc.a) && (rest.consume_front("*") || expected("'*'")) && format(desc.b);
  }

  bool arithmetic() {
    skipSpaces();
    StringRef token = rest.take_until([](char c) { return c == ' '; });
    llvm::Expected<ArithmeticClass> parsed = ArithmeticClass::parse(token);
    if (!parsed) {
      message = ("descriptor:" + llvm::Twine(text.size() - rest.size() + 1) + ": " +
                 llvm::toString(parsed.takeError()))
                    .str();
      return false;
    }
    desc.step = *parsed;
    rest = rest.drop_front(token.size());
    return true;
  }

  bool instruction() {
    skipSpaces();
    if (rest.consume_front("k"))
      return number(desc.instructionK);
    return expected("k and the products of an instruction");
  }

  bool option() {
    if (rest.consume_front("slow")) {
      desc.fastAccum = false;
    } else if (rest.consume_front("first")) {
      if (desc.residueStep != 0)
        return expected("no second 'first'");
      if (!number(desc.residueStep))
        return false;
    } else if (rest.consume_front("scale(")) {
      Format format;
      if (!this->format(format) || !(rest.consume_front("/") || expected("'/'")) ||
          !number(desc.scaleBlock) || !close())
        return false;
      desc.scale = format;
    } else if (rest.consume_front("parts(")) {
      return cut(CutLayout::Contiguous);
    } else if (rest.consume_front("lanes(")) {
      return cut(CutLayout::Strided);
    } else if (rest.consume_front("from-c")) {
      desc.startFromC = true;
    } else if (rest.consume_front("epilogue.")) {
      return epilogue();
    } else {
      return expected("slow, first, scale, parts, lanes, from-c, epilogue or '->'");
    }
    return true;
  }

  bool close() { return rest.consume_front(")") || expected("')'"); }

  bool cut(CutLayout layout) {
    KCut cut;
    CutTypes types;
    cut.layout = layout;
    if (!number(cut.span))
      return false;
    if (rest.consume_front("x")) {
      if (!number(cut.count))
        return false;
    } else if (layout == CutLayout::Strided) {
      return expected("'x' and the number of lanes");
    }
    if (!close())
      return false;
    while (rest.consume_front(".")) {
      Format parsed;
      if (rest.consume_front("partial.")) {
        if (!format(parsed))
          return false;
        types.partial = parsed;
      } else if (rest.consume_front("merge.")) {
        if (!format(parsed))
          return false;
        types.merge = parsed;
      } else if (rest.consume_front("reverse")) {
        cut.order = MergeOrder::Reverse;
      } else if (rest.consume_front("tree")) {
        cut.order = MergeOrder::Tree;
      } else if (rest.consume_front("zero")) {
        cut.start = MergeStart::Zero;
      } else {
        return expected("partial, merge, reverse, tree or zero");
      }
    }
    desc.cuts.push_back(cut);
    cutTypes.push_back(types);
    return true;
  }

  bool epilogue() {
    Format compute;
    if (!format(compute) || !(rest.consume_front("(") || expected("'('")))
      return false;
    epilogueCompute = compute;
    for (skipSpaces(); !rest.consume_front(")"); skipSpaces()) {
      StringRef token = rest.take_until([](char c) { return c == ' ' || c == ')'; });
      const auto *op = llvm::find(epilogueOps, token);
      if (op == std::end(epilogueOps))
        return expected("an operation of the epilogue or ')'");
      desc.epilogue.ops.push_back(EpilogueOp(op - std::begin(epilogueOps)));
      rest = rest.drop_front(token.size());
    }
    return true;
  }

  bool output() {
    skipSpaces();
    if (!format(desc.output))
      return false;
    if (!rest.consume_front("."))
      return true;
    StringRef token = rest.take_while(llvm::isAlnum);
    std::optional<Overflow> overflow = parseOverflow(token);
    if (!overflow || *overflow == Overflow::ByRounding)
      return expected("inf, sat or wrap");
    desc.outputOverflow = *overflow;
    rest = rest.drop_front(token.size());
    return true;
  }

  /// Types that were not written are those of what a level receives, known only from the inside.
  void finish() {
    Format below = desc.step.result;
    for (size_t level = desc.cuts.size(); level-- > 0;) {
      desc.cuts[level].partial = cutTypes[level].partial.value_or(below);
      desc.cuts[level].merge = cutTypes[level].merge.value_or(below);
      below = desc.cuts[level].merge;
    }
    desc.epilogue.compute = epilogueCompute.value_or(below);
  }

  struct CutTypes {
    std::optional<Format> partial, merge;
  };

  StringRef text, rest;
  std::string message;
  GEMMDesc desc;
  llvm::SmallVector<CutTypes, 2> cutTypes;
  std::optional<Format> epilogueCompute;
};

} // namespace

llvm::Expected<GEMMDesc> GEMMDesc::parse(StringRef text) { return Parser(text).parse(); }
