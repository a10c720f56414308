//===- Operands.cpp - Reading and writing the symbolic registers ----------===//
//
// A register holds an integer form, a term of data, or a condition; the instruction that reads it
// decides how it is seen.
//
//===----------------------------------------------------------------------===//

#include "Machine.h"

using namespace mettle::checker;
using namespace mettle::assembly::ptx;

unsigned Machine::bytesOf(RegisterClass cls) {
  switch (cls) {
  case RegisterClass::Pred:
    return 1;
  case RegisterClass::B8:
    return 1;
  case RegisterClass::B16:
    return 2;
  case RegisterClass::B32:
    return 4;
  case RegisterClass::B64:
    return 8;
  case RegisterClass::B128:
    return 16;
  }
  return 4;
}

FormId Machine::asSigned(FormId f, unsigned width) { return forms.asSigned(f, width); }
FormId Machine::asUnsigned(FormId f, unsigned width) { return forms.asUnsigned(f, width); }
FormId Machine::wrap(FormId f, unsigned width) { return forms.wrap(f, width); }

Value Machine::read(const Operand &operand) {
  switch (operand.kind) {
  case OperandKind::Register:
    return reg(operand.reg());
  case OperandKind::Integer:
    return integer(forms.constant(int64_t(operand.bits)));
  case OperandKind::Float32:
    return integer(forms.constant(int64_t(int32_t(uint32_t(operand.bits)))));
  case OperandKind::Float64:
    return integer(forms.constant(int64_t(operand.bits)));
  case OperandKind::Special:
    return special(operand);
  case OperandKind::Symbol: {
    const Variable &variable = module.variables[operand.index];
    if (variable.space == StateSpace::Shared || variable.space == StateSpace::SharedCTA) {
      // Where the assembler puts a variable is not known: a multiple of 1024 that leaves room.
      int64_t most = (227 * 1024 - int64_t(std::max(variable.size, facts.dynamicShared))) / 1024;
      AtomId base = forms.symbol(Atom::Shared, operand.index, 0, std::max<int64_t>(1, most));
      return integer(forms.addConstant(forms.ofAtom(base, 1024), operand.offset));
    }
    return data(terms.unknown("the address of a variable that is not shared", at, 8));
  }
  default:
    return data(terms.unknown("an operand that the checker does not model", at, 4));
  }
}

void Machine::writeRegister(RegisterId id, Value value) {
  Value &place = reg(id);
  place = guard == Terms::truePred ? value : select(guard, value, place, bytesOf(id.cls()));
  place.isPicked |= instruction->guarded();
}

void Machine::write(const Operand &operand, Value value) {
  if (operand.is(OperandKind::Register))
    writeRegister(operand.reg(), value);
  else if (!operand.is(OperandKind::Sink))
    fail("a destination that the checker does not model");
}

FormId Machine::form(Value value, unsigned width) {
  if (value.kind == Value::Integer)
    return value.id;
  // An integer that comes from data: nothing is known but which term it is.
  TermId from = value.kind == Value::Data ? value.id : terms.undefined(uint8_t(width / 8));
  const Term &term = terms[from];
  if (term.kind == Term::Const)
    return asSigned(forms.constant(int64_t(term.data)), width);
  int64_t half = width < 64 ? int64_t(1) << (width - 1) : Unbounded;
  return forms.ofAtom(forms.symbol(Atom::Phi, uint64_t(1) << 40 | from, -half, half - 1));
}

TermId Machine::term(Value value, unsigned bytes) {
  switch (value.kind) {
  case Value::Integer:
    return terms.integer(value.id, bytes);
  case Value::Data: {
    unsigned has = terms[value.id].bytes;
    if (has == bytes)
      return value.id;
    if (has > bytes)
      return terms.extract(value.id, 0, bytes);
    return terms.concat({value.id, terms.constant(0, bytes - has)});
  }
  case Value::Condition:
    return terms.select(value.id, terms.constant(1, bytes), terms.constant(0, bytes));
  case Value::None:
    break;
  }
  return terms.undefined(bytes);
}

