//===- Atomic.cpp - atomic accesses as SPIR-V -----------------------------===//
//
// Scope and memory semantics are the operation's own: its order with the memory of its pointer, and
// nothing for one that is relaxed, which orders no memory. No pointer is generic: Prepare.cpp has
// found its memory or refused it.
//
//===----------------------------------------------------------------------===//

#include "Patterns.h"

#include "Mettle/Dialect/Mettle/IR/AtomicOps.h"
#include "Mettle/Dialect/SPIRVX/IR/SPIRVXAtomicOps.h"

using namespace mlir;
using namespace mettle;
using namespace mettle::tospirv;
using spirv::MemorySemantics;

static spirv::Scope scopeOf(MemoryScope scope) {
  return scope == MemoryScope::Workgroup ? spirv::Scope::Workgroup : spirv::Scope::Device;
}

static MemorySemantics semanticsOf(MemoryOrder order, PtrType pointer) {
  if (order == MemoryOrder::Relaxed)
    return MemorySemantics::None;
  return orderSemantics(order) |
         (pointer.getSpace() == AddressSpace::Workgroup ? MemorySemantics::WorkgroupMemory
                                                        : MemorySemantics::CrossWorkgroupMemory);
}

namespace {
template <typename Source> struct AtomicPattern : OpConversionPattern<Source> {
  using OpConversionPattern<Source>::OpConversionPattern;

  LogicalResult matchAndRewrite(Source op, typename Source::Adaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    PtrType pointer = op.getPointer().getType();
    if (pointer.getSpace() == AddressSpace::Generic)
      return rewriter.notifyMatchFailure(op, "SPIR-V names the memory that an atomic orders");
    rewriter.replaceOp(op, convert(rewriter, op, adaptor, pointer));
    return success();
  }

private:
  static Operation *convert(OpBuilder &b, AtomicLoadOp op, AtomicLoadOp::Adaptor adaptor,
                            PtrType pointer) {
    return spirvx::AtomicLoadOp::create(b, op.getLoc(), op.getType(), adaptor.getPointer(),
                                        scopeOf(op.getScope()),
                                        semanticsOf(op.getOrder(), pointer));
  }

  static Operation *convert(OpBuilder &b, AtomicStoreOp op, AtomicStoreOp::Adaptor adaptor,
                            PtrType pointer) {
    return spirvx::AtomicStoreOp::create(b, op.getLoc(), adaptor.getPointer(),
                                         scopeOf(op.getScope()),
                                         semanticsOf(op.getOrder(), pointer), adaptor.getValue());
  }

  template <typename Target>
  static Operation *update(OpBuilder &b, AtomicRMWOp op, AtomicRMWOp::Adaptor adaptor,
                           PtrType pointer) {
    return Target::create(b, op.getLoc(), op.getType(), adaptor.getPointer(),
                          scopeOf(op.getScope()), semanticsOf(op.getOrder(), pointer),
                          adaptor.getValue());
  }

  static Operation *convert(OpBuilder &b, AtomicRMWOp op, AtomicRMWOp::Adaptor adaptor,
                            PtrType pointer) {
    switch (op.getKind()) {
    case AtomicKind::Add:
      return update<spirv::AtomicIAddOp>(b, op, adaptor, pointer);
    case AtomicKind::Sub:
      return update<spirv::AtomicISubOp>(b, op, adaptor, pointer);
    case AtomicKind::SMin:
      return update<spirv::AtomicSMinOp>(b, op, adaptor, pointer);
    case AtomicKind::SMax:
      return update<spirv::AtomicSMaxOp>(b, op, adaptor, pointer);
    case AtomicKind::UMin:
      return update<spirv::AtomicUMinOp>(b, op, adaptor, pointer);
    case AtomicKind::UMax:
      return update<spirv::AtomicUMaxOp>(b, op, adaptor, pointer);
    case AtomicKind::And:
      return update<spirv::AtomicAndOp>(b, op, adaptor, pointer);
    case AtomicKind::Or:
      return update<spirv::AtomicOrOp>(b, op, adaptor, pointer);
    case AtomicKind::Xor:
      return update<spirv::AtomicXorOp>(b, op, adaptor, pointer);
    case AtomicKind::Exchange:
      return update<spirv::AtomicExchangeOp>(b, op, adaptor, pointer);
    case AtomicKind::FAdd:
      return update<spirv::EXTAtomicFAddOp>(b, op, adaptor, pointer);
    }
    llvm_unreachable("every kind is listed");
  }

  static Operation *convert(OpBuilder &b, AtomicCmpXchgOp op, AtomicCmpXchgOp::Adaptor adaptor,
                            PtrType pointer) {
    return spirv::AtomicCompareExchangeOp::create(
        b, op.getLoc(), op.getType(), adaptor.getPointer(), scopeOf(op.getScope()),
        semanticsOf(op.getSuccessOrder(), pointer), semanticsOf(op.getFailureOrder(), pointer),
        adaptor.getDesired(), adaptor.getExpected());
  }
};
} // namespace

void mettle::tospirv::populateAtomicPatterns(const SPIRVTypeConverter &types,
                                             RewritePatternSet &patterns) {
  patterns.add<AtomicPattern<AtomicLoadOp>, AtomicPattern<AtomicStoreOp>,
               AtomicPattern<AtomicRMWOp>, AtomicPattern<AtomicCmpXchgOp>>(types,
                                                                           patterns.getContext());
}
