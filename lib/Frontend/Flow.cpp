//===- Flow.cpp - what control flow says about a function -===//
//
// A state is the set of slots that are set on every path to a point, and the set of those set on
// some path. The state behind a jump is dead: every slot counts as set there.
//
//===----------------------------------------------------------------------===//

#include "Mettle/Frontend/Flow.h"

#include "llvm/ADT/BitVector.h"

using namespace mettle::frontend;

bool mettle::frontend::isAlwaysTrue(const Expr *condition) {
  if (!condition)
    return true;
  while (auto *conversion = llvm::dyn_cast<ConvertExpr>(condition))
    condition = conversion->operand;
  if (auto *literal = llvm::dyn_cast<IntLiteralExpr>(condition))
    return literal->value != 0;
  auto *literal = llvm::dyn_cast<BoolLiteralExpr>(condition);
  return literal && literal->value;
}

namespace {
struct State {
  llvm::BitVector always, sometimes;
  bool dead = false;

  void grow(unsigned slots) {
    always.resize(slots);
    sometimes.resize(slots);
  }

  void set(Slot slot) {
    always.set(slot);
    sometimes.set(slot);
  }

  /// Becomes the state where two paths meet. Slots that only one of them knows are out of scope.
  void join(const State &other) {
    if (other.dead)
      return;
    if (dead) {
      *this = other;
      return;
    }
    unsigned common = std::min(always.size(), other.always.size());
    grow(common);
    llvm::BitVector otherAlways = other.always, otherSometimes = other.sometimes;
    otherAlways.resize(common);
    otherSometimes.resize(common);
    always &= otherAlways;
    sometimes |= otherSometimes;
  }

  static State deadEnd() {
    State made;
    made.dead = true;
    return made;
  }
};

struct LoopContext {
  const WhileStmt *loop;
  State atBreak = State::deadEnd(), atContinue = State::deadEnd();
};

class Flow {
public:
  Flow(SyntaxTree &tree, FunctionDecl &function, Diagnostics &diagnostics)
      : tree(tree), function(function), diagnostics(diagnostics) {}

  void run();

private:
  void declare(VarDecl &variable);
  void visit(Stmt &statement);
  void visitBlock(BlockStmt &block);
  void visitVariable(VarDecl &variable);
  void visitAssign(AssignStmt &statement);
  void visitIf(IfStmt &statement);
  void visitLoop(WhileStmt &loop);
  void visitJump(JumpStmt &jump);
  void visitReturn(ReturnStmt &statement);
  void read(const Expr *e);
  void readPlace(const Expr *e);
  void requireSet(const Expr *e, const SlotRange &range);
  void assign(const SlotRange &range, const Type *type, const Expr *value);

  SyntaxTree &tree;
  FunctionDecl &function;
  Diagnostics &diagnostics;
  State state;
  Slot slots = 0;
  /// First slot declared inside the innermost loop.
  Slot loopStart = 0;
  llvm::SmallVector<LoopContext *> loops;
  /// Slots assigned, and flags of jumps taken, in the statements being visited. A statement looks
  /// at what was added since it began.
  llvm::SmallVector<Slot> assignments, jumps;
  llvm::SmallVector<VarDecl *> memoryVariables, registerVariables;
  llvm::SmallVector<PointerFlow> pointerFlows;
  llvm::SmallVector<const Expr *> returnedPointers;
};
} // namespace

/// Sorts the end of a list and removes what is there twice.
static llvm::MutableArrayRef<Slot> compact(llvm::SmallVectorImpl<Slot> &list, size_t from) {
  std::sort(list.begin() + from, list.end());
  list.erase(std::unique(list.begin() + from, list.end()), list.end());
  return llvm::MutableArrayRef<Slot>(list).drop_front(from);
}

void Flow::run() {
  function.returnFlag = slots++;
  function.returnValue = slots++;
  for (VarDecl *parameter : function.parameters) {
    declare(*parameter);
    if (parameter->inMemory)
      continue;
    for (Slot slot = parameter->index; slot < slots; ++slot)
      state.set(slot);
  }
  visitBlock(*function.body);
  if (!state.dead && !function.result->is(TypeKind::Void))
    diagnostics.error(function.body->range.end - 1, function.body->range.end, Code::missing_return,
                      {function.name->getKey(), function.result->spelling()});
  function.slots = slots;
  function.memoryVariables = tree.copy(memoryVariables);
  function.registerVariables = tree.copy(registerVariables);
  function.pointerFlows = tree.copy(pointerFlows);
  function.returnedPointers = tree.copy(returnedPointers);
}

