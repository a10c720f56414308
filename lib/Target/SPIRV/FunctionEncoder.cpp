//===- FunctionEncoder.cpp - functions as words ---------------------------===//
//
// Blocks, phis, branches and calls; every other operation is encoded by the generated table.
//
//===----------------------------------------------------------------------===//

#include "InstEncoding.h"
#include "ModuleEncoder.h"

#include "mlir/Dialect/SPIRV/IR/SPIRVOps.h"
#include "mlir/IR/RegionGraphTraits.h"
#include "llvm/ADT/PostOrderIterator.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mettle::spirvx;
using spirv::Opcode;

uint32_t ModuleEncoder::valueId(Value value) {
  uint32_t &id = values[value];
  if (!id)
    id = newId();
  return id;
}

uint32_t ModuleEncoder::blockId(Block *block) {
  uint32_t &id = blocks[block];
  if (!id)
    id = newId();
  return id;
}

//===----------------------------------------------------------------------===//
// Control flow
//===----------------------------------------------------------------------===//

/// One phi for each argument, with the operand that each predecessor passes. Predecessors that
/// cannot be reached are not written, so they have no operand either.
LogicalResult ModuleEncoder::encodePhis(Block &block) {
  SmallVector<SmallVector<uint32_t>> phis;
  for (BlockArgument argument : block.getArguments()) {
    uint32_t type = typeId(argument.getType(), block.getParentOp());
    if (!type)
      return failure();
    phis.push_back({type, valueId(argument)});
  }
  SmallPtrSet<Block *, 4> seen;
  for (auto edge = block.pred_begin(), end = block.pred_end(); edge != end; ++edge) {
    Block *predecessor = *edge;
    if (!blocks.contains(predecessor))
      continue;
    auto branch = cast<BranchOpInterface>(predecessor->getTerminator());
    if (!seen.insert(predecessor).second)
      return branch->emitOpError() << "expected no two edges to one block with arguments";
    SuccessorOperands operands = branch.getSuccessorOperands(edge.getSuccessorIndex());
    for (auto [index, phi] : llvm::enumerate(phis))
      phi.append({valueId(operands[index]), blockId(predecessor)});
  }
  for (ArrayRef<uint32_t> phi : phis)
    appendInstruction(Opcode::OpPhi, phi, sections.functions);
  return success();
}

void ModuleEncoder::encodeBranch(spirv::BranchConditionalOp branch) {
  SmallVector<uint32_t> words{valueId(branch.getCondition()), blockId(branch.getTrueBlock()),
                              blockId(branch.getFalseBlock())};
  if (std::optional<ArrayAttr> weights = branch.getBranchWeights())
    for (Attribute weight : *weights)
      words.push_back(cast<IntegerAttr>(weight).getValue().getZExtValue());
  appendInstruction(Opcode::OpBranchConditional, words, sections.functions);
}

//===----------------------------------------------------------------------===//
// Operations
//===----------------------------------------------------------------------===//

LogicalResult ModuleEncoder::encodeByTable(Operation &op, const InstEncoding &encoding) {
  SmallVector<uint32_t> words;
  uint32_t result = 0;
  if (op.getNumResults() == 1) {
    words.append({typeId(op.getResult(0).getType(), &op), result = valueId(op.getResult(0))});
    if (!words.front())
      return failure();
  }
  if (encoding.extended)
    words.append({openCLSetId(), encoding.opcode});

  unsigned listed = op.getNumOperands();
  for (const ArgumentEncoding &argument : encoding.arguments())
    listed -= argument.kind == ArgumentEncoding::Kind::Operand;
  unsigned next = 0;
  for (const ArgumentEncoding &argument : encoding.arguments()) {
    switch (argument.kind) {
    case ArgumentEncoding::Kind::Operand:
      words.push_back(valueId(op.getOperand(next++)));
      break;
    case ArgumentEncoding::Kind::OperandList:
      for (unsigned count = listed; count; --count)
        words.push_back(valueId(op.getOperand(next++)));
      break;
    case ArgumentEncoding::Kind::Literal:
      if (Attribute attribute = op.getAttr(argument.attribute))
        argument.appendWords(attribute, words);
      break;
    case ArgumentEncoding::Kind::Constant: {
      SmallVector<uint32_t> value;
      argument.appendWords(op.getAttr(argument.attribute), value);
      words.push_back(i32ConstantId(value.front(), &op));
      break;
    }
    }
  }
  line(op.getLoc());
  if (encoding.extended)
    appendInstruction(Opcode::OpExtInst, words, sections.functions);
  else
    appendInstruction(encoding.opcode, words, sections.functions);
  return result ? decorateFromAttributes(&op, result) : success();
}

