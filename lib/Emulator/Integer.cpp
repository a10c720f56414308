//===- Integer.cpp - Decoding integers, logic and moves -------------------===//
//
// The handlers are in IntegerLanes.cpp.
//
//===----------------------------------------------------------------------===//

#include "Families.h"
#include "LaneTables.h"

using namespace mettle::emulator;
using namespace mettle::assembly;
using ptx::Modifier;
using ptx::Type;

/// 0, 1, 2 for 16, 32, 64 bits; 3 for what is none of these.
static unsigned widthRow(Type type) {
  switch (ptx::typeBits(type)) {
  case 16:
    return 0;
  case 32:
    return 1;
  case 64:
    return 2;
  default:
    return 3;
  }
}

static bool isSigned(Type type) { return ptx::typeKind(type) == ptx::TypeKind::Signed; }
static bool isFloat(Type type) { return ptx::typeKind(type) == ptx::TypeKind::Float; }
static bool isPair(Type type) { return type == Type::U16x2 || type == Type::S16x2; }
static Type bitsType(unsigned bits) {
  return bits == 16 ? Type::B16 : bits == 32 ? Type::B32 : Type::B64;
}
/// The type of twice the width and the same sign.
static Type widerType(Type type) {
  switch (type) {
  case Type::U16:
    return Type::U32;
  case Type::S16:
    return Type::S32;
  case Type::U32:
    return Type::U64;
  default:
    return Type::S64;
  }
}

/// An op on one width: rows of `first` count by width.
template <typename Lane>
static bool emitWidth(Decoder &decoder, Lane first, std::initializer_list<Type> sources,
                      bool countsSign = false) {
  Type type = decoder.mnemonic->type();
  unsigned row = widthRow(type);
  if (row == 3)
    return decoder.unsupported();
  return decoder.emitPlain(handlerOf(first, row + (countsSign && isSigned(type) ? 3 : 0)),
                           OpClass::Integer, ptx::typeBits(type), sources);
}

//===----------------------------------------------------------------------===//
// Arithmetic
//===----------------------------------------------------------------------===//

/// add.cc, addc, sub.cc and subc.
static bool decodeCarry(Decoder &decoder, bool adds, bool takes) {
  Type type = decoder.mnemonic->type();
  unsigned row = widthRow(type);
  if (row != 1 && row != 2)
    return decoder.unsupported();
  Op *op = decoder.emitPlain(
      handlerOf(adds ? IntegerLane::AddCarry32 : IntegerLane::SubCarry32, row - 1),
      OpClass::Integer, ptx::typeBits(type), {type, type});
  if (!op)
    return false;
  op->list = decoder.carry();
  op->detail = uint16_t((takes ? 1 : 0) | (decoder.has(Modifier::Cc) ? 2 : 0));
  return true;
}

bool mettle::emulator::decodeAdd(Decoder &decoder) {
  Type type = decoder.mnemonic->type();
  if (isFloat(type))
    return decodeFloatAdd(decoder);
  if (decoder.has(Modifier::Cc))
    return decodeCarry(decoder, true, false);
  if (isPair(type))
    return decoder.emitPlain(handlerOf(IntegerLane::AddPairs), OpClass::Integer, 32, {type, type});
  if (decoder.has(Modifier::Sat))
    return type == Type::S32 ? decoder.emitPlain(handlerOf(IntegerLane::AddSatS32),
                                                 OpClass::Integer, 32, {type, type}) != nullptr
                             : decoder.unsupported();
  return emitWidth(decoder, IntegerLane::Add16, {type, type});
}

bool mettle::emulator::decodeSub(Decoder &decoder) {
  Type type = decoder.mnemonic->type();
  if (isFloat(type))
    return decodeFloatAdd(decoder);
  if (decoder.has(Modifier::Cc))
    return decodeCarry(decoder, false, false);
  if (decoder.has(Modifier::Sat))
    return type == Type::S32 ? decoder.emitPlain(handlerOf(IntegerLane::SubSatS32),
                                                 OpClass::Integer, 32, {type, type}) != nullptr
                             : decoder.unsupported();
  return emitWidth(decoder, IntegerLane::Sub16, {type, type});
}

bool mettle::emulator::decodeAddC(Decoder &decoder) { return decodeCarry(decoder, true, true); }
bool mettle::emulator::decodeSubC(Decoder &decoder) { return decodeCarry(decoder, false, true); }

