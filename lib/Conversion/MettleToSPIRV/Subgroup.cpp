//===- Subgroup.cpp - lanes and what they do together as SPIR-V -----------===//
//
// From 1.3 on the instructions of non-uniform groups, which ask nothing of lanes that are not
// there. In 1.0 those of the capability Groups, for which all are there; a shuffle is what it
// lacks, and with it every ordered fold of floats (mettle-expand-subgroup made shuffles of them).
// The encoder refuses these with the name of the instruction.
//
//===----------------------------------------------------------------------===//

#include "Patterns.h"

#include "Mettle/Dialect/Mettle/IR/SubgroupOps.h"
#include "Mettle/Dialect/SPIRVX/IR/SPIRVXGroupOps.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace mettle;
using namespace mettle::tospirv;

static constexpr spirv::Scope subgroup = spirv::Scope::Subgroup;

static bool hasNonUniform(const SPIRVTypeConverter &types) {
  return types.version() >= spirv::Version::V_1_3;
}

namespace {
//===----------------------------------------------------------------------===//
// Lanes
//===----------------------------------------------------------------------===//

/// SubgroupSize would be that of this subgroup, which the last may fall short of.
template <typename Source, spirv::BuiltIn builtIn>
struct ConvertLane : OpConversionPattern<Source> {
  using OpConversionPattern<Source>::OpConversionPattern;

  LogicalResult matchAndRewrite(Source op, typename Source::Adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    Value address = spirv::AddressOfOp::create(
        rewriter, op.getLoc(), builtInVariable(rewriter, op, builtIn, op.getType()));
    rewriter.replaceOpWithNewOp<spirv::LoadOp>(op, address);
    return success();
  }
};

//===----------------------------------------------------------------------===//
// Broadcasts and shuffles
//===----------------------------------------------------------------------===//

/// An f16 travels as its bits, which no translator has got wrong.
Value exchange(OpBuilder &builder, Location loc, Value value,
               llvm::function_ref<Value(Value)> shuffle) {
  Type type = value.getType();
  if (!type.isF16())
    return shuffle(value);
  Value bits = spirv::BitcastOp::create(builder, loc, builder.getI16Type(), value);
  return spirv::BitcastOp::create(builder, loc, type, shuffle(bits));
}

struct ConvertBroadcast : TypedPattern<SubgroupBroadcastOp> {
  using TypedPattern::TypedPattern;

  LogicalResult matchAndRewrite(SubgroupBroadcastOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    // GroupNonUniformBroadcast wants a constant lane before 1.5.
    rewriter.replaceOp(op, exchange(rewriter, loc, adaptor.getValue(), [&](Value value) -> Value {
                         if (hasNonUniform(types()))
                           return spirv::GroupNonUniformShuffleOp::create(
                               rewriter, loc, value.getType(), subgroup, value, adaptor.getLane());
                         return spirv::GroupBroadcastOp::create(rewriter, loc, value.getType(),
                                                                subgroup, value, adaptor.getLane());
                       }));
    return success();
  }
};

struct ConvertShuffle : OpConversionPattern<SubgroupShuffleOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult matchAndRewrite(SubgroupShuffleOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    if (!op.getPresent())
      return rewriter.notifyMatchFailure(op, "may read an absent lane, which is undefined");
    Location loc = op.getLoc();
    Value selector = adaptor.getSelector();
    rewriter.replaceOp(op, exchange(rewriter, loc, adaptor.getValue(), [&](Value value) -> Value {
                         Type type = value.getType();
                         switch (op.getMode()) {
                         case ShuffleMode::Idx:
                           return spirv::GroupNonUniformShuffleOp::create(
                               rewriter, loc, type, subgroup, value, selector);
                         case ShuffleMode::Xor:
                           return spirv::GroupNonUniformShuffleXorOp::create(
                               rewriter, loc, type, subgroup, value, selector);
                         case ShuffleMode::Up:
                           return spirv::GroupNonUniformShuffleUpOp::create(
                               rewriter, loc, type, subgroup, value, selector);
                         case ShuffleMode::Down:
                           return spirv::GroupNonUniformShuffleDownOp::create(
                               rewriter, loc, type, subgroup, value, selector);
                         }
                         llvm_unreachable("every mode is listed");
                       }));
    return success();
  }
};

//===----------------------------------------------------------------------===//
// Votes
//===----------------------------------------------------------------------===//

struct ConvertBallot : TypedPattern<SubgroupBallotOp> {
  using TypedPattern::TypedPattern;

