//===- MatrixAsync.cpp - wgmma --------------------------------------------===//
//
// The matrix instruction of a warpgroup. Each warp computes its own 16 rows of D when it comes to
// the instruction: one legal time for an asynchronous one, since a kernel must not touch its
// registers or change its shared memory before it has waited. So fences, commits and waits have
// nothing left to do. Op::list names D and, if A is in registers, A.
//
//===----------------------------------------------------------------------===//

#include "Families.h"
#include "MatrixSparse.h"
#include "Mettle/Emulator/Fault.h"
#include "Mettle/Numerics/SharedMatrix.h"
#include "Reach.h"

using namespace mettle::emulator;
using namespace mettle::numerics;

namespace {
/// Op::immediate.
enum WgmmaFlags : uint64_t {
  AInRegisters = 1,
  TransposedA = 2,
  TransposedB = 4,
  NegatedA = 8,
  NegatedB = 16,
};
constexpr unsigned chunk = SharedMatrix::chunkBytes;
} // namespace

/// Reads lines first .. first + lines - 1 of a matrix, each of `lineBytes` bytes: line by line, or
/// k by k where it is MN-major. False after a fault.
static bool gatherShared(Execution &x, const Op &op, uint64_t descriptorBits, bool mnMajor,
                         unsigned elementBytes, unsigned first, unsigned lines,
                         std::vector<uint8_t> &raw, unsigned lineBytes = 32) {
  MatrixDescriptor descriptor = MatrixDescriptor::decode(descriptorBits);
  SharedMatrix matrix(descriptor, mnMajor, elementBytes);
  raw.resize(lines * lineBytes);
  uint8_t *to = raw.data();
  unsigned elements = chunk / elementBytes;
  auto copy = [&](unsigned line, unsigned k) {
    const uint8_t *from =
        reach(x, op, 0, Space::Shared, matrix.address(line, k), chunk, Access::AsyncRead);
    if (from)
      memcpy(to, from, chunk);
    to += chunk;
    return from != nullptr;
  };
  if (!mnMajor) {
    for (unsigned line = first; line < first + lines; ++line)
      for (unsigned k = 0; k < lineBytes / elementBytes; k += elements)
        if (!copy(line, k))
          return false;
  } else {
    for (unsigned k = 0; k < lineBytes / elementBytes; ++k)
      for (unsigned line = first; line < first + lines; line += elements)
        if (!copy(line, k))
          return false;
  }
  return true;
}

/// -x for every element: the sign bit of 16 bits, or of 32.
static void negate(std::vector<uint8_t> &raw, unsigned elementBytes) {
  for (size_t i = elementBytes - 1; i < raw.size(); i += elementBytes)
    raw[i] ^= 0x80;
}

static const Op *runWgmma(Execution &x, const Op &op, LaneMask mask) {
  if (!x.gathered(mask, AllLanes))
    return x.awaitLanes(op, mask, AllLanes);
  const MatrixPlan &plan = *x.code->matrixPlans[op.detail];
  MatrixState &state = matrixState(x);
  MatrixBuffers &buffers = state.buffersOf(*x.code, op.detail);
  const Slot *d = x.code->slots.data() + op.list, *a = d + plan.d.registers;
  uint64_t flags = op.immediate;
  auto hint = [](uint64_t descriptor) { return unsigned(descriptor ^ descriptor >> 5); };

  const TileProduct::Operand *left, *right;
  if (flags & AInRegisters) {
    gatherFragment(x, a, plan.a, state.raw);
    if (flags & NegatedA)
      negate(state.raw, plan.a.elementBits / 8);
    left = &packedA(plan, buffers, state.raw, a[0] / 128);
  } else {
    uint64_t descriptor = x.lanes<uint64_t>(op.a)[0];
    if (!gatherShared(x, op, descriptor, flags & TransposedA, plan.a.elementBits / 8,
                      x.warpIndex % 4 * 16, 16, state.raw))
      return x.stop();
    if (flags & NegatedA)
      negate(state.raw, plan.a.elementBits / 8);
    left = &packedA(plan, buffers, state.raw, hint(descriptor));
  }
  uint64_t descriptor = x.lanes<uint64_t>(op.b)[0];
  if (!gatherShared(x, op, descriptor, flags & TransposedB, plan.b.elementBits / 8, 0,
                    plan.product.n(), state.raw))
    return x.stop();
  if (flags & NegatedB)
    negate(state.raw, plan.b.elementBits / 8);
  right = &packedB(plan, buffers, state.raw, hint(descriptor));

  bool accumulates = (x.predicate(op.c) ^ op.flipMask()) & 1;
  if (accumulates)
    loadAccumulators(x, plan, d, buffers.accumulators);
  else
    plan.product.clear(buffers.accumulators);
  plan.product.run(*left, *right, buffers.accumulators);
  storeAccumulators(x, plan, d, buffers.accumulators);
  return op.next();
}

