//===- Lowering.cpp - operations to instructions -===//
//
// Numbering of slots, resolution of labels, and the walk over a function's regions. Constants and
// the arguments of calls get provisional slot numbers, since where they lie in a frame is known
// only when the function is finished.
//
//===----------------------------------------------------------------------===//

#include "Lowering.h"

#include "AccessHistory.h"
#include "ControlHandlers.h"
#include "mlir/Dialect/UB/IR/UBOps.h"
#include "mlir/IR/BuiltinTypes.h"

using namespace mlir;
using namespace mettle;
using namespace mettle::interpreter;

// Provisional slot numbers.
static constexpr Slot constantBit = 1u << 31, outgoingBit = 1u << 30;

std::optional<unsigned> mettle::interpreter::slotCount(Type type) {
  if (auto vector = dyn_cast<VectorType>(type)) {
    std::optional<unsigned> element = slotCount(vector.getElementType());
    if (!element || vector.isScalable())
      return std::nullopt;
    return *element * vector.getNumElements();
  }
  if (isa<PtrType>(type))
    return 2;
  if (type.isIndex() || (type.isIntOrFloat() && type.getIntOrFloatBitWidth() <= 64))
    return 1;
  return std::nullopt;
}

unsigned mettle::interpreter::elementCount(Type type) {
  auto vector = dyn_cast<VectorType>(type);
  return vector ? vector.getNumElements() : 1;
}

//===----------------------------------------------------------------------===//
// Programs
//===----------------------------------------------------------------------===//

uint32_t ProgramLowering::require(FunctionOpInterface function) {
  return numbers.try_emplace(function, numbers.size()).first->second;
}

FailureOr<std::unique_ptr<Program>> ProgramLowering::lower(FunctionOpInterface kernel) {
  result = std::make_unique<Program>();
  require(kernel);
  // Lowering a function adds those it calls.
  for (size_t next = 0; next < numbers.size(); ++next) {
    auto function = cast<FunctionOpInterface>((numbers.begin() + next)->first);
    FailureOr<Function> lowered = FunctionLowering(*this, function).lower();
    if (failed(lowered))
      return failure();
    result->functions.push_back(std::move(*lowered));
  }
  if (result->instructions.size() >> instructionBits)
    return kernel.emitError() << "expected a kernel of at most " << (1u << instructionBits)
                              << " instructions for the interpreter, got "
                              << result->instructions.size();
  return std::move(result);
}

//===----------------------------------------------------------------------===//
// Functions
//===----------------------------------------------------------------------===//

FunctionLowering::FunctionLowering(ProgramLowering &parent, FunctionOpInterface function)
    : parent(parent), function(function), location(function.getLoc()) {}

FailureOr<Function> FunctionLowering::lower() {
  if (function.isExternal())
    return function.emitError() << "expected function '" << function.getName()
                                << "' to have a body, since a kernel calls it";
  for (Value argument : function.getArguments()) {
    if (!slotCount(argument.getType()))
      return function.emitError() << "the interpreter cannot hold a value of type "
                                  << argument.getType();
    allocate(argument);
  }
  findPoison();
  if (failed(lowerBlocks(function.getFunctionBody())))
    return failure();
  return finish();
}

/// Values that may be poison are those of ub.poison, the arguments of blocks and the results of
/// operations with regions; every other operation has computed with its operands.
void FunctionLowering::findPoison() {
  function->walk([&](ub::PoisonOp) { hasPoison = true; });
  if (!hasPoison)
    return;
  Slot first = usedSlots;
  auto addFlag = [&](Value value) { poisonFlags[value] = newSlot(); };
  function->walk([&](Operation *operation) {
    if (operation->getNumRegions())
      llvm::for_each(operation->getResults(), addFlag);
    for (Region &region : operation->getRegions())
      for (Block &block : region)
        if (&block != &function.getFunctionBody().front())
          llvm::for_each(block.getArguments(), addFlag);
  });
  emit(fillZero, first, usedSlots - first);
  function->walk([&](ub::PoisonOp poison) { poisonFlags[poison] = constant(1); });
}

LogicalResult FunctionLowering::lowerBlocks(Region &region) {
  for (Block &block : region) {
    bind(labelOf(&block));
    for (Value argument : block.getArguments())
      if (!slotCount(argument.getType()))
        return emitError(argument.getLoc())
               << "the interpreter cannot hold a value of type " << argument.getType();
    for (Operation &operation : block)
      if (failed(lowerOperation(&operation)))
        return failure();
  }
  return success();
}

