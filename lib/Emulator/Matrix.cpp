//===- Matrix.cpp - mma and wmma.mma --------------------------------------===//
//
// The matrix instructions of a warp whose operands are registers: dense mma on every shape that has
// a row of arithmetic, mma.sp, and wmma.mma. Op::list names D, A, B and C, for mma.sp also the
// metadata.
//
//===----------------------------------------------------------------------===//

#include "Families.h"
#include "MatrixSparse.h"
#include "Mettle/Emulator/Fault.h"

using namespace mettle::emulator;
using namespace mettle::numerics;

static const Op *runMma(Execution &x, const Op &op, LaneMask mask) {
  if (!x.gathered(mask, AllLanes))
    return x.awaitLanes(op, mask, AllLanes);
  const MatrixPlan &plan = *x.code->matrixPlans[op.detail];
  MatrixState &state = matrixState(x);
  MatrixBuffers &buffers = state.buffersOf(*x.code, op.detail);
  const Slot *d = x.code->slots.data() + op.list, *a = d + plan.d.registers,
             *b = a + plan.a.registers, *c = b + plan.b.registers;
  // A register block is 128 bytes: neighbouring fragments get entries of their own.
  gatherFragment(x, a, plan.a, state.raw);
  const TileProduct::Operand &left = packedA(plan, buffers, state.raw, a[0] / 128);
  gatherFragment(x, b, plan.b, state.raw);
  const TileProduct::Operand &right = packedB(plan, buffers, state.raw, b[0] / 128);
  loadAccumulators(x, plan, c, buffers.accumulators);
  plan.product.run(left, right, buffers.accumulators);
  storeAccumulators(x, plan, d, buffers.accumulators);
  return op.next();
}

/// PTX's name of an element type.
static llvm::StringRef wmmaTypeName(Format format) {
  switch (format) {
  case Format::I8:
    return "s8";
  case Format::I4:
    return "s4";
  case Format::I32:
    return "s32";
  default:
    return name(format);
  }
}

/// Registers of a fragment: b32, but 64-bit floats for f64, and f32 for f32 accumulators.
static ptx::Type registerType(unsigned elementBits) {
  return elementBits == 64 ? ptx::Type::B64 : ptx::Type::B32;
}

/// Appends the slots of D, A, B and C; false where a list has another length than its fragment.
static bool readOperands(Decoder &decoder, const MatrixPlan &plan, uint32_t &list) {
  list = uint32_t(decoder.code.slots.size());
  const OperandPlan *const plans[] = {&plan.d, &plan.a, &plan.b, &plan.c};
  for (unsigned i = 0; i < 4; ++i) {
    unsigned count;
    if (i == 0)
      decoder.writeList(decoder.operands[i], ptx::typeBits(registerType(plans[i]->elementBits)),
                        count);
    else
      decoder.readList(decoder.operands[i], registerType(plans[i]->elementBits), count);
    if (count != plans[i]->registers)
      return decoder.fail("expected " + llvm::Twine(plans[i]->registers) + " registers of matrix " +
                          (i == 0   ? "d"
                           : i == 1 ? "a"
                           : i == 2 ? "b"
                                    : "c") +
                          ", found " + llvm::Twine(count));
  }
  return true;
}

