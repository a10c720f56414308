//===- Evaluate.cpp - The bits of a GEMM, on the CPU ----------------------===//
//
// Checks the problem, cuts D into tiles, folds each tile's chains as the plan says, and spreads
// tiles over threads. Elements of D do not depend on each other, so neither tiles nor threads show
// in the result.
//
//===----------------------------------------------------------------------===//

#include "Mettle/Numerics/Evaluate.h"
#include "Epilogue.h"
#include "Mettle/Numerics/Step.h"
#include "StepEngine.h"
#include "TileFold.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"
#include <atomic>
#include <thread>

using namespace mettle::numerics;
using llvm::StringRef;

static constexpr llvm::StringLiteral sets[] = {"plain", "portable", "avx2", "avx512", "best"};

StringRef mettle::numerics::name(InstructionSet set) { return sets[size_t(set)]; }

std::optional<InstructionSet> mettle::numerics::parseInstructionSet(StringRef name) {
  const auto *found = llvm::find(sets, name);
  if (found == std::end(sets))
    return std::nullopt;
  return InstructionSet(found - std::begin(sets));
}

bool mettle::numerics::isAvailable(InstructionSet set) {
#ifdef METTLE_X86_KERNELS
  if (set == InstructionSet::AVX2)
    return __builtin_cpu_supports("x86-64-v3");
  if (set == InstructionSet::AVX512)
    return __builtin_cpu_supports("x86-64-v4");
#else
  if (set == InstructionSet::AVX2 || set == InstructionSet::AVX512)
    return false;
#endif
  return true;
}

static InstructionSet best() {
  for (InstructionSet set : {InstructionSet::AVX512, InstructionSet::AVX2})
    if (isAvailable(set))
      return set;
  return InstructionSet::Portable;
}

static llvm::Error refuse(StringRef matrix, const llvm::Twine &message) {
  return llvm::createStringError("gemm: " + matrix + ": " + message);
}

/// Largest |offset| of a matrix in bits, or nothing where it leaves 63 bits.
static bool fits(uint64_t rows, uint64_t cols, int64_t rowStride, int64_t colStride,
                 unsigned bits) {
  auto magnitude = [](int64_t x) { return x < 0 ? -uint64_t(x) : uint64_t(x); };
  bool overflow = rows > INT64_MAX || cols > INT64_MAX, any = false;
  uint64_t byRow = llvm::SaturatingMultiply(rows - 1, magnitude(rowStride), &any);
  overflow |= any;
  uint64_t byCol = llvm::SaturatingMultiply(cols - 1, magnitude(colStride), &any);
  overflow |= any;
  uint64_t total = llvm::SaturatingMultiplyAdd(llvm::SaturatingAdd(byRow, byCol, &any),
                                               uint64_t(bits), uint64_t(bits), &overflow);
  return !overflow && !any && total <= uint64_t(INT64_MAX);
}

template <typename View>
static llvm::Error checkView(StringRef name, const View &view, uint64_t rows, uint64_t cols,
                             Format wanted) {
  if (rows == 0 || cols == 0)
    return llvm::Error::success();
  if (!view.data)
    return refuse(name, "absent");
  if (view.format != wanted)
    return refuse(name, "expected codes of " + mettle::numerics::name(wanted) + ", found " +
                            mettle::numerics::name(view.format));
  if (!fits(rows, cols, view.rowStride, view.colStride, view.bits()))
    return refuse(name, "offsets of a " + llvm::Twine(rows) + " x " + llvm::Twine(cols) +
                            " matrix with strides " + llvm::Twine(view.rowStride) + ", " +
                            llvm::Twine(view.colStride) + " leave 63 bits");
  return llvm::Error::success();
}

/// Whether two elements of D share a place: unless one stride clears the whole extent of the other.
static bool overlaps(const MutableMatrixView &d, uint64_t m, uint64_t n) {
  uint64_t row = uint64_t(std::abs(d.rowStride)), col = uint64_t(std::abs(d.colStride));
  if (m <= 1 && n <= 1)
    return false;
  if (m <= 1)
    return col == 0;
  if (n <= 1)
    return row == 0;
  return !(row > (n - 1) * col && col > 0) && !(col > (m - 1) * row && row > 0);
}

