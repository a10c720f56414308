//===- Value.cpp - What a tree evaluates to -------------------------------===//
//
// Node by node, with the arithmetic of Numerics for conversions, approximate functions and matrix
// steps, and the host's for IEEE 754 operations in the rounding that an operation names.
//
//===----------------------------------------------------------------------===//

#include "Mettle/Checker/Tree/Value.h"
#include "Mettle/Checker/Tree/Evaluate.h"
#include "Mettle/Numerics/Approximate.h"
#include "Mettle/Numerics/ScalarConvert.h"
#include "Mettle/Numerics/Step.h"
#include "llvm/ADT/SmallString.h"
#include <cfenv>
#include <cmath>

using namespace mettle::checker;
using namespace mettle::numerics;

static uint64_t mixed(uint64_t x) {
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9;
  x = (x ^ (x >> 27)) * 0x94d049bb133111eb;
  return x ^ (x >> 31);
}

/// An element of 1, 2 or 4 bytes, read as e4m3, f16 or f32.
static uint64_t element(InputDraw::Kind kind, uint64_t random, unsigned bytes) {
  Format format = bytes == 4 ? Format::F32 : bytes == 2 ? Format::F16 : Format::E4M3;
  const FormatInfo &about = info(format);
  unsigned fraction = about.fractionBits;
  uint64_t sign = (random >> 60 & 1) << (about.bits - 1);
  if (kind == InputDraw::Zeros)
    return sign;
  if (kind == InputDraw::Special && (random >> 56 & 3) == 0) {
    uint64_t infinity =
        bytes == 1 ? 0x7e : ((uint64_t(1) << (about.bits - 1 - fraction)) - 1) << fraction;
    switch (random >> 52 & 3) {
    case 0:
      return sign | infinity;
    case 1:
      return bytes == 1 ? 0x7f : infinity | 1;
    default:
      return sign;
    }
  }
  int span = kind == InputDraw::Wide ? (bytes == 4 ? 40 : bytes == 2 ? 10 : 5) : 2;
  int bias = (1 << (about.bits - 2 - fraction)) - 1;
  if (kind == InputDraw::Small)
    bias -= bytes == 1 ? 3 : 6;
  int exponent = bias + int(random >> 32 & 0xffff) % (2 * span + 1) - span;
  return sign | uint64_t(exponent) << fraction | (random & ((uint64_t(1) << fraction) - 1));
}

uint64_t InputDraw::word(uint32_t parameter, int64_t offset, unsigned bytes) const {
  auto found = elementBytes.find(parameter);
  unsigned size = found == elementBytes.end() ? std::min(bytes, 4u) : std::min(found->second, 4u);
  uint64_t result = 0;
  for (unsigned at = 0; at < bytes && at < 8; at += size) {
    uint64_t random = mixed(mixed(seed * 0x9e3779b97f4a7c15 + parameter) + uint64_t(offset + at));
    result |= element(kind, random, size) << 8 * at;
  }
  return result;
}

void mettle::checker::findElementSizes(const Templates &trees, TemplateId tree,
                                       std::map<uint32_t, unsigned> &elementBytes) {
  std::vector<TemplateId> work = {tree};
  std::map<TemplateId, bool> seen;
  while (!work.empty()) {
    TemplateId id = work.back();
    work.pop_back();
    if (!seen.try_emplace(id, true).second)
      continue;
    const Template &node = trees[id];
    if (node.kind == Template::Leaf) {
      auto [place, isNew] = elementBytes.try_emplace(node.slots[0], node.bytes);
      place->second = std::min<unsigned>(place->second, node.bytes);
    }
    for (const Child &child : node.children)
      work.push_back(child.tree);
  }
}

std::optional<int64_t> TreeValue::number(FormId form) const {
  int64_t result = trees.forms.constantOf(form);
  for (const Part &part : trees.forms.parts(form)) {
    const Atom &atom = trees.forms.atom(part.atom);
    if (atom.kind != Atom::Digit || atom.data >= digits.size())
      return std::nullopt;
    result += part.coef * digits[atom.data];
  }
  return result;
}

std::optional<uint64_t> TreeValue::of(const Tree &tree, llvm::ArrayRef<int64_t> where) {
  digits.assign(where.begin(), where.end());
  ofElement.clear();
  Shift shift;
  for (FormId form : tree.shift) {
    std::optional<int64_t> here = number(form);
    if (!here)
      return std::nullopt;
    shift.push_back(*here);
  }
  return value(tree.tree, shift);
}

