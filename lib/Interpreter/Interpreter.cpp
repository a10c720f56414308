//===- Interpreter.cpp - run kernels on the CPU, exactly -===//
//
// Checks a launch, binds its arguments and runs its workgroups.
//
//===----------------------------------------------------------------------===//

#include "Mettle/Interpreter/Interpreter.h"

#include "Lowering.h"
#include "Mettle/Dialect/Mettle/IR/KernelOps.h"
#include "Mettle/Interpreter/GlobalBuffer.h"
#include "Workgroup.h"
#include "llvm/ADT/StringMap.h"
#include <numeric>

using namespace mlir;
using namespace mettle;
using namespace mettle::interpreter;

#include "Mettle/Interpreter/InterpretableOpInterface.cpp.inc"

KernelArgument KernelArgument::scalar(uint64_t bits, unsigned width) {
  return KernelArgument(nullptr, bits, width);
}

KernelArgument KernelArgument::pointer(GlobalBuffer &buffer, uint64_t byteOffset) {
  return KernelArgument(&buffer, byteOffset, 0);
}

struct Interpreter::Implementation {
  ModuleOp module;
  SymbolTableCollection symbols;
  llvm::StringMap<std::unique_ptr<Program>> programs;

  explicit Implementation(ModuleOp module) : module(module) {}
  FailureOr<KernelOp> find(StringRef kernel);
  FailureOr<const Program *> prepare(KernelOp kernel);
};

FailureOr<KernelOp> Interpreter::Implementation::find(StringRef name) {
  if (auto kernel =
          symbols.lookupSymbolIn<KernelOp>(module, StringAttr::get(module.getContext(), name)))
    return kernel;
  InFlightDiagnostic diagnostic = module.emitError() << "expected one of the kernels ";
  llvm::interleaveComma(module.getOps<KernelOp>(), diagnostic,
                        [&](KernelOp kernel) { diagnostic << "'" << kernel.getName() << "'"; });
  return diagnostic << ", got '" << name << "'";
}

FailureOr<const Program *> Interpreter::Implementation::prepare(KernelOp kernel) {
  std::unique_ptr<Program> &program = programs[kernel.getName()];
  if (!program) {
    FailureOr<std::unique_ptr<Program>> lowered = ProgramLowering(symbols).lower(kernel);
    if (failed(lowered))
      return failure();
    program = std::move(*lowered);
  }
  return program.get();
}

//===----------------------------------------------------------------------===//
// Launches
//===----------------------------------------------------------------------===//

static LogicalResult checkExtents(KernelOp kernel, const LaunchConfig &config) {
  constexpr uint32_t maxGrid = 2147483647;
  constexpr uint64_t maxBlock = maxBlockSize;
  for (uint32_t extent : config.grid)
    if (extent < 1 || extent > maxGrid)
      return kernel.emitError() << "expected a grid of 1 to " << maxGrid
                                << " workgroups along each axis, got " << extent;
  uint64_t items = 1;
  for (uint32_t extent : config.block) {
    if (extent < 1 || extent > maxBlock)
      return kernel.emitError() << "expected workgroups of 1 to " << maxBlock
                                << " work-items along each axis, got " << extent;
    items *= extent;
  }
  if (items > maxBlock)
    return kernel.emitError() << "expected workgroups of at most " << maxBlock
                              << " work-items, got " << items;
  return kernel.verifyBlock({config.block[0], config.block[1], config.block[2]});
}

static FailureOr<uint32_t> chooseSubgroupSize(KernelOp kernel, const LaunchConfig &config) {
  std::optional<uint32_t> fixed = kernel.getSubgroupSize();
  uint32_t asked = config.subgroupSize;
  if (fixed && asked && asked != *fixed)
    return kernel.emitError() << "kernel '" << kernel.getName() << "' fixes a subgroup size of "
                              << *fixed << ", the launch asks for " << asked;
  if (asked && !llvm::is_contained({1u, 4u, 8u, 16u, 32u, 64u}, asked))
    return kernel.emitError() << "expected a subgroup size of 1, 4, 8, 16, 32 or 64, got " << asked;
  constexpr uint32_t standard = 32;
  return fixed ? *fixed : asked ? asked : standard;
}

static LogicalResult checkArguments(KernelOp kernel, ArrayRef<KernelArgument> arguments) {
  ArrayRef<Type> types = kernel.getArgumentTypes();
  if (types.size() != arguments.size())
    return kernel.emitError() << "expected " << types.size() << " arguments for kernel '"
                              << kernel.getName() << "', got " << arguments.size();
  for (auto [number, type, argument] : llvm::enumerate(types, arguments)) {
    bool fits = isa<PtrType>(type)
                    ? argument.getBuffer() != nullptr
                    : !argument.getBuffer() && argument.getWidth() == type.getIntOrFloatBitWidth();
    if (fits)
      continue;
    InFlightDiagnostic diagnostic = kernel.emitError();
    diagnostic << "expected argument #" << number << " of kernel '" << kernel.getName()
               << "' to be of type " << type << ", got ";
    if (argument.getBuffer())
      diagnostic << "a buffer";
    else
      diagnostic << "a number of " << argument.getWidth() << " bits";
    return diagnostic;
  }
  return success();
}

