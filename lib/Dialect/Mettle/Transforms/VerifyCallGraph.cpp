//===- VerifyCallGraph.cpp - what a kernel may call -===//
//
// Functions of the module, by their name, and never in a circle: neither target has a stack to rely
// on, and the analyses of whole modules end because of it.
//
//===----------------------------------------------------------------------===//

#include "Mettle/Dialect/Mettle/Transforms/Passes.h"

#include "Mettle/Dialect/Mettle/IR/KernelOps.h"
#include "PresentOperations.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/SymbolTable.h"

using namespace mlir;

namespace mettle {
#define GEN_PASS_DEF_VERIFYCALLGRAPH
#include "Mettle/Dialect/Mettle/Transforms/Passes.h.inc"
} // namespace mettle

using namespace mettle;

namespace {
class CallGraph {
public:
  /// Follows the calls of a function, which those of `path` led to.
  void visit(FunctionOpInterface function) {
    if (!visited.insert(function).second)
      return;
    function->walk([&](Operation *op) {
      // call_graph-c2
      if (isa<func::CallIndirectOp, func::ConstantOp>(op))
        fail(op->emitOpError() << "expected a function that is called by its name: a kernel has no "
                                  "addresses of functions");
      else if (auto call = dyn_cast<CallOpInterface>(op))
        follow(call);
    });
  }

  bool isFaulty() const { return faulty; }

private:
  void follow(CallOpInterface call) {
    Operation *callee = call.resolveCallableInTable(&symbols);
    auto function = dyn_cast_or_null<FunctionOpInterface>(callee);
    // call_graph-c3
    if (!function || function.isExternal()) {
      InFlightDiagnostic diagnostic = call->emitOpError()
                                      << "expected a function with a body in this module";
      if (function)
        diagnostic.attachNote(function.getLoc()) << "it is declared here";
      return fail(std::move(diagnostic));
    }
    // call_graph-c4
    if (isa<KernelOp>(callee)) {
      InFlightDiagnostic diagnostic = call->emitOpError()
                                      << "expected a function, got a kernel, which only a launch "
                                         "starts";
      diagnostic.attachNote(function.getLoc()) << "it is declared here";
      return fail(std::move(diagnostic));
    }
    path.push_back(call);
    // call_graph-c1
    auto first = llvm::find_if(path, [&](CallOpInterface earlier) {
      return earlier->getParentOfType<FunctionOpInterface>() == function;
    });
    if (first != path.end()) {
      InFlightDiagnostic diagnostic = call->emitOpError()
                                      << "expected no recursion, but this calls '"
                                      << function.getName() << "' while it runs";
      for (CallOpInterface between : ArrayRef(path).drop_front(first - path.begin()).drop_back())
        diagnostic.attachNote(between.getLoc()) << "through this call";
      fail(std::move(diagnostic));
    } else {
      visit(function);
    }
    path.pop_back();
  }

  void fail(InFlightDiagnostic) { faulty = true; }

  SymbolTableCollection symbols;
  SmallVector<CallOpInterface> path;
  DenseSet<Operation *> visited;
  bool faulty = false;
};

struct VerifyCallGraph : mettle::impl::VerifyCallGraphBase<VerifyCallGraph> {
  void runOnOperation() override {
    auto &present = getAnalysis<PresentOperations>();
    if (!present.hasInterface<CallOpInterface>() && !present.has<func::ConstantOp>())
      return markAllAnalysesPreserved();
    CallGraph graph;
    for (KernelOp kernel : getOperation().getOps<KernelOp>())
      graph.visit(kernel);
    if (graph.isFaulty())
      signalPassFailure();
    else
      markAllAnalysesPreserved();
  }
};
} // namespace
