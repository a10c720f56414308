//===- Atomic.cpp - atomic accesses to PTX -===//
//
// The published mapping of C++ orders to the memory model of PTX (Lustig, Sahasrabuddhe and Giroux,
// "A Formal Analysis of the NVIDIA PTX Memory Consistency Model", 2019): up to acquire and release
// the order is the instruction's own; sequential consistency is a fence.sc of the same scope before
// an acquiring load, a releasing store, or an update that does both. PTX orders all memory, which
// is more than an operation asks for.
//
//===----------------------------------------------------------------------===//

#include "Patterns.h"

#include "Mettle/Dialect/Mettle/IR/AtomicOps.h"
#include "Mettle/Dialect/PTX/IR/PTXAtomicInsts.h.inc"
#include "Mettle/Dialect/PTX/IR/PTXBarrierInsts.h.inc"
#include "Mettle/Dialect/PTX/IR/PTXDialect.h"
#include "Mettle/Dialect/PTX/IR/PTXIntegerInsts.h.inc"

using namespace mlir;
using namespace mettle;
using namespace mettle::detail;

namespace {

ptx::Scope scopeOf(MemoryScope scope) {
  return scope == MemoryScope::Workgroup ? ptx::Scope::CTA : ptx::Scope::GPU;
}

/// Puts the fence of a sequentially consistent access before it.
void fenceBefore(Emit e, MemoryOrder order, MemoryScope scope) {
  if (order == MemoryOrder::SeqCst)
    ptx::fence(e.builder, e.loc, ptx::FenceOrder::SC, scopeOf(scope));
}

ptx::AtomicOrder updateOrder(MemoryOrder order) {
  switch (order) {
  case MemoryOrder::Relaxed:
    return ptx::AtomicOrder::RELAXED;
  case MemoryOrder::Acquire:
    return ptx::AtomicOrder::ACQUIRE;
  case MemoryOrder::Release:
    return ptx::AtomicOrder::RELEASE;
  case MemoryOrder::AcqRel:
  case MemoryOrder::SeqCst:
    return ptx::AtomicOrder::ACQ_REL;
  }
  llvm_unreachable("every order is listed");
}

//===----------------------------------------------------------------------===//
// Which instruction
//===----------------------------------------------------------------------===//

using Load = Value(OpBuilder &, Location, Value, int64_t, ptx::LoadOrder, ptx::Scope);
using Store = void(OpBuilder &, Location, Value, int64_t, Value, ptx::StoreOrder, ptx::Scope);
using Update = Value(OpBuilder &, Location, Value, int64_t, Value, ptx::AtomicOrder, ptx::Scope);
using Exchange = Value(OpBuilder &, Location, Value, int64_t, Value, Value, ptx::AtomicOrder,
                       ptx::Scope);

/// The instruction of each space that atomics reach, by the number of the space.
template <typename Build> using OfSpace = Build *[3];

/// Of the elements of 32 bits, then of those of 64.
template <typename Build> struct OfWidth {
  OfSpace<Build> narrow, wide;

  Build *choose(PtrType pointer) const {
    const OfSpace<Build> &row = pointer.getElementBytes() == 4 ? narrow : wide;
    return row[static_cast<unsigned>(pointer.getSpace())];
  }
};

static_assert(static_cast<unsigned>(AddressSpace::Generic) == 0 &&
              static_cast<unsigned>(AddressSpace::Global) == 1 &&
              static_cast<unsigned>(AddressSpace::Workgroup) == 2);

#define SPACES(STEM, OPERATION)                                                                    \
  {ptx::STEM##OPERATION, ptx::STEM##Global##OPERATION, ptx::STEM##Shared##OPERATION}
#define WIDTHS(STEM, NARROW, WIDE) {SPACES(STEM, NARROW), SPACES(STEM, WIDE)}

constexpr OfWidth<Load> loads = WIDTHS(ldOrdered, B32, B64);
constexpr OfWidth<Store> stores = WIDTHS(stOrdered, B32, B64);
constexpr OfWidth<Exchange> exchanges = WIDTHS(atom, CasB32, CasB64);

/// By kind. A difference is the sum with the negated value.
constexpr OfWidth<Update> updates[] = {
    WIDTHS(atom, AddU32, AddU64),   WIDTHS(atom, AddU32, AddU64), WIDTHS(atom, MinS32, MinS64),
    WIDTHS(atom, MaxS32, MaxS64),   WIDTHS(atom, MinU32, MinU64), WIDTHS(atom, MaxU32, MaxU64),
    WIDTHS(atom, AndB32, AndB64),   WIDTHS(atom, OrB32, OrB64),   WIDTHS(atom, XorB32, XorB64),
    WIDTHS(atom, ExchB32, ExchB64), WIDTHS(atom, AddF32, AddF64),
};
#undef WIDTHS
#undef SPACES
static_assert(std::size(updates) == getMaxEnumValForAtomicKind() + 1);

//===----------------------------------------------------------------------===//
// Patterns
//===----------------------------------------------------------------------===//

struct LoadPattern : OpConversionPattern<AtomicLoadOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult matchAndRewrite(AtomicLoadOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    fenceBefore({rewriter, op.getLoc()}, op.getOrder(), op.getScope());
    auto order = acquires(op.getOrder()) ? ptx::LoadOrder::ACQUIRE : ptx::LoadOrder::RELAXED;
    rewriter.replaceOp(op, loads.choose(op.getPointer().getType())(rewriter, op.getLoc(),
                                                                   adaptor.getPointer(), 0, order,
                                                                   scopeOf(op.getScope())));
    return success();
  }
};

struct StorePattern : OpConversionPattern<AtomicStoreOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult matchAndRewrite(AtomicStoreOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    fenceBefore({rewriter, op.getLoc()}, op.getOrder(), op.getScope());
    auto order = releases(op.getOrder()) ? ptx::StoreOrder::RELEASE : ptx::StoreOrder::RELAXED;
    stores.choose(op.getPointer().getType())(rewriter, op.getLoc(), adaptor.getPointer(), 0,
                                             adaptor.getValue(), order, scopeOf(op.getScope()));
    rewriter.eraseOp(op);
    return success();
  }
};