bool mettle::emulator::decodeMul(Decoder &decoder) {
  Type type = decoder.mnemonic->type();
  if (isFloat(type))
    return decodeFloatMul(decoder);
  unsigned row = widthRow(type);
  if (row == 3)
    return decoder.unsupported();
  if (decoder.has(Modifier::Wide)) {
    if (row == 2)
      return decoder.unsupported();
    IntegerLane first = isSigned(type) ? IntegerLane::MulWideS16 : IntegerLane::MulWideU16;
    return decoder.emitPlain(handlerOf(first, row), OpClass::Integer, ptx::typeBits(type) * 2,
                             {type, type});
  }
  if (decoder.has(Modifier::Hi))
    return emitWidth(decoder, IntegerLane::MulHiU16, {type, type}, true);
  return emitWidth(decoder, IntegerLane::Mul16, {type, type});
}

/// mad.cc and madc: the product goes to a place of its own, then comes an addition with carry.
static bool decodeMadCarry(Decoder &decoder, bool takes) {
  Type type = decoder.mnemonic->type();
  unsigned row = widthRow(type), bits = ptx::typeBits(type);
  if (row != 1 && row != 2)
    return decoder.unsupported();
  Slot a = decoder.read(decoder.operands[1], type), b = decoder.read(decoder.operands[2], type),
       c = decoder.read(decoder.operands[3], type), d = decoder.write(decoder.operands[0], bits);
  if (a == NoSlot || b == NoSlot || c == NoSlot || d == NoSlot)
    return false;
  Slot product = decoder.temporary(bits);
  Op &mul = decoder.emit(decoder.has(Modifier::Hi)
                             ? handlerOf(IntegerLane::MulHiU16, row + (isSigned(type) ? 3 : 0))
                             : handlerOf(IntegerLane::Mul16, row),
                         OpClass::Integer);
  mul.d = product;
  mul.a = a;
  mul.b = b;
  Op &add = decoder.emit(handlerOf(IntegerLane::AddCarry32, row - 1), OpClass::Integer);
  add.d = d;
  add.a = product;
  add.b = c;
  add.list = decoder.carry();
  add.detail = uint16_t((takes ? 1 : 0) | (decoder.has(Modifier::Cc) ? 2 : 0));
  return true;
}

bool mettle::emulator::decodeMad(Decoder &decoder) {
  Type type = decoder.mnemonic->type();
  if (isFloat(type))
    return decodeFloatFma(decoder);
  if (decoder.has(Modifier::Cc))
    return decodeMadCarry(decoder, false);
  unsigned row = widthRow(type);
  if (row == 3)
    return decoder.unsupported();
  if (decoder.has(Modifier::Wide)) {
    if (row == 2)
      return decoder.unsupported();
    IntegerLane first = isSigned(type) ? IntegerLane::MadWideS16 : IntegerLane::MadWideU16;
    return decoder.emitPlain(handlerOf(first, row), OpClass::Integer, ptx::typeBits(type) * 2,
                             {type, type, widerType(type)});
  }
  if (decoder.has(Modifier::Hi)) {
    if (decoder.has(Modifier::Sat))
      return type == Type::S32
                 ? decoder.emitPlain(handlerOf(IntegerLane::MadHiSatS32), OpClass::Integer, 32,
                                     {type, type, type}) != nullptr
                 : decoder.unsupported();
    return emitWidth(decoder, IntegerLane::MadHiU16, {type, type, type}, true);
  }
  return emitWidth(decoder, IntegerLane::Mad16, {type, type, type});
}

bool mettle::emulator::decodeMadC(Decoder &decoder) { return decodeMadCarry(decoder, true); }

bool mettle::emulator::decodeMul24(Decoder &decoder) {
  Type type = decoder.mnemonic->type();
  IntegerLane first = isSigned(type) ? IntegerLane::MulLo24S : IntegerLane::MulLo24U;
  return decoder.emitPlain(handlerOf(first, decoder.has(Modifier::Hi)), OpClass::Integer, 32,
                           {type, type});
}

