//===- Reveal.cpp - The tree of a black box's sum -------------------------===//
//
// After FPRev (Xie, Gao, Xue; USENIX ATC 2025). With +L at element i, -L at j and a unit at every
// element of a set S, the units that survive are those of S outside the smallest subtree that holds
// i and j: there the pair has cancelled, and inside it a unit met one of them alone. Counts of
// survivors order all j by their meeting point with i, and the same within what meets i at once.
//
//===----------------------------------------------------------------------===//

#include "Mettle/Numerics/Probe.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/bit.h"
#include <algorithm>
#include <cmath>
#include <map>

using namespace mettle::numerics;

namespace {

/// What one product is in an experiment.
enum Mark : uint8_t { Nothing, Unit, PlusL, MinusL };

/// Magnitudes of the experiment. Every sum of at most `maxUnits` units is far below half a place of
/// L in every accumulator, and exact in f16 and bf16 besides.
struct Magnitudes {
  double largeA, largeB, unitA, unitB;
  unsigned maxUnits;
  /// Whether one operand is all ones, so that the experiments of a call may share it: where D is a
  /// row or a column, that makes a call hold as many of them as D has elements.
  bool shared;

  double unit() const { return unitA * unitB; }
  double a(Mark mark) const {
    if (shared)
      return 1;
    return mark == Nothing ? 0 : mark == Unit ? unitA : mark == PlusL ? largeA : -largeA;
  }
  double b(Mark mark) const {
    double sign = shared && mark == MinusL ? -1 : 1;
    return mark == Nothing ? 0 : mark == Unit ? unitB : sign * largeB;
  }
};

llvm::Expected<Magnitudes> magnitudesOf(const BlackBox &box) {
  for (const Magnitudes &m : {Magnitudes{0x1p60, 1, 0x1p-60, 1, 200, false},           // f64
                              Magnitudes{1, 0x1p15, 1, 0x1p-24, 200, true},            // vectors
                              Magnitudes{0x1p8, 0x1p7, 0x1p-12, 0x1p-12, 200, false},  // f16, wider
                              Magnitudes{0x1p8, 0x1p7, 0x1p-9, 0x1p-9, 100, false}}) { // fp8
    auto holds = [](Format format, double x) {
      return toDouble(format, fromDouble(format, x)) == x;
    };
    if (m.largeA == 0x1p60 && box.d != Format::F64)
      continue;
    if (m.shared && (std::min(box.m, box.n) != 1 || box.a != box.b))
      continue;
    if (holds(box.a, m.largeA) && holds(box.a, m.unitA) && holds(box.b, m.largeB) &&
        holds(box.b, m.unitB) && holds(box.d, m.unit()) && holds(box.d, m.unit() * m.maxUnits))
      return m;
  }
  return llvm::createStringError("probe: the range of " + name(box.a) + "*" + name(box.b) + " -> " +
                                 name(box.d) + " is too small for the experiment");
}

/// One experiment: +L at `plus`, -L at `minus`, units at `units` (those two left out).
struct Experiment {
  uint64_t plus, minus;
  llvm::ArrayRef<uint64_t> units;
};

class Revealer {
public:
  Revealer(const BlackBox &box, const Magnitudes &magnitudes, Revealed &result)
      : box(box), magnitudes(magnitudes), result(result),
        width(magnitudes.shared ? std::max(box.m, box.n) : std::min(box.m, box.n)) {
    // A column of ones as B: the marks are A's.
    bool turned = magnitudes.shared && box.n == 1;
    for (Mark mark : {Nothing, Unit, PlusL, MinusL}) {
      double a = magnitudes.a(mark), b = magnitudes.b(mark);
      codesA[mark] = fromDouble(box.a, turned ? b : a);
      codesB[mark] = fromDouble(box.b, turned ? a : b);
    }
  }

