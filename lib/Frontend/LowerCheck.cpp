//===- LowerCheck.cpp - gpu_assert and gpu_print -===//
//
// One operation each where checks are asked for; nothing, operands included, where they are not.
//
//===----------------------------------------------------------------------===//

#include "Lowering.h"

#include "Mettle/Dialect/Mettle/IR/CheckOps.h"

namespace mettle::frontend {

using mlir::Value;

/// How a value of a type is written.
static std::string kindOf(const Type *type) {
  if (type->isBool())
    return "bool";
  return (type->isFloat() ? "f" : type->isUnsigned() ? "u" : "i") + std::to_string(type->bits());
}

void FunctionLowering::lowerCheck(const CallExpr &e) {
  if (!context.options.checks)
    return;
  mlir::Location loc = location(e.range.begin);
  mlir::StringAttr text = b.getStringAttr(e.text);
  llvm::SmallVector<Value> values;
  llvm::SmallVector<std::string> kinds;
  for (const Argument &argument : e.arguments) {
    values.push_back(lower(argument.value));
    kinds.push_back(kindOf(argument.value->type));
  }
  if (e.builtin == BuiltinFunction::Assert) {
    AssertOp::create(b, loc, values.front(), text);
    return;
  }
  llvm::SmallVector<mlir::StringRef> names(kinds.begin(), kinds.end());
  PrintOp::create(b, loc, text, values.empty() ? mlir::ArrayAttr() : b.getStrArrayAttr(names),
                  values);
}

} // namespace mettle::frontend
