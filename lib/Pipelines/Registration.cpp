//===- Registration.cpp - the dialects and passes that the tools share -===//
//
// The one place that lists what the tools load.
//
//===----------------------------------------------------------------------===//

#include "Mettle/Pipelines/Registration.h"

#include "Mettle/Conversion/FlattenSCF/FlattenSCF.h"
#include "Mettle/Conversion/MettleToPTX/MettleToPTX.h"
#include "Mettle/Conversion/MettleToSPIRV/MettleToSPIRV.h"
#include "Mettle/Dialect/Mettle/IR/MettleDialect.h"
#include "Mettle/Dialect/Mettle/Transforms/Passes.h"
#include "Mettle/Dialect/PTX/IR/PTXDialect.h"
#include "Mettle/Dialect/SPIRVX/IR/SPIRVXDialect.h"
#include "mlir/Conversion/SCFToControlFlow/SCFToControlFlow.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Transforms/Passes.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlow.h"
#include "mlir/Dialect/Func/Extensions/InlinerExtension.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/SPIRV/IR/SPIRVDialect.h"
#include "mlir/Dialect/UB/IR/UBOps.h"
#include "mlir/IR/DialectRegistry.h"
#include "mlir/Pass/Pass.h"
#include "mlir/Pass/PassRegistry.h"
#include "mlir/Transforms/Passes.h"

using namespace mlir;

namespace mettle {
#define GEN_PASS_REGISTRATION
#include "Mettle/Conversion/Passes.h.inc"
} // namespace mettle

void mettle::registerDialects(DialectRegistry &registry) {
  registry.insert<arith::ArithDialect, cf::ControlFlowDialect, func::FuncDialect, math::MathDialect,
                  scf::SCFDialect, spirv::SPIRVDialect, ub::UBDialect, MettleDialect,
                  ptx::PTXDialect, spirvx::SPIRVXDialect>();
  func::registerInlinerExtension(registry);
}

void mettle::registerPasses() {
  mlir::registerTransformsPasses();
  mlir::registerPass([] { return mlir::createSCFToControlFlowPass(); });
  mlir::registerPass([] { return arith::createIntRangeOptimizationsPass(); });
  registerMettleConversionPasses();
  registerMettleTransformsPasses();
}