  LogicalResult matchAndRewrite(SubgroupBallotOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    Type word = rewriter.getI32Type(), four = VectorType::get({4}, word);
    Value words;
    if (hasNonUniform(types()))
      words = spirv::GroupNonUniformBallotOp::create(rewriter, loc, four, subgroup,
                                                     adaptor.getPredicate());
    else
      words = spirv::KHRSubgroupBallotOp::create(rewriter, loc, four, adaptor.getPredicate());
    Value index = adaptor.getWord();
    APInt constant;
    if (matchPattern(index, m_ConstantInt(&constant)) && constant.ult(4)) {
      rewriter.replaceOpWithNewOp<spirv::CompositeExtractOp>(
          op, words, ArrayRef<int32_t>(static_cast<int32_t>(constant.getZExtValue())));
      return success();
    }
    Value zero = splatConstant(rewriter, loc, word, 0);
    Value isWord =
        spirv::ULessThanOp::create(rewriter, loc, index, splatConstant(rewriter, loc, word, 4));
    Value safe = spirv::SelectOp::create(rewriter, loc, isWord, index, zero);
    Value bits = spirv::VectorExtractDynamicOp::create(rewriter, loc, words, safe);
    rewriter.replaceOpWithNewOp<spirv::SelectOp>(op, isWord, bits, zero);
    return success();
  }
};

template <typename Source, typename NonUniform, typename Uniform>
struct ConvertVote : TypedPattern<Source> {
  using TypedPattern<Source>::TypedPattern;

  LogicalResult matchAndRewrite(Source op, typename Source::Adaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    Type type = op.getType();
    if (hasNonUniform(this->types()))
      rewriter.replaceOpWithNewOp<NonUniform>(op, type, subgroup, adaptor.getPredicate());
    else
      rewriter.replaceOpWithNewOp<Uniform>(op, type, subgroup, adaptor.getPredicate());
    return success();
  }
};

//===----------------------------------------------------------------------===//
// Folds, where there is no shuffle
//===----------------------------------------------------------------------===//

Value fold(OpBuilder &b, Location loc, CombineKind kind, spirv::GroupOperation part, Value value) {
  Type type = value.getType();
  switch (kind) {
  case CombineKind::Add:
    if (isa<FloatType>(type))
      return spirv::GroupFAddOp::create(b, loc, type, subgroup, part, value);
    return spirv::GroupIAddOp::create(b, loc, type, subgroup, part, value);
  case CombineKind::SMin:
    return spirv::GroupSMinOp::create(b, loc, type, subgroup, part, value);
  case CombineKind::SMax:
    return spirv::GroupSMaxOp::create(b, loc, type, subgroup, part, value);
  case CombineKind::UMin:
    return spirv::GroupUMinOp::create(b, loc, type, subgroup, part, value);
  case CombineKind::UMax:
    return spirv::GroupUMaxOp::create(b, loc, type, subgroup, part, value);
  case CombineKind::FMin:
  case CombineKind::FMax:
    return {};
  }
  llvm_unreachable("every kind is listed");
}

template <typename Source> struct ConvertFold : TypedPattern<Source> {
  using TypedPattern<Source>::TypedPattern;

  static CombineKind kindOf(SubgroupReduceOp op) { return op.getKind(); }
  static CombineKind kindOf(SubgroupScanOp) { return CombineKind::Add; }
  static spirv::GroupOperation partOf(SubgroupReduceOp) { return spirv::GroupOperation::Reduce; }
  static spirv::GroupOperation partOf(SubgroupScanOp op) {
    return op.getKind() == ScanKind::Inclusive ? spirv::GroupOperation::InclusiveScan
                                               : spirv::GroupOperation::ExclusiveScan;
  }

  LogicalResult matchAndRewrite(Source op, typename Source::Adaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    bool isOrdered = op.getOrder() && *op.getOrder() != FoldOrder::Unordered;
    if (isOrdered || this->types().isHeldAsBits(op.getType()))
      return rewriter.notifyMatchFailure(op, "no instruction folds it in its order");
    Value result = fold(rewriter, op.getLoc(), kindOf(op), partOf(op), adaptor.getValue());
    if (!result)
      return rewriter.notifyMatchFailure(op, "no instruction states which zero it returns");
    rewriter.replaceOp(op, result);
    return success();
  }
};
} // namespace

void mettle::tospirv::populateSubgroupPatterns(const SPIRVTypeConverter &types,
                                               RewritePatternSet &patterns) {
  patterns.add<ConvertLane<SubgroupLocalIdOp, spirv::BuiltIn::SubgroupLocalInvocationId>,
               ConvertLane<SubgroupSizeOp, spirv::BuiltIn::SubgroupMaxSize>, ConvertBroadcast,
               ConvertShuffle, ConvertBallot,
               ConvertVote<SubgroupAnyOp, spirv::GroupNonUniformAnyOp, spirvx::GroupAnyOp>,
               ConvertVote<SubgroupAllOp, spirv::GroupNonUniformAllOp, spirvx::GroupAllOp>,
               ConvertFold<SubgroupReduceOp>, ConvertFold<SubgroupScanOp>>(types,
                                                                           patterns.getContext());
}
