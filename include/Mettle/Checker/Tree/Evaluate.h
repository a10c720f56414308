//===- Evaluate.h - From the symbolic thread to trees -----------*- C++ -*-===//
//
// Asks what a term is in a given thread and iteration, resolving exchanges on the way, and builds
// the tree in its normal form. A question may need a variable bit decided first (another store
// answers for each of its values); then the answer is that bit, and whoever owns it asks twice.
//
//===----------------------------------------------------------------------===//

#ifndef METTLE_CHECKER_TREE_EVALUATE_H
#define METTLE_CHECKER_TREE_EVALUATE_H

#include "Mettle/Checker/Exec/Program.h"
#include "Mettle/Checker/Tree/Template.h"
#include "llvm/ADT/DenseSet.h"
#include <deque>
#include <map>

namespace mettle::checker {

/// The writer's thread bits, as variables of their own.
inline constexpr unsigned FirstWriterBit = 48;
inline constexpr uint64_t WriterBits = ((uint64_t(1) << NumThreadBits) - 1) << FirstWriterBit;

/// An equation over GF(2): the bits of the writer on the left, those of the asker on the right.
struct BitEquation {
  uint64_t left = 0, right = 0;
  bool constant = false;
};

/// A step of Gaussian elimination: the first equation not yet used that has the bit is used for it,
/// and the bit is taken out of all others. The equation's index; -1 if none has the bit.
int solveFor(uint64_t mask, llvm::MutableArrayRef<BitEquation> equations, std::vector<bool> &used);

/// An integer operation or comparison of PTX on numbers; nothing for any other.
std::optional<uint64_t> foldInteger(llvm::StringRef name, llvm::ArrayRef<uint64_t> args);
std::optional<bool> foldComparison(llvm::StringRef name, uint64_t a, uint64_t b);

class Evaluator {
public:
  Evaluator(const Program &program, Terms &terms, Templates &trees);

  struct Answer {
    enum Kind : uint8_t { Known, Split, Failed } kind = Failed;
    Tree tree;
    unsigned bit = 0; ///< to be decided first
    static Answer known(Tree tree) { return {Known, std::move(tree), 0}; }
    static Answer split(unsigned bit) { return {Split, {}, bit}; }
  };

  Answer evaluate(TermId term, EnvId env);
  /// A condition, decided where the ranges and assumptions decide it.
  Answer evaluatePred(PredId pred, EnvId env);

  /// A place where shared memory is written before others are done with it.
  std::optional<Reason> findRace();

  /// Forms that are negative wherever the current question is asked.
  void assume(llvm::ArrayRef<FormId> negative);
  const Reason &reason() const { return failure; }
  Answer fail(const llvm::Twine &text, InstructionId at);

  Tree combine(uint32_t op, bool commutes, Tree a, Tree b);
  Tree append(uint32_t op, std::optional<Tree> start, Tree first, llvm::ArrayRef<FormId> stride,
              int64_t count);
  Tree constant(uint64_t bits, unsigned bytes) { return trees.makeConstant(bits, bytes); }

  /// What a condition says about thread bits; false where it says something else too.
  bool constrain(PredId pred, bool holds, EnvId env, std::vector<BitEquation> &equations);

private:
  std::optional<Tree> fromAnyTurn(TermId term, EnvId env);
  std::optional<Tree> fromAnyThread(TermId term, EnvId env);
  /// The question put to any thread: whether there is an answer, and the conditions within it.
  struct AnyThread {
    bool isKnown = false;
    Tree tree;
    std::vector<FormId> less; ///< below zero or not
    bool hasOthers = false;   ///< conditions of other kinds
  };
  void findConditions(const Tree &tree, AnyThread &found);
  std::optional<bool> isNegative(FormId form);
  Answer compute(TermId term, EnvId env);
  Answer computeOp(TermId term, EnvId env);
  Answer computeLoad(const Term &term, EnvId env);
  Answer computeShuffle(const Term &term, EnvId env);
  Answer computePhi(TermId term, EnvId env);
  Answer computePred(PredId pred, EnvId env);
  Answer butterfly(uint32_t op, TermId value, uint64_t lanes, EnvId env);
  Tree operation(uint32_t name, unsigned bytes, llvm::ArrayRef<Tree> args, InstructionId at);
  /// Takes the +0 from a sum's root, if one stands there; a stride over the sum becomes one over
  /// what is left.
  bool takeZero(uint32_t op, Tree &tree, llvm::SmallVectorImpl<FormId> *stride) const;
  Tree addZero(uint32_t op, Tree tree);
  struct Exponential {
    Tree x, maximum;
    uint64_t factor;
    uint32_t name;
  };
  std::optional<Exponential> readExponential(const Tree &tree) const;
  /// Whether adding to the sum leaves it as it is: see the rule softmax-padding.
  bool isPadding(const Tree &sum, const Tree &added) const;
  Tree maximum(uint32_t name, unsigned bytes, Tree a, Tree b);
  /// The tree as a function of a bound bit, taken at 0 or 1.
  Tree atBit(const Tree &tree, unsigned bit, bool value);
  bool isLinearIn(const Tree &tree, unsigned bit) const;
  uint64_t pickingBits(const Tree &condition) const;
  /// Decides a bit where the term is asked, if both answers are one moving answer.
  Answer decide(TermId term, EnvId env, unsigned bit);
  unsigned freshBit(EnvId env) const;
  /// An environment with what a term cannot see taken out, so that one answer serves many.
  EnvId restrict(EnvId id, uint64_t bits, uint64_t loops);
  EnvId withBit(EnvId env, unsigned bit, bool value);
  /// Both as a function of the bit. Conditions may move only if they are settled once it is known.
  std::optional<Tree> join(const Tree &zero, const Tree &one, unsigned bit,
                           bool withConditions = false);

