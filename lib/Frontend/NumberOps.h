//===- NumberOps.h - arithmetic with the language's meaning -===//
//
// The operations of arith are undefined where the language is not: at a division by zero, a shift
// by too much, a float out of an integer's range. Everything made here is defined for all operands,
// by compare and select around the operation; a constant operand makes them unnecessary.
//
//===----------------------------------------------------------------------===//

#ifndef METTLE_LIB_FRONTEND_NUMBEROPS_H
#define METTLE_LIB_FRONTEND_NUMBEROPS_H

#include "Mettle/Frontend/AST.h"

#include "mlir/IR/Builders.h"

namespace mettle::frontend {

class Numbers {
public:
  explicit Numbers(mlir::OpBuilder &builder) : b(builder) {}

  /// The register type of a scalar.
  mlir::Type type(const Type *scalar);

  mlir::Value zero(mlir::Type type, mlir::Location loc);
  mlir::Value constant(const Type *type, const llvm::APInt &value, mlir::Location loc);
  mlir::Value literal(const IntLiteralExpr &e, mlir::Location loc);
  mlir::Value literal(const FloatLiteralExpr &e, mlir::Location loc);

  /// Operands have the type; for a shift the count has its own, which is `countType`.
  mlir::Value binary(BinaryOp op, const Type *type, mlir::Value a, mlir::Value c,
                     const Type *countType, mlir::Location loc);
  /// A comparison, or its opposite.
  mlir::Value compare(BinaryOp op, const Type *type, mlir::Value a, mlir::Value c, bool negate,
                      mlir::Location loc);
  mlir::Value negate(const Type *type, mlir::Value a, mlir::Location loc);
  mlir::Value complement(const Type *type, mlir::Value a, mlir::Location loc);
  mlir::Value logicalNot(mlir::Value a, mlir::Location loc);

  mlir::Value convert(mlir::Value a, const Type *from, const Type *to, mlir::Location loc);

private:
  mlir::Value divide(const Type *type, mlir::Value a, mlir::Value c, bool remainder,
                     mlir::Location loc);
  mlir::Value shift(bool left, const Type *type, mlir::Value a, mlir::Value count,
                    const Type *countType, mlir::Location loc);
  mlir::Value floatToInteger(mlir::Value a, const Type *from, const Type *to, mlir::Location loc);
  mlir::Value integerToFloat(mlir::Value a, const Type *from, const Type *to, mlir::Location loc);
  mlir::Value resize(mlir::Value a, bool isUnsigned, unsigned from, unsigned to,
                     mlir::Location loc);

  mlir::OpBuilder &b;
};

} // namespace mettle::frontend

#endif // METTLE_LIB_FRONTEND_NUMBEROPS_H
