//===- Interpreter.h - run kernels on the CPU, exactly -===//
//
// The reference for a kernel's bits, and a sanitizer. It executes the dialects above the targets:
// work-items of a workgroup one after another from barrier to barrier, workgroups in linear order
// (x fastest), every float operation rounded exactly as the operation says.
//
//===----------------------------------------------------------------------===//

#ifndef METTLE_INTERPRETER_INTERPRETER_H
#define METTLE_INTERPRETER_INTERPRETER_H

#include "mlir/IR/BuiltinOps.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include <array>
#include <cstdint>
#include <functional>
#include <memory>

namespace mettle::interpreter {
class GlobalBuffer;

/// One argument of a kernel.
class KernelArgument {
public:
  /// A number: its `width` bits, the low ones of `bits`. The kernel's type says whether they are
  /// an integer or a float.
  static KernelArgument scalar(uint64_t bits, unsigned width);
  /// The address `byteOffset` bytes into `buffer`, which outlives the launch. One buffer may be
  /// given several times: the pointers alias.
  static KernelArgument pointer(GlobalBuffer &buffer, uint64_t byteOffset = 0);

  /// Null for a scalar.
  GlobalBuffer *getBuffer() const { return buffer; }
  /// The scalar's bits, or the pointer's offset in bytes.
  uint64_t getBits() const { return bits; }
  /// Width of the scalar in bits.
  unsigned getWidth() const { return width; }

private:
  KernelArgument(GlobalBuffer *buffer, uint64_t bits, unsigned width)
      : buffer(buffer), bits(bits), width(width) {}

  GlobalBuffer *buffer;
  uint64_t bits;
  unsigned width;
};

/// Counts along x, y and z.
using Extents = std::array<uint32_t, 3>;

/// What a work-item prints.
struct Print {
  llvm::StringRef text;
  /// One for each value, as `mettle.print` says.
  llvm::ArrayRef<llvm::StringRef> kinds;
  /// Zero-extended bits.
  llvm::ArrayRef<uint64_t> values;
  Extents workgroup, workItem;
};

struct LaunchConfig {
  /// Workgroups, each axis from 1 to 2^31 - 1.
  Extents grid = {1, 1, 1};
  /// Work-items of a workgroup, each axis at least 1, at most 1024 together.
  Extents block = {1, 1, 1};
  /// Lanes of a full subgroup: 1, 4, 8, 16, 32 or 64. 0 is what the kernel fixes, else 32; anything
  /// else than what a kernel fixes is refused. Lanes are neighbours in the linear order, x fastest.
  uint32_t subgroupSize = 0;
  /// Size of what `mettle.dynamic_workgroup` points at.
  uint64_t dynamicWorkgroupBytes = 0;
  /// The most instructions that one work-item may execute; 0 is no limit.
  uint64_t stepLimit = 0;
  /// Whether accesses of two work-items to the same bytes of global memory are compared, which
  /// costs about seven bytes for each byte touched. Workgroup memory always is.
  bool reportGlobalRaces = true;
  /// Called at each `mettle.print`, which does nothing where this is empty.
  std::function<void(const Print &)> print;
  /// Called after each workgroup with the number done and the number of all.
  std::function<void(uint64_t done, uint64_t all)> progress;
};

/// What a launch did, up to its end or its first fault.
struct LaunchStatistics {
  uint64_t workgroups = 0;
  uint64_t workItems = 0;
  /// Instructions of the flat program; about one an operation and vector element.
  uint64_t instructions = 0;
};

/// Runs the kernels of a module. Everything that goes wrong is a diagnostic of the module's
/// context, at the source line of the operation: an operation without a model, arguments that do
/// not fit, and what the sanitizer finds, of which the first ends the run:
///
/// * an access out of bounds, misaligned, or of bytes that nothing wrote;
/// * two work-items that touch the same byte, one of them writing and not both atomically, with
///   no barrier, and no acquire of what the first released, between (a note shows the other
///   access);
/// * a barrier that some work-items of the workgroup do not reach, or a collective that some lanes
///   of the subgroup do not reach and have not returned;
/// * a lane that is read by a broadcast and absent or not the same everywhere;
/// * a generic pointer cast to a space that its memory is not in;
/// * an assertion that does not hold;
/// * integer operations without a value (division by zero, a shift by the width or more, a float
///   that the integer type cannot hold, overflow that a flag excludes), a read of `ub.poison`.
class Interpreter {
public:
  /// `module` outlives the interpreter and is not changed between runs. Its context was given
  /// registerModels.
  explicit Interpreter(mlir::ModuleOp module);
  Interpreter(Interpreter &&) noexcept;
  ~Interpreter();

  /// Lowers a kernel and the functions it calls to a flat program, once. Fails with an error where
  /// there is no such kernel or an operation has no model. `run` does it when needed.
  llvm::LogicalResult prepare(llvm::StringRef kernel);

  /// Executes one launch. The results are in the buffers of `arguments`; after a fault they hold
  /// what had been written by then.
  llvm::LogicalResult run(llvm::StringRef kernel, const LaunchConfig &config,
                          llvm::ArrayRef<KernelArgument> arguments,
                          LaunchStatistics *statistics = nullptr);

private:
  struct Implementation;
  std::unique_ptr<Implementation> implementation;
};

} // namespace mettle::interpreter

#endif // METTLE_INTERPRETER_INTERPRETER_H
