//===- Constant.cpp - constants and poison as SPIR-V ----------------------===//
//
// Poison becomes zero: an undefined value could differ from use to use, a constant cannot.
//
//===----------------------------------------------------------------------===//

#include "Patterns.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/UB/IR/UBOps.h"

using namespace mlir;
using namespace mettle::tospirv;

namespace {
struct ConvertConstant : OpConversionPattern<arith::ConstantOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult matchAndRewrite(arith::ConstantOp op, OpAdaptor,
                                ConversionPatternRewriter &rewriter) const override {
    Type type = getTypeConverter()->convertType(op.getType());
    if (!type)
      return rewriter.notifyMatchFailure(op, "no SPIR-V type");
    Type element = getElementTypeOrSelf(type);
    TypedAttr value = op.getValue();
    if (auto dense = dyn_cast<DenseElementsAttr>(value))
      value = element == dense.getElementType() ? dense
              : element.isInteger(16)           ? dense.bitcast(element)
                                                : TypedAttr();
    else if (auto integer = dyn_cast<IntegerAttr>(value))
      value = IntegerAttr::get(element,
                               integer.getValue().sextOrTrunc(element.getIntOrFloatBitWidth()));
    else if (auto number = dyn_cast<FloatAttr>(value))
      value = element == number.getType()
                  ? TypedAttr(number)
                  : IntegerAttr::get(element, number.getValue().bitcastToAPInt());
    if (!value)
      return rewriter.notifyMatchFailure(op, "no SPIR-V constant");
    rewriter.replaceOpWithNewOp<spirv::ConstantOp>(op, type, value);
    return success();
  }
};

struct ConvertPoison : OpConversionPattern<ub::PoisonOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult matchAndRewrite(ub::PoisonOp op, OpAdaptor,
                                ConversionPatternRewriter &rewriter) const override {
    Type type = getTypeConverter()->convertType(op.getType());
    if (!type)
      return rewriter.notifyMatchFailure(op, "no SPIR-V type");
    if (isa<spirv::PointerType>(type)) {
      Value zero = splatConstant(rewriter, op.getLoc(), rewriter.getI64Type(), 0);
      rewriter.replaceOpWithNewOp<spirv::ConvertUToPtrOp>(op, type, zero);
    } else {
      rewriter.replaceOp(op, splatConstant(rewriter, op.getLoc(), type, 0));
    }
    return success();
  }
};
} // namespace

void mettle::tospirv::populateConstantPatterns(const SPIRVTypeConverter &types,
                                               RewritePatternSet &patterns) {
  patterns.add<ConvertConstant, ConvertPoison>(types, patterns.getContext());
}
