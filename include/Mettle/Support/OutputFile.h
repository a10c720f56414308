//===- OutputFile.h - A file that appears whole or not at all ---*- C++ -*-===//
//
// What a tool writes for `-o`. The bytes go to a temporary file beside the
// target, which `commit` renames over it: a full disk, an error found half way
// or a killed process leaves an existing file untouched and nothing half-written.
// llvm::ToolOutputFile truncates the target when it is opened, so it cannot.
//
//===----------------------------------------------------------------------===//

#ifndef METTLE_SUPPORT_OUTPUTFILE_H
#define METTLE_SUPPORT_OUTPUTFILE_H

#include "llvm/Support/Error.h"
#include "llvm/Support/raw_ostream.h"

#include <memory>
#include <string>

namespace mettle {

/// A destination opened by `open`, written through `os` and made visible by
/// `commit`. Destroyed without a commit, it leaves no trace.
class OutputFile {
public:
  /// Opens `path` for writing; "-" is the standard output. A symbolic link is
  /// followed. A device or a pipe (/dev/stdout, /dev/null) is written directly,
  /// since it cannot be replaced. The error reads `cannot write 'path': reason`.
  static llvm::Expected<OutputFile> open(llvm::StringRef path);

  OutputFile(OutputFile &&) = default;
  OutputFile &operator=(OutputFile &&) = delete;
  ~OutputFile();

  llvm::raw_ostream &os() { return *stream; }

  /// Flushes and makes the file visible under its name. A failed write anywhere
  /// since `open` is reported here, with nothing changed on disk.
  llvm::Error commit();

private:
  OutputFile(llvm::StringRef path, llvm::StringRef target, llvm::StringRef temporary,
             std::unique_ptr<llvm::raw_fd_ostream> stream);
  llvm::Error failure(std::error_code reason) const;

  /// The name the user gave, for messages.
  std::string path;
  /// The file `commit` replaces: `path` with links resolved.
  std::string target;
  /// The file being written; empty when the target is written directly.
  std::string temporary;
  std::unique_ptr<llvm::raw_fd_ostream> stream;
};

} // namespace mettle

#endif // METTLE_SUPPORT_OUTPUTFILE_H
