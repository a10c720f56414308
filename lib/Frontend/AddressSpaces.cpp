//===- AddressSpaces.cpp - which memory a pointer points into -===//
//
// A fixpoint over the pointer assignments of a body. Spaces only climb from unknown over one space
// to generic, so it takes at most two rounds more than the longest chain of variables; and since
// functions do not recurse, asking a callee for its result ends.
//
//===----------------------------------------------------------------------===//

#include "Mettle/Frontend/AddressSpaces.h"

using namespace mettle::frontend;

static Space spaceOfVariable(const VarDecl &variable) {
  return variable.storage == Storage::Workgroup ? Space::Workgroup : Space::Private;
}

std::string Instance::symbol() const {
  std::string letters;
  bool suffix = false;
  for (Space space : arguments) {
    if (space == Space::Unknown)
      continue;
    letters += "?gwpx"[static_cast<unsigned>(space)];
    suffix |= space != Space::Global;
  }
  std::string name = function->name->getKey().str();
  return suffix ? name + "$" + letters : name;
}

Instance &AddressSpaces::kernel(const FunctionDecl &function) {
  llvm::SmallVector<Space> arguments;
  for (const VarDecl *parameter : function.parameters)
    for (const PassedPart &part : passedParts(parameter->type))
      arguments.push_back(part.type->isPointer() ? Space::Global : Space::Unknown);
  return helper(function, arguments);
}

Instance &AddressSpaces::helper(const FunctionDecl &function, llvm::ArrayRef<Space> arguments) {
  auto &slot = instances[{&function, arguments.vec()}];
  if (!slot) {
    slot = std::make_unique<Instance>();
    slot->function = &function;
    slot->arguments.assign(arguments.begin(), arguments.end());
    infer(*slot);
  }
  return *slot;
}

void AddressSpaces::infer(Instance &instance) {
  const FunctionDecl &function = *instance.function;
  instance.slots.assign(function.slots, Space::Unknown);
  llvm::ArrayRef<Space> arguments = instance.arguments;
  for (const VarDecl *parameter : function.parameters) {
    llvm::ArrayRef<Space> parts = arguments.take_front(countPassedParts(parameter->type));
    arguments = arguments.drop_front(parts.size());
    if (!parameter->inMemory)
      llvm::copy(parts, instance.slots.begin() + parameter->index);
  }
  for (bool changed = true; changed;) {
    changed = false;
    for (const PointerFlow &flow : function.pointerFlows) {
      Space &target = instance.slots[flow.target];
      Space value = flow.value ? of(flow.value, instance) : instance.slots[flow.source];
      Space joined = join(target, value);
      changed |= joined != target;
      target = joined;
    }
  }
  for (const Expr *returned : function.returnedPointers)
    instance.result = join(instance.result, of(returned, instance));
}

Instance *AddressSpaces::callee(const CallExpr &call, const Instance &caller) {
  llvm::SmallVector<Space> arguments;
  for (const Argument &argument : call.arguments) {
    const Type *type = argument.value->type;
    // A record with a pointer is in registers.
    Slot first = type->isRecord() && type->record()->hasPointer ? slotsOf(argument.value).first : 0;
    for (auto [i, part] : llvm::enumerate(passedParts(type))) {
      bool pointer = part.type->isPointer();
      arguments.push_back(!pointer           ? Space::Unknown
                          : type->isRecord() ? caller.slots[first + i]
                                             : of(argument.value, caller));
      if (pointer && arguments.back() == Space::Unknown)
        return nullptr;
    }
  }
  return &helper(*call.function, arguments);
}

Space AddressSpaces::of(const Expr *pointer, const Instance &instance) {
  if (SlotRange range = slotsOf(pointer); range.count)
    return instance.slots[range.first];
  switch (pointer->kind) {
  case Expr::NameRef:
    // A dynamic view: the only pointer that is not in a slot.
    return Space::Workgroup;
  case Expr::Decay:
    return ofPlace(llvm::cast<DecayExpr>(pointer)->operand, instance);
  case Expr::Unary:
    return ofPlace(llvm::cast<UnaryExpr>(pointer)->operand, instance);
  case Expr::Binary:
    return of(llvm::cast<BinaryExpr>(pointer)->lhs, instance);
  case Expr::Cast:
    return of(llvm::cast<CastExpr>(pointer)->operand, instance);
  case Expr::Call: {
    Instance *reached = callee(*llvm::cast<CallExpr>(pointer), instance);
    return reached ? reached->result : Space::Unknown;
  }
  default:
    // The old value of a compound assignment says nothing new about its target.
    return Space::Unknown;
  }
}

Space AddressSpaces::ofPlace(const Expr *place, const Instance &instance) {
  switch (place->kind) {
  case Expr::NameRef:
    return spaceOfVariable(*llvm::cast<NameExpr>(place)->variable);
  case Expr::Index:
    return of(llvm::cast<IndexExpr>(place)->base, instance);
  case Expr::Unary:
    return of(llvm::cast<UnaryExpr>(place)->operand, instance);
  case Expr::Member: {
    auto *member = llvm::cast<MemberExpr>(place);
    return member->arrow ? of(member->base, instance) : ofPlace(member->base, instance);
  }
  default:
    return Space::Unknown;
  }
}
