//===- Approximate.cpp - functions as the device approximates them ---------===//
//
// The native functions of OpenCL.std, whose error is the device's to choose.
//
//===----------------------------------------------------------------------===//

#include "Patterns.h"

#include "Mettle/Dialect/Mettle/IR/ApproximateOps.h"
#include "Mettle/Dialect/SPIRVX/IR/SPIRVXMathOps.h"

using namespace mlir;
using namespace mettle;
using namespace mettle::tospirv;

namespace {
struct ConvertApproximate : TypedPattern<ApproximateOp> {
  using TypedPattern::TypedPattern;

  LogicalResult matchAndRewrite(ApproximateOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    auto replace = [&]<typename Native>() {
      rewriter.replaceOpWithNewOp<Native>(op, op.getType(), adaptor.getOperand());
      return success();
    };
    switch (op.getFunction()) {
    case ApproximateFunction::Exp:
      return replace.operator()<spirvx::CLNativeExpOp>();
    case ApproximateFunction::Log:
      return replace.operator()<spirvx::CLNativeLogOp>();
    case ApproximateFunction::Sin:
      return replace.operator()<spirvx::CLNativeSinOp>();
    case ApproximateFunction::Cos:
      return replace.operator()<spirvx::CLNativeCosOp>();
    case ApproximateFunction::Rsqrt:
      return replace.operator()<spirvx::CLNativeRsqrtOp>();
    }
    llvm_unreachable("every function is listed");
  }
};
} // namespace

void mettle::tospirv::populateApproximatePatterns(const SPIRVTypeConverter &types,
                                                  RewritePatternSet &patterns) {
  patterns.add<ConvertApproximate>(types, patterns.getContext());
}
