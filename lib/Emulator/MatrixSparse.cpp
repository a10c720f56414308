//===- MatrixSparse.cpp - Products with a 2:4 sparse A --------------------===//
//
// mma.sp and the sparse wgmma. Metadata tells which elements of A are kept, so the rows of B that
// they meet differ from row to row of A: a product of one row of A each, by the dense arithmetic.
//
//===----------------------------------------------------------------------===//

#include "MatrixSparse.h"
#include "Families.h"
#include "Mettle/Emulator/Fault.h"

using namespace mettle::emulator;
using namespace mettle::numerics;

/// Elements of a group of A's columns, and of them the kept ones. Four bits are kept in pairs.
static constexpr unsigned groupColumns(unsigned bits) { return bits == 32 ? 2 : bits == 4 ? 8 : 4; }

std::vector<uint32_t> mettle::emulator::matrixOfCodes(const OperandPlan &operand,
                                                      llvm::ArrayRef<uint8_t> raw) {
  std::vector<uint32_t> matrix(operand.places.size());
  for (size_t i = 0; i < matrix.size(); ++i) {
    uint32_t code = 0;
    if (operand.elementBits == 4)
      code = raw[i / 2] >> (4 * (i % 2)) & 15;
    else
      memcpy(&code, raw.data() + i * operand.elementBits / 8, operand.elementBits / 8);
    matrix[operand.places[i]] = code;
  }
  return matrix;
}

std::vector<uint32_t> mettle::emulator::matrixOfWords(Execution &x, const OperandPlan &operand,
                                                      const Slot *slots) {
  std::vector<uint32_t> matrix(operand.places.size());
  for (size_t i = 0; i < matrix.size(); ++i)
    matrix[operand.places[i]] = operand.elementBits == 16
                                    ? x.lanes<uint16_t>(slots[i / 64])[i % 64]
                                    : x.lanes<uint32_t>(slots[i / 32])[i % 32];
  return matrix;
}

void mettle::emulator::storeWords(Execution &x, const OperandPlan &operand, const Slot *slots,
                                  llvm::ArrayRef<uint32_t> matrix) {
  for (size_t i = 0; i < matrix.size(); ++i)
    if (operand.elementBits == 16)
      x.lanes<uint16_t>(slots[i / 64])[i % 64] = uint16_t(matrix[operand.places[i]]);
    else
      x.lanes<uint32_t>(slots[i / 32])[i % 32] = matrix[operand.places[i]];
}

bool mettle::emulator::multiplySparse(Execution &x, const Op &op, const MatrixPlan &plan,
                                      MatrixBuffers &buffers, llvm::ArrayRef<uint32_t> left,
                                      llvm::ArrayRef<uint32_t> right, const uint32_t *metadata,
                                      std::vector<uint32_t> &words) {
  const TileProduct &product = plan.product;
  unsigned n = product.n(), kept = plan.k / 2, bits = plan.sparseBits;
  unsigned perGroup = groupColumns(bits) / 2, together = bits == 4 ? 2 : 1;
  std::vector<uint32_t> rowPlaces(kept), colPlaces(kept * n), accPlaces(n), column(kept * n);
  for (unsigned k = 0; k < kept; ++k) {
    rowPlaces[k] = product.aPlace(0, k);
    for (unsigned j = 0; j < n; ++j)
      colPlaces[k * n + j] = product.bPlace(k, j);
  }
  for (unsigned j = 0; j < n; ++j)
    accPlaces[j] = product.accumulatorPlace(0, j);
  TileProduct::Operand row = product.makeA(), columns = product.makeB();
  for (unsigned i = 0; i < 16; ++i) {
    for (unsigned k = 0; k < kept; ++k) {
      unsigned group = k / perGroup, element = k % perGroup;
      MetadataField field = *metadataField(plan.k, bits, plan.selector, i, group);
      unsigned word = metadata[field.lane] >> field.shift & 15;
      auto from = keptColumns(bits, word);
      if (plan.takesAnyMetadata)
        from = {uint8_t(word & 3), uint8_t(word >> 2)};
      if (!from) {
        x.fault(op, field.lane, FaultKind::Misuse,
                "expected metadata that names the kept elements in order");
        return false;
      }
      unsigned meets =
          group * groupColumns(bits) + (*from)[element / together] * together + element % together;
      llvm::copy(right.slice(meets * n, n), column.begin() + k * n);
    }
    product.packA(row, left.data() + i * kept, rowPlaces.data(), kept);
    product.packB(columns, column.data(), colPlaces.data(), column.size());
    product.load(buffers.accumulators, words.data() + i * n, accPlaces.data(), n);
    product.run(row, columns, buffers.accumulators);
    product.store(buffers.accumulators, words.data() + i * n, accPlaces.data(), n);
  }
  return true;
}

const Op *mettle::emulator::runMmaSparse(Execution &x, const Op &op, LaneMask mask) {
  if (!x.gathered(mask, AllLanes))
    return x.awaitLanes(op, mask, AllLanes);
  const MatrixPlan &plan = *x.code->matrixPlans[op.detail];
  MatrixState &state = matrixState(x);
  const Slot *d = x.code->slots.data() + op.list, *a = d + plan.d.registers,
             *b = a + plan.a.registers, *c = b + plan.b.registers;
  const uint32_t *metadata = x.lanes<uint32_t>(c[plan.c.registers]);
  gatherFragment(x, a, plan.a, state.raw);
  std::vector<uint32_t> left = matrixOfCodes(plan.a, state.raw);
  gatherFragment(x, b, plan.b, state.raw);
  std::vector<uint32_t> right = matrixOfCodes(plan.b, state.raw),
                        words = matrixOfWords(x, plan.c, c);
  if (!multiplySparse(x, op, plan, state.buffersOf(*x.code, op.detail), left, right, metadata,
                      words))
    return x.stop();
  storeWords(x, plan.d, d, words);
  return op.next();
}
