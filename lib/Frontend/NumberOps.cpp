//===- NumberOps.cpp - arithmetic with the language's meaning -===//
//
// The rules are those of docs/language.md, "What arithmetic means".
//
//===----------------------------------------------------------------------===//

#include "NumberOps.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Matchers.h"
#include "llvm/Support/Error.h"

using namespace mlir;
using namespace mettle::frontend;
using llvm::APFloat;
using llvm::APInt;

namespace arith = mlir::arith;

mlir::Type Numbers::type(const frontend::Type *scalar) {
  if (!scalar->isFloat())
    return b.getIntegerType(scalar->bits());
  return scalar->bits() == 16   ? b.getF16Type()
         : scalar->bits() == 32 ? b.getF32Type()
                                : b.getF64Type();
}

Value Numbers::zero(mlir::Type type, Location loc) {
  return arith::ConstantOp::create(b, loc, b.getZeroAttr(type));
}

Value Numbers::constant(const frontend::Type *type, const APInt &value, Location loc) {
  return arith::ConstantOp::create(b, loc, b.getIntegerAttr(this->type(type), value));
}

Value Numbers::literal(const IntLiteralExpr &e, Location loc) {
  if (!e.type->isFloat())
    return constant(e.type, APInt(64, e.value).zextOrTrunc(e.type->bits()), loc);
  auto floatType = llvm::cast<FloatType>(type(e.type));
  APFloat value(floatType.getFloatSemantics());
  value.convertFromAPInt(APInt(64, e.value), /*IsSigned=*/false, APFloat::rmNearestTiesToEven);
  return arith::ConstantOp::create(b, loc, b.getFloatAttr(floatType, value));
}

Value Numbers::literal(const FloatLiteralExpr &e, Location loc) {
  auto floatType = llvm::cast<FloatType>(type(e.type));
  APFloat value(floatType.getFloatSemantics());
  // The lexer lets only well-formed text through.
  llvm::cantFail(value.convertFromString(e.text, APFloat::rmNearestTiesToEven).takeError());
  return arith::ConstantOp::create(b, loc, b.getFloatAttr(floatType, value));
}

//===----------------------------------------------------------------------===//
// Operators
//===----------------------------------------------------------------------===//

Value Numbers::binary(BinaryOp op, const frontend::Type *type, Value a, Value c,
                      const frontend::Type *countType, Location loc) {
  bool isFloat = type->isFloat();
  switch (op) {
  case BinaryOp::Add:
    return isFloat ? b.createOrFold<arith::AddFOp>(loc, a, c)
                   : b.createOrFold<arith::AddIOp>(loc, a, c);
  case BinaryOp::Sub:
    return isFloat ? b.createOrFold<arith::SubFOp>(loc, a, c)
                   : b.createOrFold<arith::SubIOp>(loc, a, c);
  case BinaryOp::Mul:
    return isFloat ? b.createOrFold<arith::MulFOp>(loc, a, c)
                   : b.createOrFold<arith::MulIOp>(loc, a, c);
  case BinaryOp::Div:
    return isFloat ? b.createOrFold<arith::DivFOp>(loc, a, c)
                   : divide(type, a, c, /*remainder=*/false, loc);
  case BinaryOp::Rem:
    return divide(type, a, c, /*remainder=*/true, loc);
  case BinaryOp::Shl:
  case BinaryOp::Shr:
    return shift(op == BinaryOp::Shl, type, a, c, countType, loc);
  case BinaryOp::BitAnd:
    return b.createOrFold<arith::AndIOp>(loc, a, c);
  case BinaryOp::BitXor:
    return b.createOrFold<arith::XOrIOp>(loc, a, c);
  case BinaryOp::BitOr:
    return b.createOrFold<arith::OrIOp>(loc, a, c);
  default:
    return compare(op, type, a, c, /*negate=*/false, loc);
  }
}

static arith::CmpIPredicate integerPredicate(BinaryOp op, bool isUnsigned) {
  switch (op) {
  case BinaryOp::Less:
    return isUnsigned ? arith::CmpIPredicate::ult : arith::CmpIPredicate::slt;
  case BinaryOp::LessEqual:
    return isUnsigned ? arith::CmpIPredicate::ule : arith::CmpIPredicate::sle;
  case BinaryOp::Greater:
    return isUnsigned ? arith::CmpIPredicate::ugt : arith::CmpIPredicate::sgt;
  case BinaryOp::GreaterEqual:
    return isUnsigned ? arith::CmpIPredicate::uge : arith::CmpIPredicate::sge;
  case BinaryOp::Equal:
    return arith::CmpIPredicate::eq;
  default:
    return arith::CmpIPredicate::ne;
  }
}

