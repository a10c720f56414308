//===- ConstantExpression.cpp - Literals and constant expressions ---------===//
//
// A precedence climber over a table of C's binary operators.
//
//===----------------------------------------------------------------------===//

#include "ConstantExpression.h"
#include "llvm/ADT/APFloat.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/bit.h"
#include "llvm/Support/Error.h"
#include <cstring>
#include <limits>

using namespace mettle::assembly::ptx;

namespace {
enum class Operator : uint8_t {
  LogicalOr,
  LogicalAnd,
  Or,
  Xor,
  And,
  Equal,
  NotEqual,
  LessEqual,
  GreaterEqual,
  ShiftLeft,
  ShiftRight,
  Less,
  Greater,
  Add,
  Subtract,
  Multiply,
  Divide,
  Remainder,
};

struct OperatorRow {
  llvm::StringLiteral text;
  Operator op;
  uint8_t precedence;
};
} // namespace

/// Longer spellings stand before their prefixes.
static constexpr OperatorRow operators[] = {
    {"||", Operator::LogicalOr, 1},
    {"&&", Operator::LogicalAnd, 2},
    {"|", Operator::Or, 3},
    {"^", Operator::Xor, 4},
    {"&", Operator::And, 5},
    {"==", Operator::Equal, 6},
    {"!=", Operator::NotEqual, 6},
    {"<=", Operator::LessEqual, 7},
    {">=", Operator::GreaterEqual, 7},
    {"<<", Operator::ShiftLeft, 8},
    {">>", Operator::ShiftRight, 8},
    {"<", Operator::Less, 7},
    {">", Operator::Greater, 7},
    {"+", Operator::Add, 9},
    {"-", Operator::Subtract, 9},
    {"*", Operator::Multiply, 10},
    {"/", Operator::Divide, 10},
    {"%", Operator::Remainder, 10},
};

static Constant integer(uint64_t bits, bool isUnsigned) {
  return {Constant::Kind::Integer, isUnsigned, bits};
}

static Constant float64(double value) {
  return {Constant::Kind::Float64, false, llvm::bit_cast<uint64_t>(value)};
}

static double asDouble(const Constant &value) {
  switch (value.kind) {
  case Constant::Kind::Float64:
    return llvm::bit_cast<double>(value.bits);
  case Constant::Kind::Float32:
    return llvm::bit_cast<float>(uint32_t(value.bits));
  case Constant::Kind::Integer:
    return value.isUnsigned ? double(value.bits) : double(int64_t(value.bits));
  }
  return 0;
}

bool ConstantExpression::parse(Constant &result) { return ternary(result); }

bool ConstantExpression::ternary(Constant &result) {
  if (!binary(result, 1))
    return false;
  if (*cursor.p != '?')
    return true;
  if (result.kind != Constant::Kind::Integer)
    return fail("expected an integer condition before '?'");
  if (++depth > MaxDepth)
    return fail("expression is nested deeper than 64");
  cursor.take('?');
  Constant yes, no;
  if (!ternary(yes))
    return false;
  if (!cursor.take(':'))
    return fail("expected ':' of a conditional expression");
  if (!ternary(no))
    return false;
  result = result.bits ? yes : no;
  --depth;
  return true;
}

bool ConstantExpression::binary(Constant &result, unsigned least) {
  if (!unary(result))
    return false;
  for (;;) {
    const OperatorRow *row = nullptr;
    for (const OperatorRow &candidate : operators)
      if (strncmp(cursor.p, candidate.text.data(), candidate.text.size()) == 0) {
        row = &candidate;
        break;
      }
    if (!row || row->precedence < least)
      return true;
    cursor.p += row->text.size();
    cursor.skip();
    Constant right;
    if (!binary(right, row->precedence + 1) || !apply(unsigned(row - operators), result, right))
      return false;
  }
}

