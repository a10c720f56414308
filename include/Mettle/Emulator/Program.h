//===- Program.h - PTX made ready to run ------------------------*- C++ -*-===//
//
// A PTX text is read once; each entry that is asked for is decoded once, to a form that any number
// of threads may run at the same time.
//
//===----------------------------------------------------------------------===//

#ifndef METTLE_EMULATOR_PROGRAM_H
#define METTLE_EMULATOR_PROGRAM_H

#include "Mettle/Assembly/PTX/Parser.h"
#include <array>
#include <memory>
#include <string>
#include <vector>

namespace mettle::emulator {

struct Code;

/// A parameter of an entry.
struct Parameter {
  std::string name;
  assembly::ptx::Type type = assembly::ptx::Type::None;
  uint32_t offset = 0, bytes = 0;
  bool isArray = false; ///< a structure passed by value
};

/// A decoded entry.
class Kernel {
public:
  explicit Kernel(std::unique_ptr<const Code> code);
  ~Kernel();

  llvm::StringRef name() const { return entryName; }
  llvm::ArrayRef<Parameter> parameters() const { return parameterList; }
  uint32_t parameterBytes() const;
  /// Bytes of shared memory that its variables take.
  uint32_t staticShared() const;
  /// The `.reqntid` or zeros.
  std::array<uint32_t, 3> requiredThreads() const;
  /// Results may depend on the order of blocks, so they run one after another.
  bool isOrderSensitive() const;
  /// What a user should know of this kernel's emulation: instructions that run as written though
  /// an assembler may contract them, results that depend on scheduling. Offset in the text first.
  llvm::ArrayRef<std::pair<uint32_t, std::string>> notes() const;
  const Code &code() const { return *decoded; }

private:
  std::unique_ptr<const Code> decoded;
  std::string entryName;
  std::vector<Parameter> parameterList;
};

class Program {
public:
  /// Reads a text, which must be followed by a zero byte and outlive the program. Null after
  /// errors.
  static std::unique_ptr<Program> read(llvm::StringRef text,
                                       std::vector<assembly::ptx::Diagnostic> &errors);

  const assembly::ptx::Module &module() const { return ptx; }
  std::vector<llvm::StringRef> entries() const;
  /// Decodes an entry; null after errors, which say what instruction is not modelled.
  std::unique_ptr<Kernel> kernel(llvm::StringRef name,
                                 std::vector<assembly::ptx::Diagnostic> &errors) const;

private:
  assembly::ptx::Module ptx;
};

} // namespace mettle::emulator

#endif // METTLE_EMULATOR_PROGRAM_H
