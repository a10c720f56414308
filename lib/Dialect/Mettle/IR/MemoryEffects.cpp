//===- MemoryEffects.cpp - which memory an access touches -===//
//
// An access names the resource of its pointer's space; a generic one names all three. A volatile
// access also claims the opposite effect, so that nothing merges or removes it.
//
//===----------------------------------------------------------------------===//

#include "Mettle/Dialect/Mettle/IR/MemoryOps.h"

using namespace mlir;
using namespace mettle;

using Effects = SmallVectorImpl<MemoryEffects::EffectInstance>;

static ArrayRef<SideEffects::Resource *> resourcesOf(AddressSpace space) {
  static SideEffects::Resource *const all[] = {GlobalMemory::get(), WorkgroupMemory::get(),
                                               PrivateMemory::get()};
  switch (space) {
  case AddressSpace::Generic:
    return all;
  case AddressSpace::Global:
    return ArrayRef(all).slice(0, 1);
  case AddressSpace::Workgroup:
    return ArrayRef(all).slice(1, 1);
  case AddressSpace::Private:
    return ArrayRef(all).slice(2, 1);
  }
  llvm_unreachable("every space is listed");
}

static void addAccess(MemoryEffects::Effect *effect, OpOperand &pointer, Effects &effects) {
  for (SideEffects::Resource *resource :
       resourcesOf(cast<PtrType>(pointer.get().getType()).getSpace()))
    effects.emplace_back(effect, &pointer, resource);
}

void AllocOp::getEffects(Effects &effects) {
  effects.emplace_back(MemoryEffects::Allocate::get(), getOperation()->getOpResult(0),
                       resourcesOf(getResult().getType().getSpace()).front());
}

void LoadOp::getEffects(Effects &effects) {
  addAccess(MemoryEffects::Read::get(), getPointerMutable(), effects);
  if (getIsVolatile())
    addAccess(MemoryEffects::Write::get(), getPointerMutable(), effects);
}

void StoreOp::getEffects(Effects &effects) {
  addAccess(MemoryEffects::Write::get(), getPointerMutable(), effects);
  if (getIsVolatile())
    addAccess(MemoryEffects::Read::get(), getPointerMutable(), effects);
}
