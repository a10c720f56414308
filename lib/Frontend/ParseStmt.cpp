//===- ParseStmt.cpp - statements -===//
//
// After an error a statement is skipped to its end, which is the semicolon or the closing brace at
// its own depth, and parsing goes on with the next.
//
//===----------------------------------------------------------------------===//

#include "Mettle/Frontend/Parser.h"

using namespace mettle::frontend;
using llvm::StringRef;

BlockStmt *Parser::parseBlock(StringRef where) {
  Token open = token();
  if (!expect(TokenKind::l_brace, where))
    return nullptr;
  Nest nest(*this);
  if (!nest.fits()) {
    --at;
    skipBraces(true);
    return nullptr;
  }
  llvm::SmallVector<Stmt *> statements;
  while (!is(TokenKind::r_brace)) {
    if (is(TokenKind::end_of_file) || is(TokenKind::kw_kernel)) {
      if (Diagnostic *made =
              error(token(), Code::expected_token, {"'}'", "to close a block", found()}))
        Diagnostics::note(*made, open.begin, open.end, Code::opened_here);
      return nullptr;
    }
    size_t before = at;
    if (Stmt *statement = parseStatement())
      statements.push_back(statement);
    else if (at == before || !tokens[at - 1].is(TokenKind::semicolon))
      // Otherwise it failed just behind its own end.
      skipStatement();
    if (at == before)
      take();
  }
  take();
  auto *made = tree.make<BlockStmt>();
  made->statements = tree.copy(statements);
  made->range = rangeFrom(open.begin, open.begin);
  return made;
}

void Parser::skipStatement() {
  while (true) {
    switch (token().kind) {
    case TokenKind::semicolon:
      take();
      return;
    case TokenKind::l_brace:
      skipBraces(true);
      return;
    case TokenKind::end_of_file:
    case TokenKind::r_brace:
    case TokenKind::kw_var:
    case TokenKind::kw_if:
    case TokenKind::kw_while:
    case TokenKind::kw_for:
    case TokenKind::kw_return:
    case TokenKind::kw_barrier:
    case TokenKind::kw_kernel:
      return;
    default:
      take();
    }
  }
}

/// Takes the semicolon. Where one is missing at the end of a line, says so and goes on.
bool Parser::endStatement() {
  if (accept(TokenKind::semicolon))
    return true;
  if (startsLine(token()) || is(TokenKind::r_brace)) {
    if (!quiet)
      diagnostics.error(lastEnd(), lastEnd(), Code::expected_token,
                        {"';'", "to end the statement", found()});
    failed = true;
    return true;
  }
  expect(TokenKind::semicolon, "to end the statement");
  return false;
}

Stmt *Parser::parseStatement() {
  Token first = token();
  switch (first.kind) {
  case TokenKind::l_brace:
    return parseBlock("to open a block");
  case TokenKind::kw_workgroup:
    take();
    return parseVariable(Storage::Workgroup);
  case TokenKind::kw_private:
    take();
    return parseVariable(Storage::Private);
  case TokenKind::kw_var:
  case TokenKind::kw_const:
    return parseVariable(Storage::Automatic);
  case TokenKind::kw_if:
    return parseIf();
  case TokenKind::kw_while:
  case TokenKind::kw_for:
    return parseLoop(nullptr);
  case TokenKind::kw_break:
    return parseJump(Stmt::Break);
  case TokenKind::kw_continue:
    return parseJump(Stmt::Continue);
  case TokenKind::kw_return:
    return parseReturn();
  case TokenKind::kw_barrier:
    return parseBarrier();
  case TokenKind::kw_dispatch:
    error(first, Code::nested_launch);
    return nullptr;
  case TokenKind::kw_switch:
  case TokenKind::kw_asm:
    error(first, Code::host_construct, {describe(first.kind)});
    return nullptr;
  case TokenKind::at:
    return parseUnrolled();
  case TokenKind::identifier:
    if (token(1).is(TokenKind::colon)) {
      take();
      take();
      if (is(TokenKind::kw_while) || is(TokenKind::kw_for))
        return parseLoop(first.name);
      expected("'while' or 'for' after a label");
      return nullptr;
    }
    if ((isName("defer") || isName("errdefer") || isName("match")) &&
        !token(1).is(TokenKind::equal)) {
      error(first, Code::host_construct, {"'" + first.name->getKey().str() + "'"});
      return nullptr;
    }
    [[fallthrough]];
  default: {
    Stmt *simple = parseSimple();
    return simple && endStatement() ? simple : nullptr;
  }
  }
}

