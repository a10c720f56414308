//===- Function.cpp - helper functions as SPIR-V --------------------------===//
//
// A SPIR-V function returns one value: several are returned as a structure.
//
//===----------------------------------------------------------------------===//

#include "Patterns.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

using namespace mlir;
using namespace mettle::tospirv;

/// What a function with these results returns: nothing, its result or a structure of them. Null if
/// one has no SPIR-V type.
static FailureOr<SmallVector<Type>> returnTypes(const TypeConverter &types, TypeRange results) {
  SmallVector<Type> converted;
  if (failed(types.convertTypes(results, converted)))
    return failure();
  if (converted.size() > 1)
    return SmallVector<Type>{spirv::StructType::get(converted)};
  return converted;
}

namespace {
struct ConvertFunc : OpConversionPattern<func::FuncOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult matchAndRewrite(func::FuncOp op, OpAdaptor,
                                ConversionPatternRewriter &rewriter) const override {
    FunctionType type = op.getFunctionType();
    TypeConverter::SignatureConversion signature(type.getNumInputs());
    FailureOr<SmallVector<Type>> results = returnTypes(*getTypeConverter(), type.getResults());
    if (failed(results) ||
        failed(getTypeConverter()->convertSignatureArgs(type.getInputs(), signature)))
      return rewriter.notifyMatchFailure(op, "a type that SPIR-V has not");
    auto function =
        spirv::FuncOp::create(rewriter, op.getLoc(), op.getName(),
                              rewriter.getFunctionType(signature.getConvertedTypes(), *results));
    rewriter.inlineRegionBefore(op.getBody(), function.getBody(), function.end());
    if (failed(rewriter.convertRegionTypes(&function.getBody(), *getTypeConverter(), &signature)))
      return failure();
    rewriter.eraseOp(op);
    return success();
  }
};

struct ConvertReturn : OpConversionPattern<func::ReturnOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult matchAndRewrite(func::ReturnOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    if (op.getNumOperands() == 0) {
      rewriter.replaceOpWithNewOp<spirv::ReturnOp>(op);
      return success();
    }
    Value result = adaptor.getOperands().front();
    if (op.getNumOperands() > 1) {
      FailureOr<SmallVector<Type>> type = returnTypes(*getTypeConverter(), op.getOperandTypes());
      if (failed(type))
        return rewriter.notifyMatchFailure(op, "a type that SPIR-V has not");
      result = spirv::CompositeConstructOp::create(rewriter, op.getLoc(), type->front(),
                                                   adaptor.getOperands());
    }
    rewriter.replaceOpWithNewOp<spirv::ReturnValueOp>(op, result);
    return success();
  }
};

struct ConvertCall : OpConversionPattern<func::CallOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult matchAndRewrite(func::CallOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    FailureOr<SmallVector<Type>> types = returnTypes(*getTypeConverter(), op.getResultTypes());
    if (failed(types))
      return rewriter.notifyMatchFailure(op, "a type that SPIR-V has not");
    auto call = spirv::FunctionCallOp::create(rewriter, op.getLoc(),
                                              types->empty() ? Type() : types->front(),
                                              op.getCalleeAttr(), adaptor.getOperands());
    SmallVector<Value> results(call->getResults());
    if (op.getNumResults() > 1) {
      results.clear();
      for (int32_t index = 0, end = op.getNumResults(); index < end; ++index)
        results.push_back(
            spirv::CompositeExtractOp::create(rewriter, op.getLoc(), call->getResult(0), {index}));
    }
    rewriter.replaceOp(op, results);
    return success();
  }
};
} // namespace

void mettle::tospirv::populateFunctionPatterns(const SPIRVTypeConverter &types,
                                               RewritePatternSet &patterns) {
  patterns.add<ConvertFunc, ConvertReturn, ConvertCall>(types, patterns.getContext());
}
