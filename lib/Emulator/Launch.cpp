//===- Launch.cpp - Blocks over the machine's cores -----------------------===//
//
// Checks a launch, lays out the module's variables, and hands blocks to workers in rising order.
//
//===----------------------------------------------------------------------===//

#include "Mettle/Emulator/Launch.h"
#include "Block.h"
#include "Mettle/Assembly/PTX/Initializer.h"
#include "llvm/ADT/StringExtras.h"
#include <atomic>
#include <cstring>
#include <mutex>
#include <thread>

using namespace mettle::emulator;
using namespace mettle::assembly;

static Fault launchFault(std::string message) {
  Fault fault{};
  fault.kind = FaultKind::Misuse;
  fault.message = std::move(message);
  fault.hasBlock = false;
  return fault;
}

/// The same at a directive of the entry.
static Fault launchFault(const Code &code, llvm::StringRef directive, std::string message) {
  Fault fault = launchFault(std::move(message));
  const ptx::Range &directives = code.entry->directives;
  for (uint32_t i = directives.first; i < directives.last; ++i)
    if (code.module->name(code.module->directives[i].name) == directive)
      fault.offset = code.module->directives[i].text.offset;
  return fault;
}

static std::optional<Fault> checkLaunch(const Code &code, const Launch &launch) {
  uint64_t threads = uint64_t(launch.block[0]) * launch.block[1] * launch.block[2];
  if (!threads || threads > 1024)
    return launchFault("expected a block of 1 to 1024 threads, found " + llvm::utostr(threads));
  for (unsigned i = 0; i < 3; ++i) {
    if (!launch.grid[i])
      return launchFault("expected a grid of at least one block, found an extent of 0");
    if (code.requiredThreads[i] && code.requiredThreads[i] != launch.block[i])
      return launchFault(
          code, "reqntid",
          "expected the block that .reqntid asks for, " + llvm::utostr(code.requiredThreads[0]) +
              ", " + llvm::utostr(code.requiredThreads[1]) + ", " +
              llvm::utostr(code.requiredThreads[2]) + ", found " + llvm::utostr(launch.block[0]) +
              ", " + llvm::utostr(launch.block[1]) + ", " + llvm::utostr(launch.block[2]));
  }
  uint64_t allowed = uint64_t(code.maximumThreads[0]) * std::max(code.maximumThreads[1], 1u) *
                     std::max(code.maximumThreads[2], 1u);
  if (allowed && threads > allowed)
    return launchFault(code, "maxntid",
                       "expected at most the " + llvm::utostr(allowed) +
                           " threads of .maxntid, found " + llvm::utostr(threads));
  if (launch.parameters.size() < code.paramBytes)
    return launchFault("expected " + llvm::utostr(code.paramBytes) +
                       " bytes of parameters, found " + llvm::utostr(launch.parameters.size()));
  uint64_t shared = uint64_t(code.dynamicOffset) - SharedStart + launch.dynamicShared;
  if (shared > 227 * 1024)
    return launchFault("expected at most 232448 bytes of shared memory, found " +
                       llvm::utostr(shared));
  return std::nullopt;
}

/// Fills the module's variables of global and constant memory with what they start with.
static std::optional<Fault> initialise(LaunchState &state) {
  const Code &code = state.code;
  const ptx::Module &module = *code.module;
  state.globalVariables.resize(code.globalVariableBytes);
  state.constantVariables.resize(code.constantBytes);
  for (uint32_t i = 0; i < module.variables.size(); ++i) {
    const ptx::Variable &variable = module.variables[i];
    bool isGlobal = variable.space == ptx::StateSpace::Global;
    if ((!isGlobal && variable.space != ptx::StateSpace::Const) || variable.initializer.empty() ||
        code.variableOffset[i] == ~uint64_t(0))
      continue;
    std::vector<uint8_t> bytes;
    std::vector<ptx::Relocation> relocations;
    std::string reason;
    if (!ptx::initialBytes(module, variable, bytes, relocations, reason)) {
      Fault fault = launchFault(reason);
      fault.offset = variable.offset;
      return fault;
    }
    uint64_t offset = code.variableOffset[i] - (isGlobal ? GlobalVariableBase : ConstantBase);
    for (const ptx::Relocation &relocation : relocations) {
      uint64_t address = ~uint64_t(0);
      for (uint32_t j = 0; j < module.variables.size(); ++j)
        if (module.variables[j].name == relocation.symbol &&
            module.variables[j].function == ptx::None)
          address = code.variableOffset[j];
      if (address == ~uint64_t(0) || relocation.mask != ~uint64_t(0)) {
        Fault fault = launchFault("expected the address of a variable in an initialiser");
        fault.kind = FaultKind::Unsupported;
        fault.offset = variable.offset;
        return fault;
      }
      address += relocation.addend;
      memcpy(bytes.data() + relocation.offset, &address, relocation.bytes);
    }
    auto &to = isGlobal ? state.globalVariables : state.constantVariables;
    memcpy(to.data() + offset, bytes.data(), std::min<size_t>(bytes.size(), to.size() - offset));
  }
  return std::nullopt;
}

std::optional<Fault> mettle::emulator::run(const Kernel &kernel, const Launch &launch,
                                           GlobalMemory &memory, const RunOptions &options,
                                           RunCounts *counts) {
  const Code &code = kernel.code();
  if (std::optional<Fault> fault = checkLaunch(code, launch))
    return fault;
  uint32_t firstInterval = options.checks ? memory.startChecks() : 1;
  LaunchState state{
      code, launch, memory, options, {}, {}, launch.parameters, Intervals(firstInterval)};
  state.parameters.resize(code.paramBytes + 16);
  if (std::optional<Fault> fault = initialise(state))
    return fault;
  uint64_t blocks = uint64_t(launch.grid[0]) * launch.grid[1] * launch.grid[2];
  unsigned workers = options.workers ? options.workers : std::thread::hardware_concurrency();
  workers = unsigned(std::min<uint64_t>(std::max(workers, 1u), blocks));
  if (code.isOrderSensitive)
    workers = 1;
  std::atomic<uint64_t> nextBlock{0}, faultBlock{~uint64_t(0)}, finished{0};
  std::mutex mutex;
  std::optional<Fault> first;
  RunCounts total;
  auto work = [&](bool reports) {
    Block block(state);
    for (uint64_t linear; (linear = nextBlock++) < blocks && linear < faultBlock;) {
      if (std::optional<Fault> fault = block.run(linear)) {
        std::lock_guard lock(mutex);
        if (linear < faultBlock) {
          faultBlock = linear;
          first = std::move(fault);
        }
        break;
      }
      ++finished;
      if (reports && options.progress)
        options.progress(finished);
    }
    std::lock_guard lock(mutex);
    for (auto &warp : block.warps) {
      total.warpInstructions += warp->steps;
      total.laneInstructions += warp->laneSteps;
      if (options.profile)
        options.profile->add(warp->profile);
    }
  };
  std::vector<std::thread> threads;
  for (unsigned i = 1; i < workers; ++i)
    threads.emplace_back(work, false);
  work(true);
  for (std::thread &thread : threads)
    thread.join();
  if (options.checks)
    memory.endChecks(state.intervals.next());
  if (counts)
    *counts = total;
  return first;
}