/// Comparisons with a NaN are false, but for `!=`.
static arith::CmpFPredicate floatPredicate(BinaryOp op) {
  switch (op) {
  case BinaryOp::Less:
    return arith::CmpFPredicate::OLT;
  case BinaryOp::LessEqual:
    return arith::CmpFPredicate::OLE;
  case BinaryOp::Greater:
    return arith::CmpFPredicate::OGT;
  case BinaryOp::GreaterEqual:
    return arith::CmpFPredicate::OGE;
  case BinaryOp::Equal:
    return arith::CmpFPredicate::OEQ;
  default:
    return arith::CmpFPredicate::UNE;
  }
}

Value Numbers::compare(BinaryOp op, const frontend::Type *type, Value a, Value c, bool negate,
                       Location loc) {
  if (type->isFloat()) {
    Value result = b.createOrFold<arith::CmpFOp>(loc, floatPredicate(op), a, c);
    return negate ? logicalNot(result, loc) : result;
  }
  arith::CmpIPredicate predicate = integerPredicate(op, type->isUnsigned());
  return b.createOrFold<arith::CmpIOp>(loc, negate ? arith::invertPredicate(predicate) : predicate,
                                       a, c);
}

Value Numbers::negate(const frontend::Type *type, Value a, Location loc) {
  if (type->isFloat())
    return b.createOrFold<arith::NegFOp>(loc, a);
  return b.createOrFold<arith::SubIOp>(loc, zero(a.getType(), loc), a);
}

Value Numbers::complement(const frontend::Type *type, Value a, Location loc) {
  return b.createOrFold<arith::XOrIOp>(loc, a,
                                       constant(type, APInt::getAllOnes(type->bits()), loc));
}

Value Numbers::logicalNot(Value a, Location loc) {
  Value one = arith::ConstantOp::create(b, loc, b.getBoolAttr(true));
  return b.createOrFold<arith::XOrIOp>(loc, a, one);
}

/// x / 0 has all bits set and x % 0 is x. The smallest integer by -1 is divided by 1 instead, which
/// gives the quotient itself and no remainder: what wrapping gives.
Value Numbers::divide(const frontend::Type *type, Value a, Value c, bool remainder, Location loc) {
  unsigned bits = type->bits();
  bool isUnsigned = type->isUnsigned();
  Value one = constant(type, APInt(bits, 1), loc);
  Value allOnes = constant(type, APInt::getAllOnes(bits), loc);
  auto raw = [&](Value divisor) -> Value {
    if (isUnsigned)
      return remainder ? b.createOrFold<arith::RemUIOp>(loc, a, divisor)
                       : b.createOrFold<arith::DivUIOp>(loc, a, divisor);
    return remainder ? b.createOrFold<arith::RemSIOp>(loc, a, divisor)
                     : b.createOrFold<arith::DivSIOp>(loc, a, divisor);
  };
  APInt known;
  if (matchPattern(c, m_ConstantInt(&known))) {
    if (known.isZero())
      return remainder ? a : allOnes;
    if (!isUnsigned && known.isAllOnes())
      return remainder ? zero(a.getType(), loc) : negate(type, a, loc);
    return raw(c);
  }
  Value none = zero(a.getType(), loc);
  Value isZero = b.createOrFold<arith::CmpIOp>(loc, arith::CmpIPredicate::eq, c, none);
  Value unsafe = isZero;
  APInt dividend;
  bool dividendKnown = matchPattern(a, m_ConstantInt(&dividend));
  if (!isUnsigned && !(dividendKnown && !dividend.isMinSignedValue())) {
    Value smallest = constant(type, APInt::getSignedMinValue(bits), loc);
    Value isSmallest = b.createOrFold<arith::CmpIOp>(loc, arith::CmpIPredicate::eq, a, smallest);
    Value isMinusOne = b.createOrFold<arith::CmpIOp>(loc, arith::CmpIPredicate::eq, c, allOnes);
    Value overflows = b.createOrFold<arith::AndIOp>(loc, isSmallest, isMinusOne);
    unsafe = b.createOrFold<arith::OrIOp>(loc, isZero, overflows);
  }
  Value result = raw(b.createOrFold<arith::SelectOp>(loc, unsafe, one, c));
  return b.createOrFold<arith::SelectOp>(loc, isZero, remainder ? a : allOnes, result);
}

/// The count is taken modulo the width, a power of two.
Value Numbers::shift(bool left, const frontend::Type *type, Value a, Value count,
                     const frontend::Type *countType, Location loc) {
  count = resize(count, countType->isUnsigned(), countType->bits(), type->bits(), loc);
  count = b.createOrFold<arith::AndIOp>(loc, count,
                                        constant(type, APInt(type->bits(), type->bits() - 1), loc));
  if (left)
    return b.createOrFold<arith::ShLIOp>(loc, a, count);
  return type->isUnsigned() ? b.createOrFold<arith::ShRUIOp>(loc, a, count)
                            : b.createOrFold<arith::ShRSIOp>(loc, a, count);
}

