//===- ConvergenceTests.cpp - what upstream does with convergent operations -===//
//
// The dialect rests on upstream passes respecting the Convergence resource. Each way a collective
// or a barrier could declare its effects is an operation of a test dialect here, and each row of
// the table below states what CSE, LICM, control-flow sinking and dead-code elimination do with it
// in the LLVM that is linked: an LLVM that behaves otherwise fails this test before it miscompiles.
//
//===----------------------------------------------------------------------===//

#include "Mettle/Dialect/Mettle/IR/MettleDialect.h"
#include "Mettle/Pipelines/Registration.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Transforms/Passes.h"
#include "gtest/gtest.h"

using namespace mlir;

namespace {

/// An operation of the test dialect. `Effects` supplies its name and its effects; a shuffle maps
/// an f32 to an f32, a barrier has neither operand nor result.
template <typename Derived, template <typename> class... Traits>
struct TestOp
    : Op<Derived, OpTrait::ZeroRegions, OpTrait::ZeroSuccessors, OpTrait::VariadicOperands,
         OpTrait::VariadicResults, MemoryEffectOpInterface::Trait, Traits...> {
  using Op<Derived, OpTrait::ZeroRegions, OpTrait::ZeroSuccessors, OpTrait::VariadicOperands,
           OpTrait::VariadicResults, MemoryEffectOpInterface::Trait, Traits...>::Op;

  static ArrayRef<StringRef> getAttributeNames() { return {}; }
};

using EffectList = SmallVectorImpl<MemoryEffects::EffectInstance>;

struct PureShuffle
    : TestOp<PureShuffle, ConditionallySpeculatable::Trait, OpTrait::AlwaysSpeculatableImplTrait> {
  using TestOp::TestOp;
  static StringRef getOperationName() { return "pin.pure"; }
  void getEffects(EffectList &) {}
};

struct EffectFreeShuffle : TestOp<EffectFreeShuffle> {
  using TestOp::TestOp;
  static StringRef getOperationName() { return "pin.no_effect"; }
  void getEffects(EffectList &) {}
};

struct ReadingShuffle : TestOp<ReadingShuffle> {
  using TestOp::TestOp;
  static StringRef getOperationName() { return "pin.read"; }
  void getEffects(EffectList &effects) {
    effects.emplace_back(MemoryEffects::Read::get(), mettle::Convergence::get());
  }
};

struct ReadingWritingShuffle : TestOp<ReadingWritingShuffle> {
  using TestOp::TestOp;
  static StringRef getOperationName() { return "pin.read_write"; }
  void getEffects(EffectList &effects) {
    effects.emplace_back(MemoryEffects::Read::get(), mettle::Convergence::get());
    effects.emplace_back(MemoryEffects::Write::get(), mettle::Convergence::get());
  }
};

struct EffectFreeBarrier : TestOp<EffectFreeBarrier> {
  using TestOp::TestOp;
  static StringRef getOperationName() { return "pin.barrier_no_effect"; }
  void getEffects(EffectList &) {}
};

class PinDialect : public Dialect {
public:
  static StringRef getDialectNamespace() { return "pin"; }
  explicit PinDialect(MLIRContext *context)
      : Dialect(getDialectNamespace(), context, TypeID::get<PinDialect>()) {
    addOperations<PureShuffle, EffectFreeShuffle, ReadingShuffle, ReadingWritingShuffle,
                  EffectFreeBarrier>();
  }
};

/// Replaces every OP in `pattern` by `name` in quotes.
std::string instantiate(StringRef pattern, StringRef name) {
  std::string text = pattern.str();
  for (size_t at = 0; (at = text.find("OP", at)) != std::string::npos; at += name.size() + 2)
    text.replace(at, 2, ("\"" + name + "\"").str());
  return text;
}

class ConvergenceTest : public ::testing::Test {
protected:
  ConvergenceTest() : context(makeRegistry()) { context.loadAllAvailableDialects(); }

