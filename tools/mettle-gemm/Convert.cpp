//===- Convert.cpp - mettle-gemm convert ----------------------------------===//
//
// Converts an array between number formats; also how the formats are tested against ml-dtypes.
//
//===----------------------------------------------------------------------===//

#include "CodeArray.h"
#include "Commands.h"
#include "Mettle/Numerics/Format.h"
#include "Mettle/Runtime/Npy.h"

namespace cl = llvm::cl;
using namespace mettle;

static int runConvert();
gemm::Command gemm::convertCommand = {
    {"convert", "convert the codes of a .npy array from one number format to another"}, runConvert};

static cl::opt<std::string> input(cl::Positional, cl::Required, cl::desc("<input.npy>"),
                                  cl::sub(gemm::convertCommand.name));
static cl::opt<std::string> output("o", cl::Required, cl::desc("where to write"),
                                   cl::value_desc("output.npy"),
                                   cl::sub(gemm::convertCommand.name));
static cl::opt<std::string> from("from", cl::Required, cl::desc("format of the input, as e4m3"),
                                 cl::sub(gemm::convertCommand.name));
static cl::opt<std::string> to("to", cl::Required, cl::desc("format of the output"),
                               cl::sub(gemm::convertCommand.name));
static cl::opt<std::string> rounding("rounding", cl::init("rn"), cl::desc("rn, rna, rz, rp or rm"),
                                     cl::sub(gemm::convertCommand.name));
static cl::opt<std::string> overflow("overflow", cl::init("ieee"),
                                     cl::desc("ieee, inf, sat, or wrap (integers)"),
                                     cl::sub(gemm::convertCommand.name));

template <typename T>
static bool parseOption(const cl::opt<std::string> &option, std::optional<T> parsed, T &value) {
  if (parsed)
    value = *parsed;
  else
    gemm::fail(llvm::createStringError("unknown value '" + option + "' of --" + option.ArgStr));
  return parsed.has_value();
}

static int runConvert() {
  numerics::Format sourceFormat, targetFormat;
  numerics::Rounding mode;
  numerics::Overflow rule;
  if (!parseOption(from, numerics::parseFormat(from), sourceFormat) ||
      !parseOption(to, numerics::parseFormat(to), targetFormat) ||
      !parseOption(rounding, numerics::parseRounding(rounding), mode) ||
      !parseOption(overflow, numerics::parseOverflow(overflow), rule))
    return 2;
  llvm::Expected<runtime::Buffer> source = gemm::readCodes(input, sourceFormat);
  if (!source)
    return gemm::fail(source.takeError());
  llvm::Expected<runtime::Buffer> target =
      runtime::Buffer::zeros(gemm::elementType(targetFormat), source->shape());
  if (!target)
    return gemm::fail(target.takeError());
  for (uint64_t i = 0; i < source->size(); ++i)
    target->setBitsAt(i,
                      numerics::convert(sourceFormat, source->bitsAt(i), targetFormat, mode, rule));
  if (llvm::Error error = runtime::writeNpy(output, *target))
    return gemm::fail(std::move(error));
  return 0;
}
