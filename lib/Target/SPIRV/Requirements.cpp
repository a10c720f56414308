//===- Requirements.cpp - what a SPIR-V module asks of its consumer -------===//
//
// Asks each operation and type what it needs and chooses, where there is a choice, the capability
// that an OpenCL kernel can have.
//
//===----------------------------------------------------------------------===//

#include "Mettle/Target/SPIRV/Requirements.h"

#include "Mettle/Dialect/SPIRVX/IR/SPIRVXAtomicOps.h"
#include "Mettle/Dialect/SPIRVX/IR/SPIRVXModuleOps.h"
#include "mlir/Dialect/SPIRV/IR/SPIRVOps.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace mettle;
using spirv::Capability;
using spirv::Extension;

/// Graphics capabilities and what builds on them: no OpenCL device has any.
static bool isForKernels(Capability capability) {
  if (capability == Capability::Shader || capability == Capability::Matrix)
    return false;
  return llvm::none_of(spirv::getDirectImpliedCapabilities(capability),
                       [](Capability implied) { return !isForKernels(implied); });
}

namespace {
class Collector {
public:
  explicit Collector(spirv::Version version) : version(version) {
    // The addressing and memory model of every module.
    needs.insert_range(ArrayRef{Capability::Addresses, Capability::Kernel});
  }

  LogicalResult collect(Operation *op);
  SPIRVRequirements finish();

private:
  LogicalResult addAlternatives(Operation *op, ArrayRef<ArrayRef<Capability>> all);
  void addAlternatives(ArrayRef<ArrayRef<Extension>> all);
  LogicalResult collectType(Operation *op, Type type);
  LogicalResult reportVersion(Operation *op, spirv::Version least) const;
  bool isSatisfied(ArrayRef<Capability> alternatives) const;
  bool isImplied(Capability capability) const;

  spirv::Version version;
  llvm::SmallSetVector<Capability, 8> needs;
  llvm::SmallSetVector<Extension, 4> extensions;
  DenseSet<Type> seen;
};
} // namespace

/// Whether another capability that the module needs brings this one.
bool Collector::isImplied(Capability capability) const {
  return llvm::any_of(needs, [&](Capability other) {
    return llvm::is_contained(spirv::getRecursiveImpliedCapabilities(other), capability);
  });
}

bool Collector::isSatisfied(ArrayRef<Capability> alternatives) const {
  return llvm::any_of(alternatives, [&](Capability capability) {
    return needs.contains(capability) || isImplied(capability);
  });
}

LogicalResult Collector::addAlternatives(Operation *op, ArrayRef<ArrayRef<Capability>> all) {
  for (ArrayRef<Capability> alternatives : all) {
    if (isSatisfied(alternatives))
      continue;
    const Capability *choice = llvm::find_if(alternatives, isForKernels);
    if (choice == alternatives.end())
      return op->emitOpError() << "needs the capability "
                               << spirv::stringifyCapability(alternatives.front())
                               << ", which no OpenCL kernel can have";
    needs.insert(*choice);
  }
  return success();
}

void Collector::addAlternatives(ArrayRef<ArrayRef<Extension>> all) {
  ArrayRef<Extension> implied = spirv::getImpliedExtensions(version);
  for (ArrayRef<Extension> alternatives : all)
    if (llvm::none_of(alternatives, [&](Extension extension) {
          return extensions.contains(extension) || llvm::is_contained(implied, extension);
        }))
      extensions.insert(alternatives.front());
}

LogicalResult Collector::collectType(Operation *op, Type type) {
  if (!seen.insert(type).second)
    return success();
  if (auto function = dyn_cast<FunctionType>(type)) {
    for (Type part : llvm::concat<const Type>(function.getInputs(), function.getResults()))
      if (failed(collectType(op, part)))
        return failure();
    return success();
  }
  auto spirvType = dyn_cast<spirv::SPIRVType>(type);
  if (!spirvType)
    return success();
  SmallVector<ArrayRef<Capability>, 4> capabilities;
  SmallVector<ArrayRef<Extension>, 4> needed;
  spirvType.getCapabilities(capabilities);
  spirvType.getExtensions(needed);
  addAlternatives(needed);
  return addAlternatives(op, capabilities);
}

