//===- StepEngine.h - Chains of steps over a tile of D --------------------===//
//
// What the evaluator asks of a fast path and of the plain one alike: run some steps of the plan for
// a tile of D. Everything above (merges, epilogue, threads) is common.
//
//===----------------------------------------------------------------------===//

#ifndef METTLE_LIB_NUMERICS_STEPENGINE_H
#define METTLE_LIB_NUMERICS_STEPENGINE_H

#include "Mettle/Numerics/Evaluate.h"
#include "Mettle/Numerics/KPlan.h"
#include <memory>

namespace mettle::numerics {

/// A block of D; its words lie row by row, `cols` apart.
struct Tile {
  uint64_t row = 0, col = 0;
  unsigned rows = 0, cols = 0;
};

class StepEngine {
public:
  virtual ~StepEngine() = default;
  /// Extents of a full tile; tiles start at multiples of them.
  virtual unsigned tileRows() const = 0;
  virtual unsigned tileCols() const = 0;
  /// Runs steps first .. end - 1 on accumulators in the class's result format.
  virtual void chain(const Tile &tile, uint64_t first, uint64_t end,
                     llvm::MutableArrayRef<uint64_t> words) const = 0;
};

/// Any class, by evaluateStep.
std::unique_ptr<StepEngine> makePlainEngine(const GEMMDesc &desc, const GEMMProblem &problem,
                                            const KPlan &plan);

/// A vector kernel of the instruction set, or null where the class or its operands have none.
std::unique_ptr<StepEngine> makeVectorEngine(const GEMMDesc &desc, const GEMMProblem &problem,
                                             const KPlan &plan, InstructionSet set);

/// One code of a matrix.
uint64_t loadCode(const MatrixView &view, uint64_t row, uint64_t col);
void storeCode(const MutableMatrixView &view, uint64_t row, uint64_t col, uint64_t code);

} // namespace mettle::numerics

#endif // METTLE_LIB_NUMERICS_STEPENGINE_H
