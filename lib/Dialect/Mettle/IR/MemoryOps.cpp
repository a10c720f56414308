//===- MemoryOps.cpp - storage, addresses and accesses -===//
//
// Builders and verification of the memory operations. Folds are in MemoryFolds.cpp, effects in
// MemoryEffects.cpp.
//
//===----------------------------------------------------------------------===//

#include "Mettle/Dialect/Mettle/IR/MemoryOps.h"

#include "Mettle/Dialect/Mettle/IR/KernelOps.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinTypes.h"

using namespace mlir;
using namespace mettle;

#define GET_OP_CLASSES
#include "Mettle/Dialect/Mettle/IR/MemoryOps.cpp.inc"

namespace mettle::detail {
void registerMemoryOps(MettleDialect &dialect) {
  dialect.addFamily<
#define GET_OP_LIST
#include "Mettle/Dialect/Mettle/IR/MemoryOps.cpp.inc"
      >();
}
} // namespace mettle::detail

//===----------------------------------------------------------------------===//
// Storage
//===----------------------------------------------------------------------===//

uint64_t AllocOp::getSizeInBytes() { return getExtent() * getResult().getType().getElementBytes(); }

LogicalResult AllocOp::verify() {
  AddressSpace space = getResult().getType().getSpace();
  // alloc-c1
  if (space != AddressSpace::Workgroup && space != AddressSpace::Private)
    return emitOpError() << "expected a pointer into workgroup or private memory, got "
                         << stringifyAddressSpace(space);
  // alloc-c2
  constexpr int64_t maxBytes = 2147483647;
  auto extent = static_cast<int64_t>(getExtent());
  if (extent < 1 || extent > maxBytes / getResult().getType().getElementBytes())
    return emitOpError() << "expected an extent of at least 1 and at most " << maxBytes
                         << " bytes, got " << extent << " elements of "
                         << getResult().getType().getElementBytes() << " bytes";
  // alloc-c3
  auto kernel = dyn_cast<KernelOp>((*this)->getParentOp());
  if (!kernel || &kernel.getBody().front() != (*this)->getBlock())
    return emitOpError() << "expected to stand in the entry block of a 'mettle.kernel'";
  return success();
}

LogicalResult DynamicWorkgroupOp::verify() {
  AddressSpace space = getResult().getType().getSpace();
  // dynamic_workgroup-c1
  if (space != AddressSpace::Workgroup)
    return emitOpError() << "expected a pointer into workgroup memory, got "
                         << stringifyAddressSpace(space);
  // dynamic_workgroup-c2
  if (!(*this)->getParentOfType<KernelOp>())
    return emitOpError() << "expected to stand in a 'mettle.kernel'";
  return success();
}

//===----------------------------------------------------------------------===//
// Accesses
//===----------------------------------------------------------------------===//

static uint64_t sizeInBytes(Type type) {
  if (auto vector = dyn_cast<VectorType>(type))
    return vector.getNumElements() * vector.getElementTypeBitWidth() / 8;
  return type.getIntOrFloatBitWidth() / 8;
}

/// The rules that a load and a store share; their labels differ in the operation's name only.
template <typename Op> static LogicalResult verifyAccess(Op op, Type value) {
  PtrType pointer = op.getPointer().getType();
  // load-c1, store-c1
  if (getElementTypeOrSelf(value) != pointer.getElementType())
    return op.emitOpError() << "expected a value of " << pointer.getElementType()
                            << " or a vector of it, got " << value;
  // load-c2, store-c2
  uint64_t bytes = sizeInBytes(value);
  if (bytes > 16)
    return op.emitOpError() << "expected an access of at most 16 bytes, got " << bytes;
  // load-c3, store-c3
  std::optional<uint64_t> alignment = op.getAlignment();
  if (alignment && (!llvm::isPowerOf2_64(*alignment) || *alignment < pointer.getElementBytes() ||
                    *alignment > bytes))
    return op.emitOpError() << "expected an alignment that is a power of two from "
                            << pointer.getElementBytes() << " to " << bytes << ", got "
                            << *alignment;
  return success();
}

void LoadOp::build(OpBuilder &builder, OperationState &state, Value pointer) {
  build(builder, state, cast<PtrType>(pointer.getType()).getElementType(), pointer, IntegerAttr(),
        UnitAttr());
}

LogicalResult LoadOp::verify() { return verifyAccess(*this, getResult().getType()); }

uint64_t LoadOp::getAlignmentInBytes() {
  return getAlignment().value_or(sizeInBytes(getResult().getType()));
}

void StoreOp::build(OpBuilder &builder, OperationState &state, Value value, Value pointer) {
  build(builder, state, value, pointer, IntegerAttr(), UnitAttr());
}

LogicalResult StoreOp::verify() { return verifyAccess(*this, getValue().getType()); }

uint64_t StoreOp::getAlignmentInBytes() {
  return getAlignment().value_or(sizeInBytes(getValue().getType()));
}

//===----------------------------------------------------------------------===//
// Casts
//===----------------------------------------------------------------------===//

LogicalResult PtrCastOp::verify() {
  AddressSpace from = getSource().getType().getSpace(), to = getResult().getType().getSpace();
  // ptr_cast-c1
  if (from != to)
    return emitOpError() << "expected a pointer into " << stringifyAddressSpace(from)
                         << " memory, got " << stringifyAddressSpace(to);
  return success();
}

LogicalResult SpaceCastOp::verify() {
  PtrType from = getSource().getType(), to = getResult().getType();
  // space_cast-c1
  if (from.getElementType() != to.getElementType())
    return emitOpError() << "expected a pointer to " << from.getElementType() << ", got one to "
                         << to.getElementType();
  // space_cast-c2
  if ((from.getSpace() == AddressSpace::Generic) == (to.getSpace() == AddressSpace::Generic))
    return emitOpError() << "expected exactly one generic pointer, got "
                         << stringifyAddressSpace(from.getSpace()) << " to "
                         << stringifyAddressSpace(to.getSpace());
  return success();
}
