//===- IndexOps.cpp - ids and extents of a launch -===//
//
// Value ranges of the index operations. The ranges are those that CUDA and OpenCL
// devices share: a workgroup has at most 1024 work-items an axis, a launch 2^31 - 1 workgroups.
//
//===----------------------------------------------------------------------===//

#include "Mettle/Dialect/Mettle/IR/IndexOps.h"

#include "Mettle/Dialect/Mettle/IR/KernelOps.h"
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

/// The extent that the kernel around an operation fixes; a function may be inlined into another
/// one.
static std::optional<int32_t> fixedExtent(Operation *op, Dimension dimension) {
  auto kernel = op->getParentOfType<KernelOp>();
  if (!kernel || !kernel.getBlockSize())
    return std::nullopt;
  return (*kernel.getBlockSize())[static_cast<unsigned>(dimension)];
}

static constexpr int64_t maxBlockDim = maxBlockSize;
static constexpr int64_t maxGridDim = 2147483647;

void ThreadIdOp::inferResultRanges(ArrayRef<ConstantIntRanges>, SetIntRangeFn setResultRange) {
  int64_t extent = fixedExtent(*this, getDimension()).value_or(maxBlockDim);
  setRange(getResult(), 0, extent - 1, setResultRange);
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

OpFoldResult BlockDimOp::fold(FoldAdaptor) {
  if (std::optional<int32_t> extent = fixedExtent(*this, getDimension()))
    return IntegerAttr::get(getType(), *extent);
  return {};
}
