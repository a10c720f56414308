//===- SemaExpr.cpp - expressions -===//
//
// Gives every expression its type. Each function returns the node that takes the place of the one
// it got, since a name may turn out to be an index of the launch, and conversions come in between.
//
//===----------------------------------------------------------------------===//

#include "Mettle/Frontend/Sema.h"

#include "llvm/ADT/StringExtras.h"

using namespace mettle::frontend;
using llvm::StringRef;

Expr *Sema::fail(Expr *e) {
  e->type = get(TypeKind::Error);
  return e;
}

Expr *Sema::check(Expr *e) {
  if (e->type)
    return e;
  switch (e->kind) {
  case Expr::IntLiteral: {
    uint64_t value = llvm::cast<IntLiteralExpr>(e)->value;
    e->untyped = true;
    e->type = get(value <= INT32_MAX   ? TypeKind::Int32
                  : value <= INT64_MAX ? TypeKind::Int64
                                       : TypeKind::UInt64);
    return e;
  }
  case Expr::FloatLiteral:
    e->untyped = true;
    e->type = get(TypeKind::Float64);
    return e;
  case Expr::BoolLiteral:
    e->type = get(TypeKind::Bool);
    return e;
  case Expr::StringLiteral:
    error(e->range, Code::host_construct, {"a string"});
    return fail(e);
  case Expr::NameRef:
    return checkName(*llvm::cast<NameExpr>(e));
  case Expr::Member:
    return checkMember(*llvm::cast<MemberExpr>(e));
  case Expr::Index:
    return checkIndex(*llvm::cast<IndexExpr>(e));
  case Expr::Unary:
    return checkUnary(*llvm::cast<UnaryExpr>(e));
  case Expr::Binary:
    return checkBinary(*llvm::cast<BinaryExpr>(e));
  case Expr::Cast:
    return checkCast(*llvm::cast<CastExpr>(e));
  case Expr::Call:
    return checkCall(*llvm::cast<CallExpr>(e));
  case Expr::Convert:
  case Expr::Decay:
  case Expr::BuiltinIndex:
  case Expr::Loaded:
    break;
  }
  llvm_unreachable("only analysis makes these, with their type");
}

/// An expression whose value is used: an array becomes a pointer to its first element, and there is
/// a value.
Expr *Sema::checkValue(Expr *e) {
  e = check(e);
  if (e->type->is(TypeKind::Void)) {
    error(e->range, Code::no_value);
    return fail(e);
  }
  if (!e->type->isArray())
    return e;
  auto *made = tree.make<DecayExpr>();
  made->operand = e;
  made->type = tree.types.pointerTo(e->type->element());
  made->range = e->range;
  made->height = e->height + 1;
  return made;
}

Expr *Sema::checkName(NameExpr &e) {
  StringRef name = e.name->getKey();
  if ((e.variable = lookup(e.name))) {
    e.type = e.variable->type;
    return &e;
  }
  if ((e.variable = constants.lookup(e.name))) {
    checkConstant(*e.variable, e.range);
    e.type = e.variable->type;
    return &e;
  }
  if (FunctionDecl *named = functions.lookup(e.name))
    error(e.range, Code::indirect_device_call,
          {"'" + named->name->getKey().str() + "' used as a value"});
  else if (hostVariables.lookup(e.name))
    error(e.range, Code::host_variable, {name});
  else
    error(e.range, Code::unknown_name, {name});
  return fail(&e);
}

/// The built-ins `thread`, `block`, `block_dim` and `grid_dim`, unless the name means a variable.
static std::optional<IndexSource> indexSource(StringRef name) {
  if (name == "thread")
    return IndexSource::Thread;
  if (name == "block")
    return IndexSource::Block;
  if (name == "block_dim")
    return IndexSource::BlockDim;
  if (name == "grid_dim")
    return IndexSource::GridDim;
  return std::nullopt;
}

Expr *Sema::checkMember(MemberExpr &e) {
  StringRef field = e.field.name->getKey();
  if (auto *name = llvm::dyn_cast<NameExpr>(e.base); name && !e.arrow && !lookup(name->name)) {
    if (auto source = indexSource(name->name->getKey())) {
      if (field.size() != 1 || field[0] < 'x' || field[0] > 'z') {
        error(e.range, Code::index_axis, {name->name->getKey(), field});
        return fail(&e);
      }
      auto *made = tree.make<BuiltinIndexExpr>();
      made->source = *source;
      made->axis = field[0] - 'x';
      made->type = get(TypeKind::Int32);
      made->range = e.range;
      return made;
    }
  }
  e.base = checkValue(e.base);
  const Type *type = e.base->type;
  if (type->isError())
    return fail(&e);
  const Type *record = e.arrow && type->isPointer() ? type->element() : e.arrow ? nullptr : type;
  if (!record || !record->isRecord()) {
    bool wrongOperator = type->isRecord() || (type->isPointer() && type->element()->isRecord());
    error(e.range, wrongOperator ? Code::member_operator : Code::member_of,
          {e.arrow ? "." : "->", type->spelling()});
    return fail(&e);
  }
  llvm::ArrayRef<Field> fields = record->record()->fields;
  for (size_t i = 0; i < fields.size(); ++i)
    if (fields[i].name == e.field.name) {
      e.fieldIndex = i;
      e.type = fields[i].type;
      return &e;
    }
  error(e.range, Code::unknown_field, {record->spelling(), field});
  return fail(&e);
}

