//===- Sweep.cpp - The approximate functions against a GPU ----------------===//
//
// Runs every approximate instruction on the device over all operand words (over any
// number of pairs for the divisions) and compares every result with the model. Also
// records what the unit tests compare with where there is no device, and dumps the
// binades from which scripts/fit_mufu_tables.py recovers the tables.
//
//===----------------------------------------------------------------------===//

#include "../ApproximateOperands.h"
#include "Mettle/Runtime/CUDA/Context.h"
#include "SweepKernel.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"
#include <mutex>
#include <thread>
#include <vector>

namespace cl = llvm::cl;
using namespace mettle;
using namespace mettle::numerics;

static cl::list<std::string> only("only", cl::desc("instructions to run (default: all)"),
                                  cl::value_desc("mnemonic"));
static cl::opt<uint64_t> pairs("pairs", cl::init(uint64_t(1) << 32),
                               cl::desc("operand pairs of a division (default: 2^32)"));
static cl::opt<uint64_t> limit("limit", cl::init(~uint64_t(0)),
                               cl::desc("results an instruction (default: all)"));
static cl::opt<std::string> record("record", cl::value_desc("folder"),
                                   cl::desc("write digests and samples of the device's results"));
static cl::opt<std::string> dump("dump", cl::value_desc("folder"),
                                 cl::desc("write the binades that fit the tables"));

static constexpr uint64_t chunkSize = uint64_t(1) << 26;

namespace {

/// An instruction on the device.
class Kernel {
public:
  static llvm::Expected<Kernel> make(runtime::cuda::Context &context, const ApproximateInfo &info) {
    llvm::Expected<runtime::cuda::Module> module = context.load(test::sweepKernel(info));
    if (!module)
      return module.takeError();
    return Kernel(context, std::move(*module));
  }

  /// The results of `count` indices, at most a chunk of them.
  llvm::Error run(const runtime::cuda::DeviceMemory &memory, uint64_t first,
                  llvm::MutableArrayRef<uint32_t> results) {
    runtime::LaunchConfig config;
    config.block[0] = 256;
    config.grid[0] = (results.size() + 255) / 256;
    uint64_t arguments[] = {memory.address(), first};
    auto bytes = [](const uint64_t &word) {
      return llvm::ArrayRef(reinterpret_cast<const uint8_t *>(&word), sizeof word);
    };
    if (llvm::Error error =
            module.launch(test::sweepEntry, config, {bytes(arguments[0]), bytes(arguments[1])}))
      return error;
    if (llvm::Error error = context.synchronize())
      return error;
    return memory.copyTo(llvm::MutableArrayRef(reinterpret_cast<uint8_t *>(results.data()),
                                               results.size() * sizeof(uint32_t)));
  }

private:
  Kernel(runtime::cuda::Context &context, runtime::cuda::Module module)
      : context(context), module(std::move(module)) {}

  runtime::cuda::Context &context;
  runtime::cuda::Module module;
};

struct Mismatch {
  test::Operands operands;
  uint32_t device, model;
};

/// What a sweep found.
struct Tally {
  uint64_t results = 0, different = 0;
  std::vector<Mismatch> first;
  std::vector<uint64_t> digests;
};

} // namespace

/// Compares a block of consecutive results; returns their digest.
static uint64_t compare(const ApproximateInfo &info, uint64_t first,
                        llvm::ArrayRef<uint32_t> results, Tally &tally, std::mutex &mutex) {
  std::vector<uint32_t> a(results.size()), b(results.size()), model(results.size());
  for (auto [i, operandA, operandB] : llvm::enumerate(a, b)) {
    test::Operands operands = test::operandsAt(info, first + i);
    operandA = operands.a;
    operandB = operands.b;
  }
  approximate(info.instruction, a, b, model);
  test::Digest digest;
  for (auto [i, word] : llvm::enumerate(results)) {
    digest.add(word);
    if (word == model[i])
      continue;
    std::lock_guard lock(mutex);
    ++tally.different;
    if (tally.first.size() < 8)
      tally.first.push_back({{a[i], b[i]}, word, model[i]});
  }
  return digest.value();
}

static void compareChunk(const ApproximateInfo &info, uint64_t first,
                         llvm::ArrayRef<uint32_t> results, Tally &tally) {
  std::vector<uint64_t> digests((results.size() + test::blockSize - 1) / test::blockSize);
  std::mutex mutex;
  std::vector<std::thread> threads;
  for (auto [block, digest] : llvm::enumerate(digests))
    threads.emplace_back([&, block = block, &digest = digest] {
      uint64_t offset = block * test::blockSize;
      digest = compare(info, first + offset, results.slice(offset).take_front(test::blockSize),
                       tally, mutex);
    });
  for (std::thread &thread : threads)
    thread.join();
  tally.results += results.size();
  tally.digests.insert(tally.digests.end(), digests.begin(), digests.end());
}

template <typename T>
static llvm::Error write(llvm::StringRef folder, const llvm::Twine &name, llvm::ArrayRef<T> data) {
  llvm::SmallString<128> path(folder);
  llvm::sys::path::append(path, name);
  std::error_code code;
  llvm::raw_fd_ostream stream(path, code);
  if (code)
    return llvm::createFileError(path, code);
  stream.write(reinterpret_cast<const char *>(data.data()), data.size() * sizeof(T));
  return llvm::Error::success();
}

