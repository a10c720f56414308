//===- Uniformity.cpp - for whom a value is the same -===//
//
// A sparse data-flow analysis gives each value the join of its operands. Control adds to that: what
// comes out of an if or a loop, or arrives at a block on different ways, is no more uniform than
// the condition. These values are found after a run and fed into the next, until none is new.
//
//===----------------------------------------------------------------------===//

#include "Uniformity.h"

#include "Mettle/Dialect/Mettle/IR/IndexOps.h"
#include "Mettle/Dialect/Mettle/IR/KernelOps.h"
#include "Mettle/Dialect/Mettle/IR/MemoryOps.h"
#include "Mettle/Dialect/Mettle/IR/SubgroupOps.h"
#include "mlir/Analysis/DataFlow/SparseAnalysis.h"
#include "mlir/Analysis/DataFlow/Utils.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Interfaces/FunctionInterfaces.h"

using namespace mlir;
using namespace mettle;

Scope mettle::scopeOf(Operation *op) {
  auto interface = dyn_cast<MemoryEffectOpInterface>(op);
  if (!interface)
    return Scope::None;
  SmallVector<MemoryEffects::EffectInstance> effects;
  interface.getEffectsOnResource(Convergence::get(), effects);
  if (effects.empty())
    return Scope::None;
  return llvm::any_of(
             effects,
             [](const auto &effect) { return isa<MemoryEffects::Write>(effect.getEffect()); })
             ? Scope::Workgroup
             : Scope::Subgroup;
}

//===----------------------------------------------------------------------===//
// The analysis of values
//===----------------------------------------------------------------------===//

namespace {
struct RankValue {
  Rank rank = Rank::Unknown;

  bool operator==(const RankValue &other) const { return rank == other.rank; }
  static RankValue join(const RankValue &a, const RankValue &b) {
    return {std::max(a.rank, b.rank)};
  }
  void print(raw_ostream &os) const { os << static_cast<unsigned>(rank); }
};

using RankLattice = dataflow::Lattice<RankValue>;
using Callers = llvm::DenseMap<Operation *, SmallVector<Operation *>>;

class RankAnalysis : public dataflow::SparseForwardDataFlowAnalysis<RankLattice> {
public:
  RankAnalysis(DataFlowSolver &solver, const Callers &callers, uint64_t &steps)
      : SparseForwardDataFlowAnalysis(solver), callers(callers), steps(steps) {}

  LogicalResult visitOperation(Operation *op, ArrayRef<const RankLattice *> operands,
                               ArrayRef<RankLattice *> results) override {
    ++steps;
    Rank joined = Rank::Workgroup;
    for (const RankLattice *operand : operands)
      joined = std::max(joined, operand->getValue().rank);
    Rank rank = rankOfResult(op, operands, joined);
    for (RankLattice *result : results)
      raise(result, rank);
    return success();
  }

  /// A kernel's arguments are the launch's; a helper's come from its calls.
  void visitCallableOperation(CallableOpInterface callable,
                              ArrayRef<dataflow::AbstractSparseLattice *> arguments) override {
    if (isa<KernelOp>(callable)) {
      for (dataflow::AbstractSparseLattice *argument : arguments)
        raise(static_cast<RankLattice *>(argument), Rank::Workgroup);
      return;
    }
    auto known = callers.find(callable);
    if (known == callers.end())
      return;
    ProgramPoint *point = getProgramPointBefore(&callable.getCallableRegion()->front());
    for (Operation *call : known->second)
      for (auto [argument, operand] :
           llvm::zip(arguments, cast<CallOpInterface>(call).getArgOperands()))
        raise(static_cast<RankLattice *>(argument),
              getLatticeElementFor(point, operand)->getValue().rank);
  }

