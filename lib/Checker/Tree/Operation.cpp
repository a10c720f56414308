//===- Operation.cpp - What a named operation computes --------------------===//
//
// IEEE 754 operations by the host's arithmetic in the rounding that the name says; conversions and
// approximate functions by Numerics.
//
//===----------------------------------------------------------------------===//

#include "Operation.h"
#include "Mettle/Checker/Tree/Evaluate.h"
#include "Mettle/Numerics/Format.h"
#include "Mettle/Numerics/Step.h"
#include "llvm/ADT/StringSwitch.h"
#include <cfenv>
#include <cmath>

using namespace mettle::checker;
using namespace mettle::numerics;

using Words = llvm::ArrayRef<llvm::StringRef>;

/// cvt[.rounding].to.from
static void parseConversion(Words words, Operation &operation) {
  if (words.size() < 3 || words.size() > 4)
    return;
  std::optional<Format> to = parseFormat(words[words.size() - 2]), from = parseFormat(words.back());
  std::optional<Rounding> rounding =
      words.size() == 4 ? parseRounding(words[1]) : std::optional(Rounding::NearestEven);
  if (!to || !from || !rounding || info(*to).bits > 32 || info(*from).bits > 32)
    return;
  operation.kind = Operation::Convert;
  operation.to = *to;
  operation.from = *from;
  operation.rounding = *rounding;
}

/// dot.A.B.class
static void parseStep(llvm::StringRef rest, Operation &operation) {
  auto [aName, afterA] = rest.split('.');
  auto [bName, className] = afterA.split('.');
  std::string withGroup = className.str();
  if (size_t group = withGroup.find(".g0."); group != std::string::npos)
    withGroup.replace(group, 4, ".g256.");
  llvm::Expected<ArithmeticClass> cls = ArithmeticClass::parse(withGroup);
  std::optional<Format> a = parseFormat(aName), b = parseFormat(bName);
  if (!cls) {
    llvm::consumeError(cls.takeError());
    return;
  }
  if (!a || !b)
    return;
  operation.kind = Operation::Step;
  operation.from = *a;
  operation.to = *b;
  operation.arithmetic = *cls;
}

Operation Operation::parse(llvm::StringRef text) {
  Operation operation;
  operation.name = text.str();
  if (llvm::StringRef rest = text; rest.consume_front("dot.")) {
    parseStep(rest, operation);
    return operation;
  }
  if (std::optional<numerics::Approximate> function = parseApproximate(text)) {
    operation.kind = info(*function).bits > 32 ? Unknown : Approximate;
    operation.function = *function;
    return operation;
  }
  llvm::SmallVector<llvm::StringRef, 6> words;
  text.split(words, '.');
  if (words[0] == "cvt") {
    parseConversion(words, operation);
    return operation;
  }
  std::optional<Format> type = parseFormat(words.back());
  if (!type || (*type != Format::F32 && *type != Format::F16 && *type != Format::BF16)) {
    operation.kind = Integer;
    return operation;
  }
  operation.from = *type;
  operation.mode = FE_TONEAREST;
  bool isRounded = false;
  for (llvm::StringRef word : Words(words).drop_front().drop_back()) {
    if (word == "rz" || word == "rm" || word == "rp")
      operation.mode = word == "rz" ? FE_TOWARDZERO : word == "rm" ? FE_DOWNWARD : FE_UPWARD;
    else if (word == "ftz")
      operation.flushes = true;
    else if (word == "NaN")
      operation.keepsNaN = true;
    else if (word != "rn" && word != "free")
      return operation;
    isRounded |= word[0] == 'r';
  }
  if (*type != Format::F32 && (operation.mode != FE_TONEAREST || operation.flushes))
    return operation;
  Kind kind = llvm::StringSwitch<Kind>(words[0])
                  .Case("add", Add)
                  .Case("sub", Sub)
                  .Case("mul", Mul)
                  .Case("div", Div)
                  .Case("fma", Fma)
                  .Case("max", Max)
                  .Case("min", Min)
                  .Case("neg", Neg)
                  .Case("abs", Abs)
                  .Case("sqrt", Sqrt)
                  .Default(Unknown);
  // What needs a rounding to be exact, and what is evaluated in f32 alone.
  if ((kind == Div || kind == Sqrt) && (!isRounded || *type != Format::F32))
    return operation;
  operation.kind = kind;
  return operation;
}

static uint32_t canonical(float value) { return std::isnan(value) ? 0x7fffffff : bitsOf(value); }

