//===- Launch.h - What a kernel is launched with ----------------*- C++ -*-===//
//
// Grid, block and arguments as the command line states them, checked against the
// kernel's parameters and the limits that every CUDA device shares, before any
// device is asked.
//
//===----------------------------------------------------------------------===//

#ifndef METTLE_RUNTIME_LAUNCH_H
#define METTLE_RUNTIME_LAUNCH_H

#include "Mettle/Runtime/Buffer.h"

#include <array>
#include <variant>
#include <vector>

namespace mettle::runtime {

/// Extents x, y, z.
using Extents = std::array<uint64_t, 3>;

struct LaunchConfig {
  /// Workgroups of the grid.
  Extents grid{1, 1, 1};
  /// Threads of a workgroup.
  Extents block{1, 1, 1};
  /// Bytes of dynamic workgroup memory.
  uint64_t dynamicShared = 0;

  /// An error that names the first extent beyond CUDA's limits (CUDA C++
  /// Programming Guide, "Compute capabilities": grid.x <= 2^31-1, grid.y and
  /// grid.z <= 65535, block.x and block.y <= 1024, block.z <= 64, 1024 threads,
  /// 227 KiB of workgroup memory).
  llvm::Error validate() const;
};

/// Reads "X", "X,Y" or "X,Y,Z"; what is left out is 1. `option` is named in the
/// error.
llvm::Expected<Extents> parseExtents(llvm::StringRef option, llvm::StringRef text);

struct Scalar {
  ElementType type;
  /// Zero-extended.
  uint64_t bits;
};

struct LaunchArgument {
  std::variant<Scalar, Buffer> value;
};

/// What a kernel says of one of its parameters.
struct KernelParameter {
  /// For messages; may be empty. A part of a record is named by the record and a path.
  std::string name;
  /// The scalar's type, or the pointer's element type.
  ElementType element;
  bool isPointer;
  /// `element` is an integer of IR, which states no sign: both signed and
  /// unsigned spellings of its width are taken.
  bool signless = false;
};

/// Reads one `--arg`. For a scalar parameter, a value (`parseElement`). For a
/// pointer, TYPE[EXTENT,...]=CONTENTS with the contents of `filledBuffer` or
/// @FILE.npy, or @FILE.npy alone, which brings its own shape. `position` counts
/// from 1 and is named in the error.
llvm::Expected<LaunchArgument>
parseLaunchArgument(llvm::StringRef text, const KernelParameter &parameter, size_t position);

/// Reads all of a kernel's arguments, and refuses too few or too many. Neighbouring parameters
/// `name.x`, `name.y[0]`, ... are the parts of one record, which takes one text: theirs in braces.
llvm::Expected<std::vector<LaunchArgument>>
parseLaunchArguments(llvm::StringRef kernel, llvm::ArrayRef<KernelParameter> parameters,
                     llvm::ArrayRef<std::string> texts);

} // namespace mettle::runtime

#endif // METTLE_RUNTIME_LAUNCH_H
