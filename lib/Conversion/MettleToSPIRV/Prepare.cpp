//===- Prepare.cpp - before the patterns ----------------------------------===//
//
// Drops what is the host's and turns views of dynamic workgroup memory into an argument.
//
//===----------------------------------------------------------------------===//

#include "Prepare.h"

#include "Mettle/Dialect/Mettle/IR/AtomicOps.h"
#include "Mettle/Dialect/Mettle/IR/KernelOps.h"
#include "Mettle/Dialect/Mettle/IR/MemoryOps.h"
#include "Mettle/Dialect/SPIRVX/IR/SPIRVXDialect.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/TypeUtilities.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mettle;

namespace {
/// Depth-first over calls, from the kernels.
class CallGraph {
public:
  explicit CallGraph(ModuleOp module) : symbols(module) {}

  LogicalResult visit(Operation *function) {
    states[function] = State::Open;
    WalkResult result = function->walk([&](func::CallOp call) -> WalkResult {
      auto callee = symbols.lookup<func::FuncOp>(call.getCallee());
      // convert_mettle_to_spirv-c2
      if (!callee || callee.isExternal())
        return call.emitOpError() << "expected a function with a body, got the declaration '"
                                  << call.getCallee() << "'";
      switch (states.lookup(callee)) {
      case State::Unseen:
        return visit(callee);
      case State::Done:
        return success();
      case State::Open: {
        // convert_mettle_to_spirv-c3
        InFlightDiagnostic diagnostic = call.emitOpError()
                                        << "expected no recursion, got a call that leads back to '"
                                        << call.getCallee() << "'";
        diagnostic.attachNote(callee.getLoc()) << "the function is here";
        return diagnostic;
      }
      }
      llvm_unreachable("a state");
    });
    states[function] = State::Done;
    return failure(result.wasInterrupted());
  }

  bool isReached(Operation *function) const { return states.contains(function); }

private:
  enum class State { Unseen, Open, Done };
  SymbolTable symbols;
  llvm::DenseMap<Operation *, State> states;
};
} // namespace

LogicalResult mettle::tospirv::keepWhatKernelsReach(ModuleOp module) {
  // convert_mettle_to_spirv-c1
  if (module.getOps<KernelOp>().empty())
    return module.emitError() << "expected at least one 'mettle.kernel', got none";
  CallGraph graph(module);
  for (KernelOp kernel : module.getOps<KernelOp>())
    if (failed(graph.visit(kernel)))
      return failure();
  for (auto function : llvm::make_early_inc_range(module.getOps<func::FuncOp>()))
    if (!graph.isReached(function))
      function.erase();
  return success();
}

LogicalResult mettle::tospirv::verifyNarrowFloats(ModuleOp module, spirv::Version version) {
  WalkResult result = module.walk([&](Operation *op) -> WalkResult {
    if (!isa<math::FmaOp, arith::SIToFPOp, arith::UIToFPOp>(op))
      return success();
    Type type = getElementTypeOrSelf(op->getResult(0).getType());
    // convert_mettle_to_spirv-c4
    if (isa<math::FmaOp>(op) && (type.isBF16() || (type.isF16() && !hasFloat16(version))))
      return op->emitOpError() << "expected a float type that SPIR-V "
                               << spirv::stringifyVersion(version) << " for OpenCL has, got "
                               << type << ", for which no exact form is known";
    // convert_mettle_to_spirv-c5
    if (!isa<math::FmaOp>(op) && type.isBF16() &&
        getElementTypeOrSelf(op->getOperand(0).getType()).isInteger(64))
      return op->emitOpError() << "expected an integer of at most 32 bits, got i64, whose "
                                  "conversion to bf16 would round twice";
    return success();
  });
  return failure(result.wasInterrupted());
}

/// The known memory that a generic pointer was made from, where that is in sight.
static std::optional<AddressSpace> knownSpace(Value pointer) {
  while (Operation *definition = pointer.getDefiningOp()) {
    if (auto cast = dyn_cast<SpaceCastOp>(definition))
      return cast.getSource().getType().getSpace();
    if (!isa<OffsetOp, PtrCastOp>(definition))
      break;
    pointer = definition->getOperand(0);
  }
  return std::nullopt;
}

template <typename Op> static LogicalResult resolveSpace(Op op) {
  PtrType type = op.getPointer().getType();
  if (type.getSpace() != AddressSpace::Generic)
    return success();
  std::optional<AddressSpace> space = knownSpace(op.getPointer());
  // convert_mettle_to_spirv-c6
  if (!space || *space == AddressSpace::Private)
    return op.emitOpError() << "expected a pointer whose memory is known, global or workgroup, got "
                            << (space ? "private" : "generic")
                            << ": SPIR-V names the memory that an atomic orders";
  OpBuilder builder(op);
  op.getPointerMutable().assign(SpaceCastOp::create(
      builder, op.getLoc(), PtrType::get(type.getElementType(), *space), op.getPointer()));
  if (*space == AddressSpace::Workgroup)
    op.setScope(MemoryScope::Workgroup);
  return success();
}

LogicalResult mettle::tospirv::resolveAtomicSpaces(ModuleOp module) {
  WalkResult result = module.walk([](Operation *op) -> WalkResult {
    return TypeSwitch<Operation *, LogicalResult>(op)
        .Case<AtomicLoadOp, AtomicStoreOp, AtomicRMWOp, AtomicCmpXchgOp>(
            [](auto atomic) { return resolveSpace(atomic); })
        .Default([](Operation *) { return success(); });
  });
  return failure(result.wasInterrupted());
}

void mettle::tospirv::addHiddenArguments(ModuleOp module) {
  for (KernelOp kernel : module.getOps<KernelOp>()) {
    SmallVector<DynamicWorkgroupOp> views;
    kernel.walk([&](DynamicWorkgroupOp view) { views.push_back(view); });
    if (views.empty())
      continue;
    // Elements are as aligned as they are wide, and OpenCL aligns the memory for the pointer's.
    PtrType strictest = views.front().getType();
    for (DynamicWorkgroupOp view : views)
      if (view.getType().getElementBytes() > strictest.getElementBytes())
        strictest = view.getType();

    OpBuilder builder(kernel.getBody());
    unsigned index = kernel.getNumArguments();
    SmallVector<Type> inputs(kernel.getArgumentTypes());
    inputs.push_back(strictest);
    Value base = kernel.getBody().addArgument(strictest, views.front().getLoc());
    kernel.setFunctionType(builder.getFunctionType(inputs, TypeRange()));
    SmallVector<Attribute> attributes(index, builder.getDictionaryAttr({}));
    if (ArrayAttr had = kernel.getArgAttrsAttr())
      attributes.assign(had.begin(), had.end());
    attributes.push_back(builder.getDictionaryAttr(builder.getNamedAttr(
        spirvx::SPIRVXDialect::hiddenWorkgroupAttrName, builder.getUnitAttr())));
    kernel.setArgAttrsAttr(builder.getArrayAttr(attributes));

    for (DynamicWorkgroupOp view : views) {
      builder.setInsertionPoint(view);
      Value typed = base;
      if (view.getType() != strictest)
        typed = PtrCastOp::create(builder, view.getLoc(), view.getType(), base);
      view.replaceAllUsesWith(typed);
      view.erase();
    }
  }
}
