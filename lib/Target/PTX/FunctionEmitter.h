//===- FunctionEmitter.h - the text of one function -===//
//
// Registers, labels, copies of block arguments, and the operations that are no instruction.
//
//===----------------------------------------------------------------------===//

#ifndef METTLE_LIB_TARGET_PTX_FUNCTIONEMITTER_H
#define METTLE_LIB_TARGET_PTX_FUNCTIONEMITTER_H

#include "Mettle/Dialect/PTX/IR/BranchOps.h"
#include "Mettle/Dialect/PTX/IR/FunctionOps.h"
#include "Mettle/Dialect/PTX/IR/InstOps.h"
#include "Mettle/Dialect/PTX/IR/StorageOps.h"
#include "Mettle/Target/PTX/ParallelCopy.h"
#include "SourceFiles.h"
#include "llvm/ADT/DenseMap.h"
#include <array>

namespace mettle::ptx {

/// The name of the module's dynamic shared memory.
inline constexpr llvm::StringLiteral dynamicSharedName = "$dynamic_shared";

class FunctionEmitter {
public:
  /// `files` is null where no line information is wanted.
  FunctionEmitter(mlir::FunctionOpInterface function, SourceFiles *files)
      : function(function), files(files), body(bodyText), storage(storageText) {}

  /// Writes the function. Fails with an error at an operation that is not of the dialect.
  mlir::LogicalResult emit(llvm::raw_ostream &os);

  /// What stands before the body of `function`, for its declaration and its definition.
  static void emitSignature(mlir::FunctionOpInterface function, llvm::raw_ostream &os);

private:
  /// A register by class and number, or a parameter of a ptx.func.
  struct Register {
    RegisterClass registerClass;
    unsigned number;
    bool isParameter;
  };

  void numberRegisters();
  unsigned makeRegister(RegisterClass registerClass, bool isParameter = false);
  void emitRegister(unsigned id);
  void emitRegister(mlir::Value value) { emitRegister(registers.lookup(value)); }
  void emitRegisterList(mlir::ValueRange values);

  void emitParameterLoads(EntryOp entry);
  mlir::LogicalResult emitBlock(mlir::Block &block, mlir::Block *next);
  mlir::LogicalResult emitOperation(mlir::Operation &op, mlir::Block *next);
  void emitLocation(mlir::Location loc);

  void emit(InstOp op);
  void emitImmediate(InstOp op, unsigned index);
  void emit(BraOp op, mlir::Block *next);
  void emit(CondBraOp op, mlir::Block *next);
  void emit(CallOp op);
  void emit(RetOp op);
  void emitStorage(llvm::StringRef space, int64_t size, int64_t alignment, mlir::Value address);
  void emitAddress(mlir::Value address, const llvm::Twine &name);

  /// The moves that an edge to `target` needs.
  llvm::SmallVector<Copy> copiesOf(mlir::Block *target, mlir::ValueRange arguments);
  void emitCopies(llvm::ArrayRef<Copy> copies);
  void emitJump(mlir::Block *target, mlir::Block *next);
  void emitLabel(mlir::Block *block) { body << "$L" << labels.lookup(block); }

  mlir::FunctionOpInterface function;
  SourceFiles *files;
  std::string bodyText, storageText;
  llvm::raw_string_ostream body, storage;
  llvm::DenseMap<mlir::Value, unsigned> registers;
  llvm::SmallVector<Register> allRegisters;
  std::array<unsigned, numRegisterClasses> classSizes = {};
  llvm::DenseMap<mlir::Block *, unsigned> labels;
  unsigned numSplits = 0, numStorages = 0;
  SourceFiles::Position lastPosition;
};

} // namespace mettle::ptx

#endif // METTLE_LIB_TARGET_PTX_FUNCTIONEMITTER_H
