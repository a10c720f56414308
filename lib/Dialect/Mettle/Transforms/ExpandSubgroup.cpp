//===- ExpandSubgroup.cpp - folds over lanes from shuffles -===//
//
// Replaces every collective whose result depends on which lanes are there by operations that say
// it: arithmetic on a ballot of the lanes, and shuffles that read a lane known to be there.
//
//===----------------------------------------------------------------------===//

#include "Mettle/Dialect/Mettle/Transforms/Passes.h"

#include "Mettle/Dialect/Mettle/IR/KernelOps.h"
#include "Mettle/Dialect/Mettle/IR/SubgroupOps.h"
#include "PresentOperations.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"

using namespace mlir;

namespace mettle {
#define GEN_PASS_DEF_EXPANDSUBGROUP
#include "Mettle/Dialect/Mettle/Transforms/Passes.h.inc"
} // namespace mettle

using namespace mettle;

namespace {
using Combine = llvm::function_ref<Value(Value, Value)>;

/// Writes what stands in place of one collective. Masks have a bit a lane, in i32 where they fit
/// and else in i64; all arithmetic on them is unsigned.
class Expander {
public:
  /// `size` is 0 where it is not known.
  Expander(Operation *op, unsigned size)
      : b(op->getLoc(), op), size(size),
        maskType(b.getIntegerType(size && size <= 32 ? 32 : maxSubgroupSize)) {}

  /// Null where the device alone knows it.
  Value sizeOf(SubgroupSizeOp) { return size ? lane(size) : Value(); }
  Value shuffle(SubgroupShuffleOp op);
  Value reduce(SubgroupReduceOp op);
  Value scan(SubgroupScanOp op);
  /// The smallest or largest of floats through that of integers, which is `ofKeys`.
  Value reduceKeys(SubgroupReduceOp op, SubgroupReduceOp &ofKeys);

private:
  Value number(Type type, uint64_t value) {
    APInt bits(type.getIntOrFloatBitWidth(), value, /*isSigned=*/false, /*implicitTrunc=*/true);
    return arith::ConstantOp::create(b, b.getIntegerAttr(type, bits));
  }
  Value lane(uint64_t value) { return number(b.getI32Type(), value); }
  Value mask(uint64_t value) { return number(maskType, value); }
  template <typename Op> Value make(Value x, Value y) { return b.createOrFold<Op>(x, y); }
  Value select(Value condition, Value x, Value y) {
    return arith::SelectOp::create(b, condition, x, y);
  }
  Value isNot(Value x, Value y) { return arith::CmpIOp::create(b, arith::CmpIPredicate::ne, x, y); }
  Value read(Value value, Value lane, ShuffleMode mode = ShuffleMode::Idx) {
    return SubgroupShuffleOp::create(b, value.getType(), mode, value, lane, /*present=*/true);
  }
  /// A lane's number as a count of bits of a mask, and back.
  Value toMask(Value lane) {
    return lane.getType() == maskType ? lane : arith::ExtUIOp::create(b, maskType, lane);
  }
  Value toLane(Value bits) {
    return maskType.isInteger(32) ? bits : arith::TruncIOp::create(b, b.getI32Type(), bits);
  }

  void findLanes();
  unsigned lanes() const { return size ? size : maxSubgroupSize; }
  Value lowest(Value set) { return toLane(math::CountTrailingZerosOp::create(b, set)); }
  Value highest(Value set) {
    Value zeros = math::CountLeadingZerosOp::create(b, set);
    return toLane(make<arith::SubIOp>(mask(maskType.getIntOrFloatBitWidth() - 1), zeros));
  }
  /// The lanes of the mask in the block of `width` lanes that starts at `first`.
  Value block(Value first, unsigned width) {
    Value bits = mask((uint64_t(1) << width) - 1);
    return make<arith::AndIOp>(there, make<arith::ShLIOp>(bits, toMask(first)));
  }
  Value clearBits(Value lanes, unsigned width) {
    return make<arith::AndIOp>(lanes, lane(~uint32_t(width - 1)));
  }

  Value ifAllThere(llvm::function_ref<Value()> all, llvm::function_ref<Value()> some);
  Value reduceTree(Value value, Combine combine, bool all);
  Value scanTree(Value value, Combine combine, bool all);
  Value foldInOrder(Value value, Combine combine, bool upToCaller);
  Value shiftUp(Value sums);