std::optional<TreeValue::Shift> TreeValue::shiftOf(const Child &child, const Shift &shift) const {
  Shift result;
  for (auto [slot, distance] : child.slots) {
    std::optional<int64_t> far = number(distance);
    if (!far)
      return std::nullopt;
    result.push_back(shift[slot] + *far);
  }
  return result;
}

bool TreeValue::dependsOnDigits(TemplateId tree) {
  auto [place, isNew] = mentionsDigits.try_emplace(tree, false);
  if (!isNew)
    return place->second;
  bool depends = false;
  for (const Child &child : trees[tree].children) {
    for (auto [slot, distance] : child.slots)
      depends |= !trees.forms.isConstant(distance);
    depends = depends || dependsOnDigits(child.tree);
  }
  return mentionsDigits[tree] = depends;
}

std::optional<uint64_t> TreeValue::value(TemplateId tree, const Shift &shift) {
  auto &known = dependsOnDigits(tree) ? ofElement : memo;
  std::pair<TemplateId, std::vector<int64_t>> key = {tree, {shift.begin(), shift.end()}};
  auto found = known.find(key);
  if (found != known.end())
    return found->second;
  std::optional<uint64_t> result = compute(tree, shift);
  ++computed;
  if (!result && refused.empty())
    refused = trees.nameOf(trees[tree]).str();
  known[key] = result;
  return result;
}

static uint32_t canonical(float value) { return std::isnan(value) ? 0x7fffffff : bitsOf(value); }

/// The operation in the host's arithmetic with a rounding mode.
template <typename Operation> static float rounded(int mode, Operation operation) {
  int before = std::fegetround();
  std::fesetround(mode);
  volatile float result = operation();
  std::fesetround(before);
  return result;
}

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

static std::optional<Format> formatOf(llvm::StringRef type) { return parseFormat(type); }

std::optional<uint64_t> TreeValue::apply(llvm::StringRef op, llvm::ArrayRef<uint64_t> args) const {
  if (std::optional<uint64_t> integer = foldInteger(op, args))
    return integer;
  if (std::optional<Approximate> function = parseApproximate(op)) {
    const ApproximateInfo &about = info(*function);
    if (about.bits > 32 || about.operands != args.size())
      return std::nullopt;
    return approximate(*function, uint32_t(args[0]), args.size() > 1 ? uint32_t(args[1]) : 0);
  }
  llvm::SmallVector<llvm::StringRef, 6> words;
  op.split(words, '.');
  llvm::StringRef name = words[0], type = words.back();
  int mode = FE_TONEAREST;
  bool flush = false, keepsNaN = false;
  for (llvm::StringRef word : llvm::ArrayRef(words).drop_front().drop_back()) {
    if (word == "rz")
      mode = FE_TOWARDZERO;
    else if (word == "rm")
      mode = FE_DOWNWARD;
    else if (word == "rp")
      mode = FE_UPWARD;
    else if (word == "ftz")
      flush = true;
    else if (word == "NaN")
      keepsNaN = true;
    else if (word != "rn" && word != "free" && name != "cvt")
      return std::nullopt;
  }
  if (name == "cvt") {
    // cvt[.rounding].to.from
    if (words.size() < 3 || words.size() > 4 || args.size() != 1)
      return std::nullopt;
    std::optional<Format> to = formatOf(words[words.size() - 2]), from = formatOf(type);
    if (!to || !from || info(*to).bits > 32 || info(*from).bits > 32)
      return std::nullopt;
    Rounding rounding = Rounding::NearestEven;
    if (words.size() == 4) {
      std::optional<Rounding> named = parseRounding(words[1]);
      if (!named)
        return std::nullopt;
      rounding = *named;
    }
    return convert(*from, args[0], *to, rounding);
  }
  if (type == "f16" || type == "bf16") {
    if (mode != FE_TONEAREST || flush || args.size() != 2)
      return std::nullopt;
    // Two of these have their sum and product exact in f64.
    Format format = type == "f16" ? Format::F16 : Format::BF16;
    double x = toDouble(format, args[0]), y = toDouble(format, args[1]);
    if (name == "add" || name == "sub")
      return fromDouble(format, name == "add" ? x + y : x - y);
    return name == "mul" ? std::optional(fromDouble(format, x * y)) : std::nullopt;
  }
  if (type != "f32")
    return std::nullopt;
  float x[3] = {};
  for (size_t i = 0; i < args.size() && i < 3; ++i)
    x[i] = flush ? flushed(floatOf(uint32_t(args[i]))) : floatOf(uint32_t(args[i]));
  auto done = [&](float result) -> std::optional<uint64_t> {
    return canonical(flush ? flushed(result) : result);
  };
  if (args.size() == 1) {
    if (name == "neg")
      return args[0] ^ 0x80000000;
    if (name == "abs")
      return args[0] & 0x7fffffff;
    if (name == "sqrt" && words.size() > 2 && words[1] != "approx")
      return done(rounded(mode, [&] {
        volatile float a = x[0];
        return std::sqrt(a);
      }));
    return std::nullopt;
  }
  if (args.size() == 3 && name == "fma")
    return done(rounded(mode, [&] {
      volatile float a = x[0], b = x[1], c = x[2];
      return std::fma(a, b, c);
    }));
  if (args.size() != 2)
    return std::nullopt;
  if (name == "max" || name == "min")
    return extreme(name == "max", keepsNaN, uint32_t(args[0]), uint32_t(args[1]));
  if (name == "add" || name == "sub" || name == "mul" || (name == "div" && words[1] != "full"))
    return done(rounded(mode, [&] {
      volatile float a = x[0], b = x[1];
      return name == "add" ? a + b : name == "sub" ? a - b : name == "mul" ? a * b : a / b;
    }));
  return std::nullopt;
}