bool ConstantExpression::apply(unsigned index, Constant &left, const Constant &right) {
  Operator op = operators[index].op;
  if (left.kind != Constant::Kind::Integer || right.kind != Constant::Kind::Integer) {
    double a = asDouble(left), b = asDouble(right);
    switch (op) {
    case Operator::Add:
      left = float64(a + b);
      return true;
    case Operator::Subtract:
      left = float64(a - b);
      return true;
    case Operator::Multiply:
      left = float64(a * b);
      return true;
    case Operator::Divide:
      if (b == 0)
        return fail("division by zero in a constant expression");
      left = float64(a / b);
      return true;
    case Operator::Equal:
      left = integer(a == b, false);
      return true;
    case Operator::NotEqual:
      left = integer(a != b, false);
      return true;
    case Operator::Less:
      left = integer(a < b, false);
      return true;
    case Operator::Greater:
      left = integer(a > b, false);
      return true;
    case Operator::LessEqual:
      left = integer(a <= b, false);
      return true;
    case Operator::GreaterEqual:
      left = integer(a >= b, false);
      return true;
    default:
      return fail("operator takes integers only");
    }
  }
  uint64_t a = left.bits, b = right.bits;
  auto sa = int64_t(a), sb = int64_t(b);
  bool isUnsigned = left.isUnsigned || right.isUnsigned;
  switch (op) {
  case Operator::LogicalOr:
    left = integer(a || b, false);
    return true;
  case Operator::LogicalAnd:
    left = integer(a && b, false);
    return true;
  case Operator::Or:
    left = integer(a | b, isUnsigned);
    return true;
  case Operator::Xor:
    left = integer(a ^ b, isUnsigned);
    return true;
  case Operator::And:
    left = integer(a & b, isUnsigned);
    return true;
  case Operator::Equal:
    left = integer(a == b, false);
    return true;
  case Operator::NotEqual:
    left = integer(a != b, false);
    return true;
  case Operator::Less:
    left = integer(isUnsigned ? a < b : sa < sb, false);
    return true;
  case Operator::Greater:
    left = integer(isUnsigned ? a > b : sa > sb, false);
    return true;
  case Operator::LessEqual:
    left = integer(isUnsigned ? a <= b : sa <= sb, false);
    return true;
  case Operator::GreaterEqual:
    left = integer(isUnsigned ? a >= b : sa >= sb, false);
    return true;
  case Operator::ShiftLeft:
  case Operator::ShiftRight: {
    // The type of a shift is that of its left operand.
    if (b > 63)
      return fail("shift by more than 63 in a constant expression");
    uint64_t shifted = op == Operator::ShiftLeft ? a << b
                       : left.isUnsigned         ? a >> b
                                                 : uint64_t(sa >> b);
    left = integer(shifted, left.isUnsigned);
    return true;
  }
  case Operator::Add:
    left = integer(a + b, isUnsigned);
    return true;
  case Operator::Subtract:
    left = integer(a - b, isUnsigned);
    return true;
  case Operator::Multiply:
    left = integer(a * b, isUnsigned);
    return true;
  case Operator::Divide:
  case Operator::Remainder: {
    if (b == 0)
      return fail("division by zero in a constant expression");
    bool divide = op == Operator::Divide;
    if (isUnsigned)
      left = integer(divide ? a / b : a % b, true);
    else if (sb == -1) // avoids the overflow of INT64_MIN / -1
      left = integer(divide ? 0 - a : 0, false);
    else
      left = integer(uint64_t(divide ? sa / sb : sa % sb), false);
    return true;
  }
  }
  return fail("unknown operator");
}

bool ConstantExpression::unary(Constant &result) {
  char c = *cursor.p;
  bool prefix = c == '-' || c == '+' || c == '!' || c == '~';
  if (!prefix && c != '(')
    return literal(result);
  if (++depth > MaxDepth)
    return fail("expression is nested deeper than 64");
  cursor.take(c);
  if (c == '(') {
    if (*cursor.p == '.') {
      llvm::StringRef cast = cursor.dotted();
      cursor.skip();
      if (cast != "s64" && cast != "u64")
        return fail("expected a cast to .s64 or .u64");
      if (!cursor.take(')'))
        return fail("expected ')' after a cast");
      if (!unary(result))
        return false;
      if (result.kind != Constant::Kind::Integer)
        return fail("a cast takes an integer");
      result.isUnsigned = cast == "u64";
    } else {
      if (!ternary(result))
        return false;
      if (!cursor.take(')'))
        return fail("expected ')'");
    }
    --depth;
    return true;
  }
  if (!unary(result))
    return false;
  --depth;
  if (c == '+')
    return true;
  if (c == '!') {
    if (result.kind != Constant::Kind::Integer)
      return fail("'!' takes an integer");
    result = integer(!result.bits, false);
  } else if (c == '~') {
    if (result.kind != Constant::Kind::Integer)
      return fail("'~' takes an integer");
    result.bits = ~result.bits;
  } else if (result.kind == Constant::Kind::Integer) {
    result.bits = 0 - result.bits;
  } else {
    result.bits ^= result.kind == Constant::Kind::Float32 ? uint64_t(1) << 31 : uint64_t(1) << 63;
  }
  return true;
}

