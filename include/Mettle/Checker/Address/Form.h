//===- Form.h - Integers as affine forms over bits and symbols --*- C++ -*-===//
//
// What an integer register of the symbolic thread holds: a constant plus multiples of atoms. An
// atom is a parity of variable bits (thread ids are taken apart into bits, so that lanes, warps and
// swizzles can be resolved), a symbol of the launch, a loop counter, or an opaque expression. Every
// form carries an interval that holds its value as a mathematical integer, and an operation that
// could leave its register's width becomes opaque, so a form never hides a wrap.
//
//===----------------------------------------------------------------------===//

#ifndef METTLE_CHECKER_ADDRESS_FORM_H
#define METTLE_CHECKER_ADDRESS_FORM_H

#include "Mettle/Checker/Address/Hash.h"
#include "Mettle/Checker/Address/InternTable.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallVector.h"
#include <optional>
#include <string>
#include <vector>

namespace mettle::checker {

using FormId = uint32_t;
using AtomId = uint32_t;
using EnvId = uint32_t;

/// Variable bits 0 to 9 are those of %tid.x; the evaluator numbers the bits it binds from 16.
inline constexpr unsigned NumThreadBits = 10, FirstBoundBit = 16, NumBits = 64;

/// Bounds saturate here, which stands for "unbounded".
inline constexpr int64_t Unbounded = int64_t(1) << 62;

enum class IntOp : uint8_t {
  Mul,
  DivS,
  DivU,
  RemS,
  RemU,
  MinS,
  MinU,
  MaxS,
  MaxU,
  And,
  Or,
  Xor,
  Shl,
  ShrU,
  ShrS,
  Select,
  Truncate,
  SignExtend,
  Widen,
};

struct Atom {
  enum Kind : uint8_t {
    Parity,     ///< data: the mask of variable bits whose sum modulo 2 it is
    Block,      ///< data: dimension of %ctaid
    Scalar,     ///< data: number of the entry's parameter
    Pointer,    ///< data: number of the entry's parameter
    Shared,     ///< data: the shared variable, whose address it is, in units of 1024
    Counter,    ///< data: the loop whose iterations it counts
    Turn,       ///< data: a loop << 32 | how many of its first turns are meant, of which it is any
    Modulo,     ///< args[0] modulo data, not negative
    BlockIndex, ///< data: one of the independent indices that a block's index was taken apart into
    Digit,      ///< data: a digit of the offset of an output element
    Opaque,     ///< op of args, as a register of `width` bits
    Phi,        ///< data: a loop-carried integer that is no induction
  };
  Kind kind = Opaque;
  IntOp op = IntOp::Mul;
  uint8_t width = 0;
  uint64_t data = 0;
  llvm::SmallVector<FormId, 2> args;
  int64_t lo = -Unbounded, hi = Unbounded;
  /// What its value depends on: variable bits, loops, dimensions of %ctaid.
  uint64_t bits = 0, loops = 0;
  uint8_t blocks = 0;
  bool isUniform() const { return !bits && !loops; }
};

struct Part {
  AtomId atom;
  int64_t coef;
  bool operator==(const Part &other) const { return atom == other.atom && coef == other.coef; }
};

/// Replaces thread bits by affine functions over GF(2) of variable bits, and counters by forms.
struct Env {
  std::array<uint64_t, NumThreadBits> mask;
  uint16_t flip = 0;
  /// Sorted by loop; a loop that is not listed stands for itself.
  llvm::SmallVector<std::pair<uint32_t, FormId>, 2> counters;
  /// Variable bits from FirstBoundBit up that have been given a value.
  uint64_t fixed = 0, fixedValue = 0;
  bool operator==(const Env &other) const {
    return mask == other.mask && flip == other.flip && counters == other.counters &&
           fixed == other.fixed && fixedValue == other.fixedValue;
  }
};

/// The low bits of a form, each an affine function over GF(2), and what is left above them.
struct BitView {
  std::array<uint64_t, 64> mask;
  uint64_t flip = 0;
  /// Bits at and above this are those of `rest`, a multiple of 2^count.
  unsigned count = 64;
  FormId rest = 0;
  bool bit(unsigned i) const { return flip >> i & 1; }
};

class Forms {
public:
  Forms();

  /// Blocks along each dimension of the grid; 0 where that is not known.
  std::array<uint32_t, 3> grid = {};

  /// Of some dimensions, the one block that is spoken of. What a form says of the thread's place in
  /// the grid stays symbolic; atBlock() gives what it is there.
  void fixBlock(const std::array<std::optional<uint32_t>, 3> &block);
  uint8_t fixedDimensions() const { return fixedMask; }
  FormId atBlock(FormId form);

