//===- LowerFunction.cpp - functions, types and the environment -===//
//
// The frame of an instance: its operation, its memory, and the values of its slots.
//
//===----------------------------------------------------------------------===//

#include "Lowering.h"

#include "Mettle/Dialect/Mettle/IR/KernelOps.h"
#include "Mettle/Dialect/Mettle/IR/MemoryOps.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

namespace mettle::frontend {

using mlir::Location;
using mlir::Value;

FunctionLowering::FunctionLowering(LoweringContext &context, const Instance &instance)
    : context(context), instance(instance), function(*instance.function),
      b(context.module.getContext()), numbers(b) {
  values.resize(function.slots);
  depths.resize(function.slots);
  stamps.resize(function.slots);
  types.resize(function.slots, b.getI1Type());
  flags.resize(function.slots, true);
  for (const VarDecl *variable : function.registerVariables) {
    llvm::SmallVector<const Type *> leaves;
    appendLeafTypes(variable->type, leaves);
    for (auto [i, leaf] : llvm::enumerate(leaves)) {
      types[variable->index + i] = registerType(leaf, instance.slots[variable->index + i]);
      flags.reset(variable->index + i);
    }
  }
  if (context.values) {
    owners.resize(function.slots);
    for (const VarDecl *variable : function.registerVariables)
      for (unsigned i = 0; i < leafCount(variable->type); ++i)
        owners[variable->index + i] = variable->range.begin;
  }
  if (!function.result->is(TypeKind::Void))
    types[function.returnValue] = registerType(function.result, instance.result);
}

//===----------------------------------------------------------------------===//
// Types
//===----------------------------------------------------------------------===//

Location FunctionLowering::location(Offset offset) {
  auto &[known, loc] = recentLocations[offset % recentLocations.size()];
  if (!loc || known != offset) {
    LineColumn at = context.tree.source.lineColumn(offset);
    known = offset;
    loc = mlir::FileLineColLoc::get(context.file, at.line, at.column);
  }
  return loc;
}

static AddressSpace spaceOf(Space space) {
  switch (space) {
  case Space::Workgroup:
    return AddressSpace::Workgroup;
  case Space::Private:
    return AddressSpace::Private;
  case Space::Generic:
    return AddressSpace::Generic;
  case Space::Unknown: // Never set, so never read.
  case Space::Global:
    return AddressSpace::Global;
  }
  llvm_unreachable("every space is in the dialect");
}

PtrType FunctionLowering::pointerType(const Type *element, Space space) {
  return PtrType::get(memoryType(element), spaceOf(space));
}

mlir::Type FunctionLowering::registerType(const Type *type, Space space) {
  return type->isPointer() ? pointerType(type->element(), space) : numbers.type(type);
}

/// What memory holds of a type: a bool is a byte, a record its bytes, an array its elements.
mlir::Type FunctionLowering::memoryType(const Type *type) {
  if (type->isBool() || type->isRecord())
    return b.getI8Type();
  return type->isArray() ? memoryType(type->element()) : numbers.type(type);
}

/// What a scalar or pointer that is passed or returned is: a bool travels as a byte.
mlir::Type FunctionLowering::passedType(const Type *type, Space space) {
  return type->isBool() ? b.getI8Type() : registerType(type, space);
}

/// One type for each part of each parameter.
llvm::SmallVector<mlir::Type> FunctionLowering::parameterTypes() {
  llvm::SmallVector<mlir::Type> made;
  for (const VarDecl *parameter : function.parameters)
    for (const PassedPart &part : passedParts(parameter->type))
      made.push_back(passedType(part.type, instance.arguments[made.size()]));
  return made;
}

Value FunctionLowering::toPassed(Value value, const Type *type, Location loc) {
  return type->isBool() ? b.createOrFold<mlir::arith::ExtUIOp>(loc, b.getI8Type(), value) : value;
}

Value FunctionLowering::fromPassed(Value value, const Type *type, Location loc) {
  if (!type->isBool())
    return value;
  return b.createOrFold<mlir::arith::CmpIOp>(loc, mlir::arith::CmpIPredicate::ne, value,
                                             numbers.zero(value.getType(), loc));
}

//===----------------------------------------------------------------------===//
// The function
//===----------------------------------------------------------------------===//

void FunctionLowering::run() {
  b.setInsertionPointToEnd(context.module.getBody());
  function.isKernel ? makeKernel() : makeHelper();
}

void FunctionLowering::makeKernel() {
  llvm::SmallVector<mlir::Type> arguments = parameterTypes();
  auto kernel = KernelOp::create(b, location(function.range), instance.symbol(),
                                 b.getFunctionType(arguments, mlir::TypeRange()));
  if (function.subgroupSize)
    kernel.setSubgroupSize(function.subgroupSize);
  if (function.blockSize[0])
    kernel.setBlockSize(llvm::SmallVector<int32_t>(function.blockSize, function.blockSize + 3));
  entry = &kernel.getBody().emplaceBlock();
  for (mlir::Type argument : arguments)
    entry->addArgument(argument, kernel.getLoc());
  bindParameters(*entry);
  lowerList(function.body->statements, {function.returnFlag});
  ReturnOp::create(b, location(function.body->range.end - 1));
}

void FunctionLowering::makeHelper() {
  llvm::SmallVector<mlir::Type> arguments = parameterTypes(), results;
  bool returns = !function.result->is(TypeKind::Void);
  if (returns)
    results.push_back(passedType(function.result, instance.result));
  auto helper = mlir::func::FuncOp::create(b, location(function.range), instance.symbol(),
                                           b.getFunctionType(arguments, results));
  helper.setPrivate();
  entry = helper.addEntryBlock();
  bindParameters(*entry);
  lowerList(function.body->statements, {function.returnFlag});
  Location loc = location(function.body->range.end - 1);
  llvm::SmallVector<Value> returned;
  if (returns) {
    // A body that never ends has no value.
    Value value = values[function.returnValue];
    if (!value)
      value = placeholder(function.returnValue, loc);
    returned.push_back(toPassed(value, function.result, loc));
  }
  mlir::func::ReturnOp::create(b, loc, returned);
}

void FunctionLowering::bindParameters(mlir::Block &block) {
  b.setInsertionPointToStart(&block);
  makeMemory(block);
  auto *argument = block.args_begin();
  for (const VarDecl *parameter : function.parameters) {
    Location loc = location(parameter->range);
    llvm::SmallVector<Value> leaves;
    for (const PassedPart &part : passedParts(parameter->type)) {
      std::string name = parameter->name->getKey().str() + part.path;
      argument->setLoc(mlir::NameLoc::get(b.getStringAttr(name), loc));
      leaves.push_back(fromPassed(*argument++, part.type, loc));
    }
    llvm::ArrayRef<Value> remaining = leaves;
    parameter->inMemory ? storeLeaves(memory[parameter->index], parameter->type, loc, remaining)
                        : setLeaves(parameter->index, leaves, loc);
  }
}

/// Arrays and variables with an address stand at the start of the kernel, wherever they are
/// declared.
void FunctionLowering::makeMemory(mlir::Block &block) {
  for (const VarDecl *variable : function.memoryVariables) {
    Location loc = location(variable->range);
    const Type *type = variable->type;
    Space space = variable->storage == Storage::Workgroup ? Space::Workgroup : Space::Private;
    if (type->isPointer()) {
      memory.push_back(DynamicWorkgroupOp::create(b, loc, pointerType(type->element(), space)));
      continue;
    }
    uint64_t extent = type->isArray() ? type->extent() : type->isRecord() ? type->size() : 1;
    memory.push_back(
        AllocOp::create(b, loc, PtrType::get(memoryType(type), spaceOf(space)), extent));
  }
}

//===----------------------------------------------------------------------===//
// The environment
//===----------------------------------------------------------------------===//

void FunctionLowering::set(Slot slot, Value value) {
  if (depth)
    log.push_back({slot, values[slot]});
  values[slot] = value;
  if (context.values && value && !isFlag(slot) && slot != function.returnValue)
    context.values->push_back({owners[slot], value});
}

void FunctionLowering::setLeaves(Slot first, llvm::ArrayRef<Value> leaves, Location loc) {
  for (auto [i, leaf] : llvm::enumerate(leaves)) {
    auto pointer = llvm::dyn_cast<PtrType>(types[first + i]);
    set(first + i, pointer ? castSpace(leaf, pointer.getSpace(), loc) : leaf);
  }
}

void FunctionLowering::declare(Slot first, unsigned count) {
  for (Slot slot = first; slot < first + count; ++slot) {
    depths[slot] = depth;
    set(slot, Value());
  }
}

/// Flags use one constant each at the start of the function.
Value FunctionLowering::constantBool(bool value) {
  Value &made = value ? trueValue : falseValue;
  if (!made) {
    mlir::OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToStart(entry);
    made = mlir::arith::ConstantOp::create(b, entry->getParentOp()->getLoc(), b.getBoolAttr(value));
  }
  return made;
}

Value FunctionLowering::placeholder(Slot slot, Location loc) {
  auto type = llvm::dyn_cast<PtrType>(types[slot]);
  if (!type)
    return numbers.zero(types[slot], loc);
  // A pointer of a function comes from a parameter or an array of it: one of the same space exists.
  llvm::SmallVector<Value> sources(memory);
  sources.append(entry->args_begin(), entry->args_end());
  for (Value source : sources) {
    auto sourceType = llvm::dyn_cast<PtrType>(source.getType());
    if (sourceType &&
        (sourceType.getSpace() == type.getSpace() || type.getSpace() == AddressSpace::Generic))
      return castElement(castSpace(source, type.getSpace(), loc), type.getElementType(), loc);
  }
  llvm_unreachable("no pointer can be in a space that nothing of the function is in");
}

FunctionLowering::Arm FunctionLowering::lowerArm(mlir::TypeRange arguments, Location loc,
                                                 llvm::function_ref<void(mlir::Block &)> body) {
  Arm arm;
  arm.region = std::make_unique<mlir::Region>();
  arm.block = &arm.region->emplaceBlock();
  for (mlir::Type type : arguments)
    arm.block->addArgument(type, loc);
  mlir::OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToEnd(arm.block);
  size_t mark = log.size();
  ++depth;
  body(*arm.block);
  --depth;
  ++stamp;
  for (size_t i = mark; i < log.size(); ++i) {
    Slot slot = log[i].slot;
    if (stamps[slot] == stamp || depths[slot] > depth)
      continue;
    stamps[slot] = stamp;
    arm.changed.push_back({slot, values[slot]});
    arm.jumps |= isFlag(slot) && values[slot];
  }
  while (log.size() > mark) {
    values[log.back().slot] = log.back().old;
    log.pop_back();
  }
  return arm;
}

/// Makes the scf.if of two arms; a slot that one of them changed takes the result.
void FunctionLowering::merge(Value condition, Arm then, Arm otherwise, Location loc) {
  struct Merged {
    Slot slot;
    bool inThen, inElse;
    Value thenValue, elseValue;
  };
  std::map<Slot, Merged> changed;
  for (auto [slot, value] : then.changed)
    changed[slot] = {slot, true, false, value, values[slot]};
  for (auto [slot, value] : otherwise.changed) {
    auto [at, fresh] = changed.try_emplace(slot, Merged{slot, false, true, values[slot], value});
    if (!fresh) {
      at->second.inElse = true;
      at->second.elseValue = value;
    }
  }
  llvm::SmallVector<Merged> results;
  for (auto &[slot, merged] : changed) {
    bool outlives = isFlag(slot);
    if (!outlives && ((then.returns && !merged.inElse) || (otherwise.returns && !merged.inThen) ||
                      (then.returns && otherwise.returns)))
      continue;
    if (!merged.thenValue || !merged.elseValue) {
      const Arm &unset = merged.thenValue ? otherwise : then;
      bool neverRead = !merged.thenValue && !merged.elseValue;
      if (neverRead || (!outlives && !unset.returns && !unset.jumps)) {
        set(slot, Value());
        continue;
      }
      Value filler =
          slot != function.returnValue && outlives ? constantBool(false) : placeholder(slot, loc);
      (merged.thenValue ? merged.elseValue : merged.thenValue) = filler;
    }
    if (merged.thenValue == merged.elseValue)
      set(slot, merged.thenValue);
    else
      results.push_back(merged);
  }
  if (results.empty() && then.block->empty() && otherwise.block->empty())
    return;
  if (results.empty() && then.block->empty()) {
    std::swap(then, otherwise);
    condition = numbers.logicalNot(condition, loc);
  }
  mlir::OperationState state(loc, mlir::scf::IfOp::getOperationName());
  state.addOperands(condition);
  llvm::SmallVector<Value> thenValues, elseValues;
  for (Merged &merged : results) {
    state.types.push_back(types[merged.slot]);
    thenValues.push_back(merged.thenValue);
    elseValues.push_back(merged.elseValue);
  }
  bool noElse = results.empty() && otherwise.block->empty();
  {
    mlir::OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToEnd(then.block);
    mlir::scf::YieldOp::create(b, loc, thenValues);
    b.setInsertionPointToEnd(otherwise.block);
    if (!noElse)
      mlir::scf::YieldOp::create(b, loc, elseValues);
  }
  state.addRegion(std::move(then.region));
  state.addRegion(noElse ? std::make_unique<mlir::Region>() : std::move(otherwise.region));
  mlir::Operation *made = b.create(state);
  for (auto [merged, result] : llvm::zip(results, made->getResults()))
    set(merged.slot, result);
}

} // namespace mettle::frontend