  llvm::Error run() {
    if (llvm::Error error = findLost())
      return error;
    if (present.empty())
      return llvm::Error::success();
    llvm::Expected<uint32_t> root = subtree(present);
    if (!root)
      return root.takeError();
    result.tree.setRoot(*root);
    return llvm::Error::success();
  }

private:
  /// Runs rows of marks, `width` a call, and returns what came back for each, in units.
  llvm::Expected<std::vector<unsigned>>
  runAll(uint64_t count, llvm::function_ref<void(uint64_t, std::vector<Mark> &)> pattern) {
    unsigned aBytes = (info(box.a).bits + 7) / 8, bBytes = (info(box.b).bits + 7) / 8,
             dBytes = (info(box.d).bits + 7) / 8;
    std::vector<unsigned> survivors;
    std::vector<Mark> marks(box.k);
    for (uint64_t first = 0; first < count; first += width) {
      std::vector<uint8_t> a(box.m * box.k * aBytes), b(box.k * box.n * bBytes),
          d(box.m * box.n * dBytes);
      uint64_t probes = std::min(width, count - first);
      // Of a shared operand the only row or column is written again and again, alike.
      auto row = [&](uint64_t probe) { return std::min(probe, box.m - 1); };
      auto col = [&](uint64_t probe) { return std::min(probe, box.n - 1); };
      for (uint64_t probe = 0; probe < probes; ++probe) {
        std::fill(marks.begin(), marks.end(), Nothing);
        pattern(first + probe, marks);
        for (uint64_t k = 0; k < box.k; ++k) {
          memcpy(&a[(row(probe) * box.k + k) * aBytes], &codesA[marks[k]], aBytes);
          memcpy(&b[(k * box.n + col(probe)) * bBytes], &codesB[marks[k]], bBytes);
        }
      }
      ++result.calls;
      result.probes += probes;
      if (llvm::Error error = box.run({a.data(), box.a, int64_t(box.k), 1, false},
                                      {b.data(), box.b, int64_t(box.n), 1, false},
                                      {d.data(), box.d, int64_t(box.n), 1, false}))
        return std::move(error);
      for (uint64_t probe = 0; probe < probes; ++probe) {
        uint64_t code = 0;
        memcpy(&code, &d[(row(probe) * box.n + col(probe)) * dBytes], dBytes);
        double units = toDouble(box.d, code) / magnitudes.unit();
        if (!(units >= 0 && units <= magnitudes.maxUnits && units == std::floor(units)))
          return llvm::createStringError("probe: expected a sum of products, but D held " +
                                         std::to_string(units) + " units");
        survivors.push_back(unsigned(units));
      }
    }
    return survivors;
  }

  /// Units of each experiment that were absorbed, with the element at -L counted if it is one.
  llvm::Expected<std::vector<unsigned>> absorbed(llvm::ArrayRef<Experiment> experiments) {
    auto survivors = runAll(experiments.size(), [&](uint64_t index, std::vector<Mark> &marks) {
      const Experiment &e = experiments[index];
      for (uint64_t k : e.units)
        marks[k] = Unit;
      marks[e.plus] = PlusL, marks[e.minus] = MinusL;
    });
    if (!survivors)
      return survivors.takeError();
    for (size_t i = 0; i < experiments.size(); ++i) {
      unsigned units = 0;
      for (uint64_t k : experiments[i].units)
        units += k != experiments[i].plus;
      (*survivors)[i] = units - (*survivors)[i];
    }
    return survivors;
  }

  /// Elements whose unit alone does not come back never reach D.
  llvm::Error findLost() {
    auto alone =
        runAll(box.k, [](uint64_t index, std::vector<Mark> &marks) { marks[index] = Unit; });
    if (!alone)
      return alone.takeError();
    for (uint64_t k = 0; k < box.k; ++k)
      ((*alone)[k] == 0 ? result.lost : present).push_back(k);
    return llvm::Error::success();
  }

