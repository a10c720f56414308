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

Value mettle::tospirv::readBuiltIn(OpBuilder &builder, Operation *user, spirv::BuiltIn builtIn,
                                   int32_t axis) {
  Location loc = user->getLoc();
  Type type = VectorType::get({3}, builder.getI64Type());
  Value address =
      spirv::AddressOfOp::create(builder, loc, builtInVariable(builder, user, builtIn, type));
  Value all = spirv::LoadOp::create(builder, loc, address);
  return spirv::CompositeExtractOp::create(builder, loc, all, {axis});
}

namespace {
template <typename Source, spirv::BuiltIn builtIn>
struct ConvertIndex : OpConversionPattern<Source> {
  using OpConversionPattern<Source>::OpConversionPattern;

  LogicalResult matchAndRewrite(Source op, typename Source::Adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    Value one = readBuiltIn(rewriter, op, builtIn, static_cast<int32_t>(op.getDimension()));
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
