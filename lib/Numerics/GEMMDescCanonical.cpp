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

/// The result of a fused step or of an exact integer one is never -0, and sums of such results in
/// the same format are not either: then a sum from +0 and one from the first part are the same.
static bool neverNegativeZero(const GEMMDesc &desc, size_t level) {
  ArithmeticClass::Kind kind = desc.step.kind;
  bool positive = desc.step.isInteger() || kind == ArithmeticClass::Fused ||
                  kind == ArithmeticClass::ScaledFused || kind == ArithmeticClass::BlockFused;
  for (size_t i = level; i < desc.cuts.size(); ++i)
    positive &= desc.cuts[i].partial == desc.step.result && desc.cuts[i].merge == desc.step.result;
  return positive;
}

/// One group per instruction where the accumulator enters every group: an instruction that chains
/// groups is then as good as several that hold one each, and a class whose groups are larger than
/// the instruction never fills them.
static void splitInstruction(GEMMDesc &desc) {
  if (desc.step.kind == ArithmeticClass::FusedViaF16) {
    // The accumulator comes last, by an addition to nearest even: just what `slow` asks for.
    desc.fastAccum = true;
    desc.step.group = uint16_t(std::min<unsigned>(desc.step.group, desc.instructionK / 2));
    return;
  }
  if (desc.step.isFused() && desc.step.group > desc.instructionK &&
      desc.step.kind != ArithmeticClass::BlockFused)
    desc.step.group = uint16_t(desc.instructionK);
  if (!desc.fastAccum)
    return;
  if (desc.step.isFused() && desc.instructionK > desc.step.group)
    desc.instructionK = desc.step.group;
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
  if (cut.start == MergeStart::Zero && neverNegativeZero(desc, level))
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
