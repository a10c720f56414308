//===- StageAsyncCopies.cpp - loads that are only stored become copies -===//
//
// Between one barrier and the next of a block, a load from global memory whose value is only stored
// to workgroup memory becomes an asynchronous copy where the store stands. All copies of such a
// stretch are one group, committed behind the last of them and waited for before the barrier that
// shows them to others.
//
//===----------------------------------------------------------------------===//

#include "Mettle/Dialect/Mettle/Transforms/Passes.h"

#include "Mettle/Dialect/Mettle/IR/AsyncCopyOps.h"
#include "Mettle/Dialect/Mettle/IR/BarrierOps.h"
#include "Mettle/Dialect/Mettle/IR/MemoryOps.h"
#include "mlir/Analysis/DataFlow/IntegerRangeAnalysis.h"
#include "mlir/Analysis/DataFlow/Utils.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/TypeUtilities.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;

namespace mettle {
#define GEN_PASS_DEF_STAGEASYNCCOPIES
#include "Mettle/Dialect/Mettle/Transforms/Passes.h.inc"
} // namespace mettle

using namespace mettle;

namespace {

//===----------------------------------------------------------------------===//
// Places in workgroup memory
//===----------------------------------------------------------------------===//

/// `base` and a number of bytes that is the sum of `terms` and a constant.
struct Place {
  Value base;
  SmallVector<std::pair<Value, uint64_t>> terms;
  int64_t constant = 0;
  uint64_t bytes = 0;
};

/// The ranges of the integers of one function, found when they are first asked for.
class Ranges {
public:
  explicit Ranges(Operation *function) : function(function) {}

  /// Whether a sum is that of its operands as signed numbers.
  bool isExact(arith::AddIOp sum) {
    if (!solver) {
      solver = std::make_unique<DataFlowSolver>();
      dataflow::loadBaselineAnalyses(*solver);
      solver->load<dataflow::IntegerRangeAnalysis>();
      isKnown = succeeded(solver->initializeAndRun(function));
    }
    const ConstantIntRanges *a = rangeOf(sum.getLhs()), *b = rangeOf(sum.getRhs());
    bool low = false, high = false;
    if (!a || !b)
      return false;
    (void)a->smin().sadd_ov(b->smin(), low);
    (void)a->smax().sadd_ov(b->smax(), high);
    return !low && !high;
  }

private:
  const ConstantIntRanges *rangeOf(Value value) const {
    auto *state = solver->lookupState<dataflow::IntegerValueRangeLattice>(value);
    return isKnown && state && !state->getValue().isUninitialized() ? &state->getValue().getValue()
                                                                    : nullptr;
  }