/// The same with A's metadata, the slot behind D's and A's; B has twice as many rows.
static const Op *runWgmmaSparse(Execution &x, const Op &op, LaneMask mask) {
  if (!x.gathered(mask, AllLanes))
    return x.awaitLanes(op, mask, AllLanes);
  const MatrixPlan &plan = *x.code->matrixPlans[op.detail];
  MatrixState &state = matrixState(x);
  const Slot *d = x.code->slots.data() + op.list, *a = d + plan.d.registers;
  const uint32_t *metadata = x.lanes<uint32_t>(x.code->slots[op.list + op.count - 1]);
  uint64_t flags = op.immediate;
  unsigned bytes = plan.sparseBits / 8;
  if (flags & AInRegisters)
    gatherFragment(x, a, plan.a, state.raw);
  else if (!gatherShared(x, op, x.lanes<uint64_t>(op.a)[0], flags & TransposedA, bytes,
                         x.warpIndex % 4 * 16, 16, state.raw))
    return x.stop();
  if (flags & NegatedA)
    negate(state.raw, bytes);
  std::vector<uint32_t> left = matrixOfCodes(plan.a, state.raw);
  if (!gatherShared(x, op, x.lanes<uint64_t>(op.b)[0], flags & TransposedB, bytes, 0,
                    plan.product.n(), state.raw, 64))
    return x.stop();
  if (flags & NegatedB)
    negate(state.raw, bytes);
  std::vector<uint32_t> right = matrixOfCodes(plan.b, state.raw);
  bool accumulates = (x.predicate(op.c) ^ op.flipMask()) & 1;
  std::vector<uint32_t> words =
      accumulates ? matrixOfWords(x, plan.d, d) : std::vector<uint32_t>(plan.d.places.size());
  if (!multiplySparse(x, op, plan, state.buffersOf(*x.code, op.detail), left, right, metadata,
                      words))
    return x.stop();
  storeWords(x, plan.d, d, words);
  return op.next();
}

