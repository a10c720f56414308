//===- Profile.h - What a run consisted of ----------------------*- C++ -*-===//
//
// Counts of a run: instructions by class, bytes by space, bank conflicts of shared memory,
// divergence. Counts of what the program does, not of time.
//
//===----------------------------------------------------------------------===//

#ifndef METTLE_EMULATOR_PROFILE_H
#define METTLE_EMULATOR_PROFILE_H

#include "llvm/ADT/StringRef.h"
#include <array>
#include <cstdint>

namespace llvm {
class raw_ostream;
} // namespace llvm

namespace mettle::emulator {

struct Profile {
  struct Instructions {
    uint64_t warps = 0, threads = 0;
  };
  struct Bytes {
    uint64_t read = 0, written = 0;
  };
  /// By class and by space of lib/Emulator/Op.h, in the order of `classNames` and `spaceNames`.
  std::array<Instructions, 16> instructions;
  std::array<Bytes, 6> bytes;
  /// Warp instructions that some live thread of the warp did not take part in.
  uint64_t divergent = 0;
  /// Passes over the 32 banks of four bytes that loads and stores of shared memory took, and how
  /// many they would take without conflicts (8 threads a pass for 16 bytes, 16 for 8, else 32).
  uint64_t sharedPasses = 0, sharedPassesNeeded = 0;

  void add(const Profile &other);
};

/// Names of the rows, for the table and for JSON.
llvm::StringRef profileClassName(unsigned row);
llvm::StringRef profileSpaceName(unsigned row);

void printProfile(llvm::raw_ostream &os, const Profile &profile);
void printProfileJSON(llvm::raw_ostream &os, const Profile &profile);

} // namespace mettle::emulator

#endif // METTLE_EMULATOR_PROFILE_H