  /// All who are in a round of a loop have the same number of it, if the bounds are the same.
  void visitNonControlFlowArguments(Operation *op, const RegionSuccessor &successor,
                                    ArrayRef<RankLattice *> arguments,
                                    unsigned firstIndex) override {
    auto loop = dyn_cast<scf::ForOp>(op);
    if (!loop) {
      SparseForwardDataFlowAnalysis::visitNonControlFlowArguments(op, successor, arguments,
                                                                  firstIndex);
      return;
    }
    ProgramPoint *point = getProgramPointBefore(loop.getBody());
    for (Value bound : {loop.getLowerBound(), loop.getStep()})
      raise(arguments.front(), getLatticeElementFor(point, bound)->getValue().rank);
  }

  void setToEntryState(RankLattice *lattice) override { raise(lattice, Rank::Varying); }

private:
  void raise(RankLattice *lattice, Rank rank) {
    propagateIfChanged(lattice, lattice->join(RankValue{rank}));
  }

  static Rank rankOfResult(Operation *op, ArrayRef<const RankLattice *> operands, Rank joined) {
    if (isa<SubgroupBroadcastOp, SubgroupReduceOp, SubgroupAnyOp, SubgroupAllOp>(op))
      return Rank::Subgroup;
    // Its predicate may vary; the word decides who gets which bits.
    if (isa<SubgroupBallotOp>(op))
      return std::max(Rank::Subgroup, operands[1]->getValue().rank);
    if (isa<AllocOp, BlockDimOp, BlockIdOp, DynamicWorkgroupOp, GridDimOp, SubgroupSizeOp>(op))
      return Rank::Workgroup;
    // Every other operation of the dialect that takes nothing says who executes it.
    bool isOwn = isa<MettleDialect>(op->getDialect()) && op->getNumOperands() == 0;
    return !isOwn && isMemoryEffectFree(op) ? joined : Rank::Varying;
  }

  const Callers &callers;
  uint64_t &steps;
};

/// What depends on a branch is no more uniform than its condition: visits each branch whenever one
/// of its operands, or of those that end its regions, becomes less uniform.
class ControlAnalysis : public DataFlowAnalysis {
public:
  /// `force` gives the values to be made less uniform, with the ranks.
  using Force = std::function<SmallVector<std::pair<Value, Rank>>(Operation *)>;

  ControlAnalysis(DataFlowSolver &solver, Force force)
      : DataFlowAnalysis(solver), force(std::move(force)) {}

  LogicalResult initialize(Operation *top) override {
    top->walk([&](Operation *op) {
      if (isa<RegionBranchOpInterface>(op) || op->getNumSuccessors() > 1)
        (void)visit(getProgramPointAfter(op));
    });
    return success();
  }

  LogicalResult visit(ProgramPoint *point) override {
    Operation *op = point->getPrevOp();
    for (Value operand : op->getOperands())
      getOrCreateFor<RankLattice>(point, operand);
    for (Region &region : op->getRegions())
      for (Block &block : region)
        for (Value operand : block.getTerminator()->getOperands())
          getOrCreateFor<RankLattice>(point, operand);
    for (auto [value, rank] : force(op)) {
      auto *lattice = getOrCreate<RankLattice>(value);
      propagateIfChanged(lattice, lattice->join(RankValue{rank}));
    }
    return success();
  }

private:
  Force force;
};
} // namespace

//===----------------------------------------------------------------------===//
// Running it
//===----------------------------------------------------------------------===//

Uniformity::Uniformity(ModuleOp module) : module(module) {
  module.walk([&](CallOpInterface call) {
    if (Operation *callee = call.resolveCallableInTable(&symbols))
      callers[callee].push_back(call);
  });
  SmallVector<Operation *> found;
  module.walk([&](Operation *op) {
    if (auto function = op->getParentOfType<FunctionOpInterface>();
        function && scopeOf(op) != Scope::None && meetingFunctions.insert(function).second)
      found.push_back(function);
  });
  while (!found.empty())
    for (Operation *call : callers.lookup(found.pop_back_val()))
      if (auto function = call->getParentOfType<FunctionOpInterface>();
          meetingFunctions.insert(function).second)
        found.push_back(function);
}

