//===- VectorEngine.cpp - Packing for the vector kernels ------------------===//
//
// Brings operands into the form the kernels want: in the order of the plan, group by group, values
// apart from exponents, B in panels of columns. Linear in the matrices, done once.
//
//===----------------------------------------------------------------------===//

#include "FusedPacking.h"
#include "StepEngine.h"
#include "llvm/ADT/STLExtras.h"

using namespace mettle::numerics;

namespace {

/// Accumulators cross between words of the class's result and the kernels' f32.
class FloatTile {
public:
  FloatTile(Format format, const Tile &tile, unsigned width, llvm::ArrayRef<uint64_t> words)
      : format(format), tile(tile), width(width), values(tile.rows * width) {
    for (unsigned i = 0; i < tile.rows; ++i)
      for (unsigned j = 0; j < tile.cols; ++j) {
        uint64_t word = words[i * tile.cols + j];
        values[i * width + j] = format == Format::F16 ? decodeF16(uint16_t(word)) : floatOf(word);
      }
  }
  float *data() { return values.data(); }
  void store(llvm::MutableArrayRef<uint64_t> words) const {
    for (unsigned i = 0; i < tile.rows; ++i)
      for (unsigned j = 0; j < tile.cols; ++j) {
        float value = values[i * width + j];
        words[i * tile.cols + j] = format == Format::F16 ? encodeF16(value) : bitsOf(value);
      }
  }

private:
  Format format;
  Tile tile;
  unsigned width;
  std::vector<float> values;
};

/// The groups of all steps: which k each packed product takes.
struct Groups {
  static constexpr uint64_t none = ~uint64_t(0);
  std::vector<uint64_t> k;           // group by group; `none` where a group is short
  std::vector<uint8_t> flags;        // GroupFlags
  std::vector<uint64_t> firstOfStep; // one more than there are steps

  Groups(const GEMMDesc &desc, const KPlan &plan) {
    unsigned size = desc.step.group;
    bool pairs = desc.step.kind == ArithmeticClass::FusedViaF16;
    for (const KPlan::Step &step : plan.steps) {
      firstOfStep.push_back(flags.size());
      std::vector<uint64_t> products(plan.order.begin() + step.begin,
                                     plan.order.begin() + step.end);
      if (pairs) {
        // 2 * group products an accumulate: the k with k mod 4 in {0, 1}, then those in {2, 3}.
        for (unsigned pair : {0u, 2u}) {
          std::vector<uint64_t> half;
          for (size_t i = 0; i < products.size(); ++i)
            if ((i & 2) == pair)
              half.push_back(products[i]);
          add(half, size);
        }
      } else {
        for (size_t at = 0; at < products.size(); at += size)
          add(llvm::ArrayRef(products).slice(at, std::min<size_t>(size, products.size() - at)),
              size);
      }
      flags[firstOfStep.back()] |= FirstOfInstruction;
      flags.back() |= LastOfInstruction;
    }
    firstOfStep.push_back(flags.size());
  }

private:
  void add(llvm::ArrayRef<uint64_t> products, unsigned size) {
    k.insert(k.end(), products.begin(), products.end());
    k.insert(k.end(), size - products.size(), none);
    flags.push_back(0);
  }
};

/// Exponent is uint8_t (direct) or int32_t (split).
template <typename Exponent> class FusedEngine : public StepEngine {
  static constexpr bool isSplit = sizeof(Exponent) == 4;

public:
  FusedEngine(const GEMMDesc &desc, const GEMMProblem &problem, const KPlan &plan,
              const KernelSet &kernels)
      : kernels(kernels), format(desc.step.result), groups(desc, plan) {
    const ArithmeticClass &step = desc.step;
    bool viaF16 = step.kind == ArithmeticClass::FusedViaF16;
    params = fusedParams(step, isSplit, !desc.fastAccum);
    CodePacker aPacker(desc.a, viaF16, isSplit), bPacker(desc.b, viaF16, isSplit);
    packRows(problem, aPacker);
    packPanels(problem, bPacker);
  }

  unsigned tileRows() const override { return mettle::numerics::tileRows; }
  unsigned tileCols() const override { return kernels.width; }

  void chain(const Tile &tile, uint64_t first, uint64_t end,
             llvm::MutableArrayRef<uint64_t> words) const override {
    FloatTile acc(format, tile, kernels.width, words);
    size_t count = groups.flags.size(), products = groups.k.size();
    size_t panel = tile.col / kernels.width;
    FusedTile t;
    t.a = a.data() + tile.row * products;
    t.aExponents = aExponents.data() + tile.row * products;
    t.aSpecial = aSpecial.data() + tile.row * count;
    t.b = b.data() + panel * products * kernels.width;
    t.bExponents = bExponents.data() + panel * products * kernels.width;
    t.bSpecial = bSpecial.data() + panel * count;
    t.aRowStride = products;
    t.aSpecialStride = count;
    t.rows = tile.rows;
    t.firstGroup = groups.firstOfStep[first];
    t.endGroup = groups.firstOfStep[end];
    t.groupFlags = groups.flags.data();
    t.accumulators = acc.data();
    (isSplit ? kernels.split : kernels.direct)(params, t);
    acc.store(words);
  }

private:
  void packRows(const GEMMProblem &problem, const CodePacker &packer) {
    size_t products = groups.k.size(), count = groups.flags.size();
    a.resize(problem.m * products);
    aExponents.assign(problem.m * products, zeroExponent());
    aSpecial.assign(problem.m * count, 0);
    for (uint64_t row = 0; row < problem.m; ++row)
      for (size_t at = 0; at < products; ++at) {
        if (groups.k[at] == Groups::none)
          continue;
        PackedCode packed = packer(loadCode(problem.a, row, groups.k[at]));
        a[row * products + at] = packed.value;
        aExponents[row * products + at] = Exponent(packed.exponent);
        aSpecial[row * count + at / params.group] |= packed.special;
      }
  }

  void packPanels(const GEMMProblem &problem, const CodePacker &packer) {
    size_t products = groups.k.size(), count = groups.flags.size(), width = kernels.width;
    size_t panels = (problem.n + width - 1) / width;
    b.resize(panels * products * width);
    bExponents.assign(panels * products * width, zeroExponent());
    bSpecial.assign(panels * count, 0);
    for (size_t panel = 0; panel < panels; ++panel)
      for (size_t at = 0; at < products; ++at) {
        if (groups.k[at] == Groups::none)
          continue;
        size_t to = (panel * products + at) * width;
        for (size_t j = 0; j < width && panel * width + j < problem.n; ++j) {
          PackedCode packed = packer(loadCode(problem.b, groups.k[at], panel * width + j));
          b[to + j] = packed.value;
          bExponents[to + j] = Exponent(packed.exponent);
          bSpecial[panel * count + at / params.group] |= packed.special;
        }
      }
  }

  static Exponent zeroExponent() { return isSplit ? Exponent(splitZeroExponent) : Exponent(0); }

  const KernelSet &kernels;
  Format format;
  Groups groups;
  FusedParams params;
  std::vector<float> a, b;
  std::vector<Exponent> aExponents, bExponents;
  std::vector<uint8_t> aSpecial, bSpecial;
};

/// Scalar chains in f32 and wrapping integers: operands as 32-bit words in the plan's order.
class WordEngine : public StepEngine {
public:
  WordEngine(const GEMMDesc &desc, const GEMMProblem &problem, const KPlan &plan,
             const KernelSet &kernels)
      : kernels(kernels), plan(plan), kind(desc.step.kind), products(plan.order.size()) {
    size_t width = kernels.width, panels = (problem.n + width - 1) / width;
    WordDecoder aWord(desc.a), bWord(desc.b);
    a.resize(problem.m * products);
    for (uint64_t row = 0; row < problem.m; ++row)
      for (size_t at = 0; at < products; ++at)
        a[row * products + at] = aWord(loadCode(problem.a, row, plan.order[at]));
    b.resize(panels * products * width);
    for (size_t panel = 0; panel < panels; ++panel)
      for (size_t at = 0; at < products; ++at)
        for (size_t j = 0; j < width && panel * width + j < problem.n; ++j)
          b[(panel * products + at) * width + j] =
              bWord(loadCode(problem.b, plan.order[at], panel * width + j));
  }

