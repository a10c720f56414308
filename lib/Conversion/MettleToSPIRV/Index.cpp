//===- Index.cpp - ids and extents as SPIR-V built-ins --------------------===//
//
// With 64-bit addresses a built-in is a vector of three i64. Its numbers fit i32: OpenCL's launch
// is refused beyond 2^31 - 1 workgroups an axis.
//
//===----------------------------------------------------------------------===//

#include "Patterns.h"

#include "Mettle/Dialect/Mettle/IR/IndexOps.h"

using namespace mlir;
using namespace mettle;
using namespace mettle::tospirv;

namespace {
template <typename Source, spirv::BuiltIn builtIn>
struct ConvertIndex : OpConversionPattern<Source> {
  using OpConversionPattern<Source>::OpConversionPattern;

  LogicalResult matchAndRewrite(Source op, typename Source::Adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    Type type = VectorType::get({3}, rewriter.getI64Type());
    Value address =
        spirv::AddressOfOp::create(rewriter, loc, builtInVariable(rewriter, op, builtIn, type));
    Value all = spirv::LoadOp::create(rewriter, loc, address);
    Value one = spirv::CompositeExtractOp::create(rewriter, loc, all,
                                                  {static_cast<int32_t>(op.getDimension())});
    rewriter.replaceOpWithNewOp<spirv::UConvertOp>(op, rewriter.getI32Type(), one);
    return success();
  }
};
} // namespace

void mettle::tospirv::populateIndexPatterns(const SPIRVTypeConverter &types,
                                            RewritePatternSet &patterns) {
  patterns.add<ConvertIndex<ThreadIdOp, spirv::BuiltIn::LocalInvocationId>,
               ConvertIndex<BlockIdOp, spirv::BuiltIn::WorkgroupId>,
               ConvertIndex<BlockDimOp, spirv::BuiltIn::WorkgroupSize>,
               ConvertIndex<GridDimOp, spirv::BuiltIn::NumWorkgroups>>(types,
                                                                       patterns.getContext());
}
