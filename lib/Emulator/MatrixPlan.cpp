//===- MatrixPlan.cpp - A matrix instruction made ready to run ------------===//
//
// From registers to packed operands and back.
//
//===----------------------------------------------------------------------===//

#include "MatrixPlan.h"
#include "Block.h"
#include "Mettle/Numerics/ScalarConvert.h"

using namespace mettle::emulator;
using namespace mettle::numerics;
using Operand = TileProduct::Operand;

MatrixBuffers &MatrixState::buffersOf(const Code &code, unsigned plan) {
  if (buffers.size() <= plan)
    buffers.resize(code.matrixPlans.size());
  if (!buffers[plan]) {
    buffers[plan] = std::make_unique<MatrixBuffers>();
    buffers[plan]->accumulators = code.matrixPlans[plan]->product.makeAccumulators();
  }
  return *buffers[plan];
}

MatrixState &mettle::emulator::matrixState(Execution &x) {
  if (!x.block->matrix)
    x.block->matrix = std::make_shared<MatrixState>();
  return *x.block->matrix;
}

unsigned mettle::emulator::planOf(Code &code, llvm::StringRef key,
                                  llvm::function_ref<std::unique_ptr<MatrixPlan>()> make) {
  auto [entry, isNew] = code.matrixPlanOf.try_emplace(key.str(), unsigned(code.matrixPlans.size()));
  if (isNew)
    code.matrixPlans.push_back(make());
  return entry->second;
}

void mettle::emulator::setFragment(OperandPlan &operand, const FragmentLayout &layout,
                                   llvm::function_ref<uint32_t(unsigned, unsigned)> place) {
  operand.elementBits = layout.elementBits;
  operand.registers = layout.registers;
  // Register bits that move nothing are above those that do.
  operand.used = layout.registers;
  for (unsigned bit = 0; 1u << bit < layout.registers; ++bit)
    if (layout.registerStep[bit] == FragmentPosition{}) {
      operand.used = 1u << bit;
      break;
    }
  for (unsigned reg = 0; reg < operand.used; ++reg)
    for (unsigned lane = 0; lane < layout.lanes; ++lane)
      for (unsigned element = 0; element < layout.perRegister; ++element) {
        FragmentPosition at = layout.at(lane, reg, element);
        operand.places.push_back(place(at.row, at.col));
      }
}

void mettle::emulator::gatherFragment(Execution &x, const Slot *slots, const OperandPlan &plan,
                                      std::vector<uint8_t> &raw) {
  unsigned bytes = plan.registerBytes();
  raw.resize(plan.rawBytes());
  for (unsigned reg = 0; reg < plan.used; ++reg)
    memcpy(raw.data() + reg * bytes, x.registers + slots[reg], bytes);
}

/// Codes of fewer than 8 bits, one a byte.
static std::vector<uint8_t> unpacked(llvm::ArrayRef<uint8_t> raw, unsigned bits) {
  std::vector<uint8_t> codes;
  codes.reserve(raw.size() * 8 / bits);
  for (uint8_t byte : raw)
    for (unsigned at = 0; at < 8; at += bits)
      codes.push_back(uint8_t(byte >> at) & uint8_t((1u << bits) - 1));
  return codes;
}

template <typename Pack>
static const Operand &packed(const OperandPlan &plan, PackedOperand &entry,
                             llvm::ArrayRef<uint8_t> raw, Pack pack) {
  if (entry.isFilled && raw == llvm::ArrayRef(entry.raw))
    return entry.operand;
  entry.raw.assign(raw.begin(), raw.end());
  entry.isFilled = true;
  size_t count = plan.places.size();
  switch (plan.elementBits) {
  case 8:
    pack(entry.operand, raw.data(), plan.places.data(), count);
    break;
  case 16:
    pack(entry.operand, reinterpret_cast<const uint16_t *>(raw.data()), plan.places.data(), count);
    break;
  case 32:
    pack(entry.operand, reinterpret_cast<const uint32_t *>(raw.data()), plan.places.data(), count);
    break;
  case 64:
    pack(entry.operand, reinterpret_cast<const uint64_t *>(raw.data()), plan.places.data(), count);
    break;
  default:
    pack(entry.operand, unpacked(raw, plan.elementBits).data(), plan.places.data(), count);
    break;
  }
  return entry.operand;
}

const Operand &mettle::emulator::packedA(const MatrixPlan &plan, MatrixBuffers &buffers,
                                         llvm::ArrayRef<uint8_t> raw, unsigned hint) {
  PackedOperand &entry = buffers.a[hint % MatrixBuffers::Kept];
  if (!entry.isFilled)
    entry.operand = plan.product.makeA();
  return packed(plan.a, entry, raw,
                [&](Operand &operand, auto *codes, const uint32_t *places, size_t count) {
                  plan.product.packA(operand, codes, places, count);
                });
}

const Operand &mettle::emulator::packedB(const MatrixPlan &plan, MatrixBuffers &buffers,
                                         llvm::ArrayRef<uint8_t> raw, unsigned hint) {
  PackedOperand &entry = buffers.b[hint % MatrixBuffers::Kept];
  if (!entry.isFilled)
    entry.operand = plan.product.makeB();
  return packed(plan.b, entry, raw,
                [&](Operand &operand, auto *codes, const uint32_t *places, size_t count) {
                  plan.product.packB(operand, codes, places, count);
                });
}

void mettle::emulator::loadAccumulators(Execution &x, const MatrixPlan &plan, const Slot *slots,
                                        TileProduct::Accumulators &acc) {
  const uint32_t *places = plan.c.places.data();
  unsigned perRegister = plan.c.elementBits == 16 ? 2 * NumLanes : NumLanes;
  for (unsigned reg = 0; reg < plan.c.used; ++reg, places += perRegister) {
    if (plan.c.elementBits == 16)
      plan.product.load(acc, x.lanes<uint16_t>(slots[reg]), places, perRegister);
    else if (plan.c.elementBits == 32)
      plan.product.load(acc, x.lanes<uint32_t>(slots[reg]), places, perRegister);
    else
      plan.product.load(acc, x.lanes<uint64_t>(slots[reg]), places, perRegister);
  }
}

void mettle::emulator::storeAccumulators(Execution &x, const MatrixPlan &plan, const Slot *slots,
                                         const TileProduct::Accumulators &acc) {
  const uint32_t *places = plan.d.places.data();
  unsigned perRegister = plan.d.elementBits == 16 ? 2 * NumLanes : NumLanes;
  for (unsigned reg = 0; reg < plan.d.used; ++reg, places += perRegister) {
    if (plan.narrowsResult) {
      uint16_t *words = x.lanes<uint16_t>(slots[reg]);
      for (unsigned i = 0; i < perRegister; ++i) {
        uint32_t word;
        plan.product.store(acc, &word, places + i, 1);
        words[i] = encodeF16(floatOf(word));
      }
    } else if (plan.d.elementBits == 16) {
      plan.product.store(acc, x.lanes<uint16_t>(slots[reg]), places, perRegister);
    } else if (plan.d.elementBits == 32) {
      plan.product.store(acc, x.lanes<uint32_t>(slots[reg]), places, perRegister);
    } else {
      plan.product.store(acc, x.lanes<uint64_t>(slots[reg]), places, perRegister);
    }
  }
}

const MatrixRow *mettle::emulator::arithmeticRow(Decoder &decoder, llvm::StringRef instruction) {
  llvm::Expected<const MatrixRow *> row = findMatrixRow("sm_90", instruction);
  if (!row) {
    decoder.fail(llvm::toString(row.takeError()));
    return nullptr;
  }
  return *row;
}