bool mettle::emulator::decodeMad24(Decoder &decoder) {
  Type type = decoder.mnemonic->type();
  if (decoder.has(Modifier::Sat) && (type != Type::S32 || !decoder.has(Modifier::Hi)))
    return decoder.unsupported();
  IntegerLane first = decoder.has(Modifier::Sat) ? IntegerLane::MadHiSat24S
                      : isSigned(type)           ? IntegerLane::MadLo24S
                                                 : IntegerLane::MadLo24U;
  unsigned row = decoder.has(Modifier::Hi) && !decoder.has(Modifier::Sat);
  return decoder.emitPlain(handlerOf(first, row), OpClass::Integer, 32, {type, type, type});
}

bool mettle::emulator::decodeSad(Decoder &decoder) {
  Type type = decoder.mnemonic->type();
  return emitWidth(decoder, IntegerLane::SadU16, {type, type, type}, true);
}

bool mettle::emulator::decodeDiv(Decoder &decoder) {
  Type type = decoder.mnemonic->type();
  if (isFloat(type))
    return decodeFloatDiv(decoder);
  return emitWidth(decoder, IntegerLane::DivU16, {type, type}, true);
}

bool mettle::emulator::decodeRem(Decoder &decoder) {
  Type type = decoder.mnemonic->type();
  return emitWidth(decoder, IntegerLane::RemU16, {type, type}, true);
}

bool mettle::emulator::decodeMinMax(Decoder &decoder) {
  Type type = decoder.mnemonic->type();
  bool isMax = decoder.instruction->opcode == ptx::Opcode::Max;
  if (isFloat(type))
    return decodeFloatMinMax(decoder);
  IntegerLane pairs = isMax ? IntegerLane::MaxU16x2 : IntegerLane::MinU16x2;
  if (decoder.has(Modifier::Relu)) { // and then max with 0
    if (type != Type::S32 && type != Type::S16x2)
      return decoder.unsupported();
    bool isPacked = type == Type::S16x2;
    IntegerLane words = isMax ? IntegerLane::MaxS32 : IntegerLane::MinS32;
    Op *op = decoder.emitPlain(isPacked ? handlerOf(pairs, 1) : handlerOf(words), OpClass::Integer,
                               32, {type, type});
    if (!op)
      return false;
    Slot d = op->d, larger = op->d = decoder.temporary(32), zero = decoder.constant(0, 32);
    Op &relu = decoder.emit(isPacked ? handlerOf(IntegerLane::MaxU16x2, 1)
                                     : handlerOf(IntegerLane::MaxS32),
                            OpClass::Integer);
    relu.d = d;
    relu.a = larger;
    relu.b = zero;
    return true;
  }
  if (isPair(type))
    return decoder.emitPlain(handlerOf(pairs, isSigned(type)), OpClass::Integer, 32, {type, type});
  return emitWidth(decoder, isMax ? IntegerLane::MaxU16 : IntegerLane::MinU16, {type, type}, true);
}

bool mettle::emulator::decodeNeg(Decoder &decoder) {
  Type type = decoder.mnemonic->type();
  return isFloat(type) ? decodeFloatSign(decoder) : emitWidth(decoder, IntegerLane::Neg16, {type});
}

bool mettle::emulator::decodeAbs(Decoder &decoder) {
  Type type = decoder.mnemonic->type();
  return isFloat(type) ? decodeFloatSign(decoder) : emitWidth(decoder, IntegerLane::Abs16, {type});
}

/// dp4a and dp2a.
bool mettle::emulator::decodeDotProduct(Decoder &decoder) {
  Type aType = decoder.mnemonic->types[0], bType = decoder.mnemonic->types[1];
  bool isFour = decoder.instruction->opcode == ptx::Opcode::Dp4a;
  Op *op = decoder.emitPlain(handlerOf(isFour ? IntegerLane::Dp4a : IntegerLane::Dp2a),
                             OpClass::Integer, 32, {Type::B32, Type::B32, Type::B32});
  if (op)
    op->detail = uint16_t(isSigned(aType) | isSigned(bType) << 1 | decoder.has(Modifier::Hi) << 2);
  return op;
}

//===----------------------------------------------------------------------===//
// Bits
//===----------------------------------------------------------------------===//

