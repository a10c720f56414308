//===- ArithFloat.cpp - float arithmetic of arith -===//
//
// Every result is the exact one rounded once, to nearest even.
//
//===----------------------------------------------------------------------===//

#include "FloatModel.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace mettle;
using namespace mettle::interpreter;

namespace {
struct Add {
  template <typename Number> static Number apply(Number a, Number b) { return a + b; }
};
struct Subtract {
  template <typename Number> static Number apply(Number a, Number b) { return a - b; }
};
struct Multiply {
  template <typename Number> static Number apply(Number a, Number b) { return a * b; }
};
struct Divide {
  template <typename Number> static Number apply(Number a, Number b) { return a / b; }
};
/// The remainder of the division that truncates; exact.
struct Remainder {
  template <typename Number> static Number apply(Number a, Number b) { return std::fmod(a, b); }
};

/// -0.0 is below +0.0. arith leaves that open for maxnumf and minnumf; PTX and IEEE 754-2019 do it.
template <typename Number> Number larger(Number a, Number b) {
  return a == b ? (std::signbit(a) ? b : a) : (a > b ? a : b);
}
template <typename Number> Number smaller(Number a, Number b) {
  return a == b ? (std::signbit(a) ? a : b) : (a < b ? a : b);
}

/// A NaN wins.
struct Maximum {
  template <typename Number> static Number apply(Number a, Number b) {
    return a != a ? a : b != b ? b : larger(a, b);
  }
};
struct Minimum {
  template <typename Number> static Number apply(Number a, Number b) {
    return a != a ? a : b != b ? b : smaller(a, b);
  }
};
/// A number wins over a NaN.
struct MaximumNumber {
  template <typename Number> static Number apply(Number a, Number b) {
    return a != a ? b : b != b ? a : larger(a, b);
  }
};
struct MinimumNumber {
  template <typename Number> static Number apply(Number a, Number b) {
    return a != a ? b : b != b ? a : smaller(a, b);
  }
};
} // namespace

static const Instruction *negate(const Instruction *at, WorkItem &item) {
  item.frame[at->result] = item.frame[at->a] ^ at->immediate;
  return at + 1;
}

namespace mettle::interpreter::detail {
void registerArithFloatModels(DialectRegistry &registry) {
  registry.addExtension(+[](MLIRContext *context, arith::ArithDialect *) {
    attachModels<lowerBinary<arith::AddFOp, Add>, lowerBinary<arith::SubFOp, Subtract>,
                 lowerBinary<arith::MulFOp, Multiply>, lowerBinary<arith::DivFOp, Divide>,
                 lowerBinary<arith::RemFOp, Remainder>, lowerBinary<arith::MaximumFOp, Maximum>,
                 lowerBinary<arith::MinimumFOp, Minimum>,
                 lowerBinary<arith::MaxNumFOp, MaximumNumber>,
                 lowerBinary<arith::MinNumFOp, MinimumNumber>, lowerSign<arith::NegFOp, negate>>(
        context);
  });
}
} // namespace mettle::interpreter::detail
