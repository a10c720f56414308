//===- Pipelines.cpp - the roads from source to a target -===//
//
// Lists the passes of each road.
//
//===----------------------------------------------------------------------===//

#include "Mettle/Pipelines/Pipelines.h"

#include "Mettle/Conversion/FlattenSCF/FlattenSCF.h"
#include "Mettle/Conversion/MettleToPTX/MettleToPTX.h"
#include "Mettle/Dialect/Mettle/Transforms/Passes.h"
#include "Mettle/Dialect/PTX/IR/InstInfo.h"
#include "Mettle/Target/PTX/TargetSpec.h"
#include "mlir/Dialect/Arith/Transforms/Passes.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Transforms/Passes.h"

using namespace mlir;
using namespace mettle;

void mettle::buildNeutralPipeline(OpPassManager &manager, bool optimize, bool explain) {
  manager.addPass(createVerifyCallGraph());
  manager.addPass(createVerifyAsyncCopies());
  manager.addPass(createVerifyUniformity());
  manager.addPass(createExpandMath());
  manager.addPass(createVerifyStrictFloat());
  manager.addPass(createWarnSubgroupSize());
  manager.addPass(createInferAddressSpaces());
  if (!optimize)
    return;
  manager.addPass(createInlinerPass());
  manager.addPass(createCanonicalizerPass());
  manager.addPass(createSCCPPass());
  manager.addPass(arith::createIntRangeOptimizationsPass());
  manager.addPass(createCanonicalizerPass());
  manager.addPass(createCSEPass());
  manager.addPass(createLoopInvariantCodeMotionPass());
  StageAsyncCopiesOptions staging;
  staging.remarks = explain;
  manager.addPass(createStageAsyncCopies(staging));
  manager.addPass(createForwardLoads());
  manager.addPass(createCanonicalizerPass());
  UnrollLoopsOptions unrolling;
  unrolling.remarks = explain;
  manager.addPass(createUnrollLoops(unrolling));
  manager.addPass(createCanonicalizerPass());
  manager.addPass(createCSEPass());
}

/// Whether the target may have what cp.async needs; what options leave open is chosen to have it.
static bool hasAsyncCopies(const ptx::TargetSpec &target) {
  const ptx::InstInfo &info = ptx::instInfo(ptx::Opcode::CpAsyncCommitGroup);
  if (target.architecture && target.architecture->sm < info.minSM)
    return false;
  return !target.version || !(*target.version < ptx::Version{info.isaMajor, info.isaMinor});
}

void mettle::buildPTXPipeline(OpPassManager &manager, const ptx::TargetSpec &target,
                              bool optimize) {
  manager.addPass(createLowerChecks());
  ExpandAsyncCopiesOptions copies;
  copies.replay = !hasAsyncCopies(target);
  manager.addPass(createExpandAsyncCopies(copies));
  // A warp, on every GPU that PTX is for.
  ExpandSubgroupOptions subgroup;
  subgroup.size = 32;
  manager.addPass(createExpandSubgroup(subgroup));
  manager.addPass(createFlattenSCF());
  if (optimize) {
    manager.addPass(createCanonicalizerPass());
    manager.addPass(createCSEPass());
  }
  manager.addPass(createConvertMettleToPTX());
}
