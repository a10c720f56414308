//===- SemaConvert.cpp - conversions, literals and constants -===//
//
// Which conversions happen by themselves, what type a literal takes, and the value of a constant
// expression.
//
//===----------------------------------------------------------------------===//

#include "Mettle/Frontend/Sema.h"

using namespace mettle::frontend;
using llvm::APInt;
using llvm::APSInt;
using llvm::StringRef;

/// The type that arithmetic gives a number: int32 for what is narrower, float32 for float16.
const Type *Sema::promoted(const Type *type) const {
  if (type->isFloat())
    return type->bits() < 32 ? get(TypeKind::Float32) : type;
  return type->bits() < 32 ? get(TypeKind::Int32) : type;
}

Expr *Sema::promote(Expr *e) { return convert(e, promoted(e->type)); }

/// Of two promoted types of one class: the wider, and of two as wide the unsigned one.
const Type *Sema::common(const Type *a, const Type *b) const {
  if (a->bits() != b->bits())
    return a->bits() > b->bits() ? a : b;
  return a->isUnsigned() ? a : b;
}

/// Converts a number to another type of numbers, whatever the two are.
Expr *Sema::convert(Expr *e, const Type *to) {
  if (e->type == to || e->type->isError())
    return e;
  auto *made = tree.make<ConvertExpr>();
  made->operand = e;
  made->type = to;
  made->untyped = e->untyped && !to->isBool();
  made->range = e->range;
  made->height = e->height + 1;
  return made;
}

/// Converts as an assignment, an argument or a returned value is converted; reports what only a
/// cast may do.
Expr *Sema::convertTo(Expr *e, const Type *to, StringRef what) {
  const Type *from = e->type;
  if (from == to || from->isError() || to->isError())
    return e;
  if (from->isScalar() && to->isScalar()) {
    if (e->untyped && (to->isFloat() || from->isIntegral())) {
      e = retype(e, to);
      from = e->type;
    }
    if (from->isFloat() == to->isFloat())
      return convert(e, to);
  }
  Code code = Code::type_mismatch;
  if (from->isScalar() && to->isScalar())
    code = Code::implicit_conversion;
  else if (from->isScalar() && to->isPointer())
    code = Code::null_pointer;
  error(e->range, code, {what, to->spelling(), from->spelling()});
  return fail(e);
}

/// Lets an untyped expression take a type, as far as it fits: an integer literal keeps its own type
/// when the value is out of the other's range, and arithmetic is never narrower than int32.
Expr *Sema::retype(Expr *e, const Type *to) {
  if (!e->untyped || e->type == to || to->isBool())
    return e;
  switch (e->kind) {
  case Expr::IntLiteral: {
    APInt value(65, llvm::cast<IntLiteralExpr>(e)->value);
    if (to->isFloat() ||
        (to->isUnsigned() ? value.isIntN(to->bits()) : value.isSignedIntN(to->bits())))
      e->type = to;
    return e;
  }
  case Expr::FloatLiteral:
    if (to->isFloat())
      e->type = to;
    return e;
  case Expr::Convert:
    return retype(llvm::cast<ConvertExpr>(e)->operand, to);
  case Expr::Unary: {
    auto *unary = llvm::cast<UnaryExpr>(e);
    if (unary->op != UnaryOp::Negate && to->isFloat())
      return e;
    if (unary->op == UnaryOp::Negate && llvm::isa<IntLiteralExpr>(unary->operand) &&
        !to->isFloat()) {
      APInt value = -APInt(65, llvm::cast<IntLiteralExpr>(unary->operand)->value);
      if (!to->isUnsigned() && value.isSignedIntN(to->bits()))
        unary->operand->type = e->type = to;
      return e;
    }
    // A negated float literal is rounded once, in the type it takes.
    const Type *inner = llvm::isa<FloatLiteralExpr>(unary->operand) ? to : promoted(to);
    unary->operand = convert(retype(unary->operand, inner), inner);
    e->type = inner;
    return e;
  }
  case Expr::Binary: {
    auto *binary = llvm::cast<BinaryExpr>(e);
    // What only integers have stays one.
    if (takesIntegersOnly(binary->op) && to->isFloat())
      return e;
    const Type *inner = promoted(to);
    if (isShift(binary->op)) {
      binary->lhs = convert(retype(binary->lhs, inner), inner);
    } else {
      binary->lhs = convert(retype(binary->lhs, inner), inner);
      binary->rhs = convert(retype(binary->rhs, inner), inner);
    }
    e->type = inner;
    return e;
  }
  default:
    return e;
  }
}

//===----------------------------------------------------------------------===//
// Constant folding
//===----------------------------------------------------------------------===//

static APSInt resize(const APSInt &value, const Type *to) {
  if (to->isBool())
    return APSInt(APInt(1, !value.isZero()), /*isUnsigned=*/true);
  APSInt made = value.extOrTrunc(to->bits());
  made.setIsUnsigned(to->isUnsigned());
  return made;
}

static APSInt boolean(bool value) { return APSInt(APInt(1, value), /*isUnsigned=*/true); }

