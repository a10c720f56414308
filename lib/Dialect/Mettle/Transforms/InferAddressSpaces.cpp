//===- InferAddressSpaces.cpp - what a generic pointer was made from -===//
//
// A sparse data-flow analysis follows the memories that a generic pointer may point into from the
// casts that made it, through choices, loops and calls, to its accesses.
//
//===----------------------------------------------------------------------===//

#include "Mettle/Dialect/Mettle/Transforms/Passes.h"

#include "Mettle/Dialect/Mettle/IR/AtomicOps.h"
#include "Mettle/Dialect/Mettle/IR/MemoryOps.h"
#include "mlir/Analysis/DataFlow/SparseAnalysis.h"
#include "mlir/Analysis/DataFlow/Utils.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;

namespace mettle {
#define GEN_PASS_DEF_INFERADDRESSSPACES
#include "Mettle/Dialect/Mettle/Transforms/Passes.h.inc"
} // namespace mettle

using namespace mettle;

namespace {

constexpr uint8_t bitOf(AddressSpace space) { return 1 << static_cast<unsigned>(space); }
constexpr uint8_t anywhere =
    bitOf(AddressSpace::Global) | bitOf(AddressSpace::Workgroup) | bitOf(AddressSpace::Private);

/// The memories that a pointer may point into; none is not known yet.
struct Spaces {
  uint8_t bits = 0;

  bool operator==(const Spaces &other) const { return bits == other.bits; }
  static Spaces join(const Spaces &a, const Spaces &b) { return {uint8_t(a.bits | b.bits)}; }
  void print(raw_ostream &os) const { os << unsigned(bits); }
};

using SpacesLattice = dataflow::Lattice<Spaces>;
using Callers = llvm::DenseMap<Operation *, SmallVector<Operation *>>;

bool isGeneric(Type type) {
  auto pointer = dyn_cast<PtrType>(type);
  return pointer && pointer.getSpace() == AddressSpace::Generic;
}

class SpacesAnalysis : public dataflow::SparseForwardDataFlowAnalysis<SpacesLattice> {
public:
  SpacesAnalysis(DataFlowSolver &solver, const Callers &callers)
      : SparseForwardDataFlowAnalysis(solver), callers(callers) {}

  LogicalResult visitOperation(Operation *op, ArrayRef<const SpacesLattice *> operands,
                               ArrayRef<SpacesLattice *> results) override {
    uint8_t joined = 0;
    for (auto [value, operand] : llvm::zip(op->getOperands(), operands))
      if (auto pointer = dyn_cast<PtrType>(value.getType()))
        joined |= isGeneric(pointer) ? operand->getValue().bits : bitOf(pointer.getSpace());
    if (!isMemoryEffectFree(op))
      joined = anywhere;
    for (SpacesLattice *result : results)
      add(result, joined);
    return success();
  }

  void visitCallableOperation(CallableOpInterface callable,
                              ArrayRef<dataflow::AbstractSparseLattice *> arguments) override {
    ProgramPoint *point = getProgramPointBefore(&callable.getCallableRegion()->front());
    if (auto known = callers.find(callable); known != callers.end())
      for (Operation *call : known->second)
        for (auto [argument, operand] :
             llvm::zip(arguments, cast<CallOpInterface>(call).getArgOperands()))
          add(static_cast<SpacesLattice *>(argument),
              getLatticeElementFor(point, operand)->getValue().bits);
  }

  void setToEntryState(SpacesLattice *lattice) override { add(lattice, anywhere); }

private:
  void add(SpacesLattice *lattice, uint8_t bits) {
    propagateIfChanged(lattice, lattice->join(Spaces{bits}));
  }

  const Callers &callers;
};

/// The operand of an access that names its place, or null.
OpOperand *pointerOf(Operation *op) {
  return TypeSwitch<Operation *, OpOperand *>(op)
      .Case<LoadOp, StoreOp, AtomicLoadOp, AtomicStoreOp, AtomicRMWOp, AtomicCmpXchgOp>(
          [](auto access) { return &access.getPointerMutable(); })
      .Default([](Operation *) { return nullptr; });
}

bool isAtomic(Operation *op) {
  return isa<AtomicLoadOp, AtomicStoreOp, AtomicRMWOp, AtomicCmpXchgOp>(op);
}

struct InferAddressSpaces : mettle::impl::InferAddressSpacesBase<InferAddressSpaces> {
  using InferAddressSpacesBase::InferAddressSpacesBase;

