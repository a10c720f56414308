//===- GEMMDesc.cpp - Validation of a descriptor --------------------------===//
//
// What no kernel could do is refused here, so that the evaluator, the printer of trees and the
// probe need not ask.
//
//===----------------------------------------------------------------------===//

#include "Mettle/Numerics/GEMMDesc.h"
#include "Mettle/Numerics/MatrixModel.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Support/xxhash.h"
#include <tuple>

using namespace mettle::numerics;
using llvm::StringRef;

bool KCut::operator==(const KCut &o) const {
  return std::tie(layout, span, count, partial, merge, order, start) ==
         std::tie(o.layout, o.span, o.count, o.partial, o.merge, o.order, o.start);
}

bool GEMMDesc::operator==(const GEMMDesc &o) const {
  return std::tie(a, b, step, instructionK, fastAccum, residueStep, scale, scaleBlock, cuts,
                  startFromC, epilogue, output, outputOverflow) ==
         std::tie(o.a, o.b, o.step, o.instructionK, o.fastAccum, o.residueStep, o.scale,
                  o.scaleBlock, o.cuts, o.startFromC, o.epilogue, o.output, o.outputOverflow);
}

uint64_t GEMMDesc::hash() const { return llvm::xxHash64(canonical().text()); }

static llvm::Error refuse(StringRef field, const llvm::Twine &message) {
  return llvm::createStringError("descriptor: " + field + ": " + message);
}

static bool isNarrowFloat(Format format) {
  return !info(format).isInteger && info(format).bits <= 8 && format != Format::UE8M0 &&
         format != Format::UE4M3;
}

static bool isFP8(Format format) { return format == Format::E4M3 || format == Format::E5M2; }

/// Operand pairs that some instruction of the class's kind takes.
static llvm::Error checkOperands(const GEMMDesc &desc) {
  Format a = desc.a, b = desc.b;
  bool fits = false;
  switch (desc.step.kind) {
  case ArithmeticClass::Fused:
    fits = (isNarrowFloat(a) && isNarrowFloat(b)) ||
           (a == b && (a == Format::F16 || (desc.step.result != Format::F16 &&
                                            (a == Format::BF16 || a == Format::TF32))));
    break;
  case ArithmeticClass::FusedViaF16:
    fits = isFP8(a) && isFP8(b);
    break;
  case ArithmeticClass::ScaledFused:
    fits = isNarrowFloat(a) && isNarrowFloat(b);
    break;
  case ArithmeticClass::BlockFused:
    fits = a == Format::E2M1 && b == Format::E2M1;
    break;
  case ArithmeticClass::FloorFused:
  case ArithmeticClass::FloorFusedPairs:
    fits = a == b ? info(a).fractionBits <= 10 && !info(a).isInteger
                  : isNarrowFloat(a) && isNarrowFloat(b);
    break;
  case ArithmeticClass::FMA:
  case ArithmeticClass::MulAdd:
    fits = !info(a).isInteger && !info(b).isInteger && a != Format::UE8M0 && b != Format::UE8M0 &&
           (desc.step.result == Format::F64 || (a != Format::F64 && b != Format::F64));
    break;
  case ArithmeticClass::Integer:
    fits =
        info(a).isInteger && info(b).isInteger && info(a).bits == info(b).bits && info(a).bits <= 8;
    break;
  case ArithmeticClass::XorPopcount:
    fits = a == Format::B1 && b == Format::B1;
    break;
  }
  if (!fits)
    return refuse("operands", "no instruction of class " + desc.step.text() + " takes " + name(a) +
                                  "*" + name(b));
  return llvm::Error::success();
}

static llvm::Error checkScale(const GEMMDesc &desc) {
  if (desc.step.isScaled() != desc.scale.has_value())
    return refuse("scale", desc.scale ? "class " + desc.step.text() + " takes no scales"
                                      : "class " + desc.step.text() + " needs scales");
  if (!desc.scale)
    return llvm::Error::success();
  bool block = desc.step.kind == ArithmeticClass::BlockFused;
  if (*desc.scale != Format::UE8M0 && !(block && *desc.scale == Format::UE4M3))
    return refuse("scale", "expected ue8m0" + llvm::Twine(block ? " or ue4m3" : "") + ", found " +
                               name(*desc.scale));
  if (desc.scaleBlock != 32 && !(block && desc.scaleBlock == 16))
    return refuse("scale", "expected a block of 32" + llvm::Twine(block ? " or 16" : "") +
                               ", found " + llvm::Twine(desc.scaleBlock));
  if (!desc.cuts.empty() &&
      llvm::any_of(desc.cuts, [&](const KCut &cut) { return cut.span % desc.scaleBlock != 0; }))
    return refuse("scale", "a block of " + llvm::Twine(desc.scaleBlock) +
                               " would straddle the parts of a cut");
  if (desc.residueStep)
    return refuse("first", "a short first turn would shift the blocks of the scales");
  return llvm::Error::success();
}

static bool canHoldSums(Format format, bool integer) {
  if (integer)
    return format == Format::I32;
  return format == Format::F16 || format == Format::BF16 || format == Format::F32 ||
         format == Format::F64;
}