std::optional<uint64_t> TreeValue::combine(llvm::StringRef op, uint64_t acc, TemplateId tree,
                                           const Shift &shift) {
  const Template node = trees[tree];
  if (node.kind == Template::Pair) {
    uint64_t args[3] = {0, 0, acc};
    for (unsigned i = 0; i < 2; ++i) {
      std::optional<Shift> at = shiftOf(node.children[i], shift);
      std::optional<uint64_t> factor = at ? value(node.children[i].tree, *at) : std::nullopt;
      if (!factor)
        return std::nullopt;
      args[i] = *factor;
    }
    return apply(op, args);
  }
  if (node.kind == Template::Dot) {
    // dot.A.B.class
    llvm::StringRef rest = op.drop_front(4);
    auto [aName, afterA] = rest.split('.');
    auto [bName, className] = afterA.split('.');
    std::string withGroup = className.str();
    if (size_t group = withGroup.find(".g0."); group != std::string::npos)
      withGroup.replace(group, 4, ".g256.");
    llvm::Expected<ArithmeticClass> cls = ArithmeticClass::parse(withGroup);
    std::optional<Format> a = parseFormat(aName), b = parseFormat(bName);
    if (!cls || !a || !b) {
      if (!cls)
        llvm::consumeError(cls.takeError());
      return std::nullopt;
    }
    std::vector<uint64_t> x, y;
    auto add = [&](const Child &child, const Shift &at) {
      const Template product = trees[child.tree];
      std::optional<uint64_t> factors[2];
      for (unsigned i = 0; i < 2; ++i) {
        std::optional<Shift> where = shiftOf(product.children[i], at);
        factors[i] = where ? value(product.children[i].tree, *where) : std::nullopt;
        if (!factors[i])
          return false;
      }
      x.push_back(*factors[0]);
      y.push_back(*factors[1]);
      return true;
    };
    llvm::SmallVector<Shift, 2> firsts;
    for (const Child &child : node.children) {
      std::optional<Shift> at = shiftOf(child, shift);
      if (!at)
        return std::nullopt;
      firsts.push_back(*at);
    }
    for (uint64_t k = 0; k < node.data; ++k) {
      Shift at = firsts[node.starts ? 0 : k];
      for (size_t i = 0; node.starts && k && i < at.size(); ++i)
        at[i] += int64_t(k) * (firsts[1][i] - firsts[0][i]);
      if (!add(node.children[node.starts ? 0 : k], at))
        return std::nullopt;
    }
    return evaluateStep(*cls, {*a, *b, x, y}, acc);
  }
  std::optional<uint64_t> other = value(tree, shift);
  return other ? apply(op, {acc, *other}) : std::nullopt;
}

