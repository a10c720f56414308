//===- Subgroup.cpp - what the lanes of a subgroup do together -===//
//
// A collective is computed once, when its lanes have met, straight from the definition: a fold
// walks its tree, a prefix is a fold of its own. How targets get the same from shuffles is theirs.
//
//===----------------------------------------------------------------------===//

#include "Subgroup.h"

#include "Floats.h"
#include "Integers.h"
#include "Mettle/Dialect/Mettle/IR/SubgroupOps.h"
#include "Model.h"
#include "Workgroup.h"

using namespace mlir;
using namespace mettle;
using namespace mettle::interpreter;

//===----------------------------------------------------------------------===//
// Lanes
//===----------------------------------------------------------------------===//

static const Instruction *localId(const Instruction *at, WorkItem &item) {
  item.frame[at->result] = item.linear % item.group.launch.subgroupSize;
  return at + 1;
}

static const Instruction *size(const Instruction *at, WorkItem &item) {
  item.frame[at->result] = item.group.launch.subgroupSize;
  return at + 1;
}

template <typename Op, Handler Read>
static LogicalResult lowerLane(Op op, FunctionLowering &lowering) {
  lowering.emit(Read, lowering.slot(op.getResult()));
  return success();
}

/// The handler of a collective, which `Meet` computes.
template <LaneRendezvous Meet>
static const Instruction *collective(const Instruction *at, WorkItem &item) {
  return item.waitForLanes(at, Meet);
}

//===----------------------------------------------------------------------===//
// Broadcasts and shuffles
//===----------------------------------------------------------------------===//

/// result = slot a of the lane that slot b names, the same in all lanes
static LogicalResult broadcast(const Instruction &at, Subgroup &lanes) {
  std::optional<uint64_t> chosen;
  for (const std::unique_ptr<WorkItem> &item : lanes.lanes()) {
    if (item->state == WorkItemState::Finished)
      continue;
    uint64_t lane = item->frame[at.b];
    if (chosen && *chosen != lane)
      return item->fault(&at) << "broadcasts lane " << lane << ", where another lane has "
                              << *chosen;
    chosen = lane;
    if (!lanes.isPresent(lane))
      return item->fault(&at) << "broadcasts lane " << lane << " of " << lanes.size
                              << ", which is absent";
  }
  uint64_t value = lanes.at(*chosen)->frame[at.a];
  for (const std::unique_ptr<WorkItem> &item : lanes.lanes())
    if (item->state != WorkItemState::Finished)
      item->frame[at.result] = value;
  return success();
}

static LogicalResult lowerBroadcast(SubgroupBroadcastOp op, FunctionLowering &lowering) {
  lowering.emit(collective<broadcast>, lowering.slot(op.getResult()), lowering.slot(op.getValue()),
                lowering.slot(op.getLane()));
  return success();
}

/// The lane that `lane` reads. Below zero is above every lane.
static uint64_t sourceLane(ShuffleMode mode, uint64_t lane, uint64_t selector) {
  switch (mode) {
  case ShuffleMode::Idx:
    return selector;
  case ShuffleMode::Xor:
    return lane ^ selector;
  case ShuffleMode::Up:
    return lane - selector;
  case ShuffleMode::Down:
    return lane + selector;
  }
  llvm_unreachable("every mode is listed");
}

/// result = slot a of the lane that slot b selects; c is the mode, and the immediate whether that
/// lane is promised to be there.
static LogicalResult shuffle(const Instruction &at, Subgroup &lanes) {
  for (auto [lane, item] : llvm::enumerate(lanes.lanes())) {
    if (item->state == WorkItemState::Finished)
      continue;
    uint64_t source = sourceLane(static_cast<ShuffleMode>(at.c), lane, item->frame[at.b]);
    if (at.immediate && !lanes.isPresent(source))
      return item->fault(&at) << "reads lane " << static_cast<int64_t>(source) << " of "
                              << lanes.size << ", which is absent";
    item->frame[at.result] = (lanes.isPresent(source) ? *lanes.at(source) : *item).frame[at.a];
  }
  return success();
}

static LogicalResult lowerShuffle(SubgroupShuffleOp op, FunctionLowering &lowering) {
  lowering.emit(collective<shuffle>, lowering.slot(op.getResult()), lowering.slot(op.getValue()),
                lowering.slot(op.getSelector()), static_cast<uint32_t>(op.getMode()),
                op.getPresent());
  return success();
}

