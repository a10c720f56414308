//===- LowerMemory.cpp - places in memory -===//
//
// Addresses, and the values that go there. A record in memory is an array of bytes: the address of
// a field is counted in bytes and then seen as a pointer to the field's type.
//
//===----------------------------------------------------------------------===//

#include "Lowering.h"

#include "Mettle/Dialect/Mettle/IR/MemoryOps.h"
#include "Mettle/Dialect/Mettle/IR/VectorOps.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

namespace mettle::frontend {

using mlir::Location;
using mlir::Value;

/// The address of a place, as a pointer to what memory holds of its type.
Value FunctionLowering::place(const Expr *e) {
  Location loc = location(e->range);
  switch (e->kind) {
  case Expr::NameRef:
    return memory[llvm::cast<NameExpr>(e)->variable->index];
  case Expr::Index: {
    auto *index = llvm::cast<IndexExpr>(e);
    return offset(lower(index->base), index->index, e->type, /*negative=*/false, loc);
  }
  case Expr::Unary:
    return lower(llvm::cast<UnaryExpr>(e)->operand);
  case Expr::Member: {
    auto *member = llvm::cast<MemberExpr>(e);
    Value base = member->arrow ? lower(member->base) : place(member->base);
    const Type *record = member->arrow ? member->base->type->element() : member->base->type;
    return offsetBytes(base, record->record()->fields[member->fieldIndex].offset, e->type, loc);
  }
  default:
    llvm_unreachable("not a place in memory");
  }
}

/// The address `index` elements further, or back. The index is 64 bits wide before it is scaled.
Value FunctionLowering::offset(Value pointer, const Expr *index, const Type *element, bool negative,
                               Location loc) {
  const Type *wide = context.tree.types.get(TypeKind::Int64);
  Value count = numbers.convert(lower(index), index->type, wide, loc);
  if (element->isRecord()) {
    Value size = numbers.constant(wide, llvm::APInt(64, element->size()), loc);
    count = numbers.binary(BinaryOp::Mul, wide, count, size, wide, loc);
  }
  if (negative)
    count = numbers.negate(wide, count, loc);
  return b.createOrFold<OffsetOp>(loc, pointer.getType(), pointer, count);
}

/// The address `bytes` behind the start of a record, as one of the given type.
Value FunctionLowering::offsetBytes(Value pointer, uint64_t bytes, const Type *type, Location loc) {
  if (bytes) {
    Value count =
        numbers.constant(context.tree.types.get(TypeKind::Int64), llvm::APInt(64, bytes), loc);
    pointer = OffsetOp::create(b, loc, pointer.getType(), pointer, count);
  }
  return castElement(pointer, memoryType(type), loc);
}

Value FunctionLowering::load(Value pointer, const Type *type, Location loc) {
  return fromPassed(LoadOp::create(b, loc, pointer), type, loc);
}

/// How many scalars of `parts` from the first on one access can move: neighbours of one type, as
/// many as the address is a multiple of.
static unsigned movedAtOnce(llvm::ArrayRef<MemoryPart> parts, uint64_t alignment) {
  const Type *type = parts.front().type;
  uint64_t bytes = type->size(), first = parts.front().offset;
  if (first)
    alignment = std::min(alignment, first & -first);
  unsigned alike = 1;
  while (type->isScalar() && alike < parts.size() && parts[alike].type == type &&
         parts[alike].offset == first + alike * bytes)
    ++alike;
  // Upstream's SPIR-V dialect has no longer vectors.
  constexpr unsigned longest = 4;
  constexpr uint64_t widest = 16;
  return llvm::bit_floor(
      std::min<uint64_t>(std::min(alike, longest), std::min(alignment, widest) / bytes));
}

/// Calls `each` with the address of every access that moves a record, the type of what it moves,
/// and the number of scalars.
void FunctionLowering::forEachAccess(
    Value pointer, const Type *record, Location loc,
    llvm::function_ref<void(Value address, const Type *type, unsigned count)> each) {
  llvm::SmallVector<MemoryPart> parts = memoryParts(record);
  for (llvm::ArrayRef<MemoryPart> left = parts; !left.empty();) {
    auto [type, offset] = left.front();
    unsigned count = std::max(1u, movedAtOnce(left, record->alignment()));
    each(offsetBytes(pointer, offset, type, loc), type, count);
    left = left.drop_front(count);
  }
}

void FunctionLowering::loadLeaves(Value pointer, const Type *type, Location loc,
                                  llvm::SmallVectorImpl<Value> &leaves) {
  if (!type->isRecord()) {
    leaves.push_back(load(pointer, type, loc));
    return;
  }
  forEachAccess(pointer, type, loc, [&](Value address, const Type *part, unsigned count) {
    if (count == 1)
      return leaves.push_back(load(address, part, loc));
    auto vector = mlir::VectorType::get(count, memoryType(part));
    auto unpack = UnpackOp::create(b, loc, LoadOp::create(b, loc, vector, address));
    for (Value element : unpack.getElements())
      leaves.push_back(fromPassed(element, part, loc));
  });
}

/// Stores the first leaves, as many as the type has, and takes them off the list.
void FunctionLowering::storeLeaves(Value pointer, const Type *type, Location loc,
                                   llvm::ArrayRef<Value> &leaves) {
  if (type->isRecord() && !type->record()->hasArray) {
    forEachAccess(pointer, type, loc, [&](Value address, const Type *part, unsigned count) {
      llvm::SmallVector<Value> elements = llvm::map_to_vector(
          leaves.take_front(count), [&](Value leaf) { return toPassed(leaf, part, loc); });
      Value stored = elements.front();
      if (count > 1)
        stored = PackOp::create(b, loc, mlir::VectorType::get(count, memoryType(part)), elements);
      StoreOp::create(b, loc, stored, address);
      leaves = leaves.drop_front(count);
    });
    return;
  }
  if (type->isRecord()) {
    for (const Field &field : type->record()->fields)
      storeLeaves(offsetBytes(pointer, field.offset, field.type, loc), field.type, loc, leaves);
    return;
  }
  if (type->isArray()) {
    for (uint64_t i = 0; i < type->extent(); ++i) {
      Value count =
          numbers.constant(context.tree.types.get(TypeKind::Int64), llvm::APInt(64, i), loc);
      storeLeaves(b.createOrFold<OffsetOp>(loc, pointer.getType(), pointer, count), type->element(),
                  loc, leaves);
    }
    return;
  }
  StoreOp::create(b, loc, toPassed(leaves.front(), type, loc), pointer);
  leaves = leaves.drop_front();
}

/// Copies a record with arrays from one place to another.
void FunctionLowering::copyRecord(Value from, Value to, const Type *type, Location loc) {
  for (const Field &field : type->record()->fields) {
    Value source = offsetBytes(from, field.offset, field.type, loc);
    Value target = offsetBytes(to, field.offset, field.type, loc);
    if (field.type->isRecord())
      copyRecord(source, target, field.type, loc);
    else if (field.type->isArray())
      copyArray(source, target, field.type, loc);
    else
      StoreOp::create(b, loc, LoadOp::create(b, loc, source), target);
  }
}

void FunctionLowering::copyArray(Value from, Value to, const Type *array, Location loc) {
  const Type *wide = context.tree.types.get(TypeKind::Int64);
  auto number = [&](uint64_t value) { return numbers.constant(wide, llvm::APInt(64, value), loc); };
  auto loop = mlir::scf::ForOp::create(b, loc, number(0), number(array->extent()), number(1));
  mlir::OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(loop.getBody());
  Value i = loop.getInductionVar();
  Value source = OffsetOp::create(b, loc, from.getType(), from, i);
  Value target = OffsetOp::create(b, loc, to.getType(), to, i);
  StoreOp::create(b, loc, LoadOp::create(b, loc, source), target);
}

Value FunctionLowering::castElement(Value pointer, mlir::Type element, Location loc) {
  auto type = llvm::cast<PtrType>(pointer.getType());
  if (type.getElementType() == element)
    return pointer;
  return PtrCastOp::create(b, loc, PtrType::get(element, type.getSpace()), pointer);
}

Value FunctionLowering::castSpace(Value pointer, AddressSpace space, Location loc) {
  auto type = llvm::cast<PtrType>(pointer.getType());
  if (type.getSpace() == space)
    return pointer;
  return SpaceCastOp::create(b, loc, PtrType::get(type.getElementType(), space), pointer);
}

} // namespace mettle::frontend
