//===- Func.cpp - helper functions to PTX device functions -===//
//
// PTX passes nothing narrower than 32 bits to a function, so predicates and 16-bit registers cross
// a call in 32 bits, widened by the caller and narrowed by the callee, and back for results.
//
//===----------------------------------------------------------------------===//

#include "Patterns.h"

#include "Mettle/Dialect/PTX/IR/BranchOps.h"
#include "Mettle/Dialect/PTX/IR/FunctionOps.h"
#include "Mettle/Dialect/PTX/IR/PTXCompareInsts.h.inc"
#include "Mettle/Dialect/PTX/IR/PTXConvertInsts.h.inc"
#include "Mettle/Dialect/PTX/IR/PTXMoveInsts.h.inc"
#include "mlir/Dialect/Func/IR/FuncOps.h"

using namespace mlir;
using namespace mettle;
using namespace mettle::detail;

static bool isNarrow(Type type) { return isa<ptx::PredType, ptx::B16Type>(type); }

static Type widened(Type type) {
  return isNarrow(type) ? ptx::B32Type::get(type.getContext()) : type;
}

static SmallVector<Type> widened(TypeRange types) {
  return llvm::map_to_vector(types, [](Type type) { return widened(type); });
}

/// What crosses the call for a register.
static Value widen(Emit e, Value value) {
  auto [builder, loc] = e;
  if (isa<ptx::PredType>(value.getType()))
    return ptx::selpB32(builder, loc, ptx::movS32(builder, loc, 1), ptx::movS32(builder, loc, 0),
                        value);
  if (isa<ptx::B16Type>(value.getType()))
    return ptx::cvtU32U16(builder, loc, value);
  return value;
}

/// The register of `type` for what crossed the call.
static Value narrow(Emit e, Type type, Value value) {
  auto [builder, loc] = e;
  if (isa<ptx::PredType>(type))
    return ptx::setpB32(builder, loc, value, ptx::movS32(builder, loc, 0), ptx::BitsCompare::NE);
  if (isa<ptx::B16Type>(type))
    return ptx::cvtU16U32(builder, loc, value);
  return value;
}

namespace {

struct FuncPattern : OpConversionPattern<func::FuncOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult matchAndRewrite(func::FuncOp op, OpAdaptor,
                                ConversionPatternRewriter &rewriter) const override {
    if (op.isExternal())
      return rewriter.notifyMatchFailure(op, "a function without a body");
    TypeConverter::SignatureConversion signature(op.getNumArguments());
    SmallVector<Type> results;
    if (failed(getTypeConverter()->convertSignatureArgs(op.getArgumentTypes(), signature)) ||
        failed(getTypeConverter()->convertTypes(op.getResultTypes(), results)))
      return rewriter.notifyMatchFailure(op, "a type of the signature has no PTX register");
    SmallVector<Type> inner(signature.getConvertedTypes());
    SmallVector<Type> outer = widened(inner);
    auto function = ptx::FuncOp::create(rewriter, op.getLoc(), op.getSymName(),
                                        rewriter.getFunctionType(outer, widened(results)));
    rewriter.inlineRegionBefore(op.getBody(), function.getBody(), function.getBody().end());
    if (failed(rewriter.convertRegionTypes(&function.getBody(), *getTypeConverter(), &signature)))
      return rewriter.notifyMatchFailure(op, "a block argument has no PTX register");
    if (outer != inner)
      addPrologue(function, outer, inner, op.getLoc(), rewriter);
    rewriter.eraseOp(op);
    return success();
  }

  /// A block before the first that narrows what crossed the call.
  static void addPrologue(ptx::FuncOp function, ArrayRef<Type> outer, ArrayRef<Type> inner,
                          Location loc, ConversionPatternRewriter &rewriter) {
    Block *body = &function.getBody().front();
    SmallVector<Location> locations(outer.size(), loc);
    Block *prologue =
        rewriter.createBlock(&function.getBody(), function.getBody().begin(), outer, locations);
    SmallVector<Value> narrowed;
    for (auto [type, argument] : llvm::zip_equal(inner, prologue->getArguments()))
      narrowed.push_back(narrow({rewriter, loc}, type, argument));
    ptx::BraOp::create(rewriter, loc, narrowed, body);
  }
};

struct CallPattern : OpConversionPattern<func::CallOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult matchAndRewrite(func::CallOp op, OneToNOpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    Emit e{rewriter, op.getLoc()};
    SmallVector<Value> inputs;
    for (ValueRange operand : adaptor.getOperands())
      for (Value value : operand)
        inputs.push_back(widen(e, value));
    // One group of registers for each result of the call.
    SmallVector<SmallVector<Type>> groups(op.getNumResults());
    SmallVector<Type> types;
    for (auto [group, type] : llvm::zip_equal(groups, op.getResultTypes())) {
      if (failed(getTypeConverter()->convertType(type, group)))
        return rewriter.notifyMatchFailure(op, "a result has no PTX register");
      types.append(group);
    }
    auto call = ptx::CallOp::create(rewriter, op.getLoc(), widened(types), op.getCallee(), inputs,
                                    ArrayAttr(), ArrayAttr());
    SmallVector<SmallVector<Value>> replacements;
    auto result = call.getResults().begin();
    for (ArrayRef<Type> group : groups) {
      SmallVector<Value> &values = replacements.emplace_back();
      for (Type type : group)
        values.push_back(narrow(e, type, *result++));
    }
    rewriter.replaceOpWithMultiple(op, std::move(replacements));
    return success();
  }
};

struct FuncReturnPattern : OpConversionPattern<func::ReturnOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult matchAndRewrite(func::ReturnOp op, OneToNOpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    SmallVector<Value> results;
    for (ValueRange operand : adaptor.getOperands())
      for (Value value : operand)
        results.push_back(widen({rewriter, op.getLoc()}, value));
    rewriter.replaceOpWithNewOp<ptx::RetOp>(op, results);
    return success();
  }
};

} // namespace

void mettle::detail::populateFuncToPTX(const TypeConverter &converter,
                                       RewritePatternSet &patterns) {
  patterns.add<FuncPattern, CallPattern, FuncReturnPattern>(converter, patterns.getContext());
}
