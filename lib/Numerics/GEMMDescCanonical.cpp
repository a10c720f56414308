//===- GEMMDescCanonical.cpp - Aliases of descriptors ---------------------===//
//
// Rewrites that keep every bit at every shape. Each rule says why it does; the property tests
// evaluate a descriptor and its canonical form side by side.
//
//===----------------------------------------------------------------------===//

#include "Mettle/Numerics/GEMMDesc.h"
#include "llvm/ADT/STLExtras.h"

using namespace mettle::numerics;

/// Whether every number of `narrow` is one of `wide`: rounding to `wide` is then no rounding.
static bool holds(Format wide, Format narrow) {
  if (wide == narrow)
    return true;
  const FormatInfo &w = info(wide), &n = info(narrow);
  if (w.isInteger || n.isInteger)
    return false;
  return w.fractionBits >= n.fractionBits && w.exponentBits >= n.exponentBits;
}

bool GEMMDesc::hasExactProducts() const {
  auto narrow = [](const FormatInfo &f) { return f.exponentBits <= 5 && f.fractionBits <= 10; };
  return narrow(info(a)) && narrow(info(b));
}

bool GEMMDesc::sumsAreNeverNegativeZero(size_t level) const {
  // A fused step and an exact integer one never return -0. A chain of fma from +0 does only
  // where a product underflows, one with a rounded product never: +0 plus -0 is +0.
  bool positive =
      step.isInteger() || step.kind == ArithmeticClass::Fused ||
      step.kind == ArithmeticClass::ScaledFused || step.kind == ArithmeticClass::FusedViaF16 ||
      step.kind == ArithmeticClass::BlockFused || step.kind == ArithmeticClass::MulAdd ||
      (step.kind == ArithmeticClass::FMA && hasExactProducts());
  // x + y is -0 only if both are, or if rounding to a narrower format makes it so: not to
  // one that holds the smallest non-zero product, of which all sums are multiples.
  auto grid = [](Format format) {
    const FormatInfo &f = info(format);
    return f.minExponent() - f.fractionBits;
  };
  auto keeps = [&](Format format) {
    return format == step.result || (hasExactProducts() && grid(a) + grid(b) >= grid(format));
  };
  for (size_t i = level; i < cuts.size(); ++i)
    positive &= keeps(cuts[i].partial) && keeps(cuts[i].merge);
  return positive;
}

/// One group per instruction where the accumulator enters every group: an instruction that chains
/// groups is then as good as several that hold one each, and a class whose groups are larger than
/// the instruction never fills them.
static void splitInstruction(GEMMDesc &desc) {
  if (desc.step.kind == ArithmeticClass::FusedViaF16) {
    // The accumulator comes last, by an addition to nearest even: just what `slow` asks for.
    desc.fastAccum = true;
    desc.step.group =
        uint16_t(std::min<unsigned>(desc.step.group, std::max(1u, desc.instructionK / 2)));
    return;
  }
  if (desc.step.isFused() && desc.step.group > desc.instructionK &&
      desc.step.kind != ArithmeticClass::BlockFused)
    desc.step.group = uint16_t(desc.instructionK);
  // Products of narrow formats are far above an f32 accumulator's floor, which then shows nowhere.
  bool f32Sum = desc.step.kind == ArithmeticClass::Fused && desc.step.result == Format::F32;
  if (f32Sum && desc.hasExactProducts() && desc.step.alignFloor <= -126)
    desc.step.alignFloor = -133;
  if (!desc.fastAccum)
    return;
  if (desc.step.isFused() && desc.instructionK > desc.step.group)
    desc.instructionK = desc.step.group;
  if (desc.step.kind == ArithmeticClass::MulAdd && desc.hasExactProducts())
    desc.step.kind = ArithmeticClass::FMA; // its first rounding is none
  if (desc.step.isChain())
    desc.instructionK = 1; // one rounding per element whatever the instruction
  if (desc.instructionK == 1)
    desc.residueStep = 0; // there is no short turn
}

/// Wrapped integer sums are sums modulo 2^32: no order, no cut and no instruction shows in them.
static void forgetOrder(GEMMDesc &desc) {
  if (!desc.step.isInteger() || desc.step.overflow != Overflow::Wrap)
    return;
  desc.cuts.clear();
  desc.instructionK = 1;
  desc.fastAccum = true;
  desc.residueStep = 0;
}

static void canonicaliseCut(GEMMDesc &desc, size_t level) {
  KCut &cut = desc.cuts[level];
  Format inner = level + 1 < desc.cuts.size() ? desc.cuts[level + 1].merge : desc.step.result;
  // A wider partial is a copy.
  if (holds(cut.partial, inner))
    cut.partial = inner;
  // Adding +0 would also change the payload of a NaN, which only steps in f64 keep.
  if (cut.start == MergeStart::Zero && desc.step.result != Format::F64 &&
      desc.sumsAreNeverNegativeZero(level))
    cut.start = MergeStart::First;
  // Addition commutes: two parts have one order, unless the first alone is rounded to the sum's
  // format before it.
  if (cut.count == 2 && cut.start == MergeStart::First && holds(cut.merge, cut.partial))
    cut.order = MergeOrder::Forward;
}

/// A cut that leaves one part whatever the axis, and whose roundings are none.
static bool isNoCut(const GEMMDesc &desc, size_t level) {
  const KCut &cut = desc.cuts[level];
  bool onePart = cut.count == 1;
  // Inside parts of a fixed length, a cut into longer ones does nothing.
  if (level > 0 && cut.layout == CutLayout::Contiguous && cut.count == 0) {
    const KCut &outer = desc.cuts[level - 1];
    onePart |= outer.layout == CutLayout::Contiguous && outer.count == 0 && outer.span <= cut.span;
  }
  Format inner = level + 1 < desc.cuts.size() ? desc.cuts[level + 1].merge : desc.step.result;
  return onePart && cut.partial == inner && cut.merge == inner && cut.start == MergeStart::First;
}

GEMMDesc GEMMDesc::canonical() const {
  GEMMDesc desc = *this;
  forgetOrder(desc);
  splitInstruction(desc);
  // Without a cut, its neighbours may turn out to be aliases too.
  for (size_t before = desc.cuts.size() + 1; before != desc.cuts.size();) {
    before = desc.cuts.size();
    for (size_t level = before; level-- > 0;)
      canonicaliseCut(desc, level);
    for (size_t level = before; level-- > 0;)
      if (isNoCut(desc, level))
        desc.cuts.erase(desc.cuts.begin() + level);
  }
  if (desc.epilogue.ops.empty())
    desc.epilogue.compute = desc.accumulated();
  return desc;
}
