//===- Assembler.cpp - A ptxas in place of the driver's -------------------===//
//
// ptxas reads and writes files; they are temporary and go with the call.
//
//===----------------------------------------------------------------------===//

#include "Mettle/Runtime/CUDA/Assembler.h"

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FileUtilities.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Program.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace mettle::runtime::cuda {

static Error makeTemporary(StringRef suffix, SmallVectorImpl<char> &path) {
  if (std::error_code code = sys::fs::createTemporaryFile("mettle", suffix, path))
    return createStringError("cannot make a temporary file: " + code.message());
  return Error::success();
}

static Expected<std::string> read(StringRef path) {
  ErrorOr<std::unique_ptr<MemoryBuffer>> buffer = MemoryBuffer::getFile(path);
  if (!buffer)
    return createStringError(path + ": " + buffer.getError().message());
  return (*buffer)->getBuffer().str();
}

/// From 9.0 on the code of a device may use what only its architecture has.
static std::string architecture(ComputeCapability capability) {
  return ("sm_" + Twine(capability.major) + Twine(capability.minor) +
          (capability.major >= 9 ? "a" : ""))
      .str();
}

Expected<std::string> assemble(StringRef ptxas, StringRef ptx, ComputeCapability capability) {
  if (!sys::fs::can_execute(ptxas))
    return createStringError("expected a ptxas to compile with, found '" + ptxas + "'");
  SmallString<128> source, code, log;
  if (Error error = makeTemporary("ptx", source))
    return error;
  FileRemover removeSource(source);
  if (Error error = makeTemporary("cubin", code))
    return error;
  FileRemover removeCode(code);
  if (Error error = makeTemporary("log", log))
    return error;
  FileRemover removeLog(log);
  if (Error error = writeToOutput(source, [&](raw_ostream &out) {
        out << ptx;
        return Error::success();
      }))
    return error;

  std::string arch = "-arch=" + architecture(capability);
  StringRef arguments[] = {ptxas, arch, source, "-o", code};
  std::optional<StringRef> redirects[] = {std::nullopt, StringRef(log), StringRef(log)};
  std::string failure;
  int result = sys::ExecuteAndWait(ptxas, arguments, std::nullopt, redirects, 0, 0, &failure);
  if (result == 0)
    return read(code);
  if (result < 0)
    return createStringError("'" + ptxas + "': " + StringRef(failure).rtrim());
  Expected<std::string> said = read(log);
  if (!said)
    return said.takeError();
  return createStringError("ptxas failed:\n" + StringRef(*said).rtrim());
}

} // namespace mettle::runtime::cuda
