//===- Dot.cpp - products of bytes as SPIR-V ------------------------------===//
//
// Four products, which every device has: OpSDot and OpUDot need SPV_KHR_integer_dot_product, and a
// device may offer that and be no faster. Signs are made without a shift that fills with them.
//
//===----------------------------------------------------------------------===//

#include "Patterns.h"

#include "Mettle/Dialect/Mettle/IR/DotOps.h"

using namespace mlir;
using namespace mettle;
using namespace mettle::tospirv;

namespace {
struct ConvertDot4 : TypedPattern<Dot4Op> {
  using TypedPattern::TypedPattern;

  LogicalResult matchAndRewrite(Dot4Op op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    Type type = resultType(op);
    auto number = [&](uint64_t bits) { return splatConstant(rewriter, loc, type, bits); };
    auto byte = [&](Value word, unsigned shift) -> Value {
      if (shift)
        word = spirv::ShiftRightLogicalOp::create(rewriter, loc, type, word, number(shift));
      Value low = spirv::BitwiseAndOp::create(rewriter, loc, word, number(255));
      if (op.getIsUnsigned())
        return low;
      Value flipped = spirv::BitwiseXorOp::create(rewriter, loc, low, number(128));
      return spirv::ISubOp::create(rewriter, loc, flipped, number(128));
    };
    Value sum = adaptor.getC();
    for (unsigned shift = 0; shift < 32; shift += 8) {
      Value product = spirv::IMulOp::create(rewriter, loc, byte(adaptor.getA(), shift),
                                            byte(adaptor.getB(), shift));
      sum = spirv::IAddOp::create(rewriter, loc, sum, product);
    }
    rewriter.replaceOp(op, sum);
    return success();
  }
};
} // namespace

void mettle::tospirv::populateDotPatterns(const SPIRVTypeConverter &types,
                                          RewritePatternSet &patterns) {
  patterns.add<ConvertDot4>(types, patterns.getContext());
}
