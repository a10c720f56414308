//===- CompileToSPIRV.cpp - from kernels to a SPIR-V binary ---------------===//
//
// The neutral passes, the conversion, the encoder.
//
//===----------------------------------------------------------------------===//

#include "Mettle/Pipelines/CompileToSPIRV.h"

#include "Mettle/Conversion/FlattenSCF/FlattenSCF.h"
#include "Mettle/Conversion/MettleToSPIRV/MettleToSPIRV.h"
#include "Mettle/Dialect/Mettle/Transforms/Passes.h"
#include "Mettle/Dialect/SPIRVX/IR/SPIRVXModuleOps.h"
#include "Mettle/Pipelines/Pipelines.h"
#include "Mettle/Target/SPIRV/TranslateToSPIRV.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Transforms/Passes.h"

using namespace mlir;
using namespace mettle;

void mettle::buildSPIRVPipeline(OpPassManager &manager, const SPIRVCompileOptions &options) {
  manager.addPass(createLowerChecks());
  InferAddressSpacesOptions spaces;
  spaces.refuseMixedAtomics = true;
  manager.addPass(createInferAddressSpaces(spaces));
  ExpandAsyncCopiesOptions copies;
  // OpenCL has copies of a whole workgroup, whose events are no groups of a work-item.
  copies.replay = true;
  manager.addPass(createExpandAsyncCopies(copies));
  ExpandSubgroupOptions subgroup;
  // SPIR-V 1.0 has no shuffle to build a fold from, but folds of integers.
  subgroup.keepIntegerFolds = options.version == SPIRVVersion::V1_0;
  manager.addPass(createExpandSubgroup(subgroup));
  manager.addPass(createFlattenSCF());
  if (options.optimize) {
    manager.addPass(createCanonicalizerPass());
    manager.addPass(createCSEPass());
  }
  ConvertMettleToSPIRVOptions conversion;
  conversion.version =
      options.version == SPIRVVersion::V1_0 ? spirv::Version::V_1_0 : spirv::Version::V_1_4;
  manager.addPass(createConvertMettleToSPIRV(conversion));
}

LogicalResult mettle::convertToSPIRV(mlir::ModuleOp module, const SPIRVCompileOptions &options) {
  if (!module.getOps<spirvx::ModuleOp>().empty())
    return success();
  PassManager manager(module.getContext());
  buildNeutralPipeline(manager, options.optimize);
  buildSPIRVPipeline(manager, options);
  return manager.run(module);
}

LogicalResult mettle::compileToSPIRV(mlir::ModuleOp module, const SPIRVCompileOptions &options,
                                     SmallVectorImpl<uint32_t> &words) {
  if (failed(convertToSPIRV(module, options)))
    return failure();
  SPIRVOptions encoding;
  encoding.debugInfo = options.debugInfo;
  return translateToSPIRV(module, words, encoding);
}