  static DialectRegistry makeRegistry() {
    DialectRegistry registry;
    mettle::registerDialects(registry);
    registry.insert<PinDialect>();
    return registry;
  }

  OwningOpRef<ModuleOp> parse(StringRef pattern, StringRef name) {
    OwningOpRef<ModuleOp> module =
        parseSourceString<ModuleOp>(instantiate(pattern, name), ParserConfig(&context));
    EXPECT_TRUE(module);
    return module;
  }

  OwningOpRef<ModuleOp> run(StringRef pattern, StringRef name, std::unique_ptr<Pass> pass) {
    OwningOpRef<ModuleOp> module = parse(pattern, name);
    PassManager manager(&context);
    manager.addPass(std::move(pass));
    EXPECT_TRUE(succeeded(manager.run(*module)));
    return module;
  }

  static unsigned count(ModuleOp module, StringRef name) {
    unsigned found = 0;
    module.walk([&](Operation *op) { found += op->getName().getStringRef() == name; });
    return found;
  }

  /// Whether the only operation called `name` stands in a region of an operation called `parent`.
  static bool isInside(ModuleOp module, StringRef name, StringRef parent) {
    bool inside = false;
    module.walk([&](Operation *op) {
      if (op->getName().getStringRef() == name)
        inside = op->getParentOp()->getName().getStringRef() == parent;
    });
    return inside;
  }

  MLIRContext context;
};

constexpr StringRef otherBlock = R"(
  func.func @f(%v: f32, %c: i1) -> (f32, f32) {
    %a = OP(%v) : (f32) -> f32
    %b = scf.if %c -> f32 {
      %x = OP(%v) : (f32) -> f32
      scf.yield %x : f32
    } else {
      scf.yield %v : f32
    }
    return %a, %b : f32, f32
  })";

constexpr StringRef sameBlock = R"(
  func.func @f(%v: f32) -> (f32, f32) {
    %a = OP(%v) : (f32) -> f32
    %b = OP(%v) : (f32) -> f32
    return %a, %b : f32, f32
  })";

constexpr StringRef invariant = R"(
  func.func @f(%v: f32, %n: i32) -> f32 {
    %zero = arith.constant 0 : i32
    %one = arith.constant 1 : i32
    %r = scf.for %i = %zero to %n step %one iter_args(%s = %v) -> f32 : i32 {
      %a = OP(%v) : (f32) -> f32
      %t = arith.addf %s, %a : f32
      scf.yield %t : f32
    }
    return %r : f32
  })";

constexpr StringRef sinkable = R"(
  func.func @f(%v: f32, %c: i1) -> f32 {
    %a = OP(%v) : (f32) -> f32
    %b = scf.if %c -> f32 {
      %t = arith.negf %a : f32
      scf.yield %t : f32
    } else {
      scf.yield %v : f32
    }
    return %b : f32
  })";

constexpr StringRef dead = R"(
  func.func @f(%v: f32) {
    %a = OP(%v) : (f32) -> f32
    return
  })";

struct ShuffleRow {
  StringRef name;
  bool mergedAcrossBlocks, mergedInBlock, hoisted, sunk, erasedWhenDead;
};

// The row that `mettle` collectives use is pin.read: nothing wrong happens to it, and it dies when
// dead. pin.pure and pin.no_effect are what must not be used.
constexpr ShuffleRow shuffleRows[] = {
    {"pin.pure", true, true, true, true, true},
    {"pin.no_effect", true, true, false, true, true},
    {"pin.read", false, true, false, false, true},
    {"pin.read_write", false, false, false, false, false},
};

