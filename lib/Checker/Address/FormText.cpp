//===- FormText.cpp - Forms as hashes and as text ------------------------===//
//
// What a form is to another process and to a person: nothing in it depends on numbering.
//
//===----------------------------------------------------------------------===//

#include "Mettle/Checker/Address/Form.h"
#include "llvm/Support/raw_ostream.h"

using namespace mettle::checker;

Hash128 Forms::hashAtom(AtomId id) {
  const Atom atom = atoms[id];
  Hash128 hash;
  hash.add(uint64_t(atom.kind)).add(uint64_t(atom.op)).add(atom.width).add(atom.data);
  for (FormId arg : atom.args)
    hash.add(this->hash(arg));
  return hash;
}

Hash128 Forms::hash(FormId f) {
  if (f < hashes.size() && hashes[f])
    return *hashes[f];
  // Atoms are numbered as they are met, so their order says nothing: sort by their hashes.
  llvm::SmallVector<std::pair<Hash128, int64_t>, 12> sorted;
  llvm::SmallVector<Part, 12> copy(parts(f));
  for (const Part &part : copy)
    sorted.push_back({hashAtom(part.atom), part.coef});
  llvm::sort(sorted);
  Hash128 hash;
  hash.add(uint64_t(constantOf(f)));
  for (auto &[atom, coef] : sorted)
    hash.add(atom).add(uint64_t(coef));
  if (hashes.size() <= f)
    hashes.resize(records.size());
  hashes[f] = hash;
  return hash;
}

static const char *intOpName(IntOp op) {
  switch (op) {
  case IntOp::Mul:
    return "mul";
  case IntOp::DivS:
  case IntOp::DivU:
    return "div";
  case IntOp::RemS:
  case IntOp::RemU:
    return "rem";
  case IntOp::MinS:
  case IntOp::MinU:
    return "min";
  case IntOp::MaxS:
  case IntOp::MaxU:
    return "max";
  case IntOp::And:
    return "and";
  case IntOp::Or:
    return "or";
  case IntOp::Xor:
    return "xor";
  case IntOp::Shl:
    return "shl";
  case IntOp::ShrU:
  case IntOp::ShrS:
    return "shr";
  case IntOp::Select:
    return "select";
  case IntOp::Truncate:
    return "low";
  case IntOp::SignExtend:
    return "sext";
  case IntOp::Widen:
    return "zext";
  }
  return "?";
}

std::string Forms::text(FormId f) const {
  std::string result;
  llvm::raw_string_ostream os(result);
  bool first = true;
  for (const Part &part : parts(f)) {
    const Atom &atom = atoms[part.atom];
    int64_t coef = part.coef;
    os << (coef < 0 ? (first ? "-" : " - ") : first ? "" : " + ");
    if (coef != 1 && coef != -1)
      os << (coef < 0 ? -coef : coef) << '*';
    first = false;
    switch (atom.kind) {
    case Atom::Parity: {
      bool more = false;
      for (unsigned bit = 0; bit < NumBits; ++bit)
        if (atom.data >> bit & 1) {
          os << (more ? "^" : "") << (bit < NumThreadBits ? "t" : "v") << bit;
          more = true;
        }
      break;
    }
    case Atom::Block:
      os << "ctaid."
         << "xyz"[atom.data];
      break;
    case Atom::Scalar:
    case Atom::Pointer:
      os << "param" << atom.data;
      break;
    case Atom::Shared:
      os << "shared" << atom.data;
      break;
    case Atom::Counter:
      os << "i" << atom.data;
      break;
    case Atom::Turn:
      os << 'i' << (atom.data >> 32) << '<' << uint32_t(atom.data);
      break;
    case Atom::Modulo:
      os << '(' << text(atom.args[0]) << " mod " << atom.data << ')';
      break;
    case Atom::BlockIndex:
      os << "block" << atom.data;
      break;
    case Atom::Digit:
      os << 'x' << atom.data;
      break;
    case Atom::Phi:
      os << "phi" << atom.data;
      break;
    case Atom::Opaque:
      os << intOpName(atom.op) << '(';
      for (size_t i = 0; i < atom.args.size(); ++i)
        os << (i ? ", " : "") << text(atom.args[i]);
      os << ')';
      break;
    }
  }
  int64_t c = constantOf(f);
  if (first)
    os << c;
  else if (c)
    os << (c < 0 ? " - " : " + ") << (c < 0 ? -uint64_t(c) : uint64_t(c));
  return result;
}
