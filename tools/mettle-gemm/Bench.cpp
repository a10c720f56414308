//===- Bench.cpp - mettle-gemm bench --------------------------------------===//
//
// How fast the evaluator is on this machine: multiply-adds a second of one thread, packing
// included, by instruction set. Processor time, the best of some runs: a busy machine shows less.
//
//===----------------------------------------------------------------------===//

#include "Commands.h"
#include "Mettle/Numerics/Evaluate.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"
#include <cmath>
#include <cstring>
#include <ctime>
#include <random>

namespace cl = llvm::cl;
using namespace mettle;

static int runBench();
gemm::Command gemm::benchCommand = {
    {"bench", "billions of multiply-adds a second of one thread, by instruction set"}, runBench};

static cl::opt<std::string> text(cl::Positional, cl::Required, cl::desc("<descriptor or name>"),
                                 cl::sub(gemm::benchCommand.name));
static cl::opt<uint64_t> size("size", cl::init(512), cl::desc("m = n = k"),
                              cl::sub(gemm::benchCommand.name));
static cl::opt<unsigned> runs("runs", cl::init(7), cl::desc("runs of which the best counts"),
                              cl::sub(gemm::benchCommand.name));
static cl::opt<double> specials("specials", cl::init(0),
                                cl::desc("fraction of elements that are infinite or NaN"),
                                cl::sub(gemm::benchCommand.name));

static std::vector<uint8_t> randomMatrix(numerics::Format format, std::mt19937_64 &random) {
  unsigned width = (numerics::info(format).bits + 7) / 8;
  std::vector<uint8_t> bytes(size * size * width);
  std::uniform_real_distribution<> uniform(-1, 1);
  for (size_t at = 0; at < bytes.size(); at += width) {
    double value = uniform(random) + uniform(random) + uniform(random);
    if (numerics::info(format).isInteger)
      value *= 40;
    if (std::abs(uniform(random)) < specials)
      value = random() & 1 ? HUGE_VAL : std::nan("");
    uint64_t code = numerics::fromDouble(format, value);
    memcpy(&bytes[at], &code, width);
  }
  return bytes;
}

static double threadSeconds() {
  timespec now;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return double(now.tv_sec) + double(now.tv_nsec) * 1e-9;
}

static int runBench() {
  llvm::Expected<numerics::GEMMDesc> desc = numerics::findDesc(text);
  if (!desc)
    return gemm::fail(desc.takeError());
  std::mt19937_64 random(1);
  std::vector<uint8_t> a = randomMatrix(desc->a, random), b = randomMatrix(desc->b, random);
  std::vector<uint8_t> d(size * size * ((numerics::info(desc->output).bits + 7) / 8));
  numerics::GEMMProblem p;
  p.m = p.n = p.k = size;
  p.a = {a.data(), desc->a, int64_t(size), 1, false};
  p.b = {b.data(), desc->b, int64_t(size), 1, false};
  p.d = {d.data(), desc->output, int64_t(size), 1, false};
  for (numerics::InstructionSet set :
       {numerics::InstructionSet::Portable, numerics::InstructionSet::AVX2,
        numerics::InstructionSet::AVX512}) {
    if (!numerics::isAvailable(set))
      continue;
    numerics::EvaluateOptions options;
    options.set = set;
    double best = HUGE_VAL;
    for (unsigned run = 0; run < runs; ++run) {
      double start = threadSeconds();
      if (llvm::Error error = numerics::evaluate(*desc, p, options))
        return gemm::fail(std::move(error));
      best = std::min(best, threadSeconds() - start);
    }
    double rate = double(size) * double(size) * double(size) / best * 1e-9;
    llvm::outs() << name(set) << "  " << llvm::format("%.2f", rate) << " GMAC/s\n";
  }
  return 0;
}
