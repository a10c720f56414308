//===- IntegerStep.cpp - Integer instructions of the symbolic thread ------===//
//
// Exact where the operands' forms allow it, opaque otherwise. Where an operand comes from data, the
// whole instruction is an operation on data.
//
//===----------------------------------------------------------------------===//

#include "Machine.h"

using namespace mettle::checker;
using namespace mettle::assembly::ptx;

bool Machine::bothIntegers(unsigned first, unsigned last) {
  for (unsigned i = first; i < last; ++i) {
    Value value = read(op(i));
    if (value.kind != Value::Integer && !(value.kind == Value::Data && terms.isConstant(value.id)))
      return false;
  }
  return true;
}

static bool isSignedType(Type type) { return typeKind(type) == TypeKind::Signed; }

bool Machine::stepInteger() {
  Type type = mnemonic->type();
  if (isDataType(type) || type == Type::Pred)
    return false;
  unsigned width = typeBits(type);
  bool isSigned = isSignedType(type);
  auto in = [&](unsigned i) { return formOf(op(i), width); };
  auto number = [&](unsigned i) {
    FormId f = isSigned ? asSigned(in(i), width) : asUnsigned(in(i), width);
    return f;
  };
  auto put = [&](FormId f) {
    write(op(0), integer(f));
    return true;
  };
  unsigned last = instruction->operandCount;
  switch (instruction->opcode) {
  case Opcode::Add:
  case Opcode::Sub:
  case Opcode::Mul:
  case Opcode::Mad:
  case Opcode::Div:
  case Opcode::Rem:
  case Opcode::Min:
  case Opcode::Max:
  case Opcode::And:
  case Opcode::Or:
  case Opcode::Xor:
  case Opcode::Not:
  case Opcode::Shl:
  case Opcode::Shr:
  case Opcode::Bfe:
  case Opcode::Neg:
  case Opcode::Abs:
    break;
  case Opcode::Prmt:
    return moveBytes(32);
  default:
    return false;
  }
  bool wide = mnemonic->has(Modifier::Wide);
  if (mnemonic->has(Modifier::Cc) || mnemonic->has(Modifier::Sat) || mnemonic->has(Modifier::Hi) ||
      (typeKind(type) == TypeKind::Unsigned && (type == Type::U16x2)) || type == Type::S16x2 ||
      !bothIntegers(1, last)) {
    if (mnemonic->has(Modifier::Cc))
      return false;
    if (!wide && moveBytes(width))
      return true;
    // An operation on data, whole.
    llvm::SmallVector<TermId, 3> args;
    for (unsigned i = 1; i < last; ++i)
      args.push_back(termOf(op(i), i == 3 && wide ? width / 4 : width / 8));
    if (instruction->opcode == Opcode::Shl || instruction->opcode == Opcode::Shr ||
        instruction->opcode == Opcode::Bfe)
      for (unsigned i = 2; i < last; ++i)
        args[i - 1] = termOf(op(i), 4);
    write(op(0), opTerm(text(*mnemonic), wide ? width / 4 : width / 8, args));
    return true;
  }
  auto bitwise = [&](FormId a, FormId b) {
    Opcode code = instruction->opcode;
    return forms.apply(code == Opcode::And  ? IntOp::And
                       : code == Opcode::Or ? IntOp::Or
                                            : IntOp::Xor,
                       width, {a, b});
  };
  auto shiftRight = [&](FormId f, int64_t by, bool arithmetic) {
    return forms.apply(arithmetic ? IntOp::ShrS : IntOp::ShrU, width, {f, forms.constant(by)});
  };
  switch (instruction->opcode) {
  case Opcode::Add:
    return put(wrap(forms.add(in(1), in(2)), width));
  case Opcode::Sub:
    return put(wrap(forms.sub(in(1), in(2)), width));
  case Opcode::Neg:
    return put(wrap(forms.scale(in(1), -1), width));
  case Opcode::Abs: {
    FormId a = asSigned(in(1), width);
    if (forms.lo(a) >= 0)
      return put(a);
    return put(forms.opaque(IntOp::MaxS, width, {a, wrap(forms.scale(a, -1), width)}));
  }
  case Opcode::Mul:
  case Opcode::Mad: {
    FormId a = wide ? number(1) : in(1), b = wide ? number(2) : in(2);
    unsigned wideWidth = wide ? 2 * width : width;
    if (forms.isConstant(a))
      std::swap(a, b);
    FormId product;
    if (forms.isConstant(b))
      product = forms.scale(a, forms.constantOf(b));
    else
      product = forms.opaque(IntOp::Mul, wideWidth, {a, b});
    product = wrap(product, wideWidth);
    if (instruction->opcode == Opcode::Mad)
      product = wrap(forms.add(product, formOf(op(3), wideWidth)), wideWidth);
    return put(product);
  }
  case Opcode::Div:
  case Opcode::Rem: {
    FormId a = number(1), b = number(2);
    bool isDiv = instruction->opcode == Opcode::Div;
    if (forms.isConstant(b) && forms.constantOf(b) > 0 && forms.lo(a) >= 0) {
      int64_t by = forms.constantOf(b);
      if (forms.hi(a) < by)
        return put(isDiv ? FormId(0) : a);
      if ((by & (by - 1)) == 0 && isDiv)
        return put(shiftRight(a, __builtin_ctzll(uint64_t(by)), false));
    }
    return put(forms.opaque(isDiv ? (isSigned ? IntOp::DivS : IntOp::DivU)
                                  : (isSigned ? IntOp::RemS : IntOp::RemU),
                            width, {a, b}));
  }
  case Opcode::Min:
  case Opcode::Max: {
    FormId a = number(1), b = number(2), difference = forms.sub(a, b);
    bool isMin = instruction->opcode == Opcode::Min;
    if (forms.hi(difference) <= 0)
      return put(isMin ? a : b);
    if (forms.lo(difference) >= 0)
      return put(isMin ? b : a);
    return put(forms.opaque(isMin ? (isSigned ? IntOp::MinS : IntOp::MinU)
                                  : (isSigned ? IntOp::MaxS : IntOp::MaxU),
                            width, {a, b}));
  }
  case Opcode::And:
  case Opcode::Or:
  case Opcode::Xor:
    return put(bitwise(in(1), in(2)));
  case Opcode::Not:
    return put(wrap(forms.addConstant(forms.scale(in(1), -1), -1), width));
  case Opcode::Shl: {
    FormId by = asUnsigned(formOf(op(2), 32), 32), a = in(1);
    if (!forms.isConstant(by))
      return put(forms.opaque(IntOp::Shl, width, {a, by}));
    int64_t count = forms.constantOf(by);
    if (count >= int64_t(width))
      return put(0);
    return put(forms.apply(IntOp::Shl, width, {a, by}));
  }
  case Opcode::Shr: {
    FormId by = asUnsigned(formOf(op(2), 32), 32);
    if (!forms.isConstant(by))
      return put(forms.opaque(isSigned ? IntOp::ShrS : IntOp::ShrU, width, {in(1), by}));
    return put(shiftRight(in(1), forms.constantOf(by), isSigned));
  }
  case Opcode::Bfe: {
    FormId from = asUnsigned(formOf(op(2), 32), 32), count = asUnsigned(formOf(op(3), 32), 32);
    if (!forms.isConstant(from) || !forms.isConstant(count))
      return false;
    int64_t first = forms.constantOf(from), length = forms.constantOf(count);
    if (first + length > int64_t(width) || length == 0 || length >= int64_t(width))
      return false;
    FormId a = in(1);
    if (!isSigned) {
      FormId shifted = shiftRight(asUnsigned(a, width), first, false);
      int64_t mask = (int64_t(1) << length) - 1;
      if (forms.lo(shifted) >= 0 && forms.hi(shifted) <= mask)
        return put(shifted);
      if (std::optional<BitView> view = forms.bitsOf(a, width);
          view && view->count >= unsigned(first + length))
        return put(forms.fromBits(*view, unsigned(first), unsigned(length), -int(first)));
      return put(forms.opaque(IntOp::And, width, {shifted, forms.constant(mask)}));
    }
    std::optional<BitView> view = forms.bitsOf(a, width);
    if (!view || view->count < unsigned(first + length)) {
      FormId up = forms.apply(IntOp::Shl, width, {a, forms.constant(width - first - length)});
      return put(shiftRight(up, width - length, true));
    }
    unsigned top = unsigned(first + length - 1);
    FormId low = forms.fromBits(*view, unsigned(first), unsigned(length - 1), -int(first));
    FormId sign = forms.fromBits(*view, top, 1, -int(top));
    return put(forms.add(low, forms.scale(sign, -(int64_t(1) << (length - 1)))));
  }
  default:
    return false;
  }
}

