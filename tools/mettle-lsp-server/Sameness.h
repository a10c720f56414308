//===- Sameness.h - for whom variables are the same -----------------------===//
//
// What hover says beside a variable's type: whether all of a workgroup have its value, all of a
// subgroup, or each work-item its own.
//
//===----------------------------------------------------------------------===//

#ifndef METTLE_TOOLS_METTLE_LSP_SERVER_SAMENESS_H
#define METTLE_TOOLS_METTLE_LSP_SERVER_SAMENESS_H

#include "Mettle/Frontend/Import.h"

#include "llvm/ADT/DenseMap.h"

namespace mettle::lsp {

/// By the place of a variable's declared name, in words. Of a file without errors; empty for
/// others.
llvm::DenseMap<frontend::Offset, llvm::StringRef>
samenessOfVariables(mlir::MLIRContext &context, llvm::StringRef name, llvm::StringRef text);

} // namespace mettle::lsp

#endif // METTLE_TOOLS_METTLE_LSP_SERVER_SAMENESS_H