  Operation *function;
  std::unique_ptr<DataFlowSolver> solver;
  bool isKnown = false;
};

/// Adds `scale` bytes for each of `index` to a place. Sums of 64 bits are those of addresses: both
/// are modulo 2^64. Narrower ones that are extended afterwards may not wrap.
void addIndex(Value index, int64_t scale, Place &place, Ranges &ranges, bool isExtended = false) {
  APInt number;
  if (matchPattern(index, m_ConstantInt(&number))) {
    place.constant += number.getSExtValue() * scale;
    return;
  }
  if (auto extension = index.getDefiningOp<arith::ExtSIOp>())
    return addIndex(extension.getIn(), scale, place, ranges, /*isExtended=*/true);
  auto sum = index.getDefiningOp<arith::AddIOp>();
  if (sum && (!isExtended || ranges.isExact(sum))) {
    addIndex(sum.getLhs(), scale, place, ranges, isExtended);
    addIndex(sum.getRhs(), scale, place, ranges, isExtended);
    return;
  }
  place.terms.emplace_back(index, scale);
}

Place placeOf(Value pointer, uint64_t bytes, Ranges &ranges) {
  Place place;
  place.bytes = bytes;
  while (Operation *definition = pointer.getDefiningOp()) {
    if (auto cast = dyn_cast<PtrCastOp>(definition)) {
      pointer = cast.getSource();
    } else if (auto offset = dyn_cast<OffsetOp>(definition)) {
      addIndex(offset.getIndex(), offset.getType().getElementBytes(), place, ranges);
      pointer = offset.getBase();
    } else {
      break;
    }
  }
  place.base = pointer;
  llvm::sort(place.terms, [](const auto &a, const auto &b) {
    return std::pair(a.first.getAsOpaquePointer(), a.second) <
           std::pair(b.first.getAsOpaquePointer(), b.second);
  });
  return place;
}

/// Whether no byte is in both, for certain.
bool areDisjoint(const Place &a, const Place &b) {
  // Two arrays never overlap; all views of dynamic memory are one.
  if (a.base != b.base) {
    auto arrayA = a.base.getDefiningOp<AllocOp>(), arrayB = b.base.getDefiningOp<AllocOp>();
    bool viewA = a.base.getDefiningOp<DynamicWorkgroupOp>() != nullptr;
    bool viewB = b.base.getDefiningOp<DynamicWorkgroupOp>() != nullptr;
    return (arrayA && arrayB) || (arrayA && viewB) || (viewA && arrayB);
  }
  return a.terms == b.terms && (a.constant + static_cast<int64_t>(a.bytes) <= b.constant ||
                                b.constant + static_cast<int64_t>(b.bytes) <= a.constant);
}

//===----------------------------------------------------------------------===//
// Candidates
//===----------------------------------------------------------------------===//

/// Why a store is left as it is: a stable code, and words.
struct Reason {
  StringRef code, text;
};

constexpr Reason promoted{"async_staging", ""};
constexpr Reason explicitGroups{
    "async_staging_explicit",
    "this function has asynchronous copies of its own, whose groups are counted by who wrote them"};
constexpr Reason volatileAccess{"async_staging_volatile", "a volatile access happens as written"};
constexpr Reason otherUses{"async_staging_uses", "the value loaded has other uses"};
constexpr Reason space{"async_staging_space", "not known to be from global to workgroup memory"};
constexpr Reason width{"async_staging_width", "fewer than 4 bytes at once"};
constexpr Reason alignment{"async_staging_alignment",
                           "both addresses are known as a multiple of less than 4 bytes"};
constexpr Reason control{"async_staging_control", "the load stands in another block"};
constexpr Reason noBarrier{"async_staging_barrier",
                           "no barrier in the same block that orders workgroup memory, acq_rel or "
                           "seq_cst, shows it to others"};
constexpr Reason effects{"async_staging_effects",
                         "memory that it touches may be touched before that barrier"};
constexpr Reason overlap{"async_staging_overlap",
                         "another store may be to the same place, and copies have no order"};

struct Candidate {
  LoadOp load;
  StoreOp store;
  Place target;
  /// Of a transaction.
  uint64_t transaction = 0;
};

uint64_t bytesOf(Type type) {
  unsigned width = getElementTypeOrSelf(type).getIntOrFloatBitWidth();
  auto vector = dyn_cast<VectorType>(type);
  return (vector ? vector.getNumElements() : 1) * width / 8;
}

/// The load whose value a store to memory that may be the workgroup's only moves, or null: then
/// nobody expects a copy there.
LoadOp stagedLoad(StoreOp store) {
  AddressSpace to = store.getPointer().getType().getSpace();
  auto load = store.getValue().getDefiningOp<LoadOp>();
  if (!load || (to != AddressSpace::Workgroup && to != AddressSpace::Generic))
    return {};
  AddressSpace from = load.getPointer().getType().getSpace();
  return from == AddressSpace::Global || from == AddressSpace::Generic ? load : LoadOp();
}

/// Whether `op`, or something in its regions, may write global memory or, where that matters, touch
/// workgroup memory.
bool mayTouch(Operation *op, bool workgroupMatters) {
  if (op->hasTrait<OpTrait::HasRecursiveMemoryEffects>())
    return llvm::any_of(op->getRegions(), [&](Region &region) {
      return llvm::any_of(region.getOps(),
                          [&](Operation &inner) { return mayTouch(&inner, workgroupMatters); });
    });
  auto interface = dyn_cast<MemoryEffectOpInterface>(op);
  if (!interface)
    return !isMemoryEffectFree(op);
  SmallVector<MemoryEffects::EffectInstance> instances;
  interface.getEffects(instances);
  return llvm::any_of(instances, [&](const MemoryEffects::EffectInstance &effect) {
    SideEffects::Resource *resource = effect.getResource();
    if (resource == WorkgroupMemory::get())
      return workgroupMatters && !isa<MemoryEffects::Allocate>(effect.getEffect());
    if (resource == GlobalMemory::get())
      return !isa<MemoryEffects::Read>(effect.getEffect());
    return resource != PrivateMemory::get() && resource != Convergence::get();
  });
}

bool publishes(BarrierOp barrier) {
  return bitEnumContainsAll(barrier.getRegions(), MemoryRegion::Workgroup) &&
         (barrier.getOrder() == MemoryOrder::AcqRel || barrier.getOrder() == MemoryOrder::SeqCst);
}

//===----------------------------------------------------------------------===//
// The pass
//===----------------------------------------------------------------------===//

struct StageAsyncCopies : mettle::impl::StageAsyncCopiesBase<StageAsyncCopies> {
  using StageAsyncCopiesBase::StageAsyncCopiesBase;

