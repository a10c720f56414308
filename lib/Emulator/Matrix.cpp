//===- Matrix.cpp - mma and wmma.mma --------------------------------------===//
//
// The matrix instructions of a warp whose operands are registers: dense mma on every shape that has
// a row of arithmetic, mma.sp, and wmma.mma. Op::list names D, A, B and C, for mma.sp also the
// metadata.
//
//===----------------------------------------------------------------------===//

#include "Families.h"
#include "MatrixPlan.h"
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

/// The elements of A and B that meet are told by metadata, so B's kept rows differ from row to row
/// of A: a product of one row of A each, D's rows one after the other.
static const Op *runSparse(Execution &x, const Op &op, LaneMask mask) {
  if (!x.gathered(mask, AllLanes))
    return x.awaitLanes(op, mask, AllLanes);
  const MatrixPlan &plan = *x.code->matrixPlans[op.detail];
  MatrixState &state = matrixState(x);
  MatrixBuffers &buffers = state.buffersOf(*x.code, op.detail);
  const Slot *d = x.code->slots.data() + op.list, *a = d + plan.d.registers,
             *b = a + plan.a.registers, *c = b + plan.b.registers;
  const uint32_t *metadata = x.lanes<uint32_t>(c[plan.c.registers]);
  const unsigned m = 16, n = 8, kept = plan.k / 2, bits = plan.sparseBits;

  // Matrices of codes, row by row.
  auto codes = [&](const Slot *slots, const OperandPlan &operand, unsigned count) {
    gatherFragment(x, slots, operand, state.raw);
    std::vector<uint32_t> matrix(count);
    for (size_t i = 0; i < operand.places.size(); ++i)
      matrix[operand.places[i]] = bits == 16
                                      ? reinterpret_cast<const uint16_t *>(state.raw.data())[i]
                                      : reinterpret_cast<const uint32_t *>(state.raw.data())[i];
    return matrix;
  };
  std::vector<uint32_t> left = codes(a, plan.a, m * kept), right = codes(b, plan.b, plan.k * n);
  std::vector<uint32_t> words = [&] {
    std::vector<uint32_t> matrix(m * n);
    for (size_t i = 0; i < plan.c.places.size(); ++i) {
      const Slot slot = c[i / (plan.c.elementBits == 16 ? 64 : 32)];
      matrix[plan.c.places[i]] = plan.c.elementBits == 16 ? x.lanes<uint16_t>(slot)[i % 64]
                                                          : x.lanes<uint32_t>(slot)[i % 32];
    }
    return matrix;
  }();

  unsigned groupColumns = bits == 16 ? 4 : 2, perGroup = bits == 16 ? 2 : 1;
  std::vector<uint32_t> rowPlaces(kept), colPlaces(kept * n), accPlaces(n);
  for (unsigned k = 0; k < kept; ++k) {
    rowPlaces[k] = plan.product.aPlace(0, k);
    for (unsigned j = 0; j < n; ++j)
      colPlaces[k * n + j] = plan.product.bPlace(k, j);
  }
  for (unsigned j = 0; j < n; ++j)
    accPlaces[j] = plan.product.accumulatorPlace(0, j);
  TileProduct::Operand rowOperand = plan.product.makeA(), colOperand = plan.product.makeB();
  for (unsigned i = 0; i < m; ++i) {
    std::vector<uint32_t> column(kept * n);
    for (unsigned group = 0; group < plan.k / groupColumns; ++group) {
      std::optional<MetadataField> field = metadataField(plan.k, bits, plan.selector, i, group);
      unsigned word = metadata[field->lane] >> field->shift & 15;
      std::optional<std::array<uint8_t, 2>> columns = keptColumns(bits, word);
      if (!columns)
        return x.fault(op, field->lane, FaultKind::Misuse,
                       "expected metadata that names the kept elements in order");
      for (unsigned e = 0; e < perGroup; ++e)
        for (unsigned j = 0; j < n; ++j)
          column[(group * perGroup + e) * n + j] =
              right[(group * groupColumns + (*columns)[e]) * n + j];
    }
    plan.product.packA(rowOperand, left.data() + i * kept, rowPlaces.data(), kept);
    plan.product.packB(colOperand, column.data(), colPlaces.data(), column.size());
    plan.product.load(buffers.accumulators, words.data() + i * n, accPlaces.data(), n);
    plan.product.run(rowOperand, colOperand, buffers.accumulators);
    plan.product.store(buffers.accumulators, words.data() + i * n, accPlaces.data(), n);
  }
  for (size_t i = 0; i < plan.d.places.size(); ++i) {
    const Slot slot = d[i / (plan.d.elementBits == 16 ? 64 : 32)];
    if (plan.d.elementBits == 16)
      x.lanes<uint16_t>(slot)[i % 64] = uint16_t(words[plan.d.places[i]]);
    else
      x.lanes<uint32_t>(slot)[i % 32] = words[plan.d.places[i]];
  }
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
  if (!a || !b || !c || !d || (isSparse && bits < 16))
    return decoder.unsupported();
  uint64_t selector = 0;
  if (isSparse && (decoder.operands.size() < 6 ||
                   !decoder.immediate(decoder.operands[5], "the sparsity selector", selector)))
    return false;
  if (isSparse && !metadataField(row->k, bits, unsigned(selector), 0, 0))
    return decoder.fail("expected a sparsity selector that this shape has");

  std::string key = row->instruction() + (isSparse ? "/" + std::to_string(selector) : "");
  unsigned index = planOf(decoder.code, key, [&] {
    auto plan = std::make_unique<MatrixPlan>(*row, isSparse ? 1 : row->m, row->n);
    TileProduct &product = plan->product;
    if (isSparse) {
      plan->sparseBits = bits;
      plan->k = row->k;
      plan->selector = unsigned(selector);
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
  Op &op = decoder.emit(isSparse ? runSparse : runMma, OpClass::Matrix);
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
