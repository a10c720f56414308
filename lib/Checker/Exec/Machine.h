//===- Machine.h - The symbolic thread --------------------------*- C++ -*-===//
//
// Registers, and what each group of instructions does to them. Control flow is in Execute.cpp; the
// groups have a file each.
//
//===----------------------------------------------------------------------===//

#ifndef METTLE_LIB_CHECKER_EXEC_MACHINE_H
#define METTLE_LIB_CHECKER_EXEC_MACHINE_H

#include "Mettle/Assembly/PTX/ControlFlow.h"
#include "Mettle/Checker/Exec/Program.h"
#include "TensorMap.h"
#include "llvm/ADT/Twine.h"

namespace mettle::checker {

struct Value {
  enum Kind : uint8_t { None, Integer, Data, Condition };
  Kind kind = None;
  uint32_t id = 0;
  /// Picked by a condition, if only by one that the launch decides: the assembler, who does not
  /// know the launch, sees no operation here.
  bool isPicked = false;
  bool operator==(const Value &other) const { return kind == other.kind && id == other.id; }
};

struct Registers {
  std::array<std::vector<Value>, assembly::ptx::NumRegisterClasses> values;
};

class Machine {
public:
  Machine(const assembly::ptx::Module &module, const assembly::ptx::Function &entry,
          const LaunchFacts &facts, Terms &terms);
  Program run();

private:
  using Instruction = assembly::ptx::Instruction;
  using Mnemonic = assembly::ptx::Mnemonic;
  using Operand = assembly::ptx::Operand;
  using RegisterId = assembly::ptx::RegisterId;

  // Control flow.
  struct Edge {
    uint32_t from;
    PredId path;
    std::shared_ptr<Registers> state;
  };
  struct NaturalLoop {
    uint32_t header = 0, latch = 0;
    llvm::SmallVector<uint32_t, 8> blocks; ///< In reverse post-order.
    std::vector<bool> holds;
  };
  void findLoops();
  void runBlocks(llvm::ArrayRef<uint32_t> blocks, const NaturalLoop *inside);
  void runBlock(uint32_t block, const NaturalLoop *inside);
  void runLoop(const NaturalLoop &loop);
  std::shared_ptr<Registers> merge(uint32_t block, PredId &path);
  void leave(uint32_t from, uint32_t to, PredId path, const NaturalLoop *inside);
  std::optional<int64_t>
  tripCount(PredId again, llvm::ArrayRef<std::pair<AtomId, std::pair<FormId, FormId>>> inductions);
  Value atLast(Value value, uint32_t loop);
  PredId predAtLast(PredId pred, uint32_t loop);
  std::optional<uint32_t> spinsOn(const NaturalLoop &loop) const;
  void runSpinLoop(const NaturalLoop &loop, uint32_t wait, const NaturalLoop *inside);

  // Registers and operands.
  Value &reg(RegisterId id) { return regs->values[size_t(id.cls())][id.number()]; }
  Value read(const Operand &operand);
  void write(const Operand &operand, Value value);
  void writeRegister(RegisterId id, Value value);
  FormId form(Value value, unsigned width);
  FormId formOf(const Operand &operand, unsigned width) { return form(read(operand), width); }
  TermId term(Value value, unsigned bytes);
  TermId termOf(const Operand &operand, unsigned bytes);
  PredId condition(const Operand &operand);
  Value select(PredId pred, Value a, Value b, unsigned bytes);
  static unsigned bytesOf(assembly::ptx::RegisterClass cls);
  FormId asSigned(FormId f, unsigned width);
  FormId asUnsigned(FormId f, unsigned width);
  FormId wrap(FormId f, unsigned width);
  Value integer(FormId f) { return {Value::Integer, f}; }
  Value data(TermId t) { return {Value::Data, t}; }
  Value truth(PredId p) { return {Value::Condition, p}; }
  std::string text(const Mnemonic &mnemonic) const { return module.mnemonicText(mnemonic).str(); }

