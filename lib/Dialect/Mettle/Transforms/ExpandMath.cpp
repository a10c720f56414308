//===- ExpandMath.cpp - elementary functions as exact operations -===//
//
// Runs the sequences of Mettle/Math on values that emit IR where they compute.
//
//===----------------------------------------------------------------------===//

#include "Mettle/Dialect/Mettle/Transforms/Passes.h"

#include "Mettle/Math/Elementary.h"
#include "Mettle/Math/Power.h"
#include "Mettle/Math/Trigonometry.h"
#include "PresentOperations.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;

namespace mettle {
#define GEN_PASS_DEF_EXPANDMATH
#include "Mettle/Dialect/Mettle/Transforms/Passes.h.inc"
} // namespace mettle

//===----------------------------------------------------------------------===//
// Values that emit IR
//===----------------------------------------------------------------------===//

namespace {
struct IRValue {
  ImplicitLocOpBuilder *b;
  Value v;

  IRValue(ImplicitLocOpBuilder *b, Value v) : b(b), v(v) {}
  /// The result of an operation that builds beside `like`.
  template <typename Op, typename... Args> static Value make(IRValue like, Args... args) {
    return Op::create(*like.b, args...);
  }
};

struct IRBool : IRValue {
  using IRValue::IRValue;
  friend IRBool operator&(IRBool x, IRBool y) { return {x.b, make<arith::AndIOp>(x, x.v, y.v)}; }
  friend IRBool operator|(IRBool x, IRBool y) { return {x.b, make<arith::OrIOp>(x, x.v, y.v)}; }
  friend IRBool operator==(IRBool x, IRBool y) {
    return {x.b, make<arith::CmpIOp>(x, arith::CmpIPredicate::eq, x.v, y.v)};
  }
  friend IRBool operator!(IRBool x) {
    Value all = arith::ConstantOp::create(*x.b, x.b->getBoolAttr(true));
    return {x.b, make<arith::XOrIOp>(x, x.v, all)};
  }
};

/// What i32 and i64 share.
template <typename Self, typename Number> struct IRInteger : IRValue {
  using IRValue::IRValue;
  Self at(Number c) const {
    return {b, arith::ConstantOp::create(*b, b->getIntegerAttr(v.getType(), c))};
  }
  friend Self operator+(Self x, Self y) { return {x.b, make<arith::AddIOp>(x, x.v, y.v)}; }
  friend Self operator-(Self x, Self y) { return {x.b, make<arith::SubIOp>(x, x.v, y.v)}; }
  friend Self operator*(Self x, Self y) { return {x.b, make<arith::MulIOp>(x, x.v, y.v)}; }
  friend Self operator<<(Self x, int n) { return {x.b, make<arith::ShLIOp>(x, x.v, x.at(n).v)}; }
  friend Self operator>>(Self x, int n) { return {x.b, make<arith::ShRSIOp>(x, x.v, x.at(n).v)}; }
};

struct IRInt : IRInteger<IRInt, int32_t> {
  using IRInteger::IRInteger;
  friend IRInt operator&(IRInt x, IRInt y) { return {x.b, make<arith::AndIOp>(x, x.v, y.v)}; }
  friend IRInt operator|(IRInt x, IRInt y) { return {x.b, make<arith::OrIOp>(x, x.v, y.v)}; }
  friend IRInt operator+(IRInt x, int32_t y) { return x + x.at(y); }
  friend IRInt operator-(IRInt x, int32_t y) { return x - x.at(y); }
  friend IRInt operator&(IRInt x, int32_t y) { return x & x.at(y); }
  friend IRInt operator|(IRInt x, int32_t y) { return x | x.at(y); }
  IRBool compare(arith::CmpIPredicate predicate, int32_t y) const {
    return {b, make<arith::CmpIOp>(*this, predicate, v, at(y).v)};
  }
  friend IRBool operator<(IRInt x, int32_t y) { return x.compare(arith::CmpIPredicate::slt, y); }
  friend IRBool operator==(IRInt x, int32_t y) { return x.compare(arith::CmpIPredicate::eq, y); }
};

struct IRLong : IRInteger<IRLong, int64_t> {
  using IRInteger::IRInteger;
};

struct IRFloat : IRValue {
  using Int = IRInt;
  using Long = IRLong;
  using Bool = IRBool;
  using IRValue::IRValue;
  IRFloat at(float c) const { return {b, arith::ConstantOp::create(*b, b->getF32FloatAttr(c))}; }
  friend IRFloat operator+(IRFloat x, IRFloat y) { return {x.b, make<arith::AddFOp>(x, x.v, y.v)}; }
  friend IRFloat operator-(IRFloat x, IRFloat y) { return {x.b, make<arith::SubFOp>(x, x.v, y.v)}; }
  friend IRFloat operator*(IRFloat x, IRFloat y) { return {x.b, make<arith::MulFOp>(x, x.v, y.v)}; }
  friend IRFloat operator/(IRFloat x, IRFloat y) { return {x.b, make<arith::DivFOp>(x, x.v, y.v)}; }
  friend IRFloat operator+(IRFloat x, float y) { return x + x.at(y); }
  friend IRFloat operator-(IRFloat x, float y) { return x - x.at(y); }
  friend IRFloat operator*(IRFloat x, float y) { return x * x.at(y); }
  friend IRFloat operator-(IRFloat x) { return {x.b, make<arith::NegFOp>(x, x.v)}; }
  IRBool compare(arith::CmpFPredicate predicate, IRFloat y) const {
    return {b, make<arith::CmpFOp>(*this, predicate, v, y.v)};
  }
  friend IRBool operator<(IRFloat x, IRFloat y) { return x.compare(arith::CmpFPredicate::OLT, y); }
  friend IRBool operator>(IRFloat x, IRFloat y) { return x.compare(arith::CmpFPredicate::OGT, y); }
  friend IRBool operator==(IRFloat x, IRFloat y) { return x.compare(arith::CmpFPredicate::OEQ, y); }
  friend IRBool operator<(IRFloat x, float y) { return x < x.at(y); }
  friend IRBool operator>(IRFloat x, float y) { return x > x.at(y); }
  friend IRBool operator==(IRFloat x, float y) { return x == x.at(y); }
};

IRFloat fma(IRFloat x, IRFloat y, IRFloat z) {
  return {x.b, IRValue::make<math::FmaOp>(x, x.v, y.v, z.v)};
}
IRFloat sqrt(IRFloat x) { return {x.b, IRValue::make<math::SqrtOp>(x, x.v)}; }
IRFloat abs(IRFloat x) { return {x.b, IRValue::make<math::AbsFOp>(x, x.v)}; }
IRBool isNaN(IRFloat x) { return x.compare(arith::CmpFPredicate::UNO, x); }
IRInt bits(IRFloat x) { return {x.b, IRValue::make<arith::BitcastOp>(x, x.b->getI32Type(), x.v)}; }
IRFloat asFloat(IRInt x) {
  return {x.b, IRValue::make<arith::BitcastOp>(x, x.b->getF32Type(), x.v)};
}
template <typename Integer> IRFloat toFloat(Integer x) {
  return {x.b, IRValue::make<arith::SIToFPOp>(x, x.b->getF32Type(), x.v)};
}
IRLong widen(IRInt x) { return {x.b, IRValue::make<arith::ExtUIOp>(x, x.b->getI64Type(), x.v)}; }
IRInt low(IRLong x) { return {x.b, IRValue::make<arith::TruncIOp>(x, x.b->getI32Type(), x.v)}; }
IRInt high(IRLong x) { return low(IRLong(x.b, IRValue::make<arith::ShRUIOp>(x, x.v, x.at(32).v))); }
IRLong shiftLeft(IRLong x, IRLong n) { return {x.b, IRValue::make<arith::ShLIOp>(x, x.v, n.v)}; }

template <typename Kind> Kind select(IRBool condition, Kind x, Kind y) {
  return {x.b, IRValue::make<arith::SelectOp>(x, condition.v, x.v, y.v)};
}

/// The values that a region computes, yielded from it.
template <typename Region> void emitYield(ImplicitLocOpBuilder &b, Region region) {
  SmallVector<Value> values;
  for (IRFloat value : region())
    values.push_back(value.v);
  scf::YieldOp::create(b, values);
}

template <typename Then, typename Else>
std::array<IRFloat, 3> branch(IRBool condition, Then then, Else otherwise) {
  ImplicitLocOpBuilder &b = *condition.b;
  SmallVector<Type> types(3, b.getF32Type());
  auto op = scf::IfOp::create(b, types, condition.v, /*addThenBlock=*/true, /*addElseBlock=*/true);
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(op.thenBlock());
  emitYield(b, then);
  b.setInsertionPointToStart(op.elseBlock());
  emitYield(b, otherwise);
  return {IRFloat(&b, op.getResult(0)), IRFloat(&b, op.getResult(1)), IRFloat(&b, op.getResult(2))};
}

//===----------------------------------------------------------------------===//
// The pass
//===----------------------------------------------------------------------===//

/// The sequence that replaces an operation on f32; null for one that has none.
Value expand(ImplicitLocOpBuilder &b, Operation *op) {
  auto operand = [&](unsigned i) { return IRFloat(&b, op->getOperand(i)); };
  return llvm::TypeSwitch<Operation *, Value>(op)
      .Case([&](math::ExpOp) { return mettle::math::exp(operand(0)).v; })
      .Case([&](math::Exp2Op) { return mettle::math::exp2(operand(0)).v; })
      .Case([&](math::LogOp) { return mettle::math::log(operand(0)).v; })
      .Case([&](math::Log2Op) { return mettle::math::log2(operand(0)).v; })
      .Case([&](math::SinOp) { return mettle::math::sin(operand(0)).v; })
      .Case([&](math::CosOp) { return mettle::math::cos(operand(0)).v; })
      .Case([&](math::RsqrtOp) { return mettle::math::rsqrt(operand(0)).v; })
      .Case([&](math::TanhOp) { return mettle::math::tanh(operand(0)).v; })
      .Case([&](math::ErfOp) { return mettle::math::erf(operand(0)).v; })
      .Case([&](math::PowFOp) { return mettle::math::pow(operand(0), operand(1)).v; })
      .Default([](Operation *) { return Value(); });
}

struct ExpandMath : mettle::impl::ExpandMathBase<ExpandMath> {
  void runOnOperation() override {
    if (!getAnalysis<mettle::PresentOperations>().hasDialect<math::MathDialect>())
      return markAllAnalysesPreserved();
    bool changed = false;
    getOperation()->walk([&](Operation *op) {
      if (op->getNumResults() != 1 || !op->getResult(0).getType().isF32())
        return;
      // A flag that allows other bits is left for mettle-verify-strict-float to refuse.
      if (auto fastMath = dyn_cast<arith::ArithFastMathInterface>(op))
        if (auto flags = fastMath.getFastMathFlagsAttr();
            flags && flags.getValue() != arith::FastMathFlags::none)
          return;
      ImplicitLocOpBuilder builder(op->getLoc(), op);
      Value result = expand(builder, op);
      if (!result)
        return;
      op->getResult(0).replaceAllUsesWith(result);
      op->erase();
      changed = true;
    });
    if (!changed)
      markAllAnalysesPreserved();
  }
};
} // namespace
