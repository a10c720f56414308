//===- SubgroupOps.cpp - what the lanes of a subgroup do together -===//
//
// Verification, ranges and folds of the subgroup operations, and where their size is fixed.
//
//===----------------------------------------------------------------------===//

#include "Mettle/Dialect/Mettle/IR/SubgroupOps.h"

#include "Mettle/Dialect/Mettle/IR/KernelOps.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OpImplementation.h"

using namespace mlir;
using namespace mettle;

/// The order's word, if there is one.
static ParseResult parseFoldOrder(OpAsmParser &parser, FoldOrderAttr &order) {
  StringRef word;
  if (failed(parser.parseOptionalKeyword(&word, {stringifyFoldOrder(FoldOrder::InnerTree),
                                                 stringifyFoldOrder(FoldOrder::Sequential),
                                                 stringifyFoldOrder(FoldOrder::Unordered)})))
    return success();
  order = FoldOrderAttr::get(parser.getContext(), *symbolizeFoldOrder(word));
  return success();
}

static void printFoldOrder(OpAsmPrinter &printer, Operation *, FoldOrderAttr order) {
  if (order)
    printer << ' ' << stringifyFoldOrder(order.getValue());
}

#define GET_OP_CLASSES
#include "Mettle/Dialect/Mettle/IR/SubgroupOps.cpp.inc"

namespace mettle::detail {
void registerSubgroupOps(MettleDialect &dialect) {
  dialect.addFamily<
#define GET_OP_LIST
#include "Mettle/Dialect/Mettle/IR/SubgroupOps.cpp.inc"
      >();
}
} // namespace mettle::detail

std::optional<unsigned> mettle::fixedSubgroupSize(Operation *op) {
  if (auto kernel = op->getParentOfType<KernelOp>())
    return kernel.getSubgroupSize();
  std::optional<unsigned> size;
  auto module = op->getParentOfType<ModuleOp>();
  if (!module)
    return size;
  for (KernelOp kernel : module.getOps<KernelOp>()) {
    std::optional<unsigned> other = kernel.getSubgroupSize();
    if (!other || (size && size != other))
      return std::nullopt;
    size = other;
  }
  return size;
}

//===----------------------------------------------------------------------===//
// Lanes
//===----------------------------------------------------------------------===//

static void setRange(Value result, uint64_t low, uint64_t high, SetIntRangeFn setResultRange) {
  setResultRange(result, ConstantIntRanges::fromSigned(APInt(32, low), APInt(32, high)));
}

void SubgroupLocalIdOp::inferResultRanges(ArrayRef<ConstantIntRanges>,
                                          SetIntRangeFn setResultRange) {
  setRange(getResult(), 0, maxSubgroupSize - 1, setResultRange);
}

void SubgroupSizeOp::inferResultRanges(ArrayRef<ConstantIntRanges>, SetIntRangeFn setResultRange) {
  setRange(getResult(), 1, maxSubgroupSize, setResultRange);
}

/// Only what the kernel around it says: a function may be inlined into another kernel.
OpFoldResult SubgroupSizeOp::fold(FoldAdaptor) {
  auto kernel = (*this)->getParentOfType<KernelOp>();
  if (kernel && kernel.getSubgroupSize())
    return IntegerAttr::get(getType(), *kernel.getSubgroupSize());
  return {};
}

//===----------------------------------------------------------------------===//
// Folds of lanes
//===----------------------------------------------------------------------===//

static LogicalResult verifyOrder(Operation *op, std::optional<FoldOrder> order, bool isFloatSum) {
  if (isFloatSum && !order)
    return op->emitOpError() << "expected a sum of floats to state its order, inner_tree, "
                                "sequential or unordered";
  if (!isFloatSum && order)
    return op->emitOpError() << "expected no order, on which only a sum of floats depends, got "
                             << stringifyFoldOrder(*order);
  return success();
}

LogicalResult SubgroupReduceOp::verify() {
  CombineKind kind = getKind();
  bool isFloat = isa<FloatType>(getValue().getType());
  bool ofFloats = kind == CombineKind::FMin || kind == CombineKind::FMax;
  // subgroup_reduce-c1
  if (kind != CombineKind::Add && ofFloats != isFloat)
    return emitOpError() << "expected "
                         << (isFloat ? "floats to be combined by add, fmin or fmax"
                                     : "integers to be combined by add, smin, smax, umin or umax")
                         << ", got " << stringifyCombineKind(kind);
  // subgroup_reduce-c2
  return verifyOrder(*this, getOrder(), isFloat && kind == CombineKind::Add);
}

LogicalResult SubgroupScanOp::verify() {
  // subgroup_scan-c1
  return verifyOrder(*this, getOrder(), isa<FloatType>(getValue().getType()));
}
