//===- TileFold.cpp - The plan's fold over a tile of D --------------------===//
//
// A value is a tile of words; sequential merges keep two of them, trees one a round.
//
//===----------------------------------------------------------------------===//

#include "TileFold.h"
#include "Mettle/Numerics/ScalarConvert.h"
#include "Mettle/Numerics/Step.h"
#include "PlanFold.h"

using namespace mettle::numerics;

namespace {

using Words = std::vector<uint64_t>;

class TileFolder : public PlanFold<TileFolder, Words> {
public:
  TileFolder(const GEMMDesc &desc, const KPlan &plan, const StepEngine &engine, const Tile &tile,
             Words startWords)
      : PlanFold(desc, plan), engine(engine), tile(tile), startWords(std::move(startWords)) {}

  /// C is only there without cuts, and then there is one chain.
  Words start() { return desc.cuts.empty() ? std::move(startWords) : zero(desc.step.result); }
  Words zero(Format) const { return Words(tile.rows * tile.cols); }

  Words chain(const KPlan::Node &node) {
    Words words = start();
    engine.chain(tile, node.firstStep, node.endStep, words);
    return words;
  }

  static Words round(Words words, Format from, Format to) {
    for (uint64_t &word : words)
      word = convert(from, word, to);
    return words;
  }

  /// In f32 the host's addition is the rounding we want.
  static Words add(Format format, Words sum, Format partial, const Words &next) {
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
    return sum;
  }

private:
  const StepEngine &engine;
  const Tile &tile;
  Words startWords;
};

} // namespace

std::vector<uint64_t> mettle::numerics::foldTile(const GEMMDesc &desc, const KPlan &plan,
                                                 const StepEngine &engine, const Tile &tile,
                                                 std::vector<uint64_t> start) {
  return TileFolder(desc, plan, engine, tile, std::move(start)).fold();
}
