//===- Probe.cpp - Recovering the descriptor of a black box ---------------===//
//
// The tree gives the form; every rounding that could go with it is tried against the box on draws
// that separate almost-right arithmetic from right, until only what cannot be told apart is left.
//
//===----------------------------------------------------------------------===//

#include "Mettle/Numerics/Probe.h"
#include "Mettle/Numerics/MatrixModel.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"
#include <cmath>
#include <map>

using namespace mettle::numerics;

namespace {

class Random {
public:
  explicit Random(uint64_t seed) : state(seed) {}
  uint64_t word() {
    uint64_t z = (state += 0x9E3779B97F4A7C15);
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EB;
    return z ^ (z >> 31);
  }
  uint64_t below(uint64_t bound) { return word() % bound; }
  double unit() { return double(word() >> 11) * 0x1p-53; }

private:
  uint64_t state;
};

/// Kinds of draws.
constexpr unsigned kinds = 7;

/// One element of a trial: the kind of draw changes from trial to trial. `side` is 0 in A, 1 in B.
uint64_t draw(Random &random, Format format, unsigned kind, unsigned side) {
  const FormatInfo &f = info(format);
  if (f.isInteger)
    return random.word() & llvm::maskTrailingOnes<uint64_t>(f.bits);
  double sign = random.below(2) ? -1 : 1;
  double magnitude = 1;
  switch (kind % kinds) {
  case 0: // near 1
    magnitude = 0.5 + random.unit();
    break;
  case 1: // exponents of a dozen binades
    magnitude = std::ldexp(1 + random.unit(), -int(random.below(12)));
    break;
  case 2: // few magnitudes: large terms meet their opposites, small ones remain
    magnitude = random.below(3) ? 1 : std::ldexp(1.0, -int(random.below(14)));
    break;
  case 3: // products about the smallest normal f32, or the smallest that the format has
    magnitude = std::ldexp(1 + random.unit(), -f.bias / 2 - int(random.below(12)));
    break;
  case 4: { // products all negative and so small that sums, or narrow ones, are -0
    static constexpr int exponents[] = {-16, -33, -73, -100};
    sign = side ? -1 : 1;
    magnitude = std::ldexp(1 + random.unit(), std::max(exponents[kind / kinds % 4],
                                                       f.minExponent() - f.fractionBits + 1));
    break;
  }
  case 6: // few terms: a pair that cancels and a remainder about the last kept fraction bit
    if (side == 0 && random.below(5) != 0)
      return 0;
    if (random.below(2))
      magnitude = std::ldexp(1.0, -f.fractionBits - 1 - int(random.below(3)));
    break;
  case 5: // subnormals and zeros
    magnitude =
        random.below(4) ? toDouble(format, random.below(8) << f.droppedBits) : random.unit();
    break;
  }
  return fromDouble(format, sign * magnitude);
}

class Prober {
public:
  Prober(const BlackBox &box, const ProbeOptions &options) : box(box), options(options) {}

  llvm::Expected<ProbeResult> run() {
    ProbeResult result;
    if (llvm::Error error = reveal(result))
      return std::move(error);
    std::vector<GEMMDesc> candidates;
    revealed = &result.revealed;
    result.forms = allForms(result.revealed);
    // Simple descriptors first: those with fewer cuts, and of those the ones whose sums are all
    // kept in the accumulator's format, then with narrower sums at one level, then at two.
    size_t deepest = 0;
    for (const GEMMDesc &form : result.forms)
      deepest = std::max(deepest, form.cuts.size());
    for (size_t cuts = 0; cuts <= deepest && candidates.empty(); ++cuts)
      for (unsigned narrowed = 0; narrowed <= 2 && candidates.empty(); ++narrowed) {
        for (const GEMMDesc &form : result.forms)
          if (form.cuts.size() == cuts)
            addCandidates(form, narrowed, candidates);
        if (llvm::Error error = select(result, candidates))
          return std::move(error);
      }
    result.calls = result.revealed.calls + calls;
    keepDistinct(box.k - result.revealed.lost.size(), candidates);
    if (!candidates.empty()) {
      result.desc = candidates.front();
      result.alternatives.assign(candidates.begin() + 1, candidates.end());
    }
    return result;
  }

private:
  /// Integers have no order to reveal: every form is tried.
  llvm::Error reveal(ProbeResult &result) {
    if (info(box.a).isInteger)
      return llvm::Error::success();
    llvm::Expected<Revealed> revealed = revealTree(box);
    if (!revealed)
      return revealed.takeError();
    result.revealed = std::move(*revealed);
    return llvm::Error::success();
  }

