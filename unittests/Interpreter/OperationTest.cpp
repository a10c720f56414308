//===- OperationTest.cpp - evaluate one operation on many operands -===//
//
// The fixture and its operands.
//
//===----------------------------------------------------------------------===//

#include "OperationTest.h"

#include "llvm/ADT/StringExtras.h"

using namespace llvm;
using namespace mettle::interpreter;

ArrayRef<FloatType> mettle::interpreter::floatTypes() {
  static const FloatType types[] = {
      {"f16", 16, APFloat::IEEEhalf(), 0x7FFF},
      {"bf16", 16, APFloat::BFloat(), 0x7FFF},
      {"f32", 32, APFloat::IEEEsingle(), 0x7FFFFFFF},
      {"f64", 64, APFloat::IEEEdouble(), 0xFFF8000000000000},
  };
  return types;
}

std::vector<uint64_t> FloatType::specials() const {
  std::vector<uint64_t> words;
  auto add = [&](const APFloat &number) {
    uint64_t word = number.bitcastToAPInt().getZExtValue();
    words.push_back(word);
    words.push_back(word ^ uint64_t(1) << (width - 1));
  };
  auto addNumber = [&](double number) {
    APFloat value(number);
    bool loses;
    value.convert(semantics, APFloat::rmTowardZero, &loses);
    add(value);
  };
  add(APFloat::getZero(semantics));
  add(APFloat::getSmallest(semantics));
  APFloat subnormal = APFloat::getSmallestNormalized(semantics);
  add(subnormal);
  subnormal.next(/*nextDown=*/true);
  add(subnormal);
  APFloat one = APFloat::getOne(semantics);
  add(one);
  one.next(false);
  add(one);
  one.next(true);
  one.next(true);
  add(one);
  for (double number : {0.5, 1.5, 2.5, 3.0, 0.1})
    addNumber(number);
  double hidden = std::ldexp(1.0, APFloat::semanticsPrecision(semantics) - 1);
  for (double number : {hidden - 0.5, hidden - 1, hidden, hidden + 1, 2 * hidden})
    addNumber(number);
  add(APFloat::getLargest(semantics));
  add(APFloat::getInf(semantics));
  add(APFloat::getQNaN(semantics));
  add(APFloat::getSNaN(semantics));
  return words;
}

uint64_t FloatType::random(Random &random, uint64_t near) const {
  uint64_t mask = ~uint64_t(0) >> (64 - width);
  switch (random.below(4)) {
  case 0: {
    static std::vector<uint64_t> list;
    list = specials();
    return list[random.below(list.size())];
  }
  case 1:
    return random.word() & mask;
  case 2:
    // The same exponent or a few apart, another significand.
    return (near ^ (random.word() & (mask >> (1 + random.below(width - 2))))) & mask;
  default:
    // A neighbour or its negation: sums cancel.
    return (near + random.below(5) - 2 + (random.below(2) << (width - 1))) & mask;
  }
}

std::vector<uint64_t> mettle::interpreter::integerSpecials(unsigned width) {
  uint64_t mask = ~uint64_t(0) >> (64 - width), top = uint64_t(1) << (width - 1);
  std::vector<uint64_t> words;
  for (uint64_t word :
       {uint64_t(0), uint64_t(1), uint64_t(2), uint64_t(3), uint64_t(7), uint64_t(width - 1),
        uint64_t(width), top - 1, top, top + 1, mask - 1, mask})
    words.push_back(word & mask);
  return words;
}

uint64_t mettle::interpreter::randomInteger(Random &random, unsigned width) {
  uint64_t mask = ~uint64_t(0) >> (64 - width);
  switch (random.below(3)) {
  case 0: {
    std::vector<uint64_t> list = integerSpecials(width);
    return list[random.below(list.size())];
  }
  case 1:
    return random.word() & mask;
  default:
    // Few significant bits.
    return (random.word() >> random.below(64)) & mask;
  }
}

//===----------------------------------------------------------------------===//
// Cases
//===----------------------------------------------------------------------===//

template <typename Draw>
static Cases makeCases(const std::vector<uint64_t> &specials, unsigned operands,
                       unsigned randomCount, Draw draw) {
  Cases cases;
  // Of three operands all triples would be too many: the third walks through the list.
  unsigned paired = std::min(operands, 2u);
  size_t all = 1;
  for (unsigned operand = 0; operand < paired; ++operand)
    all *= specials.size();
  for (size_t number = 0; number < all; ++number) {
    std::vector<uint64_t> words;
    for (size_t rest = number, operand = 0; operand < paired; ++operand) {
      words.push_back(specials[rest % specials.size()]);
      rest /= specials.size();
    }
    if (operands == 3)
      words.push_back(specials[(number * 7 + number / 5) % specials.size()]);
    cases.push_back(words);
  }
  for (unsigned number = 0; number < randomCount; ++number) {
    std::vector<uint64_t> words;
    for (unsigned operand = 0; operand < operands; ++operand)
      words.push_back(draw(operand ? words.front() : 0));
    cases.push_back(words);
  }
  return cases;
}