LogicalResult Uniformity::run() {
  solver = std::make_unique<DataFlowSolver>();
  dataflow::loadBaselineAnalyses(*solver);
  solver->load<RankAnalysis>(callers, steps);
  solver->load<ControlAnalysis>([this](Operation *op) {
    ++steps;
    spoilt.clear();
    if (isa<RegionBranchOpInterface>(op))
      forceRegionResults(op);
    else
      forceBlockArguments(op);
    return spoilt;
  });
  return solver->initializeAndRun(module);
}

Rank Uniformity::rankOf(Value value) const {
  const auto *state = solver->lookupState<RankLattice>(value);
  return state ? state->getValue().rank : Rank::Unknown;
}

bool Uniformity::isLive(Operation *op) {
  const auto *state =
      solver->lookupState<dataflow::Executable>(solver->getProgramPointBefore(op->getBlock()));
  return state && state->isLive();
}

void Uniformity::force(Value value, const Control &control) {
  if (rankOf(value) >= control.rank)
    return;
  forced[value] = {control.rank, control.condition, control.branch};
  spoilt.emplace_back(value, control.rank);
}

/// The least uniform of what decides where a branch goes.
Control Uniformity::conditionOf(Operation *branch) const {
  SmallVector<Value> conditions;
  if (auto loop = dyn_cast<scf::ForOp>(branch)) {
    conditions = {loop.getLowerBound(), loop.getUpperBound(), loop.getStep()};
  } else if (auto loop = dyn_cast<scf::WhileOp>(branch)) {
    conditions = {loop.getConditionOp().getCondition()};
  } else if (auto jump = dyn_cast<BranchOpInterface>(branch)) {
    DenseSet<OpOperand *> passed;
    for (unsigned successor = 0; successor < branch->getNumSuccessors(); ++successor) {
      MutableOperandRange range =
          jump.getSuccessorOperands(successor).getMutableForwardedOperands();
      for (OpOperand &operand : range)
        passed.insert(&operand);
    }
    for (OpOperand &operand : branch->getOpOperands())
      if (!passed.contains(&operand))
        conditions.push_back(operand.get());
  } else {
    conditions = llvm::to_vector(branch->getOperands());
  }
  Control worst;
  for (Value condition : conditions)
    if (Rank rank = rankOf(condition); rank > worst.rank)
      worst = {rank, condition, branch, nullptr};
  return worst;
}

void Uniformity::forceRegionResults(Operation *branch) {
  Control control = conditionOf(branch);
  if (control.rank <= Rank::Workgroup)
    return;
  for (auto [number, result] : llvm::enumerate(branch->getResults())) {
    auto choice = dyn_cast<scf::IfOp>(branch);
    if (choice && choice.thenYield().getOperand(number) == choice.elseYield().getOperand(number))
      continue;
    force(result, control);
  }
}

/// The blocks on ways that begin with `first`, up to `end`.
static SetVector<Block *> reachedThrough(ArrayRef<Block *> first, Block *end = nullptr) {
  SetVector<Block *> reached;
  SmallVector<Block *> work(first);
  while (!work.empty()) {
    Block *next = work.pop_back_val();
    if (reached.insert(next) && next != end)
      llvm::append_range(work, next->getSuccessors());
  }
  return reached;
}

static SetVector<Block *> reachedFrom(Block *block, Block *end = nullptr) {
  return reachedThrough(llvm::to_vector(block->getSuccessors()), end);
}

