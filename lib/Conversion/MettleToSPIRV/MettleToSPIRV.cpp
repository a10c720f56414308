//===- MettleToSPIRV.cpp - the conversion to SPIR-V -----------------------===//
//
// What is the host's is dropped, then one full conversion runs over every family's patterns.
//
//===----------------------------------------------------------------------===//

#include "Mettle/Conversion/MettleToSPIRV/MettleToSPIRV.h"

#include "Mettle/Dialect/SPIRVX/IR/SPIRVXDialect.h"
#include "Patterns.h"
#include "Prepare.h"
#include "mlir/Dialect/SPIRV/IR/SPIRVDialect.h"
#include "mlir/Pass/Pass.h"

using namespace mlir;
using namespace mettle;
using namespace mettle::tospirv;

namespace mettle {
#define GEN_PASS_DEF_CONVERTMETTLETOSPIRV
#include "Mettle/Conversion/Passes.h.inc"
} // namespace mettle

static LogicalResult convertOperations(ModuleOp module, spirv::Version version) {
  SPIRVTypeConverter types(version);
  RewritePatternSet patterns(module.getContext());
#define METTLE_FAMILY(NAME) populate##NAME##Patterns(types, patterns);
#include "SPIRVFamilies.inc"
  ConversionTarget target(*module.getContext());
  target.addLegalDialect<spirv::SPIRVDialect, spirvx::SPIRVXDialect>();
  target.addLegalOp<ModuleOp>();
  ConversionConfig config;
  // Each pattern is total in its types, so nothing is left to materialize.
  config.buildMaterializations = false;
  config.allowPatternRollback = false;
  // What may be simplified has been: here each operation becomes what it says.
  config.foldingMode = DialectConversionFoldingMode::Never;
  return applyFullConversion(module, target, std::move(patterns), config);
}

namespace {
struct ConvertMettleToSPIRV : mettle::impl::ConvertMettleToSPIRVBase<ConvertMettleToSPIRV> {
  using ConvertMettleToSPIRVBase::ConvertMettleToSPIRVBase;

  void runOnOperation() override {
    ModuleOp module = getOperation();
    if (failed(keepWhatKernelsReach(module)) || failed(verifyNarrowFloats(module, version)) ||
        failed(resolveAtomicSpaces(module)))
      return signalPassFailure();
    addHiddenArguments(module);
    if (failed(convertOperations(module, version)))
      return signalPassFailure();
    wrapModule(module, version);
  }
};
} // namespace
