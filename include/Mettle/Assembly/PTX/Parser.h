//===- Parser.h - From PTX text to a decoded module -------------*- C++ -*-===//
//
// The reader's entry point.
//
//===----------------------------------------------------------------------===//

#ifndef METTLE_ASSEMBLY_PTX_PARSER_H
#define METTLE_ASSEMBLY_PTX_PARSER_H

#include "Mettle/Assembly/PTX/Diagnostic.h"
#include "Mettle/Assembly/PTX/Module.h"

namespace mettle::assembly::ptx {

struct ParseOptions {
  /// Longer texts are refused with one error. Offsets are 32 bits, so 4 GiB - 1 is the end.
  uint64_t maxBytes = uint64_t(512) << 20;
  /// After this many errors reading stops.
  unsigned maxErrors = 20;
  /// Refuse opcodes that the module's target does not have (wgmma under sm_90).
  bool checkTarget = true;
};

/// Reads `text` into `module`, whose former contents go but whose memory is used again. The text
/// must be followed by a zero byte, as those of std::string and llvm::MemoryBuffer are, and must
/// outlive the module. Appends what is wrong to `errors`; true when nothing is. After errors the
/// module holds what could be read and must not be interpreted.
bool parse(llvm::StringRef text, Module &module, std::vector<Diagnostic> &errors,
           const ParseOptions &options = {});

/// What `parse` says of a text of this length: nothing, or that it is too long. Lets a caller
/// refuse a file before reading it.
std::optional<Diagnostic> sizeFault(uint64_t bytes, const ParseOptions &options);

} // namespace mettle::assembly::ptx

#endif // METTLE_ASSEMBLY_PTX_PARSER_H
