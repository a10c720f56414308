//===- Float.cpp - Decoding floating-point arithmetic ---------------------===//
//
// Chooses the handler of a float instruction: the vector code for rounding to nearest, Directed.cpp
// for other roundings, the multi-function unit for the approximate ones.
//
//===----------------------------------------------------------------------===//

#include "Directed.h"
#include "Families.h"
#include "FloatDetail.h"
#include "LaneTables.h"
#include "Mettle/Numerics/Approximate.h"

using namespace mettle;
using namespace mettle::emulator;
using namespace mettle::assembly;
using ptx::Modifier;
using ptx::Type;

/// Row of HalfLanes.def within a name; 4 for what is no half.
static unsigned halfRow(Type type) {
  switch (type) {
  case Type::F16:
    return 0;
  case Type::F16x2:
    return 1;
  case Type::BF16:
    return 2;
  case Type::BF16x2:
    return 3;
  default:
    return 4;
  }
}

static uint16_t detailOf(const Decoder &decoder) {
  return uint16_t(
      (decoder.has(Modifier::Ftz) ? Flush : 0) | (decoder.has(Modifier::Sat) ? Saturate : 0) |
      (decoder.has(Modifier::Relu) ? Relu : 0) | (decoder.has(Modifier::KeepNan) ? KeepNaN : 0) |
      (decoder.has(Modifier::Xorsign) ? XorSign : 0));
}

static bool isDirected(const Decoder &decoder) {
  return decoder.has(Modifier::Rz) || decoder.has(Modifier::Rm) || decoder.has(Modifier::Rp);
}

/// Types that the operands of an op of this arity have.
static Op *emitFloat(Decoder &decoder, Handler run, OpClass opClass, unsigned sources) {
  Type type = decoder.mnemonic->type();
  unsigned bits = ptx::typeBits(type);
  Op *op = sources == 1   ? decoder.emitPlain(run, opClass, bits, {type})
           : sources == 2 ? decoder.emitPlain(run, opClass, bits, {type, type})
                          : decoder.emitPlain(run, opClass, bits, {type, type, type});
  if (op)
    op->detail = detailOf(decoder);
  return op;
}

static bool decodeArithmetic(Decoder &decoder, DirectedOperation operation, FloatLane f32,
                             FloatLane f64, std::optional<HalfLane> half, unsigned sources) {
  Type type = decoder.mnemonic->type();
  if (decoder.has(Modifier::Oob) || decoder.has(Modifier::Rs) || decoder.mnemonic->typeCount > 1)
    return decoder.unsupported();
  if (halfRow(type) < 4) {
    if (!half || isDirected(decoder))
      return decoder.unsupported();
    return emitFloat(decoder, handlerOf(*half, halfRow(type)), OpClass::Half, sources);
  }
  if (type != Type::F32 && type != Type::F64)
    return decoder.unsupported();
  OpClass opClass = type == Type::F64 ? OpClass::Double : OpClass::Float;
  if (isDirected(decoder)) {
    Op *op = emitFloat(decoder, directedHandler(operation, type == Type::F64), opClass, sources);
    if (op)
      op->immediate = uint64_t(decoder.has(Modifier::Rz)   ? DirectedRounding::Zero
                               : decoder.has(Modifier::Rm) ? DirectedRounding::Down
                                                           : DirectedRounding::Up);
    return op;
  }
  if (type == Type::F64)
    return emitFloat(decoder, handlerOf(f64), opClass, sources);
  return emitFloat(decoder, handlerOf(f32, detailOf(decoder) & (Flush | Saturate)), opClass,
                   sources);
}

//===----------------------------------------------------------------------===//
// Approximate functions
//===----------------------------------------------------------------------===//

/// Op::immediate is the numerics::Approximate.
static const Op *runApproximate32(Execution &x, const Op &op, LaneMask mask) {
  uint32_t result[NumLanes];
  llvm::ArrayRef<uint32_t> a(x.lanes<uint32_t>(op.a), NumLanes), b;
  if (op.b != NoSlot)
    b = llvm::ArrayRef(x.lanes<uint32_t>(op.b), NumLanes);
  numerics::approximate(numerics::Approximate(op.immediate), a, b, result);
  uint32_t *d = x.lanes<uint32_t>(op.d);
  for (unsigned lane : Execution::each(mask))
    d[lane] = result[lane];
  return op.next();
}
static const Op *runApproximate16(Execution &x, const Op &op, LaneMask mask) {
  uint32_t words[NumLanes];
  const uint16_t *a = x.lanes<uint16_t>(op.a);
  for (unsigned lane = 0; lane < NumLanes; ++lane)
    words[lane] = a[lane];
  numerics::approximate(numerics::Approximate(op.immediate), words, {}, words);
  uint16_t *d = x.lanes<uint16_t>(op.d);
  for (unsigned lane : Execution::each(mask))
    d[lane] = uint16_t(words[lane]);
  return op.next();
}
/// The upper halves of doubles.
static const Op *runApproximate64(Execution &x, const Op &op, LaneMask mask) {
  uint32_t words[NumLanes];
  const uint64_t *a = x.lanes<uint64_t>(op.a);
  for (unsigned lane = 0; lane < NumLanes; ++lane)
    words[lane] = uint32_t(a[lane] >> 32);
  numerics::approximate(numerics::Approximate(op.immediate), words, {}, words);
  uint64_t *d = x.lanes<uint64_t>(op.d);
  for (unsigned lane : Execution::each(mask))
    d[lane] = uint64_t(words[lane]) << 32;
  return op.next();
}

