//===- AddressSpaces.h - which memory a pointer points into -===//
//
// The language does not write address spaces. A kernel's parameters are global, arrays are in the
// memory they are declared in, and a pointer variable has the join over everything assigned to it:
// the one space they share, or generic. A helper is analysed once for each tuple of spaces that its
// pointer arguments come with, and every such instance becomes a function of its own.
//
//===----------------------------------------------------------------------===//

#ifndef METTLE_FRONTEND_ADDRESSSPACES_H
#define METTLE_FRONTEND_ADDRESSSPACES_H

#include "Mettle/Frontend/AST.h"

#include <map>

namespace mettle::frontend {

enum class Space : uint8_t { Unknown, Global, Workgroup, Private, Generic };

inline Space join(Space a, Space b) {
  if (a == Space::Unknown || a == b)
    return b;
  return b == Space::Unknown ? a : Space::Generic;
}

/// A function together with the spaces of its pointer parameters.
struct Instance {
  const FunctionDecl *function = nullptr;
  /// One for each part of each parameter; Unknown for what is not a pointer.
  llvm::SmallVector<Space> arguments;
  /// One a slot, of those that hold pointers.
  llvm::SmallVector<Space> slots;
  Space result = Space::Unknown;

  /// The function's name, followed by `$` and a letter for each pointer parameter (g, w, p, or x
  /// for generic) when one of them is not global.
  std::string symbol() const;
};

class AddressSpaces {
public:
  Instance &kernel(const FunctionDecl &function);
  Instance &helper(const FunctionDecl &function, llvm::ArrayRef<Space> arguments);

  /// Space of a pointer expression, or of a place in memory, in the body of an instance.
  Space of(const Expr *pointer, const Instance &instance);
  Space ofPlace(const Expr *place, const Instance &instance);

  /// The instance that a call in the body of another reaches; null while the space of an argument
  /// is not known.
  Instance *callee(const CallExpr &call, const Instance &caller);

private:
  void infer(Instance &instance);

  std::map<std::pair<const FunctionDecl *, std::vector<Space>>, std::unique_ptr<Instance>>
      instances;
};

} // namespace mettle::frontend

#endif // METTLE_FRONTEND_ADDRESSSPACES_H
