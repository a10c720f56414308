//===- BitStep.cpp - Conditions that were packed into words ---------------===//
//
// Compilers keep conditions as bits of a word: selp of 1 or -1, shifts, masks, and a comparison of
// one bit with zero in the end. Such a comparison is the condition again.
//
//===----------------------------------------------------------------------===//

#include "Machine.h"

using namespace mettle::checker;
using namespace mettle::assembly::ptx;

/// The condition that a bit of a term is set; nothing where the bit is data.
std::optional<PredId> Machine::bitOf(TermId id, unsigned bit) {
  const Term term = terms[id];
  if (bit >= 8u * term.bytes)
    return Terms::falsePred;
  switch (term.kind) {
  case Term::Const:
    return term.data >> bit & 1 ? Terms::truePred : Terms::falsePred;
  case Term::Extract:
    return bitOf(term.args[0], bit + 8 * unsigned(term.data));
  case Term::Concat:
    for (TermId arg : term.args) {
      if (bit < 8u * terms[arg].bytes)
        return bitOf(arg, bit);
      bit -= 8u * terms[arg].bytes;
    }
    return std::nullopt;
  case Term::Select: {
    std::optional<PredId> a = bitOf(term.args[0], bit), b = bitOf(term.args[1], bit);
    if (!a || !b)
      return std::nullopt;
    return *a == *b
               ? *a
               : terms.either(terms.both(term.pred, *a), terms.both(terms.negate(term.pred), *b));
  }
  case Term::Op:
    break;
  default:
    return std::nullopt;
  }
  llvm::StringRef name = terms.nameText(uint32_t(term.data)).split('.').first;
  bool isSigned = terms.nameText(uint32_t(term.data)).contains(".s");
  if (name == "and" || name == "or") {
    // One operand may say enough.
    std::optional<PredId> a = bitOf(term.args[0], bit), b = bitOf(term.args[1], bit);
    PredId strong = name == "and" ? Terms::falsePred : Terms::truePred;
    if (a == strong || b == strong)
      return strong;
    if (!a || !b)
      return std::nullopt;
    return name == "and" ? terms.both(*a, *b) : terms.either(*a, *b);
  }
  if ((name == "shl" || (name == "shr" && !isSigned)) && terms.isConstant(term.args[1])) {
    uint64_t by = std::min<uint64_t>(terms[term.args[1]].data, 64);
    if (name == "shr")
      return bitOf(term.args[0], bit + unsigned(by));
    return bit < by ? Terms::falsePred : bitOf(term.args[0], bit - unsigned(by));
  }
  return std::nullopt;
}

/// Whether a word equals a constant, where that is a matter of a single bit.
std::optional<PredId> Machine::equalsBits(TermId word, uint64_t constant) {
  std::optional<PredId> result;
  for (unsigned bit = 0; bit < 8u * terms[word].bytes; ++bit) {
    std::optional<PredId> here = bitOf(word, bit);
    if (!here)
      return std::nullopt;
    PredId equal = constant >> bit & 1 ? *here : terms.negate(*here);
    if (equal == Terms::falsePred)
      return equal;
    if (equal == Terms::truePred)
      continue;
    if (result)
      return std::nullopt;
    result = equal;
  }
  return result.value_or(Terms::truePred);
}
