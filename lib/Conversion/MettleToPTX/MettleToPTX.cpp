//===- MettleToPTX.cpp - the conversion pass -===//
//
// One full conversion of kernels and helpers in cf form. Every type has its registers, so nothing
// is ever cast between the two dialects, and what has no pattern is an error at its place.
//
//===----------------------------------------------------------------------===//

#include "Patterns.h"

#include "Mettle/Dialect/Mettle/IR/MettleDialect.h"
#include "Mettle/Dialect/PTX/IR/PTXDialect.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/Iterators.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Pass/Pass.h"

using namespace mlir;

namespace mettle {
#define GEN_PASS_DEF_CONVERTMETTLETOPTX
#include "Mettle/Conversion/Passes.h.inc"
} // namespace mettle

using namespace mettle;

/// The register of a scalar, or null.
static Type registerOf(Type type) {
  MLIRContext *context = type.getContext();
  if (isa<PtrType>(type) || type.isF64() || type.isIndex())
    return ptx::B64Type::get(context);
  if (type.isF32())
    return ptx::B32Type::get(context);
  if (type.isF16() || type.isBF16())
    return ptx::B16Type::get(context);
  switch (mettle::detail::integerWidth(type)) {
  case 1:
    return ptx::PredType::get(context);
  case 16:
    return ptx::B16Type::get(context);
  case 8:
  case 32:
    return ptx::B32Type::get(context);
  case 64:
    return ptx::B64Type::get(context);
  default:
    return {};
  }
}

/// Address arithmetic that went into an access, and constants that went into nothing, are left
/// without a use.
static void eraseDead(ModuleOp module) {
  module->walk<WalkOrder::PostOrder, ReverseIterator>([](Operation *op) {
    if (isOpTriviallyDead(op))
      op->erase();
  });
}

static TypeConverter makeConverter() {
  TypeConverter converter;
  converter.addConversion(
      [](Type type, SmallVectorImpl<Type> &registers) -> std::optional<LogicalResult> {
        auto vector = dyn_cast<VectorType>(type);
        if (vector && (vector.isScalable() || vector.getRank() != 1))
          return failure();
        Type one = registerOf(vector ? vector.getElementType() : type);
        if (!one)
          return failure();
        registers.append(vector ? vector.getNumElements() : 1, one);
        return success();
      });
  return converter;
}

namespace {
struct ConvertMettleToPTX : mettle::impl::ConvertMettleToPTXBase<ConvertMettleToPTX> {
  void runOnOperation() override {
    TypeConverter converter = makeConverter();
    RewritePatternSet patterns(&getContext());
#define METTLE_FAMILY(NAME) mettle::detail::populate##NAME##ToPTX(converter, patterns);
#include "MettleToPTXFamilies.inc"
    ConversionTarget target(getContext());
    target.addLegalDialect<ptx::PTXDialect>();
    target.addLegalOp<ModuleOp>();
    ConversionConfig config;
    // Every type has its registers, so nothing is left to materialize.
    config.buildMaterializations = false;
    // No pattern gives up half-way; without a way back, fewer tables are kept.
    config.allowPatternRollback = false;
    // What may be simplified has been: here each operation becomes what it says.
    config.foldingMode = DialectConversionFoldingMode::Never;
    if (failed(applyFullConversion(getOperation(), target, std::move(patterns), config)))
      return signalPassFailure();
    eraseDead(getOperation());
  }
};
} // namespace
