//===- LowerStmt.cpp - statements and structured control flow -===//
//
// Lists of statements with jumps in them become nested scf.if and scf.while; see Lowering.h for the
// rule.
//
//===----------------------------------------------------------------------===//

#include "Lowering.h"

#include "Mettle/Dialect/Mettle/IR/BarrierOps.h"
#include "Mettle/Frontend/Flow.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

namespace mettle::frontend {

using mlir::Location;
using mlir::Value;

/// The rest of a list moves into a region behind a jump at most this often; after that, each part
/// of it gets a region of its own beside the one before, so that the depth of the result is
/// bounded.
static constexpr unsigned maxMoved = 32;

void FunctionLowering::lower(const Stmt &statement, Tail tail) {
  switch (statement.kind) {
  case Stmt::Block:
    return lowerList(llvm::cast<BlockStmt>(statement).statements, tail);
  case Stmt::Var:
    return lowerVariable(*llvm::cast<VarStmt>(statement).variable, location(statement.range));
  case Stmt::Assign:
    return lowerAssign(llvm::cast<AssignStmt>(statement));
  case Stmt::Expression:
    lower(llvm::cast<ExprStmt>(statement).expression);
    return;
  case Stmt::If:
    return lowerIf(llvm::cast<IfStmt>(statement), {}, tail);
  case Stmt::While:
    return lowerLoop(llvm::cast<WhileStmt>(statement));
  case Stmt::Break:
    return set(llvm::cast<JumpStmt>(statement).target->breakFlag, constantBool(true));
  case Stmt::Continue: {
    Slot flag = llvm::cast<JumpStmt>(statement).target->continueFlag;
    if (!llvm::is_contained(tail, flag))
      set(flag, constantBool(true));
    return;
  }
  case Stmt::Return:
    return lowerReturn(llvm::cast<ReturnStmt>(statement), tail);
  case Stmt::Barrier: {
    auto &barrier = llvm::cast<BarrierStmt>(statement);
    return lowerBarrier(barrier.workgroup, barrier.global, barrier.order,
                        location(statement.range));
  }
  }
}

static bool fallsThrough(llvm::ArrayRef<Stmt *> list) {
  return llvm::all_of(list, [](const Stmt *statement) { return statement->fallsThrough; });
}

/// Whether every path through a list ends in a return. The variables set before a break or continue
/// are still read, by the next round or behind the loop.
static bool alwaysReturns(llvm::ArrayRef<Stmt *> list, Slot returnFlag) {
  return !fallsThrough(list) && llvm::all_of(list, [&](const Stmt *statement) {
    return llvm::all_of(statement->exits, [&](Slot flag) { return flag == returnFlag; });
  });
}

void FunctionLowering::lowerList(Statements list, Tail tail) {
  while (!list.empty()) {
    const Stmt &first = *list.front();
    Statements rest = list.drop_front();
    if (rest.empty() || first.exits.empty()) {
      lower(first, rest.empty() ? tail : Tail());
      if (!first.fallsThrough)
        return;
      list = rest;
      continue;
    }
    auto *choice = llvm::dyn_cast<IfStmt>(&first);
    if (choice && first.fallsThrough && moved < maxMoved) {
      bool elseFalls = !choice->elseStmt || choice->elseStmt->fallsThrough;
      if (choice->thenBlock->fallsThrough != elseFalls) {
        ++moved;
        lowerIf(*choice, rest, tail);
        --moved;
        return;
      }
    }
    lower(first, {});
    if (!first.fallsThrough)
      return;
    // Everything behind here depends on the flags raised so far.
    llvm::SmallVector<Slot> raised(first.exits);
    Location loc = location(first.range);
    while (!rest.empty()) {
      size_t count = rest.size();
      if (moved >= maxMoved)
        count = std::min<size_t>(
            count,
            1 + (llvm::find_if(rest, [](Stmt *s) { return !s->exits.empty(); }) - rest.begin()));
      Statements part = rest.take_front(count);
      rest = rest.drop_front(count);
      ++moved;
      lowerGuarded(raised, part, rest.empty() ? tail : Tail(), loc);
      --moved;
      if (!fallsThrough(part))
        return;
      for (const Stmt *statement : part)
        raised.append(statement->exits.begin(), statement->exits.end());
      llvm::sort(raised);
      raised.erase(std::unique(raised.begin(), raised.end()), raised.end());
    }
    return;
  }
}

/// Lowers an `if`, with the statements behind it in the arm that falls through.
void FunctionLowering::lowerIf(const IfStmt &statement, Statements rest, Tail tail) {
  Location loc = location(statement.range);
  bool elseFalls = !statement.elseStmt || statement.elseStmt->fallsThrough;
  auto arm = [&](const Stmt *body, bool takesRest) {
    llvm::SmallVector<Stmt *> list;
    if (body)
      list.push_back(const_cast<Stmt *>(body));
    if (takesRest)
      list.append(rest.begin(), rest.end());
    Arm made = lowerArm({}, loc, [&](mlir::Block &) { lowerList(list, tail); });
    made.returns = alwaysReturns(list, function.returnFlag);
    return made;
  };
  bool thenFalls = statement.thenBlock->fallsThrough;
  // Where the then-arm holds nothing but a jump that needs no flag, the opposite condition reads
  // better.
  bool jumpOnly = !rest.empty() && !thenFalls && statement.thenBlock->statements.size() == 1 &&
                  statement.exits.size() == 1 &&
                  llvm::is_contained(tail, statement.exits.front()) &&
                  !(llvm::isa<ReturnStmt>(statement.thenBlock->statements.front()) &&
                    llvm::cast<ReturnStmt>(statement.thenBlock->statements.front())->value);
  Value condition = lowerCondition(statement.condition, /*negate=*/jumpOnly);
  Arm then = arm(statement.thenBlock, !rest.empty() && thenFalls);
  Arm otherwise = arm(statement.elseStmt, !rest.empty() && elseFalls);
  if (jumpOnly)
    std::swap(then, otherwise);
  merge(condition, std::move(then), std::move(otherwise), loc);
}

/// The or of the flags that may be raised; null when none is.
Value FunctionLowering::anyRaised(llvm::ArrayRef<Slot> raised, Location loc) {
  Value any;
  for (Slot flag : raised)
    if (Value value = values[flag])
      any = any ? b.createOrFold<mlir::arith::OrIOp>(loc, any, value) : value;
  return any;
}

void FunctionLowering::lowerGuarded(llvm::ArrayRef<Slot> raised, Statements list, Tail tail,
                                    Location loc) {
  Value left = anyRaised(raised, loc);
  if (!left)
    return lowerList(list, tail);
  Value stays = numbers.logicalNot(left, loc);
  Arm then = lowerArm({}, loc, [&](mlir::Block &) { lowerList(list, tail); });
  then.returns = alwaysReturns(list, function.returnFlag);
  Arm gone = lowerArm({}, loc, [](mlir::Block &) {});
  // The arm of those that left.
  gone.returns = llvm::all_of(raised, [&](Slot flag) { return flag == function.returnFlag; });
  gone.jumps = true;
  merge(stays, std::move(then), std::move(gone), loc);
}

void FunctionLowering::lowerLoop(const WhileStmt &loop) {
  Location loc = location(loop.range);
  bool endless = isAlwaysTrue(loop.condition);
  declare(loop.breakFlag, 1);
  declare(loop.continueFlag, 1);

  // What the rounds carry: flags first, then variables.
  llvm::SmallVector<Slot> carried;
  llvm::SmallVector<Value> starts;
  auto carry = [&](Slot slot, Value start) {
    carried.push_back(slot);
    starts.push_back(start);
  };
  if (loop.breaks)
    carry(loop.breakFlag, constantBool(false));
  for (Slot flag : loop.exits)
    carry(flag, constantBool(false));
  size_t flagCount = carried.size();
  bool returns =
      llvm::is_contained(loop.exits, function.returnFlag) && !function.result->is(TypeKind::Void);
  llvm::SmallVector<Slot> variables(loop.assigned);
  if (returns)
    variables.push_back(function.returnValue);
  for (Slot slot : variables) {
    Value start = values[slot];
    // The end of an endless loop is reached only by a jump, before which the variable may be set.
    if (!start && (endless || slot == function.returnValue))
      start = placeholder(slot, loc);
    if (start)
      carry(slot, start);
  }
  llvm::SmallVector<mlir::Type> carriedTypes;
  for (Slot slot : carried)
    carriedTypes.push_back(types[slot]);

  Arm before = lowerArm(carriedTypes, loc, [&](mlir::Block &block) {
    for (auto [slot, argument] : llvm::zip(carried, block.getArguments()))
      set(slot, argument);
    Value goesOn;
    if (Value left = anyRaised(llvm::ArrayRef(carried).take_front(flagCount), loc)) {
      goesOn = numbers.logicalNot(left, loc);
      if (!endless && isCheap(loop.condition)) {
        goesOn = b.createOrFold<mlir::arith::AndIOp>(loc, goesOn, lowerCondition(loop.condition));
      } else if (!endless) {
        goesOn = choose(
            goesOn, [&] { return lowerCondition(loop.condition); },
            [&] { return constantBool(false); }, loc);
      }
    } else {
      goesOn = endless ? constantBool(true) : lowerCondition(loop.condition);
    }
    mlir::scf::ConditionOp::create(b, loc, goesOn, block.getArguments());
  });

  Arm round = lowerArm(carriedTypes, loc, [&](mlir::Block &block) {
    for (auto [i, argument] : llvm::enumerate(block.getArguments()))
      // In a round no flag is raised yet.
      set(carried[i], i < flagCount ? Value() : argument);
    set(loop.continueFlag, Value());
    lowerList(loop.body->statements, {loop.continueFlag});
    bool reachesStep =
        loop.body->fallsThrough || llvm::is_contained(loop.body->exits, loop.continueFlag);
    if (loop.step && reachesStep)
      lowerGuarded(llvm::ArrayRef(carried).take_front(flagCount), {const_cast<Stmt *>(loop.step)},
                   {}, loc);
    llvm::SmallVector<Value> next;
    for (auto [i, slot] : llvm::enumerate(carried))
      next.push_back(values[slot]    ? values[slot]
                     : i < flagCount ? constantBool(false)
                                     : block.getArgument(i));
    mlir::scf::YieldOp::create(b, loc, next);
  });

  mlir::OperationState state(loc, mlir::scf::WhileOp::getOperationName());
  state.addOperands(starts);
  state.addTypes(carriedTypes);
  state.addRegion(std::move(before.region));
  state.addRegion(std::move(round.region));
  if (loop.unrollFactor)
    state.addAttribute(unrollAttrName, b.getI64IntegerAttr(loop.unrollFactor));
  mlir::Operation *made = b.create(state);
  for (auto [slot, result] : llvm::zip(carried, made->getResults()))
    set(slot, result);
  set(loop.breakFlag, Value());
}

void FunctionLowering::lowerReturn(const ReturnStmt &statement, Tail tail) {
  if (statement.value) {
    Value value = lower(statement.value);
    if (statement.value->type->isPointer())
      value = castSpace(value, llvm::cast<PtrType>(types[function.returnValue]).getSpace(),
                        location(statement.range));
    set(function.returnValue, value);
  }
  if (!llvm::is_contained(tail, function.returnFlag))
    set(function.returnFlag, constantBool(true));
}

/// Records with arrays are always in memory, and copied there.
static bool hasArray(const Type *type) { return type->isRecord() && type->record()->hasArray; }

void FunctionLowering::lowerVariable(const VarDecl &variable, Location loc) {
  if (variable.inMemory) {
    if (!variable.init)
      return;
    if (hasArray(variable.type))
      return copyRecord(place(variable.init), memory[variable.index], variable.type, loc);
    llvm::SmallVector<Value> leaves;
    lowerLeaves(variable.init, leaves);
    llvm::ArrayRef<Value> remaining = leaves;
    return storeLeaves(memory[variable.index], variable.type, loc, remaining);
  }
  declare(variable.index, leafCount(variable.type));
  if (!variable.init)
    return;
  llvm::SmallVector<Value> leaves;
  lowerLeaves(variable.init, leaves);
  setLeaves(variable.index, leaves, loc);
}

void FunctionLowering::lowerAssign(const AssignStmt &statement) {
  Location loc = location(statement.range);
  const Type *type = statement.target->type;
  llvm::SmallVector<Value> leaves;
  if (SlotRange range = slotsOf(statement.target); range.count) {
    if (statement.compound)
      loaded = values[range.first];
    lowerLeaves(statement.value, leaves);
    return setLeaves(range.first, leaves, loc);
  }
  Value target = place(statement.target);
  if (hasArray(type))
    return copyRecord(place(statement.value), target, type, loc);
  if (statement.compound)
    loaded = load(target, type, loc);
  lowerLeaves(statement.value, leaves);
  llvm::ArrayRef<Value> remaining = leaves;
  storeLeaves(target, type, loc, remaining);
}

void FunctionLowering::lowerBarrier(bool workgroup, bool global, MemoryOrder order, Location loc) {
  static constexpr mettle::MemoryOrder orders[] = {
      mettle::MemoryOrder::Relaxed, mettle::MemoryOrder::Acquire, mettle::MemoryOrder::Release,
      mettle::MemoryOrder::AcqRel, mettle::MemoryOrder::SeqCst};
  auto regions =
      static_cast<MemoryRegion>((workgroup ? static_cast<uint32_t>(MemoryRegion::Workgroup) : 0) |
                                (global ? static_cast<uint32_t>(MemoryRegion::Global) : 0));
  BarrierOp::create(b, loc, regions, orders[static_cast<unsigned>(order)]);
}

} // namespace mettle::frontend