std::optional<uint64_t> TreeValue::compute(TemplateId id, const Shift &shift) {
  const Template node = trees[id];
  llvm::StringRef name = trees.nameOf(node);
  auto child = [&](unsigned i) -> std::optional<uint64_t> {
    std::optional<Shift> at = shiftOf(node.children[i], shift);
    return at ? value(node.children[i].tree, *at) : std::nullopt;
  };
  uint64_t mask = node.bytes >= 8 ? ~uint64_t(0) : (uint64_t(1) << 8 * node.bytes) - 1;
  switch (node.kind) {
  case Template::Const:
    return node.data;
  case Template::Truth:
    return node.data;
  case Template::Leaf: {
    if (node.bytes > 8)
      return std::nullopt;
    uint64_t word = draw.word(node.slots[0], shift[0], node.bytes);
    inputs[{node.slots[0], shift[0]}] = {node.bytes, word};
    return word;
  }
  case Template::Integer:
    return uint64_t(shift[0]) & mask;
  case Template::Less:
    return shift[0] < 0;
  case Template::Zero:
    return shift[0] == 0;
  case Template::Not: {
    std::optional<uint64_t> inner = child(0);
    return inner ? std::optional<uint64_t>(!*inner) : std::nullopt;
  }
  case Template::And: {
    std::optional<uint64_t> a = child(0), b = child(1);
    return a && b ? std::optional<uint64_t>(*a && *b) : std::nullopt;
  }
  case Template::Select: {
    std::optional<uint64_t> condition = child(0);
    return condition ? child(*condition ? 1 : 2) : std::nullopt;
  }
  case Template::Compare: {
    std::optional<uint64_t> a = child(0), b = child(1);
    if (!a || !b)
      return std::nullopt;
    if (std::optional<bool> holds = foldComparison(name, *a, *b))
      return *holds;
    if (!name.ends_with(".f32"))
      return std::nullopt;
    float x = floatOf(uint32_t(*a)), y = floatOf(uint32_t(*b));
    llvm::StringRef relation = name.split('.').second.split('.').first;
    bool unordered = relation.ends_with("u") && std::isnan(x + y - x - y);
    if (relation == "lt" || relation == "ltu")
      return x < y || unordered;
    if (relation == "gt" || relation == "gtu")
      return x > y || unordered;
    if (relation == "le" || relation == "leu")
      return x <= y || unordered;
    if (relation == "ge" || relation == "geu")
      return x >= y || unordered;
    return relation == "eq" ? std::optional<uint64_t>(x == y) : std::nullopt;
  }
  case Template::Concat: {
    uint64_t result = 0;
    unsigned at = 0;
    for (unsigned i = 0; i < node.children.size(); ++i) {
      std::optional<uint64_t> piece = child(i);
      if (!piece || at >= 64)
        return std::nullopt;
      result |= *piece << at;
      at += 8 * trees[node.children[i].tree].bytes;
    }
    return result;
  }
  case Template::Extract: {
    std::optional<uint64_t> whole = child(0);
    if (!whole || node.data >= 8)
      return std::nullopt;
    return *whole >> 8 * node.data & mask;
  }
  case Template::Set: {
    std::optional<uint64_t> result = child(0);
    for (unsigned i = 1; result && i < node.children.size(); ++i) {
      std::optional<uint64_t> other = child(i);
      result = other ? apply(name, {*result, *other}) : std::nullopt;
    }
    return result;
  }
  case Template::Run: {
    unsigned first = node.starts;
    std::optional<Shift> at = shiftOf(node.children[first], shift),
                         next = shiftOf(node.children[first + 1], shift);
    if (!at || !next)
      return std::nullopt;
    TemplateId elementTree = node.children[first].tree;
    std::optional<uint64_t> acc = node.starts ? child(0) : value(elementTree, *at);
    for (uint64_t k = node.starts ? 0 : 1; acc && k < node.data; ++k) {
      Shift here = *at;
      for (size_t i = 0; i < here.size(); ++i)
        here[i] += int64_t(k) * ((*next)[i] - (*at)[i]);
      acc = combine(name, *acc, elementTree, here);
    }
    return acc;
  }
  case Template::Op: {
    if (node.children.size() == 2) {
      std::optional<uint64_t> acc = child(0);
      std::optional<Shift> at = shiftOf(node.children[1], shift);
      return acc && at ? combine(name, *acc, node.children[1].tree, *at) : std::nullopt;
    }
    llvm::SmallVector<uint64_t, 3> args;
    for (unsigned i = 0; i < node.children.size(); ++i) {
      std::optional<uint64_t> arg = child(i);
      if (!arg)
        return std::nullopt;
      args.push_back(*arg);
    }
    return apply(name, args);
  }
  default:
    return std::nullopt;
  }
}
