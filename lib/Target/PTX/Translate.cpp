//===- Translate.cpp - PTX text of a module -===//
//
// The parts of a PTX file in order: target, memory that the launch sizes, declarations, functions,
// source files.
//
//===----------------------------------------------------------------------===//

#include "Mettle/Target/PTX/Translate.h"

#include "FunctionEmitter.h"
#include "TargetChoice.h"

using namespace mlir;
using namespace mettle::ptx;

/// The memory behind every ptx.dynamic_shared, aligned as the strictest asks.
static void emitDynamicShared(ModuleOp module, raw_ostream &os) {
  int64_t alignment = 0;
  module.walk(
      [&](DynamicSharedOp op) { alignment = std::max<int64_t>(alignment, op.getAlignment()); });
  if (alignment)
    os << "\n.extern .shared .align " << alignment << " .b8 " << dynamicSharedName << "[];\n";
}

LogicalResult mettle::ptx::translateToPTX(Operation *op, raw_ostream &os,
                                          const PTXOptions &options) {
  auto module = dyn_cast<ModuleOp>(op);
  if (!module)
    return op->emitError() << "expected a builtin.module, got " << op->getName();
  FailureOr<Target> target = chooseTarget(module, options.target);
  if (failed(target))
    return failure();

  std::string text;
  llvm::raw_string_ostream buffer(text);
  buffer << ".version " << target->version.str() << "\n.target " << target->architecture.str()
         << "\n.address_size 64\n";
  emitDynamicShared(module, buffer);
  // A function is declared before any other may call it.
  auto functions = module.getOps<FuncOp>();
  if (!functions.empty())
    buffer << '\n';
  for (FuncOp function : functions) {
    FunctionEmitter::emitSignature(function, buffer);
    buffer << ";\n";
  }
  SourceFiles files;
  for (Operation &member : module.getBody()->getOperations()) {
    if (!isa<EntryOp, FuncOp>(member))
      return member.emitError() << "expected ptx.entry or ptx.func, got " << member.getName();
    buffer << '\n';
    FunctionEmitter emitter(cast<FunctionOpInterface>(member), options.lineInfo ? &files : nullptr);
    if (failed(emitter.emit(buffer)))
      return failure();
  }
  files.emit(buffer);
  os << text;
  return success();
}
