//===- TileFold.cpp - The plan's merges over a tile of D ------------------===//
//
// Partial sums live as words, one tile each; sequential merges keep two of them, trees as many as
// a level has parts.
//
//===----------------------------------------------------------------------===//

#include "TileFold.h"
#include "Mettle/Numerics/ScalarConvert.h"
#include "Mettle/Numerics/Step.h"
#include "llvm/ADT/bit.h"

using namespace mettle::numerics;

namespace {

using Words = std::vector<uint64_t>;

class Folder {
public:
  Folder(const GEMMDesc &desc, const KPlan &plan, const StepEngine &engine, const Tile &tile)
      : desc(desc), plan(plan), engine(engine), tile(tile), size(tile.rows * tile.cols) {}

  Words fold(uint32_t index) const {
    const KPlan::Node &node = plan.nodes[index];
    if (node.level < 0) {
      Words words(size);
      engine.chain(tile, node.firstStep, node.endStep, words);
      return words;
    }
    const KCut &cut = desc.cuts[node.level];
    return cut.order == MergeOrder::Tree ? tree(node, cut) : sequence(node, cut);
  }

private:
  Format inner(const KPlan::Node &node) const {
    size_t level = size_t(node.level) + 1;
    return level < desc.cuts.size() ? desc.cuts[level].merge : desc.step.result;
  }

  /// A finished part, rounded to the cut's partial format.
  Words part(const KPlan::Node &node, const KCut &cut, uint32_t child) const {
    Words words = fold(child);
    round(words, inner(node), cut.partial);
    return words;
  }

  static void round(Words &words, Format from, Format to) {
    if (from == to)
      return;
    for (uint64_t &word : words)
      word = convert(from, word, to);
  }

  Words sequence(const KPlan::Node &node, const KCut &cut) const {
    Words sum;
    if (cut.start == MergeStart::Zero)
      sum.assign(size, 0);
    for (size_t i = 0; i < node.children.size(); ++i) {
      bool reverse = cut.order == MergeOrder::Reverse;
      Words next = part(node, cut, node.children[reverse ? node.children.size() - 1 - i : i]);
      if (sum.empty()) {
        sum = std::move(next);
        round(sum, cut.partial, cut.merge);
      } else {
        add(cut.merge, sum, cut.partial, next);
      }
    }
    return sum;
  }

  Words tree(const KPlan::Node &node, const KCut &cut) const {
    std::vector<Words> parts;
    for (uint32_t child : node.children) {
      parts.push_back(part(node, cut, child));
      round(parts.back(), cut.partial, cut.merge);
    }
    for (MergeAdd a : mergeSchedule(cut.order, uint32_t(parts.size())))
      add(cut.merge, parts[a.into], cut.merge, parts[a.from]);
    return std::move(parts.front());
  }

  /// sum += next, rounded to `format`. In f32 the host's addition is the rounding we want.
  static void add(Format format, Words &sum, Format partial, const Words &next) {
    bool host = format == Format::F32 &&
                (partial == Format::F32 || partial == Format::F16 || partial == Format::BF16);
    for (size_t i = 0; i < sum.size(); ++i) {
      if (!host) {
        sum[i] = addRounded(format, format, sum[i], partial, next[i]);
        continue;
      }
      float x = floatOf(uint32_t(sum[i]));
      float y = partial == Format::F32   ? floatOf(uint32_t(next[i]))
                : partial == Format::F16 ? decodeF16(uint16_t(next[i]))
                                         : decodeBF16(uint16_t(next[i]));
      float total = x + y;
      sum[i] = total != total ? info(Format::F32).nan : bitsOf(total);
    }
  }

  const GEMMDesc &desc;
  const KPlan &plan;
  const StepEngine &engine;
  const Tile &tile;
  size_t size;
};

} // namespace

void mettle::numerics::foldTile(const GEMMDesc &desc, const KPlan &plan, const StepEngine &engine,
                                const Tile &tile, llvm::MutableArrayRef<uint64_t> words) {
  const KPlan::Node &root = plan.nodes.back();
  if (root.level < 0) {
    engine.chain(tile, root.firstStep, root.endStep, words);
    return;
  }
  Words folded = Folder(desc, plan, engine, tile).fold(uint32_t(plan.nodes.size() - 1));
  llvm::copy(folded, words.begin());
}
