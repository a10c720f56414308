//===- Patterns.h - what the families of the conversion share -------------===//
//
// The type conversion, the pattern for operations that are one instruction, and a declaration a
// family, whose patterns stand in the file of its name.
//
//===----------------------------------------------------------------------===//

#ifndef METTLE_LIB_CONVERSION_METTLETOSPIRV_PATTERNS_H
#define METTLE_LIB_CONVERSION_METTLETOSPIRV_PATTERNS_H

#include "Mettle/Dialect/Mettle/IR/MettleDialect.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SPIRV/IR/SPIRVOps.h"
#include "mlir/IR/TypeUtilities.h"
#include "mlir/Transforms/DialectConversion.h"

namespace mettle::tospirv {

/// Numbers, vectors of them and pointers; i1 is a boolean and index an i64. A float format that the
/// target lacks is the i16 of its bits: bf16, and f16 unless `hasFloat16`.
class SPIRVTypeConverter : public mlir::TypeConverter {
public:
  explicit SPIRVTypeConverter(mlir::spirv::Version version);

  /// Of the module to make.
  mlir::spirv::Version version() const { return targetVersion; }

  /// Whether values of `type`, a number or a vector, are held as their bits.
  bool isHeldAsBits(mlir::Type type) const {
    mlir::Type element = mlir::getElementTypeOrSelf(type);
    return element.isBF16() || (element.isF16() && !hasFloat16);
  }

private:
  mlir::spirv::Version targetVersion;
  bool hasFloat16;
};

/// A pattern that knows how its types convert.
template <typename Source> struct TypedPattern : mlir::OpConversionPattern<Source> {
  using mlir::OpConversionPattern<Source>::OpConversionPattern;

  const SPIRVTypeConverter &types() const {
    return *this->template getTypeConverter<SPIRVTypeConverter>();
  }
  /// The SPIR-V type of the first result, or null.
  mlir::Type resultType(Source op) const { return types().convertType(op->getResult(0).getType()); }
};

#define METTLE_FAMILY(NAME)                                                                        \
  void populate##NAME##Patterns(const SPIRVTypeConverter &types, mlir::RewritePatternSet &patterns);
#include "SPIRVFamilies.inc"

/// The variable of a built-in of the type, made in the module of `user` at its first use.
mlir::spirv::GlobalVariableOp builtInVariable(mlir::OpBuilder &builder, mlir::Operation *user,
                                              mlir::spirv::BuiltIn builtIn, mlir::Type type);

/// The bit of an order, without the memory that it orders.
mlir::spirv::MemorySemantics orderSemantics(MemoryOrder order);

/// Whether values of `type` are booleans, or vectors of them, to SPIR-V.
inline bool isBoolean(mlir::Type type) { return mlir::getElementTypeOrSelf(type).isInteger(1); }

/// A number of the scalar type, or a vector type with that number in each element. The bits of a
/// float are those of the integer.
mlir::Value splatConstant(mlir::OpBuilder &builder, mlir::Location loc, mlir::Type type,
                          const llvm::APInt &bits);
inline mlir::Value splatConstant(mlir::OpBuilder &builder, mlir::Location loc, mlir::Type type,
                                 uint64_t bits) {
  unsigned width = mlir::getElementTypeOrSelf(type).getIntOrFloatBitWidth();
  return splatConstant(builder, loc, type, llvm::APInt(width, bits, false, /*implicitTrunc=*/true));
}

/// One axis of a built-in variable, an i64.
mlir::Value readBuiltIn(mlir::OpBuilder &builder, mlir::Operation *user,
                        mlir::spirv::BuiltIn builtIn, int32_t axis);

/// The integer type, or vector of it, as wide as `type`.
mlir::Type bitsOf(mlir::Type type);

/// The value of floats held as their bits, of the format of `type`'s elements, as f32. Exact.
mlir::Value widen(mlir::OpBuilder &builder, mlir::Location loc, mlir::Type type, mlir::Value bits);
/// The bits, in the format of `type`'s elements, of f32 values rounded as `mode` says.
mlir::Value narrow(mlir::OpBuilder &builder, mlir::Location loc, mlir::Type type, mlir::Value value,
                   mlir::arith::RoundingMode mode);
/// f64 values as f32 that are odd in their last place where they are inexact: rounding these
/// further gives what rounding the f64 gives (Boldo and Melquiond, "Emulation of FMA and correctly
/// rounded sums", 2008).
mlir::Value roundToOddSingle(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value value);

/// `type` with another element type.
inline mlir::Type withElement(mlir::Type type, mlir::Type element) {
  if (auto vector = mlir::dyn_cast<mlir::VectorType>(type))
    return mlir::VectorType::get(vector.getShape(), element);
  return element;
}

/// An operation that is one instruction on the same operands; `Boolean` is its instruction on
/// booleans. What is held as bits is the business of NarrowFloat.cpp.
template <typename Source, typename Target, typename Boolean = void>
struct OneInstruction : TypedPattern<Source> {
  using TypedPattern<Source>::TypedPattern;

  mlir::LogicalResult matchAndRewrite(Source op, typename Source::Adaptor adaptor,
                                      mlir::ConversionPatternRewriter &rewriter) const override {
    mlir::Type type = this->resultType(op);
    if (!type || this->types().isHeldAsBits(op->getResult(0).getType()))
      return rewriter.notifyMatchFailure(op, "no instruction on this type");
    if (isBoolean(type)) {
      if constexpr (std::is_void_v<Boolean>) {
        return rewriter.notifyMatchFailure(op, "no instruction on booleans");
      } else {
        rewriter.replaceOpWithNewOp<Boolean>(op, type, adaptor.getOperands());
        return mlir::success();
      }
    }
    rewriter.replaceOpWithNewOp<Target>(op, type, adaptor.getOperands());
    return mlir::success();
  }
};

} // namespace mettle::tospirv

#endif // METTLE_LIB_CONVERSION_METTLETOSPIRV_PATTERNS_H
