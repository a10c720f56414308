//===- Epilogue.cpp - From the accumulated value to D ---------------------===//
//
// Every operation is one rounding to nearest even in the compute format, which is the host's.
//
//===----------------------------------------------------------------------===//

#include "Epilogue.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/bit.h"
#include <cmath>

using namespace mettle::numerics;

bool mettle::numerics::holdsExactly(Format wide, Format narrow) {
  const FormatInfo &w = info(wide), &n = info(narrow);
  if (wide == narrow)
    return true;
  if (w.isInteger)
    return n.isInteger && n.fractionBits <= w.fractionBits && (w.isSigned || !n.isSigned);
  if (n.isInteger)
    return n.fractionBits <= w.fractionBits + 1;
  return n.fractionBits <= w.fractionBits && n.minExponent() >= w.minExponent() &&
         n.exponentBits <= w.exponentBits;
}

static bool has(const GEMMDesc &desc, EpilogueOp op) {
  return llvm::is_contained(desc.epilogue.ops, op);
}

llvm::Error mettle::numerics::checkEpilogueOperands(
    const GEMMDesc &desc, const GEMMProblem &problem,
    llvm::function_ref<llvm::Error(llvm::StringRef, const MatrixView &, uint64_t, uint64_t)>
        checkView) {
  auto check = [&](llvm::StringRef what, const MatrixView &view, uint64_t rows,
                   uint64_t cols) -> llvm::Error {
    if (llvm::Error error = checkView(what, view, rows, cols))
      return error;
    if (view.data && !holdsExactly(desc.epilogue.compute, view.format))
      return llvm::createStringError("gemm: " + what + ": expected a format that " +
                                     name(desc.epilogue.compute) + " holds, found " +
                                     name(view.format));
    return llvm::Error::success();
  };
  bool beta = has(desc, EpilogueOp::BetaC) || has(desc, EpilogueOp::BetaCFMA);
  if (beta && problem.beta != 0)
    if (llvm::Error error = check("C", problem.c, problem.m, problem.n))
      return error;
  if (has(desc, EpilogueOp::BiasRow))
    if (llvm::Error error = check("bias", problem.bias, 1, problem.m))
      return error;
  if (has(desc, EpilogueOp::BiasCol))
    if (llvm::Error error = check("bias", problem.bias, 1, problem.n))
      return error;
  return llvm::Error::success();
}

EpilogueRunner::EpilogueRunner(const GEMMDesc &desc, const GEMMProblem &problem)
    : desc(desc), problem(problem) {}

template <typename Float>
uint64_t EpilogueRunner::apply(Format format, uint64_t word, uint64_t row, uint64_t col) const {
  constexpr Format compute = sizeof(Float) == 4 ? Format::F32 : Format::F64;
  auto through = [](Format narrow, Float x) {
    return Float(toDouble(narrow, fromDouble(narrow, double(x))));
  };
  auto value = [](const MatrixView &view, uint64_t i, uint64_t j) {
    return Float(toDouble(view.format, loadCode(view, i, j)));
  };
  Float x = Float(toDouble(compute, convert(format, word, compute)));
  Float alpha = Float(problem.alpha), beta = Float(problem.beta);
  for (EpilogueOp op : desc.epilogue.ops)
    switch (op) {
    case EpilogueOp::Alpha:
      x = x * alpha;
      break;
    case EpilogueOp::BetaC:
      if (problem.beta != 0)
        x = x + beta * value(problem.c, row, col);
      break;
    case EpilogueOp::BetaCFMA:
      if (problem.beta != 0)
        x = std::fma(beta, value(problem.c, row, col), x);
      break;
    case EpilogueOp::BiasRow:
      x = x + value(problem.bias, 0, row);
      break;
    case EpilogueOp::BiasCol:
      x = x + value(problem.bias, 0, col);
      break;
    case EpilogueOp::ReLU:
      x = x > 0 ? x : Float(0);
      break;
    case EpilogueOp::ReLUNaN:
      x = x <= 0 ? Float(0) : x;
      break;
    case EpilogueOp::RoundF16:
      x = through(Format::F16, x);
      break;
    case EpilogueOp::RoundBF16:
      x = through(Format::BF16, x);
      break;
    }
  return fromDouble(desc.output, double(x), Rounding::NearestEven, desc.outputOverflow);
}

uint64_t EpilogueRunner::run(Format format, uint64_t word, uint64_t row, uint64_t col) const {
  if (desc.epilogue.ops.empty())
    return format == desc.output
               ? word
               : convert(format, word, desc.output, Rounding::NearestEven, desc.outputOverflow);
  return desc.epilogue.compute == Format::F64 ? apply<double>(format, word, row, col)
                                              : apply<float>(format, word, row, col);
}
