//===- Vector.cpp - vectors in registers of PTX -===//
//
// A vector is the registers of its elements already.
//
//===----------------------------------------------------------------------===//

#include "Patterns.h"

#include "Mettle/Dialect/Mettle/IR/VectorOps.h"

using namespace mlir;
using namespace mettle;
using namespace mettle::detail;

namespace {
struct PackPattern : OpConversionPattern<PackOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult matchAndRewrite(PackOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    rewriter.replaceOpWithMultiple(op, {llvm::to_vector(adaptor.getElements())});
    return success();
  }
};

struct UnpackPattern : OpConversionPattern<UnpackOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult matchAndRewrite(UnpackOp op, OneToNOpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    rewriter.replaceOp(op, adaptor.getVector());
    return success();
  }
};
} // namespace

void mettle::detail::populateVectorToPTX(const TypeConverter &converter,
                                         RewritePatternSet &patterns) {
  patterns.add<PackPattern, UnpackPattern>(converter, patterns.getContext());
}
