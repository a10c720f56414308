//===- SemaStmt.cpp - statements -===//
//
// Types and rules of statements. Whether a variable is set before it is read, and whether a
// function returns, is for flow analysis.
//
//===----------------------------------------------------------------------===//

#include "Mettle/Frontend/Sema.h"

#include "Mettle/Dialect/Mettle/IR/MettleDialect.h"

using namespace mettle::frontend;
using llvm::StringRef;

void Sema::checkBlock(BlockStmt &block) {
  Scope inner(scope);
  ++scopeDepth;
  for (Stmt *statement : block.statements)
    checkStmt(*statement);
  --scopeDepth;
}

void Sema::checkStmt(Stmt &statement) {
  switch (statement.kind) {
  case Stmt::Block:
    return checkBlock(llvm::cast<BlockStmt>(statement));
  case Stmt::Var:
    return checkVariable(*llvm::cast<VarStmt>(statement).variable);
  case Stmt::Assign:
    return checkAssign(llvm::cast<AssignStmt>(statement));
  case Stmt::Expression: {
    auto &call = llvm::cast<ExprStmt>(statement);
    call.expression = check(call.expression);
    return;
  }
  case Stmt::If: {
    auto &choice = llvm::cast<IfStmt>(statement);
    choice.condition = checkCondition(choice.condition);
    checkBlock(*choice.thenBlock);
    if (choice.elseStmt)
      checkStmt(*choice.elseStmt);
    return;
  }
  case Stmt::While:
    return checkLoop(llvm::cast<WhileStmt>(statement));
  case Stmt::Break:
  case Stmt::Continue:
    return checkJump(llvm::cast<JumpStmt>(statement));
  case Stmt::Return:
    return checkReturn(llvm::cast<ReturnStmt>(statement));
  case Stmt::Barrier:
    return;
  }
}

void Sema::checkVariable(VarDecl &variable) {
  StringRef name = variable.name->getKey();
  // The initializer does not see the variable.
  if (variable.init)
    variable.init = checkValue(variable.init);
  variable.type = variable.typeSyntax ? resolve(variable.typeSyntax) : variable.init->type;
  if (variable.isLoopVariable && !variable.type->isError() &&
      (!variable.type->isIntegral() || variable.type->isBool())) {
    error(variable.range, Code::range_type, {variable.type->spelling()});
    variable.type = get(TypeKind::Error);
  }
  if (variable.type->is(TypeKind::Void)) {
    error(variable.typeSyntax->range, Code::variable_type, {name, "void"});
    variable.type = get(TypeKind::Error);
  }
  declare(variable);
  if (variable.storage != Storage::Automatic)
    return checkStorage(variable);
  if (variable.type->isArray()) {
    if (variable.init)
      error(variable.init->range, Code::array_initializer, {name});
    keepInMemory(variable, variable.range);
    return;
  }
  if (variable.type->isRecord() && variable.type->record()->hasArray)
    keepInMemory(variable, variable.range);
  if (variable.init)
    variable.init = convertTo(variable.init, variable.type, "the initializer");
}

/// `workgroup var` and `private var`.
void Sema::checkStorage(VarDecl &variable) {
  StringRef name = variable.name->getKey();
  bool workgroup = variable.storage == Storage::Workgroup;
  const Type *type = variable.type;
  variable.inMemory = true;
  if (type->isError())
    return;
  if (type->isPointer() && !workgroup)
    error(variable.range, Code::dynamic_private, {name});
  else if (!type->isArray() && !type->isPointer())
    error(variable.range, Code::address_space_shape, {name, type->spelling()});
  else if (type->isPointer() && !type->element()->isScalar())
    error(variable.range, Code::address_space_shape, {name, type->spelling()});
  else if (variable.init)
    error(variable.init->range, Code::address_space_initializer, {name});
  else
    return;
  variable.type = get(TypeKind::Error);
}

void Sema::checkAssign(AssignStmt &statement) {
  statement.target = check(statement.target);
  Expr *target = statement.target;
  if (target->type->isError())
    return;
  VarDecl *variable = rootVariable(target);
  bool direct = llvm::isa<NameExpr>(target);
  bool place = direct || llvm::isa<IndexExpr, MemberExpr>(target);
  if (auto *unary = llvm::dyn_cast<UnaryExpr>(target))
    place = unary->op == UnaryOp::Dereference;
  if (!place) {
    error(target->range, Code::assignment_target);
    return;
  }
  if (variable && (variable->isConst || variable->constant)) {
    error(target->range, Code::constant_assignment, {variable->name->getKey()});
    return;
  }
  if (variable && direct &&
      (variable->storage != Storage::Automatic || variable->type->isArray())) {
    error(target->range, Code::address_space_rebind, {variable->name->getKey()});
    return;
  }
  if (!statement.compound) {
    statement.value = convertTo(checkValue(statement.value), target->type, "the assigned value");
    return;
  }
  auto *loaded = tree.make<LoadedExpr>();
  loaded->type = target->type;
  loaded->range = target->range;
  auto *whole = tree.make<BinaryExpr>();
  whole->op = statement.op;
  whole->lhs = loaded;
  whole->rhs = checkValue(statement.value);
  whole->range = statement.range;
  whole->height = statement.value->height + 1;
  statement.value = convertTo(checkOperands(*whole), target->type, "the assigned value");
}

Expr *Sema::checkCondition(Expr *e) {
  e = checkValue(e);
  if (e->type->isError())
    return e;
  if (e->type->isPointer()) {
    error(e->range, Code::pointer_condition);
    return fail(e);
  }
  if (!e->type->isScalar()) {
    error(e->range, Code::condition_type, {e->type->spelling()});
    return fail(e);
  }
  return convert(e, get(TypeKind::Bool));
}

void Sema::checkLoop(WhileStmt &loop) {
  if (loop.unroll)
    loop.unrollFactor = foldOption(loop.unroll, 1, maxUnroll, Code::unroll_factor).value_or(0);
  if (loop.condition)
    loop.condition = checkCondition(loop.condition);
  loops.push_back(&loop);
  checkBlock(*loop.body);
  loops.pop_back();
  if (loop.step)
    checkStmt(*loop.step);
}

void Sema::checkJump(JumpStmt &jump) {
  StringRef word = jump.kind == Stmt::Break ? "break" : "continue";
  if (!jump.label.name) {
    if (loops.empty())
      error(jump.range, Code::jump_outside_loop, {word});
    else
      jump.target = loops.back();
    return;
  }
  for (WhileStmt *loop : llvm::reverse(loops))
    if (loop->label == jump.label.name) {
      jump.target = loop;
      return;
    }
  error({jump.label.begin, jump.label.end, jump.label.begin}, Code::unknown_label,
        {jump.label.name->getKey(), word});
}

void Sema::checkReturn(ReturnStmt &statement) {
  const Type *result = function->result;
  if (statement.value) {
    statement.value = checkValue(statement.value);
    if (function->isKernel && !result->is(TypeKind::Void))
      return; // The signature is the error.
    if (function->isKernel)
      error(statement.value->range, Code::kernel_return_value, {function->name->getKey()});
    else if (result->is(TypeKind::Void))
      error(statement.value->range, Code::return_value_unexpected, {function->name->getKey()});
    else
      statement.value = convertTo(statement.value, result, "the returned value");
  } else if (!result->is(TypeKind::Void) && !result->isError() && !function->isKernel) {
    error(statement.range, Code::return_value_missing,
          {function->name->getKey(), result->spelling()});
  }
}
