//===- Kernel.cpp - kernels to PTX entries -===//
//
// An argument becomes a parameter and the register that holds it from the start. A pointer
// parameter is declared to point into global memory, where an address is the same as its generic
// one (PTX ISA, "Generic Addressing"), so nothing converts it.
//
//===----------------------------------------------------------------------===//

#include "Patterns.h"

#include "Mettle/Dialect/Mettle/IR/KernelOps.h"
#include "Mettle/Dialect/PTX/IR/FunctionOps.h"

using namespace mlir;
using namespace mettle;
using namespace mettle::detail;

namespace {

/// How the parameter is declared: an i8 is one byte and a pointer says what it points at; the
/// register tells the rest.
ptx::ParamAttr declarationOf(Type type) {
  MLIRContext *context = type.getContext();
  if (auto pointer = dyn_cast<PtrType>(type))
    return ptx::ParamAttr::get(context, ptx::ParamType::B64, ptx::PointerSpace::Global,
                               pointer.getElementBytes());
  if (type.isInteger(8))
    return ptx::ParamAttr::get(context, ptx::ParamType::U8, std::nullopt, std::nullopt);
  return {};
}

struct KernelPattern : OpConversionPattern<KernelOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult matchAndRewrite(KernelOp op, OpAdaptor,
                                ConversionPatternRewriter &rewriter) const override {
    TypeConverter::SignatureConversion signature(op.getNumArguments());
    if (failed(getTypeConverter()->convertSignatureArgs(op.getArgumentTypes(), signature)))
      return rewriter.notifyMatchFailure(op, "an argument has no PTX register");
    auto type = rewriter.getFunctionType(signature.getConvertedTypes(), {});
    auto entry = ptx::EntryOp::create(rewriter, op.getLoc(), op.getSymName(), type);
    if (std::optional<ArrayRef<int32_t>> block = op.getBlockSize())
      entry.setRequiredThreads(*block);
    for (auto [index, argument] : llvm::enumerate(op.getArgumentTypes()))
      if (ptx::ParamAttr declaration = declarationOf(argument))
        entry.setArgAttr(index, "ptx.param", declaration);
    rewriter.inlineRegionBefore(op.getBody(), entry.getBody(), entry.getBody().end());
    if (failed(rewriter.convertRegionTypes(&entry.getBody(), *getTypeConverter(), &signature)))
      return rewriter.notifyMatchFailure(op, "a block argument has no PTX register");
    rewriter.eraseOp(op);
    return success();
  }
};

struct ReturnPattern : OpConversionPattern<ReturnOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult matchAndRewrite(ReturnOp op, OpAdaptor,
                                ConversionPatternRewriter &rewriter) const override {
    rewriter.replaceOpWithNewOp<ptx::RetOp>(op, ValueRange());
    return success();
  }
};

} // namespace

void mettle::detail::populateKernelToPTX(const TypeConverter &converter,
                                         RewritePatternSet &patterns) {
  patterns.add<KernelPattern, ReturnPattern>(converter, patterns.getContext());
}
