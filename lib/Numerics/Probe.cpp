//===- Probe.cpp - Recovering the descriptor of a black box ---------------===//
//
// The tree gives the form; every rounding that could go with it is tried against the box on draws
// that separate almost-right arithmetic from right, until only what cannot be told apart is left.
//
//===----------------------------------------------------------------------===//

#include "Mettle/Numerics/Probe.h"
#include "ProbeCandidates.h"
#include "ProbeDraws.h"
#include "llvm/ADT/STLExtras.h"
#include <cstring>
#include <map>

using namespace mettle::numerics;

namespace {

/// The draws of a probe and what the box returned for each, run once.
class Trials {
public:
  Trials(const BlackBox &box, const ProbeOptions &options, ProbeDraws draws, uint64_t lost)
      : box(box), options(options), draws(std::move(draws)), lost(lost) {
    if (box.m == 0 || box.n == 0)
      return;
    // What was asked for, and every kind of draw.
    for (; trials < ProbeDraws::trials() || elements < options.draws; ++trials)
      elements += rows(trials) * cols(trials);
  }

  uint64_t calls() const { return returned.size(); }
  unsigned count() const { return trials; }
  uint64_t drawn() const { return elements; }

  /// Keeps the descriptors that return the box's words on one trial; with `signOfZero` also where a
  /// word is a zero.
  llvm::Error keepEqual(unsigned trial, bool signOfZero, std::vector<GEMMDesc> &candidates) {
    std::vector<uint8_t> a, b;
    draws.fill(trial, a, b);
    GEMMProblem p;
    p.m = box.m, p.n = box.n, p.k = box.k;
    p.a = {a.data(), box.a, int64_t(box.k), 1, false};
    p.b = {b.data(), box.b, int64_t(box.n), 1, false};
    unsigned width = (info(box.d).bits + 7) / 8;
    if (trial >= returned.size()) {
      std::vector<uint8_t> whole(box.m * box.n * width), corner;
      if (llvm::Error error = box.run(p.a, p.b, {whole.data(), box.d, int64_t(box.n), 1, false}))
        return error;
      for (uint64_t row = 0; row < rows(trial); ++row)
        corner.insert(corner.end(), &whole[row * box.n * width],
                      &whole[row * box.n * width] + cols(trial) * width);
      returned.push_back(std::move(corner));
    }
    const std::vector<uint8_t> &wanted = returned[trial];
    std::vector<uint8_t> own(wanted.size());
    p.m = rows(trial), p.n = cols(trial);
    p.d = {own.data(), box.d, int64_t(p.n), 1, false};
    // What is lost never reaches D: the box computes a shorter axis.
    p.k -= lost;
    EvaluateOptions how;
    how.threads = options.threads;
    llvm::Error failure = llvm::Error::success();
    llvm::erase_if(candidates, [&](const GEMMDesc &candidate) {
      // A corner of D refuses most.
      for (uint64_t corner : {4, 0}) {
        GEMMProblem part = p;
        if (corner && candidates.size() > 8)
          part.m = std::min(p.m, corner), part.n = std::min(p.n, corner);
        if (failure)
          return false;
        if (llvm::Error error = evaluate(candidate, part, how)) {
          failure = llvm::joinErrors(std::move(failure), std::move(error));
          return false;
        }
        for (uint64_t row = 0; row < part.m; ++row)
          if (!equal(&own[row * p.n * width], &wanted[row * p.n * width], part.n, signOfZero))
            return true;
        if (part.m == p.m && part.n == p.n)
          break;
      }
      return false;
    });
    return failure;
  }

private:
  /// What is compared: of a large D after two trials only a corner.
  uint64_t rows(unsigned trial) const { return trial < 2 ? box.m : std::min<uint64_t>(box.m, 256); }
  uint64_t cols(unsigned trial) const { return trial < 2 ? box.n : std::min<uint64_t>(box.n, 256); }

  bool equal(const uint8_t *x, const uint8_t *y, uint64_t count, bool signOfZero) const {
    unsigned width = (info(box.d).bits + 7) / 8;
    if (memcmp(x, y, count * width) == 0)
      return true;
    if (signOfZero)
      return false;
    for (uint64_t i = 0; i < count; ++i) {
      uint64_t u = 0, v = 0;
      memcpy(&u, x + i * width, width), memcpy(&v, y + i * width, width);
      if (u != v && ((u | v) & ~info(box.d).signMask()) != 0)
        return false;
    }
    return true;
  }