static llvm::Error recordResults(Kernel &kernel, const runtime::cuda::DeviceMemory &memory,
                                 const ApproximateInfo &info, const Tally &tally) {
  uint64_t blocks = std::max<uint64_t>(1, test::indexCount(info) / test::blockSize);
  if (llvm::Error error = write(record, info.mnemonic + ".digests",
                                llvm::ArrayRef(tally.digests).take_front(blocks)))
    return error;
  std::vector<uint32_t> samples(test::sampleCount);
  for (auto [i, word] : llvm::enumerate(samples))
    if (llvm::Error error =
            kernel.run(memory, test::sampleIndex(info, i), llvm::MutableArrayRef(word)))
      return error;
  return write(record, info.mnemonic + ".words", llvm::ArrayRef(samples));
}

/// The exponents whose binades scripts/fit_mufu_tables.py reads.
static std::vector<unsigned> dumpedBinades(Approximate instruction) {
  switch (instruction) {
  case Approximate::RcpFtzF32:
  case Approximate::Ex2FtzF32:
  case Approximate::CosFtzF32:
    return {127};
  case Approximate::RsqrtFtzF32:
  case Approximate::SqrtFtzF32:
    return {127, 128};
  case Approximate::Lg2FtzF32:
  case Approximate::SinFtzF32:
    return {126, 127};
  case Approximate::TanhF32:
    return {119, 120, 121, 122, 123, 124, 125, 126, 127, 128, 129};
  default:
    return {};
  }
}

static llvm::Error sweep(runtime::cuda::Context &context, const runtime::cuda::DeviceMemory &memory,
                         const ApproximateInfo &info, Tally &tally) {
  llvm::Expected<Kernel> kernel = Kernel::make(context, info);
  if (!kernel)
    return kernel.takeError();
  if (!dump.empty())
    for (unsigned exponent : dumpedBinades(info.instruction)) {
      std::vector<uint32_t> results(1 << 23);
      if (llvm::Error error = kernel->run(memory, uint64_t(exponent) << 23, results))
        return error;
      if (llvm::Error error = write(dump, info.mnemonic + "." + llvm::Twine(exponent) + ".u32",
                                    llvm::ArrayRef(results)))
        return error;
    }
  uint64_t count = std::min<uint64_t>(limit, info.operands == 2 ? pairs : test::indexCount(info));
  std::vector<uint32_t> results;
  for (uint64_t first = 0; first < count; first += chunkSize) {
    results.resize(std::min(chunkSize, count - first));
    if (llvm::Error error = kernel->run(memory, first, results))
      return error;
    compareChunk(info, first, results, tally);
  }
  return record.empty() ? llvm::Error::success() : recordResults(*kernel, memory, info, tally);
}

static void print(const ApproximateInfo &info, const Tally &tally) {
  llvm::outs() << llvm::left_justify(info.mnemonic, 22) << ' ' << tally.results << " results, "
               << tally.different << " differ\n";
  for (const Mismatch &mismatch : tally.first) {
    llvm::outs() << "  " << llvm::format_hex_no_prefix(mismatch.operands.a, 8);
    if (info.operands == 2)
      llvm::outs() << ' ' << llvm::format_hex_no_prefix(mismatch.operands.b, 8);
    llvm::outs() << ": device " << llvm::format_hex_no_prefix(mismatch.device, 8) << ", model "
                 << llvm::format_hex_no_prefix(mismatch.model, 8) << '\n';
  }
  llvm::outs().flush();
}

static llvm::Expected<bool> run() {
  llvm::Expected<std::shared_ptr<const runtime::cuda::Driver>> driver =
      runtime::cuda::Driver::load();
  if (!driver)
    return driver.takeError();
  llvm::Expected<runtime::cuda::Context> context = runtime::cuda::Context::open(*driver);
  if (!context)
    return context.takeError();
  llvm::Expected<runtime::cuda::DeviceMemory> memory =
      context->allocate(chunkSize * sizeof(uint32_t));
  if (!memory)
    return memory.takeError();
  const runtime::cuda::DeviceInfo &device = context->device();
  llvm::outs() << device.name << ", compute capability " << device.capability.major << '.'
               << device.capability.minor << '\n';
  bool same = true;
  for (const ApproximateInfo &info : allApproximates()) {
    if (!only.empty() && !llvm::is_contained(only, info.mnemonic))
      continue;
    Tally tally;
    if (llvm::Error error = sweep(*context, *memory, info, tally))
      return std::move(error);
    print(info, tally);
    same &= tally.different == 0;
  }
  return same;
}

int main(int argc, char **argv) {
  cl::ParseCommandLineOptions(argc, argv, "compares the approximate functions with a GPU\n");
  for (const std::string &mnemonic : only)
    if (!parseApproximate(mnemonic)) {
      llvm::errs() << "error: expected an approximate instruction, found '" << mnemonic << "'\n";
      return 2;
    }
  llvm::Expected<bool> same = run();
  if (!same) {
    llvm::errs() << "error: " << llvm::toString(same.takeError()) << '\n';
    return 2;
  }
  return *same ? 0 : 1;
}