void Flow::declare(VarDecl &variable) {
  if (variable.inMemory) {
    variable.index = memoryVariables.size();
    memoryVariables.push_back(&variable);
    return;
  }
  variable.index = slots;
  slots += leafCount(variable.type);
  registerVariables.push_back(&variable);
  state.grow(slots);
}

//===----------------------------------------------------------------------===//
// Statements
//===----------------------------------------------------------------------===//

void Flow::visit(Stmt &statement) {
  size_t firstJump = jumps.size();
  switch (statement.kind) {
  case Stmt::Block:
    visitBlock(llvm::cast<BlockStmt>(statement));
    break;
  case Stmt::Var:
    visitVariable(*llvm::cast<VarStmt>(statement).variable);
    break;
  case Stmt::Assign:
    visitAssign(llvm::cast<AssignStmt>(statement));
    break;
  case Stmt::Expression:
    read(llvm::cast<ExprStmt>(statement).expression);
    break;
  case Stmt::If:
    visitIf(llvm::cast<IfStmt>(statement));
    break;
  case Stmt::While:
    visitLoop(llvm::cast<WhileStmt>(statement));
    break;
  case Stmt::Break:
  case Stmt::Continue:
    visitJump(llvm::cast<JumpStmt>(statement));
    break;
  case Stmt::Return:
    visitReturn(llvm::cast<ReturnStmt>(statement));
    break;
  case Stmt::Barrier:
    break;
  }
  statement.fallsThrough = !state.dead;
  if (jumps.size() != firstJump)
    statement.exits = tree.copy(compact(jumps, firstJump));
}

void Flow::visitBlock(BlockStmt &block) {
  size_t firstJump = jumps.size();
  bool dead = false;
  for (Stmt *statement : block.statements) {
    visit(*statement);
    // What follows a jump is checked, but never runs: its own jumps do not count.
    if (state.dead && !dead) {
      dead = true;
      if (jumps.size() != firstJump)
        block.exits = tree.copy(compact(jumps, firstJump));
    }
  }
  if (dead) {
    jumps.truncate(firstJump);
    jumps.append(block.exits.begin(), block.exits.end());
  }
  state.dead |= dead;
}

void Flow::visitVariable(VarDecl &variable) {
  if (variable.init)
    read(variable.init);
  declare(variable);
  if (!variable.inMemory && variable.init)
    assign({variable.index, leafCount(variable.type), &variable}, variable.type, variable.init);
}

void Flow::visitAssign(AssignStmt &statement) {
  SlotRange range = slotsOf(statement.target);
  if (!range.count || statement.compound)
    range.count ? requireSet(statement.target, range) : readPlace(statement.target);
  read(statement.value);
  if (range.count)
    assign(range, statement.target->type, statement.value);
}

void Flow::assign(const SlotRange &range, const Type *type, const Expr *value) {
  llvm::SmallVector<const Type *> leaves;
  appendLeafTypes(type, leaves);
  SlotRange source = slotsOf(value);
  for (unsigned i = 0; i < range.count; ++i) {
    state.set(range.first + i);
    assignments.push_back(range.first + i);
    if (!leaves[i]->isPointer())
      continue;
    if (type->isRecord())
      pointerFlows.push_back({range.first + i, nullptr, source.first + i});
    else
      pointerFlows.push_back({range.first, value, 0});
  }
}

void Flow::visitIf(IfStmt &statement) {
  read(statement.condition);
  State before = state;
  visit(*statement.thenBlock);
  State afterThen = std::move(state);
  state = std::move(before);
  state.grow(slots);
  if (statement.elseStmt)
    visit(*statement.elseStmt);
  state.join(afterThen);
  state.grow(slots);
}