bool mettle::emulator::decodeMma(Decoder &decoder) {
  llvm::StringRef text = decoder.text();
  bool isSparse = text.starts_with("mma.sp");
  const MatrixRow *row = arithmeticRow(decoder, text);
  if (!row)
    return false;
  unsigned bits = info(row->a).bits;
  auto fragment = [&](FragmentOperand operand, unsigned width) {
    return isSparse ? sparseFragment(operand, row->m, row->n, row->k, width)
                    : mmaFragment(operand, row->m, row->n, row->k, width);
  };
  std::optional<FragmentLayout> a = fragment(FragmentOperand::A, bits),
                                b = fragment(FragmentOperand::B, bits),
                                c = fragment(FragmentOperand::Accumulator, info(row->c).bits),
                                d = fragment(FragmentOperand::Accumulator, info(row->d).bits);
  if (!a || !b || !c || !d)
    return decoder.unsupported();
  uint64_t selector = 0;
  if (isSparse && (decoder.operands.size() < 6 ||
                   !decoder.immediate(decoder.operands[5], "the sparsity selector", selector)))
    return false;
  if (isSparse && !metadataField(row->k, bits, unsigned(selector), 0, 0))
    return decoder.fail("expected a sparsity selector that this shape has");

  // The PTX ISA leaves open what metadata out of order means; this is what an H200 makes of it.
  bool takesAny = isSparse && row->a == Format::F16 && !text.contains("ordered_metadata");
  std::string key = row->instruction() + (isSparse ? "/" + std::to_string(selector) : "") +
                    (takesAny ? "/any" : "");
  unsigned index = planOf(decoder.code, key, [&] {
    auto plan = std::make_unique<MatrixPlan>(*row, isSparse ? 1 : row->m, row->n);
    TileProduct &product = plan->product;
    if (isSparse) {
      plan->sparseBits = bits;
      plan->k = row->k;
      plan->selector = unsigned(selector);
      plan->takesAnyMetadata = takesAny;
      setFragment(plan->a, *a, [&](unsigned i, unsigned k) { return i * row->k / 2 + k; });
      setFragment(plan->b, *b, [&](unsigned k, unsigned j) { return k * row->n + j; });
      auto word = [&](unsigned i, unsigned j) { return i * row->n + j; };
      setFragment(plan->c, *c, word);
      setFragment(plan->d, *d, word);
      return plan;
    }
    auto word = [&](unsigned i, unsigned j) { return product.accumulatorPlace(i, j); };
    setFragment(plan->a, *a, [&](unsigned i, unsigned k) { return product.aPlace(i, k); });
    setFragment(plan->b, *b, [&](unsigned k, unsigned j) { return product.bPlace(k, j); });
    setFragment(plan->c, *c, word);
    setFragment(plan->d, *d, word);
    return plan;
  });
  uint32_t list;
  if (!readOperands(decoder, *decoder.code.matrixPlans[index], list))
    return false;
  if (isSparse)
    decoder.code.slots.push_back(decoder.read(decoder.operands[4], ptx::Type::B32));
  Op &op = decoder.emit(isSparse ? runMmaSparse : runMma, OpClass::Matrix);
  op.list = list;
  op.count = uint16_t(decoder.code.slots.size() - list);
  op.detail = uint16_t(index);
  return true;
}

bool mettle::emulator::decodeWmmaMma(Decoder &decoder) {
  // D of f16 with C of f32 is the f32 instruction and a conversion; ptxas makes it so.
  std::string text = decoder.text().str();
  bool narrows = text.ends_with(".f16.f32") && text.find(".f16.f16.f16.f32") == text.npos;
  if (narrows)
    text = text.substr(0, text.size() - 8) + ".f32.f32";
  if (decoder.has(ptx::Modifier::Satfinite) && text.find(".s32") == text.npos)
    return decoder.unsupported();
  const MatrixRow *row = arithmeticRow(decoder, text);
  if (!row)
    return false;
  auto fragment = [&](FragmentOperand operand, Format format) {
    return wmmaFragment(operand, row->m, row->n, row->k, wmmaTypeName(format));
  };
  Format dFormat = narrows ? Format::F16 : row->d;
  std::optional<FragmentLayout> a = fragment(FragmentOperand::A, row->a),
                                b = fragment(FragmentOperand::B, row->b),
                                c = fragment(FragmentOperand::Accumulator, row->c),
                                d = fragment(FragmentOperand::Accumulator, dFormat);
  if (!a || !b || !c || !d)
    return decoder.unsupported();
  unsigned index = planOf(decoder.code, row->instruction() + (narrows ? "/narrow" : ""), [&] {
    auto plan = std::make_unique<MatrixPlan>(*row, row->m, row->n);
    TileProduct &product = plan->product;
    auto word = [&](unsigned i, unsigned j) { return product.accumulatorPlace(i, j); };
    setFragment(plan->a, *a, [&](unsigned i, unsigned k) { return product.aPlace(i, k); });
    setFragment(plan->b, *b, [&](unsigned k, unsigned j) { return product.bPlace(k, j); });
    setFragment(plan->c, *c, word);
    setFragment(plan->d, *d, word);
    plan->narrowsResult = narrows;
    return plan;
  });
  uint32_t list;
  if (!readOperands(decoder, *decoder.code.matrixPlans[index], list))
    return false;
  Op &op = decoder.emit(runMma, OpClass::Matrix);
  op.list = list;
  op.count = uint16_t(decoder.code.slots.size() - list);
  op.detail = uint16_t(index);
  return true;
}