  ImplicitLocOpBuilder b;
  unsigned size;
  IntegerType maskType;
  /// The caller's lane, and the lanes that are there.
  Value id, there;
};
} // namespace

void Expander::findLanes() {
  id = SubgroupLocalIdOp::create(b, b.getI32Type());
  Value yes = arith::ConstantOp::create(b, b.getBoolAttr(true));
  auto word = [&](uint64_t index) -> Value {
    return SubgroupBallotOp::create(b, b.getI32Type(), yes, lane(index));
  };
  there = word(0);
  if (maskType.isInteger(32))
    return;
  Value high = make<arith::ShLIOp>(toMask(word(1)), mask(32));
  there = make<arith::OrIOp>(toMask(there), high);
}

/// Two forms, where one test tells that no lane is absent.
Value Expander::ifAllThere(llvm::function_ref<Value()> all, llvm::function_ref<Value()> some) {
  if (!size)
    return some();
  Value every = mask(~uint64_t(0) >> (64 - size));
  Value isFull = arith::CmpIOp::create(b, arith::CmpIPredicate::eq, there, every);
  auto arm = [](llvm::function_ref<Value()> body, ImplicitLocOpBuilder &outer) {
    return [&outer, body](OpBuilder &inner, Location loc) {
      OpBuilder::InsertionGuard guard(outer);
      outer.setInsertionPoint(inner.getInsertionBlock(), inner.getInsertionPoint());
      scf::YieldOp::create(outer, loc, body());
    };
  };
  return scf::IfOp::create(b, isFull, arm(all, b), arm(some, b)).getResult(0);
}

//===----------------------------------------------------------------------===//
// Shuffles
//===----------------------------------------------------------------------===//

/// Reads the caller's own lane where the one asked for is absent.
Value Expander::shuffle(SubgroupShuffleOp op) {
  Value lanesAway = op.getSelector();
  id = SubgroupLocalIdOp::create(b, b.getI32Type());
  // So far away that there is no lane, and not so far that the sum wraps.
  auto least = [&] { return make<arith::MinUIOp>(lanesAway, lane(2 * maxSubgroupSize)); };
  Value source;
  switch (op.getMode()) {
  case ShuffleMode::Idx:
    source = lanesAway;
    break;
  case ShuffleMode::Xor:
    source = make<arith::XOrIOp>(id, lanesAway);
    break;
  case ShuffleMode::Up:
    source = make<arith::SubIOp>(id, least());
    break;
  case ShuffleMode::Down:
    source = make<arith::AddIOp>(id, least());
    break;
  }
  // Words of a ballot beyond the subgroup are zero.
  Value yes = arith::ConstantOp::create(b, b.getBoolAttr(true));
  Value word = make<arith::ShRUIOp>(source, lane(5));
  Value bits = SubgroupBallotOp::create(b, b.getI32Type(), yes, word);
  Value bit = make<arith::ShRUIOp>(bits, make<arith::AndIOp>(source, lane(31)));
  Value isThere = isNot(make<arith::AndIOp>(bit, lane(1)), lane(0));
  return read(op.getValue(), select(isThere, source, id));
}

//===----------------------------------------------------------------------===//
// Folds
//===----------------------------------------------------------------------===//

/// In step k every lane holds the fold of its block of 2^k lanes and adds that of the neighbouring
/// block, which any lane of it holds.
Value Expander::reduceTree(Value value, Combine combine, bool all) {
  for (unsigned width = 1; width < lanes(); width *= 2) {
    if (all) {
      value = combine(value, read(value, lane(width), ShuffleMode::Xor));
      continue;
    }
    Value neighbour = block(make<arith::XOrIOp>(clearBits(id, width), lane(width)), width);
    Value isThere = isNot(neighbour, mask(0));
    Value other = read(value, select(isThere, lowest(neighbour), id));
    value = select(isThere, combine(value, other), value);
  }
  return value;
}

/// In step k every lane holds the fold of its block of 2^k lanes up to itself. In the right half of
/// a block of twice that, the fold of the left half, which its last lane holds, comes before.
Value Expander::scanTree(Value value, Combine combine, bool all) {
  for (unsigned width = 1; width < lanes(); width *= 2) {
    Value isRight = isNot(make<arith::AndIOp>(id, lane(width)), lane(0));
    Value isThere = isRight, source;
    if (all) {
      source = make<arith::SubIOp>(clearBits(id, width), lane(1));
    } else {
      Value left = block(clearBits(id, 2 * width), width);
      isThere = make<arith::AndIOp>(isRight, isNot(left, mask(0)));
      source = highest(left);
    }
    Value before = read(value, select(isThere, source, id));
    value = select(isThere, combine(before, value), value);
  }
  return value;
}

