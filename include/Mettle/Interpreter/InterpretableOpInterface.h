//===- InterpretableOpInterface.h - operations the interpreter executes -===//
//
// The op interface through which the interpreter learns what an operation means, and the
// registration of the models of every dialect that kernels use.
//
//===----------------------------------------------------------------------===//

#ifndef METTLE_INTERPRETER_INTERPRETABLEOPINTERFACE_H
#define METTLE_INTERPRETER_INTERPRETABLEOPINTERFACE_H

#include "mlir/IR/OpDefinition.h"

namespace mlir {
class DialectRegistry;
} // namespace mlir

namespace mettle::interpreter {
class FunctionLowering;

/// Attaches the models of arith, math, scf, cf, func, ub and mettle operations, each when its
/// dialect is loaded. A tool that creates an Interpreter calls it before it parses.
void registerModels(mlir::DialectRegistry &registry);
} // namespace mettle::interpreter

#include "Mettle/Interpreter/InterpretableOpInterface.h.inc"

#endif // METTLE_INTERPRETER_INTERPRETABLEOPINTERFACE_H