  // Instructions. Each returns false where the instruction is not one of its group's.
  void step(InstructionId at);
  void unsupported(const char *what = nullptr);
  /// Writes what is not known to all registers that the instruction writes.
  void unsupportedResult(llvm::StringRef reason);
  void fail(const llvm::Twine &text);
  bool stepInteger();
  bool stepData();
  bool stepMemory();
  bool stepSync();
  bool stepMatrix();
  bool stepPhase();
  bool stepWarp();
  bool stepTensor();
  bool moveBytes(unsigned width);
  bool bothIntegers(unsigned first, unsigned last);
  void setPredicate();
  std::optional<PredId> bitOf(TermId term, unsigned bit);
  std::optional<PredId> equalsBits(TermId word, uint64_t constant);
  void convert();
  void move();
  void shuffle();
  const char *wholeWarp(unsigned members);
  FormId laneNumber();
  TermId fromLane(TermId value, ShuffleMode mode, FormId lane);
  std::optional<PredId> inLane(PredId pred, uint32_t lane);
  void vote();
  void reduce();
  void load();
  void store();
  void copyAsync();
  void loadMatrix();
  void storeMatrix();
  void matrixOfWarp();
  void matrixOfWarpgroup();
  void writeMatrix(MatrixUse &&use, const Operand &target, llvm::ArrayRef<TermId> before,
                   unsigned k);
  void readSharedFactor(MatrixFactor &factor, unsigned lines, unsigned chunkLines, unsigned depth);
  bool touchesBusyRegister() const;
  /// Who executes the instruction at hand, of a block, and the condition that is one for all.
  struct Issuers {
    llvm::SmallVector<uint32_t, 4> threads;
    /// Any lane of the warps whose first threads are named.
    bool isElected = false;
    PredId when = Terms::truePred;
  };
  std::optional<Issuers> issuers(bool byWarps = false);
  /// What a form is for one of them; nothing where that depends on which lane was elected.
  std::optional<FormId> asThread(FormId form, const Issuers &issuers, uint32_t thread);
  void elect();
  Event *phaseEvent(Event::Kind kind, const Operand &address);
  void arrive();
  void waitForPhase();
  void touchMap(Event::Kind kind, FormId address, PredId when);
  bool isAligned(FormId address, int64_t to) const;
  const char *faultOf(const TensorMap &map, unsigned rank) const;
  void replaceField();
  void copyMap();
  void fence();
  struct BoxCopy;
  void copyBox(const BoxCopy &copy);
  void copyTensor();
  Value special(const Operand &operand);
  Value parameter(const Operand &address, unsigned bytes);
  FormId addressOf(const Operand &operand);
  Event &event(Event::Kind kind);
  void dependOnAll(Term &term) const;
  Value opTerm(llvm::StringRef name, unsigned bytes, llvm::ArrayRef<TermId> args) {
    return data(terms.op(terms.name(name), bytes, args, at));
  }
  const Operand &op(unsigned i) const { return operands[i]; }
  bool isDataType(assembly::ptx::Type type) const {
    return assembly::ptx::typeKind(type) == assembly::ptx::TypeKind::Float;
  }

  const assembly::ptx::Module &module;
  const assembly::ptx::Function &entry;
  const LaunchFacts &facts;
  Terms &terms;
  Forms &forms;
  assembly::ptx::ControlFlowGraph graph;
  std::vector<NaturalLoop> naturalLoops;
  std::vector<llvm::SmallVector<Edge, 2>> incoming;
  std::shared_ptr<Registers> regs;
  PredId path = Terms::truePred;
  uint32_t currentLoop = ~0u;
  /// Whether a loop is walked whose inductions are not known yet.
  bool isTrial = false;
  /// The first event of that loop's body.
  size_t loopStart = 0;
  /// What a counter that starts again becomes next, by its loop-carried atom: it was -1 before the
  /// first turn.
  struct Wrap {
    FormId next = 0, turn = 0;
    int64_t modulus = 0;
  };
  llvm::DenseMap<AtomId, Wrap> wrapsTo;
  PredId overTurns(PredId pred);
  std::optional<FormId> startsAgain(const Pred &atEnd, FormId again, FormId next);
  /// Registers of wgmmas that are not committed, and of each group that is not waited for. They
  /// stay from one walk of a loop to the next, as they do from turn to turn.
  llvm::SmallVector<RegisterId, 16> issued;
  std::vector<llvm::SmallVector<RegisterId, 16>> inFlight;
  /// Tensor maps by their addresses.
  llvm::DenseMap<FormId, TensorMap> maps;
  Program program;
  /// The instruction at hand.
  InstructionId at = 0;
  const Instruction *instruction = nullptr;
  const Mnemonic *mnemonic = nullptr;
  llvm::ArrayRef<Operand> operands;
  PredId guard = Terms::truePred;
};

} // namespace mettle::checker

#endif // METTLE_LIB_CHECKER_EXEC_MACHINE_H
