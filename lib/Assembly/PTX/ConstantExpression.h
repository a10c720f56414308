//===- ConstantExpression.h - Literals and constant expressions -*- C++ -*-===//
//
// Evaluates what PTX lets stand where a number is wanted: integer and floating-point literals and
// C's operators on them. The value is what ptxas computes: 64-bit two's complement, a literal
// being unsigned if it has the suffix U or does not fit a signed one; floating point in double.
//
//===----------------------------------------------------------------------===//

#ifndef METTLE_LIB_ASSEMBLY_PTX_CONSTANTEXPRESSION_H
#define METTLE_LIB_ASSEMBLY_PTX_CONSTANTEXPRESSION_H

#include "Cursor.h"
#include <cstdint>

namespace mettle::assembly::ptx {

struct Constant {
  enum class Kind : uint8_t { Integer, Float32, Float64 };
  Kind kind = Kind::Integer;
  bool isUnsigned = false;
  uint64_t bits = 0;
};

class ConstantExpression {
public:
  explicit ConstantExpression(Cursor &cursor) : cursor(cursor) {}

  /// Reads an expression and the space after it. On failure the cursor stands at the fault and
  /// `fault()` says what is wrong.
  bool parse(Constant &result);

  const char *fault() const { return message; }

private:
  bool fail(const char *text) {
    message = text;
    return false;
  }
  bool ternary(Constant &result);
  bool binary(Constant &result, unsigned least);
  bool unary(Constant &result);
  bool literal(Constant &result);
  bool decimal(const char *start, Constant &result);
  bool apply(unsigned row, Constant &left, const Constant &right);

  /// The deepest nesting of parentheses and prefix operators.
  static constexpr unsigned MaxDepth = 64;

  Cursor &cursor;
  const char *message = nullptr;
  unsigned depth = 0;
};

} // namespace mettle::assembly::ptx

#endif // METTLE_LIB_ASSEMBLY_PTX_CONSTANTEXPRESSION_H
