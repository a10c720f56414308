//===- Compare.cpp - comparisons and selections as SPIR-V -----------------===//
//
// Integers and floats have an instruction a predicate. On booleans only equality has one; the
// orders are logic, with true the greater unsigned and the smaller signed value.
//
//===----------------------------------------------------------------------===//

#include "Patterns.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace mettle::tospirv;
using arith::CmpFPredicate;
using arith::CmpIPredicate;

static Value compareIntegers(OpBuilder &b, Location loc, CmpIPredicate predicate, Value lhs,
                             Value rhs) {
  switch (predicate) {
  case CmpIPredicate::eq:
    return spirv::IEqualOp::create(b, loc, lhs, rhs);
  case CmpIPredicate::ne:
    return spirv::INotEqualOp::create(b, loc, lhs, rhs);
  case CmpIPredicate::slt:
    return spirv::SLessThanOp::create(b, loc, lhs, rhs);
  case CmpIPredicate::sle:
    return spirv::SLessThanEqualOp::create(b, loc, lhs, rhs);
  case CmpIPredicate::sgt:
    return spirv::SGreaterThanOp::create(b, loc, lhs, rhs);
  case CmpIPredicate::sge:
    return spirv::SGreaterThanEqualOp::create(b, loc, lhs, rhs);
  case CmpIPredicate::ult:
    return spirv::ULessThanOp::create(b, loc, lhs, rhs);
  case CmpIPredicate::ule:
    return spirv::ULessThanEqualOp::create(b, loc, lhs, rhs);
  case CmpIPredicate::ugt:
    return spirv::UGreaterThanOp::create(b, loc, lhs, rhs);
  case CmpIPredicate::uge:
    return spirv::UGreaterThanEqualOp::create(b, loc, lhs, rhs);
  }
  llvm_unreachable("a predicate of arith.cmpi");
}

static Value compareBooleans(OpBuilder &b, Location loc, CmpIPredicate predicate, Value lhs,
                             Value rhs) {
  auto isOnly = [&](Value set, Value clear) -> Value {
    return spirv::LogicalAndOp::create(b, loc, set, spirv::LogicalNotOp::create(b, loc, clear));
  };
  auto unlessOnly = [&](Value set, Value clear) -> Value {
    return spirv::LogicalOrOp::create(b, loc, spirv::LogicalNotOp::create(b, loc, set), clear);
  };
  switch (predicate) {
  case CmpIPredicate::eq:
    return spirv::LogicalEqualOp::create(b, loc, lhs, rhs);
  case CmpIPredicate::ne:
    return spirv::LogicalNotEqualOp::create(b, loc, lhs, rhs);
  case CmpIPredicate::ugt:
  case CmpIPredicate::slt:
    return isOnly(lhs, rhs);
  case CmpIPredicate::ult:
  case CmpIPredicate::sgt:
    return isOnly(rhs, lhs);
  case CmpIPredicate::ule:
  case CmpIPredicate::sge:
    return unlessOnly(lhs, rhs);
  case CmpIPredicate::uge:
  case CmpIPredicate::sle:
    return unlessOnly(rhs, lhs);
  }
  llvm_unreachable("a predicate of arith.cmpi");
}

static Value compareFloats(OpBuilder &b, Location loc, CmpFPredicate predicate, Type result,
                           Value lhs, Value rhs) {
  switch (predicate) {
  case CmpFPredicate::AlwaysFalse:
  case CmpFPredicate::AlwaysTrue:
    return splatConstant(b, loc, result, predicate == CmpFPredicate::AlwaysTrue);
  case CmpFPredicate::OEQ:
    return spirv::FOrdEqualOp::create(b, loc, lhs, rhs);
  case CmpFPredicate::OGT:
    return spirv::FOrdGreaterThanOp::create(b, loc, lhs, rhs);
  case CmpFPredicate::OGE:
    return spirv::FOrdGreaterThanEqualOp::create(b, loc, lhs, rhs);
  case CmpFPredicate::OLT:
    return spirv::FOrdLessThanOp::create(b, loc, lhs, rhs);
  case CmpFPredicate::OLE:
    return spirv::FOrdLessThanEqualOp::create(b, loc, lhs, rhs);
  case CmpFPredicate::ONE:
    return spirv::FOrdNotEqualOp::create(b, loc, lhs, rhs);
  case CmpFPredicate::ORD:
    return spirv::OrderedOp::create(b, loc, lhs, rhs);
  case CmpFPredicate::UEQ:
    return spirv::FUnordEqualOp::create(b, loc, lhs, rhs);
  case CmpFPredicate::UGT:
    return spirv::FUnordGreaterThanOp::create(b, loc, lhs, rhs);
  case CmpFPredicate::UGE:
    return spirv::FUnordGreaterThanEqualOp::create(b, loc, lhs, rhs);
  case CmpFPredicate::ULT:
    return spirv::FUnordLessThanOp::create(b, loc, lhs, rhs);
  case CmpFPredicate::ULE:
    return spirv::FUnordLessThanEqualOp::create(b, loc, lhs, rhs);
  case CmpFPredicate::UNE:
    return spirv::FUnordNotEqualOp::create(b, loc, lhs, rhs);
  case CmpFPredicate::UNO:
    return spirv::UnorderedOp::create(b, loc, lhs, rhs);
  }
  llvm_unreachable("a predicate of arith.cmpf");
}

namespace {
struct ConvertCmpI : OpConversionPattern<arith::CmpIOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult matchAndRewrite(arith::CmpIOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    auto compare = isBoolean(adaptor.getLhs().getType()) ? compareBooleans : compareIntegers;
    rewriter.replaceOp(
        op, compare(rewriter, op.getLoc(), op.getPredicate(), adaptor.getLhs(), adaptor.getRhs()));
    return success();
  }
};

struct ConvertCmpF : TypedPattern<arith::CmpFOp> {
  using TypedPattern::TypedPattern;

  LogicalResult matchAndRewrite(arith::CmpFOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    Value lhs = adaptor.getLhs(), rhs = adaptor.getRhs();
    Type type = op.getLhs().getType();
    if (types().isHeldAsBits(type)) {
      lhs = widen(rewriter, op.getLoc(), type, lhs);
      rhs = widen(rewriter, op.getLoc(), type, rhs);
    }
    rewriter.replaceOp(
        op, compareFloats(rewriter, op.getLoc(), op.getPredicate(), op.getType(), lhs, rhs));
    return success();
  }
};

struct ConvertSelect : OpConversionPattern<arith::SelectOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult matchAndRewrite(arith::SelectOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    Value condition = adaptor.getCondition();
    // Before SPIR-V 1.4 one boolean cannot choose between vectors.
    auto vector = dyn_cast<VectorType>(adaptor.getTrueValue().getType());
    if (vector && !isa<VectorType>(condition.getType())) {
      SmallVector<Value> copies(vector.getNumElements(), condition);
      condition = spirv::CompositeConstructOp::create(
          rewriter, op.getLoc(), VectorType::get(vector.getShape(), condition.getType()), copies);
    }
    rewriter.replaceOpWithNewOp<spirv::SelectOp>(op, condition, adaptor.getTrueValue(),
                                                 adaptor.getFalseValue());
    return success();
  }
};
} // namespace

void mettle::tospirv::populateComparePatterns(const SPIRVTypeConverter &types,
                                              RewritePatternSet &patterns) {
  patterns.add<ConvertCmpI, ConvertCmpF, ConvertSelect>(types, patterns.getContext());
}
