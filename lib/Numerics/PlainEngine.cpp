//===- PlainEngine.cpp - Steps without a fast path ------------------------===//
//
// One element of D at a time through evaluateStep: the judge of the vector kernels, and the way for
// the classes that have none.
//
//===----------------------------------------------------------------------===//

#include "Mettle/Numerics/Step.h"
#include "StepEngine.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/Endian.h"

using namespace mettle::numerics;

uint64_t mettle::numerics::loadCode(const MatrixView &view, uint64_t row, uint64_t col) {
  int64_t at = view.offset(row, col);
  const uint8_t *bytes = static_cast<const uint8_t *>(view.data);
  unsigned bits = view.bits();
  switch (bits) {
  case 8:
    return bytes[at];
  case 16:
    return llvm::support::endian::read16le(bytes + at * 2);
  case 32:
    return llvm::support::endian::read32le(bytes + at * 4);
  case 64:
    return llvm::support::endian::read64le(bytes + at * 8);
  }
  // Packed codes: whole bytes back to the one that holds the first bit.
  int64_t bit = at * int64_t(bits), byte = bit >> 3;
  unsigned shift = unsigned(bit & 7);
  uint64_t code = bytes[byte] >> shift;
  if (shift + bits > 8)
    code |= uint64_t(bytes[byte + 1]) << (8 - shift);
  return code & ((1u << bits) - 1);
}

void mettle::numerics::storeCode(const MutableMatrixView &view, uint64_t row, uint64_t col,
                                 uint64_t code) {
  int64_t at = view.offset(row, col);
  uint8_t *bytes = static_cast<uint8_t *>(view.data);
  switch (view.bits()) {
  case 8:
    bytes[at] = uint8_t(code);
    return;
  case 16:
    return llvm::support::endian::write16le(bytes + at * 2, uint16_t(code));
  case 32:
    return llvm::support::endian::write32le(bytes + at * 4, uint32_t(code));
  case 64:
    return llvm::support::endian::write64le(bytes + at * 8, code);
  }
  llvm_unreachable("packed codes are only read");
}

namespace {

class PlainEngine : public StepEngine {
public:
  PlainEngine(const GEMMDesc &desc, const GEMMProblem &problem, const KPlan &plan)
      : desc(desc), problem(problem), plan(plan) {}

  unsigned tileRows() const override { return 8; }
  unsigned tileCols() const override { return 8; }

  void chain(const Tile &tile, uint64_t first, uint64_t end,
             llvm::MutableArrayRef<uint64_t> words) const override {
    for (unsigned i = 0; i < tile.rows; ++i)
      for (unsigned j = 0; j < tile.cols; ++j)
        for (uint64_t step = first; step < end; ++step) {
          uint64_t &word = words[i * tile.cols + j];
          word = run(tile.row + i, tile.col + j, plan.steps[step], word);
        }
  }

private:
  uint64_t run(uint64_t row, uint64_t col, KPlan::Step step, uint64_t acc) const {
    llvm::SmallVector<uint64_t, 64> a, b, aScales, bScales;
    for (uint64_t at = step.begin; at < step.end; ++at) {
      uint64_t k = plan.order[at];
      a.push_back(loadCode(problem.a, row, k));
      b.push_back(loadCode(problem.b, k, col));
    }
    DotOperands operands{desc.a, desc.b, a, b, nullptr};
    BlockScales scales;
    if (desc.scale) {
      // validate() keeps blocks whole within a part, so a step's products are neighbours.
      uint64_t block = plan.order[step.begin] / desc.scaleBlock;
      for (uint64_t at = step.begin; at < step.end; at += desc.scaleBlock, ++block) {
        aScales.push_back(loadCode(problem.aScales, row, block));
        bScales.push_back(loadCode(problem.bScales, block, col));
      }
      scales = {*desc.scale, desc.scaleBlock, aScales, bScales};
      operands.scales = &scales;
    }
    if (desc.fastAccum)
      return evaluateStep(desc.step, operands, acc);
    uint64_t sum = evaluateStep(desc.step, operands, 0);
    return addRounded(desc.step.result, desc.step.result, acc, desc.step.result, sum);
  }

  const GEMMDesc &desc;
  const GEMMProblem &problem;
  const KPlan &plan;
};

} // namespace

std::unique_ptr<StepEngine> mettle::numerics::makePlainEngine(const GEMMDesc &desc,
                                                              const GEMMProblem &problem,
                                                              const KPlan &plan) {
  return std::make_unique<PlainEngine>(desc, problem, plan);
}
