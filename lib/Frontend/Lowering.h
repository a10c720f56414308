//===- Lowering.h - a checked tree to MLIR -===//
//
// One FunctionLowering makes one instance of a function. SSA is built directly: an environment maps
// each slot to its value, and structured control flow merges environments into results. Nothing
// that is a scalar passes through memory unless its address is taken.
//
// The rule for jumps: `return`, `break` and `continue` set a flag, an i1 slot like any other,
// unless falling off the end of the list of statements means the same (the list's `Tail`). The
// statements behind one that may have jumped run only when none of its flags is set; where one arm
// of an `if` always jumps they move into the other arm instead, and no flag is needed.
//
//===----------------------------------------------------------------------===//

#ifndef METTLE_LIB_FRONTEND_LOWERING_H
#define METTLE_LIB_FRONTEND_LOWERING_H

#include "Mettle/Dialect/Mettle/IR/MettleDialect.h"
#include "Mettle/Frontend/AddressSpaces.h"
#include "Mettle/Frontend/Import.h"
#include "NumberOps.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinOps.h"
#include "llvm/ADT/BitVector.h"
#include <array>

namespace mettle::frontend {

/// What the instances of one file share.
struct LoweringContext {
  SyntaxTree &tree;
  Diagnostics &diagnostics;
  mlir::ModuleOp module;
  mlir::StringAttr file;
  const FrontendOptions &options;
  /// Null where nobody asks.
  VariableValues *values;
  AddressSpaces spaces;
  /// Instances to make, each once, in order.
  std::vector<Instance *> queue;
  llvm::DenseSet<const Instance *> queued;

  void enqueue(Instance &instance) {
    if (queued.insert(&instance).second)
      queue.push_back(&instance);
  }
};

class FunctionLowering {
public:
  FunctionLowering(LoweringContext &context, const Instance &instance);
  void run();

private:
  using Tail = llvm::ArrayRef<Slot>;
  using Statements = llvm::ArrayRef<Stmt *>;

  // The function: LowerFunction.cpp.
  void makeKernel();
  void makeHelper();
  void makeMemory(mlir::Block &entry);
  void bindParameters(mlir::Block &entry);
  mlir::Location location(Offset offset);
  /// The locations asked for last, by offset: a node's parts ask for it again and again.
  std::array<std::pair<Offset, mlir::LocationAttr>, 256> recentLocations;
  mlir::Location location(const Range &range) { return location(range.at); }
  mlir::Type registerType(const Type *type, Space space = Space::Unknown);
  mlir::Type memoryType(const Type *type);
  mlir::Type passedType(const Type *type, Space space);
  llvm::SmallVector<mlir::Type> parameterTypes();
  PtrType pointerType(const Type *element, Space space);
  mlir::Value toPassed(mlir::Value value, const Type *type, mlir::Location loc);
  mlir::Value fromPassed(mlir::Value value, const Type *type, mlir::Location loc);

  // The environment: LowerFunction.cpp.
  void set(Slot slot, mlir::Value value);
  /// Sets neighbouring slots, pointers cast to the spaces of theirs.
  void setLeaves(Slot first, llvm::ArrayRef<mlir::Value> leaves, mlir::Location loc);
  void declare(Slot first, unsigned count);
  mlir::Value constantBool(bool value);
  /// A value for a path on which the slot is never read.
  mlir::Value placeholder(Slot slot, mlir::Location loc);
  bool isFlag(Slot slot) const { return flags.test(slot); }

  /// A region made ahead of its operation, with what its code did to the slots around it.
  struct Arm {
    std::unique_ptr<mlir::Region> region;
    mlir::Block *block;
    llvm::SmallVector<std::pair<Slot, mlir::Value>> changed;
    /// Whether every path through it ends in a return, so that nobody reads the variables it set;
    /// and whether some path jumps, so that it may leave unset what is set behind it.
    bool returns = false, jumps = false;
  };
  Arm lowerArm(mlir::TypeRange arguments, mlir::Location loc,
               llvm::function_ref<void(mlir::Block &)> body);
  void merge(mlir::Value condition, Arm then, Arm otherwise, mlir::Location loc);

