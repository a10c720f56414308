//===- InstOps.cpp - ptx.inst -===//
//
// Text form, verification and effects of an instruction, all by its row in the table.
//
//===----------------------------------------------------------------------===//

#include "Mettle/Dialect/PTX/IR/InstOps.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/OpImplementation.h"

using namespace mlir;
using namespace mettle::ptx;

#define GET_OP_CLASSES
#include "Mettle/Dialect/PTX/IR/InstOps.cpp.inc"

namespace mettle::ptx::detail {
void registerInstOps(PTXDialect &dialect) {
  dialect.addFamily<
#define GET_OP_LIST
#include "Mettle/Dialect/PTX/IR/InstOps.cpp.inc"
      >();
}
} // namespace mettle::ptx::detail

static void addResultTypes(MLIRContext *context, const InstInfo &info, OperationState &state) {
  for (unsigned i = 0; i < info.numResults(); ++i)
    state.types.push_back(registerType(context, info.resultClass(i)));
}

void InstOp::build(OpBuilder &builder, OperationState &state, Opcode opcode, ValueRange inputs,
                   uint32_t modifiers, ArrayRef<int64_t> immediates) {
  Properties &properties = state.getOrAddProperties<Properties>();
  properties.opcode = opcode;
  properties.modifiers = modifiers;
  if (!immediates.empty())
    properties.immediates = builder.getDenseI64ArrayAttr(immediates);
  state.addOperands(inputs);
  addResultTypes(builder.getContext(), instInfo(opcode), state);
}

ParseResult InstOp::parse(OpAsmParser &parser, OperationState &result) {
  SMLoc where = parser.getCurrentLocation();
  std::string mnemonic;
  if (parser.parseKeywordOrString(&mnemonic))
    return failure();
  std::optional<SpelledInst> inst = parseMnemonic(mnemonic);
  if (!inst)
    return parser.emitError(where) << "expected an instruction, got '" << mnemonic << "'";

  const InstInfo &info = instInfo(inst->opcode);
  SmallVector<int64_t> immediates;
  for (unsigned i = 0; i < info.numArguments(); ++i) {
    if (i && parser.parseComma())
      return failure();
    ArgumentInfo argument = info.argument(i);
    if (!argument.registerClass) {
      if (parser.parseInteger(immediates.emplace_back()))
        return failure();
      continue;
    }
    OpAsmParser::UnresolvedOperand operand;
    if (parser.parseOperand(operand) ||
        parser.resolveOperand(operand, registerType(parser.getContext(), *argument.registerClass),
                              result.operands))
      return failure();
  }
  Properties &properties = result.getOrAddProperties<Properties>();
  properties.opcode = inst->opcode;
  properties.modifiers = inst->modifiers;
  if (!immediates.empty())
    properties.immediates = parser.getBuilder().getDenseI64ArrayAttr(immediates);
  addResultTypes(parser.getContext(), info, result);
  return parser.parseOptionalAttrDict(result.attributes);
}

void InstOp::print(OpAsmPrinter &printer) {
  printer << ' ';
  printer.printKeywordOrString(printMnemonic({getOpcode(), uint32_t(getModifiers())}));
  const InstInfo &info = getInfo();
  ArrayRef<int64_t> immediates = getImmediateValues();
  OperandRange registers = getInputs();
  for (unsigned i = 0; i < info.numArguments(); ++i) {
    printer << (i ? ", " : " ");
    if (info.argument(i).registerClass) {
      printer << registers.front();
      registers = registers.drop_front();
    } else {
      printer << immediates.front();
      immediates = immediates.drop_front();
    }
  }
  printer.printOptionalAttrDict((*this)->getDiscardableAttrDictionary().getValue());
}

static LogicalResult verifyModifiers(InstOp op) {
  const InstInfo &info = op.getInfo();
  uint32_t packed = op.getModifiers();
  for (unsigned i = 0; i < info.numModifiers(); ++i) {
    ModifierUse use = info.modifier(i);
    unsigned choice = modifierChoice(packed, i);
    // inst-c4
    if (choice > use.info.suffixes.size() || (!choice && !use.isOptional))
      return op.emitOpError() << "expected modifier #" << i << " of " << info.name << " to be 1 to "
                              << use.info.suffixes.size() << (use.isOptional ? " or 0" : "") << " ("
                              << use.info.name << "), got " << choice;
  }
  if (info.numModifiers() < 8 && packed >> (4 * info.numModifiers()))
    return op.emitOpError() << "expected " << info.numModifiers() << " modifiers of " << info.name
                            << ", got the word " << packed;
  return success();
}

LogicalResult InstOp::verify() {
  const InstInfo &info = getInfo();
  ArrayRef<int64_t> immediates = getImmediateValues();
  unsigned numRegisters = 0, numImmediates = 0;
  for (unsigned i = 0; i < info.numArguments(); ++i) {
    ArgumentInfo argument = info.argument(i);
    if (!argument.registerClass) {
      if (numImmediates < immediates.size()) {
        int64_t value = immediates[numImmediates];
        // inst-c3
        if (value < argument.immediate->min || value > argument.immediate->max)
          return emitOpError() << "expected immediate #" << numImmediates << " of " << info.name
                               << " to be from " << argument.immediate->min << " to "
                               << argument.immediate->max << ", got " << value;
      }
      ++numImmediates;
      continue;
    }
    Type expected = registerType(getContext(), *argument.registerClass);
    // inst-c1
    if (numRegisters < getInputs().size() && getInputs()[numRegisters].getType() != expected)
      return emitOpError() << "expected operand #" << numRegisters << " of " << info.name
                           << " to be " << expected << ", got "
                           << getInputs()[numRegisters].getType();
    ++numRegisters;
  }
  // inst-c1
  if (numRegisters != getInputs().size())
    return emitOpError() << "expected " << numRegisters << " operands of " << info.name << ", got "
                         << getInputs().size();
  // inst-c3
  if (numImmediates != immediates.size())
    return emitOpError() << "expected " << numImmediates << " immediates of " << info.name
                         << ", got " << immediates.size();
  // inst-c2
  if (info.numResults() != getNumResults())
    return emitOpError() << "expected " << info.numResults() << " results of " << info.name
                         << ", got " << getNumResults();
  for (auto [index, type] : llvm::enumerate(getResultTypes())) {
    Type expected = registerType(getContext(), info.resultClass(index));
    if (type != expected)
      return emitOpError() << "expected result #" << index << " of " << info.name << " to be "
                           << expected << ", got " << type;
  }
  return verifyModifiers(*this);
}

void InstOp::getEffects(SmallVectorImpl<MemoryEffects::EffectInstance> &effects) {
  const InstInfo &info = getInfo();
  auto add = [&](unsigned bits, MemoryEffects::Effect *effect) {
    for (unsigned memory = 0; bits; ++memory, bits >>= 1)
      if (bits & 1)
        effects.emplace_back(effect, resourceOf(Memory(memory)));
  };
  add(info.reads, MemoryEffects::Read::get());
  add(info.writes, MemoryEffects::Write::get());
}
