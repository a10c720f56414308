//===- KernelOps.cpp - mettle.kernel and mettle.return -===//
//
// Text form and verification of the launch entry.
//
//===----------------------------------------------------------------------===//

#include "Mettle/Dialect/Mettle/IR/KernelOps.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/Interfaces/FunctionImplementation.h"
#include "llvm/Support/InterleavedRange.h"

using namespace mlir;
using namespace mettle;

#define GET_OP_CLASSES
#include "Mettle/Dialect/Mettle/IR/KernelOps.cpp.inc"

namespace mettle::detail {
void registerKernelOps(MettleDialect &dialect) {
  dialect.addFamily<
#define GET_OP_LIST
#include "Mettle/Dialect/Mettle/IR/KernelOps.cpp.inc"
      >();
}
} // namespace mettle::detail

void KernelOp::build(OpBuilder &builder, OperationState &state, StringRef name, FunctionType type) {
  state.addAttribute(getSymNameAttrName(state.name), builder.getStringAttr(name));
  state.addAttribute(getFunctionTypeAttrName(state.name), TypeAttr::get(type));
  state.addRegion();
}

ParseResult KernelOp::parse(OpAsmParser &parser, OperationState &result) {
  auto buildType = [](Builder &builder, ArrayRef<Type> arguments, ArrayRef<Type> results,
                      function_interface_impl::VariadicFlag,
                      std::string &) { return builder.getFunctionType(arguments, results); };
  return function_interface_impl::parseFunctionOp(
      parser, result, /*allowVariadic=*/false, getFunctionTypeAttrName(result.name), buildType,
      getArgAttrsAttrName(result.name), getResAttrsAttrName(result.name));
}

void KernelOp::print(OpAsmPrinter &printer) {
  function_interface_impl::printFunctionOp(printer, *this, /*isVariadic=*/false,
                                           getFunctionTypeAttrName(), getArgAttrsAttrName(),
                                           getResAttrsAttrName());
}

LogicalResult KernelOp::verifyType() {
  for (auto [index, type] : llvm::enumerate(getArgumentTypes())) {
    auto pointer = dyn_cast<PtrType>(type);
    // kernel-c1
    if (pointer ? pointer.getSpace() != AddressSpace::Global : !PtrType::isElementType(type))
      return emitOpError() << "expected argument #" << index
                           << " to be i8, i16, i32, i64, f16, bf16, f32, f64 or a pointer into "
                              "global memory, got "
                           << type;
  }
  // kernel-c2
  if (!getResultTypes().empty())
    return emitOpError() << "expected no results, got " << getResultTypes().size();
  // kernel-c4
  std::optional<uint32_t> lanes = getSubgroupSize();
  if (lanes && (!llvm::isPowerOf2_32(*lanes) || *lanes > maxSubgroupSize))
    return emitOpError() << "expected a subgroup size that is a power of two from 1 to "
                         << maxSubgroupSize << ", got " << *lanes;
  // kernel-c5
  std::optional<ArrayRef<int32_t>> block = getBlockSize();
  if (!block)
    return success();
  int64_t items = 1;
  for (int32_t extent : *block)
    items = extent < 1 || extent > maxBlockSize ? maxBlockSize + 1 : items * extent;
  if (block->size() != 3 || items > maxBlockSize)
    return emitOpError() << "expected a block size of three extents from 1 on, together at most "
                         << maxBlockSize << ", got " << llvm::interleaved_array(*block);
  return success();
}

LogicalResult KernelOp::verifyBody() {
  // kernel-c3
  if (isExternal())
    return emitOpError() << "expected a body, got a declaration";
  return FunctionOpInterface::Trait<KernelOp>::verifyBody();
}

LogicalResult KernelOp::verifyBlock(std::array<uint64_t, 3> block) {
  std::optional<ArrayRef<int32_t>> fixed = getBlockSize();
  if (!fixed || llvm::equal(*fixed, block, [](int32_t a, uint64_t b) { return uint64_t(a) == b; }))
    return success();
  return emitError() << "kernel '" << getName() << "' fixes workgroups of "
                     << llvm::interleaved(*fixed, " x ") << " work-items, the launch asks for "
                     << llvm::interleaved(block, " x ");
}