/// An op on predicates: f(a, b) as a table of truth in Op::immediate, bit 2*a + b.
static const Op *runPredicates(Execution &x, const Op &op, LaneMask mask) {
  LaneMask a = x.predicate(op.a) ^ op.flipMask(),
           b = x.predicate(op.b) ^ (op.detail ? AllLanes : 0);
  LaneMask truth = 0;
  if (op.immediate & 1)
    truth |= ~a & ~b;
  if (op.immediate & 2)
    truth |= ~a & b;
  if (op.immediate & 4)
    truth |= a & ~b;
  if (op.immediate & 8)
    truth |= a & b;
  x.setPredicate(op.d, mask, truth);
  return op.next();
}

static bool emitPredicates(Decoder &decoder, unsigned truth) {
  bool aFlip = false, bFlip = false;
  Slot d = decoder.writePredicate(decoder.operands[0]);
  Slot a = decoder.readPredicate(decoder.operands[1], aFlip);
  Slot b = decoder.operands.size() > 2 ? decoder.readPredicate(decoder.operands[2], bFlip) : a;
  if (d == NoSlot || a == NoSlot || b == NoSlot)
    return false;
  Op &op = decoder.emit(runPredicates, OpClass::Integer);
  op.d = d;
  op.a = a;
  op.b = b;
  op.flip = aFlip;
  op.detail = decoder.operands.size() > 2 ? bFlip : aFlip;
  op.immediate = truth;
  return true;
}

static bool decodeLogic(Decoder &decoder, IntegerLane first, unsigned truth) {
  Type type = decoder.mnemonic->type();
  if (type == Type::Pred)
    return emitPredicates(decoder, truth);
  return emitWidth(decoder, first, {type, type});
}

bool mettle::emulator::decodeAnd(Decoder &decoder) {
  return decodeLogic(decoder, IntegerLane::And16, 0b1000);
}
bool mettle::emulator::decodeOr(Decoder &decoder) {
  return decodeLogic(decoder, IntegerLane::Or16, 0b1110);
}
bool mettle::emulator::decodeXor(Decoder &decoder) {
  return decodeLogic(decoder, IntegerLane::Xor16, 0b0110);
}
bool mettle::emulator::decodeNot(Decoder &decoder) {
  Type type = decoder.mnemonic->type();
  if (type == Type::Pred)
    return emitPredicates(decoder, 0b0001);
  return emitWidth(decoder, IntegerLane::Not16, {type});
}
bool mettle::emulator::decodeCNot(Decoder &decoder) {
  return emitWidth(decoder, IntegerLane::CNot16, {decoder.mnemonic->type()});
}

bool mettle::emulator::decodeLop3(Decoder &decoder) {
  uint64_t table;
  if (decoder.operands.size() != 5 || decoder.operands[0].isGroup())
    return decoder.unsupported();
  if (!decoder.immediate(decoder.operands[4], "the table of lop3", table))
    return false;
  Op *op = decoder.emitPlain(handlerOf(IntegerLane::Lop3), OpClass::Integer, 32,
                             {Type::B32, Type::B32, Type::B32});
  if (op)
    op->immediate = table;
  return op;
}

bool mettle::emulator::decodeShl(Decoder &decoder) {
  return emitWidth(decoder, IntegerLane::Shl16, {decoder.mnemonic->type(), Type::U32});
}
bool mettle::emulator::decodeShr(Decoder &decoder) {
  return emitWidth(decoder, IntegerLane::ShrU16, {decoder.mnemonic->type(), Type::U32}, true);
}
bool mettle::emulator::decodeShf(Decoder &decoder) {
  IntegerLane first = decoder.has(Modifier::L) ? IntegerLane::ShfLWrap : IntegerLane::ShfRWrap;
  return decoder.emitPlain(handlerOf(first, decoder.has(Modifier::Clamp)), OpClass::Integer, 32,
                           {Type::B32, Type::B32, Type::U32});
}

/// What gives 32 bits from 32 or 64.
static bool emitCount(Decoder &decoder, IntegerLane first, bool countsSign = false) {
  Type type = decoder.mnemonic->type();
  unsigned row = widthRow(type);
  if (row != 1 && row != 2)
    return decoder.unsupported();
  return decoder.emitPlain(handlerOf(first, row - 1 + (countsSign && isSigned(type) ? 2 : 0)),
                           OpClass::Integer, 32, {type});
}

