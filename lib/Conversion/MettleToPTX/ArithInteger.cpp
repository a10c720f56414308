//===- ArithInteger.cpp - integer arithmetic to PTX -===//
//
// PTX computes on 16, 32 and 64 bits. i8 is computed in 32, extended first where its upper bits
// would show; i1 is a predicate, whose arithmetic modulo 2 is logic. What arith leaves undefined
// (division by zero, a shift by the width) is left so: whoever wrote the IR has guarded it.
//
//===----------------------------------------------------------------------===//

#include "Patterns.h"

#include "Mettle/Dialect/PTX/IR/PTXConvertInsts.h.inc"
#include "Mettle/Dialect/PTX/IR/PTXIntegerInsts.h.inc"
#include "Mettle/Dialect/PTX/IR/PTXLogicInsts.h.inc"
#include "Mettle/Dialect/PTX/IR/PTXMoveInsts.h.inc"
#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace mettle;
using namespace mettle::detail;

namespace {

using Binary = Value (*)(OpBuilder &, Location, Value, Value);

/// How an i8 operand must be extended before an instruction on 32 bits gives the right low 8 bits.
enum class Extend { None, Zero, Sign };

Value extend8(Emit e, Value value, Extend extend) {
  switch (extend) {
  case Extend::None:
    return value;
  case Extend::Zero:
    return zeroExtend8(e, value);
  case Extend::Sign:
    return signExtend8(e, value);
  }
  llvm_unreachable("every extension is listed");
}

/// One instruction a width.
template <Extend extend, Binary i1, Binary i16, Binary i32, Binary i64, typename Op>
Value lowerBinary(Emit e, Op, Type element, ArrayRef<Value> v) {
  switch (integerWidth(element)) {
  case 1:
    return i1(e.builder, e.loc, v[0], v[1]);
  case 8:
    return i32(e.builder, e.loc, extend8(e, v[0], extend), extend8(e, v[1], extend));
  case 16:
    return i16(e.builder, e.loc, v[0], v[1]);
  case 32:
    return i32(e.builder, e.loc, v[0], v[1]);
  case 64:
    return i64(e.builder, e.loc, v[0], v[1]);
  default:
    return {};
  }
}

/// A shift's count is a b32 register, whatever is shifted.
Value shiftCount(Emit e, Type element, Value count) {
  switch (integerWidth(element)) {
  case 8:
    return zeroExtend8(e, count);
  case 16:
    return ptx::cvtU32U16(e.builder, e.loc, count);
  case 64:
    return ptx::cvtU32U64(e.builder, e.loc, count);
  default:
    return count;
  }
}

/// The only count of an i1 that is not undefined is 0, which changes nothing.
template <Extend extend, Binary i16, Binary i32, Binary i64, typename Op>
Value lowerShift(Emit e, Op, Type element, ArrayRef<Value> v) {
  unsigned width = integerWidth(element);
  if (width == 1)
    return v[0];
  Value count = shiftCount(e, element, v[1]);
  switch (width) {
  case 8:
    return i32(e.builder, e.loc, extend8(e, v[0], extend), count);
  case 16:
    return i16(e.builder, e.loc, v[0], count);
  case 32:
    return i32(e.builder, e.loc, v[0], count);
  case 64:
    return i64(e.builder, e.loc, v[0], count);
  default:
    return {};
  }
}

Value firstOfI1(OpBuilder &, Location, Value a, Value) { return a; }
Value zeroOfI1(OpBuilder &builder, Location loc, Value, Value) {
  return ptx::movPredImm(builder, loc, 0);
}

} // namespace

void mettle::detail::populateArithIntegerToPTX(const TypeConverter &converter,
                                               RewritePatternSet &patterns) {
  using namespace arith;
#define ADD(OP, EXTEND, I1, I16, I32, I64)                                                         \
  addElementwise<OP>(lowerBinary<EXTEND, I1, I16, I32, I64, OP>, converter, patterns)
  ADD(AddIOp, Extend::None, ptx::xorPred, ptx::addS16, ptx::addS32, ptx::addS64);
  ADD(SubIOp, Extend::None, ptx::xorPred, ptx::subS16, ptx::subS32, ptx::subS64);
  ADD(MulIOp, Extend::None, ptx::andPred, ptx::mulLoS16, ptx::mulLoS32, ptx::mulLoS64);
  ADD(AndIOp, Extend::None, ptx::andPred, ptx::andB16, ptx::andB32, ptx::andB64);
  ADD(OrIOp, Extend::None, ptx::orPred, ptx::orB16, ptx::orB32, ptx::orB64);
  ADD(XOrIOp, Extend::None, ptx::xorPred, ptx::xorB16, ptx::xorB32, ptx::xorB64);
  // The only divisor of an i1 that is not undefined is 1 (or -1).
  ADD(DivUIOp, Extend::Zero, firstOfI1, ptx::divU16, ptx::divU32, ptx::divU64);
  ADD(DivSIOp, Extend::Sign, firstOfI1, ptx::divS16, ptx::divS32, ptx::divS64);
  ADD(RemUIOp, Extend::Zero, zeroOfI1, ptx::remU16, ptx::remU32, ptx::remU64);
  ADD(RemSIOp, Extend::Sign, zeroOfI1, ptx::remS16, ptx::remS32, ptx::remS64);
  ADD(MinUIOp, Extend::Zero, ptx::andPred, ptx::minU16, ptx::minU32, ptx::minU64);
  ADD(MaxUIOp, Extend::Zero, ptx::orPred, ptx::maxU16, ptx::maxU32, ptx::maxU64);
  // A true i1 is -1.
  ADD(MinSIOp, Extend::Sign, ptx::orPred, ptx::minS16, ptx::minS32, ptx::minS64);
  ADD(MaxSIOp, Extend::Sign, ptx::andPred, ptx::maxS16, ptx::maxS32, ptx::maxS64);
#undef ADD
#define ADD(OP, EXTEND, I16, I32, I64)                                                             \
  addElementwise<OP>(lowerShift<EXTEND, I16, I32, I64, OP>, converter, patterns)
  ADD(ShLIOp, Extend::None, ptx::shlB16, ptx::shlB32, ptx::shlB64);
  ADD(ShRUIOp, Extend::Zero, ptx::shrU16, ptx::shrU32, ptx::shrU64);
  ADD(ShRSIOp, Extend::Sign, ptx::shrS16, ptx::shrS32, ptx::shrS64);
#undef ADD
}
