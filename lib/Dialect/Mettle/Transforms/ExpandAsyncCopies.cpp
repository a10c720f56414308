//===- ExpandAsyncCopies.cpp - copies in pieces that a target has -===//
//
// A piece is a transaction, or an element where that is larger. Few pieces are written one after
// another; many become a loop.
//
//===----------------------------------------------------------------------===//

#include "Mettle/Dialect/Mettle/Transforms/Passes.h"

#include "Mettle/Dialect/Mettle/IR/AsyncCopyOps.h"
#include "Mettle/Dialect/Mettle/IR/MemoryOps.h"
#include "PresentOperations.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"

using namespace mlir;

namespace mettle {
#define GEN_PASS_DEF_EXPANDASYNCCOPIES
#include "Mettle/Dialect/Mettle/Transforms/Passes.h.inc"
} // namespace mettle

using namespace mettle;

/// More pieces than these become a loop: as loads and stores, which need registers, and as copies.
static constexpr uint64_t maxReplayed = 8, maxCopied = 16;

namespace {
class Expander {
public:
  explicit Expander(AsyncCopyOp op)
      : op(op), builder(op.getLoc(), op), type(op.getTarget().getType()),
        pieces(op.getSpan() / op.getAlignmentInBytes()), elements(op.getCount() / pieces) {}

  uint64_t count() const { return pieces; }

  /// Puts `piece` in place of the copy, for each one, given the index of its first element.
  void replace(bool asLoop, function_ref<void(Expander &, Value)> piece) {
    if (asLoop) {
      auto constant = [&](uint64_t value) -> Value {
        return arith::ConstantOp::create(builder, builder.getI32IntegerAttr(value));
      };
      Value begin = constant(0), end = constant(op.getCount()), step = constant(elements);
      auto loop = scf::ForOp::create(builder, begin, end, step);
      OpBuilder::InsertionGuard guard(builder);
      builder.setInsertionPointToStart(loop.getBody());
      piece(*this, arith::ExtSIOp::create(builder, builder.getI64Type(), loop.getInductionVar()));
    } else {
      for (uint64_t number = 0; number < pieces; ++number)
        piece(*this,
              arith::ConstantOp::create(builder, builder.getI64IntegerAttr(number * elements)));
    }
    op.erase();
  }

  void load(Value index) {
    Type element = type.getElementType();
    Type value = elements == 1 ? element : VectorType::get(static_cast<int64_t>(elements), element);
    auto loaded = LoadOp::create(builder, value, at(op.getSource(), index), IntegerAttr(),
                                 /*is_volatile=*/false);
    StoreOp::create(builder, loaded, at(op.getTarget(), index));
  }

  void copy(Value index) {
    AsyncCopyOp::create(builder, elements, at(op.getTarget(), index), at(op.getSource(), index),
                        op.getTransaction(), op.getCache());
  }

private:
  Value at(Value pointer, Value index) {
    return builder.createOrFold<OffsetOp>(pointer.getType(), pointer, index);
  }

  AsyncCopyOp op;
  ImplicitLocOpBuilder builder;
  PtrType type;
  uint64_t pieces;
  /// Of a piece.
  uint64_t elements;
};

struct ExpandAsyncCopies : mettle::impl::ExpandAsyncCopiesBase<ExpandAsyncCopies> {
  using ExpandAsyncCopiesBase::ExpandAsyncCopiesBase;

  void runOnOperation() override {
    if (!getAnalysis<PresentOperations>().has<AsyncCopyOp, AsyncCommitOp, AsyncWaitOp>())
      return markAllAnalysesPreserved();
    getOperation()->walk([&](Operation *op) {
      if (auto copy = dyn_cast<AsyncCopyOp>(op))
        expand(copy);
      else if (replay && isa<AsyncCommitOp, AsyncWaitOp>(op))
        op->erase();
    });
  }

private:
  void expand(AsyncCopyOp op) {
    Expander expander(op);
    if (replay)
      expander.replace(expander.count() > maxReplayed,
                       [](Expander &e, Value index) { e.load(index); });
    else if (expander.count() > maxCopied)
      expander.replace(/*asLoop=*/true, [](Expander &e, Value index) { e.copy(index); });
  }
};
} // namespace
