//===- ModuleEncoder.cpp - a module as words ------------------------------===//
//
// The order of the whole and the operations that stand directly in a module.
//
//===----------------------------------------------------------------------===//

#include "ModuleEncoder.h"

#include "Mettle/Dialect/SPIRVX/IR/SPIRVXModuleOps.h"
#include "Mettle/Target/SPIRV/Requirements.h"
#include "mlir/Dialect/SPIRV/IR/SPIRVOps.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mettle;
using namespace mettle::spirvx;
using spirv::Opcode;

static constexpr uint32_t magicNumber = 0x07230203;
/// The registry of generators gives 0 to tools that are not in it.
static constexpr uint32_t generatorNumber = 0;

uint32_t ModuleEncoder::symbolId(StringRef name) {
  uint32_t &id = symbols[name];
  if (!id)
    id = newId();
  return id;
}

uint32_t ModuleEncoder::openCLSetId() {
  if (!openCLSet) {
    SmallVector<uint32_t> words{openCLSet = newId()};
    appendString("OpenCL.std", words);
    appendInstruction(Opcode::OpExtInstImport, words, sections.imports);
  }
  return openCLSet;
}

LogicalResult ModuleEncoder::encodeRequirements(spirvx::ModuleOp module) {
  FailureOr<SPIRVRequirements> needs = deriveRequirements(module);
  if (failed(needs))
    return failure();
  for (spirv::Capability capability : needs->capabilities)
    appendInstruction(Opcode::OpCapability, {static_cast<uint32_t>(capability)},
                      sections.capabilities);
  for (spirv::Extension extension : needs->extensions) {
    SmallVector<uint32_t> words;
    appendString(spirv::stringifyExtension(extension), words);
    appendInstruction(Opcode::OpExtension, words, sections.extensions);
  }
  return success();
}

LogicalResult ModuleEncoder::encodeGlobalVariable(Operation *op) {
  auto variable = cast<spirv::GlobalVariableOp>(op);
  auto pointer = cast<spirv::PointerType>(variable.getType());
  if (variable.getInitializer())
    return op->emitOpError() << "expected no initializer";
  uint32_t type = typeId(pointer, op);
  if (!type)
    return failure();
  uint32_t id = symbolId(variable.getSymName());
  appendInstruction(Opcode::OpVariable,
                    {type, id, static_cast<uint32_t>(pointer.getStorageClass())}, sections.globals);
  name(id, variable.getSymName());
  if (std::optional<StringRef> builtIn = variable.getBuiltIn()) {
    std::optional<spirv::BuiltIn> number = spirv::symbolizeBuiltIn(*builtIn);
    if (!number)
      return op->emitOpError() << "expected the name of a built-in, got '" << *builtIn << "'";
    decorate(id, spirv::Decoration::BuiltIn, {static_cast<uint32_t>(*number)});
  }
  return decorateFromAttributes(op, id);
}

LogicalResult ModuleEncoder::encodeEntryPoint(Operation *op) {
  auto entry = cast<spirv::EntryPointOp>(op);
  SmallVector<uint32_t> words{static_cast<uint32_t>(entry.getExecutionModel()),
                              symbolId(entry.getFn())};
  appendString(entry.getFn(), words);
  for (Attribute variable : entry.getInterface())
    words.push_back(symbolId(cast<FlatSymbolRefAttr>(variable).getValue()));
  appendInstruction(Opcode::OpEntryPoint, words, sections.entryPoints);
  return success();
}

LogicalResult ModuleEncoder::encodeExecutionMode(Operation *op) {
  auto mode = cast<spirv::ExecutionModeOp>(op);
  SmallVector<uint32_t> words{symbolId(mode.getFn()),
                              static_cast<uint32_t>(mode.getExecutionMode())};
  for (Attribute value : mode.getValues())
    words.push_back(cast<IntegerAttr>(value).getValue().getZExtValue());
  appendInstruction(Opcode::OpExecutionMode, words, sections.executionModes);
  return success();
}

LogicalResult ModuleEncoder::encodeTopLevel(Operation &op) {
  return TypeSwitch<Operation *, LogicalResult>(&op)
      .Case<spirv::GlobalVariableOp>([&](auto) { return encodeGlobalVariable(&op); })
      .Case<spirv::FuncOp>([&](auto) { return encodeFunction(&op); })
      .Case<spirv::EntryPointOp>([&](auto) { return encodeEntryPoint(&op); })
      .Case<spirv::ExecutionModeOp>([&](auto) { return encodeExecutionMode(&op); })
      .Default([](Operation *other) {
        return other->emitOpError() << "expected a function, a global variable, an entry point or "
                                       "an execution mode in a module for OpenCL";
      });
}

LogicalResult ModuleEncoder::encode(spirvx::ModuleOp module, SmallVectorImpl<uint32_t> &words) {
  if (failed(encodeRequirements(module)))
    return failure();
  appendInstruction(Opcode::OpMemoryModel,
                    {static_cast<uint32_t>(spirv::AddressingModel::Physical64),
                     static_cast<uint32_t>(spirv::MemoryModel::OpenCL)},
                    sections.memoryModel);
  for (Operation &op : module.getBody().front())
    if (failed(encodeTopLevel(op)))
      return failure();

  uint32_t minor = static_cast<uint32_t>(module.getVersion());
  words.append({magicNumber, 1u << 16 | minor << 8, generatorNumber, nextId, /*schema=*/0});
  for (const Section *section :
       {&sections.capabilities, &sections.extensions, &sections.imports, &sections.memoryModel,
        &sections.entryPoints, &sections.executionModes, &sections.strings, &sections.names,
        &sections.decorations, &sections.globals, &sections.functions})
    words.append(section->begin(), section->end());
  return success();
}