bool mettle::emulator::decodeWgmma(Decoder &decoder) {
  llvm::ArrayRef<ptx::Operand> operands = decoder.operands;
  // The sparse form has metadata and a selector before scale-d.
  bool isSparse = decoder.has(ptx::Modifier::Sp);
  size_t at = isSparse ? 6 : 4;
  if (operands.size() < at)
    return decoder.unsupported();
  const MatrixRow *row = arithmeticRow(decoder, decoder.text());
  if (!row)
    return false;
  unsigned n = decoder.mnemonic->shape.n, bits = info(row->a).bits, k = row->k;
  bool isFloat = !info(row->a).isInteger;
  uint64_t flags = operands[1].isGroup() ? AInRegisters : 0;

  // scale-d, then imm-scale-a and -b (floats), then imm-trans-a (not of registers) and -b (16
  // bits).
  const ptx::Operand &scaleD = operands[at - 1];
  auto next = [&](llvm::StringRef what, uint64_t &value) {
    if (at == operands.size())
      return decoder.fail("expected " + what);
    return decoder.immediate(operands[at++], what, value);
  };
  uint64_t value;
  if (isFloat)
    for (uint64_t flag : {NegatedA, NegatedB}) {
      if (!next("an operand scale", value))
        return false;
      if (value != 1 && value != ~uint64_t(0) && value != 0xFFFFFFFF)
        return decoder.fail("expected an operand scale of 1 or -1");
      flags |= value == 1 ? 0 : flag;
    }
  if (bits == 16)
    for (uint64_t flag : {TransposedA, TransposedB}) {
      if (flag == TransposedA && (flags & AInRegisters))
        continue;
      if (!next("a transposition", value))
        return false;
      if (value > 1)
        return decoder.fail("expected a transposition of 0 or 1");
      flags |= value ? flag : 0;
    }
  if (at != operands.size())
    return decoder.fail("expected " + llvm::Twine(at) + " operands, found " +
                        llvm::Twine(operands.size()));

  std::optional<FragmentLayout> d =
      wgmmaFragment(FragmentOperand::Accumulator, n, info(row->d).bits);
  std::optional<FragmentLayout> a = wgmmaFragment(FragmentOperand::A, n, bits);
  if (!d || !a)
    return decoder.unsupported();
  uint64_t selector = 0;
  if (isSparse && !decoder.immediate(operands[4], "the sparsity selector", selector))
    return false;
  if (isSparse && !metadataField(k, bits, unsigned(selector), 0, 0))
    return decoder.fail("expected a sparsity selector that this shape has");
  // The first warp's part; those of the others are alike.
  d->lanes = a->lanes = NumLanes;
  std::string key = row->instruction() + "/" + std::to_string(n) + "/" +
                    std::to_string(flags & (AInRegisters | TransposedA | TransposedB)) +
                    (isSparse ? "/" + std::to_string(selector) : "");
  unsigned index = planOf(decoder.code, key, [&] {
    auto plan = std::make_unique<MatrixPlan>(*row, isSparse ? 1 : 16, n);
    TileProduct &product = plan->product;
    unsigned inA = isSparse ? k / 2 : k;
    auto word = [&](unsigned i, unsigned j) {
      return isSparse ? i * n + j : product.accumulatorPlace(i, j);
    };
    auto placeA = [&](unsigned i, unsigned l) {
      return isSparse ? i * inA + l : product.aPlace(i, l);
    };
    auto placeB = [&](unsigned l, unsigned j) {
      return isSparse ? l * n + j : product.bPlace(l, j);
    };
    if (isSparse) {
      plan->sparseBits = bits;
      plan->k = k;
      plan->selector = unsigned(selector);
    }
    setFragment(plan->d, *d, word);
    plan->c = plan->d;
    if (flags & AInRegisters) {
      setFragment(plan->a, *a, placeA);
    } else {
      plan->a.elementBits = bits;
      for (unsigned outer = 0; outer < (flags & TransposedA ? inA : 16); ++outer)
        for (unsigned inner = 0; inner < (flags & TransposedA ? 16 : inA); ++inner)
          plan->a.places.push_back(flags & TransposedA ? placeA(inner, outer)
                                                       : placeA(outer, inner));
    }
    plan->b.elementBits = bits;
    for (unsigned outer = 0; outer < (flags & TransposedB ? k : n); ++outer)
      for (unsigned inner = 0; inner < (flags & TransposedB ? n : k); ++inner)
        plan->b.places.push_back(flags & TransposedB ? placeB(outer, inner) : placeB(inner, outer));
    return plan;
  });
  const MatrixPlan &plan = *decoder.code.matrixPlans[index];

  unsigned count;
  uint32_t list = decoder.writeList(operands[0], 32, count);
  if (count != plan.d.registers)
    return decoder.fail("expected " + llvm::Twine(plan.d.registers) +
                        " registers of matrix d, found " + llvm::Twine(count));
  // The first product of a chain takes no accumulator.
  if (!scaleD.is(ptx::OperandKind::Integer))
    decoder.readsSometimes(llvm::ArrayRef(decoder.code.slots).slice(list, count));
  Slot aSlot = NoSlot;
  if (flags & AInRegisters) {
    decoder.readList(operands[1], ptx::Type::B32, count);
    if (count != plan.a.registers)
      return decoder.fail("expected " + llvm::Twine(plan.a.registers) +
                          " registers of matrix a, found " + llvm::Twine(count));
  } else {
    aSlot = decoder.read(operands[1], ptx::Type::B64);
  }
  Slot bSlot = decoder.read(operands[2], ptx::Type::B64);
  bool flip;
  if (isSparse)
    decoder.code.slots.push_back(decoder.read(operands[3], ptx::Type::B32));
  Slot scale = decoder.readPredicate(scaleD, flip);
  Op &op = decoder.emit(isSparse ? runWgmmaSparse : runWgmma, OpClass::Matrix);
  op.list = list;
  op.count = uint16_t(decoder.code.slots.size() - list);
  op.a = aSlot;
  op.b = bSlot;
  op.c = scale;
  op.flip = flip;
  op.immediate = flags;
  op.detail = uint16_t(index);
  return true;
}

/// Fences, commits and waits: nothing is left to wait for.
bool mettle::emulator::decodeWgmmaOrder(Decoder &) { return true; }
