//===- PresentOperations.h - which operations a module has ------*- C++ -*-===//
//
// Most kernels have none of what most passes look for. One walk, which the passes share while
// nothing changes, tells them so.
//
//===----------------------------------------------------------------------===//

#ifndef METTLE_LIB_DIALECT_METTLE_TRANSFORMS_PRESENTOPERATIONS_H
#define METTLE_LIB_DIALECT_METTLE_TRANSFORMS_PRESENTOPERATIONS_H

#include "mlir/IR/Operation.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallPtrSet.h"

namespace mettle {

/// An analysis: the names of all operations below one.
class PresentOperations {
public:
  explicit PresentOperations(mlir::Operation *root) {
    root->walk([this](mlir::Operation *op) { names.insert(op->getName().getAsOpaquePointer()); });
  }

  /// Whether there is an operation of one of these classes.
  template <typename... Ops> bool has() const {
    return any([](mlir::OperationName name) {
      return ((name.getTypeID() == mlir::TypeID::get<Ops>()) || ...);
    });
  }
  template <typename Interface> bool hasInterface() const {
    return any([](mlir::OperationName name) { return name.hasInterface<Interface>(); });
  }
  template <typename Dialect> bool hasDialect() const {
    return any([](mlir::OperationName name) {
      return name.getDialect() && mlir::isa<Dialect>(name.getDialect());
    });
  }

private:
  bool any(llvm::function_ref<bool(mlir::OperationName)> predicate) const {
    return llvm::any_of(names, [&](const void *name) {
      return predicate(mlir::OperationName::getFromOpaquePointer(name));
    });
  }

  llvm::SmallPtrSet<const void *, 32> names;
};

} // namespace mettle

#endif // METTLE_LIB_DIALECT_METTLE_TRANSFORMS_PRESENTOPERATIONS_H