  FormId constant(int64_t value);
  FormId ofAtom(AtomId atom, int64_t coef = 1);
  /// The parity of a set of variable bits, or its complement.
  FormId parity(uint64_t mask, bool flip, int64_t coef = 1);
  AtomId symbol(Atom::Kind kind, uint64_t data, int64_t lo, int64_t hi);
  AtomId counter(uint32_t loop, int64_t trips);
  /// Any of the first turns of a loop.
  AtomId turn(uint32_t loop, int64_t turns);
  /// Any turn, whichever others are spoken of.
  AtomId anyTurn(uint32_t loop, int64_t trips);
  FormId modulo(FormId form, int64_t by);
  /// An expression that is only what it is; folded where the grid is known and decides it.
  FormId opaque(IntOp op, unsigned width, llvm::ArrayRef<FormId> args);

  FormId add(FormId a, FormId b);
  FormId sub(FormId a, FormId b) { return add(a, scale(b, -1)); }
  FormId scale(FormId a, int64_t by);
  FormId addConstant(FormId a, int64_t by) { return add(a, constant(by)); }

  int64_t lo(FormId f) const { return records[f].lo; }
  int64_t hi(FormId f) const { return records[f].hi; }
  /// The same with what the blocks of a known grid really give, where that may be less.
  std::pair<int64_t, int64_t> rangeOverGrid(FormId f);
  int64_t constantOf(FormId f) const { return records[f].constant; }
  bool isConstant(FormId f) const { return records[f].count == 0; }
  uint64_t bitsOf(FormId f) const { return records[f].bits; }
  uint64_t loopsOf(FormId f) const { return records[f].loops; }
  uint8_t blocksOf(FormId f) const { return records[f].blocks; }
  llvm::ArrayRef<Part> parts(FormId f) const {
    return llvm::ArrayRef(pool).slice(records[f].first, records[f].count);
  }
  const Atom &atom(AtomId a) const { return atoms[a]; }

  /// The operation on registers of `width` bits, exact where that can be shown.
  FormId apply(IntOp op, unsigned width, llvm::ArrayRef<FormId> args);
  /// The value as a register read as signed or as unsigned; wrap() says only that it is a
  /// register's.
  FormId asSigned(FormId f, unsigned width);
  FormId asUnsigned(FormId f, unsigned width);
  FormId wrap(FormId f, unsigned width);

  /// Whether the value fits a register of so many bits, read as signed or as unsigned.
  bool fits(FormId f, unsigned width) const;

  std::optional<BitView> bitsOf(FormId f, unsigned width);
  FormId fromBits(const BitView &view, unsigned first, unsigned count, int shift);

  EnvId identity() const { return 0; }
  EnvId intern(const Env &env);
  const Env &env(EnvId id) const { return envs[id]; }
  FormId substitute(FormId f, EnvId env);
  uint64_t substituteMask(uint64_t mask, const Env &env, bool &flip) const;

  /// The form's multiple of an atom.
  int64_t coefficient(FormId f, AtomId atom) const;
  FormId without(FormId f, AtomId atom);
  /// Replaces an atom by a form.
  FormId replace(FormId f, AtomId atom, FormId by);
  /// Whether a parity of more than one bit, a modulo or an opaque expression depends on the bits.
  bool isEntangled(FormId f, uint64_t bits) const;

  /// The value in one block, for a form that depends on nothing else.
  std::optional<int64_t> evaluate(FormId f, llvm::ArrayRef<uint32_t> block) const;

  Hash128 hash(FormId f);
  std::string text(FormId f) const;
  size_t size() const { return records.size(); }

private:
  struct Record {
    uint32_t first = 0, count = 0;
    int64_t constant = 0, lo = 0, hi = 0;
    uint64_t bits = 0, loops = 0;
    uint8_t blocks = 0;
  };
  std::optional<FormId> signedBits(FormId f, unsigned width, unsigned first);
  FormId bitwise(IntOp op, unsigned width, FormId a, FormId b);
  FormId shiftRight(unsigned width, FormId f, int64_t by, bool arithmetic);
  FormId intern(int64_t constant, llvm::ArrayRef<Part> parts);
  FormId make(int64_t constant, llvm::ArrayRef<Part> parts);
  AtomId internAtom(Atom atom);
  std::optional<int64_t> evaluateOpaque(const Atom &atom, llvm::ArrayRef<uint32_t> block) const;
  Hash128 hashAtom(AtomId atom);

  std::vector<Atom> atoms;
  std::vector<Record> records;
  std::vector<Part> pool;
  std::vector<Env> envs;
  std::vector<std::optional<Hash128>> hashes;
  InternTable formTable, atomTable, envTable;
  llvm::DenseMap<uint64_t, FormId> substituted;
  llvm::DenseMap<FormId, std::pair<int64_t, int64_t>> gridRanges;
  std::array<std::optional<uint32_t>, 3> fixed;
  uint8_t fixedMask = 0;
  llvm::DenseMap<FormId, FormId> atFixed;
};

/// What the operation gives on numbers, as PTX defines it; nothing where PTX leaves it open.
std::optional<int64_t> applyIntOp(IntOp op, unsigned width, llvm::ArrayRef<int64_t> args,
                                  uint64_t data);

} // namespace mettle::checker

#endif // METTLE_CHECKER_ADDRESS_FORM_H
