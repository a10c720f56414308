//===- Approximate.cpp - functions as the hardware approximates them -===//
//
// One approximate instruction each, with a product before or after where the hardware has base two.
// Subnormals are kept; Numerics has the results of every instruction.
//
//===----------------------------------------------------------------------===//

#include "Patterns.h"

#include "Mettle/Dialect/Mettle/IR/ApproximateOps.h"
#include "Mettle/Dialect/PTX/IR/PTXFloatInsts.h.inc"
#include "Mettle/Dialect/PTX/IR/PTXMathInsts.h.inc"

using namespace mlir;
using namespace mettle;
using namespace mettle::detail;

namespace {
constexpr uint64_t log2OfE = 0x3FB8AA3B, lnOf2 = 0x3F317218;

Value lowerApproximate(Emit e, ApproximateOp op, Type element, ArrayRef<Value> v) {
  auto [builder, loc] = e;
  auto product = [&](Value value, uint64_t factor) {
    return ptx::mulF32(e.builder, e.loc, value, constantBits(e, element, factor),
                       ptx::Rounding::RN);
  };
  switch (op.getFunction()) {
  case ApproximateFunction::Exp:
    return ptx::ex2ApproxF32(builder, loc, product(v[0], log2OfE));
  case ApproximateFunction::Log:
    return product(ptx::lg2ApproxF32(builder, loc, v[0]), lnOf2);
  case ApproximateFunction::Sin:
    return ptx::sinApproxF32(builder, loc, v[0]);
  case ApproximateFunction::Cos:
    return ptx::cosApproxF32(builder, loc, v[0]);
  case ApproximateFunction::Rsqrt:
    return ptx::rsqrtApproxF32(builder, loc, v[0]);
  }
  llvm_unreachable("every function is listed");
}
} // namespace

void mettle::detail::populateApproximateToPTX(const TypeConverter &converter,
                                              RewritePatternSet &patterns) {
  addElementwise<ApproximateOp>(lowerApproximate, converter, patterns);
}
