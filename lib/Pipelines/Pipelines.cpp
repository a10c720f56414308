//===- Pipelines.cpp - the roads from source to a target -===//
//
// Lists the passes of each road.
//
//===----------------------------------------------------------------------===//

#include "Mettle/Pipelines/Pipelines.h"

#include "Mettle/Conversion/FlattenSCF/FlattenSCF.h"
#include "Mettle/Conversion/MettleToPTX/MettleToPTX.h"
#include "Mettle/Dialect/Mettle/Transforms/Passes.h"
#include "mlir/Dialect/Arith/Transforms/Passes.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Transforms/Passes.h"

using namespace mlir;

void mettle::buildNeutralPipeline(OpPassManager &manager, bool optimize) {
  manager.addPass(createExpandMath());
  manager.addPass(createVerifyStrictFloat());
  if (!optimize)
    return;
  manager.addPass(createInlinerPass());
  manager.addPass(createCanonicalizerPass());
  manager.addPass(createSCCPPass());
  manager.addPass(arith::createIntRangeOptimizationsPass());
  manager.addPass(createCanonicalizerPass());
  manager.addPass(createCSEPass());
  manager.addPass(createLoopInvariantCodeMotionPass());
}

void mettle::buildPTXPipeline(OpPassManager &manager, bool optimize) {
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
