//===- Uniformity.h - for whom a value is the same -===//
//
// Which values are the same in a whole workgroup, in each subgroup or for nobody, and the
// conditions that decide whether an operation is reached. Helpers are seen from all their calls
// together.
//
//===----------------------------------------------------------------------===//

#ifndef METTLE_LIB_DIALECT_METTLE_TRANSFORMS_UNIFORMITY_H
#define METTLE_LIB_DIALECT_METTLE_TRANSFORMS_UNIFORMITY_H

#include "mlir/Analysis/DataFlowFramework.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/Dominance.h"
#include "mlir/IR/SymbolTable.h"
#include "llvm/ADT/DenseMap.h"

namespace mettle {

/// From the most to the least uniform. What nothing has been learnt of yet is never executed.
enum class Rank : uint8_t { Unknown, Workgroup, Subgroup, Varying };

/// Who must reach an operation together.
enum class Scope : uint8_t { None, Subgroup, Workgroup };

/// The scope of a collective, by its effect on who is here together: a barrier changes it.
Scope scopeOf(mlir::Operation *op);

/// A condition that decides whether, or how often, an operation is reached.
struct Control {
  Rank rank = Rank::Workgroup;
  mlir::Value condition;
  /// What branches on it, in the function of the operation or in one that calls it.
  mlir::Operation *branch = nullptr;
  /// Where that is another function: the call in it, or on the way from there, that is nearest.
  mlir::Operation *call = nullptr;
};

class Uniformity {
public:
  explicit Uniformity(mlir::ModuleOp module);

  /// Fails, without an error, if the analysis cannot be run.
  llvm::LogicalResult run();

  Rank rankOf(mlir::Value value) const;
  /// Whether an operation is executed at all, as far as constants tell.
  bool isLive(mlir::Operation *op);
  /// The least uniform condition around an operation, or before it, that those of the scope must
  /// pass together. For a subgroup a condition does not count that leaves the others nothing to
  /// meet at: they return.
  Control controlOf(mlir::Operation *op, Scope scope);
  /// How often a value or a condition was looked at so far.
  uint64_t work() const { return steps; }
  /// Adds notes that lead from a value back to where it stopped being uniform.
  void explain(mlir::InFlightDiagnostic &diagnostic, mlir::Value value, Rank rank);

private:
  struct Cause {
    Rank rank;
    mlir::Value condition;
    mlir::Operation *branch;
  };

  void force(mlir::Value value, const Control &control);
  void forceRegionResults(mlir::Operation *branch);
  void forceBlockArguments(mlir::Operation *terminator);
  Control conditionOf(mlir::Operation *branch) const;
  void raise(Control &control, const Control &other) const;
  Control controlInRegion(mlir::Operation *op, Scope scope);
  bool othersReturn(mlir::Operation *branch, mlir::Region *taken);
  bool findOthersReturn(mlir::Operation *branch, mlir::Region *taken);
  bool othersReturn(mlir::Operation *terminator, mlir::Block *taken);
  Control controlOfCalls(mlir::Operation *function, Scope scope);
  bool mayMeet(mlir::Operation *op);
  mlir::Value causeOf(mlir::Value value, Rank rank, std::string &text, mlir::Location &where);

  mlir::ModuleOp module;
  mlir::SymbolTableCollection symbols;
  std::unique_ptr<mlir::DataFlowSolver> solver;
  mlir::PostDominanceInfo postDominance;
  /// What is less uniform than its operands, because of control.
  llvm::DenseMap<mlir::Value, Cause> forced;
  /// Of the branch that was visited last.
  llvm::SmallVector<std::pair<mlir::Value, Rank>> spoilt;
  /// The calls of each function, and the functions with a collective in them or in what they call.
  llvm::DenseMap<mlir::Operation *, llvm::SmallVector<mlir::Operation *>> callers;
  llvm::DenseSet<mlir::Operation *> meetingFunctions;
  /// Of each branch and the region taken: many operations ask.
  llvm::DenseMap<std::pair<mlir::Operation *, mlir::Region *>, bool> returning;
  uint64_t steps = 0;
  /// Of each function and scope.
  llvm::DenseMap<std::pair<mlir::Operation *, unsigned>, Control> callControls;
};

} // namespace mettle

#endif // METTLE_LIB_DIALECT_METTLE_TRANSFORMS_UNIFORMITY_H
