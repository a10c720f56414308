//===- InstBuilders.cpp - typed builders of every instruction -===//
//
// The generated definitions, over the one function that builds a ptx.inst.
//
//===----------------------------------------------------------------------===//

#include "Mettle/Dialect/PTX/IR/InstBuilders.h"

#include "Mettle/Dialect/PTX/IR/InstOps.h"
#include "mlir/IR/Builders.h"

using namespace mlir;

ResultRange mettle::ptx::buildInst(OpBuilder &builder, Location loc, Opcode opcode,
                                   ValueRange operands, ArrayRef<uint8_t> modifiers,
                                   ArrayRef<int64_t> immediates) {
  uint32_t packed = 0;
  for (auto [index, modifier] : llvm::enumerate(modifiers))
    packed |= uint32_t(modifier) << (4 * index);
  return InstOp::create(builder, loc, opcode, operands, packed, immediates)->getResults();
}

#include "Mettle/Dialect/PTX/IR/PTXBuilders.cpp.inc"
