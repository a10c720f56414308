//===- DataStep.cpp - Data instructions of the symbolic thread ------------===//
//
// Moves, conversions, floating-point operations, selections and shuffles. An operation is named by
// its whole text; only spellings of one operation are brought together here.
//
//===----------------------------------------------------------------------===//

#include "Machine.h"

using namespace mettle::checker;
using namespace mettle::assembly::ptx;

/// Bytes of one element and their number, of a packed type.
static std::pair<unsigned, unsigned> packing(Type type) {
  switch (type) {
  case Type::F16x2:
  case Type::BF16x2:
    return {2, 2};
  case Type::F32x2:
    return {4, 2};
  default:
    return {typeBits(type) / 8, 1};
  }
}

static std::string replaced(std::string text, llvm::StringRef from, llvm::StringRef to) {
  size_t where = text.find(from.str());
  if (where != std::string::npos)
    text.replace(where, from.size(), to.str());
  return text;
}

void Machine::move() {
  const Operand &to = op(0), &from = op(1);
  Type type = mnemonic->type();
  if (type == Type::Pred) {
    write(to, truth(condition(from)));
    return;
  }
  unsigned bytes = typeBits(type) / 8;
  if (to.is(OperandKind::Vector)) {
    TermId value = termOf(from, bytes);
    unsigned each = bytes / to.count, first = 0;
    for (const Operand &element : module.elements(to)) {
      write(element, data(terms.extract(value, first, each)));
      first += each;
    }
    return;
  }
  if (from.is(OperandKind::Vector)) {
    write(to, data(termOf(from, bytes)));
    return;
  }
  Value value = read(from);
  if (from.is(OperandKind::Integer) || from.is(OperandKind::Float32))
    value = integer(asSigned(value.id, 8 * bytes));
  write(to, value);
}

void Machine::convert() {
  Type to = mnemonic->types[0], from = mnemonic->types[1];
  bool toData = isDataType(to), fromData = isDataType(from);
  std::string name = text(*mnemonic);
  if (!toData && !fromData && instruction->operandCount == 2) {
    unsigned fromWidth = typeBits(from), toWidth = typeBits(to);
    if (mnemonic->has(Modifier::Sat))
      return unsupported();
    Value value = read(op(1));
    if (value.kind != Value::Integer) {
      TermId whole = term(value, fromWidth / 8);
      if (toWidth <= fromWidth)
        return write(op(0), data(terms.extract(whole, 0, toWidth / 8)));
      if (typeKind(from) != TypeKind::Signed)
        return write(op(0),
                     data(terms.concat({whole, terms.constant(0, (toWidth - fromWidth) / 8)})));
      write(op(0), opTerm(name, toWidth / 8, {term(value, fromWidth / 8)}));
      return;
    }
    // The source is cut to its type, then widened as it says.
    FormId f = value.id;
    if (!forms.fits(f, fromWidth)) {
      std::optional<BitView> view = forms.bitsOf(f, 64);
      if (view && view->count >= fromWidth)
        f = forms.fromBits(*view, 0, fromWidth, 0);
    }
    f = wrap(f, fromWidth);
    f = typeKind(from) == TypeKind::Signed ? asSigned(f, fromWidth) : asUnsigned(f, fromWidth);
    write(op(0), integer(wrap(f, toWidth)));
    return;
  }
  if (instruction->operandCount == 3 && (to == Type::F16x2 || to == Type::BF16x2) &&
      from == Type::F32 && !mnemonic->has(Modifier::Rs)) {
    std::string each = replaced(name, "x2.f32", ".f32");
    TermId high = terms.op(terms.name(each), 2, {termOf(op(1), 4)}, at);
    TermId low = terms.op(terms.name(each), 2, {termOf(op(2), 4)}, at);
    write(op(0), data(terms.concat({low, high})));
    return;
  }
  if (instruction->operandCount == 2) {
    auto pos = name.find(".f16x2.e");
    if (pos != std::string::npos && name.size() > 2 && name.substr(name.size() - 2) == "x2") {
      std::string each = name.substr(0, pos) + ".f16" + name.substr(pos + 6, name.size() - pos - 8);
      TermId source = termOf(op(1), 2);
      TermId low = terms.op(terms.name(each), 2, {terms.extract(source, 0, 1)}, at);
      TermId high = terms.op(terms.name(each), 2, {terms.extract(source, 1, 1)}, at);
      write(op(0), data(terms.concat({low, high})));
      return;
    }
    unsigned bytes = std::max(1u, typeBits(to) / 8), fromBytes = std::max(1u, typeBits(from) / 8);
    write(op(0), opTerm(name, bytes, {termOf(op(1), fromBytes)}));
    return;
  }
  unsupported();
}