  void runOnOperation() override {
    getOperation()->walk([&](FunctionOpInterface function) {
      bool hasOwn = function
                        ->walk([](Operation *op) {
                          return isa<AsyncCopyOp, AsyncCommitOp, AsyncWaitOp>(op)
                                     ? WalkResult::interrupt()
                                     : WalkResult::advance();
                        })
                        .wasInterrupted();
      Ranges ofFunction(function);
      ranges = &ofFunction;
      SmallVector<Block *> blocks;
      function->walk<WalkOrder::PreOrder>([&](Block *block) { blocks.push_back(block); });
      for (Block *block : blocks) {
        if (hasOwn)
          for (StoreOp store : block->getOps<StoreOp>())
            if (stagedLoad(store))
              refuse(store, explicitGroups);
        if (!hasOwn)
          stageBlock(*block);
      }
    });
  }

private:
  void refuse(StoreOp store, const Reason &reason, Operation *culprit = nullptr) {
    ++numRefused;
    if (!remarks)
      return;
    auto remark = store.emitRemark()
                  << "not staged asynchronously: " << reason.text << " [" << reason.code << ']';
    if (culprit)
      remark.attachNote(culprit->getLoc()) << "by this";
  }

  /// The stretches of a block that end with a barrier which publishes.
  void stageBlock(Block &block) {
    SmallVector<StoreOp> stores;
    Operation *begin = block.empty() ? nullptr : &block.front();
    SmallVector<BarrierOp> barriers(block.getOps<BarrierOp>());
    for (BarrierOp barrier : barriers) {
      if (!publishes(barrier))
        continue;
      stageUntil(begin, barrier);
      begin = barrier->getNextNode();
    }
    for (Operation *op = begin; op; op = op->getNextNode())
      if (auto store = dyn_cast<StoreOp>(op); store && stagedLoad(store))
        refuse(store, noBarrier);
  }

  void stageUntil(Operation *begin, BarrierOp barrier) {
    SmallVector<Candidate> candidates;
    for (Operation *op = begin; op != barrier; op = op->getNextNode())
      if (auto store = dyn_cast<StoreOp>(op))
        if (LoadOp load = stagedLoad(store))
          if (std::optional<Candidate> candidate = judge(load, store))
            candidates.push_back(*candidate);
    dropOverlapping(candidates);
    dropDisturbed(candidates, barrier);
    if (!candidates.empty())
      promote(candidates, barrier);
  }

  /// What can be said of a load and a store without their neighbours.
  std::optional<Candidate> judge(LoadOp load, StoreOp store) {
    const Reason *reason = nullptr;
    uint64_t bytes = bytesOf(load.getType());
    uint64_t transaction = std::min(load.getAlignmentInBytes(), store.getAlignmentInBytes());
    if (load.getIsVolatile() || store.getIsVolatile())
      reason = &volatileAccess;
    else if (load.getPointer().getType().getSpace() != AddressSpace::Global ||
             store.getPointer().getType().getSpace() != AddressSpace::Workgroup)
      reason = &space;
    else if (!load->hasOneUse())
      reason = &otherUses;
    else if (load->getBlock() != store->getBlock())
      reason = &control;
    else if (bytes < 4)
      reason = &width;
    else if (transaction < 4)
      reason = &alignment;
    if (reason) {
      refuse(store, *reason);
      return std::nullopt;
    }
    return Candidate{load, store, placeOf(store.getPointer(), bytes, *ranges), transaction};
  }

