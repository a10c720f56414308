//===- LowerChecks.cpp - assertions and prints as accesses of a buffer -===//
//
// The buffer is one more argument of every kernel that needs it and of every helper on the way. A
// failed assertion takes the first words of it if nobody has; a print asks for room by an atomic
// sum and fills it. Neither changes what a kernel computes, or who meets whom.
//
//===----------------------------------------------------------------------===//

#include "Mettle/Dialect/Mettle/Transforms/Passes.h"

#include "Mettle/Dialect/Mettle/IR/AtomicOps.h"
#include "Mettle/Dialect/Mettle/IR/CheckOps.h"
#include "Mettle/Dialect/Mettle/IR/IndexOps.h"
#include "Mettle/Dialect/Mettle/IR/KernelOps.h"
#include "Mettle/Dialect/Mettle/IR/MemoryOps.h"
#include "Mettle/Dialect/Mettle/Transforms/CheckSites.h"
#include "Mettle/Support/CheckBuffer.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "mlir/IR/SymbolTable.h"

using namespace mlir;

namespace mettle {
#define GEN_PASS_DEF_LOWERCHECKS
#include "Mettle/Dialect/Mettle/Transforms/Passes.h.inc"
} // namespace mettle

using namespace mettle;

namespace {
/// Makes the accesses that stand for one operation.
class Accesses {
public:
  Accesses(Operation *op, Value buffer, unsigned site)
      : builder(op->getLoc(), op), buffer(buffer), site(site) {}

  void lower(AssertOp op);
  LogicalResult lower(PrintOp op);

private:
  Value number(uint32_t value) {
    return arith::ConstantOp::create(builder, builder.getI32IntegerAttr(value));
  }
  Value at(Value word) {
    Value wide = arith::ExtUIOp::create(builder, builder.getI64Type(), word);
    return OffsetOp::create(builder, buffer.getType(), buffer, wide);
  }
  Value at(uint32_t word) {
    Value wide = arith::ConstantOp::create(builder, builder.getI64IntegerAttr(word));
    return OffsetOp::create(builder, buffer.getType(), buffer, wide);
  }
  Value update(AtomicKind kind, uint32_t word, Value value) {
    return AtomicRMWOp::create(builder, builder.getI32Type(), kind, MemoryOrder::Relaxed,
                               MemoryScope::Device, at(word), value, /*unordered=*/false);
  }
  Value add(uint32_t word, Value value) { return update(AtomicKind::Add, word, value); }
  /// Stores who this is from a word on: work-item and workgroup.
  void storeItem(function_ref<Value(uint32_t)> place);
  SmallVector<Value> words(ValueRange values);
  void under(Value condition, function_ref<void()> body) {
    auto choice = scf::IfOp::create(builder, condition, /*withElseRegion=*/false);
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPoint(choice.thenYield());
    body();
  }

  ImplicitLocOpBuilder builder;
  Value buffer;
  unsigned site;
};
} // namespace

void Accesses::storeItem(function_ref<Value(uint32_t)> place) {
  uint32_t word = 0;
  for (Dimension axis : {Dimension::X, Dimension::Y, Dimension::Z})
    StoreOp::create(builder, ThreadIdOp::create(builder, builder.getI32Type(), axis),
                    place(word++));
  for (Dimension axis : {Dimension::X, Dimension::Y, Dimension::Z})
    StoreOp::create(builder, BlockIdOp::create(builder, builder.getI32Type(), axis), place(word++));
}

void Accesses::lower(AssertOp op) {
  Value yes = arith::ConstantOp::create(builder, builder.getBoolAttr(true));
  Value fails = arith::XOrIOp::create(builder, op.getCondition(), yes);
  under(fails, [&] {
    Value zero = number(0);
    Value old = AtomicCmpXchgOp::create(builder, builder.getI32Type(), MemoryOrder::Relaxed,
                                        MemoryOrder::Relaxed, MemoryScope::Device,
                                        at(checks::Failed), zero, number(1));
    Value first = arith::CmpIOp::create(builder, arith::CmpIPredicate::eq, old, zero);
    under(first, [&] {
      StoreOp::create(builder, number(site), at(checks::FailedSite));
      auto place = op.getLoc()->findInstanceOf<FileLineColLoc>();
      StoreOp::create(builder, number(place ? place.getLine() : 0), at(checks::FailedLine));
      storeItem([&](uint32_t word) { return at(checks::FailedWorkItem + word); });
    });
  });
  op.erase();
}

/// Each value as words of 32 bits, the low ones first.
SmallVector<Value> Accesses::words(ValueRange values) {
  SmallVector<Value> made;
  Type word = builder.getI32Type(), wide = builder.getI64Type();
  for (Value value : values) {
    unsigned width = value.getType().getIntOrFloatBitWidth();
    if (isa<FloatType>(value.getType()))
      value = arith::BitcastOp::create(builder, builder.getIntegerType(width), value);
    if (width < 32) {
      made.push_back(arith::ExtUIOp::create(builder, word, value));
    } else if (width == 32) {
      made.push_back(value);
    } else {
      Value shift = arith::ConstantOp::create(builder, builder.getI64IntegerAttr(32));
      Value high = arith::ShRUIOp::create(builder, wide, value, shift);
      made.push_back(arith::TruncIOp::create(builder, word, value));
      made.push_back(arith::TruncIOp::create(builder, word, high));
    }
  }
  return made;
}

