//===- SourceFiles.h - source files that lines refer to -===//
//
// Numbers for the .file directives of a module, and the source position behind a location.
//
//===----------------------------------------------------------------------===//

#ifndef METTLE_LIB_TARGET_PTX_SOURCEFILES_H
#define METTLE_LIB_TARGET_PTX_SOURCEFILES_H

#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/Location.h"
#include "llvm/ADT/MapVector.h"

namespace mettle::ptx {

class SourceFiles {
public:
  /// File zero: there is none.
  struct Position {
    unsigned file = 0, line = 0, column = 0;

    friend bool operator==(Position a, Position b) {
      return a.file == b.file && a.line == b.line && a.column == b.column;
    }
  };

  /// The innermost source position of `loc`.
  Position find(mlir::Location loc);
  /// Writes a .file directive for each file found so far.
  void emit(llvm::raw_ostream &os) const;

private:
  llvm::MapVector<mlir::StringAttr, unsigned> numbers;
};

} // namespace mettle::ptx

#endif // METTLE_LIB_TARGET_PTX_SOURCEFILES_H
