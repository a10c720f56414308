//===- RandomProgram.h - programs with jumps and what they compute -===//
//
// A program is made as a tree of its own, which is both printed as kernel source and executed
// directly: a jump is executed as a jump, so nothing of how the frontend structures control flow is
// shared. All loops end, and every variable is set where it is read.
//
//===----------------------------------------------------------------------===//

#ifndef METTLE_UNITTESTS_FRONTEND_RANDOMPROGRAM_H
#define METTLE_UNITTESTS_FRONTEND_RANDOMPROGRAM_H

#include <array>
#include <cstdint>
#include <memory>
#include <string>

namespace mettle::frontend {

class RandomProgram {
public:
  static constexpr unsigned outputs = 16;
  using Outputs = std::array<int32_t, outputs>;

  explicit RandomProgram(uint64_t seed);
  ~RandomProgram();

  /// A helper and a kernel `k(out: int32*, a: int32, b: int32)`.
  std::string text() const;

  /// What the kernel leaves in `out`, which starts as zeros.
  Outputs run(int32_t a, int32_t b) const;

private:
  struct Implementation;
  std::unique_ptr<Implementation> implementation;
};

} // namespace mettle::frontend

#endif // METTLE_UNITTESTS_FRONTEND_RANDOMPROGRAM_H