LogicalResult Accesses::lower(PrintOp op) {
  SmallVector<Value> values = words(op.getValues());
  uint32_t length = checks::recordHead + values.size();
  // lower_checks-c1
  if (length > checks::longestRecord)
    return op.emitError() << "expected values of at most "
                          << checks::longestRecord - checks::recordHead
                          << " words of 32 bits in one print, got " << values.size();
  Type word = builder.getI32Type();
  // The last place where such a record may begin.
  Value capacity = LoadOp::create(builder, at(checks::Capacity));
  Value last = arith::SubIOp::create(builder, capacity, number(length));
  // Nobody asks who sees that there is no room: the sum does not wrap, however long the launch.
  // An update that changes nothing: that others read and update a word together is no race.
  Value asked = update(AtomicKind::Or, checks::Asked, number(0));
  Value room = arith::CmpIOp::create(builder, arith::CmpIPredicate::ule, asked, last);
  auto attempt = scf::IfOp::create(builder, word, room, /*withElseRegion=*/true);
  {
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(attempt.thenBlock());
    Value given = add(checks::Asked, number(length));
    scf::YieldOp::create(builder, given);
    builder.setInsertionPointToStart(attempt.elseBlock());
    scf::YieldOp::create(builder, capacity);
  }
  Value begin = attempt.getResult(0);
  Value fits = arith::CmpIOp::create(builder, arith::CmpIPredicate::ule, begin, last);
  auto choice = scf::IfOp::create(builder, fits, /*withElseRegion=*/true);
  builder.setInsertionPointToStart(choice.thenBlock());
  Value first = at(arith::AddIOp::create(builder, begin, number(checks::Records)));
  auto place = [&](uint32_t index) -> Value {
    Value count = arith::ConstantOp::create(builder, builder.getI64IntegerAttr(index));
    return OffsetOp::create(builder, first.getType(), first, count);
  };
  StoreOp::create(builder, number(site), place(0));
  storeItem([&](uint32_t index) { return place(1 + index); });
  for (auto [index, value] : llvm::enumerate(values))
    StoreOp::create(builder, value, place(checks::recordHead + index));
  builder.setInsertionPointToStart(choice.elseBlock());
  add(checks::Lost, number(1));
  op.erase();
  return success();
}

//===----------------------------------------------------------------------===//
// The way of the buffer
//===----------------------------------------------------------------------===//

namespace {
struct LowerChecks : mettle::impl::LowerChecksBase<LowerChecks> {
  using LowerChecksBase::LowerChecksBase;

  void runOnOperation() override {
    llvm::DenseMap<Operation *, unsigned> numbers;
    if (collectCheckSites(getOperation(), &numbers).empty())
      return;
    llvm::SetVector<FunctionOpInterface> reached = functionsWithChecks(getOperation());
    for (FunctionOpInterface function : reached)
      takeBuffer(function);
    SymbolTable symbols(getOperation());
    for (FunctionOpInterface function : reached)
      if (failed(lowerBody(function, numbers, symbols)))
        return signalPassFailure();
  }

private:
  static Type bufferType(MLIRContext *context) {
    return PtrType::get(IntegerType::get(context, 32), AddressSpace::Global);
  }

  void takeBuffer(FunctionOpInterface function) {
    Location loc = NameLoc::get(StringAttr::get(&getContext(), "checks"), function.getLoc());
    // Only an external function has no place for an argument, and none holds a check.
    LogicalResult inserted =
        function.insertArgument(function.getNumArguments(), bufferType(&getContext()), {}, loc);
    assert(succeeded(inserted));
    (void)inserted;
  }

  LogicalResult lowerBody(FunctionOpInterface function,
                          const llvm::DenseMap<Operation *, unsigned> &numbers,
                          const SymbolTable &symbols) {
    Value buffer = function.getArguments().back();
    SmallVector<Operation *> found;
    function.walk([&](Operation *op) {
      if (numbers.contains(op) || isa<func::CallOp>(op))
        found.push_back(op);
    });
    for (Operation *op : found) {
      if (auto call = dyn_cast<func::CallOp>(op)) {
        auto callee = symbols.lookup<FunctionOpInterface>(call.getCallee());
        if (callee.getNumArguments() != call.getNumOperands())
          call->insertOperands(call.getNumOperands(), buffer);
      } else if (auto check = dyn_cast<AssertOp>(op)) {
        Accesses(op, buffer, numbers.lookup(op)).lower(check);
      } else if (failed(Accesses(op, buffer, numbers.lookup(op)).lower(cast<PrintOp>(op)))) {
        return failure();
      }
    }
    return success();
  }
};
} // namespace