LogicalResult FunctionLowering::lowerOperation(Operation *operation) {
  auto model = dyn_cast<InterpretableOpInterface>(operation);
  if (!model)
    return operation->emitError() << "the interpreter has no model for '" << operation->getName()
                                  << "'";
  for (Type type : operation->getResultTypes())
    if (!slotCount(type))
      return operation->emitError() << "the interpreter cannot hold a value of type " << type;
  Location outer = std::exchange(location, operation->getLoc());
  LogicalResult result = model.lower(*this);
  location = outer;
  return result;
}

Function FunctionLowering::finish() {
  for (auto [instruction, label] : jumps)
    instructions[instruction].immediate =
        static_cast<int64_t>(*labels[static_cast<uint32_t>(label)]) - instruction;

  unsigned results = 0;
  for (Type type : function.getResultTypes())
    results += *slotCount(type);
  Function result;
  result.name = function.getName().str();
  result.entry = program().instructions.size();
  result.constantBase = std::max(usedSlots, results);
  result.frameSlots = result.constantBase + constants.size();
  result.outgoingSlots = outgoingSlots;
  result.constants = std::move(constants);

  auto settle = [&](uint32_t &field) {
    if (field & constantBit)
      field = result.constantBase + (field & ~constantBit);
    else if (field & outgoingBit)
      field = result.frameSlots + (field & ~outgoingBit);
  };
  for (Instruction &instruction : instructions) {
    settle(instruction.result);
    settle(instruction.a);
    settle(instruction.b);
    settle(instruction.c);
  }
  llvm::append_range(program().instructions, instructions);
  llvm::append_range(program().locations, locations);
  return result;
}

//===----------------------------------------------------------------------===//
// Slots
//===----------------------------------------------------------------------===//

Slot FunctionLowering::newSlot() { return usedSlots++; }

Slot FunctionLowering::allocate(Value value) {
  auto [entry, isNew] = slots.try_emplace(value, usedSlots);
  if (isNew)
    usedSlots += *slotCount(value.getType());
  return entry->second;
}

Slot FunctionLowering::slot(Value value) {
  if (auto flag = poisonFlags.find(value); flag != poisonFlags.end())
    emit(checkPoison, 0, flag->second);
  return allocate(value);
}

Slot FunctionLowering::constant(ArrayRef<uint64_t> words) {
  Slot next = constantBit | static_cast<Slot>(constants.size());
  if (words.size() == 1) {
    auto [entry, isNew] = scalarConstants.try_emplace(words.front(), next);
    if (!isNew)
      return entry->second;
  }
  llvm::append_range(constants, words);
  return next;
}

void FunctionLowering::define(Value value, Slot source) {
  auto [entry, isNew] = slots.try_emplace(value, source);
  if (isNew)
    return;
  // A block that stands before this one but runs after it has used the value.
  for (unsigned index = 0, count = *slotCount(value.getType()); index < count; ++index)
    emit(copyWord, entry->second + index, source + index);
}

void FunctionLowering::defineConstant(Value value, ArrayRef<uint64_t> words) {
  define(value, constant(words));
}

void FunctionLowering::defineAlias(Value value, Value other) { define(value, slot(other)); }

SmallVector<Slot> FunctionLowering::copySlots(ValueRange values) {
  SmallVector<Slot> result;
  for (Value value : values) {
    Slot first = allocate(value);
    for (unsigned index = 0, count = *slotCount(value.getType()); index < count; ++index)
      result.push_back(first + index);
    if (hasPoison) {
      auto flag = poisonFlags.find(value);
      result.push_back(flag == poisonFlags.end() ? constant(0) : flag->second);
    }
  }
  return result;
}

//===----------------------------------------------------------------------===//
// Instructions
//===----------------------------------------------------------------------===//

void FunctionLowering::emit(Handler handler, Slot result, uint32_t a, uint32_t b, uint32_t c,
                            uint64_t immediate) {
  instructions.push_back({handler, result, a, b, c, immediate});
  locations.push_back(location);
}

