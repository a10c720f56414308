//===- Probe.h - what a device's arithmetic does ----------------*- C++ -*-===//
//
// OpenCL lets a device round divisions and square roots of f32 loosely and flush subnormals, and
// its flags for that have been wrong. So a device is asked by running operations whose every bit
// is known.
//
//===----------------------------------------------------------------------===//

#ifndef METTLE_RUNTIME_OPENCL_PROBE_H
#define METTLE_RUNTIME_OPENCL_PROBE_H

#include "Mettle/Runtime/OpenCL/Context.h"

namespace mettle::runtime::opencl {

/// What held for every operand that was tried, of one float type.
struct FloatConformance {
  ElementType type;
  /// Rounded to nearest even.
  bool divide;
  bool squareRoot;
  bool fusedMultiplyAdd;
  /// Sums and products read and make subnormal numbers.
  bool subnormals;
  /// A product and a sum are rounded twice.
  bool contractionOff;

  bool isExact() const {
    return divide && squareRoot && fusedMultiplyAdd && subnormals && contractionOff;
  }
  /// "f32: divide exact, ..., subnormals kept, contraction off".
  std::string describe() const;
};

/// Runs the probe for f32 and, where the device has it, f64.
llvm::Expected<std::vector<FloatConformance>> probe(Context &context);

/// An error that names the first operation of `conformances` whose bits are not the contract's.
llvm::Error requireExact(const DeviceInfo &device, llvm::ArrayRef<FloatConformance> conformances);

/// The probe and its judgement, which a driver asks for once for each device that it opens, before
/// anything runs there.
llvm::Error requireExact(Context &context);

} // namespace mettle::runtime::opencl

#endif // METTLE_RUNTIME_OPENCL_PROBE_H
