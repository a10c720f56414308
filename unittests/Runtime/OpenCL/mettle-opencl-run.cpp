//===- mettle-opencl-run.cpp - one launch, from files ---------------------===//
//
// A test's hand on the OpenCL runtime: runs a kernel of a SPIR-V file on raw arrays, which it reads
// from files and writes back. Not shipped; `mettle run` is what people use.
//
//   mettle-opencl-run [options] MODULE KERNEL ARGUMENT...
//
// An ARGUMENT is array:FILE or, for a number of that width, BYTES:VALUE.
//
//===----------------------------------------------------------------------===//

#include "Mettle/Runtime/OpenCL/Context.h"
#include "Mettle/Runtime/OpenCL/Probe.h"

#include "llvm/Support/CommandLine.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/WithColor.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;
using namespace mettle::runtime;
using namespace mettle::runtime::opencl;

static cl::opt<std::string> library("library", cl::desc("Library to load as OpenCL"),
                                    cl::init(loaderLibrary.str()));
static cl::opt<unsigned> device("device", cl::desc("Number of the device"));
static cl::opt<std::string> grid("grid", cl::desc("Workgroups X,Y,Z"), cl::init("1"));
static cl::opt<std::string> block("block", cl::desc("Work-items of a workgroup X,Y,Z"),
                                  cl::init("1"));
static cl::opt<uint64_t> shared("shared", cl::desc("Bytes of dynamic workgroup memory"));
static cl::opt<bool> list("list", cl::desc("List the devices instead"));
static cl::opt<bool> probing("probe", cl::desc("Say what the device's arithmetic does instead"));
static cl::list<std::string> positional(cl::Positional, cl::desc("MODULE KERNEL ARGUMENT..."));

static constexpr StringLiteral arrayPrefix = "array:";

static Expected<Buffer> readArray(StringRef path) {
  ErrorOr<std::unique_ptr<MemoryBuffer>> file = MemoryBuffer::getFile(path);
  if (!file)
    return errorCodeToError(file.getError());
  Expected<Buffer> buffer = Buffer::zeros(ElementType::U8, {(*file)->getBufferSize()});
  if (buffer)
    copy((*file)->getBuffer(), buffer->data().begin());
  return buffer;
}

static Expected<Scalar> readNumber(StringRef text) {
  auto [bytes, digits] = text.split(':');
  static constexpr std::pair<StringLiteral, ElementType> widths[] = {
      {"1", ElementType::U8},
      {"2", ElementType::U16},
      {"4", ElementType::U32},
      {"8", ElementType::U64},
  };
  uint64_t bits = 0;
  for (auto [width, type] : widths)
    if (bytes == width && !digits.getAsInteger(0, bits))
      return Scalar{type, bits};
  return createStringError("expected array:FILE or BYTES:VALUE, got '" + text + "'");
}

static Error writeBack(StringRef path, const Buffer &buffer) {
  std::error_code code;
  raw_fd_ostream file(path, code);
  if (code)
    return errorCodeToError(code);
  file.write(reinterpret_cast<const char *>(buffer.data().data()), buffer.data().size());
  return Error::success();
}

static Error runFromFiles(Context &context) {
  if (positional.size() < 2)
    return createStringError("expected a module and a kernel");
  ErrorOr<std::unique_ptr<MemoryBuffer>> file = MemoryBuffer::getFile(positional[0]);
  if (!file)
    return createStringError("expected a file, got '" + positional[0] + "'");
  std::vector<uint32_t> words((*file)->getBufferSize() / sizeof(uint32_t));
  memcpy(words.data(), (*file)->getBufferStart(), words.size() * sizeof(uint32_t));

  LaunchConfig config;
  config.dynamicShared = shared;
  for (auto [name, text, extents] :
       {std::tuple("--grid", &grid, &config.grid), std::tuple("--block", &block, &config.block)}) {
    Expected<Extents> parsed = parseExtents(name, *text);
    if (!parsed)
      return parsed.takeError();
    *extents = *parsed;
  }
  std::vector<LaunchArgument> arguments;
  std::vector<std::string> texts(positional.begin() + 2, positional.end());
  for (StringRef text : texts) {
    if (text.consume_front(arrayPrefix)) {
      Expected<Buffer> buffer = readArray(text);
      if (!buffer)
        return buffer.takeError();
      arguments.push_back({std::move(*buffer)});
      continue;
    }
    Expected<Scalar> scalar = readNumber(text);
    if (!scalar)
      return scalar.takeError();
    arguments.push_back({*scalar});
  }
  if (Error error = run(context, words, positional[1], config, arguments))
    return error;
  for (auto [text, argument] : zip_equal(texts, arguments))
    if (auto *buffer = std::get_if<Buffer>(&argument.value))
      if (Error error = writeBack(StringRef(text).drop_front(arrayPrefix.size()), *buffer))
        return error;
  return Error::success();
}

static Error perform() {
  Expected<std::shared_ptr<const Loader>> loader = Loader::load(library);
  if (!loader)
    return loader.takeError();
  if (list) {
    Expected<std::vector<DeviceInfo>> devices = (*loader)->devices();
    if (!devices)
      return devices.takeError();
    for (const DeviceInfo &info : *devices)
      outs() << info.ordinal << ": " << info.name << " (" << info.platform << ", " << info.version
             << ")\n";
    return Error::success();
  }
  Expected<Context> context = Context::open(*loader, device);
  if (!context)
    return context.takeError();
  if (!probing)
    return runFromFiles(*context);
  Expected<std::vector<FloatConformance>> found = probe(*context);
  if (!found)
    return found.takeError();
  for (const FloatConformance &conformance : *found)
    outs() << conformance.describe() << '\n';
  return Error::success();
}

int main(int argc, char **argv) {
  cl::ParseCommandLineOptions(argc, argv);
  if (Error error = perform()) {
    WithColor::error(errs(), "mettle-opencl-run") << toString(std::move(error)) << '\n';
    return 1;
  }
}
