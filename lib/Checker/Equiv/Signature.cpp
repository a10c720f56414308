//===- Signature.cpp - A kernel as a function of its outputs --------------===//
//
// Walks the entry, asks for its outputs, brings them together and hashes what is left.
//
//===----------------------------------------------------------------------===//

#include "Mettle/Checker/Equiv/Signature.h"
#include "Pieces.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"
#include <ctime>
#include <map>

using namespace mettle::checker;

std::string mettle::checker::text(const Hash128 &hash) {
  std::string result;
  llvm::raw_string_ostream os(result);
  os << llvm::format_hex_no_prefix(hash.a, 16) << llvm::format_hex_no_prefix(hash.b, 16);
  return result;
}

double Effort::total() const {
  double sum = 0;
  for (double phase : seconds)
    sum += phase;
  return sum;
}

Effort &Effort::operator+=(const Effort &other) {
  for (unsigned phase = 0; phase < NumPhases; ++phase)
    seconds[phase] += other.seconds[phase];
  objects += other.objects;
  return *this;
}

static double threadSeconds() {
  timespec now;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return double(now.tv_sec) + 1e-9 * double(now.tv_nsec);
}

PhaseTimer::PhaseTimer(Effort &effort, Effort::Phase phase)
    : seconds(effort.seconds[phase]), start(threadSeconds()) {}

PhaseTimer::~PhaseTimer() { seconds += threadSeconds() - start; }

/// A parameter that is both loaded from and stored to: what a load sees would depend on the order
/// of threads.
static std::optional<Reason> loadsWhatItStores(Analysis &analysis,
                                               const std::vector<Piece> &pieces) {
  uint64_t stored = analysis.program.mapParameters;
  for (const Piece &piece : pieces)
    stored |= uint64_t(1) << (piece.parameter & 63);
  for (TermId id = 0; id < analysis.terms.size(); ++id) {
    const Term &term = analysis.terms[id];
    if (term.kind != Term::Load)
      continue;
    for (const Part &part : analysis.forms.parts(term.form)) {
      const Atom &atom = analysis.forms.atom(part.atom);
      if (atom.kind == Atom::Pointer && (stored >> (atom.data & 63) & 1))
        return Reason{"a parameter that is both loaded from and stored to", term.instruction};
    }
  }
  return std::nullopt;
}

/// Pieces of one block, as they are in that block.
static void placeInBlock(Analysis &analysis, std::vector<Piece> pieces, std::vector<Piece> &all) {
  Forms &forms = analysis.forms;
  auto change = [&](FormId form) { return forms.atBlock(form); };
  llvm::DenseMap<TemplateId, TemplateId> memo;
  for (Piece &piece : pieces) {
    piece.address = change(piece.address);
    for (FormId &form : piece.negative)
      form = change(form);
    piece.tree.tree = rewrite(analysis.trees, piece.tree.tree, memo, change);
    for (FormId &form : piece.tree.shift)
      form = change(form);
    all.push_back(std::move(piece));
  }
}

/// Where the block decides how often a loop goes round, every block is walked: those that decide
/// all conditions alike together. Conditions on threads stay what they are for the whole grid.
static std::optional<Reason> collectByBlock(const mettle::assembly::ptx::Module &module,
                                            const mettle::assembly::ptx::Function &entry,
                                            const LaunchFacts &facts, Analysis &analysis,
                                            std::vector<Piece> &all) {
  constexpr uint64_t MostBlocks = 4096;
  Forms &forms = analysis.forms;
  uint8_t dimensions = analysis.program.tripBlocks;
  uint64_t count = 1;
  for (unsigned d = 0; d < 3; ++d)
    if (dimensions >> d & 1)
      count *= std::max(1u, facts.grid[d]);
  if (count > MostBlocks)
    return Reason{"trip counts of their own in more than 4096 blocks",
                  analysis.program.failure->instruction};
  auto fix = [&](uint64_t number) {
    std::array<std::optional<uint32_t>, 3> block;
    for (unsigned d = 0; d < 3; ++d)
      if (dimensions >> d & 1) {
        block[d] = uint32_t(number % facts.grid[d]);
        number /= facts.grid[d];
      }
    forms.fixBlock(block);
  };
  std::vector<bool> done(count, false);
  std::optional<Reason> reason;
  for (uint64_t first = 0; first < count && !reason; ++first) {
    if (done[first])
      continue;
    fix(first);
    analysis.terms.decisions.clear();
    analysis.program = execute(module, entry, facts, analysis.terms);
    if ((reason = analysis.program.failure))
      break;
    std::vector<Piece> pieces;
    if ((reason = collectPieces(analysis, pieces)))
      break;
    for (uint64_t other = first; other < count; ++other) {
      fix(other);
      if (done[other] || !analysis.terms.decidesAlike())
        continue;
      done[other] = true;
      placeInBlock(analysis, pieces, all);
    }
  }
  forms.fixBlock({});
  return reason;
}