  // Statements: LowerStmt.cpp.
  void lower(const Stmt &statement, Tail tail);
  void lowerList(Statements list, Tail tail);
  void lowerIf(const IfStmt &statement, Statements rest, Tail tail);
  void lowerGuarded(llvm::ArrayRef<Slot> raised, Statements list, Tail tail, mlir::Location loc);
  void lowerLoop(const WhileStmt &loop);
  void lowerReturn(const ReturnStmt &statement, Tail tail);
  void lowerAssign(const AssignStmt &statement);
  void lowerVariable(const VarDecl &variable, mlir::Location loc);
  void lowerBarrier(bool workgroup, bool global, MemoryOrder order, mlir::Location loc);
  mlir::Value anyRaised(llvm::ArrayRef<Slot> raised, mlir::Location loc);

  // Expressions: LowerExpr.cpp.
  mlir::Value lower(const Expr *e);
  void lowerLeaves(const Expr *e, llvm::SmallVectorImpl<mlir::Value> &leaves);
  mlir::Value lowerCondition(const Expr *e, bool negate = false);
  mlir::Value lowerLogical(const BinaryExpr &e);
  /// One of two i1 values, of which only the one chosen is computed.
  mlir::Value choose(mlir::Value condition, llvm::function_ref<mlir::Value()> then,
                     llvm::function_ref<mlir::Value()> otherwise, mlir::Location loc);
  /// Whether computing an expression needlessly has no effect: no memory is read, nothing is
  /// called.
  static bool isCheap(const Expr *e);
  mlir::Value lowerUnary(const UnaryExpr &e);
  mlir::Value lowerBinary(const BinaryExpr &e);
  mlir::Value lowerCast(const CastExpr &e);
  mlir::Value lowerCall(const CallExpr &e);
  mlir::Value lowerHelperCall(const CallExpr &e);
  mlir::Value lowerAtomicCall(const CallExpr &e);
  mlir::Value atomicPlace(const CallExpr &e);
  mlir::Value lowerSubgroupCall(const CallExpr &e, llvm::ArrayRef<mlir::Value> arguments);
  void lowerCheck(const CallExpr &e);
  void lowerAsyncCall(const CallExpr &e, llvm::ArrayRef<mlir::Value> arguments);
  mlir::Value lowerIndex(const BuiltinIndexExpr &e);

  // Memory: LowerMemory.cpp.
  mlir::Value place(const Expr *e);
  mlir::Value offset(mlir::Value pointer, const Expr *index, const Type *element, bool negative,
                     mlir::Location loc);
  mlir::Value offsetBytes(mlir::Value pointer, uint64_t bytes, const Type *type,
                          mlir::Location loc);
  mlir::Value load(mlir::Value pointer, const Type *type, mlir::Location loc);
  void loadLeaves(mlir::Value pointer, const Type *type, mlir::Location loc,
                  llvm::SmallVectorImpl<mlir::Value> &leaves);
  void forEachAccess(mlir::Value pointer, const Type *record, mlir::Location loc,
                     llvm::function_ref<void(mlir::Value, const Type *, unsigned)> each);
  void storeLeaves(mlir::Value pointer, const Type *type, mlir::Location loc,
                   llvm::ArrayRef<mlir::Value> &leaves);
  void copyRecord(mlir::Value from, mlir::Value to, const Type *type, mlir::Location loc);
  void copyArray(mlir::Value from, mlir::Value to, const Type *array, mlir::Location loc);
  mlir::Value castElement(mlir::Value pointer, mlir::Type element, mlir::Location loc);
  mlir::Value castSpace(mlir::Value pointer, AddressSpace space, mlir::Location loc);

  LoweringContext &context;
  const Instance &instance;
  const FunctionDecl &function;
  mlir::OpBuilder b;
  Numbers numbers;
  mlir::Block *entry = nullptr;
  mlir::Value trueValue, falseValue;

  llvm::SmallVector<mlir::Value> values;
  llvm::SmallVector<mlir::Type> types;
  /// The place of the declared name of each slot of a variable, where values are asked for.
  llvm::SmallVector<Offset> owners;
  llvm::BitVector flags;
  /// How deep in regions a slot was declared, and how deep this is.
  llvm::SmallVector<unsigned> depths;
  unsigned depth = 0;
  /// Old values, to undo what a region did.
  struct Change {
    Slot slot;
    mlir::Value old;
  };
  llvm::SmallVector<Change> log;
  llvm::SmallVector<unsigned> stamps;
  unsigned stamp = 0;
  /// How many lists of statements around here were moved into a region behind a jump.
  unsigned moved = 0;

  llvm::SmallVector<mlir::Value> memory;
  /// The old value of the target of the compound assignment around here.
  mlir::Value loaded;
};

} // namespace mettle::frontend

#endif // METTLE_LIB_FRONTEND_LOWERING_H