static llvm::Error checkCuts(const GEMMDesc &desc) {
  if (desc.cuts.size() > 16)
    return refuse("cuts", "expected at most 16 levels, found " + llvm::Twine(desc.cuts.size()));
  for (const KCut &cut : desc.cuts) {
    StringRef field = cut.layout == CutLayout::Strided ? "lanes" : "parts";
    if (cut.span == 0 || cut.span > (uint64_t(1) << 40))
      return refuse(field, "expected a span of 1 to 2^40 elements, found " + llvm::Twine(cut.span));
    if (cut.layout == CutLayout::Strided && cut.count == 0)
      return refuse(field, "expected at least one lane");
    if (cut.count > 65536)
      return refuse(field, "expected at most 65536 parts, found " + llvm::Twine(cut.count));
    if (cut.order == MergeOrder::Tree && cut.start == MergeStart::Zero)
      return refuse(field, "a tree has no running sum to start at zero");
    for (Format format : {cut.partial, cut.merge})
      if (!canHoldSums(format, desc.step.isInteger()))
        return refuse(field,
                      "expected " +
                          llvm::Twine(desc.step.isInteger() ? "i32" : "f16, bf16, f32 or f64") +
                          " for the sums of a cut, found " + name(format));
  }
  return llvm::Error::success();
}

static llvm::Error checkEpilogue(const GEMMDesc &desc) {
  const Epilogue &epilogue = desc.epilogue;
  if (epilogue.ops.empty())
    return llvm::Error::success();
  if (epilogue.compute != Format::F32 && epilogue.compute != Format::F64)
    return refuse("epilogue", "expected f32 or f64 to compute in, found " + name(epilogue.compute));
  unsigned seen = 0;
  for (EpilogueOp op : epilogue.ops) {
    if (op == EpilogueOp::RoundF16 || op == EpilogueOp::RoundBF16)
      continue;
    unsigned bit = 1u << unsigned(op);
    if (op == EpilogueOp::BetaCFMA)
      bit = 1u << unsigned(EpilogueOp::BetaC);
    if (seen & bit)
      return refuse("epilogue", "an operation may come once");
    seen |= bit;
  }
  if (desc.startFromC && (seen & (1u << unsigned(EpilogueOp::BetaC))))
    return refuse("epilogue", "C is already in the accumulator (from-c)");
  return llvm::Error::success();
}

llvm::Error GEMMDesc::validate() const {
  if (llvm::Error error = checkOperands(*this))
    return error;
  if (instructionK == 0 || !llvm::isPowerOf2_32(instructionK) || instructionK > 512)
    return refuse("k", "expected a power of two up to 512, found " + llvm::Twine(instructionK));
  unsigned products = step.productsPerStep();
  if (step.isFused() && instructionK > products && instructionK % products != 0)
    return refuse("k", "an instruction of " + llvm::Twine(instructionK) +
                           " products is no chain of groups of " + llvm::Twine(products));
  if (step.kind == ArithmeticClass::FusedViaF16 && (instructionK < 4 || instructionK > products))
    return refuse("k", "expected 4, the period of the class's pairs, to " + llvm::Twine(products) +
                           ", found " + llvm::Twine(instructionK));
  if (residueStep % instructionK != 0)
    return refuse("first", "expected a turn of whole instructions of " + llvm::Twine(instructionK) +
                               ", found " + llvm::Twine(residueStep));
  if (llvm::Error error = checkScale(*this))
    return error;
  if (llvm::Error error = checkCuts(*this))
    return error;
  if (startFromC && !cuts.empty())
    return refuse("from-c", "with cuts there is no one accumulator that could hold C");
  if (llvm::Error error = checkEpilogue(*this))
    return error;
  const FormatInfo &out = info(output);
  if (output == Format::UE8M0 || output == Format::UE4M3 || output == Format::B1)
    return refuse("output", "expected a signed number format, found " + out.name);
  if (outputOverflow == Overflow::Wrap && !out.isInteger)
    return refuse("output", "only an integer wraps, found " + out.name);
  if (out.isInteger && !step.isInteger() && epilogue.ops.empty())
    return refuse("output", "expected a float for class " + step.text() + ", found " + out.name);
  return llvm::Error::success();
}

/// Whether a row's instruction computes the steps of a canonical descriptor: its own descriptor has
/// the same class, aliases merged.
static bool realises(const MatrixRow &row, const GEMMDesc &desc) {
  if (row.a != desc.a || row.b != desc.b || row.scale != desc.scale ||
      row.scaleBlock != desc.scaleBlock || row.products() < desc.instructionK)
    return false;
  GEMMDesc own;
  own.a = row.a, own.b = row.b, own.step = row.arithmetic;
  own.instructionK = row.products();
  own.fastAccum = desc.fastAccum;
  own = own.canonical();
  return own.step == desc.step && (desc.fastAccum || own.instructionK == desc.instructionK);
}

llvm::Error mettle::numerics::checkRealisable(const GEMMDesc &desc, StringRef arch) {
  StringRef base = arch.starts_with("sm_") ? arch.rtrim("af") : arch;
  GEMMDesc canonical = desc.canonical();
  bool known = false;
  for (const MatrixRow &row : matrixRows()) {
    if (row.arch != base)
      continue;
    known = true;
    if (realises(row, canonical))
      return llvm::Error::success();
  }
  if (!known)
    return llvm::createStringError("unknown architecture '" + arch + "'");
  if (desc.step.isChain())
    return llvm::Error::success();
  return llvm::createStringError("class " + canonical.step.text() + " on " + name(desc.a) + "*" +
                                 name(desc.b) + " is not realised by any instruction of " + base);
}
