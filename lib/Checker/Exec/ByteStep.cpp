//===- ByteStep.cpp - Integer instructions that only move bytes -----------===//
//
// Packed data is taken apart with masks, shifts and permutations. Where such an instruction moves
// whole bytes, its result is those bytes, and not an operation on data.
//
//===----------------------------------------------------------------------===//

#include "Machine.h"

using namespace mettle::checker;
using namespace mettle::assembly::ptx;

namespace {
/// A byte of a term; of no term where it is zero.
struct Byte {
  static constexpr TermId Zero = ~0u;
  TermId from = Zero;
  unsigned at = 0;
  bool isZero() const { return from == Zero; }
};
using Bytes = llvm::SmallVector<Byte, 8>;
} // namespace

static void takeApart(const Terms &terms, TermId id, unsigned first, unsigned count, Bytes &bytes) {
  const Term &term = terms[id];
  if (term.kind == Term::Concat) {
    unsigned at = 0;
    for (TermId arg : term.args) {
      unsigned size = terms[arg].bytes, from = std::max(at, first),
               to = std::min(at + size, first + count);
      if (from < to)
        takeApart(terms, arg, from - at, to - from, bytes);
      at += size;
    }
    return;
  }
  for (unsigned i = 0; i < count; ++i)
    bytes.push_back(term.kind == Term::Const && !(term.data >> 8 * (first + i) & 0xff)
                        ? Byte()
                        : Byte{id, first + i});
}

static TermId putTogether(Terms &terms, const Bytes &bytes) {
  llvm::SmallVector<TermId, 8> parts;
  for (size_t i = 0; i < bytes.size();) {
    size_t end = i + 1;
    while (end < bytes.size() && bytes[end].from == bytes[i].from &&
           (bytes[i].isZero() || bytes[end].at == bytes[i].at + (end - i)))
      ++end;
    auto count = unsigned(end - i);
    parts.push_back(bytes[i].isZero() ? terms.constant(0, count)
                                      : terms.extract(bytes[i].from, bytes[i].at, count));
    i = end;
  }
  return terms.concat(parts);
}

/// Writes the result if the instruction moves bytes and no more.
bool Machine::moveBytes(unsigned width) {
  unsigned size = width / 8;
  auto bytesOf = [&](unsigned i) {
    Bytes bytes;
    takeApart(terms, termOf(op(i), size), 0, size, bytes);
    return bytes;
  };
  auto constantOf = [&](unsigned i, unsigned bytes) -> std::optional<uint64_t> {
    TermId id = termOf(op(i), bytes);
    return terms.isConstant(id) ? std::optional(terms[id].data) : std::nullopt;
  };
  Bytes result;
  switch (instruction->opcode) {
  case Opcode::And:
    for (unsigned i = 1; i <= 2; ++i)
      if (std::optional<uint64_t> mask = constantOf(i, size)) {
        Bytes other = bytesOf(3 - i);
        for (unsigned k = 0; k < size; ++k) {
          unsigned bits = *mask >> 8 * k & 0xff;
          if (bits != 0 && bits != 0xff)
            return false;
          result.push_back(bits ? other[k] : Byte());
        }
        break;
      }
    break;
  case Opcode::Or:
  case Opcode::Xor: {
    Bytes a = bytesOf(1), b = bytesOf(2);
    for (unsigned k = 0; k < size; ++k) {
      if (!a[k].isZero() && !b[k].isZero())
        return false;
      result.push_back(a[k].isZero() ? b[k] : a[k]);
    }
    break;
  }
  case Opcode::Shl:
  case Opcode::Shr: {
    std::optional<uint64_t> by = constantOf(2, 4);
    bool isLeft = instruction->opcode == Opcode::Shl;
    if (!by || *by % 8 || (!isLeft && typeKind(mnemonic->type()) == TypeKind::Signed))
      return false;
    Bytes a = bytesOf(1);
    for (unsigned k = 0; k < size; ++k) {
      int64_t from = isLeft ? int64_t(k) - int64_t(*by / 8) : int64_t(k + *by / 8);
      result.push_back(from >= 0 && from < int64_t(size) ? a[size_t(from)] : Byte());
    }
    break;
  }
  case Opcode::Bfe: {
    std::optional<uint64_t> first = constantOf(2, 4), count = constantOf(3, 4);
    if (!first || !count || *first % 8 || *count % 8 || *first + *count > width ||
        typeKind(mnemonic->type()) == TypeKind::Signed)
      return false;
    Bytes a = bytesOf(1);
    for (unsigned k = 0; k < size; ++k)
      result.push_back(k < *count / 8 ? a[k + *first / 8] : Byte());
    break;
  }
  case Opcode::Prmt: {
    std::optional<uint64_t> selector = constantOf(3, 4);
    if (!selector || instruction->operandCount != 4 || mnemonic->modifierCount > 1)
      return false;
    Bytes both = bytesOf(1);
    both.append(bytesOf(2));
    for (unsigned k = 0; k < 4; ++k) {
      unsigned nibble = *selector >> 4 * k & 0xf;
      if (nibble & 8)
        return false; // the sign, eight times
      result.push_back(both[nibble]);
    }
    break;
  }
  default:
    return false;
  }
  if (result.size() != size)
    return false;
  terms.rules.add(RuleId::Bytes);
  write(op(0), data(putTogether(terms, result)));
  return true;
}
