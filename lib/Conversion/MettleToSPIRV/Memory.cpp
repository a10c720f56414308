//===- Memory.cpp - storage, addresses and accesses as SPIR-V -------------===//
//
// A static array of the workgroup is a module variable, one of a work-item a function variable. An
// access to a vector goes through a pointer to that vector. Views of dynamic workgroup memory have
// become an argument before (Prepare.cpp).
//
//===----------------------------------------------------------------------===//

#include "Patterns.h"

#include "Mettle/Dialect/Mettle/IR/MemoryOps.h"
#include "Mettle/Dialect/SPIRVX/IR/SPIRVXDialect.h"
#include "mlir/IR/SymbolTable.h"

using namespace mlir;
using namespace mettle;
using namespace mettle::tospirv;

//===----------------------------------------------------------------------===//
// Storage
//===----------------------------------------------------------------------===//

static std::string freshName(ModuleOp module, StringRef function) {
  for (unsigned number = 0;; ++number) {
    std::string name = (function + ".alloc" + Twine(number)).str();
    if (!module.lookupSymbol(name))
      return name;
  }
}

namespace {
struct ConvertAlloc : OpConversionPattern<AllocOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult matchAndRewrite(AllocOp op, OpAdaptor,
                                ConversionPatternRewriter &rewriter) const override {
    auto pointer = cast<spirv::PointerType>(getTypeConverter()->convertType(op.getType()));
    auto array = spirv::PointerType::get(
        spirv::ArrayType::get(pointer.getPointeeType(), op.getExtent()), pointer.getStorageClass());
    Location loc = op.getLoc();
    NamedAttribute alignment(
        StringAttr::get(getContext(), spirvx::SPIRVXDialect::alignmentAttrName),
        rewriter.getI32IntegerAttr(AllocOp::alignment));

    Value base;
    if (pointer.getStorageClass() == spirv::StorageClass::Workgroup) {
      auto module = op->getParentOfType<ModuleOp>();
      std::string name = freshName(module, cast<SymbolOpInterface>(op->getParentOp()).getName());
      spirv::GlobalVariableOp variable;
      {
        OpBuilder::InsertionGuard guard(rewriter);
        rewriter.setInsertionPoint(op->getParentOp());
        variable = spirv::GlobalVariableOp::create(rewriter, loc, array, name);
        variable->setAttr(alignment.getName(), alignment.getValue());
      }
      base = spirv::AddressOfOp::create(rewriter, loc, variable);
    } else {
      // SPIR-V wants variables before everything else of the entry block, where the array stands.
      OpBuilder::InsertionGuard guard(rewriter);
      rewriter.setInsertionPointToStart(op->getBlock());
      auto variable = spirv::VariableOp::create(rewriter, loc, array, spirv::StorageClass::Function,
                                                /*initializer=*/Value());
      variable->setAttr(alignment.getName(), alignment.getValue());
      base = variable;
    }
    Value zero = splatConstant(rewriter, loc, rewriter.getI32Type(), 0);
    rewriter.replaceOpWithNewOp<spirv::AccessChainOp>(op, pointer, base, zero);
    return success();
  }
};

//===----------------------------------------------------------------------===//
// Addresses
//===----------------------------------------------------------------------===//

struct ConvertOffset : OpConversionPattern<OffsetOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult matchAndRewrite(OffsetOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    // Not the InBounds form: an address on the way to another may lie outside the buffer.
    rewriter.replaceOpWithNewOp<spirv::PtrAccessChainOp>(
        op, adaptor.getBase().getType(), adaptor.getBase(), adaptor.getIndex(), ValueRange());
    return success();
  }
};

struct ConvertPtrCast : OpConversionPattern<PtrCastOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult matchAndRewrite(PtrCastOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    Type type = getTypeConverter()->convertType(op.getType());
    if (type == adaptor.getSource().getType())
      rewriter.replaceOp(op, adaptor.getSource());
    else
      rewriter.replaceOpWithNewOp<spirv::BitcastOp>(op, type, adaptor.getSource());
    return success();
  }
};

struct ConvertSpaceCast : OpConversionPattern<SpaceCastOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult matchAndRewrite(SpaceCastOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    Type type = getTypeConverter()->convertType(op.getType());
    if (op.getType().getSpace() == AddressSpace::Generic)
      rewriter.replaceOpWithNewOp<spirv::PtrCastToGenericOp>(op, type, adaptor.getSource());
    else
      rewriter.replaceOpWithNewOp<spirv::GenericCastToPtrOp>(op, type, adaptor.getSource());
    return success();
  }
};

//===----------------------------------------------------------------------===//
// Accesses
//===----------------------------------------------------------------------===//

/// `pointer`, or where a vector is accessed a pointer to that vector.
Value pointerTo(OpBuilder &builder, Location loc, Type type, Value pointer) {
  auto target =
      spirv::PointerType::get(type, cast<spirv::PointerType>(pointer.getType()).getStorageClass());
  if (target == pointer.getType())
    return pointer;
  return spirv::BitcastOp::create(builder, loc, target, pointer);
}

/// Private memory is accessed as if it were volatile. Intel's CPU runtime (OpenCL 3.1, build
/// 2026.22.10) loses a store to one of two private addresses that a condition of the lane chooses,
/// as in `a[(int32)(x > y)] = 0`, unless the store or the loads behind it are volatile.
spirv::MemoryAccessAttr memoryAccess(MLIRContext *context, PtrType pointer, bool isVolatile) {
  auto access = spirv::MemoryAccess::Aligned;
  if (isVolatile || pointer.getSpace() == AddressSpace::Private)
    access = access | spirv::MemoryAccess::Volatile;
  return spirv::MemoryAccessAttr::get(context, access);
}

struct ConvertLoad : OpConversionPattern<LoadOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult matchAndRewrite(LoadOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    Type type = getTypeConverter()->convertType(op.getType());
    Value pointer = pointerTo(rewriter, op.getLoc(), type, adaptor.getPointer());
    rewriter.replaceOpWithNewOp<spirv::LoadOp>(
        op, pointer, memoryAccess(getContext(), op.getPointer().getType(), op.getIsVolatile()),
        rewriter.getI32IntegerAttr(op.getAlignmentInBytes()));
    return success();
  }
};

struct ConvertStore : OpConversionPattern<StoreOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult matchAndRewrite(StoreOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    Value value = adaptor.getValue();
    Value pointer = pointerTo(rewriter, op.getLoc(), value.getType(), adaptor.getPointer());
    rewriter.replaceOpWithNewOp<spirv::StoreOp>(
        op, pointer, value,
        memoryAccess(getContext(), op.getPointer().getType(), op.getIsVolatile()),
        rewriter.getI32IntegerAttr(op.getAlignmentInBytes()));
    return success();
  }
};
} // namespace

void mettle::tospirv::populateMemoryPatterns(const SPIRVTypeConverter &types,
                                             RewritePatternSet &patterns) {
  patterns.add<ConvertAlloc, ConvertOffset, ConvertPtrCast, ConvertSpaceCast, ConvertLoad,
               ConvertStore>(types, patterns.getContext());
}