Cases OperationTest::floatCases(const FloatType &type, unsigned operands, unsigned randomCount,
                                uint64_t seed) {
  Random random(seed);
  uint64_t one = APFloat::getOne(type.semantics).bitcastToAPInt().getZExtValue();
  return makeCases(type.specials(), operands, randomCount,
                   [&](uint64_t near) { return type.random(random, near ? near : one); });
}

Cases OperationTest::integerCases(unsigned width, unsigned operands, unsigned randomCount,
                                  uint64_t seed) {
  Random random(seed);
  return makeCases(integerSpecials(width), operands, randomCount,
                   [&](uint64_t) { return randomInteger(random, width); });
}

//===----------------------------------------------------------------------===//
// Evaluation
//===----------------------------------------------------------------------===//

static unsigned widthOf(StringRef type) {
  unsigned width = 64;
  if (type != "index")
    type.drop_until([](char c) { return isDigit(c); }).getAsInteger(10, width);
  return width;
}

/// Statements that make %NAME of `type` from the word %NAME_word.
static std::string fromWord(const std::string &name, StringRef type) {
  std::string integer = ("i" + Twine(widthOf(type))).str();
  std::string narrow = integer == "i64" ? name + "_word" : name + "_bits", text;
  if (integer != "i64")
    text += "%" + narrow + " = arith.trunci %" + name + "_word : i64 to " + integer + "\n";
  std::string cast = type == "index" ? "arith.index_cast" : "arith.bitcast";
  text += "%" + name + " = " + cast + " %" + narrow + " : " + integer + " to " + type.str() + "\n";
  return text;
}

/// Statements that make %NAME_word from %NAME of `type`.
static std::string toWord(const std::string &name, StringRef type) {
  std::string integer = ("i" + Twine(widthOf(type))).str();
  std::string cast = type == "index" ? "arith.index_cast" : "arith.bitcast";
  std::string narrow = integer == "i64" ? name + "_word" : name + "_bits";
  std::string text =
      "%" + narrow + " = " + cast + " %" + name + " : " + type.str() + " to " + integer + "\n";
  if (integer != "i64")
    text += "%" + name + "_word = arith.extui %" + narrow + " : " + integer + " to i64\n";
  return text;
}

std::string OperationTest::runCases(const std::string &body, ArrayRef<std::string> operands,
                                    const std::string &result, const Cases &cases,
                                    std::vector<uint64_t> &results) {
  const std::string pointer = "!mettle.ptr<i64, global>";
  std::string parameters, loads;
  std::vector<std::vector<uint64_t>> columns(operands.size());
  for (auto [number, type] : enumerate(operands)) {
    std::string name(1, static_cast<char>('a' + number));
    parameters += "%" + name + "_base: " + pointer + ", ";
    loads += "%" + name + "_address = mettle.offset %" + name + "_base[%case] : " + pointer +
             "\n%" + name + "_word = mettle.load %" + name + "_address : " + pointer + " -> i64\n" +
             fromWord(name, type);
    for (const std::vector<uint64_t> &words : cases)
      columns[number].push_back(words[number]);
  }
  Interpreter interpreter =
      load("mettle.kernel @k(" + parameters + "%r_base: " + pointer +
           ") {\n%block = mettle.block_id x\n"
           "%case = arith.extui %block : i32 to i64\n" +
           loads + body + "\n" + toWord("r", result) +
           "%r_address = mettle.offset %r_base[%case] : " + pointer +
           "\nmettle.store %r_word, %r_address : i64, " + pointer + "\nmettle.return\n}\n");
  results.assign(cases.size(), 0x5555555555555555);
  std::vector<GlobalBuffer> buffers;
  for (std::vector<uint64_t> &column : columns)
    buffers.push_back(bufferOf("operand", column));
  buffers.push_back(bufferOf("result", results));
  std::vector<KernelArgument> arguments;
  for (GlobalBuffer &buffer : buffers)
    arguments.push_back(KernelArgument::pointer(buffer));
  LaunchConfig config;
  config.grid = {static_cast<uint32_t>(cases.size()), 1, 1};
  config.reportGlobalRaces = false;
  return run(interpreter, arguments, config);
}

std::vector<uint64_t> OperationTest::evaluate(const std::string &body,
                                              ArrayRef<std::string> operands,
                                              const std::string &result, const Cases &cases) {
  std::vector<uint64_t> results;
  EXPECT_EQ(runCases(body, operands, result, cases, results), "") << body;
  return results;
}

std::string OperationTest::diagnose(const std::string &body, ArrayRef<std::string> operands,
                                    const std::string &result,
                                    const std::vector<uint64_t> &operandWords) {
  std::vector<uint64_t> results;
  return runCases(body, operands, result, {operandWords}, results);
}
