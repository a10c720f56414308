//===- ParseExpr.cpp - expressions -===//
//
// Precedence climbing over one table of operators.
//
//===----------------------------------------------------------------------===//

#include "Mettle/Frontend/Parser.h"

using namespace mettle::frontend;
using llvm::StringRef;

namespace {
struct Level {
  unsigned level;
  BinaryOp op;
};
} // namespace

/// Level 0: not a binary operator. A higher level binds tighter.
static Level binaryLevel(TokenKind kind) {
  switch (kind) {
  case TokenKind::pipe_pipe:
    return {1, BinaryOp::LogicalOr};
  case TokenKind::amp_amp:
    return {2, BinaryOp::LogicalAnd};
  case TokenKind::pipe:
    return {3, BinaryOp::BitOr};
  case TokenKind::caret:
    return {4, BinaryOp::BitXor};
  case TokenKind::amp:
    return {5, BinaryOp::BitAnd};
  case TokenKind::equal_equal:
    return {6, BinaryOp::Equal};
  case TokenKind::bang_equal:
    return {6, BinaryOp::NotEqual};
  case TokenKind::less:
    return {7, BinaryOp::Less};
  case TokenKind::less_equal:
    return {7, BinaryOp::LessEqual};
  case TokenKind::greater:
    return {7, BinaryOp::Greater};
  case TokenKind::greater_equal:
    return {7, BinaryOp::GreaterEqual};
  case TokenKind::less_less:
    return {8, BinaryOp::Shl};
  case TokenKind::greater_greater:
    return {8, BinaryOp::Shr};
  case TokenKind::plus:
    return {9, BinaryOp::Add};
  case TokenKind::minus:
    return {9, BinaryOp::Sub};
  case TokenKind::star:
    return {10, BinaryOp::Mul};
  case TokenKind::slash:
    return {10, BinaryOp::Div};
  case TokenKind::percent:
    return {10, BinaryOp::Rem};
  default:
    return {0, BinaryOp::Add};
  }
}

/// Gives an expression its range and height. Null, after a message, when it is too high.
Expr *Parser::finish(Expr *e, Offset begin, Offset caret,
                     std::initializer_list<const Expr *> parts) {
  e->range = rangeFrom(begin, caret);
  for (const Expr *part : parts)
    e->height = std::max<uint16_t>(e->height, part->height + 1);
  if (e->height <= maxHeight)
    return e;
  if (!quiet)
    diagnostics.error(caret, caret, Code::expression_too_deep, {std::to_string(maxHeight)});
  failed = true;
  return nullptr;
}

Expr *Parser::parseBinary(unsigned minimum) {
  Expr *lhs = parseUnary();
  while (lhs) {
    auto [level, op] = binaryLevel(token().kind);
    if (level <= minimum)
      return lhs;
    Token operation = take();
    Expr *rhs = parseBinary(level);
    if (!rhs)
      return nullptr;
    auto *made = tree.make<BinaryExpr>();
    made->op = op;
    made->lhs = lhs;
    made->rhs = rhs;
    lhs = finish(made, lhs->range.begin, operation.begin, {lhs, rhs});
  }
  return nullptr;
}

/// Whether the parenthesis here opens a cast: a type's name follows, which for a record means that
/// only stars and a closing parenthesis come after it.
bool Parser::atCast() const {
  const Token &first = token(1);
  if (first.is(TokenKind::identifier)) {
    if (first.name->getKey() != "cstring" && !recordNames.contains(first.name))
      return false;
    unsigned ahead = 2;
    while (token(ahead).is(TokenKind::star))
      ++ahead;
    return token(ahead).is(TokenKind::r_paren);
  }
  switch (first.kind) {
#define METTLE_SCALAR(kind, spelling, bits, numberClass) case TokenKind::kw_##spelling:
#include "Mettle/Frontend/Scalars.def"
  case TokenKind::kw_string:
    return true;
  default:
    return false;
  }
}

Expr *Parser::parseUnary() {
  Nest nest(*this);
  if (!nest.fits())
    return nullptr;
  Token first = token();
  UnaryOp op;
  switch (first.kind) {
  case TokenKind::minus:
    op = UnaryOp::Negate;
    break;
  case TokenKind::bang:
    op = UnaryOp::Not;
    break;
  case TokenKind::tilde:
    op = UnaryOp::Complement;
    break;
  case TokenKind::star:
    op = UnaryOp::Dereference;
    break;
  case TokenKind::amp:
    op = UnaryOp::AddressOf;
    break;
  case TokenKind::l_paren:
    if (atCast()) {
      take();
      auto *made = tree.make<CastExpr>();
      if (!(made->target = parseType()) || !expect(TokenKind::r_paren, "after the type of a cast"))
        return nullptr;
      if (!(made->operand = parseUnary()))
        return nullptr;
      return finish(made, first.begin, first.begin, {made->operand});
    }
    return parsePostfix();
  default:
    return parsePostfix();
  }
  take();
  auto *made = tree.make<UnaryExpr>();
  made->op = op;
  if (!(made->operand = parseUnary()))
    return nullptr;
  return finish(made, first.begin, first.begin, {made->operand});
}