Expr *Sema::checkIndex(IndexExpr &e) {
  e.base = checkValue(e.base);
  e.index = checkValue(e.index);
  if (e.base->type->isError() || e.index->type->isError())
    return fail(&e);
  if (!e.base->type->isPointer()) {
    error(e.base->range, Code::index_base, {e.base->type->spelling()});
    return fail(&e);
  }
  if (!e.index->type->isIntegral()) {
    error(e.index->range, Code::index_type, {e.index->type->spelling()});
    return fail(&e);
  }
  if (auto *array = llvm::dyn_cast<DecayExpr>(e.base)) {
    uint64_t extent = array->operand->type->extent();
    auto index = fold(e.index);
    if (index && (index->isNegative() || index->getZExtValue() >= extent)) {
      error(e.index->range, Code::index_bounds,
            {llvm::toString(*index, 10), std::to_string(extent)});
      return fail(&e);
    }
  }
  e.type = e.base->type->element();
  return &e;
}

Expr *Sema::checkUnary(UnaryExpr &e) {
  if (e.op == UnaryOp::AddressOf)
    return checkAddressOf(e);
  if (e.op == UnaryOp::Not) {
    e.operand = checkCondition(e.operand);
    e.type = e.operand->type;
    return &e;
  }
  e.operand = checkValue(e.operand);
  const Type *type = e.operand->type;
  if (type->isError())
    return fail(&e);
  if (e.op == UnaryOp::Dereference) {
    if (!type->isPointer()) {
      error(e.range, Code::dereference, {type->spelling()});
      return fail(&e);
    }
    e.type = type->element();
    return &e;
  }
  bool negate = e.op == UnaryOp::Negate;
  if (negate ? !type->isScalar() : !type->isIntegral()) {
    error(e.range, Code::operand_type,
          {negate ? "-" : "~", negate ? "a number" : "an integer", type->spelling()});
    return fail(&e);
  }
  e.untyped = e.operand->untyped;
  // The smallest integer of a type is a literal beyond its largest, negated.
  if (auto *literal = llvm::dyn_cast<IntLiteralExpr>(e.operand); literal && negate) {
    if (literal->value == uint64_t(1) << 31)
      literal->type = get(TypeKind::Int32);
    else if (literal->value == uint64_t(1) << 63)
      literal->type = get(TypeKind::Int64);
  }
  e.operand = promote(e.operand);
  e.type = e.operand->type;
  return &e;
}

/// The variable that a place is part of, if it is part of one.
VarDecl *Sema::rootVariable(Expr *e) {
  while (true) {
    if (auto *name = llvm::dyn_cast<NameExpr>(e))
      return name->variable;
    if (auto *member = llvm::dyn_cast<MemberExpr>(e); member && !member->arrow)
      e = member->base;
    else if (auto *index = llvm::dyn_cast<IndexExpr>(e); index && llvm::isa<DecayExpr>(index->base))
      e = llvm::cast<DecayExpr>(index->base)->operand;
    else
      return nullptr;
  }
}

Expr *Sema::checkAddressOf(UnaryExpr &e) {
  if (auto *name = llvm::dyn_cast<NameExpr>(e.operand);
      name && !lookup(name->name) && functions.lookup(name->name)) {
    error(e.range, Code::indirect_device_call, {"'&" + name->name->getKey().str() + "'"});
    return fail(&e);
  }
  e.operand = check(e.operand);
  const Type *type = e.operand->type;
  if (type->isError())
    return fail(&e);
  auto *unary = llvm::dyn_cast<UnaryExpr>(e.operand);
  bool place = llvm::isa<NameExpr, IndexExpr, MemberExpr>(e.operand) ||
               (unary && unary->op == UnaryOp::Dereference);
  VarDecl *variable = rootVariable(e.operand);
  if (!place || (variable && (variable->constant || variable->isConst))) {
    error(e.range, Code::address_of);
    return fail(&e);
  }
  if (type->isArray() || type->isPointer()) {
    error(e.range, type->isArray() ? Code::address_of_array : Code::pointer_element,
          {type->spelling()});
    return fail(&e);
  }
  if (variable && !keepInMemory(*variable, e.range))
    return fail(&e);
  e.type = tree.types.pointerTo(type);
  return &e;
}