Stmt *Parser::parseVariable(Storage storage) {
  Offset begin = storage == Storage::Automatic ? token().begin : tokens[at - 1].begin;
  auto *variable = tree.make<VarDecl>();
  variable->storage = storage;
  if (is(TokenKind::kw_const) && storage == Storage::Automatic) {
    take();
    variable->isConst = true;
  } else if (!expect(TokenKind::kw_var, "to declare a variable")) {
    return nullptr;
  }
  if (storage != Storage::Automatic && !function->isKernel) {
    error(tokens[at - 2], Code::workgroup_outside_kernel,
          {storage == Storage::Workgroup ? "workgroup" : "private"});
    return nullptr;
  }
  if (!parseVariableRest(*variable) || !endStatement())
    return nullptr;
  auto *made = tree.make<VarStmt>();
  made->variable = variable;
  made->range = rangeFrom(begin, variable->range.begin);
  return made;
}

/// `name: type = value`, where the value of a constant is required.
VarDecl *Parser::parseVariableRest(VarDecl &variable) {
  Token name = token();
  if (!expect(TokenKind::identifier, "to name the variable"))
    return nullptr;
  variable.name = name.name;
  variable.range = {name.begin, name.end, name.begin};
  if (!is(TokenKind::colon)) {
    error(name, Code::variable_without_type, {name.name->getKey()});
    return nullptr;
  }
  take();
  if (!(variable.typeSyntax = parseType()))
    return nullptr;
  if (accept(TokenKind::equal)) {
    if (!(variable.init = parseExpr()))
      return nullptr;
  } else if (variable.isConst) {
    expected("'=' and the value of the constant");
    return nullptr;
  }
  return &variable;
}

static bool assignmentOperator(TokenKind kind, bool &compound, BinaryOp &op) {
  compound = true;
  switch (kind) {
  case TokenKind::equal:
    compound = false;
    return true;
  case TokenKind::plus_equal:
    op = BinaryOp::Add;
    return true;
  case TokenKind::minus_equal:
    op = BinaryOp::Sub;
    return true;
  case TokenKind::star_equal:
    op = BinaryOp::Mul;
    return true;
  case TokenKind::slash_equal:
    op = BinaryOp::Div;
    return true;
  case TokenKind::percent_equal:
    op = BinaryOp::Rem;
    return true;
  case TokenKind::amp_equal:
    op = BinaryOp::BitAnd;
    return true;
  case TokenKind::pipe_equal:
    op = BinaryOp::BitOr;
    return true;
  case TokenKind::caret_equal:
    op = BinaryOp::BitXor;
    return true;
  case TokenKind::less_less_equal:
    op = BinaryOp::Shl;
    return true;
  case TokenKind::greater_greater_equal:
    op = BinaryOp::Shr;
    return true;
  default:
    return false;
  }
}

/// An assignment or a call, without its semicolon.
Stmt *Parser::parseSimple() {
  Token first = token();
  Expr *target = parseExpr();
  if (!target)
    return nullptr;
  auto *assign = tree.make<AssignStmt>();
  Token operation = token();
  if (assignmentOperator(operation.kind, assign->compound, assign->op)) {
    take();
    assign->target = target;
    if (!(assign->value = parseExpr()))
      return nullptr;
    assign->range = rangeFrom(first.begin, operation.begin);
    return assign;
  }
  if (!llvm::isa<CallExpr>(target)) {
    expected("'=' or a call");
    return nullptr;
  }
  auto *made = tree.make<ExprStmt>();
  made->expression = target;
  made->range = rangeFrom(first.begin, target->range.at);
  return made;
}

/// `( condition )`. When the condition is faulty, the parser stands behind the parenthesis, so that
/// the block after it is still read.
Expr *Parser::parseCondition() {
  if (!expect(TokenKind::l_paren, "before the condition"))
    return nullptr;
  size_t start = at;
  Expr *condition = parseExpr();
  if (condition && expect(TokenKind::r_paren, "after the condition"))
    return condition;
  unsigned depth = 1;
  for (at = start;
       depth && !is(TokenKind::l_brace) && !is(TokenKind::semicolon) && !is(TokenKind::end_of_file);
       take())
    depth += is(TokenKind::l_paren) ? 1 : is(TokenKind::r_paren) ? -1 : 0;
  return nullptr;
}