struct UpdatePattern : OpConversionPattern<AtomicRMWOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult matchAndRewrite(AtomicRMWOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    PtrType pointer = op.getPointer().getType();
    Value value = adaptor.getValue();
    if (op.getKind() == AtomicKind::Sub)
      value = pointer.getElementBytes() == 4 ? ptx::negS32(rewriter, loc, value)
                                             : ptx::negS64(rewriter, loc, value);
    fenceBefore({rewriter, loc}, op.getOrder(), op.getScope());
    Update *build = updates[static_cast<unsigned>(op.getKind())].choose(pointer);
    rewriter.replaceOp(op, build(rewriter, loc, adaptor.getPointer(), 0, value,
                                 updateOrder(op.getOrder()), scopeOf(op.getScope())));
    return success();
  }
};

/// The instruction has one order, and that of success is the stronger.
struct ExchangePattern : OpConversionPattern<AtomicCmpXchgOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult matchAndRewrite(AtomicCmpXchgOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    fenceBefore({rewriter, loc}, op.getSuccessOrder(), op.getScope());
    Exchange *build = exchanges.choose(op.getPointer().getType());
    rewriter.replaceOp(op, build(rewriter, loc, adaptor.getPointer(), 0, adaptor.getExpected(),
                                 adaptor.getDesired(), updateOrder(op.getSuccessOrder()),
                                 scopeOf(op.getScope())));
    return success();
  }
};

} // namespace

void mettle::detail::populateAtomicToPTX(const TypeConverter &converter,
                                         RewritePatternSet &patterns) {
  patterns.add<LoadPattern, StorePattern, UpdatePattern, ExchangePattern>(converter,
                                                                          patterns.getContext());
}