static void findSignature(const mettle::assembly::ptx::Module &module,
                          const mettle::assembly::ptx::Function &entry, const LaunchFacts &facts,
                          Analysis &analysis) {
  Signature &signature = analysis.signature;
  {
    PhaseTimer timer(analysis.effort, Effort::Walking);
    analysis.program = execute(module, entry, facts, analysis.terms);
  }
  std::vector<Piece> pieces;
  {
    PhaseTimer timer(analysis.effort, Effort::Following);
    if (!analysis.program.failure)
      signature.unknown = collectPieces(analysis, pieces);
    else if (analysis.program.tripBlocks && facts.grid[0])
      signature.unknown = collectByBlock(module, entry, facts, analysis, pieces);
    else
      signature.unknown = analysis.program.failure;
  }
  PhaseTimer timer(analysis.effort, Effort::Merging);
  if (!signature.unknown)
    signature.unknown = loadsWhatItStores(analysis, pieces);
  if (!signature.unknown)
    signature.unknown = separateBlocks(analysis, pieces);
  if (signature.unknown)
    return;
  std::map<std::pair<uint32_t, unsigned>, std::vector<Piece>> byParameter;
  for (Piece &piece : pieces)
    byParameter[{piece.parameter, piece.bytes}].push_back(std::move(piece));
  Hash128 hash;
  std::optional<uint32_t> before;
  for (auto &[key, list] : byParameter) {
    if (before && *before == key.first) {
      signature.unknown =
          Reason{"a parameter that is stored to in several widths", list[0].instruction};
      return;
    }
    before = key.first;
    Output output;
    output.parameter = key.first;
    output.bytes = uint8_t(key.second);
    signature.unknown = mergePieces(analysis, list, output);
    if (signature.unknown)
      return;
    hash.add(output.parameter).add(output.bytes);
    for (int64_t stride : output.strides)
      hash.add(uint64_t(stride));
    for (const Region &region : output.regions) {
      hash.add(region.hash);
      for (const Intervals &digit : region.digits) {
        hash.add(digit.size());
        for (auto [first, last] : digit)
          hash.add(uint64_t(first)).add(uint64_t(last));
      }
      signature.ptxasDependent |= analysis.trees[region.tree.tree].isFree;
    }
    signature.outputs.push_back(std::move(output));
  }
  signature.hash = hash;
  signature.rules = analysis.terms.rules;
  signature.rules.add(RuleId::Place);
}

void mettle::checker::analyse(const mettle::assembly::ptx::Module &module,
                              const mettle::assembly::ptx::Function &entry,
                              const LaunchFacts &facts, Analysis &analysis) {
  findSignature(module, entry, facts, analysis);
  analysis.effort.objects = analysis.forms.size() + analysis.terms.size() + analysis.trees.size();
  // An answer for every launch is no goal yet: say which fact is missing, not what it led to.
  if (std::optional<Reason> &unknown = analysis.signature.unknown) {
    if (!facts.block[0])
      unknown->text = "without the block's size: " + unknown->text;
    else if (!facts.grid[0])
      unknown->text = "without the grid: " + unknown->text;
  }
}
