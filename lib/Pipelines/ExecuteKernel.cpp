//===- ExecuteKernel.cpp - a kernel and the runtime's arguments -----------===//
//
// Reads parameters off a kernel and hands arrays to the interpreter.
//
//===----------------------------------------------------------------------===//

#include "Mettle/Pipelines/ExecuteKernel.h"

#include "Mettle/Interpreter/GlobalBuffer.h"
#include "Mettle/Interpreter/Interpreter.h"

using namespace mlir;
using namespace mettle;
using runtime::KernelParameter;
using runtime::LaunchArgument;

static std::optional<runtime::ElementType> elementOf(Type type) {
  using runtime::ElementType;
  if (type.isF16())
    return ElementType::F16;
  if (type.isF32())
    return ElementType::F32;
  if (type.isF64())
    return ElementType::F64;
  if (type.isInteger(8))
    return ElementType::I8;
  if (type.isInteger(16))
    return ElementType::I16;
  if (type.isInteger(32))
    return ElementType::I32;
  if (type.isInteger(64))
    return ElementType::I64;
  return std::nullopt;
}

/// A parameter's name, which the frontend leaves in its location, or its position.
static std::string nameOf(BlockArgument argument) {
  if (auto name = argument.getLoc()->findInstanceOf<NameLoc>())
    return name.getName().str();
  return "arg" + std::to_string(argument.getArgNumber());
}

llvm::Expected<SmallVector<KernelParameter>> mettle::parametersOf(KernelOp kernel) {
  SmallVector<KernelParameter> parameters;
  for (BlockArgument argument : kernel.getArguments()) {
    auto pointer = dyn_cast<PtrType>(argument.getType());
    Type type = pointer ? pointer.getElementType() : argument.getType();
    std::optional<runtime::ElementType> element = elementOf(type);
    if (!element)
      return llvm::createStringError("no argument can be given for parameter '" + nameOf(argument) +
                                     "': its element type has no array form");
    parameters.push_back({nameOf(argument), *element, bool(pointer), /*signless=*/true});
  }
  return parameters;
}

LogicalResult mettle::interpretKernel(KernelOp kernel, const runtime::LaunchConfig &config,
                                      ArrayRef<KernelParameter> parameters,
                                      MutableArrayRef<LaunchArgument> arguments,
                                      const InterpretOptions &options) {
  std::vector<interpreter::GlobalBuffer> buffers;
  buffers.reserve(arguments.size());
  SmallVector<interpreter::KernelArgument> values;
  for (auto [parameter, argument] : llvm::zip_equal(parameters, arguments)) {
    if (auto *scalar = std::get_if<runtime::Scalar>(&argument.value)) {
      values.push_back(interpreter::KernelArgument::scalar(scalar->bits,
                                                           runtime::recordOf(scalar->type).bits()));
      continue;
    }
    MutableArrayRef<uint8_t> data = std::get<runtime::Buffer>(argument.value).data();
    buffers.emplace_back(parameter.name, data.data(), data.size());
    values.push_back(interpreter::KernelArgument::pointer(buffers.back()));
  }
  interpreter::LaunchConfig launch;
  llvm::copy(config.grid, launch.grid.begin());
  llvm::copy(config.block, launch.block.begin());
  launch.dynamicWorkgroupBytes = config.dynamicShared;
  launch.stepLimit = options.stepLimit;
  launch.subgroupSize = options.subgroupSize;
  launch.print = options.print;
  if (options.afterWorkgroup)
    launch.progress = [&](uint64_t, uint64_t) { options.afterWorkgroup(); };
  auto module = kernel->getParentOfType<ModuleOp>();
  return interpreter::Interpreter(module).run(kernel.getSymName(), launch, values);
}
