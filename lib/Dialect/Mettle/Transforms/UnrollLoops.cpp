//===- UnrollLoops.cpp - several rounds of a loop in one -===//
//
// A loop that counts up or down to a bound gets a loop before it that does several rounds a trip,
// as long as that many are left for sure. What remains runs in the loop as it was.
//
//===----------------------------------------------------------------------===//

#include "Mettle/Dialect/Mettle/Transforms/Passes.h"

#include "Mettle/Dialect/Mettle/IR/MemoryOps.h"
#include "Uniformity.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/CallInterfaces.h"
#include "mlir/Interfaces/LoopLikeInterface.h"

using namespace mlir;

namespace mettle {
#define GEN_PASS_DEF_UNROLLLOOPS
#include "Mettle/Dialect/Mettle/Transforms/Passes.h.inc"
} // namespace mettle

using namespace mettle;

/// On a loop: how many rounds a trip its author wants.
static constexpr StringLiteral unrollAttribute = "mettle.unroll";

namespace {

/// Why a loop is left as it is: a stable code, and words.
struct Reason {
  StringRef code, text;
};
constexpr Reason unrolled{"loop_unrolled", ""};
constexpr Reason notCounted{"loop_not_counted",
                            "its condition is not a count that steps to a bound by a constant"};
constexpr Reason calls{"loop_calls", "it calls a function"};
constexpr Reason meets{"loop_meets", "work-items meet in it"};
constexpr Reason outer{"loop_outer", "it holds a loop"};
constexpr Reason loadsNothing{"loop_loads_nothing",
                              "it has no loads that several rounds could wait for together"};
constexpr Reason tooLong{"loop_too_long", "one round is long enough"};
constexpr Reason asWritten{"loop_as_written", "one round a trip was asked for"};
constexpr Reason tooFar{"loop_too_far", "the steps of several rounds are beyond its count's type"};

/// `while (count < bound) { ...; count += step; }`, where the bound is the same in all rounds.
struct CountedLoop {
  scf::WhileOp op;
  unsigned count;
  Value bound;
  APInt step;
  arith::CmpIPredicate predicate;

  static std::optional<CountedLoop> match(scf::WhileOp loop);