void Uniformity::forceBlockArguments(Operation *terminator) {
  Control control = conditionOf(terminator);
  if (control.rank <= Rank::Workgroup)
    return;
  Block *block = terminator->getBlock();
  auto *node = postDominance.getNode(block);
  auto *join = node ? node->getIDom() : nullptr;
  Block *end = join ? join->getBlock() : nullptr;
  // Where ways of different successors meet, the argument is that of one of them.
  llvm::DenseMap<Block *, unsigned> ways;
  for (Block *successor : block->getSuccessors())
    for (Block *next : reachedThrough(successor, end))
      ++ways[next];
  for (auto [next, count] : ways)
    if (count > 1)
      for (Value argument : next->getArguments())
        force(argument, control);
  SetVector<Block *> reached = reachedFrom(block, end);
  // Who leaves a loop in another round takes other values out of it.
  if (!reached.contains(block))
    return;
  for (Block *inside : reached) {
    if (!reachedFrom(inside).contains(block))
      continue;
    auto leaves = [&](Value value) {
      return llvm::any_of(value.getUsers(), [&](Operation *user) {
        Block *place = inside->getParent()->findAncestorBlockInRegion(*user->getBlock());
        return place && !reachedFrom(place).contains(block);
      });
    };
    for (Value argument : inside->getArguments())
      if (leaves(argument))
        force(argument, control);
    for (Operation &op : *inside)
      for (Value result : op.getResults())
        if (leaves(result))
          force(result, control);
  }
}

//===----------------------------------------------------------------------===//
// Control
//===----------------------------------------------------------------------===//

/// Whether a collective is in an operation or in what it calls.
bool Uniformity::mayMeet(Operation *op) {
  return op
      ->walk([&](Operation *inner) {
        ++steps;
        auto call = dyn_cast<CallOpInterface>(inner);
        Operation *callee = call ? call.resolveCallableInTable(&symbols) : nullptr;
        return scopeOf(inner) != Scope::None || (callee && meetingFunctions.contains(callee))
                   ? WalkResult::interrupt()
                   : WalkResult::advance();
      })
      .wasInterrupted();
}

/// Whether those who do not take a region of an if of a kernel meet at nothing any more.
bool Uniformity::othersReturn(Operation *branch, Region *taken) {
  auto [known, fresh] = returning.try_emplace({branch, taken}, false);
  if (fresh)
    known->second = findOthersReturn(branch, taken);
  return known->second;
}

bool Uniformity::findOthersReturn(Operation *branch, Region *taken) {
  for (Region &other : branch->getRegions())
    if (&other != taken)
      for (Operation &op : other.getOps())
        if (mayMeet(&op))
          return false;
  for (Operation *around = branch; !isa<FunctionOpInterface>(around);
       around = around->getParentOp()) {
    if (!isa<scf::IfOp>(around) || !around->getBlock()->getParent()->hasOneBlock())
      return false;
    for (Operation *next = around->getNextNode(); next; next = next->getNextNode())
      if (mayMeet(next))
        return false;
  }
  return isa<KernelOp>(branch->getParentOfType<FunctionOpInterface>());
}

/// The same for a jump: nothing is met on any way but through `taken`.
bool Uniformity::othersReturn(Operation *terminator, Block *taken) {
  if (!isa<KernelOp>(terminator->getParentOp()))
    return false;
  for (Block *successor : terminator->getSuccessors()) {
    SetVector<Block *> reached = reachedThrough(successor);
    if (reached.contains(taken))
      continue;
    for (Block *block : reached)
      if (llvm::any_of(*block, [&](Operation &op) { return mayMeet(&op); }))
        return false;
  }
  // Those who do take it must not come back to the jump.
  SetVector<Block *> reached = reachedFrom(terminator->getBlock());
  return !reached.contains(terminator->getBlock());
}

void Uniformity::raise(Control &control, const Control &other) const {
  if (other.rank > control.rank)
    control = other;
}