Stmt *Parser::parseIf() {
  Token first = take();
  auto *made = tree.make<IfStmt>();
  made->condition = parseCondition();
  if (!made->condition && !is(TokenKind::l_brace))
    return nullptr;
  made->thenBlock = parseBlock("to open the block of 'if'");
  if (!made->thenBlock)
    return nullptr;
  if (accept(TokenKind::kw_else)) {
    // A chain of else-ifs nests, however flat it looks.
    Nest nest(*this);
    if (!nest.fits())
      return nullptr;
    made->elseStmt = is(TokenKind::kw_if)
                         ? parseIf()
                         : static_cast<Stmt *>(parseBlock("to open the block of 'else'"));
    if (!made->elseStmt)
      return nullptr;
  }
  made->range = rangeFrom(first.begin, first.begin);
  return made;
}

Stmt *Parser::parseLoop(Name label) {
  return is(TokenKind::kw_while) ? parseWhile(label) : parseFor(label);
}

/// `@unroll(n)` before a loop or its label.
Stmt *Parser::parseUnrolled() {
  Token first = take();
  if (!isName("unroll")) {
    error(first, Code::host_construct, {"a loop attribute other than '@unroll'"});
    return nullptr;
  }
  take();
  Expr *factor = nullptr;
  if (!expect(TokenKind::l_paren, "after '@unroll'") || !(factor = parseExpr()) ||
      !expect(TokenKind::r_paren, "after the number of rounds"))
    return nullptr;
  bool isLabelled = is(TokenKind::identifier) && token(1).is(TokenKind::colon);
  TokenKind next = token(isLabelled ? 2 : 0).kind;
  if (next != TokenKind::kw_while && next != TokenKind::kw_for) {
    expected("a loop after '@unroll'");
    return nullptr;
  }
  Stmt *made = parseStatement();
  auto *block = llvm::dyn_cast_or_null<BlockStmt>(made);
  // A `for` is a block with its start and a loop.
  if (Stmt *loop = block ? block->statements.back() : made)
    llvm::cast<WhileStmt>(loop)->unroll = factor;
  return made;
}

Stmt *Parser::parseWhile(Name label) {
  Token first = take();
  auto *made = tree.make<WhileStmt>();
  made->label = label;
  made->condition = parseCondition();
  if (!made->condition && !is(TokenKind::l_brace))
    return nullptr;
  made->body = parseBlock("to open the block of 'while'");
  if (!made->body)
    return nullptr;
  made->range = rangeFrom(first.begin, first.begin);
  return made;
}

Stmt *Parser::parseFor(Name label) {
  Token first = take();
  if (is(TokenKind::identifier))
    return parseRangeFor(label, first.begin);
  if (!expect(TokenKind::l_paren, "after 'for'"))
    return nullptr;
  llvm::SmallVector<Stmt *, 2> statements;
  if (is(TokenKind::kw_var)) {
    statements.push_back(parseVariable(Storage::Automatic));
  } else if (!accept(TokenKind::semicolon)) {
    statements.push_back(parseSimple());
    if (!expect(TokenKind::semicolon, "after the start of 'for'"))
      return nullptr;
  }
  if (!statements.empty() && !statements.back())
    return nullptr;
  auto *loop = tree.make<WhileStmt>();
  loop->label = label;
  if (!is(TokenKind::semicolon) && !(loop->condition = parseExpr()))
    return nullptr;
  if (!expect(TokenKind::semicolon, "after the condition of 'for'"))
    return nullptr;
  if (!is(TokenKind::r_paren) && !(loop->step = parseSimple()))
    return nullptr;
  if (!expect(TokenKind::r_paren, "after the step of 'for'") ||
      !(loop->body = parseBlock("to open the block of 'for'")))
    return nullptr;
  loop->range = rangeFrom(first.begin, first.begin);
  statements.push_back(loop);
  auto *made = tree.make<BlockStmt>();
  made->statements = tree.copy(statements);
  made->range = loop->range;
  return made;
}

