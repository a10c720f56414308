//===- CodeArray.h - .npy arrays as codes of a number format ----*- C++ -*-===//
//
// numpy has no name for most formats of matrix instructions: an array holds codes, one an element,
// and an option says of which format. Codes narrower than a byte take a byte each in a file.
//
//===----------------------------------------------------------------------===//

#ifndef METTLE_TOOLS_METTLE_GEMM_CODEARRAY_H
#define METTLE_TOOLS_METTLE_GEMM_CODEARRAY_H

#include "Mettle/Numerics/Format.h"
#include "Mettle/Runtime/Buffer.h"

namespace mettle::gemm {

/// numpy's type for codes of `format`: its own for f16, f32, f64 and whole-byte integers, and an
/// unsigned integer of the width for the others.
runtime::ElementType elementType(numerics::Format format);

/// Bytes that one code takes in an array.
unsigned codeBytes(numerics::Format format);

/// Reads an array whose elements are as wide as codes of `format`; an error names the file, the
/// width it expected and the type it found.
llvm::Expected<runtime::Buffer> readCodes(llvm::StringRef path, numerics::Format format);

} // namespace mettle::gemm

#endif // METTLE_TOOLS_METTLE_GEMM_CODEARRAY_H
