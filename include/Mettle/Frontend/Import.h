//===- Import.h - a kernel file to MLIR -===//
//
// The entry to the frontend.
//
//===----------------------------------------------------------------------===//

#ifndef METTLE_FRONTEND_IMPORT_H
#define METTLE_FRONTEND_IMPORT_H

#include "Mettle/Frontend/Diagnostics.h"
#include "Mettle/Frontend/Options.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"

namespace mettle::frontend {

/// The values that variables in registers take, parameters included: the place of the declared
/// name, and a value. A record has those of its fields.
using VariableValues = std::vector<std::pair<Offset, mlir::Value>>;

using DiagnosticHandler = llvm::function_ref<void(const Source &, const Diagnostic &)>;

/// Compiles kernel source to a module of `mettle.kernel` and `func.func` over mettle, scf, arith
/// and math, each operation with its place in the source. Kernels come first, in the order of the
/// file; `values`, if given, gets those of the variables. On errors, which go to the handler in the
/// order of the file, the result is null. The text need not end in a zero and may be anything.
mlir::OwningOpRef<mlir::ModuleOp> importMettleSource(llvm::StringRef fileName, llvm::StringRef text,
                                                     mlir::MLIRContext *context,
                                                     const FrontendOptions &options,
                                                     DiagnosticHandler handler,
                                                     VariableValues *values = nullptr);

} // namespace mettle::frontend

#endif // METTLE_FRONTEND_IMPORT_H