/// `for i in lo..hi { … }` is `for (var i = lo; i < hi; i += 1) { … }`, with `<=` for `..=`.
Stmt *Parser::parseRangeFor(Name label, Offset begin) {
  Token name = take();
  auto *variable = tree.make<VarDecl>();
  variable->name = name.name;
  variable->range = {name.begin, name.end, name.begin};
  variable->isLoopVariable = true;
  if (accept(TokenKind::colon) && !(variable->typeSyntax = parseType()))
    return nullptr;
  if (!isName("in")) {
    expected("'in' after the variable of 'for'");
    return nullptr;
  }
  take();
  if (!(variable->init = parseExpr()))
    return nullptr;
  Token dots = token();
  if (!accept(TokenKind::dot_dot) && !accept(TokenKind::dot_dot_equal)) {
    expected("'..' or '..=' after the start of the range");
    return nullptr;
  }
  Expr *bound = parseExpr();
  if (!bound)
    return nullptr;
  auto *condition = tree.make<BinaryExpr>();
  condition->op = dots.is(TokenKind::dot_dot) ? BinaryOp::Less : BinaryOp::LessEqual;
  condition->lhs = makeName(name);
  condition->rhs = bound;
  auto *loop = tree.make<WhileStmt>();
  loop->label = label;
  if (!(loop->condition = finish(condition, name.begin, dots.begin, {bound})))
    return nullptr;
  auto *one = tree.make<IntLiteralExpr>();
  one->value = 1;
  one->range = variable->range;
  auto *step = tree.make<AssignStmt>();
  step->target = makeName(name);
  step->compound = true;
  step->value = one;
  step->range = variable->range;
  loop->step = step;
  if (!(loop->body = parseBlock("to open the block of 'for'")))
    return nullptr;
  loop->range = rangeFrom(begin, begin);
  auto *start = tree.make<VarStmt>();
  start->variable = variable;
  start->range = variable->range;
  auto *made = tree.make<BlockStmt>();
  made->statements = tree.copy(llvm::ArrayRef<Stmt *>{start, loop});
  made->range = loop->range;
  return made;
}

Stmt *Parser::parseJump(Stmt::Kind kind) {
  Token first = take();
  auto *made = tree.make<JumpStmt>(kind);
  if (is(TokenKind::identifier))
    made->label = take();
  made->range = rangeFrom(first.begin, first.begin);
  return endStatement() ? made : nullptr;
}

Stmt *Parser::parseReturn() {
  Token first = take();
  auto *made = tree.make<ReturnStmt>();
  if (!is(TokenKind::semicolon) && !is(TokenKind::r_brace) && !(made->value = parseExpr()))
    return nullptr;
  made->range = rangeFrom(first.begin, first.begin);
  return endStatement() ? made : nullptr;
}

/// `barrier(regions…, order);`, where both parts may be left out.
Stmt *Parser::parseBarrier() {
  Token first = take();
  auto *made = tree.make<BarrierStmt>();
  if (!function->isKernel) {
    error(first, Code::barrier_outside_kernel);
    return nullptr;
  }
  if (!expect(TokenKind::l_paren, "after 'barrier'"))
    return nullptr;
  bool ordered = false;
  while (!is(TokenKind::r_paren)) {
    if (ordered) {
      expected("')' after the order of a barrier");
      return nullptr;
    }
    if (is(TokenKind::kw_workgroup)) {
      made->workgroup = true;
    } else if (isName("global")) {
      made->global = true;
    } else {
      ordered = true;
      if (isName("acquire"))
        made->order = MemoryOrder::Acquire;
      else if (isName("release"))
        made->order = MemoryOrder::Release;
      else if (isName("acq_rel"))
        made->order = MemoryOrder::AcqRel;
      else if (isName("seq_cst"))
        made->order = MemoryOrder::SeqCst;
      else {
        expected("'workgroup', 'global', 'acquire', 'release', 'acq_rel' or 'seq_cst'");
        return nullptr;
      }
    }
    take();
    if (!is(TokenKind::r_paren) && !expect(TokenKind::comma, "between the words of a barrier"))
      return nullptr;
  }
  take();
  if (!made->workgroup && !made->global)
    made->workgroup = true;
  made->range = rangeFrom(first.begin, first.begin);
  return endStatement() ? made : nullptr;
}