  /// Groups `others` by their meeting point with `i`, the nearest first. `witness`, if not none, is
  /// an element outside: the last group, if its flag is set, meets i only where the witness does.
  struct Ranked {
    std::vector<std::vector<uint64_t>> groups;
    std::vector<uint64_t> withWitness;
  };
  llvm::Expected<Ranked> rank(uint64_t i, llvm::ArrayRef<uint64_t> others,
                              std::optional<uint64_t> witness) {
    Ranked ranked;
    std::vector<uint64_t> inside(others.begin(), others.end());
    if (witness) {
      std::vector<Experiment> experiments;
      for (uint64_t j : others)
        experiments.push_back({i, j, llvm::ArrayRef(*witness)});
      auto counts = absorbed(experiments);
      if (!counts)
        return counts.takeError();
      inside.clear();
      for (size_t at = 0; at < others.size(); ++at)
        ((*counts)[at] ? ranked.withWitness : inside).push_back(others[at]);
    }
    if (llvm::Error error = refine(i, std::move(inside), ranked.groups))
      return std::move(error);
    return ranked;
  }

  /// Orders elements whose meeting points with i differ by these elements alone.
  llvm::Error refine(uint64_t i, std::vector<uint64_t> elements,
                     std::vector<std::vector<uint64_t>> &groups) {
    for (unsigned attempt = 0; elements.size() > 1; ++attempt) {
      uint64_t count = std::min<uint64_t>(elements.size(), magnitudes.maxUnits);
      std::vector<uint64_t> units = sample(elements, count, 0);
      std::vector<Experiment> experiments;
      for (uint64_t j : elements)
        experiments.push_back({i, j, units});
      auto counts = absorbed(experiments);
      if (!counts)
        return counts.takeError();
      std::map<unsigned, std::vector<uint64_t>> byCount;
      for (size_t at = 0; at < elements.size(); ++at)
        byCount[(*counts)[at]].push_back(elements[at]);
      bool exact = count == elements.size();
      if (exact || byCount.size() > 1) {
        for (auto &[absorbedUnits, group] : byCount) {
          if (exact)
            groups.push_back(std::move(group));
          else if (llvm::Error error = refine(i, std::move(group), groups))
            return error;
        }
        return llvm::Error::success();
      }
      llvm::Expected<bool> once = meetAtOnce(i, elements);
      if (!once)
        return once.takeError();
      if (*once)
        break;
      if (attempt == 16)
        return llvm::createStringError("probe: could not tell " + llvm::Twine(elements.size()) +
                                       " elements apart");
      // Another sample: a fixed stride through the elements, coprime to their number.
      std::vector<uint64_t> shuffled(elements.size());
      for (size_t at = 0; at < elements.size(); ++at)
        shuffled[at * 2 < elements.size() ? at * 2 : (elements.size() - 1 - at) * 2 + 1] =
            elements[at];
      elements = std::move(shuffled);
    }
    if (!elements.empty())
      groups.push_back(std::move(elements));
    return llvm::Error::success();
  }

  /// Evenly spaced elements, from `offset` on.
  static std::vector<uint64_t> sample(llvm::ArrayRef<uint64_t> elements, uint64_t count,
                                      uint64_t offset) {
    std::vector<uint64_t> chosen;
    for (uint64_t at = 0; at < count; ++at)
      chosen.push_back(elements[(at * elements.size() / count + offset) % elements.size()]);
    return chosen;
  }

  /// Whether all elements meet i at one point, asked with a different sample for each, so that an
  /// element that meets it later is among the units of many.
  llvm::Expected<bool> meetAtOnce(uint64_t i, llvm::ArrayRef<uint64_t> elements) {
    std::vector<std::vector<uint64_t>> samples;
    for (size_t at = 0; at < elements.size(); ++at)
      samples.push_back(sample(elements, magnitudes.maxUnits, at));
    std::vector<Experiment> experiments;
    for (size_t at = 0; at < elements.size(); ++at)
      experiments.push_back({i, elements[at], samples[at]});
    auto counts = absorbed(experiments);
    if (!counts)
      return counts.takeError();
    return llvm::all_of(*counts, [&](unsigned count) { return count == magnitudes.maxUnits; });
  }

