//===- ForwardLoads.cpp - one load for a branch and what leads to it -===//
//
// CSE merges two loads of a block, but not one in a branch with one before it. Without a load a
// short branch is a choice of values, which `canonicalize` makes of it.
//
//===----------------------------------------------------------------------===//

#include "Mettle/Dialect/Mettle/Transforms/Passes.h"

#include "Mettle/Dialect/Mettle/IR/MemoryOps.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/DenseMap.h"

using namespace mlir;

namespace mettle {
#define GEN_PASS_DEF_FORWARDLOADS
#include "Mettle/Dialect/Mettle/Transforms/Passes.h.inc"
} // namespace mettle

using namespace mettle;

namespace {

/// Whether memory may be another after an operation, and all that it holds.
bool mayWrite(Operation *op) {
  std::optional<SmallVector<MemoryEffects::EffectInstance>> effects = getEffectsRecursively(op);
  return !effects || llvm::any_of(*effects, [](const MemoryEffects::EffectInstance &effect) {
    return !isa<MemoryEffects::Read, MemoryEffects::Allocate>(effect.getEffect());
  });
}

struct ForwardLoads : mettle::impl::ForwardLoadsBase<ForwardLoads> {
  void runOnOperation() override {
    getOperation()->walk([&](Block *block) { visit(*block); });
  }

private:
  void visit(Block &block) {
    // What was loaded from where, with no write since.
    DenseMap<std::pair<Value, Type>, Value> loaded;
    for (Operation &op : block) {
      if (op.getNumRegions() == 0) {
        if (auto load = dyn_cast<LoadOp>(op); load && !load.getIsVolatile())
          loaded.try_emplace({load.getPointer(), load.getType()}, load.getResult());
        else if (!loaded.empty() && mayWrite(&op))
          loaded.clear();
        continue;
      }
      if (loaded.empty())
        continue;
      if (mayWrite(&op)) {
        loaded.clear();
        continue;
      }
      op.walk([&](LoadOp load) {
        Value known = loaded.lookup({load.getPointer(), load.getType()});
        if (!known || load.getIsVolatile())
          return;
        load.replaceAllUsesWith(known);
        load.erase();
        ++numForwarded;
      });
    }
  }
};
} // namespace
