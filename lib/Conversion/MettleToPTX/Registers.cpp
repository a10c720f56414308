//===- Registers.cpp - the vocabulary of the patterns -===//
//
// Constants, extensions and predicate logic that several families write.
//
//===----------------------------------------------------------------------===//

#include "Patterns.h"

#include "Mettle/Dialect/PTX/IR/PTXConvertInsts.h.inc"
#include "Mettle/Dialect/PTX/IR/PTXLogicInsts.h.inc"
#include "Mettle/Dialect/PTX/IR/PTXMoveInsts.h.inc"

using namespace mlir;
using namespace mettle;
using namespace mettle::detail;

Value mettle::detail::constantBits(Emit e, Type type, uint64_t value) {
  auto [builder, loc] = e;
  if (type.isF32())
    return ptx::movF32(builder, loc, value & 0xffffffff);
  if (type.isF64())
    return ptx::movF64(builder, loc, value);
  if (type.isF16() || type.isBF16())
    return ptx::movF16(builder, loc, value & 0xffff);
  switch (integerWidth(type)) {
  case 1:
    return ptx::movPredImm(builder, loc, value & 1);
  case 8:
    return ptx::movS32(builder, loc, value & 0xff);
  case 16:
    return ptx::movS16(builder, loc, int16_t(value));
  case 32:
    return ptx::movS32(builder, loc, int32_t(value));
  default: // 64 bits, and addresses
    return ptx::movS64(builder, loc, value);
  }
}

Value mettle::detail::zeroExtend8(Emit e, Value value) {
  auto [builder, loc] = e;
  return ptx::andB32(builder, loc, value, ptx::movS32(builder, loc, 0xff));
}

Value mettle::detail::signExtend8(Emit e, Value value) {
  return ptx::cvtS32S8(e.builder, e.loc, value);
}

Value mettle::detail::notPredicate(Emit e, Value p) { return ptx::notPred(e.builder, e.loc, p); }

Value mettle::detail::selectPredicate(Emit e, Value p, Value ifTrue, Value ifFalse) {
  auto [builder, loc] = e;
  Value taken = ptx::andPred(builder, loc, p, ifTrue);
  Value other = ptx::andPred(builder, loc, notPredicate(e, p), ifFalse);
  return ptx::orPred(builder, loc, taken, other);
}

Value mettle::detail::widenBF16(Emit e, Value value) {
  auto [builder, loc] = e;
  Value zero = ptx::movS16(builder, loc, 0);
  return ptx::packV2B32(builder, loc, {zero, value});
}