/// Takes the lanes that are there in turn, which is as often in every lane.
Value Expander::foldInOrder(Value value, Combine combine, bool upToCaller) {
  auto withoutLowest = [&](Value set) {
    return make<arith::AndIOp>(set, make<arith::SubIOp>(set, mask(1)));
  };
  Value first = read(value, lowest(there));
  auto loop = scf::WhileOp::create(
      b, TypeRange{maskType, value.getType()}, ValueRange{withoutLowest(there), first},
      [&](OpBuilder &inner, Location loc, ValueRange state) {
        OpBuilder::InsertionGuard guard(b);
        b.setInsertionPoint(inner.getInsertionBlock(), inner.getInsertionPoint());
        scf::ConditionOp::create(b, loc, isNot(state[0], mask(0)), state);
      },
      [&](OpBuilder &inner, Location loc, ValueRange state) {
        OpBuilder::InsertionGuard guard(b);
        b.setInsertionPoint(inner.getInsertionBlock(), inner.getInsertionPoint());
        Value next = lowest(state[0]);
        Value sum = combine(state[1], read(value, next));
        if (upToCaller) {
          Value counts = arith::CmpIOp::create(b, arith::CmpIPredicate::ule, next, id);
          sum = select(counts, sum, state[1]);
        }
        scf::YieldOp::create(b, loc, ValueRange{withoutLowest(state[0]), sum});
      });
  return loop.getResult(1);
}

/// The sum of the lane before; zero in the first.
Value Expander::shiftUp(Value sums) {
  Value below = make<arith::SubIOp>(make<arith::ShLIOp>(mask(1), toMask(id)), mask(1));
  Value before = make<arith::AndIOp>(there, below);
  Value isThere = isNot(before, mask(0));
  Value sum = read(sums, select(isThere, highest(before), id));
  Value zero = arith::ConstantOp::create(b, b.getZeroAttr(sums.getType()));
  return select(isThere, sum, zero);
}

static Value combineTwo(ImplicitLocOpBuilder &b, CombineKind kind, Value x, Value y) {
  switch (kind) {
  case CombineKind::Add:
    if (isa<FloatType>(x.getType()))
      return arith::AddFOp::create(b, x, y);
    return arith::AddIOp::create(b, x, y);
  case CombineKind::SMin:
    return arith::MinSIOp::create(b, x, y);
  case CombineKind::SMax:
    return arith::MaxSIOp::create(b, x, y);
  case CombineKind::UMin:
    return arith::MinUIOp::create(b, x, y);
  case CombineKind::UMax:
    return arith::MaxUIOp::create(b, x, y);
  case CombineKind::FMin:
  case CombineKind::FMax:
    break;
  }
  llvm_unreachable("these are folded as integers");
}

Value Expander::reduce(SubgroupReduceOp op) {
  findLanes();
  Value value = op.getValue();
  auto combine = [&](Value x, Value y) { return combineTwo(b, op.getKind(), x, y); };
  if (op.getOrder() == FoldOrder::Sequential)
    return foldInOrder(value, combine, /*upToCaller=*/false);
  return ifAllThere([&] { return reduceTree(value, combine, /*all=*/true); },
                    [&] { return reduceTree(value, combine, /*all=*/false); });
}

Value Expander::scan(SubgroupScanOp op) {
  findLanes();
  Value value = op.getValue();
  auto combine = [&](Value x, Value y) { return combineTwo(b, CombineKind::Add, x, y); };
  Value sums = op.getOrder() == FoldOrder::Sequential
                   ? foldInOrder(value, combine, /*upToCaller=*/true)
                   : ifAllThere([&] { return scanTree(value, combine, /*all=*/true); },
                                [&] { return scanTree(value, combine, /*all=*/false); });
  return op.getKind() == ScanKind::Inclusive ? sums : shiftUp(sums);
}