Expr *Parser::parsePostfix() {
  Expr *base = parsePrimary();
  while (base) {
    Offset begin = base->range.begin;
    Token operation = token();
    if (is(TokenKind::l_paren)) {
      base = parseCall(base);
    } else if (accept(TokenKind::l_square)) {
      auto *made = tree.make<IndexExpr>();
      made->base = base;
      if (!(made->index = parseExpr()) || !expect(TokenKind::r_square, "after an index"))
        return nullptr;
      base = finish(made, begin, begin, {base, made->index});
    } else if (is(TokenKind::dot) || is(TokenKind::arrow)) {
      take();
      auto *made = tree.make<MemberExpr>();
      made->base = base;
      made->arrow = operation.is(TokenKind::arrow);
      made->field = token();
      if (!expect(TokenKind::identifier, made->arrow ? "after '->'" : "after '.'"))
        return nullptr;
      base = finish(made, begin, made->field.begin, {base});
    } else {
      return base;
    }
  }
  return nullptr;
}

Expr *Parser::parseCall(Expr *callee) {
  take();
  auto *made = tree.make<CallExpr>();
  made->callee = callee;
  llvm::SmallVector<Argument> arguments;
  if (!is(TokenKind::r_paren)) {
    do {
      Argument argument;
      if (is(TokenKind::identifier) && token(1).is(TokenKind::colon)) {
        argument.name = take();
        take();
        // `scope: workgroup` names a space by its keyword.
        if (is(TokenKind::kw_workgroup) || is(TokenKind::kw_private))
          argument.value = makeName(take());
      }
      if (!argument.value && !(argument.value = parseExpr()))
        return nullptr;
      arguments.push_back(argument);
    } while (accept(TokenKind::comma));
  }
  if (!expect(TokenKind::r_paren, "after the arguments of a call"))
    return nullptr;
  made->arguments = tree.copy(arguments);
  made->height = callee->height + 1;
  for (const Argument &argument : arguments)
    made->height = std::max<uint16_t>(made->height, argument.value->height + 1);
  return finish(made, callee->range.begin, callee->range.begin);
}

NameExpr *Parser::makeName(const Token &token) {
  auto *made = tree.make<NameExpr>();
  StringRef spelling = tree.source.text().slice(token.begin, token.end);
  made->name = token.name ? token.name : tree.names.get(spelling);
  made->range = {token.begin, token.end, token.begin};
  return made;
}

Expr *Parser::parseNumber() {
  Token number = take();
  StringRef text = tree.source.text().slice(number.begin, number.end);
  if (number.is(TokenKind::floating)) {
    auto *made = tree.make<FloatLiteralExpr>();
    made->text = text;
    return finish(made, number.begin, number.begin);
  }
  auto *made = tree.make<IntLiteralExpr>();
  unsigned radix = 10;
  if (text.starts_with_insensitive("0x") || text.starts_with_insensitive("0b")) {
    radix = text.starts_with_insensitive("0x") ? 16 : 2;
    text = text.drop_front(2);
  }
  if (!text.empty() && text.getAsInteger(radix, made->value))
    error(number, Code::integer_too_large, {text});
  return finish(made, number.begin, number.begin);
}

Expr *Parser::parsePrimary() {
  Token first = token();
  switch (first.kind) {
  case TokenKind::identifier:
    take();
    return makeName(first);
  case TokenKind::integer:
  case TokenKind::floating:
    return parseNumber();
  case TokenKind::string:
    take();
    return finish(tree.make<StringLiteralExpr>(), first.begin, first.begin);
  case TokenKind::kw_true:
  case TokenKind::kw_false: {
    take();
    auto *made = tree.make<BoolLiteralExpr>();
    made->value = first.is(TokenKind::kw_true);
    return finish(made, first.begin, first.begin);
  }
  case TokenKind::l_paren: {
    take();
    Expr *inner = parseExpr();
    if (!inner || !expect(TokenKind::r_paren, "to close the parenthesis"))
      return nullptr;
    return inner;
  }
  case TokenKind::kw_new:
  case TokenKind::kw_this:
  case TokenKind::kw_fn:
  case TokenKind::kw_asm:
    error(first, Code::host_construct, {describe(first.kind)});
    return nullptr;
  default:
    expected("an expression");
    return nullptr;
  }
}
