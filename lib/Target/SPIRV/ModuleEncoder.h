//===- ModuleEncoder.h - what the parts of the encoder share --------------===//
//
// One encoding of one module: the sections written so far and who has which id.
//
//===----------------------------------------------------------------------===//

#ifndef METTLE_LIB_TARGET_SPIRV_MODULEENCODER_H
#define METTLE_LIB_TARGET_SPIRV_MODULEENCODER_H

#include "Mettle/Target/SPIRV/TranslateToSPIRV.h"
#include "Section.h"
#include "mlir/IR/Attributes.h"
#include "mlir/IR/Location.h"
#include "mlir/IR/Operation.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/StringMap.h"

namespace mlir::spirv {
class BranchConditionalOp;
} // namespace mlir::spirv

namespace mettle::spirvx {

struct InstEncoding;

class ModuleEncoder {
public:
  explicit ModuleEncoder(const SPIRVOptions &options) : options(options) {}

  /// Writes the whole binary, header included.
  llvm::LogicalResult encode(ModuleOp module, llvm::SmallVectorImpl<uint32_t> &words);

private:
  uint32_t newId() { return nextId++; }

  // Types and constants (Globals.cpp). Each is written once, before its first use; `op` is named if
  // it has no encoding, and then the id is 0.
  uint32_t typeId(mlir::Type type, mlir::Operation *op);
  uint32_t constantId(mlir::Attribute value, mlir::Type type, mlir::Operation *op);
  uint32_t i32ConstantId(uint32_t value, mlir::Operation *op);
  uint32_t undefId(mlir::Type type, mlir::Operation *op);
  llvm::LogicalResult appendTypeOperands(mlir::Type type, mlir::Operation *op,
                                         mlir::spirv::Opcode &opcode,
                                         llvm::SmallVectorImpl<uint32_t> &operands);
  uint32_t compositeId(llvm::ArrayRef<mlir::Attribute> elements,
                       llvm::function_ref<mlir::Type(unsigned)> elementType, mlir::Type type,
                       mlir::Operation *op);

  // Operations of the module's body (ModuleEncoder.cpp).
  llvm::LogicalResult encodeRequirements(ModuleOp module);
  llvm::LogicalResult encodeTopLevel(mlir::Operation &op);
  llvm::LogicalResult encodeGlobalVariable(mlir::Operation *op);
  llvm::LogicalResult encodeEntryPoint(mlir::Operation *op);
  llvm::LogicalResult encodeExecutionMode(mlir::Operation *op);
  uint32_t symbolId(llvm::StringRef name);
  uint32_t openCLSetId();

  // Functions (FunctionEncoder.cpp).
  llvm::LogicalResult encodeFunction(mlir::Operation *op);
  llvm::LogicalResult encodePhis(mlir::Block &block);
  void encodeBranch(mlir::spirv::BranchConditionalOp branch);
  llvm::LogicalResult encodeOperation(mlir::Operation &op);
  llvm::LogicalResult encodeByTable(mlir::Operation &op, const InstEncoding &encoding);
  uint32_t valueId(mlir::Value value);
  uint32_t blockId(mlir::Block *block);

  // Decorations, names and lines (Annotations.cpp).
  void decorate(uint32_t id, mlir::spirv::Decoration decoration,
                llvm::ArrayRef<uint32_t> operands = {});
  llvm::LogicalResult decorateFromAttributes(mlir::Operation *op, uint32_t id);
  void name(uint32_t id, llvm::StringRef text);
  void line(mlir::Location location);

  SPIRVOptions options;
  uint32_t nextId = 1;
  Sections sections;
  llvm::DenseMap<mlir::Type, uint32_t> types;
  llvm::DenseMap<std::pair<mlir::Attribute, mlir::Type>, uint32_t> constants;
  llvm::DenseMap<mlir::Type, uint32_t> undefs;
  llvm::DenseMap<mlir::Value, uint32_t> values;
  llvm::DenseMap<mlir::Block *, uint32_t> blocks;
  llvm::StringMap<uint32_t> symbols, files;
  uint32_t openCLSet = 0;
  /// The place of the last OpLine that still holds.
  mlir::LocationAttr currentLine;
};

} // namespace mettle::spirvx

#endif // METTLE_LIB_TARGET_SPIRV_MODULEENCODER_H
