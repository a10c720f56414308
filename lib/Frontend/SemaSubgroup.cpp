//===- SemaSubgroup.cpp - calls of subgroup operations -===//
//
// They are typed by their arguments: a value keeps its type, but for what arithmetic promotes. What
// is for kernels is refused in functions that none reaches, which are otherwise never judged.
//
//===----------------------------------------------------------------------===//

#include "Mettle/Frontend/Sema.h"

using namespace mettle::frontend;
using llvm::StringRef;

namespace {
/// What the positional arguments are, in order.
enum class Operand : uint8_t { Value, Exchanged, Lane, Predicate, Word };
enum class Result : uint8_t { Value, UInt32, Bool };

struct Signature {
  BuiltinFunction builtin;
  std::initializer_list<Operand> operands;
  Result result;
  /// Whether `order:` may be given.
  bool isFold = false;
};
} // namespace

static const Signature &signatureOf(BuiltinFunction builtin) {
  using enum BuiltinFunction;
  static const Signature signatures[] = {
      {SubgroupLocalId, {}, Result::UInt32},
      {SubgroupSize, {}, Result::UInt32},
      {SubgroupBroadcast, {Operand::Value, Operand::Lane}, Result::Value},
      {SubgroupReduceAdd, {Operand::Value}, Result::Value, true},
      {SubgroupReduceMin, {Operand::Value}, Result::Value, true},
      {SubgroupReduceMax, {Operand::Value}, Result::Value, true},
      {SubgroupScanInclusiveAdd, {Operand::Value}, Result::Value, true},
      {SubgroupScanExclusiveAdd, {Operand::Value}, Result::Value, true},
      {SubgroupShuffle, {Operand::Exchanged, Operand::Lane}, Result::Value},
      {SubgroupShuffleXor, {Operand::Exchanged, Operand::Lane}, Result::Value},
      {SubgroupShuffleUp, {Operand::Exchanged, Operand::Lane}, Result::Value},
      {SubgroupShuffleDown, {Operand::Exchanged, Operand::Lane}, Result::Value},
      {SubgroupBallot, {Operand::Predicate, Operand::Word}, Result::UInt32},
      {SubgroupAny, {Operand::Predicate}, Result::Bool},
      {SubgroupAll, {Operand::Predicate}, Result::Bool},
  };
  return *llvm::find_if(signatures, [&](const Signature &s) { return s.builtin == builtin; });
}

/// `order: inner_tree`, of which integers need none.
bool Sema::checkFoldOrder(CallExpr &e, const Argument &option, bool isFloat) {
  static constexpr std::pair<StringRef, FoldOrder> orders[] = {
      {"inner_tree", FoldOrder::InnerTree},
      {"sequential", FoldOrder::Sequential},
      {"unordered", FoldOrder::Unordered},
  };
  auto *name = llvm::dyn_cast<NameExpr>(option.value);
  const auto *order = llvm::find_if(
      orders, [&](const auto &entry) { return name && name->name->getKey() == entry.first; });
  if (order == std::end(orders)) {
    error(option.value->range, Code::subgroup_order,
          {"inner_tree, sequential or unordered after 'order'",
           name ? "'" + name->name->getKey().str() + "'" : "another expression"});
    return false;
  }
  if (!isFloat) {
    error(option.value->range, Code::subgroup_order,
          {"no order, on which only floats depend", "'" + order->first.str() + "'"});
    return false;
  }
  e.foldOrder = order->second;
  return true;
}

Expr *Sema::checkSubgroupCall(CallExpr &e, StringRef name, BuiltinFunction builtin,
                              const FunctionDecl *declaration) {
  const Signature &signature = signatureOf(builtin);
  if (declaration) {
    error(declaration->range, Code::external_device_call,
          {name, "it is built in and has no declaration"});
    return fail(&e);
  }
  size_t arity = signature.operands.size();
  llvm::SmallVector<Argument> positional;
  const Argument *order = nullptr;
  bool fits = true;
  for (const Argument &argument : e.arguments) {
    bool isOrder = argument.name.name && argument.name.name->getKey() == "order";
    if (!argument.name.name)
      positional.push_back(argument);
    else if (isOrder && signature.isFold && !order)
      order = &argument;
    else
      fits = false;
  }
  if (!fits || positional.size() != arity) {
    std::string takes = std::to_string(arity) + (arity == 1 ? " argument" : " arguments");
    std::string got = std::to_string(e.arguments.size());
    if (signature.isFold)
      takes += " and 'order'";
    for (const Argument &argument : e.arguments)
      if (argument.name.name)
        got += ", one of them '" + argument.name.name->getKey().str() + "'";
    error(e.range, Code::subgroup_signature, {name, takes, got});
    return fail(&e);
  }

  for (auto [argument, operand] : llvm::zip(positional, signature.operands)) {
    Expr *&value = argument.value;
    value = checkValue(value);
    const Type *type = value->type;
    if (type->isError())
      return fail(&e);
    auto refuse = [&](Code code) {
      error(value->range, code, {name, type->spelling()});
      return fail(&e);
    };
    switch (operand) {
    case Operand::Value:
      if (!type->isScalar() || type->isBool())
        return refuse(Code::subgroup_type);
      // A half is moved as it is and added as arithmetic adds it.
      if (signature.isFold || type->isIntegral())
        value = promote(value);
      break;
    case Operand::Exchanged:
      if (!type->isScalar() || type->isBool())
        return refuse(Code::subgroup_shuffle_type);
      if (type->isIntegral())
        value = promote(value);
      break;
    case Operand::Lane:
    case Operand::Word:
      if (!type->isIntegral() || type->isBool())
        return refuse(operand == Operand::Lane ? Code::subgroup_lane_type
                                               : Code::subgroup_ballot_word);
      value = convertTo(value, get(TypeKind::UInt32), "the lane");
      break;
    case Operand::Predicate:
      if (!type->isScalar())
        return refuse(Code::subgroup_vote_type);
      value = convert(value, get(TypeKind::Bool));
      break;
    }
  }
  e.builtin = builtin;
  switch (signature.result) {
  case Result::Value:
    e.type = positional.front().value->type;
    break;
  case Result::UInt32:
    e.type = get(TypeKind::UInt32);
    break;
  case Result::Bool:
    e.type = get(TypeKind::Bool);
    break;
  }
  if (order && !checkFoldOrder(e, *order, e.type->isFloat()))
    return fail(&e);
  e.arguments = tree.copy(positional);
  return &e;
}

/// A word for kernels in a function that none reaches is a mistake, or a kernel that is missing.
void Sema::checkUnreached(const FunctionDecl &host) {
  for (const Token &call : parser.callsIn(host)) {
    StringRef name = call.name->getKey();
    if (functions.contains(call.name))
      continue;
#define METTLE_SUBGROUP(kind, spelling)                                                            \
  if (name == spelling)                                                                            \
    error({call.begin, call.end, call.begin}, Code::subgroup_outside_kernel, {name});
#define METTLE_ATOMIC(kind, spelling)                                                              \
  if (name == spelling)                                                                            \
    error({call.begin, call.end, call.begin}, Code::atomic_outside_kernel, {name});
#define METTLE_ASYNC(kind, spelling)                                                               \
  if (name == spelling)                                                                            \
    error({call.begin, call.end, call.begin}, Code::async_copy_outside_kernel, {name});
#define METTLE_CHECK(kind, spelling)                                                               \
  if (name == spelling)                                                                            \
    error({call.begin, call.end, call.begin}, Code::check_outside_kernel, {name});
#include "Mettle/Frontend/Builtins.def"
  }
}
