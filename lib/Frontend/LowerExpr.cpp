//===- LowerExpr.cpp - expressions -===//
//
// Values of expressions. Operands are computed from left to right.
//
//===----------------------------------------------------------------------===//

#include "Lowering.h"

#include "Mettle/Dialect/Mettle/IR/ApproximateOps.h"
#include "Mettle/Dialect/Mettle/IR/DotOps.h"
#include "Mettle/Dialect/Mettle/IR/IndexOps.h"
#include "Mettle/Dialect/Mettle/IR/MemoryOps.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

namespace mettle::frontend {

using mlir::Location;
using mlir::Value;

Value FunctionLowering::lower(const Expr *e) {
  // Names need no location, and each that is made is kept for good.
  auto loc = [&] { return location(e->range); };
  switch (e->kind) {
  case Expr::IntLiteral:
    return numbers.literal(*llvm::cast<IntLiteralExpr>(e), loc());
  case Expr::FloatLiteral:
    return numbers.literal(*llvm::cast<FloatLiteralExpr>(e), loc());
  case Expr::BoolLiteral:
    return numbers.constant(e->type, llvm::APInt(1, llvm::cast<BoolLiteralExpr>(e)->value), loc());
  case Expr::NameRef: {
    const VarDecl *variable = llvm::cast<NameExpr>(e)->variable;
    if (variable->constant)
      return lower(variable->constant);
    if (!variable->inMemory)
      return values[variable->index];
    // A dynamic view is itself the pointer.
    if (variable->type->isPointer())
      return memory[variable->index];
    return load(place(e), e->type, loc());
  }
  case Expr::Member:
    if (SlotRange range = slotsOf(e); range.count)
      return values[range.first];
    return load(place(e), e->type, loc());
  case Expr::Index:
    return load(place(e), e->type, loc());
  case Expr::Unary:
    return lowerUnary(*llvm::cast<UnaryExpr>(e));
  case Expr::Binary:
    return lowerBinary(*llvm::cast<BinaryExpr>(e));
  case Expr::Cast:
    return lowerCast(*llvm::cast<CastExpr>(e));
  case Expr::Call:
    return lowerCall(*llvm::cast<CallExpr>(e));
  case Expr::Convert: {
    const Expr *operand = llvm::cast<ConvertExpr>(e)->operand;
    return numbers.convert(lower(operand), operand->type, e->type, loc());
  }
  case Expr::Decay:
    return place(llvm::cast<DecayExpr>(e)->operand);
  case Expr::BuiltinIndex:
    return lowerIndex(*llvm::cast<BuiltinIndexExpr>(e));
  case Expr::Loaded:
    return loaded;
  case Expr::StringLiteral:
    break;
  }
  llvm_unreachable("analysis refuses the rest");
}

/// The values of an expression of any type: one for each scalar leaf of a record.
void FunctionLowering::lowerLeaves(const Expr *e, llvm::SmallVectorImpl<Value> &leaves) {
  if (!e->type->isRecord()) {
    leaves.push_back(lower(e));
    return;
  }
  if (SlotRange range = slotsOf(e); range.count) {
    leaves.append(values.begin() + range.first, values.begin() + range.first + range.count);
    return;
  }
  loadLeaves(place(e), e->type, location(e->range), leaves);
}

Value FunctionLowering::lowerUnary(const UnaryExpr &e) {
  Location loc = location(e.range);
  switch (e.op) {
  case UnaryOp::Negate:
    return numbers.negate(e.type, lower(e.operand), loc);
  case UnaryOp::Complement:
    return numbers.complement(e.type, lower(e.operand), loc);
  case UnaryOp::Not:
    return lowerCondition(e.operand, /*negate=*/true);
  case UnaryOp::Dereference:
    return load(place(&e), e.type, loc);
  case UnaryOp::AddressOf:
    return place(e.operand);
  }
  llvm_unreachable("every operator is lowered");
}

Value FunctionLowering::lowerBinary(const BinaryExpr &e) {
  if (isLogical(e.op))
    return lowerLogical(e);
  Location loc = location(e.range);
  if (e.type->isPointer())
    return offset(lower(e.lhs), e.rhs, e.type->element(), e.op == BinaryOp::Sub, loc);
  Value lhs = lower(e.lhs);
  Value rhs = lower(e.rhs);
  return numbers.binary(e.op, e.lhs->type, lhs, rhs, e.rhs->type, loc);
}

/// A value of type bool, or its opposite.
Value FunctionLowering::lowerCondition(const Expr *e, bool negate) {
  auto *binary = llvm::dyn_cast<BinaryExpr>(e);
  if (negate && binary && isComparison(binary->op)) {
    Value lhs = lower(binary->lhs);
    Value rhs = lower(binary->rhs);
    return numbers.compare(binary->op, binary->lhs->type, lhs, rhs, /*negate=*/true,
                           location(e->range));
  }
  if (auto *unary = llvm::dyn_cast<UnaryExpr>(e); unary && unary->op == UnaryOp::Not && negate)
    return lowerCondition(unary->operand);
  Value value = lower(e);
  return negate ? numbers.logicalNot(value, location(e->range)) : value;
}

bool FunctionLowering::isCheap(const Expr *e) {
  switch (e->kind) {
  case Expr::NameRef: {
    const VarDecl *variable = llvm::cast<NameExpr>(e)->variable;
    return !variable->inMemory || variable->type->isPointer();
  }
  case Expr::Member:
    return slotsOf(e).count;
  case Expr::Index:
    return false;
  case Expr::Unary: {
    auto *unary = llvm::cast<UnaryExpr>(e);
    return unary->op != UnaryOp::Dereference && unary->op != UnaryOp::AddressOf &&
           isCheap(unary->operand);
  }
  case Expr::Binary:
    return isCheap(llvm::cast<BinaryExpr>(e)->lhs) && isCheap(llvm::cast<BinaryExpr>(e)->rhs);
  case Expr::Cast:
    return isCheap(llvm::cast<CastExpr>(e)->operand);
  case Expr::Convert:
    return isCheap(llvm::cast<ConvertExpr>(e)->operand);
  case Expr::Call: {
    auto *call = llvm::cast<CallExpr>(e);
    return !call->function && isArithmetic(call->builtin) &&
           llvm::all_of(call->arguments, [](const Argument &a) { return isCheap(a.value); });
  }
  default:
    return true;
  }
}

Value FunctionLowering::choose(Value condition, llvm::function_ref<Value()> then,
                               llvm::function_ref<Value()> otherwise, Location loc) {
  auto arm = [&](llvm::function_ref<Value()> body) {
    return lowerArm({}, loc, [&](mlir::Block &) {
      Value value = body();
      mlir::scf::YieldOp::create(b, loc, value);
    });
  };
  mlir::OperationState state(loc, mlir::scf::IfOp::getOperationName());
  state.addOperands(condition);
  state.addTypes(b.getI1Type());
  state.addRegion(arm(then).region);
  state.addRegion(arm(otherwise).region);
  return b.create(state)->getResult(0);
}

/// The right side is computed only when it decides, unless computing it needlessly has no effect.
Value FunctionLowering::lowerLogical(const BinaryExpr &e) {
  Location loc = location(e.range);
  bool isAnd = e.op == BinaryOp::LogicalAnd;
  Value lhs = lower(e.lhs);
  if (isCheap(e.rhs)) {
    Value rhs = lower(e.rhs);
    return isAnd ? b.createOrFold<mlir::arith::AndIOp>(loc, lhs, rhs)
                 : b.createOrFold<mlir::arith::OrIOp>(loc, lhs, rhs);
  }
  auto right = [&] { return lower(e.rhs); };
  auto decided = [&] { return constantBool(!isAnd); };
  return isAnd ? choose(lhs, right, decided, loc) : choose(lhs, decided, right, loc);
}

Value FunctionLowering::lowerCast(const CastExpr &e) {
  Value value = lower(e.operand);
  Location loc = location(e.range);
  if (e.type->isPointer())
    return castElement(value, memoryType(e.type->element()), loc);
  return numbers.convert(value, e.operand->type, e.type, loc);
}

Value FunctionLowering::lowerIndex(const BuiltinIndexExpr &e) {
  Location loc = location(e.range);
  auto axis = static_cast<Dimension>(e.axis);
  switch (e.source) {
  case IndexSource::Thread:
    return ThreadIdOp::create(b, loc, b.getI32Type(), axis);
  case IndexSource::Block:
    return BlockIdOp::create(b, loc, b.getI32Type(), axis);
  case IndexSource::BlockDim:
    return BlockDimOp::create(b, loc, b.getI32Type(), axis);
  case IndexSource::GridDim:
    return GridDimOp::create(b, loc, b.getI32Type(), axis);
  }
  llvm_unreachable("every index is lowered");
}

//===----------------------------------------------------------------------===//
// Calls
//===----------------------------------------------------------------------===//

/// What --approx-math makes of a function; the others have no instruction on every target.
static std::optional<ApproximateFunction> approximationOf(BuiltinFunction builtin) {
  switch (builtin) {
  case BuiltinFunction::Exp32:
    return ApproximateFunction::Exp;
  case BuiltinFunction::Log32:
    return ApproximateFunction::Log;
  case BuiltinFunction::Sin32:
    return ApproximateFunction::Sin;
  case BuiltinFunction::Cos32:
    return ApproximateFunction::Cos;
  case BuiltinFunction::Rsqrt32:
    return ApproximateFunction::Rsqrt;
  default:
    return std::nullopt;
  }
}

/// Null for a call that returns nothing.
Value FunctionLowering::lowerCall(const CallExpr &e) {
  if (e.function)
    return lowerHelperCall(e);
  if (isAtomic(e.builtin))
    return lowerAtomicCall(e);
  if (isCheck(e.builtin)) {
    lowerCheck(e);
    return Value();
  }
  Location loc = location(e.range);
  llvm::SmallVector<Value, 3> a;
  for (const Argument &argument : e.arguments)
    a.push_back(lower(argument.value));
  if (context.options.approximateMath)
    if (std::optional<ApproximateFunction> approximation = approximationOf(e.builtin))
      return ApproximateOp::create(b, loc, *approximation, a[0]);
  switch (e.builtin) {
  case BuiltinFunction::Sqrt32:
  case BuiltinFunction::Sqrt64:
    return mlir::math::SqrtOp::create(b, loc, a[0]);
  case BuiltinFunction::Abs32:
  case BuiltinFunction::Abs64:
    return mlir::math::AbsFOp::create(b, loc, a[0]);
  case BuiltinFunction::Fma32:
  case BuiltinFunction::Fma64:
    return mlir::math::FmaOp::create(b, loc, a[0], a[1], a[2]);
  case BuiltinFunction::Exp32:
    return mlir::math::ExpOp::create(b, loc, a[0]);
  case BuiltinFunction::Exp2_32:
    return mlir::math::Exp2Op::create(b, loc, a[0]);
  case BuiltinFunction::Log32:
    return mlir::math::LogOp::create(b, loc, a[0]);
  case BuiltinFunction::Log2_32:
    return mlir::math::Log2Op::create(b, loc, a[0]);
  case BuiltinFunction::Sin32:
    return mlir::math::SinOp::create(b, loc, a[0]);
  case BuiltinFunction::Cos32:
    return mlir::math::CosOp::create(b, loc, a[0]);
  case BuiltinFunction::Rsqrt32:
    return mlir::math::RsqrtOp::create(b, loc, a[0]);
  case BuiltinFunction::Tanh32:
    return mlir::math::TanhOp::create(b, loc, a[0]);
  case BuiltinFunction::Erf32:
    return mlir::math::ErfOp::create(b, loc, a[0]);
  case BuiltinFunction::Pow32:
    return mlir::math::PowFOp::create(b, loc, a[0], a[1]);
  case BuiltinFunction::Dot4Signed:
  case BuiltinFunction::Dot4Unsigned:
    return Dot4Op::create(b, loc, e.builtin == BuiltinFunction::Dot4Unsigned, a[0], a[1], a[2]);
  case BuiltinFunction::BitsFromF32:
  case BuiltinFunction::F32FromBits:
  case BuiltinFunction::BitsFromF64:
  case BuiltinFunction::F64FromBits:
    return b.createOrFold<mlir::arith::BitcastOp>(loc, registerType(e.type), a[0]);
  case BuiltinFunction::HalfToFloat: {
    Value half = a[0];
    if (half.getType().isInteger())
      half = b.createOrFold<mlir::arith::BitcastOp>(loc, b.getF16Type(), half);
    return b.createOrFold<mlir::arith::ExtFOp>(loc, b.getF32Type(), half);
  }
  case BuiltinFunction::FloatToHalf: {
    Value half = numbers.convert(a[0], context.tree.types.get(TypeKind::Float32),
                                 context.tree.types.get(TypeKind::Float16), loc);
    return b.createOrFold<mlir::arith::BitcastOp>(loc, b.getI16Type(), half);
  }
  case BuiltinFunction::LegacyBarrier:
    lowerBarrier(/*workgroup=*/true, /*global=*/false, MemoryOrder::SeqCst, loc);
    return Value();
  case BuiltinFunction::AsyncCopy:
  case BuiltinFunction::AsyncCommit:
  case BuiltinFunction::AsyncWait:
    lowerAsyncCall(e, a);
    return Value();
  default:
    return lowerSubgroupCall(e, a);
  }
}

Value FunctionLowering::lowerHelperCall(const CallExpr &e) {
  Location loc = location(e.range);
  llvm::SmallVector<Value> arguments;
  llvm::SmallVector<Space> spaces;
  llvm::SmallVector<Value> values;
  llvm::SmallVector<const Type *> types;
  for (const Argument &argument : e.arguments) {
    lowerLeaves(argument.value, values);
    appendLeafTypes(argument.value->type, types);
  }
  for (auto [value, type] : llvm::zip_equal(values, types)) {
    if (auto pointer = llvm::dyn_cast<PtrType>(value.getType())) {
      static constexpr Space known[] = {Space::Generic, Space::Global, Space::Workgroup,
                                        Space::Private};
      spaces.push_back(known[static_cast<unsigned>(pointer.getSpace())]);
    } else {
      spaces.push_back(Space::Unknown);
    }
    arguments.push_back(toPassed(value, type, loc));
  }
  Instance &callee = context.spaces.helper(*e.function, spaces);
  context.enqueue(callee);
  llvm::SmallVector<mlir::Type> results;
  if (!e.type->is(TypeKind::Void))
    results.push_back(passedType(e.type, callee.result));
  auto call = mlir::func::CallOp::create(b, loc, callee.symbol(), results, arguments);
  return results.empty() ? Value() : fromPassed(call.getResult(0), e.type, loc);
}

} // namespace mettle::frontend
