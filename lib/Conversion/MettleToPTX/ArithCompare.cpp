//===- ArithCompare.cpp - comparisons and selects to PTX -===//
//
// setp and selp, with predicates compared and selected by logic, since PTX has neither for them.
//
//===----------------------------------------------------------------------===//

#include "Patterns.h"

#include "Mettle/Dialect/PTX/IR/PTXCompareInsts.h.inc"
#include "Mettle/Dialect/PTX/IR/PTXDialect.h"
#include "Mettle/Dialect/PTX/IR/PTXLogicInsts.h.inc"
#include "Mettle/Dialect/PTX/IR/PTXMoveInsts.h.inc"
#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace mettle;
using namespace mettle::detail;

namespace {

struct IntegerPredicate {
  ptx::IntegerCompare compare;
  bool isSigned;
};

IntegerPredicate split(arith::CmpIPredicate predicate) {
  using enum arith::CmpIPredicate;
  switch (predicate) {
  case eq:
    return {ptx::IntegerCompare::EQ, false};
  case ne:
    return {ptx::IntegerCompare::NE, false};
  case slt:
    return {ptx::IntegerCompare::LT, true};
  case sle:
    return {ptx::IntegerCompare::LE, true};
  case sgt:
    return {ptx::IntegerCompare::GT, true};
  case sge:
    return {ptx::IntegerCompare::GE, true};
  case ult:
    return {ptx::IntegerCompare::LT, false};
  case ule:
    return {ptx::IntegerCompare::LE, false};
  case ugt:
    return {ptx::IntegerCompare::GT, false};
  case uge:
    return {ptx::IntegerCompare::GE, false};
  }
  llvm_unreachable("every predicate is listed");
}

/// Two i1, as 0 and 1, or as 0 and -1 when signed.
Value comparePredicates(Emit e, IntegerPredicate predicate, Value a, Value b) {
  auto [builder, loc] = e;
  if (predicate.isSigned)
    std::swap(a, b);
  switch (predicate.compare) {
  case ptx::IntegerCompare::EQ:
    return notPredicate(e, ptx::xorPred(builder, loc, a, b));
  case ptx::IntegerCompare::NE:
    return ptx::xorPred(builder, loc, a, b);
  case ptx::IntegerCompare::LT:
    return ptx::andPred(builder, loc, notPredicate(e, a), b);
  case ptx::IntegerCompare::LE:
    return ptx::orPred(builder, loc, notPredicate(e, a), b);
  case ptx::IntegerCompare::GT:
    return ptx::andPred(builder, loc, a, notPredicate(e, b));
  case ptx::IntegerCompare::GE:
    return ptx::orPred(builder, loc, a, notPredicate(e, b));
  }
  llvm_unreachable("every comparison is listed");
}

Value lowerCmpI(Emit e, arith::CmpIOp op, Type element, ArrayRef<Value> v) {
  auto [builder, loc] = e;
  IntegerPredicate predicate = split(op.getPredicate());
  auto [compare, isSigned] = predicate;
  switch (integerWidth(element)) {
  case 1:
    return comparePredicates(e, predicate, v[0], v[1]);
  case 8:
    if (isSigned)
      return ptx::setpS32(builder, loc, signExtend8(e, v[0]), signExtend8(e, v[1]), compare);
    return ptx::setpU32(builder, loc, zeroExtend8(e, v[0]), zeroExtend8(e, v[1]), compare);
  case 16:
    return isSigned ? ptx::setpS16(builder, loc, v[0], v[1], compare)
                    : ptx::setpU16(builder, loc, v[0], v[1], compare);
  case 32:
    return isSigned ? ptx::setpS32(builder, loc, v[0], v[1], compare)
                    : ptx::setpU32(builder, loc, v[0], v[1], compare);
  case 64:
    return isSigned ? ptx::setpS64(builder, loc, v[0], v[1], compare)
                    : ptx::setpU64(builder, loc, v[0], v[1], compare);
  default:
    return {};
  }
}

std::optional<ptx::FloatCompare> floatCompare(arith::CmpFPredicate predicate) {
  using enum arith::CmpFPredicate;
  switch (predicate) {
  case OEQ:
    return ptx::FloatCompare::EQ;
  case OGT:
    return ptx::FloatCompare::GT;
  case OGE:
    return ptx::FloatCompare::GE;
  case OLT:
    return ptx::FloatCompare::LT;
  case OLE:
    return ptx::FloatCompare::LE;
  case ONE:
    return ptx::FloatCompare::NE;
  case ORD:
    return ptx::FloatCompare::Num;
  case UEQ:
    return ptx::FloatCompare::EQU;
  case UGT:
    return ptx::FloatCompare::GTU;
  case UGE:
    return ptx::FloatCompare::GEU;
  case ULT:
    return ptx::FloatCompare::LTU;
  case ULE:
    return ptx::FloatCompare::LEU;
  case UNE:
    return ptx::FloatCompare::NEU;
  case UNO:
    return ptx::FloatCompare::NaN;
  case AlwaysFalse:
  case AlwaysTrue:
    return std::nullopt;
  }
  llvm_unreachable("every predicate is listed");
}

Value lowerCmpF(Emit e, arith::CmpFOp op, Type element, ArrayRef<Value> v) {
  auto [builder, loc] = e;
  std::optional<ptx::FloatCompare> compare = floatCompare(op.getPredicate());
  if (!compare)
    return ptx::movPredImm(builder, loc, op.getPredicate() == arith::CmpFPredicate::AlwaysTrue);
  if (element.isF16())
    return ptx::setpF16(builder, loc, v[0], v[1], *compare);
  if (element.isBF16())
    return ptx::setpF32(builder, loc, widenBF16(e, v[0]), widenBF16(e, v[1]), *compare);
  if (element.isF32())
    return ptx::setpF32(builder, loc, v[0], v[1], *compare);
  if (element.isF64())
    return ptx::setpF64(builder, loc, v[0], v[1], *compare);
  return {};
}

Value selectRegister(Emit e, Value condition, Value ifTrue, Value ifFalse) {
  auto [builder, loc] = e;
  Type type = ifTrue.getType();
  if (isa<ptx::PredType>(type))
    return selectPredicate(e, condition, ifTrue, ifFalse);
  if (isa<ptx::B16Type>(type))
    return ptx::selpB16(builder, loc, ifTrue, ifFalse, condition);
  if (isa<ptx::B32Type>(type))
    return ptx::selpB32(builder, loc, ifTrue, ifFalse, condition);
  return ptx::selpB64(builder, loc, ifTrue, ifFalse, condition);
}

Value lowerSelect(Emit e, arith::SelectOp, Type, ArrayRef<Value> v) {
  return selectRegister(e, v[0], v[1], v[2]);
}

} // namespace

void mettle::detail::populateArithCompareToPTX(const TypeConverter &converter,
                                               RewritePatternSet &patterns) {
  addElementwise<arith::CmpIOp>(lowerCmpI, converter, patterns);
  addElementwise<arith::CmpFOp>(lowerCmpF, converter, patterns);
  addElementwise<arith::SelectOp>(lowerSelect, converter, patterns);
}