/// The language's division: x / 0 has all bits set and x % 0 is x; INT_MIN / -1 wraps.
static APSInt divide(const APSInt &a, const APSInt &b, bool remainder) {
  bool isUnsigned = a.isUnsigned();
  if (b.isZero())
    return remainder ? a : APSInt(APInt::getAllOnes(a.getBitWidth()), isUnsigned);
  if (isUnsigned)
    return APSInt(remainder ? a.urem(b) : a.udiv(b), true);
  return APSInt(remainder ? a.srem(b) : a.sdiv(b), false);
}

static std::optional<APSInt> foldBinary(BinaryOp op, const APSInt &a, const APSInt &b) {
  bool isUnsigned = a.isUnsigned();
  unsigned width = a.getBitWidth();
  switch (op) {
  case BinaryOp::Mul:
    return a * b;
  case BinaryOp::Div:
    return divide(a, b, /*remainder=*/false);
  case BinaryOp::Rem:
    return divide(a, b, /*remainder=*/true);
  case BinaryOp::Add:
    return a + b;
  case BinaryOp::Sub:
    return a - b;
  case BinaryOp::Shl:
    return APSInt(a.shl(b.extOrTrunc(64).getLoBits(6).getZExtValue() % width), isUnsigned);
  case BinaryOp::Shr:
    return a >> static_cast<unsigned>(b.extOrTrunc(64).getLoBits(6).getZExtValue() % width);
  case BinaryOp::Less:
    return boolean(a < b);
  case BinaryOp::LessEqual:
    return boolean(a <= b);
  case BinaryOp::Greater:
    return boolean(a > b);
  case BinaryOp::GreaterEqual:
    return boolean(a >= b);
  case BinaryOp::Equal:
    return boolean(a == b);
  case BinaryOp::NotEqual:
    return boolean(a != b);
  case BinaryOp::BitAnd:
    return APSInt(a & b, isUnsigned);
  case BinaryOp::BitXor:
    return APSInt(a ^ b, isUnsigned);
  case BinaryOp::BitOr:
    return APSInt(a | b, isUnsigned);
  case BinaryOp::LogicalAnd:
    return boolean(!a.isZero() && !b.isZero());
  case BinaryOp::LogicalOr:
    return boolean(!a.isZero() || !b.isZero());
  }
  llvm_unreachable("every operator is folded");
}

/// Whether a checked expression is made of literals and constants only.
bool Sema::isConstant(const Expr *e) {
  switch (e->kind) {
  case Expr::IntLiteral:
  case Expr::FloatLiteral:
  case Expr::BoolLiteral:
    return true;
  case Expr::NameRef:
    return llvm::cast<NameExpr>(e)->variable->constant;
  case Expr::Unary: {
    auto *unary = llvm::cast<UnaryExpr>(e);
    return unary->op != UnaryOp::Dereference && unary->op != UnaryOp::AddressOf &&
           isConstant(unary->operand);
  }
  case Expr::Binary:
    return isConstant(llvm::cast<BinaryExpr>(e)->lhs) && isConstant(llvm::cast<BinaryExpr>(e)->rhs);
  case Expr::Cast:
    return isConstant(llvm::cast<CastExpr>(e)->operand);
  case Expr::Convert:
    return isConstant(llvm::cast<ConvertExpr>(e)->operand);
  default:
    return false;
  }
}

/// The value of a checked integer expression that is constant.
std::optional<APSInt> Sema::fold(const Expr *e) const {
  if (!e->type->isIntegral())
    return std::nullopt;
  switch (e->kind) {
  case Expr::IntLiteral:
    return resize(APSInt(APInt(64, llvm::cast<IntLiteralExpr>(e)->value), true), e->type);
  case Expr::BoolLiteral:
    return boolean(llvm::cast<BoolLiteralExpr>(e)->value);
  case Expr::NameRef: {
    const VarDecl *variable = llvm::cast<NameExpr>(e)->variable;
    if (!variable->isConst || !variable->init)
      return std::nullopt;
    return fold(variable->init);
  }
  case Expr::Convert:
  case Expr::Cast: {
    const Expr *operand = llvm::isa<CastExpr>(e) ? llvm::cast<CastExpr>(e)->operand
                                                 : llvm::cast<ConvertExpr>(e)->operand;
    auto value = fold(operand);
    if (!value)
      return std::nullopt;
    return resize(*value, e->type);
  }
  case Expr::Unary: {
    auto *unary = llvm::cast<UnaryExpr>(e);
    auto value = fold(unary->operand);
    if (!value)
      return std::nullopt;
    if (unary->op == UnaryOp::Negate)
      return -*value;
    if (unary->op == UnaryOp::Complement)
      return APSInt(~*value, value->isUnsigned());
    if (unary->op == UnaryOp::Not)
      return boolean(value->isZero());
    return std::nullopt;
  }
  case Expr::Binary: {
    auto *binary = llvm::cast<BinaryExpr>(e);
    auto a = fold(binary->lhs);
    auto b = fold(binary->rhs);
    if (!a || !b)
      return std::nullopt;
    return foldBinary(binary->op, *a, *b);
  }
  default:
    return std::nullopt;
  }
}