TermId Machine::termOf(const Operand &operand, unsigned bytes) {
  if (operand.is(OperandKind::Vector)) {
    llvm::SmallVector<TermId, 4> parts;
    for (const Operand &element : module.elements(operand))
      parts.push_back(termOf(element, bytes / operand.count));
    return terms.concat(parts);
  }
  return term(read(operand), bytes);
}

PredId Machine::condition(const Operand &operand) {
  Value value = read(operand);
  PredId result = Terms::falsePred;
  if (value.kind == Value::Condition) {
    result = value.id;
  } else if (value.kind == Value::Integer && forms.isConstant(value.id)) {
    result = forms.constantOf(value.id) ? Terms::truePred : Terms::falsePred;
  } else {
    Pred unknown;
    unknown.kind = Pred::Unknown;
    unknown.a = at;
    result = terms.intern(unknown);
  }
  return operand.has(Negated) ? terms.negate(result) : result;
}

/// A counter that starts again at its end: x + 1 > n - 1 ? 0 : x + 1, for x below n.
std::optional<FormId> Machine::startsAgain(const Pred &atEnd, FormId again, FormId next) {
  FormId sum = forms.add(atEnd.form, next), now = forms.addConstant(next, -1);
  if (atEnd.kind != Pred::Less || again != 0 || !forms.isConstant(sum) || forms.isConstant(next))
    return std::nullopt;
  int64_t modulus = forms.constantOf(sum) + 1;
  llvm::ArrayRef<Part> parts = forms.parts(now);
  if (parts.size() == 1 && parts[0].coef == 1 && forms.constantOf(now) == 0) {
    const Atom atom = forms.atom(parts[0].atom);
    if (atom.kind == Atom::Modulo && int64_t(atom.data) == modulus)
      return forms.modulo(forms.addConstant(atom.args[0], 1), modulus);
    if (auto wrap = wrapsTo.find(parts[0].atom);
        wrap != wrapsTo.end() && wrap->second.modulus == modulus)
      return wrap->second.next;
    if (atom.kind == Atom::Phi && modulus > 0)
      return forms.opaque(IntOp::Select, 32, {next, forms.constant(modulus)});
  }
  // In a loop no longer than that.
  if (forms.loopsOf(now) && forms.lo(now) >= 0 && forms.hi(now) < modulus)
    return forms.modulo(next, modulus);
  return std::nullopt;
}

Value Machine::select(PredId pred, Value a, Value b, unsigned bytes) {
  if (pred == Terms::truePred || a == b)
    return a;
  if (pred == Terms::falsePred)
    return b;
  if (a.kind == Value::Condition || b.kind == Value::Condition) {
    Pred unknown;
    unknown.kind = Pred::Unknown;
    unknown.a = at;
    if (a.kind != Value::Condition)
      a = truth(terms.intern(unknown));
    if (b.kind != Value::Condition)
      b = truth(terms.intern(unknown));
    return truth(terms.either(terms.both(pred, a.id), terms.both(terms.negate(pred), b.id)));
  }
  if (a.kind == Value::Integer && b.kind == Value::Integer) {
    if (terms.pred(pred).kind == Pred::Not)
      return select(terms.pred(pred).a, b, a, bytes);
    // Picked by one bit of the thread: linear in the bit.
    if (const Pred &bit = terms.pred(pred); bit.kind == Pred::Zero) {
      llvm::ArrayRef<Part> parts = forms.parts(bit.form);
      int64_t c = forms.constantOf(bit.form);
      FormId apart = forms.sub(a.id, b.id);
      if (parts.size() == 1 && forms.atom(parts[0].atom).kind == Atom::Parity &&
          (c == 0 || c == -parts[0].coef) && forms.isConstant(apart))
        return integer(forms.add(
            b.id, forms.parity(forms.atom(parts[0].atom).data, c == 0, forms.constantOf(apart))));
    }
    if (std::optional<FormId> next = startsAgain(terms.pred(pred), a.id, b.id))
      return integer(*next);
  }
  return data(terms.select(overTurns(pred), term(a, bytes), term(b, bytes)));
}

