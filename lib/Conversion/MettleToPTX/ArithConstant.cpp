//===- ArithConstant.cpp - constants to PTX -===//
//
// One move for each element; ptxas folds it into its uses. ub.poison may be any value and becomes
// zero, so that what is emitted is deterministic.
//
//===----------------------------------------------------------------------===//

#include "Patterns.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/UB/IR/UBOps.h"

using namespace mlir;
using namespace mettle;
using namespace mettle::detail;

static uint64_t bitsOf(Attribute attribute) {
  if (auto integer = dyn_cast<IntegerAttr>(attribute))
    return integer.getValue().getSExtValue();
  return cast<FloatAttr>(attribute).getValue().bitcastToAPInt().getZExtValue();
}

namespace {

struct ConstantPattern : OpConversionPattern<arith::ConstantOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult matchAndRewrite(arith::ConstantOp op, OpAdaptor,
                                ConversionPatternRewriter &rewriter) const override {
    Type element = getElementTypeOrSelf(op.getType());
    if (!getTypeConverter()->convertType(element))
      return rewriter.notifyMatchFailure(op, "no PTX register for this type");
    Emit e{rewriter, op.getLoc()};
    SmallVector<Value> registers;
    if (auto dense = dyn_cast<DenseElementsAttr>(op.getValue()))
      for (Attribute value : dense.getValues<Attribute>())
        registers.push_back(constantBits(e, element, bitsOf(value)));
    else if (isa<IntegerAttr, FloatAttr>(op.getValue()))
      registers.push_back(constantBits(e, element, bitsOf(op.getValue())));
    else
      return rewriter.notifyMatchFailure(op, "expected an integer, a float or a dense vector");
    rewriter.replaceOpWithMultiple(op, {registers});
    return success();
  }
};

struct PoisonPattern : OpConversionPattern<ub::PoisonOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult matchAndRewrite(ub::PoisonOp op, OpAdaptor,
                                ConversionPatternRewriter &rewriter) const override {
    SmallVector<Type> types;
    if (failed(getTypeConverter()->convertType(op.getType(), types)))
      return rewriter.notifyMatchFailure(op, "no PTX register for this type");
    Type element = getElementTypeOrSelf(op.getType());
    SmallVector<Value> registers;
    for (size_t i = 0; i < types.size(); ++i)
      registers.push_back(constantBits({rewriter, op.getLoc()}, element, 0));
    rewriter.replaceOpWithMultiple(op, {registers});
    return success();
  }
};

} // namespace

void mettle::detail::populateArithConstantToPTX(const TypeConverter &converter,
                                                RewritePatternSet &patterns) {
  patterns.add<ConstantPattern, PoisonPattern>(converter, patterns.getContext());
}