//===----------------------------------------------------------------------===//
// Folds
//===----------------------------------------------------------------------===//

namespace {
template <CombineKind kind, unsigned width> struct IntegerFold {
  static uint64_t combine(uint64_t a, uint64_t b) {
    int64_t signedA = signExtend(a, width), signedB = signExtend(b, width);
    switch (kind) {
    case CombineKind::Add:
      return zeroExtend(a + b, width);
    case CombineKind::SMin:
      return signedA < signedB ? a : b;
    case CombineKind::SMax:
      return signedA < signedB ? b : a;
    case CombineKind::UMin:
      return a < b ? a : b;
    case CombineKind::UMax:
      return a < b ? b : a;
    default:
      llvm_unreachable("of floats");
    }
  }
};

/// Equal numbers of different bits are zeros, of which the negative one has the sign's bit more.
template <CombineKind kind, typename Float> struct FloatFold {
  static uint64_t combine(uint64_t a, uint64_t b) {
    typename Float::Number x = Float::read(a), y = Float::read(b);
    if (kind == CombineKind::Add || x != x || y != y)
      return Float::write(x + y);
    bool isMin = kind == CombineKind::FMin;
    if (x == y)
      return isMin ? a | b : a & b;
    return (x < y) == isMin ? a : b;
  }
};
} // namespace

using Combine = uint64_t (*)(uint64_t, uint64_t);

/// Slot `value` of the lanes from `first` on that are not absent and below `end`, combined as a
/// tree over `count` lanes, a power of two; none if all are absent.
static std::optional<uint64_t> foldTree(const Subgroup &lanes, Combine combine, Slot value,
                                        uint64_t end, uint64_t first, uint64_t count) {
  if (count == 1)
    return first < end && lanes.isPresent(first)
               ? std::optional<uint64_t>(lanes.at(first)->frame[value])
               : std::nullopt;
  std::optional<uint64_t> left = foldTree(lanes, combine, value, end, first, count / 2);
  std::optional<uint64_t> right =
      foldTree(lanes, combine, value, end, first + count / 2, count / 2);
  return left && right ? combine(*left, *right) : left ? left : right;
}

/// The lanes below `end` in an order; what is unordered is summed as a tree. None without a lane.
static std::optional<uint64_t> fold(const Subgroup &lanes, Combine combine, Slot value,
                                    FoldOrder order, uint64_t end) {
  if (order != FoldOrder::Sequential)
    return foldTree(lanes, combine, value, end, 0, lanes.size);
  std::optional<uint64_t> sum;
  for (uint64_t lane = 0; lane < end; ++lane)
    if (const WorkItem *item = lanes.at(lane))
      sum = sum ? combine(*sum, item->frame[value]) : item->frame[value];
  return sum;
}

/// result = slot a of all lanes combined; the immediate is the order.
template <typename Fold> static LogicalResult reduce(const Instruction &at, Subgroup &lanes) {
  uint64_t result =
      *fold(lanes, Fold::combine, at.a, static_cast<FoldOrder>(at.immediate), lanes.size);
  for (const std::unique_ptr<WorkItem> &item : lanes.lanes())
    if (item->state != WorkItemState::Finished)
      item->frame[at.result] = result;
  return success();
}

/// result = the sum of slot a of the lanes before, with b also of this one; the immediate is the
/// order.
template <typename Fold> static LogicalResult scan(const Instruction &at, Subgroup &lanes) {
  for (auto [lane, item] : llvm::enumerate(lanes.lanes()))
    if (item->state != WorkItemState::Finished)
      item->frame[at.result] =
          fold(lanes, Fold::combine, at.a, static_cast<FoldOrder>(at.immediate), lane + at.b)
              .value_or(0);
  return success();
}

namespace {
struct FoldHandlers {
  Handler reduce, scan;
};
} // namespace

template <typename Fold> static constexpr FoldHandlers handlersOf() {
  return {collective<reduce<Fold>>, collective<scan<Fold>>};
}

