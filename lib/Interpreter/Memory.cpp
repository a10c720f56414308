//===- Memory.cpp - storage, addresses and accesses -===//
//
// A pointer is an offset in bytes, modulo 2^64, and the object it was derived from; only an access
// asks whether the two fit. Arrays that a kernel declares are constants.
//
//===----------------------------------------------------------------------===//

#include "Mettle/Dialect/Mettle/IR/MemoryOps.h"

#include "Model.h"
#include "WorkItem.h"
#include "mlir/IR/TypeUtilities.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mettle;
using namespace mettle::interpreter;

//===----------------------------------------------------------------------===//
// Storage
//===----------------------------------------------------------------------===//

static LogicalResult lowerAlloc(AllocOp op, FunctionLowering &lowering) {
  AddressSpace space = op.getType().getSpace();
  bool shared = space == AddressSpace::Workgroup;
  std::vector<StaticArray> &arrays =
      shared ? lowering.program().workgroupArrays : lowering.program().privateArrays;
  uint64_t number = arrays.size() + (shared ? dynamicArrayNumber + 1 : 0);
  arrays.push_back({op.getSizeInBytes(), op.getLoc()});
  lowering.defineConstant(op, {0, makeHandle(space, number)});
  return success();
}

static LogicalResult lowerDynamicWorkgroup(DynamicWorkgroupOp op, FunctionLowering &lowering) {
  lowering.defineConstant(op, {0, makeHandle(AddressSpace::Workgroup, dynamicArrayNumber)});
  return success();
}

//===----------------------------------------------------------------------===//
// Addresses
//===----------------------------------------------------------------------===//

/// result = a + b elements of `immediate` bytes
static const Instruction *offset(const Instruction *at, WorkItem &item) {
  item.frame[at->result] = item.frame[at->a] + item.frame[at->b] * at->immediate;
  item.frame[at->result + 1] = item.frame[at->a + 1];
  return at + 1;
}

static LogicalResult lowerOffset(OffsetOp op, FunctionLowering &lowering) {
  lowering.emit(offset, lowering.slot(op.getResult()), lowering.slot(op.getBase()),
                lowering.slot(op.getIndex()), 0, op.getType().getElementBytes());
  return success();
}

static LogicalResult lowerPtrCast(PtrCastOp op, FunctionLowering &lowering) {
  lowering.defineAlias(op.getResult(), op.getSource());
  return success();
}

/// A fault if the pointer a is not into the space `immediate`.
static const Instruction *checkSpace(const Instruction *at, WorkItem &item) {
  auto expected = static_cast<AddressSpace>(at->immediate);
  const Allocation &memory = item.resolve(item.frame[at->a + 1]);
  if (memory.space == expected)
    return at + 1;
  InFlightDiagnostic diagnostic = item.fault(at);
  diagnostic << "casts a pointer to " << stringifyAddressSpace(expected)
             << " memory that points into " << memory.name << " in "
             << stringifyAddressSpace(memory.space) << " memory";
  if (memory.declaration)
    diagnostic.attachNote(memory.declaration) << "it is declared here";
  return nullptr;
}

static LogicalResult lowerSpaceCast(SpaceCastOp op, FunctionLowering &lowering) {
  if (op.getType().getSpace() != AddressSpace::Generic)
    lowering.emit(checkSpace, 0, lowering.slot(op.getSource()), 0, 0,
                  static_cast<uint64_t>(op.getType().getSpace()));
  lowering.defineAlias(op.getResult(), op.getSource());
  return success();
}

//===----------------------------------------------------------------------===//
// Accesses
//===----------------------------------------------------------------------===//

/// The Count slots from `result` on = the elements at the pointer a; the immediate is the alignment
/// in bytes.
template <typename Word, unsigned Count>
static const Instruction *load(const Instruction *at, WorkItem &item) {
  const uint8_t *address =
      item.access<sizeof(Word) * Count, AccessKind::Read>(at, at->a, at->immediate);
  if (!address)
    return nullptr;
  Word elements[Count];
  std::memcpy(elements, address, sizeof elements);
  for (unsigned element = 0; element < Count; ++element)
    item.frame[at->result + element] = elements[element];
  return at + 1;
}

/// The elements at the pointer a = the Count slots from b on
template <typename Word, unsigned Count>
static const Instruction *store(const Instruction *at, WorkItem &item) {
  uint8_t *address = item.access<sizeof(Word) * Count, AccessKind::Write>(at, at->a, at->immediate);
  if (!address)
    return nullptr;
  Word elements[Count];
  for (unsigned element = 0; element < Count; ++element)
    elements[element] = static_cast<Word>(item.frame[at->b + element]);
  std::memcpy(address, elements, sizeof elements);
  return at + 1;
}

namespace {
struct AccessHandlers {
  Handler load, store;
};
} // namespace

/// The handlers for 1, 2, 4, 8 or 16 elements, up to 16 bytes.
template <typename Word> static AccessHandlers accessHandlers(unsigned count) {
  static constexpr unsigned limit = 16 / sizeof(Word);
  static constexpr AccessHandlers handlers[] = {
      {load<Word, 1>, store<Word, 1>},
      {load<Word, 2>, store<Word, 2>},
      {load<Word, std::min(limit, 4u)>, store<Word, std::min(limit, 4u)>},
      {load<Word, std::min(limit, 8u)>, store<Word, std::min(limit, 8u)>},
      {load<Word, std::min(limit, 16u)>, store<Word, std::min(limit, 16u)>},
  };
  return handlers[llvm::Log2_32(count)];
}

static AccessHandlers accessHandlers(Type value) {
  unsigned count = elementCount(value);
  switch (getElementTypeOrSelf(value).getIntOrFloatBitWidth()) {
  case 8:
    return accessHandlers<uint8_t>(count);
  case 16:
    return accessHandlers<uint16_t>(count);
  case 32:
    return accessHandlers<uint32_t>(count);
  default:
    return accessHandlers<uint64_t>(count);
  }
}

static LogicalResult lowerLoad(LoadOp op, FunctionLowering &lowering) {
  lowering.emit(accessHandlers(op.getType()).load, lowering.slot(op.getResult()),
                lowering.slot(op.getPointer()), 0, 0, op.getAlignmentInBytes());
  return success();
}

static LogicalResult lowerStore(StoreOp op, FunctionLowering &lowering) {
  lowering.emit(accessHandlers(op.getValue().getType()).store, 0, lowering.slot(op.getPointer()),
                lowering.slot(op.getValue()), 0, op.getAlignmentInBytes());
  return success();
}

namespace mettle::interpreter::detail {
void registerMemoryModels(DialectRegistry &registry) {
  registry.addExtension(+[](MLIRContext *context, MettleDialect *) {
    attachModels<lowerAlloc, lowerDynamicWorkgroup, lowerOffset, lowerPtrCast, lowerSpaceCast,
                 lowerLoad, lowerStore>(context);
  });
}
} // namespace mettle::interpreter::detail
