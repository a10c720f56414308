//===- ExecutionSet.h - Launches whose results are known --------*- C++ -*-===//
//
// A set of launches that ran on hardware: one JSON line each, with inputs that anyone can make
// again and hashes of every output. docs/emulator.md describes the format.
//
//===----------------------------------------------------------------------===//

#ifndef METTLE_EMULATOR_EXECUTIONSET_H
#define METTLE_EMULATOR_EXECUTIONSET_H

#include "Mettle/Emulator/Launch.h"
#include "Mettle/Emulator/TensorMap.h"
#include "Mettle/Numerics/Format.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/Support/Error.h"

namespace mettle::emulator {

/// Calls `line` for each line of a text file, or of one in the xz format if its name ends in .xz.
/// Stops with the first error of `line`.
llvm::Error forEachLine(llvm::StringRef path,
                        llvm::function_ref<llvm::Error(llvm::StringRef)> line);

struct SetParameter {
  std::string name;
  bool isTensor = false;
  /// Of a tensor: its elements (none where they are only bytes), how many bytes each, how many, and
  /// the alignment of its address.
  std::optional<numerics::Format> format;
  unsigned elementBytes = 0;
  uint64_t count = 0, alignment = 0;
  std::optional<unsigned> generator; ///< float input number j, made by rule
  std::optional<unsigned> output;
  std::optional<TensorMap> map; ///< passed by value, of the tensor named
  std::string mapOf;
  std::vector<uint8_t> bytes; ///< what it holds before the launch, if not made by rule; a scalar's
};

struct SetOutput {
  std::string sha256;         ///< the first 32 hex digits
  std::string head;           ///< the first 32 bytes in hex
  std::vector<uint8_t> bytes; ///< all of them, if the set has them
};

struct SetRecord {
  std::string kernel, ptx, ptxSHA256, entry;
  unsigned index = 0;
  std::array<uint32_t, 3> grid{1, 1, 1};
  uint32_t threads = 0, dynamicShared = 0, globalScratch = 0, parameterCount = 0;
  std::vector<SetParameter> parameters;
  /// By draw, then by output.
  std::vector<std::vector<SetOutput>> results;
};

llvm::Expected<SetRecord> parseSetRecord(llvm::StringRef line);

/// The words of float input `generator` in draw `draw`, as the set's README defines them.
std::vector<uint8_t> generatedInput(numerics::Format format, uint64_t count, unsigned generator,
                                    unsigned draw);

/// The first 32 hex digits of the SHA-256 of the bytes, and of the first bytes their hex.
SetOutput outputOf(llvm::ArrayRef<uint8_t> bytes);

struct ReplayResult {
  bool matched = false;
  /// What stopped the run, or for each output that differs the first word that does.
  std::vector<std::string> messages;
  std::optional<Fault> fault;
  RunCounts counts;
};

/// Runs one draw of a record.
ReplayResult replay(const SetRecord &record, const Kernel &kernel, unsigned draw,
                    const RunOptions &options);

} // namespace mettle::emulator

#endif // METTLE_EMULATOR_EXECUTIONSET_H