template <CombineKind kind> static FoldHandlers foldHandlers(Type type) {
  if constexpr (kind == CombineKind::Add || kind == CombineKind::FMin ||
                kind == CombineKind::FMax) {
    if (type.isF16())
      return handlersOf<FloatFold<kind, F16>>();
    if (type.isF32())
      return handlersOf<FloatFold<kind, F32>>();
    if (type.isF64())
      return handlersOf<FloatFold<kind, F64>>();
  }
  if constexpr (kind != CombineKind::FMin && kind != CombineKind::FMax)
    return type.isInteger(32) ? handlersOf<IntegerFold<kind, 32>>()
                              : handlersOf<IntegerFold<kind, 64>>();
  llvm_unreachable("verified");
}

static LogicalResult lowerReduce(SubgroupReduceOp op, FunctionLowering &lowering) {
  static constexpr FoldHandlers (*kinds[])(Type) = {
      foldHandlers<CombineKind::Add>,  foldHandlers<CombineKind::SMin>,
      foldHandlers<CombineKind::SMax>, foldHandlers<CombineKind::UMin>,
      foldHandlers<CombineKind::UMax>, foldHandlers<CombineKind::FMin>,
      foldHandlers<CombineKind::FMax>};
  lowering.emit(kinds[static_cast<unsigned>(op.getKind())](op.getType()).reduce,
                lowering.slot(op.getResult()), lowering.slot(op.getValue()), 0, 0,
                static_cast<uint64_t>(op.getOrder().value_or(FoldOrder::InnerTree)));
  return success();
}

static LogicalResult lowerScan(SubgroupScanOp op, FunctionLowering &lowering) {
  lowering.emit(foldHandlers<CombineKind::Add>(op.getType()).scan, lowering.slot(op.getResult()),
                lowering.slot(op.getValue()), op.getKind() == ScanKind::Inclusive, 0,
                static_cast<uint64_t>(op.getOrder().value_or(FoldOrder::InnerTree)));
  return success();
}

//===----------------------------------------------------------------------===//
// Votes
//===----------------------------------------------------------------------===//

/// result = word b of the predicates a
static LogicalResult ballot(const Instruction &at, Subgroup &lanes) {
  uint32_t words[4] = {};
  for (auto [lane, item] : llvm::enumerate(lanes.lanes()))
    if (item->state != WorkItemState::Finished && item->frame[at.a])
      words[lane / 32] |= uint32_t(1) << lane % 32;
  for (const std::unique_ptr<WorkItem> &item : lanes.lanes())
    if (item->state != WorkItemState::Finished)
      item->frame[at.result] = item->frame[at.b] < 4 ? words[item->frame[at.b]] : 0;
  return success();
}

static LogicalResult lowerBallot(SubgroupBallotOp op, FunctionLowering &lowering) {
  lowering.emit(collective<ballot>, lowering.slot(op.getResult()), lowering.slot(op.getPredicate()),
                lowering.slot(op.getWord()));
  return success();
}

/// result = whether some, or where `all` every, predicate a holds
template <bool all> static LogicalResult vote(const Instruction &at, Subgroup &lanes) {
  auto present = [](const std::unique_ptr<WorkItem> &item) {
    return item->state != WorkItemState::Finished;
  };
  bool result = all;
  for (const std::unique_ptr<WorkItem> &item : llvm::make_filter_range(lanes.lanes(), present))
    result = all ? result && item->frame[at.a] : result || item->frame[at.a];
  for (const std::unique_ptr<WorkItem> &item : llvm::make_filter_range(lanes.lanes(), present))
    item->frame[at.result] = result;
  return success();
}

template <typename Op, bool all> static LogicalResult lowerVote(Op op, FunctionLowering &lowering) {
  lowering.emit(collective<vote<all>>, lowering.slot(op.getResult()),
                lowering.slot(op.getPredicate()));
  return success();
}

namespace mettle::interpreter::detail {
void registerSubgroupModels(DialectRegistry &registry) {
  registry.addExtension(+[](MLIRContext *context, MettleDialect *) {
    attachModels<lowerLane<SubgroupLocalIdOp, localId>, lowerLane<SubgroupSizeOp, size>,
                 lowerBroadcast, lowerShuffle, lowerReduce, lowerScan, lowerBallot,
                 lowerVote<SubgroupAnyOp, false>, lowerVote<SubgroupAllOp, true>>(context);
  });
}
} // namespace mettle::interpreter::detail
