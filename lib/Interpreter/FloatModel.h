//===- FloatModel.h - models of float operations -===//
//
// Most float operations are one computation on numbers, whatever the format. This picks the
// instruction for a format and emits one for each element.
//
//===----------------------------------------------------------------------===//

#ifndef METTLE_LIB_INTERPRETER_FLOATMODEL_H
#define METTLE_LIB_INTERPRETER_FLOATMODEL_H

#include "Floats.h"
#include "Model.h"
#include "WorkItem.h"
#include "mlir/IR/TypeUtilities.h"

namespace mettle::interpreter {

/// The handler of a format; null where the interpreter does not compute with it.
template <template <typename Float> class Instruction> Handler handlerFor(mlir::Type type) {
  mlir::Type element = mlir::getElementTypeOrSelf(type);
  if (element.isF32())
    return Instruction<F32>::execute;
  if (element.isF64())
    return Instruction<F64>::execute;
  if (element.isF16())
    return Instruction<F16>::execute;
  if (element.isBF16())
    return Instruction<BF16>::execute;
  return nullptr;
}

/// The error for a type that handlerFor has nothing for.
inline llvm::LogicalResult refuseFormat(mlir::Operation *operation, mlir::Type type) {
  return operation->emitError() << "expected f16, bf16, f32 or f64 for the interpreter, got "
                                << mlir::getElementTypeOrSelf(type);
}

/// Emits Instruction<format of `type`> for each element of the result.
template <template <typename Float> class Instruction>
llvm::LogicalResult emitFloat(mlir::Operation *operation, FunctionLowering &lowering,
                              mlir::Type type, uint64_t immediate = 0) {
  Handler handler = handlerFor<Instruction>(type);
  if (!handler)
    return refuseFormat(operation, type);
  emitElementwise(operation, lowering, handler, immediate);
  return llvm::success();
}

/// result = Compute(a), and so on; the result has the operands' format.
template <typename Compute> struct Unary {
  template <typename Float> struct On {
    static const Instruction *execute(const Instruction *at, WorkItem &item) {
      item.frame[at->result] = Float::write(Compute::apply(Float::read(item.frame[at->a])));
      return at + 1;
    }
  };
};

template <typename Compute> struct Binary {
  template <typename Float> struct On {
    static const Instruction *execute(const Instruction *at, WorkItem &item) {
      item.frame[at->result] = Float::write(
          Compute::apply(Float::read(item.frame[at->a]), Float::read(item.frame[at->b])));
      return at + 1;
    }
  };
};

template <typename Op, typename Compute>
llvm::LogicalResult lowerUnary(Op op, FunctionLowering &lowering) {
  return emitFloat<Unary<Compute>::template On>(op, lowering, op.getType());
}

template <typename Op, typename Compute>
llvm::LogicalResult lowerBinary(Op op, FunctionLowering &lowering) {
  return emitFloat<Binary<Compute>::template On>(op, lowering, op.getType());
}

/// An instruction on bits, which keeps those of a NaN; the immediate is the sign's bit.
template <typename Op, Handler Execute>
llvm::LogicalResult lowerSign(Op op, FunctionLowering &lowering) {
  mlir::Type element = mlir::getElementTypeOrSelf(op.getType());
  emitElementwise(op, lowering, Execute, uint64_t(1) << (element.getIntOrFloatBitWidth() - 1));
  return llvm::success();
}

} // namespace mettle::interpreter

#endif // METTLE_LIB_INTERPRETER_FLOATMODEL_H
