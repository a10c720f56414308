//===- CheckSites.cpp - the assertions and prints of a module -===//
//
// Numbers them in the order in which they stand.
//
//===----------------------------------------------------------------------===//

#include "Mettle/Dialect/Mettle/Transforms/CheckSites.h"

#include "Mettle/Dialect/Mettle/IR/CheckOps.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"

using namespace mlir;
using namespace mettle;

/// The place in source: of what was inlined, where it was written.
static Location sourceOf(Operation *op) {
  if (auto place = op->getLoc()->findInstanceOf<FileLineColLoc>())
    return place;
  return op->getLoc();
}

std::vector<CheckSite> mettle::collectCheckSites(ModuleOp module,
                                                 llvm::DenseMap<Operation *, unsigned> *numbers) {
  std::vector<CheckSite> sites;
  // Attributes are equal when they are the same object.
  llvm::DenseMap<std::pair<Location, DictionaryAttr>, unsigned> known;
  module.walk([&](Operation *op) {
    if (!isa<AssertOp, PrintOp>(op))
      return;
    Location place = sourceOf(op);
    DictionaryAttr attributes = op->getAttrDictionary();
    auto [number, fresh] = known.try_emplace({place, attributes}, sites.size() + 1);
    if (numbers)
      (*numbers)[op] = number->second;
    if (!fresh)
      return;
    CheckSite site{place, isa<PrintOp>(op), op->getAttrOfType<StringAttr>("text").str(), {}};
    if (auto print = dyn_cast<PrintOp>(op); print && print.getKinds())
      for (StringRef kind : print.getKinds()->getAsValueRange<StringAttr>())
        site.kinds.push_back(kind.str());
    sites.push_back(std::move(site));
  });
  return sites;
}

llvm::SetVector<FunctionOpInterface> mettle::functionsWithChecks(ModuleOp module) {
  llvm::SetVector<FunctionOpInterface> reached;
  llvm::DenseMap<StringAttr, SmallVector<FunctionOpInterface>> callers;
  module.walk([&](Operation *op) {
    if (isa<AssertOp, PrintOp>(op))
      reached.insert(op->getParentOfType<FunctionOpInterface>());
    else if (auto call = dyn_cast<func::CallOp>(op))
      callers[call.getCalleeAttr().getAttr()].push_back(
          call->getParentOfType<FunctionOpInterface>());
  });
  for (size_t i = 0; i < reached.size(); ++i) {
    FunctionOpInterface function = reached[i];
    for (FunctionOpInterface caller : callers.lookup(function.getNameAttr()))
      reached.insert(caller);
  }
  return reached;
}