  bool isSigned() const {
    return predicate == arith::CmpIPredicate::slt || predicate == arith::CmpIPredicate::sgt;
  }
  bool countsUp() const {
    return predicate == arith::CmpIPredicate::slt || predicate == arith::CmpIPredicate::ult;
  }
  /// The number beyond which no bound lies: with it as a bound, no round runs.
  APInt extreme() const {
    unsigned width = step.getBitWidth();
    if (countsUp())
      return isSigned() ? APInt::getSignedMinValue(width) : APInt::getZero(width);
    return isSigned() ? APInt::getSignedMaxValue(width) : APInt::getMaxValue(width);
  }
};

/// The predicate that holds for (b, a) where this one holds for (a, b).
arith::CmpIPredicate swapped(arith::CmpIPredicate predicate) {
  switch (predicate) {
  case arith::CmpIPredicate::slt:
    return arith::CmpIPredicate::sgt;
  case arith::CmpIPredicate::sgt:
    return arith::CmpIPredicate::slt;
  case arith::CmpIPredicate::ult:
    return arith::CmpIPredicate::ugt;
  case arith::CmpIPredicate::ugt:
    return arith::CmpIPredicate::ult;
  default:
    return predicate; // of which no loop counts
  }
}

std::optional<CountedLoop> CountedLoop::match(scf::WhileOp loop) {
  // All that happens before the body is a comparison, and the body gets what the comparison got.
  Block &before = *loop.getBeforeBody(), &after = *loop.getAfterBody();
  scf::ConditionOp condition = loop.getConditionOp();
  auto comparison = condition.getCondition().getDefiningOp<arith::CmpIOp>();
  if (!comparison || comparison->getBlock() != &before || before.getOperations().size() != 2 ||
      condition.getArgs() != before.getArguments())
    return std::nullopt;

  CountedLoop counted{loop, 0, comparison.getRhs(), APInt(), comparison.getPredicate()};
  Value compared = comparison.getLhs();
  if (compared.getParentBlock() != &before) {
    std::swap(compared, counted.bound);
    counted.predicate = swapped(counted.predicate);
  }
  auto argument = dyn_cast<BlockArgument>(compared);
  if (!argument || argument.getOwner() != &before || counted.bound.getParentBlock() == &before)
    return std::nullopt;
  counted.count = argument.getArgNumber();

  Operation *next = loop.getYieldOp().getOperand(counted.count).getDefiningOp();
  if (!next || !isa<arith::AddIOp, arith::SubIOp>(next) ||
      next->getOperand(0) != after.getArgument(counted.count) ||
      !matchPattern(next->getOperand(1), m_ConstantInt(&counted.step)))
    return std::nullopt;
  if (isa<arith::SubIOp>(next))
    counted.step.negate();
  bool stepsToBound;
  switch (counted.predicate) {
  case arith::CmpIPredicate::slt:
  case arith::CmpIPredicate::ult:
    stepsToBound = counted.step.isStrictlyPositive();
    break;
  case arith::CmpIPredicate::sgt:
  case arith::CmpIPredicate::ugt:
    stepsToBound = counted.step.isNegative();
    break;
  default:
    stepsToBound = false;
  }
  return stepsToBound ? std::optional(counted) : std::nullopt;
}

/// How far the count moves until the last of some rounds begins; nothing if that is beyond its
/// type.
std::optional<APInt> distance(const CountedLoop &loop, unsigned rounds) {
  unsigned width = loop.step.getBitWidth();
  // One bit more than the product of a step and a small number can need.
  APInt wide = loop.step.sext(width + 10) * APInt(width + 10, rounds - 1);
  bool fits = loop.isSigned() ? wide.isSignedIntN(width) : wide.abs().isIntN(width);
  return fits ? std::optional(wide.trunc(width)) : std::nullopt;
}

/// The bound for the count of the first of several rounds: while the count has not reached it, it
/// does not reach the loop's own bound in these rounds, whatever that is.
Value limit(ImplicitLocOpBuilder &b, const CountedLoop &loop, const APInt &distance) {
  auto number = [&](const APInt &value) {
    return arith::ConstantOp::create(b, b.getIntegerAttr(loop.bound.getType(), value));
  };
  // bound - distance, unless that wraps: then not even one more round is certain.
  Value none = number(loop.extreme()), nearest = number(loop.extreme() + distance);
  arith::CmpIPredicate reaches =
      loop.countsUp() ? (loop.isSigned() ? arith::CmpIPredicate::sge : arith::CmpIPredicate::uge)
                      : (loop.isSigned() ? arith::CmpIPredicate::sle : arith::CmpIPredicate::ule);
  Value fits = arith::CmpIOp::create(b, reaches, loop.bound, nearest);
  Value moved = arith::SubIOp::create(b, loop.bound, number(distance));
  return arith::SelectOp::create(b, fits, moved, none);
}

/// Appends what the loop's body does in one round, and gives the next round's values.
SmallVector<Value> appendRound(OpBuilder &b, scf::WhileOp loop, ArrayRef<Value> values) {
  Block &body = *loop.getAfterBody();
  IRMapping map;
  map.map(body.getArguments(), ValueRange(values));
  for (Operation &op : body.without_terminator())
    b.clone(op, map);
  return llvm::map_to_vector(loop.getYieldOp().getOperands(),
                             [&](Value value) { return map.lookupOrDefault(value); });
}

/// Puts a loop of `rounds` rounds a trip before a loop, which then does what is left.
void unroll(const CountedLoop &loop, unsigned rounds, const APInt &distance) {
  scf::WhileOp op = loop.op;
  ImplicitLocOpBuilder b(op.getLoc(), op);
  Value bound = limit(b, loop, distance);
  auto several = scf::WhileOp::create(
      b, op.getResultTypes(), op.getInits(),
      [&](OpBuilder &b, Location loc, ValueRange values) {
        Value goesOn = arith::CmpIOp::create(b, loc, loop.predicate, values[loop.count], bound);
        scf::ConditionOp::create(b, loc, goesOn, values);
      },
      [&](OpBuilder &b, Location loc, ValueRange values) {
        SmallVector<Value> current(values);
        for (unsigned round = 0; round != rounds; ++round)
          current = appendRound(b, op, current);
        scf::YieldOp::create(b, loc, current);
      });
  op.getInitsMutable().assign(several.getResults());
  for (scf::WhileOp done : {several, op})
    done->setAttr(unrollAttribute, b.getI64IntegerAttr(1));
}

//===----------------------------------------------------------------------===//
// Which loops, and how far
//===----------------------------------------------------------------------===//

/// Rounds a trip that hide a load's latency behind the others', as nvcc has found.
constexpr unsigned usualRounds = 4;
/// Operations of a trip beyond which more rounds gain nothing.
constexpr unsigned longestTrip = 256;

/// What a body has that stands against several rounds, and what speaks for them.
const Reason *refusalOf(scf::WhileOp loop, bool wanted, unsigned &size) {
  const Reason *refusal = nullptr;
  bool loads = false;
  loop.getAfterBody()->walk([&](Operation *op) {
    ++size;
    loads |= isa<LoadOp>(op);
    if (scopeOf(op) != Scope::None)
      refusal = &meets;
    else if (isa<CallOpInterface>(op))
      refusal = &calls;
    else if (isa<LoopLikeOpInterface>(op))
      refusal = &outer;
  });
  return refusal ? refusal : loads || wanted ? nullptr : &loadsNothing;
}

struct UnrollLoops : mettle::impl::UnrollLoopsBase<UnrollLoops> {
  using UnrollLoopsBase::UnrollLoopsBase;

  void runOnOperation() override {
    SmallVector<scf::WhileOp> loops;
    getOperation()->walk([&](scf::WhileOp loop) { loops.push_back(loop); });
    for (scf::WhileOp loop : loops)
      if (const Reason *reason = visit(loop)) {
        ++numRefused;
        if (remarks)
          loop.emitRemark() << "not unrolled: " << reason->text << " [" << reason->code << ']';
      }
  }

private:
  /// Unrolls a loop, or says why not.
  const Reason *visit(scf::WhileOp loop) {
    auto wanted = loop->getAttrOfType<IntegerAttr>(unrollAttribute);
    if (wanted && wanted.getInt() == 1)
      return &asWritten;
    std::optional<CountedLoop> counted = CountedLoop::match(loop);
    if (!counted)
      return &notCounted;
    unsigned size = 0;
    if (const Reason *refusal = refusalOf(loop, wanted != nullptr, size))
      return refusal;
    unsigned rounds = wanted ? wanted.getInt() : std::min(usualRounds, longestTrip / size);
    if (rounds < 2)
      return &tooLong;
    std::optional<APInt> moved = distance(*counted, rounds);
    if (!moved)
      return &tooFar;
    unroll(*counted, rounds, *moved);
    ++numUnrolled;
    if (remarks)
      loop.emitRemark() << rounds << " rounds a trip [" << unrolled.code << ']';
    return nullptr;
  }
};
} // namespace