/// The jumps that decide whether the block of an operation is reached: those of which one way leads
/// to it for certain and another one may not, and the jumps that these depend on.
Control Uniformity::controlInRegion(Operation *op, Scope scope) {
  Control worst;
  if (op->getBlock()->getParent()->hasOneBlock())
    return worst;
  SetVector<Block *> reached;
  reached.insert(op->getBlock());
  for (size_t next = 0; next < reached.size(); ++next) {
    Block *block = reached[next];
    for (Block &other : *block->getParent()) {
      ++steps;
      if (other.getNumSuccessors() < 2 || postDominance.properlyPostDominates(block, &other) ||
          llvm::none_of(other.getSuccessors(), [&](Block *successor) {
            return successor == block || postDominance.postDominates(block, successor);
          }))
        continue;
      reached.insert(&other);
      Operation *terminator = other.getTerminator();
      Control control = conditionOf(terminator);
      if (control.rank > worst.rank &&
          (scope != Scope::Subgroup || !othersReturn(terminator, op->getBlock())))
        worst = control;
    }
  }
  return worst;
}

/// The least uniform of what is around the calls of a function; found once, since calls may meet in
/// more ways than can be followed.
Control Uniformity::controlOfCalls(Operation *function, Scope scope) {
  std::pair key(function, static_cast<unsigned>(scope));
  if (auto known = callControls.find(key); known != callControls.end())
    return known->second;
  Control worst;
  for (Operation *call : callers.lookup(function)) {
    Control outer = controlOf(call, scope);
    outer.call = call;
    raise(worst, outer);
  }
  callControls[key] = worst;
  return worst;
}

Control Uniformity::controlOf(Operation *op, Scope scope) {
  Control worst;
  Operation *inner = op;
  for (Operation *around = op->getParentOp(); around; around = around->getParentOp()) {
    ++steps;
    raise(worst, controlInRegion(inner, scope));
    if (isa<FunctionOpInterface>(around)) {
      raise(worst, controlOfCalls(around, scope));
      return worst;
    }
    if (isa<RegionBranchOpInterface>(around)) {
      Control control = conditionOf(around);
      if (control.rank > worst.rank && (scope != Scope::Subgroup || !isa<scf::IfOp>(around) ||
                                        !othersReturn(around, inner->getParentRegion())))
        worst = control;
    }
    inner = around;
  }
  return worst;
}

//===----------------------------------------------------------------------===//
// Explanations
//===----------------------------------------------------------------------===//

static std::string describeSource(Operation *op) {
  if (isa<ThreadIdOp>(op))
    return "each work-item has an index of its own";
  if (isa<SubgroupLocalIdOp>(op))
    return "each lane has a number of its own";
  if (isa<SubgroupShuffleOp, SubgroupScanOp>(op))
    return "each lane gets a value of its own here";
  if (scopeOf(op) == Scope::Subgroup)
    return "each subgroup gets a value of its own here";
  if (isa<CallOpInterface>(op))
    return "what this call returns may differ between work-items";
  if (!isMemoryEffectFree(op))
    return "what is read here may differ between work-items";
  return "this may differ between work-items";
}

/// Whether two places are on one line of a file.
static bool isSameLine(Location a, Location b) {
  auto placeOf = [](Location location) -> FileLineColLoc {
    FileLineColLoc found;
    location->walk([&](Location inner) {
      if (auto place = dyn_cast<FileLineColLoc>(inner)) {
        found = place;
        return WalkResult::interrupt();
      }
      return WalkResult::advance();
    });
    return found;
  };
  FileLineColLoc first = placeOf(a), second = placeOf(b);
  return first && second && first.getFilename() == second.getFilename() &&
         first.getLine() == second.getLine();
}