void FunctionLowering::emitCopies(ArrayRef<Slot> destinations, ArrayRef<Slot> sources) {
  assert(destinations.size() == sources.size());
  // Of each destination that is still to be written: its source. Of each slot: how many of those
  // read it. A destination that nobody reads can be written.
  llvm::MapVector<Slot, Slot> pending;
  llvm::DenseMap<Slot, unsigned> readers;
  for (auto [destination, source] : llvm::zip_equal(destinations, sources))
    if (destination != source) {
      pending[destination] = source;
      ++readers[source];
    }
  SmallVector<Slot> ready;
  for (auto [destination, source] : pending)
    if (!readers.lookup(destination))
      ready.push_back(destination);
  for (Slot cycleStart : llvm::make_first_range(pending)) {
    while (!ready.empty()) {
      Slot destination = ready.pop_back_val();
      Slot source = std::exchange(pending[destination], destination);
      emit(copyWord, destination, source);
      if (--readers[source] == 0 && pending.contains(source) && pending[source] != source)
        ready.push_back(source);
    }
    // What is left are cycles: one value of each is kept aside.
    if (pending[cycleStart] == cycleStart)
      continue;
    Slot aside = newSlot();
    emit(copyWord, aside, cycleStart);
    for (auto &[destination, source] : pending)
      if (source == cycleStart && destination != cycleStart) {
        source = aside;
        ++readers[aside];
      }
    readers[cycleStart] = 0;
    ready.push_back(cycleStart);
  }
}

Label FunctionLowering::newLabel() {
  labels.emplace_back();
  return static_cast<Label>(labels.size() - 1);
}

void FunctionLowering::bind(Label label) {
  // A jump to the next instruction is none, unless another label stands behind it.
  if (!jumps.empty() &&
      jumps.back() == std::pair(static_cast<uint32_t>(instructions.size()) - 1, label) &&
      instructions.back().handler == jump && lastBound < instructions.size()) {
    jumps.pop_back();
    instructions.pop_back();
    locations.pop_back();
  }
  lastBound = instructions.size();
  labels[static_cast<uint32_t>(label)] = instructions.size();
}

void FunctionLowering::emitTo(Label label, Handler handler, Slot result, uint32_t a, uint32_t b,
                              uint32_t c) {
  jumps.emplace_back(instructions.size(), label);
  emit(handler, result, a, b, c);
}

void FunctionLowering::emitJump(Label label) { emitTo(label, jump, 0); }

//===----------------------------------------------------------------------===//
// Control flow
//===----------------------------------------------------------------------===//

Label FunctionLowering::labelOf(Block *block) {
  auto entry = blockLabels.find(block);
  if (entry != blockLabels.end())
    return entry->second;
  return blockLabels[block] = newLabel();
}

void FunctionLowering::emitBranch(Block *block, ValueRange operands) {
  emitCopies(copySlots(block->getArguments()), copySlots(operands));
  emitJump(labelOf(block));
}

LogicalResult FunctionLowering::lowerRegion(Region &region, RegionExit exit) {
  exits[&region] = std::move(exit);
  return lowerBlocks(region);
}

void FunctionLowering::emitExit(Region *region, ValueRange operands) {
  const RegionExit &exit = exits[region];
  emitCopies(exit.destinations, copySlots(operands));
  emitJump(exit.label);
}

/// Where values lie at the start of a frame, as arguments and results do.
static SmallVector<Slot> consecutive(TypeRange types, Slot first) {
  SmallVector<Slot> result;
  for (Type type : types)
    for (unsigned index = 0, count = *slotCount(type); index < count; ++index)
      result.push_back(first++);
  return result;
}

static SmallVector<Slot> wordsAt(ArrayRef<Slot> firsts, TypeRange types) {
  SmallVector<Slot> result;
  for (auto [first, type] : llvm::zip_equal(firsts, types))
    for (unsigned index = 0, count = *slotCount(type); index < count; ++index)
      result.push_back(first + index);
  return result;
}

void FunctionLowering::emitCall(FunctionOpInterface callee, ValueRange arguments,
                                ValueRange results) {
  auto slotOf = [&](Value value) { return slot(value); };
  SmallVector<Slot> taken = consecutive(arguments.getTypes(), outgoingBit);
  SmallVector<Slot> given = consecutive(results.getTypes(), outgoingBit);
  outgoingSlots = std::max<uint32_t>(
      {outgoingSlots, static_cast<uint32_t>(taken.size()), static_cast<uint32_t>(given.size())});
  emitCopies(taken, wordsAt(llvm::map_to_vector(arguments, slotOf), arguments.getTypes()));
  emit(call, 0, 0, 0, 0, parent.require(callee));
  emitCopies(wordsAt(llvm::map_to_vector(results, slotOf), results.getTypes()), given);
}

void FunctionLowering::emitReturn(ValueRange operands) {
  auto slotOf = [&](Value value) { return slot(value); };
  emitCopies(consecutive(operands.getTypes(), 0),
             wordsAt(llvm::map_to_vector(operands, slotOf), operands.getTypes()));
  emit(leave, 0);
}