LogicalResult ModuleEncoder::encodeOperation(Operation &op) {
  // Written where they are used.
  if (isa<spirv::ConstantOp, spirv::AddressOfOp, spirv::UndefOp>(op))
    return success();
  if (auto call = dyn_cast<spirv::FunctionCallOp>(op)) {
    Type result = op.getNumResults() ? op.getResult(0).getType() : NoneType::get(op.getContext());
    SmallVector<uint32_t> words{typeId(result, &op),
                                op.getNumResults() ? valueId(op.getResult(0)) : newId(),
                                symbolId(call.getCallee())};
    for (Value argument : call.getArguments())
      words.push_back(valueId(argument));
    line(op.getLoc());
    appendInstruction(Opcode::OpFunctionCall, words, sections.functions);
    return success(words.front() != 0);
  }
  if (auto branch = dyn_cast<spirv::BranchOp>(op)) {
    line(op.getLoc());
    appendInstruction(Opcode::OpBranch, {blockId(branch.getTarget())}, sections.functions);
    return success();
  }
  if (auto branch = dyn_cast<spirv::BranchConditionalOp>(op)) {
    line(op.getLoc());
    encodeBranch(branch);
    return success();
  }
  if (const InstEncoding *encoding = lookupEncoding(op.getName().getStringRef()))
    return encodeByTable(op, *encoding);
  return op.emitOpError() << "expected an operation that modules for OpenCL have";
}

//===----------------------------------------------------------------------===//
// Functions
//===----------------------------------------------------------------------===//

LogicalResult ModuleEncoder::encodeFunction(Operation *op) {
  auto function = cast<spirv::FuncOp>(op);
  FunctionType type = function.getFunctionType();
  if (function.isExternal())
    return op->emitOpError() << "expected a body, got a declaration";
  Type result = type.getNumResults() ? type.getResult(0) : NoneType::get(op->getContext());
  uint32_t resultType = typeId(result, op), functionType = typeId(type, op);
  if (!resultType || !functionType)
    return failure();

  // A phi may name a value before its operation is reached: what has its id from elsewhere than
  // the function gets it first.
  WalkResult prepared = function.walk([&](Operation *inner) -> WalkResult {
    return TypeSwitch<Operation *, WalkResult>(inner)
        .Case([&](spirv::ConstantOp constant) {
          return success(
              (values[constant] = constantId(constant.getValue(), constant.getType(), inner)) != 0);
        })
        .Case([&](spirv::AddressOfOp address) {
          values[address.getPointer()] = symbolId(address.getVariable());
          return success();
        })
        .Case([&](spirv::UndefOp undef) {
          return success((values[undef.getResult()] = undefId(undef.getType(), inner)) != 0);
        })
        .Default([](Operation *) { return success(); });
  });
  if (prepared.wasInterrupted())
    return failure();

  uint32_t id = symbolId(function.getName());
  name(id, function.getName());
  currentLine = {};
  line(op->getLoc());
  appendInstruction(
      Opcode::OpFunction,
      {resultType, id, static_cast<uint32_t>(function.getFunctionControl()), functionType},
      sections.functions);
  for (BlockArgument argument : function.getArguments())
    appendInstruction(Opcode::OpFunctionParameter,
                      {typeId(argument.getType(), op), valueId(argument)}, sections.functions);

  // SPIR-V wants a block after all that dominate it, which reverse post-order gives.
  blocks.clear();
  Region *body = &function.getBody();
  llvm::ReversePostOrderTraversal<Region *> order(body);
  for (Block *block : order)
    blockId(block);
  for (Block *block : order) {
    currentLine = {};
    appendInstruction(Opcode::OpLabel, {blockId(block)}, sections.functions);
    if (!block->isEntryBlock() && failed(encodePhis(*block)))
      return failure();
    for (Operation &inner : *block)
      if (failed(encodeOperation(inner)))
        return failure();
  }
  appendInstruction(Opcode::OpFunctionEnd, {}, sections.functions);
  return success();
}