void Machine::setPredicate() {
  Type type = mnemonic->type();
  llvm::ArrayRef<Modifier> modifiers = module.modifiersOf(*mnemonic);
  if (instruction->operandCount != 3 || op(0).isGroup() || modifiers.empty())
    return unsupported();
  unsigned width = typeBits(type);
  Modifier relation = modifiers[0];
  if (isDataType(type) || !bothIntegers(1, 3)) {
    TermId a = termOf(op(1), width / 8), b = termOf(op(2), width / 8);
    if (!isDataType(type) && (relation == Modifier::Eq || relation == Modifier::Ne) &&
        terms.isConstant(b))
      if (std::optional<PredId> equal = equalsBits(a, terms[b].data))
        return write(op(0), truth(relation == Modifier::Eq ? *equal : terms.negate(*equal)));
    return write(op(0), truth(terms.compare(terms.name(text(*mnemonic)), a, b)));
  }
  auto number = [&](unsigned i, bool isSigned) {
    FormId f = formOf(op(i), width);
    return isSigned ? asSigned(f, width) : asUnsigned(f, width);
  };
  bool equality = relation == Modifier::Eq || relation == Modifier::Ne;
  bool isSigned = typeKind(type) == TypeKind::Signed;
  FormId a, b;
  if (equality) {
    // Either reading will do, as long as it is the same for both.
    a = number(1, false), b = number(2, false);
    if (forms.lo(a) < 0 || forms.lo(b) < 0 || forms.hi(a) >= Unbounded || forms.hi(b) >= Unbounded)
      a = number(1, true), b = number(2, true);
  } else {
    a = number(1, isSigned), b = number(2, isSigned);
    bool unsignedOrder = !isSigned && width == 64;
    if (unsignedOrder && (forms.lo(a) < 0 || forms.lo(b) < 0)) {
      // A constant below zero is a number above every signed one.
      auto isHuge = [&](FormId f) { return forms.isConstant(f) && forms.constantOf(f) < 0; };
      if (!isHuge(a) && !isHuge(b)) {
        Pred unknown;
        unknown.kind = Pred::Unknown;
        unknown.a = at;
        return write(op(0), truth(terms.intern(unknown)));
      }
      return unsupported("an unsigned comparison of a number that may be negative");
    }
  }
  FormId difference = forms.sub(a, b);
  bool bounded = forms.lo(difference) > -Unbounded && forms.hi(difference) < Unbounded;
  if (!bounded) {
    Pred unknown;
    unknown.kind = Pred::Unknown;
    unknown.a = at;
    return write(op(0), truth(terms.intern(unknown)));
  }
  PredId result;
  switch (relation) {
  case Modifier::Eq:
    result = terms.zero(difference);
    break;
  case Modifier::Ne:
    result = terms.negate(terms.zero(difference));
    break;
  case Modifier::Lt:
    result = terms.less(difference);
    break;
  case Modifier::Le:
    result = terms.less(forms.addConstant(difference, -1));
    break;
  case Modifier::Gt:
    result = terms.less(forms.scale(difference, -1));
    break;
  case Modifier::Ge:
    result = terms.less(forms.addConstant(forms.scale(difference, -1), -1));
    break;
  default:
    return unsupported();
  }
  write(op(0), truth(result));
}
