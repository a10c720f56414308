//===- Import.cpp - a kernel file to MLIR -===//
//
// Runs the stages of the frontend one after the other.
//
//===----------------------------------------------------------------------===//

#include "Mettle/Frontend/Import.h"

#include "Lowering.h"
#include "Mettle/Frontend/Sema.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mettle::frontend;

static void lowerFile(SyntaxTree &tree, llvm::ArrayRef<FunctionDecl *> reached,
                      mlir::ModuleOp module, Diagnostics &diagnostics,
                      const FrontendOptions &options, VariableValues *values) {
  auto file = mlir::StringAttr::get(module.getContext(), tree.source.name());
  LoweringContext context{tree, diagnostics, module, file, options, values, {}, {}, {}};
  for (const FunctionDecl *function : reached)
    if (function->isKernel)
      context.enqueue(context.spaces.kernel(*function));
  for (size_t i = 0; i < context.queue.size(); ++i)
    FunctionLowering(context, *context.queue[i]).run();
}

mlir::OwningOpRef<mlir::ModuleOp>
mettle::frontend::importMettleSource(llvm::StringRef fileName, llvm::StringRef text,
                                     mlir::MLIRContext *context, const FrontendOptions &options,
                                     DiagnosticHandler handler, VariableValues *values) {
  context->loadDialect<MettleDialect, mlir::arith::ArithDialect, mlir::func::FuncDialect,
                       mlir::math::MathDialect, mlir::scf::SCFDialect>();
  bool fits = Source::fits(text);
  Source source(fileName, fits ? text : llvm::StringRef());
  Diagnostics diagnostics(source);
  if (!fits) {
    diagnostics.error(0, 0, Code::file_too_large);
    diagnostics.flush(handler);
    return nullptr;
  }
  SyntaxTree tree(source);
  Parser parser(tree, lex(source, tree.names, diagnostics), diagnostics);
  parser.parseDeclarations();
  Sema sema(tree, parser, diagnostics);
  sema.analyse();
  mlir::OwningOpRef<mlir::ModuleOp> module;
  if (!diagnostics.hasErrors()) {
    module = mlir::ModuleOp::create(mlir::FileLineColLoc::get(context, fileName, 1, 1));
    lowerFile(tree, sema.reached(), *module, diagnostics, options, values);
  }
  if (diagnostics.hasErrors())
    module = nullptr;
  diagnostics.flush(handler, options.errorLimit);
  return module;
}