/// Far more than any device has, and little enough for the host.
static LogicalResult checkMemory(KernelOp kernel, const Program &program,
                                 const LaunchConfig &config) {
  constexpr uint64_t maxWorkgroupBytes = uint64_t(1) << 28, maxPrivateBytes = uint64_t(1) << 30;
  auto add = [](uint64_t sum, const StaticArray &array) {
    return llvm::SaturatingAdd(sum, array.bytes);
  };
  uint64_t shared = std::accumulate(program.workgroupArrays.begin(), program.workgroupArrays.end(),
                                    config.dynamicWorkgroupBytes, add);
  if (shared > maxWorkgroupBytes)
    return kernel.emitError() << "expected at most " << maxWorkgroupBytes
                              << " bytes of workgroup memory, got " << shared;
  uint64_t each =
      std::accumulate(program.privateArrays.begin(), program.privateArrays.end(), uint64_t(0), add);
  uint64_t items = uint64_t(config.block[0]) * config.block[1] * config.block[2];
  if (llvm::SaturatingMultiply(each, items) > maxPrivateBytes)
    return kernel.emitError() << "expected at most " << maxPrivateBytes
                              << " bytes of private memory in a workgroup, got " << items
                              << " times " << each;
  return success();
}

/// Gives each distinct buffer a number and writes the arguments' slots.
static void bindArguments(Launch &launch, ArrayRef<KernelArgument> arguments) {
  llvm::DenseMap<GlobalBuffer *, uint64_t> numbers;
  size_t slot = 0;
  for (const KernelArgument &argument : arguments) {
    launch.entryFrame[slot++] = argument.getBits();
    GlobalBuffer *buffer = argument.getBuffer();
    if (!buffer)
      continue;
    auto [entry, isNew] = numbers.try_emplace(buffer, launch.globals.size());
    if (isNew) {
      Allocation allocation;
      allocation.data = buffer->getData();
      allocation.bytes = buffer->getSize();
      allocation.initialised = buffer->getInitialised();
      allocation.name = "'" + buffer->getName() + "'";
      if (launch.config.reportGlobalRaces) {
        launch.histories.push_back(
            std::make_unique<AccessHistory>(buffer->getSize(), /*outlivesWorkgroup=*/true));
        allocation.history = launch.histories.back().get();
      }
      launch.globals.push_back(std::move(allocation));
    }
    launch.entryFrame[slot++] = makeHandle(AddressSpace::Global, entry->second);
  }
}

static LogicalResult execute(Launch &launch, LaunchStatistics &statistics) {
  const Extents &grid = launch.config.grid;
  // A launch too large for 64 bits does not end.
  uint64_t all = llvm::SaturatingMultiply(uint64_t(grid[0]) * grid[1], uint64_t(grid[2]));
  Workgroup group(launch);
  for (uint64_t place = 0; place < all; ++place) {
    if (failed(group.run(place, statistics)))
      return failure();
    if (launch.config.progress)
      launch.config.progress(place + 1, all);
  }
  return success();
}

Interpreter::Interpreter(ModuleOp module)
    : implementation(std::make_unique<Implementation>(module)) {}
Interpreter::Interpreter(Interpreter &&) noexcept = default;
Interpreter::~Interpreter() = default;

LogicalResult Interpreter::prepare(StringRef name) {
  FailureOr<KernelOp> kernel = implementation->find(name);
  return success(succeeded(kernel) && succeeded(implementation->prepare(*kernel)));
}

LogicalResult Interpreter::run(StringRef name, const LaunchConfig &config,
                               ArrayRef<KernelArgument> arguments, LaunchStatistics *statistics) {
  FailureOr<KernelOp> kernel = implementation->find(name);
  if (failed(kernel))
    return failure();
  FailureOr<const Program *> program = implementation->prepare(*kernel);
  if (failed(program) || failed(checkExtents(*kernel, config)) ||
      failed(checkArguments(*kernel, arguments)) || failed(checkMemory(*kernel, **program, config)))
    return failure();
  FailureOr<uint32_t> subgroupSize = chooseSubgroupSize(*kernel, config);
  if (failed(subgroupSize))
    return failure();
  const Function &entry = (*program)->functions.front();
  Launch launch{**program, config, *subgroupSize, {}, {}, {}, {}, 0};
  launch.entryFrame.resize(entry.frameSlots);
  llvm::copy(entry.constants, launch.entryFrame.begin() + entry.constantBase);
  bindArguments(launch, arguments);
  LaunchStatistics counted;
  LogicalResult result = execute(launch, counted);
  if (statistics)
    *statistics = counted;
  return result;
}
