//===- ArithCompare.cpp - comparisons and selections of arith -===//
//
// A comparison finds which of four relations holds (less, equal, greater, unordered); a predicate
// is the set of relations it accepts.
//
//===----------------------------------------------------------------------===//

#include "FloatModel.h"
#include "Integers.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace mettle;
using namespace mettle::interpreter;

// Bits of a set of relations.
static constexpr unsigned less = 1, equal = 2, greater = 4, unordered = 8;

template <typename Number> static unsigned relation(Number a, Number b) {
  return a < b ? less : a == b ? equal : a > b ? greater : unordered;
}

/// result = whether the relation of a and b is in the immediate; above its four bits, the width.
template <bool Signed>
static const Instruction *compareIntegers(const Instruction *at, WorkItem &item) {
  uint64_t a = item.frame[at->a], b = item.frame[at->b];
  auto width = static_cast<unsigned>(at->immediate >> 4);
  unsigned found = Signed ? relation(signExtend(a, width), signExtend(b, width)) : relation(a, b);
  item.frame[at->result] = (at->immediate & found) != 0;
  return at + 1;
}

static LogicalResult lowerCompareIntegers(arith::CmpIOp op, FunctionLowering &lowering) {
  struct Predicate {
    unsigned relations;
    bool isSigned;
  };
  auto predicate = [&]() -> Predicate {
    switch (op.getPredicate()) {
    case arith::CmpIPredicate::eq:
      return {equal, false};
    case arith::CmpIPredicate::ne:
      return {less | greater, false};
    case arith::CmpIPredicate::slt:
      return {less, true};
    case arith::CmpIPredicate::sle:
      return {less | equal, true};
    case arith::CmpIPredicate::sgt:
      return {greater, true};
    case arith::CmpIPredicate::sge:
      return {greater | equal, true};
    case arith::CmpIPredicate::ult:
      return {less, false};
    case arith::CmpIPredicate::ule:
      return {less | equal, false};
    case arith::CmpIPredicate::ugt:
      return {greater, false};
    case arith::CmpIPredicate::uge:
      return {greater | equal, false};
    }
    llvm_unreachable("every predicate is listed");
  }();
  emitElementwise(op, lowering, predicate.isSigned ? compareIntegers<true> : compareIntegers<false>,
                  predicate.relations | widthOf(op.getLhs().getType()) << 4);
  return success();
}

namespace {
/// result = whether the relation of a and b is in the immediate
template <typename Float> struct CompareFloats {
  static const Instruction *execute(const Instruction *at, WorkItem &item) {
    unsigned found = relation(Float::read(item.frame[at->a]), Float::read(item.frame[at->b]));
    item.frame[at->result] = (at->immediate & found) != 0;
    return at + 1;
  }
};
} // namespace

static LogicalResult lowerCompareFloats(arith::CmpFOp op, FunctionLowering &lowering) {
  auto relations = [&]() -> unsigned {
    switch (op.getPredicate()) {
    case arith::CmpFPredicate::AlwaysFalse:
      return 0;
    case arith::CmpFPredicate::OEQ:
      return equal;
    case arith::CmpFPredicate::OGT:
      return greater;
    case arith::CmpFPredicate::OGE:
      return greater | equal;
    case arith::CmpFPredicate::OLT:
      return less;
    case arith::CmpFPredicate::OLE:
      return less | equal;
    case arith::CmpFPredicate::ONE:
      return less | greater;
    case arith::CmpFPredicate::ORD:
      return less | equal | greater;
    case arith::CmpFPredicate::UEQ:
      return unordered | equal;
    case arith::CmpFPredicate::UGT:
      return unordered | greater;
    case arith::CmpFPredicate::UGE:
      return unordered | greater | equal;
    case arith::CmpFPredicate::ULT:
      return unordered | less;
    case arith::CmpFPredicate::ULE:
      return unordered | less | equal;
    case arith::CmpFPredicate::UNE:
      return unordered | less | greater;
    case arith::CmpFPredicate::UNO:
      return unordered;
    case arith::CmpFPredicate::AlwaysTrue:
      return less | equal | greater | unordered;
    }
    llvm_unreachable("every predicate is listed");
  }();
  return emitFloat<CompareFloats>(op, lowering, op.getLhs().getType(), relations);
}

//===----------------------------------------------------------------------===//
// Selections
//===----------------------------------------------------------------------===//

/// result = c is not 0 ? a : b
static const Instruction *select(const Instruction *at, WorkItem &item) {
  item.frame[at->result] = item.frame[item.frame[at->c] ? at->a : at->b];
  return at + 1;
}

static LogicalResult lowerSelect(arith::SelectOp op, FunctionLowering &lowering) {
  Slot condition = lowering.slot(op.getCondition());
  Slot whenTrue = lowering.slot(op.getTrueValue()), whenFalse = lowering.slot(op.getFalseValue());
  Slot result = lowering.slot(op.getResult());
  unsigned words = *slotCount(op.getType()), wordsPerCondition = words;
  if (isa<VectorType>(op.getCondition().getType()))
    wordsPerCondition = words / elementCount(op.getType());
  for (unsigned word = 0; word < words; ++word)
    lowering.emit(select, result + word, whenTrue + word, whenFalse + word,
                  condition + word / wordsPerCondition);
  return success();
}

namespace mettle::interpreter::detail {
void registerArithCompareModels(DialectRegistry &registry) {
  registry.addExtension(+[](MLIRContext *context, arith::ArithDialect *) {
    attachModels<lowerCompareIntegers, lowerCompareFloats, lowerSelect>(context);
  });
}
} // namespace mettle::interpreter::detail