void Flow::visitLoop(WhileStmt &loop) {
  loop.breakFlag = slots++;
  loop.continueFlag = slots++;
  state.grow(slots);
  LoopContext context{&loop};
  Slot outerStart = std::exchange(loopStart, slots);
  size_t firstAssignment = assignments.size(), firstJump = jumps.size();
  if (loop.condition)
    read(loop.condition);
  State after = isAlwaysTrue(loop.condition) ? State::deadEnd() : state;
  loops.push_back(&context);
  visit(*loop.body);
  loops.pop_back();
  state.join(context.atContinue);
  state.grow(slots);
  if (loop.step)
    visit(*loop.step);
  after.join(context.atBreak);
  after.grow(slots);
  after.sometimes |= state.sometimes;
  state = std::move(after);

  auto ownJump = [&](Slot flag) { return flag == loop.breakFlag || flag == loop.continueFlag; };
  loop.breaks = llvm::is_contained(loop.body->exits, loop.breakFlag);
  jumps.erase(std::remove_if(jumps.begin() + firstJump, jumps.end(), ownJump), jumps.end());
  llvm::MutableArrayRef<Slot> assigned = compact(assignments, firstAssignment);
  auto *inside = std::lower_bound(assigned.begin(), assigned.end(), loopStart);
  loop.assigned = tree.copy(llvm::ArrayRef<Slot>(assigned.begin(), inside));
  assignments.truncate(firstAssignment + loop.assigned.size());
  loopStart = outerStart;
}

void Flow::visitJump(JumpStmt &jump) {
  bool breaks = jump.kind == Stmt::Break;
  for (LoopContext *context : llvm::reverse(loops))
    if (context->loop == jump.target)
      (breaks ? context->atBreak : context->atContinue).join(state);
  jumps.push_back(breaks ? jump.target->breakFlag : jump.target->continueFlag);
  state.dead = true;
}

void Flow::visitReturn(ReturnStmt &statement) {
  if (statement.value) {
    read(statement.value);
    if (statement.value->type->isPointer())
      returnedPointers.push_back(statement.value);
  }
  jumps.push_back(function.returnFlag);
  state.dead = true;
}

//===----------------------------------------------------------------------===//
// Expressions
//===----------------------------------------------------------------------===//

void Flow::requireSet(const Expr *e, const SlotRange &range) {
  if (state.dead)
    return;
  for (Slot slot = range.first; slot < range.first + range.count; ++slot) {
    if (state.always[slot])
      continue;
    bool certain = !state.sometimes[slot] && slot >= loopStart;
    diagnostics.error(e->range.begin, e->range.end,
                      certain ? Code::used_before_set : Code::maybe_used_before_set,
                      {range.variable->name->getKey()});
    // Once is enough.
    state.set(slot);
  }
}

/// The expressions that finding a place evaluates.
void Flow::readPlace(const Expr *e) {
  if (auto *index = llvm::dyn_cast<IndexExpr>(e)) {
    read(index->base);
    read(index->index);
  } else if (auto *unary = llvm::dyn_cast<UnaryExpr>(e)) {
    read(unary->operand);
  } else if (auto *member = llvm::dyn_cast<MemberExpr>(e)) {
    member->arrow ? read(member->base) : readPlace(member->base);
  }
}

void Flow::read(const Expr *e) {
  if (SlotRange range = slotsOf(e); range.count)
    return requireSet(e, range);
  switch (e->kind) {
  case Expr::Member:
  case Expr::Index:
    return readPlace(e);
  case Expr::Unary: {
    auto *unary = llvm::cast<UnaryExpr>(e);
    return unary->op == UnaryOp::AddressOf ? readPlace(unary->operand) : read(unary->operand);
  }
  case Expr::Binary:
    read(llvm::cast<BinaryExpr>(e)->lhs);
    return read(llvm::cast<BinaryExpr>(e)->rhs);
  case Expr::Cast:
    return read(llvm::cast<CastExpr>(e)->operand);
  case Expr::Convert:
    return read(llvm::cast<ConvertExpr>(e)->operand);
  case Expr::Decay:
    return readPlace(llvm::cast<DecayExpr>(e)->operand);
  case Expr::Call:
    for (const Argument &argument : llvm::cast<CallExpr>(e)->arguments)
      read(argument.value);
    return;
  default:
    return;
  }
}

void mettle::frontend::analyseFlow(SyntaxTree &tree, FunctionDecl &function,
                                   Diagnostics &diagnostics) {
  Flow(tree, function, diagnostics).run();
}