  // Matrix instructions.
  Answer computeGroup(const Term &term, EnvId env);
  Answer factors(const MatrixUse &use, bool isA, unsigned element, unsigned group, EnvId env,
                 const std::vector<Tree> *&found);
  Answer factorsInRegisters(const MatrixUse &use, bool isA, unsigned element, unsigned first,
                            EnvId env, std::vector<Tree> &found);
  Answer factorsInShared(const MatrixUse &use, bool isA, unsigned element, unsigned first,
                         EnvId env, std::vector<Tree> &found);
  struct SharedView {
    struct Node {
      int split = -1; ///< the bit that decides between the children; -1 of a leaf
      std::array<uint32_t, 2> children = {};
      Tree tree;
    };
    std::vector<Node> nodes;
    unsigned lineBits = 0, depthBits = 0;
    /// The variable bit of the first line bit; those of k follow.
    unsigned firstBit = 0;
    /// How many bits stand within a chunk, and whether they are of lines.
    unsigned skipped = 0;
    bool skipsLines = false;
  };
  Answer viewShared(const MatrixUse &use, bool isA, EnvId env, const SharedView *&found);
  bool isMovedBy(const Tree &tree, unsigned bit) const;
  std::optional<Tree> partAt(const Tree &tree, FormId offset, unsigned bytes);
  /// What ranges and assumptions say of a condition.
  std::optional<bool> decided(const Tree &condition);
  /// The condition without the parts that they decide.
  Tree settled(const Tree &condition);
  std::optional<bool> assumed(FormId negative);
  std::optional<unsigned> farthestBit(FormId form);
  bool spellUpwards(Tree &condition);
  Tree product(const MatrixUse &use, Tree x, Tree y);
  Tree dot(const MatrixUse &use, llvm::ArrayRef<Tree> a, llvm::ArrayRef<Tree> b);
  /// Some bytes of a value, and values side by side.
  Tree part(const Tree &tree, unsigned first, unsigned bytes);
  Tree concat(llvm::ArrayRef<Tree> parts, unsigned bytes);
  /// An order of trees that does not depend on how a kernel numbers things.
  bool isBefore(const Tree &x, const Tree &y);
  bool isNearer(TemplateId x, TemplateId y);
  void sortTrees(std::vector<Tree> &list);
  /// Whether one shift lies ahead of the other.
  bool isForward(llvm::ArrayRef<FormId> shift, llvm::ArrayRef<FormId> from);

  // Loops.
  struct Step {
    uint32_t op;
    bool commutes;
    TermId value;
  };
  bool findSteps(TermId body, TermId phi, std::vector<Step> &steps, PredId &when);
  bool holdsPhi(TermId term, uint32_t loop);
  EnvId without(EnvId env, uint32_t loop);
  EnvId with(EnvId env, uint32_t loop, FormId value);
  FormId iteration(EnvId env, uint32_t loop);

