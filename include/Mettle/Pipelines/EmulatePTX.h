//===- EmulatePTX.h - PTX and the runtime's arguments -----------*- C++ -*-===//
//
// Between the emulator, which knows addresses and bytes, and the arrays and numbers that a command
// line gives. No MLIR.
//
//===----------------------------------------------------------------------===//

#ifndef METTLE_PIPELINES_EMULATEPTX_H
#define METTLE_PIPELINES_EMULATEPTX_H

#include "Mettle/Emulator/Launch.h"
#include "Mettle/Emulator/TensorMap.h"
#include "Mettle/Runtime/Launch.h"

#include <functional>
#include <optional>

namespace mettle {

/// A PTX text, read, with one of its entries decoded.
class PTXKernel {
public:
  /// `path` is what messages call the text. An empty `entry` takes the only one there is. An error
  /// is the first complaint, `path:line:column: error: ...`, or says which entries there are.
  static llvm::Expected<PTXKernel> read(std::string path, std::string text, llvm::StringRef entry);

  llvm::StringRef path() const { return name; }
  llvm::StringRef text() const { return *contents; }
  const emulator::Kernel &kernel() const { return *decoded; }

  /// Takes out of `texts` the arguments that are tensor maps made by a host, `map={"of":
  /// "PARAMETER", ...}`: the fields of emulator::TensorMap::parse and the array that the map is of.
  /// Each becomes an array of 128 bytes, which the entry gets by value or by its address.
  llvm::Error takeTensorMaps(std::vector<std::string> &texts);

  /// What the entry's parameters take. PTX does not say which 64-bit number is a pointer, nor to
  /// what: an argument spelled as an array makes one. `texts` are the arguments.
  llvm::Expected<std::vector<runtime::KernelParameter>>
  parameters(llvm::ArrayRef<std::string> texts) const;

  /// Prints what one should know of this kernel's emulation, a note a line.
  void printNotes(llvm::raw_ostream &os) const;

  /// Runs one launch; the arrays of `arguments` hold what was written. A fault of the kernel is an
  /// error with its line; what the arrays hold then is unspecified. A launch that the entry cannot
  /// take leaves them as they were.
  llvm::Error run(const runtime::LaunchConfig &config,
                  llvm::ArrayRef<runtime::KernelParameter> parameters,
                  llvm::MutableArrayRef<runtime::LaunchArgument> arguments,
                  const emulator::RunOptions &options) const;

private:
  struct MapArgument {
    size_t position, of;
    emulator::TensorMap map;
  };

  std::string name;
  std::vector<MapArgument> maps;
  /// On the heap: the program points into it.
  std::unique_ptr<std::string> contents;
  std::unique_ptr<emulator::Program> program;
  std::unique_ptr<emulator::Kernel> decoded;
};

} // namespace mettle

#endif // METTLE_PIPELINES_EMULATEPTX_H
