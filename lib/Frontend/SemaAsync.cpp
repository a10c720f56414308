//===- SemaAsync.cpp - calls of asynchronous copies -===//
//
// What is copied, in which pieces, and how many groups a wait leaves are constants. Which memory
// the pointers point into is known when the function is lowered for its callers.
//
//===----------------------------------------------------------------------===//

#include "Mettle/Frontend/Sema.h"

#include "Mettle/Dialect/Mettle/IR/AsyncCopyOps.h"
#include "llvm/ADT/SmallString.h"

using namespace mettle::frontend;
using llvm::StringRef;

Expr *Sema::checkAsyncCall(CallExpr &e, StringRef name, BuiltinFunction builtin,
                           const FunctionDecl *declaration) {
  if (declaration) {
    error(declaration->range, Code::external_device_call,
          {name, "it is built in and has no declaration"});
    return fail(&e);
  }
  bool isCopy = builtin == BuiltinFunction::AsyncCopy;
  size_t arity = isCopy ? 3 : builtin == BuiltinFunction::AsyncWait ? 1 : 0;
  llvm::SmallVector<Argument> positional;
  const Argument *transaction = nullptr, *cache = nullptr;
  bool fits = true;
  std::string got = std::to_string(e.arguments.size());
  for (const Argument &argument : e.arguments) {
    if (!argument.name.name) {
      positional.push_back(argument);
      continue;
    }
    StringRef option = argument.name.name->getKey();
    got += ", one of them '" + option.str() + "'";
    const Argument *&place = option == "transaction" ? transaction : cache;
    fits &= isCopy && (option == "transaction" || option == "cache") && !place;
    place = &argument;
  }
  if (!fits || positional.size() != arity) {
    std::string takes = std::to_string(arity) + (arity == 1 ? " argument" : " arguments");
    if (isCopy)
      takes += ", 'transaction' and 'cache'";
    error(e.range, Code::async_copy_signature, {name, takes, got});
    return fail(&e);
  }
  e.builtin = builtin;
  e.type = get(TypeKind::Void);
  auto *copy = tree.make<AsyncCopy>();
  e.asyncCopy = copy;
  if (builtin == BuiltinFunction::AsyncWait) {
    if (!checkWait(*copy, positional.front().value))
      return fail(&e);
    positional.clear();
  }
  if (isCopy) {
    if (!checkCopy(*copy, positional) || (transaction && !checkTransaction(*copy, *transaction)) ||
        (cache && !checkCacheHint(*copy, *cache)))
      return fail(&e);
    if (uint64_t span = copy->elements * copy->elementBytes;
        span > AsyncCopyOp::maxSpan || span % copy->transaction) {
      error(positional[2].value->range, Code::async_copy_span,
            {std::to_string(AsyncCopyOp::maxSpan), std::to_string(copy->transaction),
             std::to_string(span)});
      return fail(&e);
    }
    positional.pop_back();
  }
  e.arguments = tree.copy(positional);
  return &e;
}

static std::string toString(const llvm::APSInt &value) {
  llvm::SmallString<24> text;
  value.toString(text);
  return text.str().str();
}

/// A value from `least` to `most`, or an error that names what stood there.
std::optional<uint64_t> Sema::foldOption(Expr *value, uint64_t least, uint64_t most, Code code) {
  value = checkValue(value);
  if (value->type->isError())
    return std::nullopt;
  std::optional<llvm::APSInt> folded = fold(value);
  // Wide enough for every value of every type.
  llvm::APSInt wide = folded ? folded->extend(66) : llvm::APSInt();
  wide.setIsSigned(true);
  if (folded && wide >= int64_t(least) && wide <= int64_t(most))
    return wide.getZExtValue();
  error(value->range, code, {folded ? toString(*folded) : "an expression that is not constant"});
  return std::nullopt;
}

bool Sema::checkWait(AsyncCopy &copy, Expr *value) {
  auto pending = foldOption(value, 0, AsyncWaitOp::maxPending, Code::async_copy_pending);
  copy.pending = pending.value_or(0);
  return pending.has_value();
}

bool Sema::checkCopy(AsyncCopy &copy, llvm::MutableArrayRef<Argument> arguments) {
  const Type *elements[2];
  for (auto [argument, element, what] :
       llvm::zip(arguments, elements, llvm::ArrayRef<StringRef>({"target", "source"}))) {
    argument.value = checkValue(argument.value);
    const Type *type = argument.value->type;
    if (type->isError())
      return false;
    if (!type->isPointer() || !type->element()->isScalar()) {
      error(argument.value->range, Code::async_copy_type,
            {what, "a pointer to scalars", type->spelling()});
      return false;
    }
    element = type->element();
  }
  if (elements[0] != elements[1]) {
    error(arguments[1].value->range, Code::async_copy_type,
          {"source", "a " + elements[0]->spelling() + "*, as the target is",
           arguments[1].value->type->spelling()});
    return false;
  }
  auto count = foldOption(arguments[2].value, 1, AsyncCopyOp::maxSpan, Code::async_copy_count);
  copy.elements = count.value_or(0);
  copy.elementBytes = elements[0]->size();
  return count.has_value();
}

bool Sema::checkTransaction(AsyncCopy &copy, const Argument &option) {
  auto bytes = foldOption(option.value, 4, 16, Code::async_copy_transaction);
  if (!bytes)
    return false;
  copy.transaction = *bytes;
  if (*bytes == 4 || *bytes == 8 || *bytes == 16)
    return true;
  error(option.value->range, Code::async_copy_transaction, {std::to_string(*bytes)});
  return false;
}

bool Sema::checkCacheHint(AsyncCopy &copy, const Argument &option) {
  auto *name = llvm::dyn_cast<NameExpr>(option.value);
  StringRef hint = name ? name->name->getKey() : "";
  copy.pastL1 = hint == "global";
  if (copy.pastL1 || hint == "all")
    return true;
  error(option.value->range, Code::async_copy_cache,
        {name ? "'" + hint.str() + "'" : std::string("another expression")});
  return false;
}