/// The next value on the way back, or null where the way ends, with what is to be said about this
/// one.
Value Uniformity::causeOf(Value value, Rank rank, std::string &text, Location &where) {
  auto worstOf = [&](ValueRange values) -> Value {
    // What control has spoilt may lead in a circle.
    Value found;
    for (Value v : values)
      if (rankOf(v) >= rank && (!found || forced.contains(found)))
        found = v;
    return found;
  };
  if (auto cause = forced.find(value); cause != forced.end() && cause->second.rank >= rank) {
    Operation *branch = cause->second.branch;
    where = branch->getLoc();
    text = isa<LoopLikeOpInterface>(branch) ? "it depends on how often this loop runs"
                                            : "it depends on which way is taken here";
    return cause->second.condition;
  }
  if (Operation *op = value.getDefiningOp()) {
    where = op->getLoc();
    if (isa<RegionBranchOpInterface>(op)) {
      text = "it comes out of this";
      unsigned number = cast<OpResult>(value).getResultNumber();
      for (Region &region : op->getRegions())
        for (Block &block : region)
          if (auto exit = dyn_cast<RegionBranchTerminatorOpInterface>(block.getTerminator())) {
            OperandRange leaving = exit.getSuccessorOperands(RegionSuccessor(op, op->getResults()));
            if (number < leaving.size() && rankOf(leaving[number]) >= rank)
              return leaving[number];
          }
      return {};
    }
    if (auto call = dyn_cast<CallOpInterface>(op)) {
      Operation *callee = call.resolveCallableInTable(&symbols);
      Value returned;
      if (callee)
        callee->walk([&](Operation *exit) {
          unsigned number = cast<OpResult>(value).getResultNumber();
          if (exit->hasTrait<OpTrait::ReturnLike>() && exit->getParentOp() == callee &&
              rankOf(exit->getOperand(number)) >= rank)
            returned = exit->getOperand(number);
        });
      text = returned ? "this call returns it" : describeSource(op);
      return returned;
    }
    Value operand;
    if (isMemoryEffectFree(op))
      operand = worstOf(op->getOperands());
    else if (auto ballot = dyn_cast<SubgroupBallotOp>(op))
      operand = worstOf(ballot.getWord());
    text = operand ? "it is computed here, from what the next note says" : describeSource(op);
    return operand;
  }
  auto argument = cast<BlockArgument>(value);
  Operation *parent = argument.getOwner()->getParentOp();
  where = argument.getLoc();
  text = "it is this argument";
  if (isa<FunctionOpInterface>(parent)) {
    if (argument.getOwner()->isEntryBlock())
      for (Operation *call : callers.lookup(parent)) {
        Value passed = cast<CallOpInterface>(call).getArgOperands()[argument.getArgNumber()];
        if (rankOf(passed) < rank)
          continue;
        where = call->getLoc();
        text = "this call passes it";
        return passed;
      }
  } else if (auto loop = dyn_cast<LoopLikeOpInterface>(parent)) {
    where = parent->getLoc();
    text = "it is carried through this loop";
    SmallVector<Value> sources(parent->getOperands());
    for (Region *region : loop.getLoopRegions())
      for (Block &block : *region)
        llvm::append_range(sources, block.getTerminator()->getOperands());
    for (Value source : sources)
      if (source != value && rankOf(source) >= rank && source.getType() == value.getType())
        return source;
  }
  for (Block *predecessor : argument.getOwner()->getPredecessors()) {
    auto jump = cast<BranchOpInterface>(predecessor->getTerminator());
    for (unsigned number = 0; number < jump->getNumSuccessors(); ++number)
      if (jump->getSuccessor(number) == argument.getOwner())
        if (Value passed = jump.getSuccessorOperands(number)[argument.getArgNumber()];
            passed && rankOf(passed) >= rank) {
          where = jump.getLoc();
          text = "it is passed on here";
          return passed;
        }
  }
  return {};
}

void Uniformity::explain(InFlightDiagnostic &diagnostic, Value value, Rank rank) {
  llvm::SmallPtrSet<void *, 16> seen;
  std::optional<std::string> lastText;
  std::optional<Location> lastPlace;
  unsigned notes = 0;
  while (value && seen.insert(value.getAsOpaquePointer()).second) {
    std::string text;
    Location where = value.getLoc();
    Value next = causeOf(value, rank, text, where);
    // A long computation is one step for each line.
    bool isRepeated = lastText == text && lastPlace && next && isSameLine(*lastPlace, where);
    if (!isRepeated) {
      diagnostic.attachNote(where) << text;
      if (++notes == 12)
        return;
    }
    lastText = text;
    lastPlace = where;
    value = next;
  }
}
