//===- SemaCall.cpp - calls -===//
//
// A call reaches a helper of the same file or a built-in. Everything else that could be called is
// refused by its name.
//
//===----------------------------------------------------------------------===//

#include "Mettle/Frontend/Sema.h"

using namespace mettle::frontend;
using llvm::StringRef;

Expr *Sema::checkCall(CallExpr &e) {
  auto *name = llvm::dyn_cast<NameExpr>(e.callee);
  if (!name) {
    error(e.range, Code::indirect_device_call, {"a call of an expression"});
    return fail(&e);
  }
  StringRef spelling = name->name->getKey();
  if (VarDecl *variable = lookup(name->name)) {
    if (variable->type->isError())
      return fail(&e);
    error(e.range, Code::indirect_device_call, {"a call of the variable '" + spelling.str() + "'"});
    return fail(&e);
  }
  FunctionDecl *callee = functions.lookup(name->name);
  if (!callee)
    return checkBuiltinCall(e, spelling, nullptr);
  if (callee->isExtern)
    return checkBuiltinCall(e, callee->linkName.empty() ? spelling : callee->linkName, callee);
  if (callee->faulty)
    return fail(&e);
  if (callee->isKernel)
    error(e.range, Code::direct_kernel_call, {spelling});
  else if (!callee->hostOnly.empty())
    error(e.range, Code::host_function, {spelling, callee->hostOnly});
  else if (!callee->hasBody)
    error(e.range, Code::external_device_call, {spelling, "it has no body"});
  else
    return checkHelperCall(e, *callee);
  return fail(&e);
}

bool Sema::checkArity(CallExpr &e, StringRef name, size_t arity) {
  for (const Argument &argument : e.arguments)
    if (argument.name.name) {
      const Token &token = argument.name;
      error({token.begin, token.end, token.begin}, Code::named_argument, {name});
      return false;
    }
  if (e.arguments.size() == arity)
    return true;
  error(e.range, Code::argument_count,
        {name, std::to_string(arity) + (arity == 1 ? " argument" : " arguments"),
         std::to_string(e.arguments.size())});
  return false;
}

Expr *Sema::checkHelperCall(CallExpr &e, FunctionDecl &callee) {
  StringRef name = callee.name->getKey();
  checkSignature(callee);
  if (callee.state == FunctionDecl::Fresh) {
    callee.state = FunctionDecl::Reached;
    reachedFunctions.push_back(&callee);
  }
  if (!checkArity(e, name, callee.parameters.size()))
    return fail(&e);
  llvm::SmallVector<Argument> arguments(e.arguments);
  for (auto [argument, parameter] : llvm::zip(arguments, callee.parameters)) {
    std::string what = "argument '" + parameter->name->getKey().str() + "'";
    argument.value = convertTo(checkValue(argument.value), parameter->type, what);
  }
  e.arguments = tree.copy(arguments);
  e.function = &callee;
  e.type = callee.result;
  calls.push_back(&e);
  return &e;
}

