//===- BuildersTest.cpp - Typed builders of instructions ------------------===//
//
// What builders of each shape make: their modifiers, immediates and results.
//
//===----------------------------------------------------------------------===//

#include "mlir/IR/Builders.h"
#include "Mettle/Dialect/PTX/IR/FunctionOps.h"
#include "Mettle/Dialect/PTX/IR/InstOps.h"
#include "Mettle/Dialect/PTX/IR/PTXAddressInsts.h.inc"
#include "Mettle/Dialect/PTX/IR/PTXAsyncInsts.h.inc"
#include "Mettle/Dialect/PTX/IR/PTXAtomicInsts.h.inc"
#include "Mettle/Dialect/PTX/IR/PTXBarrierInsts.h.inc"
#include "Mettle/Dialect/PTX/IR/PTXCompareInsts.h.inc"
#include "Mettle/Dialect/PTX/IR/PTXConvertInsts.h.inc"
#include "Mettle/Dialect/PTX/IR/PTXFloatInsts.h.inc"
#include "Mettle/Dialect/PTX/IR/PTXIntegerInsts.h.inc"
#include "Mettle/Dialect/PTX/IR/PTXLogicInsts.h.inc"
#include "Mettle/Dialect/PTX/IR/PTXMathInsts.h.inc"
#include "Mettle/Dialect/PTX/IR/PTXMatrixInsts.h.inc"
#include "Mettle/Dialect/PTX/IR/PTXMemoryInsts.h.inc"
#include "Mettle/Dialect/PTX/IR/PTXMoveInsts.h.inc"
#include "Mettle/Dialect/PTX/IR/PTXSpecialInsts.h.inc"
#include "Mettle/Dialect/PTX/IR/PTXWarpInsts.h.inc"
#include "mlir/IR/MLIRContext.h"
#include "mlir/IR/OwningOpRef.h"
#include "mlir/IR/Verifier.h"
#include "gtest/gtest.h"

using namespace mlir;
using namespace mettle::ptx;

namespace {

/// An entry with one argument of each class that an entry takes.
class Builders : public ::testing::Test {
protected:
  Builders() : context(MLIRContext::Threading::DISABLED), loc(UnknownLoc::get(&context)) {
    context.loadDialect<PTXDialect>();
    OpBuilder builder(&context);
    module = ModuleOp::create(loc);
    builder.setInsertionPointToEnd(module->getBody());
    Type types[] = {B16Type::get(&context), B32Type::get(&context), B64Type::get(&context)};
    entry = EntryOp::create(builder, loc, "k", builder.getFunctionType(types, {}));
    Block *block = entry.addEntryBlock();
    b16 = block->getArgument(0);
    b32 = block->getArgument(1);
    b64 = block->getArgument(2);
  }

  OpBuilder atEnd() { return OpBuilder::atBlockEnd(&entry.getBody().front()); }

  /// The last instruction as IR spells it.
  std::string last() {
    std::string text;
    llvm::raw_string_ostream os(text);
    auto op = cast<InstOp>(entry.getBody().front().back());
    os << printMnemonic({op.getOpcode(), uint32_t(op.getModifiers())});
    for (int64_t immediate : op.getImmediateValues())
      os << ' ' << immediate;
    return text;
  }

  /// Whether the module verifies once it has an end.
  bool verifies() {
    OpBuilder builder = atEnd();
    RetOp::create(builder, loc, ValueRange());
    return succeeded(verify(*module));
  }

  MLIRContext context;
  Location loc;
  OwningOpRef<ModuleOp> module;
  EntryOp entry;
  Value b16, b32, b64;
};

TEST_F(Builders, RequiredModifiersStandInOrder) {
  OpBuilder builder = atEnd();
  Value sum = fmaF32(builder, loc, b32, b32, b32, Rounding::RN);
  EXPECT_EQ(last(), "fma.rn.f32");
  EXPECT_TRUE(isa<B32Type>(sum.getType()));
  fmaF32(builder, loc, b32, b32, b32, Rounding::RP, /*ftz=*/true, /*sat=*/true);
  EXPECT_EQ(last(), "fma.rp.ftz.sat.f32");
  Value less = setpF64(builder, loc, b64, b64, FloatCompare::LTU);
  EXPECT_EQ(last(), "setp.ltu.f64");
  EXPECT_TRUE(isa<PredType>(less.getType()));
  atomGlobalAddF32(builder, loc, b64, 4, b32, AtomicOrder::RELAXED, Scope::GPU);
  EXPECT_EQ(last(), "atom.relaxed.gpu.global.add.f32 4");
  EXPECT_TRUE(verifies());
}

TEST_F(Builders, OptionalModifiersMayStayAway) {
  OpBuilder builder = atEnd();
  ldGlobalB32(builder, loc, b64, -8);
  EXPECT_EQ(last(), "ld.global.b32 -8");
  ldGlobalB32(builder, loc, b64, 0, LoadCache::CS);
  EXPECT_EQ(last(), "ld.global.cs.b32 0");
  cvtU8F32(builder, loc, b32, IntegerRounding::RZI, /*ftz=*/false, /*sat=*/true);
  EXPECT_EQ(last(), "cvt.rzi.sat.u8.f32");
  EXPECT_TRUE(verifies());
}

TEST_F(Builders, ListsAreFlattened) {
  OpBuilder builder = atEnd();
  ResultRange loaded = ldGlobalV4B32(builder, loc, b64, 16);
  ASSERT_EQ(loaded.size(), 4u);
  stSharedV4B32(builder, loc, b64, 0, loaded);
  EXPECT_EQ(last(), "st.shared.v4.b32 0");
  EXPECT_EQ(entry.getBody().front().back().getNumOperands(), 5u);
  Value packed = packV2B64(builder, loc, ValueRange{b32, b32});
  EXPECT_TRUE(isa<B64Type>(packed.getType()));
  EXPECT_EQ(unpackV4B64(builder, loc, packed).size(), 4u);
  SmallVector<Value> four(4, b32);
  EXPECT_EQ(mmaM16N8K16F32F16(builder, loc, four, ValueRange(four).take_front(2), four).size(), 4u);
  EXPECT_TRUE(verifies());
}

TEST_F(Builders, NothingComesOfStoresAndBarriers) {
  OpBuilder builder = atEnd();
  stGlobalB16(builder, loc, b64, 2, b16, StoreCache::WT);
  EXPECT_EQ(last(), "st.global.wt.b16 2");
  barSync(builder, loc, 3);
  EXPECT_EQ(last(), "bar.sync 3");
  cpAsyncWaitGroup(builder, loc, 2);
  EXPECT_EQ(last(), "cp.async.wait_group 2");
  EXPECT_TRUE(verifies());
}

TEST_F(Builders, RegistersOfAnotherClassAreFoundByTheVerifier) {
  ScopedDiagnosticHandler silent(&context, [](Diagnostic &) { return success(); });
  OpBuilder builder = atEnd();
  addS32(builder, loc, b32, b64);
  EXPECT_FALSE(verifies());
}

} // namespace