TEST_F(ConvergenceTest, Shuffles) {
  for (const ShuffleRow &row : shuffleRows) {
    SCOPED_TRACE(row.name.str());
    EXPECT_EQ(count(*run(otherBlock, row.name, createCSEPass()), row.name) == 1,
              row.mergedAcrossBlocks);
    EXPECT_EQ(count(*run(sameBlock, row.name, createCSEPass()), row.name) == 1, row.mergedInBlock);
    EXPECT_EQ(!isInside(*run(invariant, row.name, createLoopInvariantCodeMotionPass()), row.name,
                        "scf.for"),
              row.hoisted);
    EXPECT_EQ(isInside(*run(sinkable, row.name, createControlFlowSinkPass()), row.name, "scf.if"),
              row.sunk);
    EXPECT_EQ(count(*run(dead, row.name, createCanonicalizerPass()), row.name) == 0,
              row.erasedWhenDead);
  }
}

constexpr StringRef aroundBarrier = R"(
  func.func @f(%p: !mettle.ptr<f32, global>) -> (f32, f32) {
    %a = mettle.load %p : !mettle.ptr<f32, global> -> f32
    OP() : () -> ()
    %b = mettle.load %p : !mettle.ptr<f32, global> -> f32
    return %a, %b : f32, f32
  })";

TEST_F(ConvergenceTest, EffectFreeBarrierIsDeleted) {
  OwningOpRef<ModuleOp> module = run(aroundBarrier, "pin.barrier_no_effect", createCSEPass());
  EXPECT_EQ(count(*module, "pin.barrier_no_effect"), 0u);
  EXPECT_EQ(count(*module, "mettle.load"), 1u);
}

constexpr StringRef barrierKernel = R"(
  mettle.kernel @k(%p: !mettle.ptr<f32, global>, %q: !mettle.ptr<f32, global>, %n: i32) {
    %zero = arith.constant 0 : i32
    %one = arith.constant 1 : i32
    %a = mettle.load %p : !mettle.ptr<f32, global> -> f32
    scf.for %i = %zero to %n step %one : i32 {
      mettle.barrier workgroup, acq_rel
    }
    %b = mettle.load %p : !mettle.ptr<f32, global> -> f32
    %c = arith.addf %a, %b : f32
    mettle.store %c, %q : f32, !mettle.ptr<f32, global>
    mettle.return
  })";

TEST_F(ConvergenceTest, MettleBarrierStays) {
  PassManager manager(&context);
  manager.addPass(createCanonicalizerPass());
  manager.addPass(createCSEPass());
  manager.addPass(createLoopInvariantCodeMotionPass());
  manager.addPass(createControlFlowSinkPass());
  manager.addPass(createCanonicalizerPass());
  OwningOpRef<ModuleOp> module = parse(barrierKernel, "");
  ASSERT_TRUE(succeeded(manager.run(*module)));
  EXPECT_EQ(count(*module, "mettle.barrier"), 1u);
  EXPECT_TRUE(isInside(*module, "mettle.barrier", "scf.for"));
  EXPECT_EQ(count(*module, "mettle.load"), 2u);
}

// `aggressive` region simplification merges identical blocks whatever their effects; `normal`, the
// default, does not. Pipelines must therefore never ask for `aggressive`.
constexpr StringRef divergentArms = R"(
  func.func @f(%v: f32, %c: i1) -> f32 {
    cf.cond_br %c, ^a, ^b
  ^a:
    %x = OP(%v) : (f32) -> f32
    cf.br ^join(%x : f32)
  ^b:
    %y = OP(%v) : (f32) -> f32
    cf.br ^join(%y : f32)
  ^join(%r: f32):
    return %r : f32
  })";

TEST_F(ConvergenceTest, OnlyAggressiveSimplificationMergesArms) {
  auto simplify = [&](GreedySimplifyRegionLevel level) {
    GreedyRewriteConfig config;
    config.setRegionSimplificationLevel(level);
    return count(*run(divergentArms, "pin.read", createCanonicalizerPass(config)), "pin.read");
  };
  EXPECT_EQ(simplify(GreedySimplifyRegionLevel::Normal), 2u);
  EXPECT_EQ(simplify(GreedySimplifyRegionLevel::Aggressive), 1u);
}

} // namespace
