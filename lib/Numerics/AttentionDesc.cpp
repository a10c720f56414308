//===- AttentionDesc.cpp - Text and validation of attention ---------------===//
//
// Words as in GEMMDescText.cpp; the two GEMM descriptors stand in braces.
//
//===----------------------------------------------------------------------===//

#include "Mettle/Numerics/AttentionDesc.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/Support/xxhash.h"
#include <tuple>

using namespace mettle::numerics;
using llvm::StringRef;

static constexpr llvm::StringLiteral rowSums[] = {"tree", "sequential", "lanes"};
static constexpr llvm::StringLiteral divisions[] = {"last", "narrowed", "every"};

bool AttentionDesc::operator==(const AttentionDesc &o) const {
  return std::tie(keyBlock, masking, queryBlock, rowSum, rowSumLanes, probabilities, division,
                  scores, output) == std::tie(o.keyBlock, o.masking, o.queryBlock, o.rowSum,
                                              o.rowSumLanes, o.probabilities, o.division, o.scores,
                                              o.output);
}

std::string AttentionDesc::text() const {
  std::string text;
  llvm::raw_string_ostream os(text);
  os << "attention keys" << keyBlock;
  if (masking == Masking::Causal)
    os << " causal" << queryBlock;
  os << " rowsum." << rowSums[size_t(rowSum)];
  if (rowSum == RowSum::Strided)
    os << rowSumLanes;
  os << " p." << name(probabilities) << " divide." << divisions[size_t(division)] << " { "
     << scores.text() << " } { " << output.text() << " }";
  return text;
}

static llvm::Error error(const llvm::Twine &message) {
  return llvm::createStringError("attention: " + message);
}

namespace {

/// Takes words off the front of a text.
struct Words {
  StringRef rest;
  StringRef peek() {
    rest = rest.ltrim(' ');
    return rest.take_until([](char c) { return c == ' '; });
  }
  StringRef take() {
    StringRef word = peek();
    rest = rest.drop_front(word.size());
    return word;
  }
  /// What stands between the next pair of braces.
  std::optional<StringRef> braces() {
    rest = rest.ltrim(' ');
    size_t close = rest.find('}');
    if (!rest.starts_with("{") || close == StringRef::npos)
      return std::nullopt;
    StringRef inside = rest.slice(1, close).trim(' ');
    rest = rest.drop_front(close + 1);
    return inside;
  }
};

template <size_t N>
bool pick(StringRef &word, const llvm::StringLiteral (&names)[N], size_t &index) {
  for (index = 0; index < N; ++index)
    if (word.consume_front(names[index]))
      return true;
  return false;
}

} // namespace

llvm::Expected<AttentionDesc> AttentionDesc::parse(StringRef text) {
  AttentionDesc desc;
  Words words{text};
  StringRef word = words.take();
  if (word != "attention")
    return error("expected 'attention', found '" + word + "'");
  word = words.take();
  if (!word.consume_front("keys") || word.getAsInteger(10, desc.keyBlock))
    return error("expected keys and the width of a block, found '" + word + "'");
  if (words.peek().starts_with("causal")) {
    word = words.take().drop_front(6);
    desc.masking = Masking::Causal;
    if (word.getAsInteger(10, desc.queryBlock))
      return error("expected causal and the width of a query block, found '" + word + "'");
  }
  size_t index;
  word = words.take();
  if (!word.consume_front("rowsum.") || !pick(word, rowSums, index))
    return error("expected rowsum.tree, rowsum.sequential or rowsum.lanes, found '" + word + "'");
  desc.rowSum = RowSum(index);
  if (desc.rowSum == RowSum::Strided ? word.getAsInteger(10, desc.rowSumLanes) : !word.empty())
    return error(
        "expected " +
        llvm::Twine(desc.rowSum == RowSum::Strided ? "the number of lanes" : "the end of rowsum") +
        ", found '" + word + "'");
  word = words.take();
  std::optional<Format> probabilities;
  if (word.consume_front("p."))
    probabilities = parseFormat(word);
  if (!probabilities)
    return error("expected p. and the format of the probabilities, found '" + word + "'");
  desc.probabilities = *probabilities;
  word = words.take();
  if (!word.consume_front("divide.") || !pick(word, divisions, index) || !word.empty())
    return error("expected divide.last, divide.narrowed or divide.every, found '" + word + "'");
  desc.division = Division(index);
  for (GEMMDesc *gemm : {&desc.scores, &desc.output}) {
    std::optional<StringRef> inside = words.braces();
    if (!inside)
      return error("expected a descriptor in braces, found '" + words.peek() + "'");
    llvm::Expected<GEMMDesc> parsed = GEMMDesc::parse(*inside);
    if (!parsed)
      return parsed.takeError();
    *gemm = *parsed;
  }
  if (!words.peek().empty())
    return error("expected the end, found '" + words.peek() + "'");
  return desc;
}

llvm::Error AttentionDesc::validate() const {
  if (llvm::Error e = scores.validate())
    return llvm::createStringError("attention: scores: " + llvm::toString(std::move(e)));
  if (llvm::Error e = output.validate())
    return llvm::createStringError("attention: output: " + llvm::toString(std::move(e)));
  if (keyBlock == 0 || keyBlock > 65536)
    return error("keys: expected a block of 1 to 65536 keys, found " + llvm::Twine(keyBlock));
  if ((masking == Masking::Causal) != (queryBlock != 0))
    return error("causal: expected a query block with masking, and only there, found " +
                 llvm::Twine(queryBlock));
  if (rowSum == RowSum::Strided && (rowSumLanes == 0 || rowSumLanes > 1024))
    return error("rowsum: expected 1 to 1024 lanes, found " + llvm::Twine(rowSumLanes));
  if (info(probabilities).isInteger || !info(probabilities).isSigned)
    return error("p: expected a float format, found " + name(probabilities));
  if (output.a != probabilities)
    return error("p: the output's first operand is " + name(output.a) + ", the probabilities are " +
                 name(probabilities));
  if (scores.output != Format::F32)
    return error("scores: expected f32, in which the running maximum is kept, found " +
                 name(scores.output));
  for (const KCut &cut : output.cuts)
    if (cut.layout == CutLayout::Contiguous && cut.span > keyBlock)
      return error("output: a part of " + llvm::Twine(cut.span) + " keys does not fit a block of " +
                   llvm::Twine(keyBlock));
  if (scores.startFromC || !output.epilogue.ops.empty() || !scores.epilogue.ops.empty())
    return error(
        "expected descriptors without an epilogue: scaling and division are attention's own");
  return llvm::Error::success();
}

uint64_t AttentionDesc::hash() const {
  AttentionDesc canonical = *this;
  canonical.scores = scores.canonical();
  canonical.output = output.canonical();
  return llvm::xxHash64(canonical.text());
}
