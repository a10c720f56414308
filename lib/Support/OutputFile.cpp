//===- OutputFile.cpp - A file that appears whole or not at all -----------===//
//
// Temporary file and rename. The temporary lies in the target's folder, because
// rename is atomic within one file system only.
//
//===----------------------------------------------------------------------===//

#include "Mettle/Support/OutputFile.h"

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Signals.h"

using namespace llvm;

namespace fs = llvm::sys::fs;

namespace mettle {

static Error cannotWrite(StringRef path, std::error_code reason) {
  return createStringError(reason, "cannot write '%s': %s", path.str().c_str(),
                           reason.message().c_str());
}

OutputFile::OutputFile(StringRef path, StringRef target, StringRef temporary,
                       std::unique_ptr<raw_fd_ostream> stream)
    : path(path), target(target), temporary(temporary), stream(std::move(stream)) {}

Error OutputFile::failure(std::error_code reason) const { return cannotWrite(path, reason); }

Expected<OutputFile> OutputFile::open(StringRef path) {
  if (path.empty())
    return cannotWrite(path, std::make_error_code(std::errc::invalid_argument));
  if (path == "-")
    return OutputFile("standard output", "", "",
                      std::make_unique<raw_fd_ostream>(1, /*shouldClose=*/false));

  SmallString<128> target(path);
  fs::file_status status;
  std::error_code statusError = fs::status(path, status);
  bool exists = !statusError;
  if (statusError && statusError != std::errc::no_such_file_or_directory)
    return cannotWrite(path, statusError);
  if (exists) {
    if (status.type() == fs::file_type::directory_file)
      return cannotWrite(path, std::make_error_code(std::errc::is_a_directory));
    if (status.type() != fs::file_type::regular_file) {
      std::error_code error;
      auto stream = std::make_unique<raw_fd_ostream>(path, error, fs::CD_OpenExisting, fs::FA_Write,
                                                     fs::OF_None);
      if (error)
        return cannotWrite(path, error);
      return OutputFile(path, "", "", std::move(stream));
    }
    // A file that may not be written must not be replaced either, although its
    // folder would allow it.
    if (std::error_code error = fs::access(path, fs::AccessMode::Write))
      return cannotWrite(path, error);
    if (std::error_code error = fs::real_path(path, target))
      return cannotWrite(path, error);
  }

  int descriptor = -1;
  SmallString<128> temporary;
  if (std::error_code error = fs::createUniqueFile(target + ".tmp-%%%%%%%%", descriptor, temporary,
                                                   fs::OF_None, fs::all_read | fs::all_write))
    return cannotWrite(path, error);
  sys::RemoveFileOnSignal(temporary);
  if (exists)
    fs::setPermissions(descriptor, status.permissions());
  return OutputFile(path, target, temporary,
                    std::make_unique<raw_fd_ostream>(descriptor, /*shouldClose=*/true));
}

Error OutputFile::commit() {
  stream->flush();
  std::error_code error = stream->error();
  if (!error && !temporary.empty()) {
    stream->close();
    error = stream->error();
  }
  // An error nobody has cleared makes raw_fd_ostream's destructor abort.
  stream->clear_error();
  if (error)
    return failure(error);
  if (temporary.empty())
    return Error::success();
  if (std::error_code renameError = fs::rename(temporary, target))
    return failure(renameError);
  sys::DontRemoveFileOnSignal(temporary);
  temporary.clear();
  return Error::success();
}

OutputFile::~OutputFile() {
  if (!stream)
    return;
  stream->flush();
  stream->clear_error();
  stream.reset();
  if (temporary.empty())
    return;
  fs::remove(temporary);
  sys::DontRemoveFileOnSignal(temporary);
}

} // namespace mettle
