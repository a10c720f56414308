//===- TranslateToSPIRV.cpp - entries of the SPIR-V encoder ---------------===//
//
// Finds the module to encode, and hands it to our encoder or, as a copy, to upstream's.
//
//===----------------------------------------------------------------------===//

#include "Mettle/Target/SPIRV/TranslateToSPIRV.h"

#include "Mettle/Dialect/SPIRVX/IR/SPIRVXDialect.h"
#include "Mettle/Dialect/SPIRVX/IR/SPIRVXModuleOps.h"
#include "Mettle/Target/SPIRV/Requirements.h"
#include "ModuleEncoder.h"
#include "mlir/Dialect/SPIRV/IR/SPIRVAttributes.h"
#include "mlir/Dialect/SPIRV/IR/SPIRVOps.h"
#include "mlir/IR/Builders.h"

using namespace mlir;
using namespace mettle;

FailureOr<spirvx::ModuleOp> mettle::findSPIRVModule(Operation *op) {
  if (auto module = dyn_cast<spirvx::ModuleOp>(op))
    return module;
  SmallVector<spirvx::ModuleOp> found;
  for (Region &region : op->getRegions())
    for (auto module : region.getOps<spirvx::ModuleOp>())
      found.push_back(module);
  if (found.size() == 1)
    return found.front();
  return op->emitError() << "expected one 'spirvx.module', got " << found.size();
}

LogicalResult mettle::translateToSPIRV(Operation *op, SmallVectorImpl<uint32_t> &words,
                                       const SPIRVOptions &options) {
  FailureOr<spirvx::ModuleOp> module = findSPIRVModule(op);
  if (failed(module))
    return failure();
  return spirvx::ModuleEncoder(options).encode(*module, words);
}

FailureOr<OwningOpRef<spirv::ModuleOp>> mettle::buildUpstreamModule(spirvx::ModuleOp module) {
  FailureOr<SPIRVRequirements> needs = deriveRequirements(module);
  if (failed(needs))
    return failure();
  OpBuilder builder(module.getContext());
  OwningOpRef<spirv::ModuleOp> copy = spirv::ModuleOp::create(
      builder, module.getLoc(), spirv::AddressingModel::Physical64, spirv::MemoryModel::OpenCL,
      spirv::VerCapExtAttr::get(module.getVersion(), needs->capabilities, needs->extensions,
                                module.getContext()));
  builder.setInsertionPointToStart(copy->getBody());
  for (Operation &op : module.getBody().front())
    builder.clone(op);
  WalkResult result = copy->walk([](Operation *op) -> WalkResult {
    if (isa<spirvx::SPIRVXDialect>(op->getDialect()))
      return op->emitOpError() << "expected an operation that upstream's serializer has";
    op->removeDiscardableAttr(spirvx::SPIRVXDialect::alignmentAttrName);
    if (auto function = dyn_cast<spirv::FuncOp>(op))
      for (unsigned index = 0; index < function.getNumArguments(); ++index)
        function.removeArgAttr(index, spirvx::SPIRVXDialect::hiddenWorkgroupAttrName);
    return success();
  });
  if (result.wasInterrupted())
    return failure();
  return copy;
}