static llvm::Error check(const GEMMDesc &desc, const GEMMProblem &p) {
  if (llvm::Error e = checkView("A", p.a, p.m, p.k, desc.a))
    return e;
  if (llvm::Error e = checkView("B", p.b, p.k, p.n, desc.b))
    return e;
  if (llvm::Error e = checkView("D", p.d, p.m, p.n, desc.output))
    return e;
  if (p.d.bits() % 8 != 0)
    return refuse("D", "packed codes below a byte cannot be written by several threads");
  if (overlaps(p.d, p.m, p.n))
    return refuse("D", "strides " + llvm::Twine(p.d.rowStride) + ", " + llvm::Twine(p.d.colStride) +
                           " let elements of a " + llvm::Twine(p.m) + " x " + llvm::Twine(p.n) +
                           " matrix overlap");
  if (desc.startFromC) {
    if (llvm::Error e = checkView("C", p.c, p.m, p.n, p.c.format))
      return e;
    if (p.c.data && !holdsExactly(desc.step.result, p.c.format))
      return refuse("C", "expected a format that " + name(desc.step.result) + " holds, found " +
                             name(p.c.format));
  }
  if (desc.scale) {
    uint64_t blocks = llvm::divideCeil(p.k, uint64_t(desc.scaleBlock));
    if (llvm::Error e = checkView("scales of A", p.aScales, p.m, blocks, *desc.scale))
      return e;
    if (llvm::Error e = checkView("scales of B", p.bScales, blocks, p.n, *desc.scale))
      return e;
  }
  return checkEpilogueOperands(
      desc, p, [](StringRef what, const MatrixView &view, uint64_t rows, uint64_t cols) {
        return checkView(what, view, rows, cols, view.format);
      });
}

static void runTile(const GEMMDesc &desc, const GEMMProblem &problem, const KPlan &plan,
                    const StepEngine &engine, const EpilogueRunner &epilogue, const Tile &tile) {
  std::vector<uint64_t> words(tile.rows * tile.cols);
  if (desc.startFromC)
    for (unsigned i = 0; i < tile.rows; ++i)
      for (unsigned j = 0; j < tile.cols; ++j) {
        uint64_t code = loadCode(problem.c, tile.row + i, tile.col + j);
        // A conversion would lose an f64's NaN payload.
        words[i * tile.cols + j] = problem.c.format == desc.step.result
                                       ? code
                                       : convert(problem.c.format, code, desc.step.result);
      }
  words = foldTile(desc, plan, engine, tile, std::move(words));
  Format format = plan.nodes.empty() ? desc.step.result : desc.accumulated();
  for (unsigned i = 0; i < tile.rows; ++i)
    for (unsigned j = 0; j < tile.cols; ++j)
      storeCode(problem.d, tile.row + i, tile.col + j,
                epilogue.run(format, words[i * tile.cols + j], tile.row + i, tile.col + j));
}

llvm::Error mettle::numerics::evaluate(const GEMMDesc &desc, const GEMMProblem &problem,
                                       const EvaluateOptions &options) {
  if (llvm::Error error = desc.validate())
    return error;
  if (llvm::Error error = check(desc, problem))
    return error;
  InstructionSet set = options.set == InstructionSet::Best ? best() : options.set;
  if (!isAvailable(set))
    return llvm::createStringError("gemm: instruction set " + name(set) +
                                   " is not available on this machine");
  if (problem.m == 0 || problem.n == 0)
    return llvm::Error::success();

  KPlan plan = KPlan::build(desc, problem.k);
  std::unique_ptr<StepEngine> engine;
  if (set != InstructionSet::Plain)
    engine = makeVectorEngine(desc, problem, plan, set);
  if (!engine)
    engine = makePlainEngine(desc, problem, plan);
  EpilogueRunner epilogue(desc, problem);

  uint64_t tileRows = engine->tileRows(), tileCols = engine->tileCols();
  uint64_t rowTiles = llvm::divideCeil(problem.m, tileRows);
  uint64_t tiles = rowTiles * llvm::divideCeil(problem.n, tileCols);
  std::atomic<uint64_t> next{0};
  auto work = [&] {
    // Neighbouring tiles share a panel of B.
    for (uint64_t at; (at = next.fetch_add(1)) < tiles;) {
      Tile tile{at % rowTiles * tileRows, at / rowTiles * tileCols, 0, 0};
      tile.rows = unsigned(std::min(tileRows, problem.m - tile.row));
      tile.cols = unsigned(std::min(tileCols, problem.n - tile.col));
      runTile(desc, problem, plan, *engine, epilogue, tile);
      if (options.progress)
        options.progress(uint64_t(tile.rows) * tile.cols);
    }
  };
  unsigned threads =
      options.threads ? options.threads : std::max(1u, std::thread::hardware_concurrency());
  std::vector<std::thread> others;
  for (unsigned i = 1; i < std::min<uint64_t>(threads, tiles); ++i)
    others.emplace_back(work);
  work();
  for (std::thread &thread : others)
    thread.join();
  return llvm::Error::success();
}