  unsigned tileRows() const override { return mettle::numerics::tileRows; }
  unsigned tileCols() const override { return kernels.width; }

  void chain(const Tile &tile, uint64_t first, uint64_t end,
             llvm::MutableArrayRef<uint64_t> words) const override {
    size_t width = kernels.width;
    std::vector<uint32_t> acc(tile.rows * width);
    for (unsigned i = 0; i < tile.rows; ++i)
      for (unsigned j = 0; j < tile.cols; ++j)
        acc[i * width + j] = uint32_t(words[i * tile.cols + j]);
    const uint32_t *aRow = a.data() + tile.row * products;
    const uint32_t *panel = b.data() + tile.col / width * products * width;
    uint64_t begin = plan.steps[first].begin, stop = plan.steps[end - 1].end;
    if (kind == ArithmeticClass::Integer) {
      kernels.integer({reinterpret_cast<const int32_t *>(aRow),
                       reinterpret_cast<const int32_t *>(panel), products, tile.rows, begin, stop,
                       reinterpret_cast<int32_t *>(acc.data())});
    } else {
      ChainTile t{reinterpret_cast<const float *>(aRow),
                  reinterpret_cast<const float *>(panel),
                  products,
                  tile.rows,
                  begin,
                  stop,
                  reinterpret_cast<float *>(acc.data())};
      (kind == ArithmeticClass::FMA ? kernels.fma : kernels.multiplyAdd)(t);
    }
    for (unsigned i = 0; i < tile.rows; ++i)
      for (unsigned j = 0; j < tile.cols; ++j)
        words[i * tile.cols + j] = acc[i * width + j];
  }

private:
  const KernelSet &kernels;
  const KPlan &plan;
  ArithmeticClass::Kind kind;
  size_t products;
  std::vector<uint32_t> a, b;
};

} // namespace

std::unique_ptr<StepEngine> mettle::numerics::makeVectorEngine(const GEMMDesc &desc,
                                                               const GEMMProblem &problem,
                                                               const KPlan &plan,
                                                               InstructionSet set) {
  const KernelSet *kernels = kernelsOf(set);
  if (!kernels)
    return nullptr;
  switch (desc.step.kind) {
  case ArithmeticClass::Fused:
  case ArithmeticClass::FusedViaF16:
    if (!fitsKernels(desc.step))
      return nullptr;
    if (isDirect(desc.a, desc.b))
      return std::make_unique<FusedEngine<uint8_t>>(desc, problem, plan, *kernels);
    if (desc.step.result == Format::F32)
      return std::make_unique<FusedEngine<int32_t>>(desc, problem, plan, *kernels);
    return nullptr;
  case ArithmeticClass::FMA:
  case ArithmeticClass::MulAdd:
    if (desc.step.result == Format::F32 && desc.fastAccum)
      return std::make_unique<WordEngine>(desc, problem, plan, *kernels);
    return nullptr;
  case ArithmeticClass::Integer:
    if (desc.step.overflow == Overflow::Wrap)
      return std::make_unique<WordEngine>(desc, problem, plan, *kernels);
    return nullptr;
  default:
    return nullptr;
  }
}