  const BlackBox &box;
  const ProbeOptions &options;
  ProbeDraws draws;
  uint64_t lost;
  unsigned trials = 0;
  uint64_t elements = 0;
  std::vector<std::vector<uint8_t>> returned; ///< Rows of cols(trial) words.
};

class Prober {
public:
  Prober(const BlackBox &box, const ProbeOptions &options) : box(box), options(options) {}

  llvm::Expected<ProbeResult> run() {
    ProbeResult result;
    // Integers have no order to reveal: every class is tried.
    if (!info(box.a).isInteger) {
      llvm::Expected<Revealed> revealed = revealTree(box);
      if (!revealed)
        return revealed.takeError();
      result.revealed = std::move(*revealed);
    }
    const Revealed &revealed = result.revealed;
    result.forms = allForms(revealed);
    uint64_t lost = revealed.lost.size();
    Trials trials(box, options, ProbeDraws(box, revealed.tree, result.forms, options.seed), lost);
    // Sums that are all kept in the accumulator's format first, then narrower ones at one level,
    // then at two.
    std::vector<GEMMDesc> found;
    for (unsigned narrowed = 0; narrowed <= 2 && found.empty(); ++narrowed) {
      std::vector<GEMMDesc> left = candidates(box, result.forms, revealed.tree, narrowed);
      // Starts show in the sign of zeros alone.
      if (llvm::Error error = select(trials, /*signOfZero=*/false, left))
        return std::move(error);
      for (const GEMMDesc &desc : left)
        llvm::append_range(found, withStarts(desc));
      llvm::erase_if(found, [](const GEMMDesc &d) { return llvm::errorToBool(d.validate()); });
      if (llvm::Error error = select(trials, /*signOfZero=*/true, found))
        return std::move(error);
    }
    result.calls = revealed.calls + trials.calls();
    keepDistinct(box.k - lost, found);
    if (!found.empty()) {
      result.drawn = trials.drawn();
      result.desc = found.front();
      result.alternatives.assign(found.begin() + 1, found.end());
    }
    return result;
  }

private:
  llvm::Error select(Trials &trials, bool signOfZero, std::vector<GEMMDesc> &left) {
    for (unsigned trial = 0; trial < trials.count() && !left.empty(); ++trial)
      if (llvm::Error error = trials.keepEqual(trial, signOfZero, left))
        return error;
    return llvm::Error::success();
  }

  /// Forms whose tree is the revealed one. What is lost must be a tail: then the box computes a
  /// shorter axis.
  std::vector<GEMMDesc> allForms(const Revealed &revealed) const {
    if (info(box.a).isInteger || revealed.tree.empty())
      return {GEMMDesc()};
    if (!revealed.lost.empty() && revealed.lost.front() != box.k - revealed.lost.size())
      return {};
    GEMMDesc operands;
    operands.a = box.a, operands.b = box.b;
    bool viaF16 = llvm::any_of(classesFor(box), [](const ArithmeticClass &c) {
      return c.kind == ArithmeticClass::FusedViaF16;
    });
    return recognise(revealed.tree, {viaF16, operands.hasExactProducts()});
  }

  /// One descriptor for each different fold at this K, the shortest text first.
  static void keepDistinct(uint64_t k, std::vector<GEMMDesc> &found) {
    std::map<std::pair<size_t, std::string>, GEMMDesc> distinct;
    llvm::DenseMap<uint64_t, char> seen;
    for (const GEMMDesc &desc : found)
      if (seen.try_emplace(hashAt(desc, k)).second) {
        GEMMDesc canonical = canonicalAt(desc, k);
        std::string text = canonical.text();
        distinct.try_emplace({text.size(), text}, canonical);
      }
    found.clear();
    for (auto &[key, desc] : distinct)
      found.push_back(desc);
  }

  const BlackBox &box;
  const ProbeOptions &options;
};

} // namespace

llvm::Expected<ProbeResult> mettle::numerics::probe(const BlackBox &box,
                                                    const ProbeOptions &options) {
  return Prober(box, options).run();
}