  // Shared memory.
  struct Moment; ///< A store, in an iteration.
  /// The wait at which a copy is over: so many turns after it where both are in one loop, else the
  /// turn of the wait's loop.
  struct PhaseEnd {
    uint32_t wait = ~0u;
    int64_t turn = 0;
  };
  struct Phases;
  std::optional<Reason> followPhases();
  bool isPhaseOver(uint32_t copy, uint32_t wait, int64_t distance, FormId now);
  bool isAwaited(uint32_t copy, uint32_t load, int64_t distance, EnvId reader);
  enum class Hit : uint8_t { Miss, Exact, Partial, Unclear };
  Answer computeShared(TermId term, EnvId env);
  /// The environment of a writer, whose thread bits are unknowns.
  EnvId asWriter(EnvId iteration);
  /// What it means that the store covers the address: equations between the writer's bits and the
  /// asker's.
  const std::optional<BitView> &bitViewOf(FormId form);
  Hit meet(FormId address, unsigned bytes, const Event &store, EnvId writing,
           std::vector<BitEquation> &equations, FormId &offset);
  /// An address of shared memory: its variable, what is added, and which bits of that are known.
  struct SharedPlace {
    FormId base = 0, rest = 0;
    int64_t lo = 0, hi = 0;
    bool isRing = false;  ///< holds the slot of a ring of buffers
    bool isPlain = false; ///< every bit is affine over bits of the thread
    uint64_t known = 0, value = 0;
  };
  struct WrittenPlace {
    uint32_t event;
    unsigned bytes;
    const SharedPlace &place;
  };
  const SharedPlace &placeOf(FormId address);
  /// The stores among some events, where a writer of that environment puts them.
  const std::vector<WrittenPlace> &storesIn(uint32_t first, uint32_t last, EnvId writing);
  static bool surelyMisses(const SharedPlace &asked, unsigned bytes, const WrittenPlace &store);
  bool mayCollide(const Event &access, const Event &store, EnvId iteration, bool sameWarp,
                  bool sameThread);
  bool mayCollideAt(const Event &access, EnvId accessing, const Event &store, EnvId iteration,
                    bool sameWarp, bool sameThread);
  struct Aftermath;
  bool follow(uint32_t accessed, uint32_t first, uint32_t last, uint32_t level, EnvId iteration,
              Aftermath &after, std::optional<Reason> &race);
  void followOn(uint32_t accessed, uint32_t at, uint32_t loop, Aftermath after,
                std::optional<Reason> &race);
  Hit match(FormId address, unsigned bytes, const Event &store, EnvId iteration, EnvId &writer,
            FormId &offset, uint64_t &anyWriter, unsigned &split);
  Answer fromStore(const Event &store, EnvId writer, FormId offset, unsigned bytes,
                   uint64_t anyWriter, InstructionId at);
  TermId partOf(TermId value, FormId offset, unsigned bytes);
  bool isOrdered(uint32_t store, uint32_t load, uint32_t loop, int64_t distance, EnvId writer,
                 EnvId reader);

  const Program &program;
  Terms &terms;
  Templates &trees;
  Forms &forms;
  Reason failure;
  /// The number of what is assumed, and all that ever was: forms that are negative.
  static constexpr uint32_t NoAssumptions = 0;
  uint32_t assumptions = NoAssumptions;
  std::vector<std::vector<FormId>> assumptionLists;
  std::map<std::vector<FormId>, uint32_t> assumptionNumbers;
  uint32_t assumptionsOf(llvm::ArrayRef<FormId> negative);
  /// How often an assumption was asked for, or could have been.
  uint64_t undecided = 0;
  unsigned depth = 0;
  /// The instruction whose operation is put together.
  InstructionId current = ~0u;
  llvm::DenseMap<std::pair<uint64_t, uint64_t>, uint32_t> timeless, conditional, predMemo;
  std::vector<Answer> answers;
  llvm::DenseMap<uint64_t, bool> phiHolders;
  llvm::DenseMap<uint32_t, PhaseEnd> phaseEnds;
  llvm::DenseMap<FormId, std::unique_ptr<std::optional<BitView>>> bitViews;
  std::deque<SharedPlace> places;
  llvm::DenseMap<FormId, uint32_t> placeNumbers;
  llvm::DenseMap<std::pair<uint64_t, EnvId>, std::unique_ptr<std::vector<WrittenPlace>>> storeLists;
  llvm::DenseMap<EnvId, EnvId> writers;
  llvm::DenseSet<uint64_t> uneven, unlikeTurns;
  llvm::DenseMap<std::pair<TermId, EnvId>, std::unique_ptr<AnyThread>> anyThreads;
  llvm::DenseSet<std::pair<uint64_t, uint64_t>> unlikeThreads;
  llvm::DenseMap<std::pair<std::pair<uint64_t, uint64_t>, EnvId>, EnvId> restricted;
  llvm::DenseMap<std::pair<uint64_t, uint64_t>, std::unique_ptr<std::vector<Tree>>> freeFactors,
      assumedFactors;
  llvm::DenseMap<std::pair<uint64_t, uint64_t>, std::unique_ptr<SharedView>> views;
};

} // namespace mettle::checker

#endif // METTLE_CHECKER_TREE_EVALUATE_H