  /// Puts the element first that the others are ranked by. From the right one a chain is ranked at
  /// once, from the wrong one they all meet it at one point: where that happened, `turn` counts up,
  /// and the other end is tried, then the middle.
  static void choosePivot(std::vector<uint64_t> &elements, unsigned turn) {
    size_t last = elements.size() - 1;
    size_t at = turn % 3 == 0 ? 0 : turn % 3 == 1 ? last : last / 2;
    std::swap(elements.front(), elements[at]);
  }

  /// The children that `elements` form below one node whose other children hold `witness`.
  llvm::Expected<std::vector<uint32_t>> children(std::vector<uint64_t> elements, uint64_t witness,
                                                 unsigned turn) {
    std::vector<uint32_t> nodes;
    unsigned leavesInARow = 0;
    while (!elements.empty()) {
      if (leavesInARow >= 2) {
        // A fused step: its products are all direct. Neighbours are still asked, once each.
        llvm::Expected<bool> direct = allDirect(elements, witness);
        if (!direct)
          return direct.takeError();
        if (*direct) {
          for (uint64_t k : elements)
            nodes.push_back(result.tree.leaf(k));
          return nodes;
        }
      }
      choosePivot(elements, turn);
      uint64_t i = elements.front();
      llvm::Expected<Ranked> ranked = rank(i, llvm::ArrayRef(elements).drop_front(), witness);
      if (!ranked)
        return ranked.takeError();
      leavesInARow = ranked->groups.empty() ? leavesInARow + 1 : 0;
      llvm::Expected<uint32_t> node = ancestors(i, ranked->groups, turn);
      if (!node)
        return node.takeError();
      nodes.push_back(*node);
      elements = std::move(ranked->withWitness);
    }
    return nodes;
  }

  llvm::Expected<bool> allDirect(llvm::ArrayRef<uint64_t> elements, uint64_t witness) {
    std::vector<Experiment> experiments;
    for (size_t at = 0; at + 1 < elements.size(); ++at)
      experiments.push_back({elements[at], elements[at + 1], llvm::ArrayRef(witness)});
    auto counts = absorbed(experiments);
    if (!counts)
      return counts.takeError();
    return llvm::all_of(*counts, [](unsigned count) { return count == 1; });
  }

  /// The path from leaf i upward through its meeting points.
  llvm::Expected<uint32_t> ancestors(uint64_t i, const std::vector<std::vector<uint64_t>> &groups,
                                     unsigned turn) {
    uint32_t node = result.tree.leaf(i);
    size_t total = 0;
    for (const std::vector<uint64_t> &group : groups)
      total += group.size();
    for (const std::vector<uint64_t> &group : groups) {
      llvm::Expected<std::vector<uint32_t>> inputs =
          children(group, i, 2 * group.size() > total ? turn + 1 : turn);
      if (!inputs)
        return inputs.takeError();
      inputs->insert(inputs->begin(), node);
      node = result.tree.join(std::move(*inputs));
    }
    return node;
  }

  llvm::Expected<uint32_t> subtree(llvm::ArrayRef<uint64_t> elements) {
    llvm::Expected<Ranked> ranked = rank(elements.front(), elements.drop_front(), std::nullopt);
    if (!ranked)
      return ranked.takeError();
    return ancestors(elements.front(), ranked->groups, 0);
  }

  const BlackBox &box;
  const Magnitudes &magnitudes;
  Revealed &result;
  uint64_t width;
  uint64_t codesA[4], codesB[4];
  std::vector<uint64_t> present;
};

} // namespace

llvm::Expected<Revealed> mettle::numerics::revealTree(const BlackBox &box) {
  llvm::Expected<Magnitudes> magnitudes = magnitudesOf(box);
  if (!magnitudes)
    return magnitudes.takeError();
  Revealed result;
  if (box.k == 0 || box.m == 0 || box.n == 0)
    return result;
  if (llvm::Error error = Revealer(box, *magnitudes, result).run())
    return std::move(error);
  return result;
}