  /// Drops the candidates that differ from the box anywhere on as many draws as were asked for.
  llvm::Error select(ProbeResult &result, std::vector<GEMMDesc> &candidates) {
    Random random(options.seed);
    result.drawn = 0;
    for (unsigned trial = 0; (trial < kinds || result.drawn < options.draws) && !candidates.empty();
         ++trial) {
      if (llvm::Error error = compare(random, trial, result.revealed.lost, candidates))
        return error;
      ++calls;
      result.drawn += box.m * box.n;
    }
    return llvm::Error::success();
  }

  /// Forms whose tree is the revealed one. What is lost must be a tail: then the box computes a
  /// shorter axis.
  std::vector<GEMMDesc> allForms(const Revealed &revealed) const {
    if (info(box.a).isInteger || revealed.tree.empty())
      return {GEMMDesc()};
    uint64_t k = box.k - revealed.lost.size();
    if (!revealed.lost.empty() && revealed.lost.front() != k)
      return {};
    return recognise(revealed.tree, takesViaF16());
  }

  bool takesViaF16() const {
    return llvm::any_of(allClasses(), [](const ArithmeticClass &c) {
      return c.kind == ArithmeticClass::FusedViaF16;
    });
  }

  void addCandidates(const GEMMDesc &form, unsigned narrowed,
                     std::vector<GEMMDesc> &candidates) const {
    for (const ArithmeticClass &step : allClasses())
      withRoundings(form, step, narrowed, candidates);
  }

  /// Classes of every instruction on the box's operands, and the scalar ones.
  std::vector<ArithmeticClass> allClasses() const {
    std::vector<ArithmeticClass> classes;
    auto add = [&](const ArithmeticClass &step) {
      if (!llvm::is_contained(classes, step))
        classes.push_back(step);
    };
    for (const MatrixRow &row : matrixRows())
      if (row.a == box.a && row.b == box.b && !row.scale)
        add(row.arithmetic);
    if (!info(box.a).isInteger) {
      for (const char *text : {"fma.f32", "muladd.f32", "fma.f64", "muladd.f64"})
        add(llvm::cantFail(ArithmeticClass::parse(text)));
    }
    return classes;
  }

  /// Adds the descriptors of a form and a class that narrow sums at exactly `narrowed` levels.
  void withRoundings(const GEMMDesc &form, ArithmeticClass step, unsigned narrowed,
                     std::vector<GEMMDesc> &candidates) const {
    GEMMDesc desc = form;
    bool viaF16 = step.kind == ArithmeticClass::FusedViaF16;
    if (!step.isInteger()) {
      if (viaF16 != (form.step.kind == ArithmeticClass::FusedViaF16) ||
          step.isChain() != (form.instructionK == 1) ||
          (step.isFused() && step.group < form.step.group))
        return;
      if (step.isFused())
        step.group = form.step.group;
    }
    desc.a = box.a, desc.b = box.b, desc.step = step;
    desc.output = box.d;
    for (KCut &cut : desc.cuts)
      cut.partial = cut.merge = step.result;
    addRoundings(desc, 0, narrowed, candidates);
    if (narrowed == 0)
      return;
    // A rounding of the whole is a cut with one part.
    KCut whole;
    whole.span = uint64_t(1) << 40;
    for (Format format : {Format::F16, Format::BF16}) {
      GEMMDesc outer = desc;
      whole.partial = whole.merge = format;
      outer.cuts.insert(outer.cuts.begin(), whole);
      addRoundings(outer, 1, narrowed - 1, candidates);
    }
  }

  void addRoundings(const GEMMDesc &desc, size_t level, unsigned narrowed,
                    std::vector<GEMMDesc> &candidates) const {
    if (level >= desc.cuts.size()) {
      if (narrowed == 0)
        addStarts(desc, candidates);
      return;
    }
    addRoundings(desc, level + 1, narrowed, candidates);
    if (narrowed == 0)
      return;
    Format wide = desc.step.result;
    // Of two parts a tree shows no order, but where the first alone is rounded to the sum's format
    // it counts.
    for (Format partial : {wide, Format::F16, Format::BF16})
      for (Format merge : {wide, Format::F16, Format::BF16, Format::F32})
        for (MergeOrder order : {desc.cuts[level].order, MergeOrder::Reverse, MergeOrder::Tree}) {
          GEMMDesc next = desc;
          next.cuts[level].partial = partial, next.cuts[level].merge = merge;
          if (next == desc || (merge == partial && order != desc.cuts[level].order))
            continue;
          next.cuts[level].order = order;
          if (order != desc.cuts[level].order && !hasTree(next))
            continue;
          addRoundings(next, level + 1, narrowed - 1, candidates);
        }
  }

