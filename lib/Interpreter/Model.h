//===- Model.h - attach the meaning of operations -===//
//
// Makes an external model of the interpreter's interface out of a function that lowers one
// operation, and the shapes that most operations of upstream dialects share.
//
//===----------------------------------------------------------------------===//

#ifndef METTLE_LIB_INTERPRETER_MODEL_H
#define METTLE_LIB_INTERPRETER_MODEL_H

#include "Lowering.h"

namespace mettle::interpreter {

template <auto Lower> struct ModelOf;

template <typename Op, llvm::LogicalResult (*Lower)(Op, FunctionLowering &)>
struct ModelOf<Lower> : InterpretableOpInterface::ExternalModel<ModelOf<Lower>, Op> {
  using Operation = Op;
  llvm::LogicalResult lower(mlir::Operation *operation, FunctionLowering &lowering) const {
    return Lower(llvm::cast<Op>(operation), lowering);
  }
};

/// Gives each operation its model; `Lower` are functions from the operation and a FunctionLowering
/// to success.
template <auto... Lower> void attachModels(mlir::MLIRContext *context) {
  (ModelOf<Lower>::Operation::template attachInterface<ModelOf<Lower>>(*context), ...);
}

/// One instruction for each element of the only result: its slot, the slots of up to three operands
/// (a scalar operand serves every element) and an immediate.
inline void emitElementwise(mlir::Operation *operation, FunctionLowering &lowering, Handler handler,
                            uint64_t immediate = 0) {
  Slot operands[3] = {};
  bool isVector[3] = {};
  for (auto [number, operand] : llvm::enumerate(operation->getOperands())) {
    operands[number] = lowering.slot(operand);
    isVector[number] = llvm::isa<mlir::VectorType>(operand.getType());
  }
  Slot result = lowering.slot(operation->getResult(0));
  for (unsigned element = 0; element < elementCount(operation->getResult(0).getType()); ++element)
    lowering.emit(handler, result + element, operands[0] + isVector[0] * element,
                  operands[1] + isVector[1] * element, operands[2] + isVector[2] * element,
                  immediate);
}

} // namespace mettle::interpreter

#endif // METTLE_LIB_INTERPRETER_MODEL_H
