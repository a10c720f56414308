//===- LowerAsync.cpp - asynchronous copies -===//
//
// Here the memory that each pointer points into is known, and a copy that is not from global to
// workgroup memory is refused.
//
//===----------------------------------------------------------------------===//

#include "Lowering.h"

#include "Mettle/Dialect/Mettle/IR/AsyncCopyOps.h"

namespace mettle::frontend {

using mlir::Value;

void FunctionLowering::lowerAsyncCall(const CallExpr &e, llvm::ArrayRef<Value> arguments) {
  mlir::Location loc = location(e.range);
  const AsyncCopy &copy = *e.asyncCopy;
  if (e.builtin == BuiltinFunction::AsyncCommit) {
    AsyncCommitOp::create(b, loc);
    return;
  }
  if (e.builtin == BuiltinFunction::AsyncWait) {
    AsyncWaitOp::create(b, loc, copy.pending);
    return;
  }
  bool fits = true;
  for (auto [number, argument] : llvm::enumerate(arguments)) {
    AddressSpace expected = number ? AddressSpace::Global : AddressSpace::Workgroup;
    AddressSpace space = llvm::cast<PtrType>(argument.getType()).getSpace();
    if (space == expected)
      continue;
    fits = false;
    const Range &range = e.arguments[number].value->range;
    context.diagnostics.error(
        range.at, range.at == range.begin ? range.end : range.at, Code::async_copy_space,
        {number ? "source" : "target", stringifyAddressSpace(expected),
         space == AddressSpace::Generic ? std::string("several memories")
                                        : stringifyAddressSpace(space).str() + " memory"});
  }
  if (fits)
    AsyncCopyOp::create(b, loc, copy.elements, arguments[0], arguments[1], copy.transaction,
                        copy.pastL1 ? CacheHint::Global : CacheHint::All);
}

} // namespace mettle::frontend
