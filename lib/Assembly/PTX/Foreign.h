//===- Foreign.h - Telling other formats from PTX ---------------*- C++ -*-===//
//
// When a text does not start as PTX must, says what it seems to be instead.
//
//===----------------------------------------------------------------------===//

#ifndef METTLE_LIB_ASSEMBLY_PTX_FOREIGN_H
#define METTLE_LIB_ASSEMBLY_PTX_FOREIGN_H

#include "llvm/ADT/StringRef.h"

namespace mettle::assembly::ptx {

/// `AMDGCN assembly`, `a SPIR-V binary` and the like; empty if nothing is recognised.
llvm::StringRef foreignFormat(llvm::StringRef text);

} // namespace mettle::assembly::ptx

#endif // METTLE_LIB_ASSEMBLY_PTX_FOREIGN_H
