//===- Probe.cpp - what a device's arithmetic does ------------------------===//
//
// Runs Mettle's own SPIR-V, since it is whose bits matter, and compares with this machine's
// arithmetic, which is IEEE 754's: the library is compiled with contraction off.
//
//===----------------------------------------------------------------------===//

#include "Mettle/Runtime/OpenCL/Probe.h"

#include "Mettle/Runtime/Fill.h"
#include "llvm/ADT/bit.h"

#include <cmath>

using namespace llvm;

namespace mettle::runtime::opencl {

static constexpr uint32_t wordsF32[] = {
#include "ProbeF32.inc"
};

static constexpr uint32_t wordsF64[] = {
#include "ProbeF64.inc"
};

static constexpr unsigned numResults = 6;
static constexpr uint64_t numOperands = 4096;

namespace {
/// The operands of one float type: of each four, one subnormal, one any word, two near one.
template <typename Float, typename Word> struct Operands {
  static Float at(unsigned stream, uint64_t index) {
    constexpr unsigned width = 8 * sizeof(Word);
    constexpr unsigned fraction = std::numeric_limits<Float>::digits - 1;
    constexpr Word sign = Word(1) << (width - 1), fractionMask = (Word(1) << fraction) - 1;
    Word one = bit_cast<Word>(Float(1));
    Word random = static_cast<Word>(randomWord(stream, index) >> (64 - width));
    switch ((index + stream) % 4) {
    case 0:
      return bit_cast<Float>(Word(random & (sign | fractionMask)));
    case 1:
      return bit_cast<Float>(random);
    default:
      return bit_cast<Float>(Word((random & (sign | fractionMask)) | one));
    }
  }
};
} // namespace

template <typename Float> static bool isSame(Float x, Float y) {
  if (std::isnan(x) || std::isnan(y))
    return std::isnan(x) && std::isnan(y);
  return x == y && std::signbit(x) == std::signbit(y);
}

template <typename Float, typename Word>
static Expected<FloatConformance> probeType(Context &context, ArrayRef<uint32_t> words,
                                            ElementType type) {
  std::vector<LaunchArgument> arguments;
  for (unsigned stream = 0; stream != 3; ++stream) {
    Expected<Buffer> buffer = Buffer::zeros(type, {numOperands});
    if (!buffer)
      return buffer.takeError();
    for (uint64_t i = 0; i != numOperands; ++i)
      buffer->setBitsAt(i, bit_cast<Word>(Operands<Float, Word>::at(stream, i)));
    arguments.push_back({std::move(*buffer)});
  }
  Expected<Buffer> out = Buffer::zeros(type, {numOperands, numResults});
  if (!out)
    return out.takeError();
  arguments.push_back({std::move(*out)});

  LaunchConfig config;
  config.block[0] = 64;
  config.grid[0] = numOperands / config.block[0];
  if (Error error = run(context, words, "probe", config, arguments))
    return error;

  FloatConformance result{type, true, true, true, true, true};
  const Buffer &results = std::get<Buffer>(arguments.back().value);
  for (uint64_t i = 0; i != numOperands; ++i) {
    Float x = Operands<Float, Word>::at(0, i), y = Operands<Float, Word>::at(1, i),
          z = Operands<Float, Word>::at(2, i);
    auto holds = [&](unsigned index, Float expected) {
      return isSame(bit_cast<Float>(Word(results.bitsAt(numResults * i + index))), expected);
    };
    Float product = x * y;
    result.divide &= holds(0, x / y);
    result.squareRoot &= holds(1, std::sqrt(x));
    result.fusedMultiplyAdd &= holds(2, std::fma(x, y, z));
    result.subnormals &= holds(3, product) && holds(4, x + y);
    result.contractionOff &= holds(5, product + z);
  }
  return result;
}

Expected<std::vector<FloatConformance>> probe(Context &context) {
  std::vector<FloatConformance> all;
  Expected<FloatConformance> single =
      probeType<float, uint32_t>(context, wordsF32, ElementType::F32);
  if (!single)
    return single.takeError();
  all.push_back(*single);
  if (context.device().hasExtension("cl_khr_fp64")) {
    Expected<FloatConformance> wide =
        probeType<double, uint64_t>(context, wordsF64, ElementType::F64);
    if (!wide)
      return wide.takeError();
    all.push_back(*wide);
  }
  return all;
}

std::string FloatConformance::describe() const {
  auto exact = [](bool holds) { return holds ? "exact" : "inexact"; };
  return (recordOf(type).name + ": divide " + exact(divide) + ", square root " + exact(squareRoot) +
          ", fused multiply-add " + exact(fusedMultiplyAdd) + ", subnormals " +
          (subnormals ? "kept" : "flushed") + ", contraction " + (contractionOff ? "off" : "on"))
      .str();
}

Error requireExact(const DeviceInfo &device, ArrayRef<FloatConformance> conformances) {
  for (const FloatConformance &conformance : conformances)
    if (!conformance.isExact())
      return createStringError("expected a device with exact arithmetic, got '" + device.name +
                               "' with " + conformance.describe());
  return Error::success();
}

Error requireExact(Context &context) {
  Expected<std::vector<FloatConformance>> found = probe(context);
  return found ? requireExact(context.device(), *found) : found.takeError();
}

} // namespace mettle::runtime::opencl