  void runOnOperation() override {
    SmallVector<OpOperand *> accesses;
    getOperation().walk([&](Operation *op) {
      if (OpOperand *pointer = pointerOf(op); pointer && isGeneric(pointer->get().getType()))
        accesses.push_back(pointer);
    });
    if (accesses.empty())
      return markAllAnalysesPreserved();
    SymbolTableCollection symbols;
    Callers callers;
    getOperation().walk([&](CallOpInterface call) {
      if (Operation *callee = call.resolveCallableInTable(&symbols))
        callers[callee].push_back(call);
    });
    DataFlowSolver solver;
    dataflow::loadBaselineAnalyses(solver);
    solver.load<SpacesAnalysis>(callers);
    if (failed(solver.initializeAndRun(getOperation()))) {
      getOperation().emitError() << "cannot follow generic pointers";
      return signalPassFailure();
    }
    for (OpOperand *access : accesses) {
      const auto *state = solver.lookupState<SpacesLattice>(access->get());
      uint8_t bits = state ? state->getValue().bits : 0;
      // Nothing is known of what is never executed.
      if (!bits)
        continue;
      if (llvm::isPowerOf2_32(bits))
        resolve(*access, static_cast<AddressSpace>(llvm::Log2_32(bits)));
      else if (refuseMixedAtomics && isAtomic(access->getOwner()))
        refuse(*access, callers);
    }
  }

private:
  void resolve(OpOperand &access, AddressSpace space) {
    Operation *op = access.getOwner();
    // infer_address_spaces-c2
    if (isAtomic(op) && space == AddressSpace::Private) {
      op->emitOpError() << "expected a pointer into global or workgroup memory, got one into "
                           "private memory, which nobody else sees";
      return signalPassFailure();
    }
    OpBuilder builder(op);
    auto type = cast<PtrType>(access.get().getType());
    access.set(SpaceCastOp::create(builder, op->getLoc(),
                                   PtrType::get(type.getElementType(), space), access.get()));
    if (space == AddressSpace::Workgroup)
      TypeSwitch<Operation *>(op).Case<AtomicLoadOp, AtomicStoreOp, AtomicRMWOp, AtomicCmpXchgOp>(
          [](auto atomic) { atomic.setScope(MemoryScope::Workgroup); });
    ++numResolved;
  }

  void refuse(OpOperand &access, const Callers &callers) {
    // infer_address_spaces-c1
    InFlightDiagnostic diagnostic =
        access.getOwner()->emitOpError()
        << "expected a pointer into one memory, which the target names where an atomic orders it, "
           "got one that may point into several";
    for (auto [space, location] : origins(access.get(), callers))
      diagnostic.attachNote(location)
          << "it may point into " << stringifyAddressSpace(space) << " memory from here";
    signalPassFailure();
  }

  /// Where pointers become generic that may reach this one, once for each memory.
  static SmallVector<std::pair<AddressSpace, Location>> origins(Value pointer,
                                                                const Callers &callers) {
    SmallVector<std::pair<AddressSpace, Location>> found;
    SetVector<Value> values;
    auto add = [&](ValueRange sources) {
      for (Value source : sources)
        if (isGeneric(source.getType()))
          values.insert(source);
    };
    values.insert(pointer);
    for (size_t next = 0; next < values.size(); ++next) {
      Value value = values[next];
      Operation *op = value.getDefiningOp();
      if (auto cast = dyn_cast_or_null<SpaceCastOp>(op)) {
        AddressSpace space = cast.getSource().getType().getSpace();
        if (llvm::none_of(found, [&](const auto &known) { return known.first == space; }))
          found.emplace_back(space, cast.getLoc());
        continue;
      }
      auto argument = dyn_cast<BlockArgument>(value);
      if (argument && isa<FunctionOpInterface>(argument.getOwner()->getParentOp()) &&
          argument.getOwner()->isEntryBlock()) {
        for (Operation *call : callers.lookup(argument.getOwner()->getParentOp()))
          add(cast<CallOpInterface>(call).getArgOperands()[argument.getArgNumber()]);
        continue;
      }
      if (argument) {
        for (Block *predecessor : argument.getOwner()->getPredecessors())
          add(predecessor->getTerminator()->getOperands());
        op = argument.getOwner()->getParentOp();
        if (isa<FunctionOpInterface>(op))
          continue;
      }
      add(op->getOperands());
      for (Region &region : op->getRegions())
        for (Block &block : region)
          add(block.getTerminator()->getOperands());
    }
    return found;
  }
};
} // namespace
