//===- Patterns.h - what the families of the PTX conversion share -===//
//
// The type converter's rules, the base of element-wise patterns, and the small vocabulary they are
// written with. Every family's file defines one populate function, listed in CMakeLists.txt.
//
// A value becomes one register for each of its elements:
//   i1                -> pred
//   i16, f16, bf16    -> b16
//   i8, i32, f32      -> b32 (the upper bits of an i8 are unspecified: who reads them extends)
//   i64, index, f64, !mettle.ptr -> b64
//   vector<NxT>       -> N registers
//
//===----------------------------------------------------------------------===//

#ifndef METTLE_LIB_CONVERSION_METTLETOPTX_PATTERNS_H
#define METTLE_LIB_CONVERSION_METTLETOPTX_PATTERNS_H

#include "Mettle/Conversion/MettleToPTX/MettleToPTX.h"

#include "mlir/IR/TypeUtilities.h"
#include "mlir/Transforms/DialectConversion.h"

namespace mettle::detail {

#define METTLE_FAMILY(NAME)                                                                        \
  void populate##NAME##ToPTX(const mlir::TypeConverter &converter,                                 \
                             mlir::RewritePatternSet &patterns);
#include "MettleToPTXFamilies.inc"

/// Where new instructions go: what every builder takes first.
struct Emit {
  mlir::OpBuilder &builder;
  mlir::Location loc;
};

/// The bits of an integer that arithmetic is done in; 0 for anything else.
inline unsigned integerWidth(mlir::Type type) {
  if (type.isIndex())
    return 64;
  auto integer = mlir::dyn_cast<mlir::IntegerType>(type);
  return integer && integer.isSignless() ? integer.getWidth() : 0;
}

/// The low 8 bits of a b32 register, extended over all of it.
mlir::Value zeroExtend8(Emit e, mlir::Value value);
mlir::Value signExtend8(Emit e, mlir::Value value);

/// A register holding the low bits of `value`, of a type that PTX can hold in one register.
mlir::Value constantBits(Emit e, mlir::Type type, uint64_t value);

/// The complement of a predicate, and the choice between two.
mlir::Value notPredicate(Emit e, mlir::Value p);
mlir::Value selectPredicate(Emit e, mlir::Value p, mlir::Value ifTrue, mlir::Value ifFalse);

/// bf16 is the upper half of an f32, so widening is a move; narrowing names its rounding.
mlir::Value widenBF16(Emit e, mlir::Value value);

/// Lowers an element-wise operation one element at a time: `lower` gets the operation, the type of
/// an element of its first operand, and one register an operand, and returns the result's register,
/// or null for a type it does not serve. A scalar operand beside vectors goes to every element.
template <typename Op> class ElementwisePattern : public mlir::OpConversionPattern<Op> {
public:
  using Lower = mlir::Value (*)(Emit e, Op op, mlir::Type element,
                                mlir::ArrayRef<mlir::Value> operands);

  ElementwisePattern(const mlir::TypeConverter &converter, mlir::MLIRContext *context, Lower lower)
      : mlir::OpConversionPattern<Op>(converter, context), lower(lower) {}

  mlir::LogicalResult
  matchAndRewrite(Op op, typename mlir::OpConversionPattern<Op>::OneToNOpAdaptor adaptor,
                  mlir::ConversionPatternRewriter &rewriter) const override {
    mlir::Type element = mlir::getElementTypeOrSelf(op->getOperand(0).getType());
    size_t count = 0;
    for (mlir::ValueRange operand : adaptor.getOperands())
      count = std::max(count, operand.size());
    mlir::SmallVector<mlir::Value> results;
    for (size_t index = 0; index < count; ++index) {
      mlir::SmallVector<mlir::Value, 3> operands;
      for (mlir::ValueRange operand : adaptor.getOperands())
        operands.push_back(operand[operand.size() == 1 ? 0 : index]);
      mlir::Value result = lower({rewriter, op.getLoc()}, op, element, operands);
      if (!result)
        return rewriter.notifyMatchFailure(op, "no PTX instruction for this type");
      results.push_back(result);
    }
    rewriter.replaceOpWithMultiple(op, {results});
    return mlir::success();
  }

private:
  Lower lower;
};

/// Adds one element-wise pattern for each operation: `addElementwise<arith::AddIOp>(lowerAdd,
/// ...)`.
template <typename Op>
void addElementwise(typename ElementwisePattern<Op>::Lower lower,
                    const mlir::TypeConverter &converter, mlir::RewritePatternSet &patterns) {
  patterns.add<ElementwisePattern<Op>>(converter, patterns.getContext(), lower);
}

} // namespace mettle::detail

#endif // METTLE_LIB_CONVERSION_METTLETOPTX_PATTERNS_H