bool mettle::emulator::decodePopc(Decoder &decoder) {
  return emitCount(decoder, IntegerLane::Popc32);
}
bool mettle::emulator::decodeClz(Decoder &decoder) {
  return emitCount(decoder, IntegerLane::Clz32);
}
bool mettle::emulator::decodeBFind(Decoder &decoder) {
  return emitCount(
      decoder,
      decoder.has(Modifier::Shiftamt) ? IntegerLane::BFindAmountU32 : IntegerLane::BFindU32, true);
}
bool mettle::emulator::decodeBRev(Decoder &decoder) {
  Type type = decoder.mnemonic->type();
  unsigned row = widthRow(type);
  if (row != 1 && row != 2)
    return decoder.unsupported();
  return decoder.emitPlain(handlerOf(IntegerLane::BRev32, row - 1), OpClass::Integer,
                           ptx::typeBits(type), {type});
}
bool mettle::emulator::decodeBfe(Decoder &decoder) {
  Type type = decoder.mnemonic->type();
  unsigned row = widthRow(type);
  if (row != 1 && row != 2)
    return decoder.unsupported();
  return decoder.emitPlain(handlerOf(IntegerLane::BfeU32, row - 1 + (isSigned(type) ? 2 : 0)),
                           OpClass::Integer, ptx::typeBits(type), {type, Type::U32, Type::U32});
}
bool mettle::emulator::decodeBfi(Decoder &decoder) {
  Type type = decoder.mnemonic->type();
  unsigned row = widthRow(type);
  if (row != 1 && row != 2)
    return decoder.unsupported();
  Slot length = decoder.read(decoder.operands[4], Type::U32);
  Op *op = decoder.emitPlain(handlerOf(IntegerLane::Bfi32, row - 1), OpClass::Integer,
                             ptx::typeBits(type), {type, type, Type::U32});
  if (!op || length == NoSlot)
    return false;
  op->list = length;
  return true;
}
bool mettle::emulator::decodeBMsk(Decoder &decoder) {
  return decoder.emitPlain(handlerOf(IntegerLane::BMskClamp, decoder.has(Modifier::Wrap)),
                           OpClass::Integer, 32, {Type::U32, Type::U32});
}
bool mettle::emulator::decodeSzExt(Decoder &decoder) {
  Type type = decoder.mnemonic->type();
  IntegerLane first = isSigned(type) ? IntegerLane::SzExtS32Clamp : IntegerLane::SzExtU32Clamp;
  return decoder.emitPlain(handlerOf(first, decoder.has(Modifier::Wrap)), OpClass::Integer, 32,
                           {type, Type::U32});
}
bool mettle::emulator::decodeFns(Decoder &decoder) {
  return decoder.emitPlain(handlerOf(IntegerLane::Fns), OpClass::Integer, 32,
                           {Type::B32, Type::U32, Type::S32});
}

bool mettle::emulator::decodePrmt(Decoder &decoder) {
  static constexpr Modifier modes[] = {Modifier::F4e, Modifier::B4e, Modifier::Rc8,
                                       Modifier::Ecl, Modifier::Ecr, Modifier::Rc16};
  unsigned mode = 0;
  while (mode < 6 && !decoder.has(modes[mode]))
    ++mode;
  Op *op = decoder.emitPlain(handlerOf(mode < 6 ? IntegerLane::PrmtMode : IntegerLane::Prmt),
                             OpClass::Integer, 32, {Type::B32, Type::B32, Type::B32});
  if (op && mode < 6)
    op->detail = uint16_t(mode);
  return op;
}

//===----------------------------------------------------------------------===//
// Moves and selection
//===----------------------------------------------------------------------===//

/// d, of so many bits, is one of the pieces of a, as many bits each as d has; Op::detail says
/// which. Or the other way round.
template <typename Whole, typename Piece>
static const Op *runUnpack(Execution &x, const Op &op, LaneMask mask) {
  const Whole *a = x.lanes<Whole>(op.a);
  Piece *d = x.lanes<Piece>(op.d);
  for (unsigned lane : Execution::each(mask))
    d[lane] = Piece(a[lane] >> (op.detail * sizeof(Piece) * 8));
  return op.next();
}
template <typename Whole, typename Piece>
static const Op *runPack(Execution &x, const Op &op, LaneMask mask) {
  Whole words[NumLanes] = {};
  for (unsigned i = 0; i < op.count; ++i) {
    const Piece *piece = x.lanes<Piece>(x.slots[op.list + i]);
    for (unsigned lane = 0; lane < NumLanes; ++lane)
      words[lane] |= Whole(piece[lane]) << (i * sizeof(Piece) * 8);
  }
  Whole *d = x.lanes<Whole>(op.d);
  for (unsigned lane : Execution::each(mask))
    d[lane] = words[lane];
  return op.next();
}

