//===- Barrier.cpp - barriers as SPIR-V -----------------------------------===//
//
// The memory semantics carry exactly the order and the memories that the barrier names. Its scope
// is the workgroup for both memories: that is who waits.
//
//===----------------------------------------------------------------------===//

#include "Patterns.h"

#include "Mettle/Dialect/Mettle/IR/BarrierOps.h"

using namespace mlir;
using namespace mettle;
using namespace mettle::tospirv;
using spirv::MemorySemantics;

MemorySemantics mettle::tospirv::orderSemantics(MemoryOrder order) {
  static constexpr std::pair<MemoryOrder, MemorySemantics> orders[] = {
      {MemoryOrder::Relaxed, MemorySemantics::None},
      {MemoryOrder::Acquire, MemorySemantics::Acquire},
      {MemoryOrder::Release, MemorySemantics::Release},
      {MemoryOrder::AcqRel, MemorySemantics::AcquireRelease},
      {MemoryOrder::SeqCst, MemorySemantics::SequentiallyConsistent},
  };
  const auto *row = llvm::find_if(orders, [&](const auto &entry) { return entry.first == order; });
  return row->second;
}

static MemorySemantics semanticsOf(MemoryOrder order, MemoryRegion regions) {
  MemorySemantics semantics = orderSemantics(order);
  if (bitEnumContainsAll(regions, MemoryRegion::Workgroup))
    semantics = semantics | MemorySemantics::WorkgroupMemory;
  if (bitEnumContainsAll(regions, MemoryRegion::Global))
    semantics = semantics | MemorySemantics::CrossWorkgroupMemory;
  return semantics;
}

namespace {
struct ConvertBarrier : OpConversionPattern<BarrierOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult matchAndRewrite(BarrierOp op, OpAdaptor,
                                ConversionPatternRewriter &rewriter) const override {
    rewriter.replaceOpWithNewOp<spirv::ControlBarrierOp>(
        op, spirv::Scope::Workgroup, spirv::Scope::Workgroup,
        semanticsOf(op.getOrder(), op.getRegions()));
    return success();
  }
};
} // namespace

void mettle::tospirv::populateBarrierPatterns(const SPIRVTypeConverter &types,
                                              RewritePatternSet &patterns) {
  patterns.add<ConvertBarrier>(types, patterns.getContext());
}