  bool hasTree(const GEMMDesc &desc) const {
    return SumTree::build(desc, revealed->tree[revealed->tree.root()].leaves) == revealed->tree;
  }

  /// The starts of the merges, where they can show: each level apart in a short nest.
  static void addStarts(GEMMDesc desc, std::vector<GEMMDesc> &candidates) {
    size_t levels = desc.cuts.size();
    desc.epilogue.compute = desc.accumulated();
    uint64_t last = (uint64_t(1) << levels) - 1;
    for (uint64_t starts = 0; starts <= last;
         starts = levels > 3 && starts == 0 ? last : starts + 1) {
      GEMMDesc next = desc;
      bool shows = true;
      for (size_t level = 0; level < levels; ++level)
        if ((starts >> level) & 1) {
          next.cuts[level].start = MergeStart::Zero;
          shows &=
              next.cuts[level].order != MergeOrder::Tree && !next.sumsAreNeverNegativeZero(level);
        }
      if (shows && !llvm::errorToBool(next.validate()))
        candidates.push_back(std::move(next));
      if (levels > 3 && starts == last)
        break;
    }
  }

  /// Drops the candidates that differ from the box on one more pair of matrices.
  llvm::Error compare(Random &random, unsigned trial, llvm::ArrayRef<uint64_t> lost,
                      std::vector<GEMMDesc> &candidates) {
    unsigned aBytes = (info(box.a).bits + 7) / 8, bBytes = (info(box.b).bits + 7) / 8,
             dBytes = (info(box.d).bits + 7) / 8;
    std::vector<uint8_t> a(box.m * box.k * aBytes), b(box.k * box.n * bBytes),
        d(box.m * box.n * dBytes), e(d.size());
    auto fill = [&](std::vector<uint8_t> &bytes, Format format, unsigned width, unsigned side) {
      for (size_t at = 0; at < bytes.size(); at += width) {
        uint64_t code = draw(random, format, trial, side);
        memcpy(&bytes[at], &code, width);
      }
    };
    fill(a, box.a, aBytes, 0);
    fill(b, box.b, bBytes, 1);
    GEMMProblem p;
    p.m = box.m, p.n = box.n, p.k = box.k - lost.size();
    p.a = {a.data(), box.a, int64_t(box.k), 1, false};
    p.b = {b.data(), box.b, int64_t(box.n), 1, false};
    p.d = {d.data(), box.d, int64_t(box.n), 1, false};
    if (llvm::Error error = box.run(p.a, p.b, p.d))
      return error;
    p.d.data = e.data();
    EvaluateOptions how;
    how.threads = options.threads;
    std::vector<GEMMDesc> kept;
    for (GEMMDesc &candidate : candidates) {
      if (llvm::Error error = evaluate(candidate, p, how))
        return error;
      if (d == e)
        kept.push_back(std::move(candidate));
    }
    candidates = std::move(kept);
    return llvm::Error::success();
  }

  /// One descriptor for each different fold at this K, the shortest text first.
  static void keepDistinct(uint64_t k, std::vector<GEMMDesc> &candidates) {
    std::map<std::pair<size_t, std::string>, GEMMDesc> distinct;
    llvm::DenseMap<uint64_t, char> seen;
    for (const GEMMDesc &candidate : candidates)
      if (seen.try_emplace(hashAt(candidate, k)).second) {
        GEMMDesc canonical = canonicalAt(candidate, k);
        std::string text = canonical.text();
        distinct.try_emplace({text.size(), text}, canonical);
      }
    candidates.clear();
    for (auto &[key, desc] : distinct)
      candidates.push_back(desc);
  }

  const BlackBox &box;
  const ProbeOptions &options;
  const Revealed *revealed = nullptr;
  uint64_t calls = 0;
};

} // namespace

llvm::Expected<ProbeResult> mettle::numerics::probe(const BlackBox &box,
                                                    const ProbeOptions &options) {
  return Prober(box, options).run();
}
