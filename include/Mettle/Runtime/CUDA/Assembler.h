//===- Assembler.h - A ptxas in place of the driver's -----------*- C++ -*-===//
//
// The driver compiles PTX with the ptxas that it was built with, faults and all;
// a newer one can take its place without a newer driver.
//
//===----------------------------------------------------------------------===//

#ifndef METTLE_RUNTIME_CUDA_ASSEMBLER_H
#define METTLE_RUNTIME_CUDA_ASSEMBLER_H

#include "Mettle/Runtime/CUDA/Driver.h"

namespace mettle::runtime::cuda {

/// The machine code that `ptxas` makes of PTX text for devices of a capability.
/// The error carries the first lines of what ptxas said.
llvm::Expected<std::string> assemble(llvm::StringRef ptxas, llvm::StringRef ptx,
                                     ComputeCapability capability);

} // namespace mettle::runtime::cuda

#endif // METTLE_RUNTIME_CUDA_ASSEMBLER_H
