//===- Npy.h - NumPy's array files ------------------------------*- C++ -*-===//
//
// Reads and writes .npy, the format in which arrays come and go (format
// description: numpy/lib/_format_impl.py, versions 1.0 to 3.0). C order, little
// endian, the element types of Element.h.
//
//===----------------------------------------------------------------------===//

#ifndef METTLE_RUNTIME_NPY_H
#define METTLE_RUNTIME_NPY_H

#include "Mettle/Runtime/Buffer.h"

namespace mettle::runtime {

/// Reads `path`. Every error is one line that names the file, what was expected
/// and what stood there.
llvm::Expected<Buffer> readNpy(llvm::StringRef path);

/// As above, and refuses an array of another type or shape.
llvm::Expected<Buffer> readNpy(llvm::StringRef path, ElementType type,
                               llvm::ArrayRef<uint64_t> shape);

/// Writes version 1.0 (2.0 for a very long shape). On failure nothing is left
/// and an existing file keeps its contents.
llvm::Error writeNpy(llvm::StringRef path, const Buffer &buffer);

} // namespace mettle::runtime

#endif // METTLE_RUNTIME_NPY_H