/// The bits of a positive float, and the complement of a negative one's magnitude, are integers
/// that are ordered as the floats are, -0.0 below +0.0. NaN becomes the end of the integers that
/// wins, which is the bits of a NaN again.
Value Expander::reduceKeys(SubgroupReduceOp op, SubgroupReduceOp &ofKeys) {
  Value value = op.getValue();
  unsigned width = value.getType().getIntOrFloatBitWidth();
  Type bitsType = b.getIntegerType(width);
  Type keyType = b.getIntegerType(std::max(width, 32u));
  bool isMin = op.getKind() == CombineKind::FMin;
  APInt largest = APInt::getSignedMaxValue(width);
  auto constant = [&](const APInt &bits) -> Value {
    return arith::ConstantOp::create(b, b.getIntegerAttr(bitsType, bits));
  };
  auto flip = [&](Value bits) {
    Value sign = make<arith::ShRSIOp>(bits, constant(APInt(width, width - 1)));
    return make<arith::XOrIOp>(bits, make<arith::AndIOp>(sign, constant(largest)));
  };
  Value isNaN = arith::CmpFOp::create(b, arith::CmpFPredicate::UNO, value, value);
  Value key = select(isNaN, constant(isMin ? APInt::getSignedMinValue(width) : largest),
                     flip(arith::BitcastOp::create(b, bitsType, value)));
  if (keyType != bitsType)
    key = arith::ExtSIOp::create(b, keyType, key);
  ofKeys = SubgroupReduceOp::create(b, keyType, isMin ? CombineKind::SMin : CombineKind::SMax,
                                    FoldOrderAttr(), key);
  Value folded = ofKeys;
  if (keyType != bitsType)
    folded = arith::TruncIOp::create(b, bitsType, folded);
  return arith::BitcastOp::create(b, value.getType(), flip(folded));
}

//===----------------------------------------------------------------------===//
// The pass
//===----------------------------------------------------------------------===//

namespace {
struct ExpandSubgroup : mettle::impl::ExpandSubgroupBase<ExpandSubgroup> {
  using ExpandSubgroupBase::ExpandSubgroupBase;

  void runOnOperation() override {
    bool failed = false;
    for (KernelOp kernel : getOperation().getOps<KernelOp>())
      failed |= mlir::failed(verifySize(kernel));
    if (failed)
      return signalPassFailure();
    if (!getAnalysis<PresentOperations>()
             .has<SubgroupSizeOp, SubgroupShuffleOp, SubgroupReduceOp, SubgroupScanOp>())
      return markAllAnalysesPreserved();
    SmallVector<Operation *> collectives;
    auto collect = [&](Operation *op) {
      if (isa<SubgroupSizeOp, SubgroupShuffleOp, SubgroupReduceOp, SubgroupScanOp>(op))
        collectives.push_back(op);
    };
    getOperation()->walk(collect);
    while (!collectives.empty())
      if (SubgroupReduceOp left = expand(collectives.pop_back_val()))
        collectives.push_back(left);
  }

private:
  LogicalResult verifySize(KernelOp kernel) {
    // expand_subgroup-c1
    std::optional<unsigned> fixed = kernel.getSubgroupSize();
    if (!fixed || !size || *fixed == size)
      return success();
    return kernel.emitOpError() << "expected a subgroup size of " << unsigned(size)
                                << ", which the target has, got " << *fixed;
  }

  /// Gives a fold that is still to be expanded, if any.
  SubgroupReduceOp expand(Operation *op) {
    unsigned lanes = size ? unsigned(size) : fixedSubgroupSize(op).value_or(0);
    Expander expander(op, lanes);
    Value made;
    SubgroupReduceOp again;
    if (auto size = dyn_cast<SubgroupSizeOp>(op)) {
      made = expander.sizeOf(size);
    } else if (auto shuffle = dyn_cast<SubgroupShuffleOp>(op)) {
      if (!shuffle.getPresent())
        made = expander.shuffle(shuffle);
    } else if (auto reduce = dyn_cast<SubgroupReduceOp>(op)) {
      bool isMinMax =
          reduce.getKind() == CombineKind::FMin || reduce.getKind() == CombineKind::FMax;
      if (isMinMax)
        made = expander.reduceKeys(reduce, again);
      else if (!keepIntegerFolds || !isIntegerFold(reduce))
        made = expander.reduce(reduce);
    } else if (auto scan = dyn_cast<SubgroupScanOp>(op)) {
      if (!keepIntegerFolds || !isIntegerFold(scan))
        made = expander.scan(scan);
    }
    if (made) {
      op->getResult(0).replaceAllUsesWith(made);
      op->erase();
    }
    return again;
  }

  template <typename Op> static bool isIntegerFold(Op op) {
    return isa<IntegerType>(op.getType()) || op.getOrder() == FoldOrder::Unordered;
  }
};
} // namespace