//===----------------------------------------------------------------------===//
// Conversions
//===----------------------------------------------------------------------===//

Value Numbers::resize(Value a, bool isUnsigned, unsigned from, unsigned to, Location loc) {
  mlir::Type target = b.getIntegerType(to);
  if (from == to)
    return a;
  if (from > to)
    return b.createOrFold<arith::TruncIOp>(loc, target, a);
  return isUnsigned ? b.createOrFold<arith::ExtUIOp>(loc, target, a)
                    : b.createOrFold<arith::ExtSIOp>(loc, target, a);
}

Value Numbers::convert(Value a, const frontend::Type *from, const frontend::Type *to,
                       Location loc) {
  if (from == to)
    return a;
  if (to->isBool()) {
    if (from->isFloat())
      return b.createOrFold<arith::CmpFOp>(loc, arith::CmpFPredicate::UNE, a,
                                           zero(a.getType(), loc));
    return b.createOrFold<arith::CmpIOp>(loc, arith::CmpIPredicate::ne, a, zero(a.getType(), loc));
  }
  if (from->isFloat() && to->isFloat()) {
    if (from->bits() < to->bits())
      return b.createOrFold<arith::ExtFOp>(loc, type(to), a);
    return arith::TruncFOp::create(
        b, loc, type(to), a,
        arith::RoundingModeAttr::get(b.getContext(), arith::RoundingMode::to_nearest_even),
        arith::FastMathFlagsAttr());
  }
  if (from->isFloat())
    return floatToInteger(a, from, to, loc);
  if (to->isFloat())
    return integerToFloat(a, from, to, loc);
  return resize(a, from->isUnsigned(), from->bits(), to->bits(), loc);
}

Value Numbers::integerToFloat(Value a, const frontend::Type *from, const frontend::Type *to,
                              Location loc) {
  // Targets convert from 32 and 64 bits.
  if (from->bits() < 32)
    a = resize(a, from->isUnsigned(), from->bits(), 32, loc);
  return from->isUnsigned() ? b.createOrFold<arith::UIToFPOp>(loc, type(to), a)
                            : b.createOrFold<arith::SIToFPOp>(loc, type(to), a);
}

/// Truncates toward zero; out of range gives the nearest integer there is, and a NaN gives 0. The
/// raw conversion only ever sees a float in range.
Value Numbers::floatToInteger(Value a, const frontend::Type *from, const frontend::Type *to,
                              Location loc) {
  if (from->bits() < 32) {
    // Half cannot hold the bounds of 32 bits and more.
    a = b.createOrFold<arith::ExtFOp>(loc, b.getF32Type(), a);
  }
  auto floatType = llvm::cast<FloatType>(a.getType());
  unsigned bits = to->bits(), rawBits = std::max(bits, 32u);
  bool isUnsigned = to->isUnsigned();
  auto bound = [&](const APInt &value, bool isSigned) -> Value {
    APFloat made(floatType.getFloatSemantics());
    // Zero and powers of two: exact.
    made.convertFromAPInt(value, isSigned, APFloat::rmNearestTiesToEven);
    return arith::ConstantOp::create(b, loc, b.getFloatAttr(floatType, made));
  };
  APInt lowest = isUnsigned ? APInt::getZero(bits) : APInt::getSignedMinValue(bits);
  APInt highest = isUnsigned ? APInt::getMaxValue(bits) : APInt::getSignedMaxValue(bits);
  Value low = bound(lowest, !isUnsigned);
  Value high = bound(highest.zext(bits + 1) + 1, /*isSigned=*/false);
  Value above = b.createOrFold<arith::CmpFOp>(loc, arith::CmpFPredicate::OGE, a, high);
  Value inside = b.createOrFold<arith::AndIOp>(
      loc, b.createOrFold<arith::CmpFOp>(loc, arith::CmpFPredicate::OGT, a, low),
      b.createOrFold<arith::CmpFOp>(loc, arith::CmpFPredicate::OLT, a, high));
  Value safe = b.createOrFold<arith::SelectOp>(loc, inside, a, zero(floatType, loc));
  mlir::Type rawType = b.getIntegerType(rawBits);
  Value result = isUnsigned ? b.createOrFold<arith::FPToUIOp>(loc, rawType, safe)
                            : b.createOrFold<arith::FPToSIOp>(loc, rawType, safe);
  result = resize(result, isUnsigned, rawBits, bits, loc);
  result = b.createOrFold<arith::SelectOp>(loc, above, constant(to, highest, loc), result);
  if (isUnsigned)
    return result;
  Value below = b.createOrFold<arith::CmpFOp>(loc, arith::CmpFPredicate::OLE, a, low);
  return b.createOrFold<arith::SelectOp>(loc, below, constant(to, lowest, loc), result);
}
