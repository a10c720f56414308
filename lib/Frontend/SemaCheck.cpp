//===- SemaCheck.cpp - calls of gpu_assert and gpu_print -===//
//
// They vanish where checks are not asked for, so what they are given may only compute: a program
// means the same with and without them.
//
//===----------------------------------------------------------------------===//

#include "Mettle/Frontend/Sema.h"

#include "Mettle/Dialect/Mettle/IR/CheckOps.h"

using namespace mettle::frontend;
using llvm::StringRef;

/// The call in an expression whose effect others could see; null for none.
static const CallExpr *effectIn(const Expr *e) {
  auto either = [](const Expr *a, const Expr *b) {
    const CallExpr *found = effectIn(a);
    return found ? found : effectIn(b);
  };
  switch (e->kind) {
  case Expr::Member:
    return effectIn(llvm::cast<MemberExpr>(e)->base);
  case Expr::Index:
    return either(llvm::cast<IndexExpr>(e)->base, llvm::cast<IndexExpr>(e)->index);
  case Expr::Unary:
    return effectIn(llvm::cast<UnaryExpr>(e)->operand);
  case Expr::Binary:
    return either(llvm::cast<BinaryExpr>(e)->lhs, llvm::cast<BinaryExpr>(e)->rhs);
  case Expr::Cast:
    return effectIn(llvm::cast<CastExpr>(e)->operand);
  case Expr::Convert:
    return effectIn(llvm::cast<ConvertExpr>(e)->operand);
  case Expr::Decay:
    return effectIn(llvm::cast<DecayExpr>(e)->operand);
  case Expr::Call: {
    auto *call = llvm::cast<CallExpr>(e);
    bool knowsOwnLane = call->builtin == BuiltinFunction::SubgroupLocalId ||
                        call->builtin == BuiltinFunction::SubgroupSize;
    if (call->function || (!isArithmetic(call->builtin) && !knowsOwnLane))
      return call;
    for (const Argument &argument : call->arguments)
      if (const CallExpr *found = effectIn(argument.value))
        return found;
    return nullptr;
  }
  default:
    return nullptr;
  }
}

/// The text of a literal without its quotes, escapes replaced; none after an error.
std::optional<std::string> Sema::checkText(StringRef name, const Expr *literal, bool isLine) {
  auto refuse = [&](StringRef got) {
    error(literal->range, Code::check_text,
          {isLine ? "a message of one line in quotes" : "a text in quotes", name, got});
    return std::nullopt;
  };
  if (!llvm::isa<StringLiteralExpr>(literal))
    return refuse("another expression");
  StringRef raw =
      tree.source.text().slice(literal->range.begin, literal->range.end).drop_front().drop_back();
  std::string text;
  for (; !raw.empty(); raw = raw.drop_front()) {
    if (raw.front() != '\\') {
      text += raw.front();
      continue;
    }
    raw = raw.drop_front();
    static constexpr StringRef escapes = "nt\"\\", meanings = "\n\t\"\\";
    size_t place = escapes.find(raw.front());
    if (place == StringRef::npos)
      return refuse("the escape '\\" + raw.take_front(1).str() + "'");
    text += meanings[place];
  }
  if (isLine && text.find('\n') != std::string::npos)
    return refuse("several lines");
  return text;
}

Expr *Sema::checkCheckCall(CallExpr &e, StringRef name, BuiltinFunction builtin,
                           const FunctionDecl *declaration) {
  if (declaration) {
    error(declaration->range, Code::external_device_call,
          {name, "it is built in and has no declaration"});
    return fail(&e);
  }
  bool isAssert = builtin == BuiltinFunction::Assert;
  llvm::SmallVector<Argument> values(e.arguments);
  bool isNamed = llvm::any_of(values, [](const Argument &value) { return value.name.name; });
  if (isNamed || values.empty() || (isAssert && values.size() > 2)) {
    error(e.range, Code::check_signature,
          {name, isAssert ? "a condition and a message" : "a text and its values",
           isNamed ? "named arguments" : std::to_string(values.size()) + " arguments"});
    return fail(&e);
  }
  std::optional<std::string> text = "";
  if (!isAssert || values.size() == 2) {
    text = checkText(name, (isAssert ? values.back() : values.front()).value, isAssert);
    values.erase(isAssert ? &values.back() : &values.front());
  }
  if (!text)
    return fail(&e);
  for (Argument &argument : values)
    if (!checkCheckedValue(name, argument, isAssert))
      return fail(&e);
  if (!isAssert && !checkPlaces(e.range, *text, values.size()))
    return fail(&e);
  llvm::MutableArrayRef<char> kept = tree.copy(*text);
  e.text = StringRef(kept.data(), kept.size());
  e.arguments = tree.copy(values);
  e.builtin = builtin;
  e.type = get(TypeKind::Void);
  return &e;
}

bool Sema::checkCheckedValue(StringRef name, Argument &argument, bool isCondition) {
  argument.value = isCondition ? checkCondition(argument.value) : checkValue(argument.value);
  const Expr *value = argument.value;
  if (value->type->isError())
    return false;
  if (!value->type->isScalar()) {
    error(value->range, Code::check_value, {name, value->type->spelling()});
    return false;
  }
  const CallExpr *effect = effectIn(value);
  if (effect)
    error(effect->range, Code::check_effect, {name});
  return !effect;
}

bool Sema::checkPlaces(const Range &range, StringRef text, size_t values) {
  std::optional<size_t> places = PrintOp::countPlaces(text);
  if (places == values)
    return true;
  error(range, Code::check_format,
        {places ? std::to_string(*places) + (*places == 1 ? " value" : " values") +
                      ", one for each '{}' of the text"
                : "'{}', '{{' or '}}' where a brace stands in the text",
         places ? std::to_string(values) : "another one"});
  return false;
}
