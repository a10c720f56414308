//===- LowerAtomic.cpp - atomic operations -===//
//
// One operation of the dialect each. Here the memory of the pointer is known, from which the scope
// follows and what is refused.
//
//===----------------------------------------------------------------------===//

#include "Lowering.h"

#include "Mettle/Dialect/Mettle/IR/AtomicOps.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

namespace mettle::frontend {

using mlir::Value;

static mettle::MemoryOrder orderOf(MemoryOrder order) {
  static constexpr mettle::MemoryOrder all[] = {
      mettle::MemoryOrder::Relaxed, mettle::MemoryOrder::Acquire, mettle::MemoryOrder::Release,
      mettle::MemoryOrder::AcqRel, mettle::MemoryOrder::SeqCst};
  return all[static_cast<unsigned>(order)];
}

static AtomicKind kindOf(BuiltinFunction builtin, const Type *type) {
  switch (builtin) {
  case BuiltinFunction::AtomicFetchAdd:
    return type->isFloat() ? AtomicKind::FAdd : AtomicKind::Add;
  case BuiltinFunction::AtomicFetchSub:
    return AtomicKind::Sub;
  case BuiltinFunction::AtomicFetchMin:
    return type->isUnsigned() ? AtomicKind::UMin : AtomicKind::SMin;
  case BuiltinFunction::AtomicFetchMax:
    return type->isUnsigned() ? AtomicKind::UMax : AtomicKind::SMax;
  case BuiltinFunction::AtomicFetchAnd:
    return AtomicKind::And;
  case BuiltinFunction::AtomicFetchOr:
    return AtomicKind::Or;
  case BuiltinFunction::AtomicFetchXor:
    return AtomicKind::Xor;
  case BuiltinFunction::AtomicExchange:
    return AtomicKind::Exchange;
  default:
    llvm_unreachable("not an update");
  }
}

/// The address of the element, in the space that the call states if it does. Null after an error.
Value FunctionLowering::atomicPlace(const CallExpr &e) {
  const Expr *base = e.arguments[0].value;
  mlir::Location loc = location(e.range);
  Value pointer = lower(base);
  AddressSpace space = llvm::cast<PtrType>(pointer.getType()).getSpace(), stated = space;
  if (e.atomic.space != AtomicOptions::InferredSpace)
    stated = e.atomic.space == AtomicOptions::GlobalSpace ? AddressSpace::Global
                                                          : AddressSpace::Workgroup;
  auto refuse = [&](Code code, std::initializer_list<llvm::StringRef> places) {
    context.diagnostics.error(base->range.begin, base->range.end, code, places);
    return Value();
  };
  if (space == AddressSpace::Private)
    return refuse(Code::atomic_space, {"global or workgroup", "private"});
  if (stated != space && space != AddressSpace::Generic)
    return refuse(Code::atomic_space,
                  {stringifyAddressSpace(stated), stringifyAddressSpace(space)});
  if (stated == AddressSpace::Workgroup && e.atomic.scope == AtomicOptions::DeviceScope)
    return refuse(Code::atomic_workgroup_scope, {"device"});
  return offset(castSpace(pointer, stated, loc), e.arguments[1].value, base->type->element(),
                /*negative=*/false, loc);
}

/// Null for a store.
Value FunctionLowering::lowerAtomicCall(const CallExpr &e) {
  mlir::Location loc = location(e.range);
  Value pointer = atomicPlace(e);
  if (!pointer)
    return e.type->is(TypeKind::Void)
               ? Value()
               : mlir::arith::ConstantOp::create(b, loc, b.getZeroAttr(registerType(e.type)));
  llvm::SmallVector<Value, 2> values;
  for (const Argument &argument : e.arguments.drop_front(2))
    values.push_back(lower(argument.value));
  mettle::MemoryOrder order = orderOf(e.atomic.order);
  auto type = llvm::cast<PtrType>(pointer.getType());
  bool isWorkgroup = e.atomic.scope == AtomicOptions::InferredScope
                         ? type.getSpace() == AddressSpace::Workgroup
                         : e.atomic.scope == AtomicOptions::WorkgroupScope;
  MemoryScope scope = isWorkgroup ? MemoryScope::Workgroup : MemoryScope::Device;
  mlir::Type element = type.getElementType();
  switch (e.builtin) {
  case BuiltinFunction::AtomicLoad:
    return AtomicLoadOp::create(b, loc, element, order, scope, pointer);
  case BuiltinFunction::AtomicStore:
    AtomicStoreOp::create(b, loc, order, scope, values[0], pointer);
    return Value();
  case BuiltinFunction::AtomicCompareExchange:
    return AtomicCmpXchgOp::create(b, loc, element, order, orderOf(e.atomic.failureOrder), scope,
                                   pointer, values[0], values[1]);
  default: {
    AtomicKind kind = kindOf(e.builtin, e.type);
    return AtomicRMWOp::create(b, loc, element, kind, order, scope, pointer, values[0],
                               /*unordered=*/kind == AtomicKind::FAdd);
  }
  }
}

} // namespace mettle::frontend