/// Whether a counter that was -1 before the first turn starts again: it does where its next value
/// is 0, but for the first turn.
PredId Machine::overTurns(PredId id) {
  const Pred &pred = terms.pred(id);
  llvm::ArrayRef<Part> parts = forms.parts(pred.form);
  if (pred.kind != Pred::Less || parts.size() != 1 || parts[0].coef != -1)
    return id;
  auto wrap = wrapsTo.find(parts[0].atom);
  if (wrap == wrapsTo.end() || forms.constantOf(pred.form) + 2 != wrap->second.modulus)
    return id;
  return terms.both(terms.zero(wrap->second.next), terms.negate(terms.zero(wrap->second.turn)));
}

Value Machine::special(const Operand &operand) {
  auto which = SpecialRegister(operand.index);
  unsigned dim = operand.count;
  switch (which) {
  case SpecialRegister::Tid: {
    uint32_t size = dim < 3 ? facts.block[dim] : 0;
    if (size == 1)
      return integer(0);
    if (dim != 0 || size == 0 || (size & (size - 1)) || facts.block[1] > 1 || facts.block[2] > 1)
      return data(terms.unknown("threads that are not a power of two in one dimension", at, 4));
    FormId result = 0;
    for (unsigned bit = 0; uint32_t(1) << bit < size; ++bit)
      result = forms.add(result, forms.parity(uint64_t(1) << bit, false, int64_t(1) << bit));
    return integer(result);
  }
  case SpecialRegister::LaneId: {
    if (facts.block[1] > 1 || facts.block[2] > 1)
      break;
    FormId result = 0;
    for (unsigned bit = 0; bit < 5 && uint32_t(1) << bit < facts.block[0]; ++bit)
      result = forms.add(result, forms.parity(uint64_t(1) << bit, false, int64_t(1) << bit));
    return integer(result);
  }
  case SpecialRegister::CtaId: {
    if (dim > 2)
      return integer(0);
    int64_t most = facts.grid[dim] ? int64_t(facts.grid[dim]) - 1 : (int64_t(1) << 31) - 1;
    return integer(forms.ofAtom(forms.symbol(Atom::Block, dim, 0, most)));
  }
  case SpecialRegister::NTid:
    if (dim < 3 && facts.block[dim])
      return integer(forms.constant(facts.block[dim]));
    break;
  case SpecialRegister::NCtaId:
    if (dim < 3 && facts.grid[dim])
      return integer(forms.constant(facts.grid[dim]));
    break;
  default:
    break;
  }
  return data(terms.unknown(
      ("the register " + llvm::Twine(specialRegisterInfo(which).name) + " is not known").str(), at,
      4));
}

Value Machine::parameter(const Operand &address, unsigned bytes) {
  uint32_t number = address.index - entry.parameters.first;
  const Variable &variable = module.variables[address.index];
  if (address.offset != 0)
    return data(terms.unknown("a part of a parameter", at, bytes));
  if (number < facts.scalars.size() && facts.scalars[number])
    return bytes == 8
               ? integer(forms.constant(int64_t(*facts.scalars[number])))
               : integer(asSigned(forms.constant(int64_t(*facts.scalars[number])), 8 * bytes));
  if (variable.isPointer || bytes == 8)
    return integer(forms.ofAtom(forms.symbol(Atom::Pointer, number, 0, Unbounded)));
  if (typeKind(variable.type) == TypeKind::Float)
    return opTerm("param." + std::to_string(number), bytes, {});
  int64_t half = int64_t(1) << (8 * bytes - 1);
  return integer(forms.ofAtom(forms.symbol(Atom::Scalar, number, -half, half - 1)));
}
