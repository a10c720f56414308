//===- IndexOps.cpp - ids and extents of a launch -===//
//
// Value ranges of the index operations. The ranges are those that CUDA and OpenCL
// devices share: a workgroup has at most 1024 work-items an axis, a launch 2^31 - 1 workgroups.
//
//===----------------------------------------------------------------------===//

#include "Mettle/Dialect/Mettle/IR/IndexOps.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/OpImplementation.h"

using namespace mlir;
using namespace mettle;

#define GET_OP_CLASSES
#include "Mettle/Dialect/Mettle/IR/IndexOps.cpp.inc"

namespace mettle::detail {
void registerIndexOps(MettleDialect &dialect) {
  dialect.addFamily<
#define GET_OP_LIST
#include "Mettle/Dialect/Mettle/IR/IndexOps.cpp.inc"
      >();
}
} // namespace mettle::detail

static void setRange(Value result, int64_t low, int64_t high, SetIntRangeFn setResultRange) {
  setResultRange(result,
                 ConstantIntRanges::fromSigned(APInt(32, low, true), APInt(32, high, true)));
}

static constexpr int64_t maxBlockDim = 1024;
static constexpr int64_t maxGridDim = 2147483647;

void ThreadIdOp::inferResultRanges(ArrayRef<ConstantIntRanges>, SetIntRangeFn setResultRange) {
  setRange(getResult(), 0, maxBlockDim - 1, setResultRange);
}

void BlockIdOp::inferResultRanges(ArrayRef<ConstantIntRanges>, SetIntRangeFn setResultRange) {
  setRange(getResult(), 0, maxGridDim - 1, setResultRange);
}

void BlockDimOp::inferResultRanges(ArrayRef<ConstantIntRanges>, SetIntRangeFn setResultRange) {
  setRange(getResult(), 1, maxBlockDim, setResultRange);
}

void GridDimOp::inferResultRanges(ArrayRef<ConstantIntRanges>, SetIntRangeFn setResultRange) {
  setRange(getResult(), 1, maxGridDim, setResultRange);
}