bool mettle::emulator::decodeApproximate(Decoder &decoder) {
  std::optional<numerics::Approximate> function = numerics::parseApproximate(decoder.text());
  if (!function)
    return decoder.unsupported();
  Type type = decoder.mnemonic->type();
  unsigned bits = ptx::typeBits(type);
  Handler run = bits == 16 ? runApproximate16 : bits == 32 ? runApproximate32 : runApproximate64;
  Type words = bits == 32 && type != Type::F32 ? Type::B32 : type;
  Op *op = numerics::info(*function).operands == 2
               ? decoder.emitPlain(run, OpClass::Special, bits, {words, words})
               : decoder.emitPlain(run, OpClass::Special, bits, {words});
  if (op)
    op->immediate = uint64_t(*function);
  return op;
}

static bool isApproximate(const Decoder &decoder) {
  return decoder.has(Modifier::Approx) || decoder.has(Modifier::Full);
}

//===----------------------------------------------------------------------===//
// Opcodes
//===----------------------------------------------------------------------===//

bool mettle::emulator::decodeFloatAdd(Decoder &decoder) {
  bool adds = decoder.instruction->opcode == ptx::Opcode::Add;
  return decodeArithmetic(decoder, adds ? DirectedOperation::Add : DirectedOperation::Sub,
                          adds ? FloatLane::AddF32 : FloatLane::SubF32,
                          adds ? FloatLane::AddF64 : FloatLane::SubF64,
                          adds ? HalfLane::AddF16 : HalfLane::SubF16, 2);
}

bool mettle::emulator::decodeFloatMul(Decoder &decoder) {
  return decodeArithmetic(decoder, DirectedOperation::Mul, FloatLane::MulF32, FloatLane::MulF64,
                          HalfLane::MulF16, 2);
}

bool mettle::emulator::decodeFloatFma(Decoder &decoder) {
  return decodeArithmetic(decoder, DirectedOperation::Fma, FloatLane::FmaF32, FloatLane::FmaF64,
                          HalfLane::FmaF16, 3);
}

bool mettle::emulator::decodeFloatDiv(Decoder &decoder) {
  if (isApproximate(decoder))
    return decodeApproximate(decoder);
  return decodeArithmetic(decoder, DirectedOperation::Div, FloatLane::DivF32, FloatLane::DivF64,
                          std::nullopt, 2);
}

bool mettle::emulator::decodeRcp(Decoder &decoder) {
  if (isApproximate(decoder))
    return decodeApproximate(decoder);
  return decodeArithmetic(decoder, DirectedOperation::Rcp, FloatLane::RcpF32, FloatLane::RcpF64,
                          std::nullopt, 1);
}

bool mettle::emulator::decodeSqrt(Decoder &decoder) {
  if (isApproximate(decoder))
    return decodeApproximate(decoder);
  return decodeArithmetic(decoder, DirectedOperation::Sqrt, FloatLane::SqrtF32, FloatLane::SqrtF64,
                          std::nullopt, 1);
}

bool mettle::emulator::decodeFloatMinMax(Decoder &decoder) {
  Type type = decoder.mnemonic->type();
  bool isMax = decoder.instruction->opcode == ptx::Opcode::Max;
  unsigned sources = unsigned(decoder.operands.size()) - 1;
  if (halfRow(type) < 4)
    return emitFloat(decoder, handlerOf(isMax ? HalfLane::MaxF16 : HalfLane::MinF16, halfRow(type)),
                     OpClass::Half, sources);
  if (type == Type::F32)
    return emitFloat(decoder, handlerOf(isMax ? FloatLane::MaxF32 : FloatLane::MinF32),
                     OpClass::Float, sources);
  if (type == Type::F64 && sources == 2)
    return emitFloat(decoder, handlerOf(isMax ? FloatLane::MaxF64 : FloatLane::MinF64),
                     OpClass::Double, 2);
  return decoder.unsupported();
}

bool mettle::emulator::decodeFloatSign(Decoder &decoder) {
  Type type = decoder.mnemonic->type();
  bool isAbs = decoder.instruction->opcode == ptx::Opcode::Abs;
  if (halfRow(type) < 4)
    return emitFloat(decoder, handlerOf(isAbs ? HalfLane::AbsF16 : HalfLane::NegF16, halfRow(type)),
                     OpClass::Half, 1);
  if (type == Type::F32)
    return emitFloat(decoder, handlerOf(isAbs ? FloatLane::AbsF32 : FloatLane::NegF32),
                     OpClass::Float, 1);
  if (type == Type::F64)
    return emitFloat(decoder, handlerOf(isAbs ? FloatLane::AbsF64 : FloatLane::NegF64),
                     OpClass::Double, 1);
  return decoder.unsupported();
}

bool mettle::emulator::decodeCopySign(Decoder &decoder) {
  Type type = decoder.mnemonic->type();
  if (type != Type::F32 && type != Type::F64)
    return decoder.unsupported();
  return emitFloat(decoder,
                   handlerOf(type == Type::F32 ? FloatLane::CopySignF32 : FloatLane::CopySignF64),
                   OpClass::Float, 2);
}
