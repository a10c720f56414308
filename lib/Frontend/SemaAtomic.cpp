//===- SemaAtomic.cpp - calls of atomic operations -===//
//
// They are typed by their pointer; values are converted to its element. What depends on the memory
// that the pointer points into waits for the lowering, which knows it.
//
//===----------------------------------------------------------------------===//

#include "Mettle/Frontend/Sema.h"

#include "llvm/ADT/StringExtras.h"

using namespace mettle::frontend;
using llvm::StringRef;

static constexpr std::pair<StringRef, MemoryOrder> orders[] = {
    {"relaxed", MemoryOrder::Relaxed}, {"acquire", MemoryOrder::Acquire},
    {"release", MemoryOrder::Release}, {"acq_rel", MemoryOrder::AcqRel},
    {"seq_cst", MemoryOrder::SeqCst},
};

static StringRef wordFor(MemoryOrder order) {
  return llvm::find_if(orders, [&](const auto &entry) { return entry.second == order; })->first;
}

/// The word that an option's value is; empty for anything else.
static StringRef wordOf(const Argument &option) {
  auto *name = llvm::dyn_cast<NameExpr>(option.value);
  return name ? name->name->getKey() : StringRef();
}

static std::string quote(StringRef word) {
  return word.empty() ? "another expression" : "'" + word.str() + "'";
}

/// Reads `order: acquire` and the like; the caller knows that the option exists.
bool Sema::checkAtomicOption(CallExpr &e, const Argument &option) {
  StringRef name = option.name.name->getKey(), word = wordOf(option);
  auto refuse = [&](StringRef expected) {
    error(option.value->range, Code::atomic_option, {expected, name, quote(word)});
    return false;
  };
  if (name == "scope") {
    if (word != "workgroup" && word != "device")
      return refuse("workgroup or device");
    e.atomic.scope = word == "device" ? AtomicOptions::DeviceScope : AtomicOptions::WorkgroupScope;
    return true;
  }
  if (name == "space") {
    if (word != "workgroup" && word != "global")
      return refuse("global or workgroup");
    e.atomic.space = word == "global" ? AtomicOptions::GlobalSpace : AtomicOptions::WorkgroupSpace;
    return true;
  }
  if (name == "order_of_sums")
    return word == "unordered" || refuse("unordered");
  const auto *order = llvm::find_if(orders, [&](const auto &entry) { return entry.first == word; });
  if (order == std::end(orders))
    return refuse("relaxed, acquire, release, acq_rel or seq_cst");
  (name == "failure_order" ? e.atomic.failureOrder : e.atomic.order) = order->second;
  return true;
}

/// What a failure may have beside an order of success, and has by default: the last one.
static llvm::ArrayRef<MemoryOrder> failureOrders(MemoryOrder success) {
  using enum MemoryOrder;
  static constexpr MemoryOrder all[] = {Relaxed, Acquire, SeqCst};
  bool acquires = success == Acquire || success == AcqRel;
  return llvm::ArrayRef(all).take_front(success == SeqCst ? 3 : acquires ? 2 : 1);
}

/// Which orders an operation takes. `order` and `failure` are the options that were given.
bool Sema::checkAtomicOrders(CallExpr &e, const Argument *order, const Argument *failure) {
  MemoryOrder given = e.atomic.order;
  bool both = given == MemoryOrder::AcqRel;
  if (e.builtin == BuiltinFunction::AtomicLoad && (both || given == MemoryOrder::Release)) {
    error(order->value->range, Code::atomic_load_order, {wordFor(given)});
    return false;
  }
  if (e.builtin == BuiltinFunction::AtomicStore && (both || given == MemoryOrder::Acquire)) {
    error(order->value->range, Code::atomic_store_order, {wordFor(given)});
    return false;
  }
  llvm::ArrayRef<MemoryOrder> allowed = failureOrders(given);
  if (!failure) {
    e.atomic.failureOrder = allowed.back();
    return true;
  }
  if (llvm::is_contained(allowed, e.atomic.failureOrder))
    return true;
  static constexpr StringRef words[] = {"relaxed", "relaxed or acquire",
                                        "relaxed, acquire or seq_cst"};
  error(failure->value->range, Code::atomic_failure_order,
        {wordFor(given), words[allowed.size() - 1], wordFor(e.atomic.failureOrder)});
  return false;
}

