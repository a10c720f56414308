//===- Call.cpp - Calls of functions --------------------------------------===//
//
// A function's registers and parameters have places of their own, so a call is a jump that
// remembers where it came from, with copies of the arguments' bytes. That leaves no room for
// recursion, which is refused when it happens.
//
//===----------------------------------------------------------------------===//

#include "Block.h"
#include "Control.h"
#include "Families.h"
#include "LaneTables.h"
#include "Mettle/Emulator/Fault.h"

using namespace mettle::emulator;
using namespace mettle::assembly;

const Op *mettle::emulator::returnFromFunction(Execution &x, const Op &op, LaneMask mask) {
  Fragment &fragment = x.warp->fragments[x.warp->current];
  Fragment other = fragment;
  other.mask = mask;
  other.pc = other.frames.pop_back_val().callOp + 1;
  fragment.mask &= ~mask;
  fragment.pc = uint32_t(op.next() - x.code->ops.data());
  if (!fragment.mask)
    x.warp->fragments.erase(&fragment);
  x.warp->fragments.push_back(std::move(other));
  return x.giveWay();
}

static const Op *runCall(Execution &x, const Op &op, LaneMask mask) {
  Fragment &fragment = x.warp->fragments[x.warp->current];
  const Op *ops = x.code->ops.data();
  uint32_t self = uint32_t(&op - ops);
  for (const Frame &frame : fragment.frames)
    if (ops[frame.callOp].immediate == op.immediate)
      return x.fault(op, unsigned(__builtin_ctz(mask)), FaultKind::Unsupported,
                     "expected a call that is not recursive");
  Fragment other = fragment;
  other.mask = mask;
  other.pc = uint32_t(op.immediate);
  other.frames.push_back({self});
  fragment.mask &= ~mask;
  fragment.pc = self + 1;
  if (!fragment.mask)
    x.warp->fragments.erase(&fragment);
  x.warp->fragments.push_back(std::move(other));
  return x.giveWay();
}

/// Copies `bytes` bytes of each lane's local memory from `immediate` to the offset in `list`.
static const Op *runCopy(Execution &x, const Op &op, LaneMask mask) {
  for (unsigned lane : Execution::each(mask)) {
    uint8_t *memory = x.local.host + x.local.size * (x.warpIndex * NumLanes + lane);
    __builtin_memmove(memory + op.list, memory + op.immediate, op.count);
  }
  return op.next();
}

/// A parameter variable's bytes, between the local memories of caller and callee.
static bool copyVariable(Decoder &decoder, const ptx::Operand &outside, uint32_t inside,
                         bool toCallee) {
  if (!outside.is(ptx::OperandKind::Symbol))
    return decoder.fail("expected a parameter variable as argument of a call");
  uint64_t caller = decoder.code.variableOffset[outside.index];
  uint64_t callee = decoder.code.variableOffset[inside];
  const ptx::Variable &variable = decoder.module.variables[inside];
  if (caller == ~uint64_t(0) || callee == ~uint64_t(0) || variable.size > 0xffff)
    return decoder.unsupported();
  Op &op = decoder.emit(runCopy, OpClass::Control);
  op.immediate = toCallee ? caller : callee;
  op.list = uint32_t(toCallee ? callee : caller);
  op.count = uint16_t(variable.size);
  return true;
}

Slot Decoder::parameterSlot(const ptx::Function &owner, const ptx::Variable &variable) {
  for (uint32_t i = owner.registers.first; i != owner.registers.last; ++i) {
    const ptx::RegisterDeclaration &declared = module.registers[i];
    if (declared.name == variable.name && !declared.isRange && declared.vectorWidth == 1)
      return registerSlot(owner, ptx::RegisterId(declared.cls, declared.first));
  }
  return NoSlot;
}

/// A `.reg` parameter, between registers of caller and callee.
static bool copyRegister(Decoder &decoder, const ptx::Operand &outside, const ptx::Function &callee,
                         const ptx::Variable &variable, bool toCallee) {
  Slot inside = decoder.parameterSlot(callee, variable);
  unsigned bits = ptx::typeBits(variable.type);
  if (inside == NoSlot || bits > 64 || bits < 8)
    return decoder.unsupported();
  Slot caller =
      toCallee ? decoder.read(outside, variable.type) : decoder.write(outside, std::max(bits, 16u));
  if (caller == NoSlot)
    return false;
  Op &op = decoder.emit(handlerOf(IntegerLane::Mov16, bits <= 16   ? 0
                                                      : bits == 32 ? 1
                                                                   : 2),
                        OpClass::Move);
  op.d = toCallee ? inside : caller;
  op.a = toCallee ? caller : inside;
  return true;
}

static bool emitCopies(Decoder &decoder, llvm::ArrayRef<ptx::Operand> outside,
                       const ptx::Function &callee, ptx::Range inside, bool toCallee) {
  if (outside.size() != inside.size())
    return decoder.fail("expected " + llvm::Twine(inside.size()) + " arguments, found " +
                        llvm::Twine(outside.size()));
  for (unsigned i = 0; i < outside.size(); ++i) {
    const ptx::Variable &variable = decoder.module.variables[inside.first + i];
    bool good = variable.isRegister ? copyRegister(decoder, outside[i], callee, variable, toCallee)
                                    : copyVariable(decoder, outside[i], inside.first + i, toCallee);
    if (!good)
      return false;
  }
  return true;
}

/// What a function's name stands for: its body may follow a prototype that calls refer to.
static const ptx::Function &definitionOf(const ptx::Module &module, const ptx::Function &named) {
  if (!named.hasBody)
    for (const ptx::Function &other : module.functions)
      if (other.hasBody && other.name == named.name)
        return other;
  return named;
}

bool mettle::emulator::decodeCall(Decoder &decoder) {
  llvm::ArrayRef<ptx::Operand> rest = decoder.operands, results, arguments;
  if (rest[0].is(ptx::OperandKind::List)) {
    results = decoder.module.elements(rest[0]);
    rest = rest.drop_front();
  }
  if (rest.empty() || !rest[0].is(ptx::OperandKind::Function))
    return decoder.fail("expected a call of a function by its name");
  const ptx::Function &callee =
      definitionOf(decoder.module, decoder.module.functions[rest[0].index]);
  if (rest.size() > 1 && rest[1].is(ptx::OperandKind::List))
    arguments = decoder.module.elements(rest[1]);
  if (!callee.hasBody)
    return decoder.fail("expected a function with a body, found '" +
                        decoder.module.name(callee.name) + "'");
  if (!emitCopies(decoder, arguments, callee, callee.parameters, true))
    return false;
  decoder.emit(runCall, OpClass::Control);
  decoder.callTo(callee);
  return emitCopies(decoder, results, callee, callee.returns, false);
}
