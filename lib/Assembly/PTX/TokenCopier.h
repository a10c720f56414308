//===- TokenCopier.h - Copying pieces of text token by token ----*- C++ -*-===//
//
// What a module keeps as written is printed from the text, with comments and line ends dropped.
//
//===----------------------------------------------------------------------===//

#ifndef METTLE_LIB_ASSEMBLY_PTX_TOKENCOPIER_H
#define METTLE_LIB_ASSEMBLY_PTX_TOKENCOPIER_H

#include "Mettle/Assembly/PTX/Declarations.h"

namespace llvm {
class raw_ostream;
} // namespace llvm

namespace mettle::assembly::ptx {

/// Copies a piece of `text` with every run of spaces and comments made one space.
void copyTokens(llvm::raw_ostream &os, llvm::StringRef text, Slice piece);

/// Copies the constant expression that starts at `offset` of `text`, and returns where it ends.
/// Leading brackets or a plus sign are not part of it.
uint32_t copyExpression(llvm::raw_ostream &os, llvm::StringRef text, uint32_t offset);

} // namespace mettle::assembly::ptx

#endif // METTLE_LIB_ASSEMBLY_PTX_TOKENCOPIER_H
