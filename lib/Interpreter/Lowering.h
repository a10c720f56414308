//===- Lowering.h - operations to instructions -===//
//
// What a model of an operation works with: slots for values, labels for control flow, and the
// program under construction. It knows no operation; the models do.
//
//===----------------------------------------------------------------------===//

#ifndef METTLE_LIB_INTERPRETER_LOWERING_H
#define METTLE_LIB_INTERPRETER_LOWERING_H

#include "Mettle/Interpreter/InterpretableOpInterface.h"
#include "Program.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/MapVector.h"
#include <optional>
#include <unordered_map>

namespace mettle::interpreter {

/// A place in the function that jumps lead to; FunctionLowering::bind says where.
enum class Label : uint32_t {};

/// Where a region's terminator leads, and the slots that take its operands.
struct RegionExit {
  llvm::SmallVector<Slot> destinations;
  Label label;
};

/// Lowers a kernel and every function that it calls.
class ProgramLowering {
public:
  explicit ProgramLowering(mlir::SymbolTableCollection &symbols) : symbols(symbols) {}

  /// Fails with an error where an operation cannot be executed.
  llvm::FailureOr<std::unique_ptr<Program>> lower(mlir::FunctionOpInterface kernel);

  /// The function's number in the program; it is lowered later.
  uint32_t require(mlir::FunctionOpInterface function);

  Program &program() { return *result; }
  mlir::SymbolTableCollection &symbols;

private:
  std::unique_ptr<Program> result;
  llvm::MapVector<mlir::Operation *, uint32_t> numbers;
};

class FunctionLowering {
public:
  FunctionLowering(ProgramLowering &parent, mlir::FunctionOpInterface function);

  /// Appends the function to the program.
  llvm::FailureOr<Function> lower();

  Program &program() { return parent.program(); }
  mlir::SymbolTableCollection &symbols() { return parent.symbols; }

  //===--------------------------------------------------------------------===//
  // Slots
  //===--------------------------------------------------------------------===//

  /// The first slot of a value, for an instruction that computes with it or defines it. Each value
  /// has slots of its own in the whole function.
  Slot slot(mlir::Value value);
  /// A slot for an intermediate result.
  Slot newSlot();
  /// The first slot of consecutive constants.
  Slot constant(llvm::ArrayRef<uint64_t> words);
  /// The value is these constants. No instruction is needed.
  void defineConstant(mlir::Value value, llvm::ArrayRef<uint64_t> words);
  /// The value is the other one, under another type with the same slots.
  void defineAlias(mlir::Value value, mlir::Value other);

  //===--------------------------------------------------------------------===//
  // Instructions
  //===--------------------------------------------------------------------===//

  void emit(Handler handler, Slot result, uint32_t a = 0, uint32_t b = 0, uint32_t c = 0,
            uint64_t immediate = 0);
  /// Copies in parallel: destinations may be sources.
  void emitCopies(llvm::ArrayRef<Slot> destinations, llvm::ArrayRef<Slot> sources);
  Label newLabel();
  void bind(Label label);
  /// The label of a block's start.
  Label labelOf(mlir::Block *block);
  void emitJump(Label label);
  /// An instruction whose immediate becomes the distance to `label`.
  void emitTo(Label label, Handler handler, Slot result, uint32_t a = 0, uint32_t b = 0,
              uint32_t c = 0);
  /// Copies operands to the arguments of a block and jumps there.
  void emitBranch(mlir::Block *block, mlir::ValueRange operands);
  void emitCall(mlir::FunctionOpInterface callee, mlir::ValueRange arguments,
                mlir::ValueRange results);
  void emitReturn(mlir::ValueRange operands);

  /// The slots that a copy to or from the values takes, in order.
  llvm::SmallVector<Slot> copySlots(mlir::ValueRange values);
  /// Lowers a region in place; emitExit of its terminators goes to `exit`.
  llvm::LogicalResult lowerRegion(mlir::Region &region, RegionExit exit);
  /// Leaves a region that lowerRegion lowers.
  void emitExit(mlir::Region *region, mlir::ValueRange operands);

private:
  llvm::LogicalResult lowerBlocks(mlir::Region &region);
  llvm::LogicalResult lowerOperation(mlir::Operation *operation);
  void findPoison();
  Slot allocate(mlir::Value value);
  void define(mlir::Value value, Slot source);
  Function finish();

  ProgramLowering &parent;
  mlir::FunctionOpInterface function;
  /// Of the operation that is being lowered.
  mlir::Location location;
  std::vector<Instruction> instructions;
  std::vector<mlir::Location> locations;
  std::vector<uint64_t> constants;
  std::unordered_map<uint64_t, Slot> scalarConstants;
  llvm::DenseMap<mlir::Value, Slot> slots;
  /// Where the function has poison: the slot of each value that may be poison, which says whether
  /// it is.
  llvm::DenseMap<mlir::Value, Slot> poisonFlags;
  bool hasPoison = false;
  uint32_t usedSlots = 0, outgoingSlots = 0;
  llvm::DenseMap<mlir::Block *, Label> blockLabels;
  llvm::DenseMap<mlir::Region *, RegionExit> exits;
  /// The instruction that each label stands before.
  std::vector<std::optional<uint32_t>> labels;
  std::vector<std::pair<uint32_t, Label>> jumps;
  uint32_t lastBound = 0;
};

/// Slots that a value of the type takes; none where the interpreter cannot hold it.
std::optional<unsigned> slotCount(mlir::Type type);
/// Elements of a vector; 1 for anything else.
unsigned elementCount(mlir::Type type);

} // namespace mettle::interpreter

#endif // METTLE_LIB_INTERPRETER_LOWERING_H