/// Atomics are on integers of 32 and 64 bits; a sum may be of floats if it says that its order is
/// nobody's.
bool Sema::checkAtomicElement(CallExpr &e, StringRef name, Expr *pointer, const Argument *sums) {
  const Type *element = pointer->type->isPointer() ? pointer->type->element() : nullptr;
  bool isSum = e.builtin == BuiltinFunction::AtomicFetchAdd;
  bool isFloat = element && (element->is(TypeKind::Float32) || element->is(TypeKind::Float64));
  bool isInteger = element && element->isIntegral() && !element->isBool() && element->size() >= 4;
  if (!isInteger && !(isSum && isFloat)) {
    StringRef expected = isSum ? "int32, uint32, int64, uint64, float32 or float64"
                               : "int32, uint32, int64 or uint64";
    error(pointer->range, Code::atomic_type, {name, expected, pointer->type->spelling()});
    return false;
  }
  if (isFloat && !sums) {
    error(e.range, Code::atomic_order_of_sums,
          {"'order_of_sums: unordered', since a sum of floats depends on the order of arrival",
           "none"});
    return false;
  }
  if (!isFloat && sums) {
    error(sums->value->range, Code::atomic_order_of_sums,
          {"no order of sums, on which only floats depend", quote(wordOf(*sums))});
    return false;
  }
  return true;
}

Expr *Sema::checkAtomicCall(CallExpr &e, StringRef name, BuiltinFunction builtin,
                            const FunctionDecl *declaration) {
  if (declaration) {
    error(declaration->range, Code::external_device_call,
          {name, "it is built in and has no declaration"});
    return fail(&e);
  }
  bool isExchange = builtin == BuiltinFunction::AtomicCompareExchange;
  size_t values = isExchange ? 2 : builtin == BuiltinFunction::AtomicLoad ? 0 : 1;
  e.builtin = builtin;

  llvm::SmallVector<Argument> positional;
  // Of `order` (or `success_order`), `failure_order` and `order_of_sums`, what is there.
  const Argument *order = nullptr, *failure = nullptr, *sums = nullptr;
  llvm::SmallVector<StringRef> seen;
  bool fits = true;
  for (const Argument &argument : e.arguments) {
    if (!argument.name.name) {
      positional.push_back(argument);
      continue;
    }
    StringRef option = argument.name.name->getKey();
    bool isSuccess = isExchange && option == "success_order";
    const Argument **place =
        option == "order" || isSuccess                                            ? &order
        : isExchange && option == "failure_order"                                 ? &failure
        : builtin == BuiltinFunction::AtomicFetchAdd && option == "order_of_sums" ? &sums
                                                                                  : nullptr;
    bool isKnown = place || option == "scope" || option == "space";
    fits &= isKnown && !llvm::is_contained(seen, option) && !(place && *place);
    seen.push_back(option);
    if (place)
      *place = &argument;
    if (fits && !checkAtomicOption(e, argument))
      return fail(&e);
  }
  size_t arity = 2 + values;
  if (!fits || positional.size() != arity) {
    std::string takes = std::to_string(arity) + " arguments and 'order', 'scope' and 'space'";
    std::string got = std::to_string(e.arguments.size());
    for (StringRef option : seen)
      got += ", one of them '" + option.str() + "'";
    error(e.range, Code::atomic_signature, {name, takes, got});
    return fail(&e);
  }
  if (!checkAtomicOrders(e, order, failure))
    return fail(&e);

  for (Argument &argument : positional) {
    argument.value = checkValue(argument.value);
    if (argument.value->type->isError())
      return fail(&e);
  }
  if (!checkAtomicElement(e, name, positional[0].value, sums))
    return fail(&e);
  const Type *index = positional[1].value->type;
  if (!index->isIntegral() || index->isBool()) {
    error(positional[1].value->range, Code::atomic_index, {name, index->spelling()});
    return fail(&e);
  }
  const Type *element = positional[0].value->type->element();
  for (Argument &argument : llvm::MutableArrayRef(positional).drop_front(2))
    argument.value = convertTo(argument.value, element, "a value of '" + name.str() + "'");
  e.type = builtin == BuiltinFunction::AtomicStore ? get(TypeKind::Void) : element;
  e.arguments = tree.copy(positional);
  return &e;
}