  /// Two stores that may be to one place have an order, copies have none.
  void dropOverlapping(SmallVector<Candidate> &candidates) {
    SmallVector<Operation *> rivals(candidates.size());
    for (size_t a = 0; a < candidates.size(); ++a)
      for (size_t b = 0; b < a; ++b)
        if (!areDisjoint(candidates[a].target, candidates[b].target)) {
          rivals[a] = candidates[b].store;
          rivals[b] = candidates[a].store;
        }
    keepIf(candidates, [&](size_t number, Candidate &candidate) {
      if (rivals[number])
        refuse(candidate.store, overlap, rivals[number]);
      return !rivals[number];
    });
  }

  /// From its load on nothing writes global memory, and from its store on nothing touches workgroup
  /// memory, until the barrier; other copies of the stretch excepted. Dropping one makes its store
  /// a disturbance for others, so this is repeated until nothing changes.
  void dropDisturbed(SmallVector<Candidate> &candidates, BarrierOp barrier) {
    for (size_t before = 0; before != candidates.size();) {
      before = candidates.size();
      DenseSet<Operation *> stores;
      for (Candidate &candidate : candidates)
        stores.insert(candidate.store);
      keepIf(candidates, [&](size_t, Candidate &candidate) {
        for (Operation *op = candidate.load->getNextNode(); op != barrier; op = op->getNextNode()) {
          bool behindStore = candidate.store->isBeforeInBlock(op);
          if (stores.contains(op) || !disturbs(op, candidate, behindStore))
            continue;
          refuse(candidate.store, effects, op);
          return false;
        }
        return true;
      });
    }
  }

  bool disturbs(Operation *op, const Candidate &candidate, bool behindStore) {
    // Accesses to a known place elsewhere in workgroup memory are harmless.
    Value pointer;
    Type value;
    if (auto store = dyn_cast<StoreOp>(op)) {
      pointer = store.getPointer();
      value = store.getValue().getType();
    } else if (auto load = dyn_cast<LoadOp>(op)) {
      pointer = load.getPointer();
      value = load.getType();
    }
    if (pointer && cast<PtrType>(pointer.getType()).getSpace() == AddressSpace::Workgroup)
      return behindStore &&
             !areDisjoint(candidate.target, placeOf(pointer, bytesOf(value), *ranges));
    return mayTouch(op, behindStore);
  }

  template <typename Keep> static void keepIf(SmallVector<Candidate> &candidates, Keep keep) {
    SmallVector<Candidate> kept;
    for (auto [number, candidate] : llvm::enumerate(candidates))
      if (keep(number, candidate))
        kept.push_back(candidate);
    candidates = std::move(kept);
  }

  void promote(SmallVector<Candidate> &candidates, BarrierOp barrier) {
    OpBuilder builder(&getContext());
    uint64_t bytes = 0;
    for (Candidate &candidate : candidates) {
      auto [load, store, target, transaction] = candidate;
      builder.setInsertionPoint(store);
      AsyncCopyOp::create(builder, store.getLoc(),
                          target.bytes / store.getPointer().getType().getElementBytes(),
                          store.getPointer(), load.getPointer(), transaction, CacheHint::All);
      bytes += target.bytes;
      if (remarks)
        store.emitRemark() << "staged asynchronously: " << target.bytes << " bytes ["
                           << promoted.code << ']';
      if (&candidate == &candidates.back())
        AsyncCommitOp::create(builder, store.getLoc());
    }
    for (Candidate &candidate : candidates) {
      candidate.store.erase();
      candidate.load.erase();
    }
    builder.setInsertionPoint(barrier);
    AsyncWaitOp::create(builder, barrier.getLoc(), 0);
    numPromoted += candidates.size();
    if (remarks)
      barrier.emitRemark() << "promoted " << candidates.size()
                           << (candidates.size() == 1 ? " copy" : " copies") << " of " << bytes
                           << " bytes, which this barrier shows to others [" << promoted.code
                           << ']';
  }

  /// Of the function at hand.
  Ranges *ranges = nullptr;
};
} // namespace