bool Machine::stepData() {
  Type type = mnemonic->type();
  std::string name = text(*mnemonic);
  switch (instruction->opcode) {
  case Opcode::Mov:
    move();
    return true;
  case Opcode::Cvt:
    convert();
    return true;
  case Opcode::Cvta:
    write(op(0), read(op(1)));
    return true;
  case Opcode::SetP:
    setPredicate();
    return true;
  case Opcode::CreatePolicyFractional:
    write(op(0), integer(0)); // a hint, of which no value depends
    return true;
  case Opcode::SelP: {
    PredId pred = condition(op(3));
    unsigned bytes = typeBits(type) / 8;
    Value picked = select(pred, read(op(1)), read(op(2)), bytes);
    picked.isPicked = true;
    write(op(0), picked);
    return true;
  }
  case Opcode::And:
  case Opcode::Or:
  case Opcode::Xor:
  case Opcode::Not:
    if (type != Type::Pred)
      return false;
    if (instruction->opcode == Opcode::Not) {
      write(op(0), truth(terms.negate(condition(op(1)))));
    } else {
      PredId a = condition(op(1)), b = condition(op(2));
      PredId result =
          instruction->opcode == Opcode::And ? terms.both(a, b)
          : instruction->opcode == Opcode::Or
              ? terms.either(a, b)
              : terms.either(terms.both(a, terms.negate(b)), terms.both(terms.negate(a), b));
      write(op(0), truth(result));
    }
    return true;
  case Opcode::Add:
  case Opcode::Sub:
  case Opcode::Mul:
  case Opcode::Fma:
  case Opcode::Div:
  case Opcode::Min:
  case Opcode::Max:
  case Opcode::Neg:
  case Opcode::Abs:
  case Opcode::Sqrt:
  case Opcode::RSqrt:
  case Opcode::Rcp:
  case Opcode::Ex2:
  case Opcode::Lg2:
  case Opcode::Sin:
  case Opcode::Cos:
  case Opcode::Tanh:
  case Opcode::CopySign:
    break;
  default:
    return false;
  }
  if (!isDataType(type))
    return false;
  auto [bytes, count] = packing(type);
  if (count == 2)
    name = replaced(name, "x2", "");
  bool free = instruction->opcode == Opcode::Add || instruction->opcode == Opcode::Sub ||
              instruction->opcode == Opcode::Mul;
  bool unrounded = free && !mnemonic->has(Modifier::Rn) && !mnemonic->has(Modifier::Rz) &&
                   !mnemonic->has(Modifier::Rm) && !mnemonic->has(Modifier::Rp);
  std::string rounded = name;
  if (unrounded) {
    terms.rules.add(RuleId::DefaultRounding);
    size_t dot = rounded.find('.');
    rounded.insert(dot == std::string::npos ? rounded.size() : dot, ".rn");
  }
  llvm::SmallVector<TermId, 2> results;
  for (unsigned k = 0; k < count; ++k) {
    llvm::SmallVector<TermId, 3> args;
    for (unsigned i = 1; i < instruction->operandCount; ++i)
      args.push_back(terms.extract(termOf(op(i), bytes * count), k * bytes, bytes));
    std::string used = rounded;
    // The assembler may contract an unrounded product with the unrounded sum that takes it, and a
    // quotient with such a sum: its choice is not PTX's.
    if (unrounded && instruction->opcode != Opcode::Mul)
      for (size_t i = 0; i < args.size(); ++i) {
        const Term &operand = terms[args[i]];
        if (operand.kind == Term::Op && !read(op(unsigned(i) + 1)).isPicked) {
          llvm::StringRef producer = terms.nameText(uint32_t(operand.data));
          if (producer.starts_with("mul.free") || producer.starts_with("div.full") ||
              producer.starts_with("div.approx"))
            used = replaced(rounded, ".rn", ".free");
        }
      }
    if (unrounded && instruction->opcode == Opcode::Mul)
      used = replaced(rounded, ".rn", ".free");
    results.push_back(terms.op(terms.name(used), bytes, args, at));
  }
  write(op(0), data(terms.concat(results)));
  return true;
}
