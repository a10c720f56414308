//===- Vector.cpp - vectors and their elements as SPIR-V ------------------===//
//
// Constructs and extracts.
//
//===----------------------------------------------------------------------===//

#include "Patterns.h"

#include "Mettle/Dialect/Mettle/IR/VectorOps.h"

using namespace mlir;
using namespace mettle;
using namespace mettle::tospirv;

namespace {
struct ConvertPack : TypedPattern<PackOp> {
  using TypedPattern::TypedPattern;

  LogicalResult matchAndRewrite(PackOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    rewriter.replaceOpWithNewOp<spirv::CompositeConstructOp>(op, resultType(op),
                                                             adaptor.getElements());
    return success();
  }
};

struct ConvertUnpack : TypedPattern<UnpackOp> {
  using TypedPattern::TypedPattern;

  LogicalResult matchAndRewrite(UnpackOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    SmallVector<Value> elements;
    for (int32_t i = 0, end = op.getNumResults(); i != end; ++i)
      elements.push_back(spirv::CompositeExtractOp::create(rewriter, op.getLoc(),
                                                           adaptor.getVector(), ArrayRef(i)));
    rewriter.replaceOp(op, elements);
    return success();
  }
};
} // namespace

void mettle::tospirv::populateVectorPatterns(const SPIRVTypeConverter &types,
                                             RewritePatternSet &patterns) {
  patterns.add<ConvertPack, ConvertUnpack>(types, patterns.getContext());
}