/// What an atomic instruction needs beside what its record says, by the type it works on.
static std::optional<Capability> atomicCapability(Operation *op) {
  if (auto sum = dyn_cast<spirv::EXTAtomicFAddOp>(op))
    return sum.getType().isF64() ? Capability::AtomicFloat64AddEXT
                                 : Capability::AtomicFloat32AddEXT;
  bool isAtomic =
      isa<spirv::AtomicAndOp, spirv::AtomicCompareExchangeOp, spirv::AtomicExchangeOp,
          spirv::AtomicIAddOp, spirv::AtomicISubOp, spirv::AtomicOrOp, spirv::AtomicSMaxOp,
          spirv::AtomicSMinOp, spirv::AtomicUMaxOp, spirv::AtomicUMinOp, spirv::AtomicXorOp,
          spirvx::AtomicLoadOp, spirvx::AtomicStoreOp>(op);
  if (!isAtomic)
    return std::nullopt;
  auto pointer = cast<spirv::PointerType>(op->getOperand(0).getType());
  if (!pointer.getPointeeType().isInteger(64))
    return std::nullopt;
  return Capability::Int64Atomics;
}

/// Names what the consumer must be able to do beside the version that lets the module ask for it.
LogicalResult Collector::reportVersion(Operation *op, spirv::Version least) const {
  InFlightDiagnostic diagnostic = op->emitOpError();
  diagnostic << "needs SPIR-V " << spirv::stringifyVersion(least);
  if (auto query = dyn_cast<spirv::QueryCapabilityInterface>(op))
    for (ArrayRef<Capability> alternatives : query.getCapabilities())
      if (!isSatisfied(alternatives))
        diagnostic << " with the capability " << spirv::stringifyCapability(alternatives.front());
  return diagnostic << ", the module is " << spirv::stringifyVersion(version);
}

LogicalResult Collector::collect(Operation *op) {
  if (auto query = dyn_cast<spirv::QueryMinVersionInterface>(op))
    if (std::optional<spirv::Version> least = query.getMinVersion(); least && *least > version)
      return reportVersion(op, *least);
  if (auto query = dyn_cast<spirv::QueryExtensionInterface>(op))
    addAlternatives(query.getExtensions());
  // Before the record's alternatives, which it satisfies.
  if (std::optional<Capability> needed = atomicCapability(op))
    needs.insert(*needed);
  if (auto query = dyn_cast<spirv::QueryCapabilityInterface>(op))
    if (failed(addAlternatives(op, query.getCapabilities())))
      return failure();
  for (Type type : op->getResultTypes())
    if (failed(collectType(op, type)))
      return failure();
  if (auto function = dyn_cast<spirv::FuncOp>(op))
    return collectType(op, function.getFunctionType());
  if (auto variable = dyn_cast<spirv::GlobalVariableOp>(op))
    return collectType(op, variable.getType());
  return success();
}

SPIRVRequirements Collector::finish() {
  SPIRVRequirements result;
  // The two of every module are stated, whatever implies them.
  for (Capability capability : needs)
    if (capability == Capability::Addresses || capability == Capability::Kernel ||
        !isImplied(capability))
      result.capabilities.push_back(capability);
  llvm::append_range(result.extensions, extensions);
  llvm::sort(result.capabilities);
  llvm::sort(result.extensions);
  return result;
}

FailureOr<SPIRVRequirements> mettle::deriveRequirements(spirvx::ModuleOp module) {
  Collector collector(module.getVersion());
  WalkResult result =
      module.getBody().walk([&](Operation *op) -> WalkResult { return collector.collect(op); });
  if (result.wasInterrupted())
    return failure();
  return collector.finish();
}
