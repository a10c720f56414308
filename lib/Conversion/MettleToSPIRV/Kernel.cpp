//===- Kernel.cpp - launch entries as SPIR-V ------------------------------===//
//
// A kernel is a function with an entry point, whose interface is filled in when all its callees are
// converted, and with ContractionOff: without it a consumer may fuse a product and a sum.
//
//===----------------------------------------------------------------------===//

#include "Patterns.h"

#include "Mettle/Dialect/Mettle/IR/KernelOps.h"

using namespace mlir;
using namespace mettle;
using namespace mettle::tospirv;

namespace {
struct ConvertKernel : OpConversionPattern<KernelOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult matchAndRewrite(KernelOp op, OpAdaptor,
                                ConversionPatternRewriter &rewriter) const override {
    TypeConverter::SignatureConversion signature(op.getNumArguments());
    if (failed(getTypeConverter()->convertSignatureArgs(op.getArgumentTypes(), signature)))
      return rewriter.notifyMatchFailure(op, "a type that SPIR-V has not");
    auto function =
        spirv::FuncOp::create(rewriter, op.getLoc(), op.getName(),
                              rewriter.getFunctionType(signature.getConvertedTypes(), TypeRange()));
    if (ArrayAttr attributes = op.getArgAttrsAttr())
      function.setArgAttrsAttr(attributes);
    rewriter.inlineRegionBefore(op.getBody(), function.getBody(), function.end());
    if (failed(rewriter.convertRegionTypes(&function.getBody(), *getTypeConverter(), &signature)))
      return failure();
    spirv::EntryPointOp::create(rewriter, op.getLoc(), spirv::ExecutionModel::Kernel, function,
                                ArrayRef<Attribute>());
    spirv::ExecutionModeOp::create(rewriter, op.getLoc(), function,
                                   spirv::ExecutionMode::ContractionOff, ArrayRef<int32_t>());
    if (std::optional<uint32_t> lanes = op.getSubgroupSize())
      spirv::ExecutionModeOp::create(rewriter, op.getLoc(), function,
                                     spirv::ExecutionMode::SubgroupSize,
                                     static_cast<int32_t>(*lanes));
    if (std::optional<ArrayRef<int32_t>> block = op.getBlockSize())
      spirv::ExecutionModeOp::create(rewriter, op.getLoc(), function,
                                     spirv::ExecutionMode::LocalSize, *block);
    rewriter.eraseOp(op);
    return success();
  }
};

struct ConvertKernelReturn : OpConversionPattern<ReturnOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult matchAndRewrite(ReturnOp op, OpAdaptor,
                                ConversionPatternRewriter &rewriter) const override {
    rewriter.replaceOpWithNewOp<spirv::ReturnOp>(op);
    return success();
  }
};
} // namespace

void mettle::tospirv::populateKernelPatterns(const SPIRVTypeConverter &types,
                                             RewritePatternSet &patterns) {
  patterns.add<ConvertKernel, ConvertKernelReturn>(types, patterns.getContext());
}