static float flushed(float value) {
  return std::fpclassify(value) == FP_SUBNORMAL ? std::copysign(0.0f, value) : value;
}

/// PTX's max and min of f32: a number over a NaN, unless .NaN; +0 over -0.
static uint32_t extreme(bool isMax, bool keepsNaN, uint32_t a, uint32_t b) {
  float x = floatOf(a), y = floatOf(b);
  if (std::isnan(x) || std::isnan(y)) {
    if (keepsNaN || (std::isnan(x) && std::isnan(y)))
      return 0x7fffffff;
    return std::isnan(x) ? b : a;
  }
  if (x == y)
    return (a >> 31 != 0) == isMax ? b : a;
  return (x > y) == isMax ? a : b;
}

/// In f64, where two of these formats have their sum and product exact.
static std::optional<uint64_t> applySmall(const Operation &operation,
                                          llvm::ArrayRef<uint64_t> args) {
  Format format = operation.from;
  if (operation.kind == Operation::Neg || operation.kind == Operation::Abs)
    return operation.kind == Operation::Neg ? args[0] ^ 0x8000 : args[0] & 0x7fff;
  double x = toDouble(format, args[0]), y = toDouble(format, args[1]);
  switch (operation.kind) {
  case Operation::Add:
    return fromDouble(format, x + y);
  case Operation::Sub:
    return fromDouble(format, x - y);
  case Operation::Mul:
    return fromDouble(format, x * y);
  case Operation::Fma: {
    double product = x * y;
    uint64_t bits;
    std::memcpy(&bits, &product, sizeof bits);
    return addRounded(format, Format::F64, bits, format, args[2]);
  }
  case Operation::Max:
  case Operation::Min: {
    auto wide = [&](uint64_t word) { return bitsOf(float(toDouble(format, word))); };
    uint32_t word =
        extreme(operation.kind == Operation::Max, operation.keepsNaN, wide(args[0]), wide(args[1]));
    return fromDouble(format, floatOf(word));
  }
  default:
    return std::nullopt;
  }
}

static float single(const Operation &operation, const float *operands) {
  // Volatile, so that nothing is computed before the rounding is set.
  volatile float a = operands[0], b = operands[1], c = operands[2];
  switch (operation.kind) {
  case Operation::Add:
    return a + b;
  case Operation::Sub:
    return a - b;
  case Operation::Mul:
    return a * b;
  case Operation::Div:
    return a / b;
  case Operation::Fma:
    return std::fma(a, b, c);
  default:
    return std::sqrt(a);
  }
}

static uint64_t applySingle(const Operation &operation, llvm::ArrayRef<uint64_t> args) {
  float operands[3] = {};
  for (size_t i = 0; i < args.size(); ++i) {
    float value = floatOf(uint32_t(args[i]));
    operands[i] = operation.flushes ? flushed(value) : value;
  }
  switch (operation.kind) {
  case Operation::Neg:
    return bitsOf(operands[0]) ^ 0x80000000;
  case Operation::Abs:
    return bitsOf(operands[0]) & 0x7fffffff;
  case Operation::Max:
  case Operation::Min:
    return extreme(operation.kind == Operation::Max, operation.keepsNaN, bitsOf(operands[0]),
                   bitsOf(operands[1]));
  default:
    break;
  }
  volatile float result;
  if (operation.mode == FE_TONEAREST) {
    result = single(operation, operands);
  } else {
    std::fesetround(operation.mode);
    result = single(operation, operands);
    std::fesetround(FE_TONEAREST);
  }
  return canonical(operation.flushes ? flushed(result) : result);
}

std::optional<uint64_t> Operation::apply(llvm::ArrayRef<uint64_t> args) const {
  size_t wanted = kind == Fma ? 3 : kind == Neg || kind == Abs || kind == Sqrt ? 1 : 2;
  switch (kind) {
  case Unknown:
  case Step:
    return std::nullopt;
  case Integer:
    return foldInteger(name, args);
  case Approximate:
    if (args.size() != info(function).operands)
      return std::nullopt;
    return approximate(function, uint32_t(args[0]), args.size() > 1 ? uint32_t(args[1]) : 0);
  case Convert:
    return args.size() == 1 ? std::optional(convert(from, args[0], to, rounding)) : std::nullopt;
  default:
    if (args.size() != wanted)
      return std::nullopt;
    return from == Format::F32 ? applySingle(*this, args) : applySmall(*this, args);
  }
}