bool ConstantExpression::literal(Constant &result) {
  const char *start = cursor.p;
  if (llvm::StringRef name = cursor.name(); !name.empty()) {
    if (name != "WARP_SZ") {
      cursor.p = start;
      return fail("expected a number");
    }
    cursor.skip();
    result = integer(32, false);
    return true;
  }
  if (!isClass(*start, Digit) && !(*start == '.' && isClass(start[1], Digit)))
    return fail("expected a number");

  char letter = start[0] == '0' ? char(start[1] | 0x20) : 0;
  if (letter == 'f' || letter == 'd') {
    unsigned digits = letter == 'f' ? 8 : 16;
    uint64_t word = 0;
    for (unsigned i = 0; i < digits; ++i) {
      char digit = start[2 + i];
      if (!isClass(digit, HexDigit)) {
        cursor.p = start + 2 + i;
        return fail(letter == 'f' ? "expected 8 hexadecimal digits after 0f"
                                  : "expected 16 hexadecimal digits after 0d");
      }
      word = word << 4 | llvm::hexDigitValue(digit);
    }
    cursor.p = start + 2 + digits;
    result = {letter == 'f' ? Constant::Kind::Float32 : Constant::Kind::Float64, false, word};
  } else {
    unsigned radix = letter == 'x' ? 16 : letter == 'b' ? 2 : 0;
    const char *p = radix ? start + 2 : start;
    const char *digitsStart = p;
    while (isClass(*p, radix == 16 ? HexDigit : Digit))
      ++p;
    if (!radix && (*p == '.' || (*p | 0x20) == 'e'))
      return decimal(start, result);
    if (!radix)
      radix = *start == '0' && p > start + 1 ? 8 : 10;
    uint64_t value;
    if (llvm::StringRef(digitsStart, size_t(p - digitsStart)).getAsInteger(radix, value)) {
      if (p == digitsStart)
        return fail("expected digits of a number");
      return fail("expected an integer of at most 64 bits with digits of its base");
    }
    bool isUnsigned = *p == 'U' || value > uint64_t(std::numeric_limits<int64_t>::max());
    cursor.p = *p == 'U' ? p + 1 : p;
    result = integer(value, isUnsigned);
  }
  if (isClass(*cursor.p, NameBody))
    return fail("unexpected character in a number");
  cursor.skip();
  return true;
}

bool ConstantExpression::decimal(const char *start, Constant &result) {
  const char *p = start;
  while (isClass(*p, Digit))
    ++p;
  if (*p == '.')
    for (++p; isClass(*p, Digit);)
      ++p;
  if ((*p | 0x20) == 'e') {
    const char *digits = p[1] == '-' || p[1] == '+' ? p + 2 : p + 1;
    if (!isClass(*digits, Digit)) {
      cursor.p = digits;
      return fail("expected digits of an exponent");
    }
    for (p = digits; isClass(*p, Digit);)
      ++p;
  }
  cursor.p = p;
  if (isClass(*p, NameBody))
    return fail("unexpected character in a number");
  llvm::APFloat value(llvm::APFloat::IEEEdouble());
  auto status = value.convertFromString(cursor.since(start), llvm::APFloat::rmNearestTiesToEven);
  if (llvm::errorToBool(status.takeError()))
    return fail("expected a decimal number");
  result = {Constant::Kind::Float64, false, value.bitcastToAPInt().getZExtValue()};
  cursor.skip();
  return true;
}