/// Marks a variable whose address is needed; false, after a message, when it cannot have one.
bool Sema::keepInMemory(VarDecl &variable, const Range &use) {
  if (variable.inMemory)
    return true;
  StringRef name = variable.name->getKey();
  if (!function->isKernel) {
    error(use, Code::memory_outside_kernel, {name});
    return false;
  }
  if (variable.type->isRecord() && variable.type->record()->hasPointer) {
    error(use, Code::record_pointer_in_memory, {name});
    return false;
  }
  variable.inMemory = true;
  return true;
}

//===----------------------------------------------------------------------===//
// Binary operators
//===----------------------------------------------------------------------===//

Expr *Sema::checkBinary(BinaryExpr &e) {
  if (isLogical(e.op)) {
    e.lhs = checkCondition(e.lhs);
    e.rhs = checkCondition(e.rhs);
    e.type = e.lhs->type->isError() ? e.lhs->type : e.rhs->type;
    return &e;
  }
  e.lhs = checkValue(e.lhs);
  e.rhs = checkValue(e.rhs);
  return checkOperands(e);
}

/// The rest of a binary expression whose operands are checked.
Expr *Sema::checkOperands(BinaryExpr &e) {
  const Type *left = e.lhs->type, *right = e.rhs->type;
  StringRef op = spelling(e.op);
  if (left->isError() || right->isError())
    return fail(&e);
  if (left->isPointer() || right->isPointer())
    return checkPointerArithmetic(e);
  if (!left->isScalar() || !right->isScalar()) {
    error(e.range, Code::operand_type,
          {op, "numbers", (left->isScalar() ? right : left)->spelling()});
    return fail(&e);
  }
  if (takesIntegersOnly(e.op) && (left->isFloat() || right->isFloat())) {
    error(e.range, Code::operand_type,
          {op, "integers", (left->isFloat() ? left : right)->spelling()});
    return fail(&e);
  }
  if (isShift(e.op)) {
    e.untyped = e.lhs->untyped && e.rhs->untyped;
    e.lhs = promote(e.lhs);
    e.rhs = promote(e.rhs);
    e.type = e.lhs->type;
    return &e;
  }
  // A literal takes the other operand's type; it stays free to take another beside a literal.
  bool bothUntyped = e.lhs->untyped && e.rhs->untyped;
  if (e.lhs->untyped && !e.rhs->untyped)
    e.lhs = retype(e.lhs, promoted(right));
  else if (e.rhs->untyped && !e.lhs->untyped)
    e.rhs = retype(e.rhs, promoted(left));
  left = promoted(e.lhs->type);
  right = promoted(e.rhs->type);
  if (left->isFloat() != right->isFloat()) {
    if (!bothUntyped) {
      error(e.range, Code::mixed_operands, {op, e.lhs->type->spelling(), e.rhs->type->spelling()});
      return fail(&e);
    }
    Expr *&integer = left->isFloat() ? e.rhs : e.lhs;
    integer = retype(integer, get(TypeKind::Float64));
    left = right = get(TypeKind::Float64);
  }
  const Type *type = common(left, right);
  e.lhs = convert(e.lhs, type);
  e.rhs = convert(e.rhs, type);
  e.untyped = bothUntyped && !isComparison(e.op);
  e.type = isComparison(e.op) ? get(TypeKind::Bool) : type;
  return &e;
}

Expr *Sema::checkPointerArithmetic(BinaryExpr &e) {
  const Type *left = e.lhs->type, *right = e.rhs->type;
  if (isComparison(e.op)) {
    error(e.range, Code::pointer_comparison);
    return fail(&e);
  }
  if (left->isPointer() && right->isPointer() && e.op == BinaryOp::Sub) {
    error(e.range, Code::pointer_difference);
    return fail(&e);
  }
  bool offset = (left->isPointer() && right->isIntegral() &&
                 (e.op == BinaryOp::Add || e.op == BinaryOp::Sub)) ||
                (left->isIntegral() && right->isPointer() && e.op == BinaryOp::Add);
  if (!offset) {
    error(e.range, Code::pointer_operator, {spelling(e.op), left->spelling(), right->spelling()});
    return fail(&e);
  }
  if (right->isPointer())
    std::swap(e.lhs, e.rhs);
  e.type = e.lhs->type;
  return &e;
}

Expr *Sema::checkCast(CastExpr &e) {
  const Type *to = resolve(e.target);
  e.operand = checkValue(e.operand);
  const Type *from = e.operand->type;
  if (to->isError() || from->isError())
    return fail(&e);
  e.type = to;
  if (to->isScalar() && from->isScalar()) {
    if (e.operand->untyped && (to->isFloat() || from->isIntegral()))
      e.operand = retype(e.operand, to);
    return &e;
  }
  if (to->isPointer() && from->isPointer())
    return &e;
  bool address = (to->isPointer() && from->isIntegral()) || (to->isIntegral() && from->isPointer());
  error(e.range, address ? Code::pointer_integer_cast : Code::cast_types,
        {from->spelling(), to->spelling()});
  return fail(&e);
}
