//===- Term.h - What a register of the symbolic thread holds ----*- C++ -*-===//
//
// Hash-consed terms of one thread whose index is a symbol. Exchanges between threads (shuffles,
// shared memory, matrix instructions) stay as terms that name what was exchanged; the evaluator
// resolves them once it knows which thread is asked for.
//
//===----------------------------------------------------------------------===//

#ifndef METTLE_CHECKER_TERM_TERM_H
#define METTLE_CHECKER_TERM_TERM_H

#include "Mettle/Checker/Address/Form.h"
#include "Mettle/Checker/Canon/Rules.h"

namespace mettle::checker {

using TermId = uint32_t;
using PredId = uint32_t;
/// Index of an instruction in its module; ~0 where none is meant.
using InstructionId = uint32_t;

/// A condition on the launch, the thread, the loop counters or data.
struct Pred {
  enum Kind : uint8_t {
    False,
    True,
    Less,    ///< form < 0
    Zero,    ///< form == 0
    Not,     ///< a
    And,     ///< a and b
    Or,      ///< a or b
    Compare, ///< a comparison of data: op, of terms a and b
    Phi,     ///< loop-carried: a: the loop, b: its number there
    Elected, ///< the one lane of its warp that elect.sync picks
    Unknown, ///< nothing is known; a: the instruction
  };
  Kind kind = False;
  FormId form = 0;
  uint32_t a = 0, b = 0, op = 0;
  uint64_t bits = 0, loops = 0;
};

enum class ShuffleMode : uint8_t { Xor, Index, Up, Down };

struct Term {
  enum Kind : uint8_t {
    Const,      ///< data: the bits
    Integer,    ///< form, cut to `bytes`
    Load,       ///< form: the address in global memory
    SharedLoad, ///< form: the address in shared memory; data: the event that loads
    Select,     ///< pred ? args[0] : args[1]
    Shuffle,    ///< args[0] of another lane; data: ShuffleMode; form: the mask or lane
    Op,         ///< data: name of the operation, of args
    Extract,    ///< `bytes` of args[0] from byte data on
    Concat,     ///< args, lowest bytes first
    Phi,        ///< loop-carried; data: the loop << 32 | its number there
    Last,       ///< args[0] as of the last iteration of loop data
    Group,     ///< what a step of a matrix instruction adds to one element of its result; data: the
               ///< instruction's number << 32 | the step << 16 | the element
    Undefined, ///< a register that was not written
    Unknown,   ///< what the checker cannot model; data: the reason
  };
  Kind kind = Undefined;
  uint8_t bytes = 0;
  FormId form = 0;
  PredId pred = 0;
  uint64_t data = 0;
  InstructionId instruction = ~0u;
  llvm::SmallVector<TermId, 3> args;
  /// Thread bits and loops its value may depend on.
  uint64_t bits = 0, loops = 0;
};

/// Whether an operation of that name gives the same word with its two operands exchanged.
bool commutes(llvm::StringRef name);

/// What the rules ask of a name again and again.
struct NameTraits {
  bool commutes = false;
  /// An addition that rounds to nearest, flushes nothing and clamps nothing.
  bool isPlainSum = false;
  bool isDot = false;  ///< a step of a matrix instruction
  bool isFree = false; ///< the assembler may contract it
  bool isFma = false;  ///< fma.rn.f32
};

class Terms {
public:
  explicit Terms(Forms &forms);

  Forms &forms;

  static constexpr PredId falsePred = 0, truePred = 1;
  PredId less(FormId form);
  PredId zero(FormId form);
  /// Conditions that were decided by the block that the forms are fixed to, and no thread's.
  struct BlockDecision {
    FormId form;
    bool isZero, holds;
  };
  std::vector<BlockDecision> decisions;
  /// Whether another block, to which the forms are fixed now, decides them alike.
  bool decidesAlike() const;
  PredId negate(PredId a);
  /// The rules applied to terms, and to the trees that are made of them.
  RuleSet rules;

  PredId both(PredId a, PredId b);
  PredId either(PredId a, PredId b) { return negate(both(negate(a), negate(b))); }
  PredId compare(uint32_t op, TermId a, TermId b);
  PredId intern(Pred pred);
  const Pred &pred(PredId id) const { return preds[id]; }

  TermId constant(uint64_t bits, unsigned bytes);
  TermId integer(FormId form, unsigned bytes);
  TermId select(PredId pred, TermId a, TermId b);
  TermId extract(TermId term, unsigned first, unsigned bytes);
  TermId concat(llvm::ArrayRef<TermId> parts);
  TermId op(uint32_t name, unsigned bytes, llvm::ArrayRef<TermId> args, InstructionId at);
  TermId unknown(llvm::StringRef reason, InstructionId at, unsigned bytes);
  TermId undefined(unsigned bytes);
  TermId intern(Term term);
  const Term &operator[](TermId id) const { return terms[id]; }
  bool isConstant(TermId id) const { return terms[id].kind == Term::Const; }

  /// Names of operations and reasons, interned.
  uint32_t name(llvm::StringRef text);
  llvm::StringRef nameText(uint32_t id) const { return names[id]; }
  const NameTraits &traits(uint32_t id) const { return nameTraits[id]; }
  size_t size() const { return terms.size(); }

  std::optional<bool> decideAtBlock(FormId form, bool isZero);

private:
  std::optional<bool> atBlock(FormId form, bool isZero) const;
  std::vector<Pred> preds;
  std::vector<Term> terms;
  TermId make(Term term);
  std::vector<std::string> names;
  std::vector<NameTraits> nameTraits;
  InternTable predTable, termTable, nameTable;
};

} // namespace mettle::checker

#endif // METTLE_CHECKER_TERM_TERM_H