static bool decodeUnpack(Decoder &decoder, unsigned bits) {
  unsigned count;
  Slot whole = decoder.read(decoder.operands[1], bitsType(bits));
  unsigned pieces = decoder.operands[0].count, piece = bits / std::max(pieces, 1u);
  if (whole == NoSlot)
    return false;
  Handler run = bits == 64 && piece == 32   ? runUnpack<uint64_t, uint32_t>
                : bits == 64 && piece == 16 ? runUnpack<uint64_t, uint16_t>
                : bits == 32 && piece == 16 ? runUnpack<uint32_t, uint16_t>
                                            : nullptr;
  if (!run)
    return decoder.unsupported();
  uint32_t list = decoder.writeList(decoder.operands[0], piece, count);
  // A piece may overwrite the whole only as the last.
  for (unsigned i = 0; i < count; ++i) {
    Slot d = decoder.code.slots[list + i];
    if (d == NoSlot)
      return false;
    Op &op = decoder.emit(run, OpClass::Move);
    op.d = d;
    op.a = whole;
    op.detail = uint16_t(i);
  }
  return true;
}

static bool decodePack(Decoder &decoder, unsigned bits) {
  unsigned count, pieces = decoder.operands[1].count, piece = bits / std::max(pieces, 1u);
  Handler run = bits == 64 && piece == 32   ? runPack<uint64_t, uint32_t>
                : bits == 64 && piece == 16 ? runPack<uint64_t, uint16_t>
                : bits == 32 && piece == 16 ? runPack<uint32_t, uint16_t>
                                            : nullptr;
  if (!run)
    return decoder.unsupported();
  uint32_t list = decoder.readList(decoder.operands[1], bitsType(piece), count);
  Slot d = decoder.write(decoder.operands[0], bits);
  for (unsigned i = 0; i < count; ++i)
    if (decoder.code.slots[list + i] == NoSlot)
      return false;
  if (d == NoSlot)
    return false;
  Op &op = decoder.emit(run, OpClass::Move);
  op.d = d;
  op.list = list;
  op.count = uint16_t(count);
  return true;
}

bool mettle::emulator::decodeMov(Decoder &decoder) {
  Type type = decoder.mnemonic->type();
  if (type == Type::Pred)
    return emitPredicates(decoder, 0b1100);
  unsigned bits = ptx::typeBits(type);
  if (decoder.operands[0].is(ptx::OperandKind::Vector))
    return decodeUnpack(decoder, bits);
  if (decoder.operands[1].is(ptx::OperandKind::Vector))
    return decodePack(decoder, bits);
  return emitWidth(decoder, IntegerLane::Mov16, {type});
}

bool mettle::emulator::decodeSelP(Decoder &decoder) {
  Type type = decoder.mnemonic->type();
  unsigned row = widthRow(type);
  if (row == 3)
    return decoder.unsupported();
  bool flip;
  Slot chooser = decoder.readPredicate(decoder.operands[3], flip);
  Op *op = decoder.emitPlain(handlerOf(IntegerLane::SelP16, row), OpClass::Move,
                             ptx::typeBits(type), {type, type});
  if (!op || chooser == NoSlot)
    return false;
  op->c = chooser;
  op->flip = flip;
  return true;
}

bool mettle::emulator::decodeSlct(Decoder &decoder) {
  Type type = decoder.mnemonic->types[0], chooser = decoder.mnemonic->types[1];
  unsigned row = widthRow(type);
  if (row == 3)
    return decoder.unsupported();
  IntegerLane first = chooser == Type::F32 ? IntegerLane::SlctF16 : IntegerLane::SlctS16;
  Op *op = decoder.emitPlain(handlerOf(first, row), OpClass::Move, ptx::typeBits(type),
                             {type, type, chooser});
  if (op)
    op->detail = decoder.has(Modifier::Ftz);
  return op;
}