Expr *Sema::checkBuiltinCall(CallExpr &e, StringRef name, const FunctionDecl *declaration) {
#define METTLE_MATH(kind, spelling, arity, type)                                                   \
  if (name == spelling)                                                                            \
    return checkMathCall(e, BuiltinFunction::kind, arity, get(TypeKind::type),                     \
                         get(TypeKind::type), declaration);
#define METTLE_BITCAST(kind, spelling, from, to)                                                   \
  if (name == spelling)                                                                            \
    return checkMathCall(e, BuiltinFunction::kind, 1, get(TypeKind::from), get(TypeKind::to),      \
                         declaration);
#define METTLE_SUBGROUP(kind, spelling)                                                            \
  if (name == spelling)                                                                            \
    return checkSubgroupCall(e, name, BuiltinFunction::kind, declaration);
#define METTLE_ATOMIC(kind, spelling)                                                              \
  if (name == spelling)                                                                            \
    return checkAtomicCall(e, name, BuiltinFunction::kind, declaration);
#define METTLE_ASYNC(kind, spelling)                                                               \
  if (name == spelling)                                                                            \
    return checkAsyncCall(e, name, BuiltinFunction::kind, declaration);
#define METTLE_CHECK(kind, spelling)                                                               \
  if (name == spelling)                                                                            \
    return checkCheckCall(e, name, BuiltinFunction::kind, declaration);
#define METTLE_INDEX(spelling, indexSource, indexAxis)                                             \
  if (name == spelling) {                                                                          \
    if (!checkArity(e, name, 0) || !checkDeclaration(declaration, {}, get(TypeKind::Int32)))       \
      return fail(&e);                                                                             \
    auto *made = tree.make<BuiltinIndexExpr>();                                                    \
    made->source = IndexSource::indexSource;                                                       \
    made->axis = indexAxis;                                                                        \
    made->type = get(TypeKind::Int32);                                                             \
    made->range = e.range;                                                                         \
    return made;                                                                                   \
  }
#define METTLE_LATER(spelling, feature)                                                            \
  if (name == spelling) {                                                                          \
    error(e.range, Code::not_compiled, {name, feature});                                           \
    return fail(&e);                                                                               \
  }
#include "Mettle/Frontend/Builtins.def"

  if (name == "h2f")
    return checkHalfCall(e, BuiltinFunction::HalfToFloat, declaration);
  if (name == "f2h")
    return checkHalfCall(e, BuiltinFunction::FloatToHalf, declaration);
  if (name == "gpu_barrier") {
    if (!function->isKernel) {
      error(e.range, Code::barrier_outside_kernel);
      return fail(&e);
    }
    if (!checkArity(e, name, 0) || !checkDeclaration(declaration, {}, get(TypeKind::Void)))
      return fail(&e);
    e.builtin = BuiltinFunction::LegacyBarrier;
    e.type = get(TypeKind::Void);
    return &e;
  }
  if (declaration)
    error(e.range, Code::external_device_call, {name, "it is external"});
  else
    error(e.range, Code::unknown_function, {name});
  return fail(&e);
}

/// An `extern` declaration of a built-in states its types, or is refused.
bool Sema::checkDeclaration(const FunctionDecl *declaration,
                            llvm::ArrayRef<const Type *> parameters, const Type *result) {
  if (!declaration)
    return true;
  auto &declared = const_cast<FunctionDecl &>(*declaration);
  if (declared.hostOnly.empty())
    checkSignature(declared);
  bool same = declared.hostOnly.empty() && declared.result == result &&
              declared.parameters.size() == parameters.size();
  std::string signature = "(";
  for (size_t i = 0; i < parameters.size(); ++i) {
    same = same && declared.parameters[i]->type == parameters[i];
    signature += (i ? ", " : "") + parameters[i]->spelling();
  }
  signature += ")";
  if (!result->is(TypeKind::Void))
    signature += " -> " + result->spelling();
  if (!same)
    error(declared.range, Code::external_signature, {declared.name->getKey(), signature});
  return same;
}

Expr *Sema::checkMathCall(CallExpr &e, BuiltinFunction builtin, unsigned arity, const Type *type,
                          const Type *result, const FunctionDecl *declaration) {
  StringRef name = llvm::cast<NameExpr>(e.callee)->name->getKey();
  llvm::SmallVector<const Type *> parameters(arity, type);
  if (!checkArity(e, name, arity) || !checkDeclaration(declaration, parameters, result))
    return fail(&e);
  llvm::SmallVector<Argument> arguments(e.arguments);
  for (Argument &argument : arguments)
    argument.value =
        convertTo(checkValue(argument.value), type, "an argument of '" + name.str() + "'");
  e.arguments = tree.copy(arguments);
  e.builtin = builtin;
  e.type = result;
  return &e;
}

/// `h2f` takes the bits of a half as uint16, as the language always did, or a float16.
Expr *Sema::checkHalfCall(CallExpr &e, BuiltinFunction builtin, const FunctionDecl *declaration) {
  bool toFloat = builtin == BuiltinFunction::HalfToFloat;
  StringRef name = toFloat ? "h2f" : "f2h";
  const Type *bits = get(TypeKind::UInt16), *single = get(TypeKind::Float32);
  if (!checkArity(e, name, 1) ||
      !checkDeclaration(declaration, toFloat ? bits : single, toFloat ? single : bits))
    return fail(&e);
  llvm::SmallVector<Argument> arguments(e.arguments);
  Expr *&value = arguments[0].value;
  value = checkValue(value);
  if (!toFloat || !value->type->is(TypeKind::Float16))
    value = convertTo(value, toFloat ? bits : single, "the argument of '" + name.str() + "'");
  e.arguments = tree.copy(arguments);
  e.builtin = builtin;
  e.type = toFloat ? single : bits;
  return &e;
}
