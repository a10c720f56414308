//===- Blocks.cpp - Block indices that were taken apart -------------------===//
//
// Swizzled kernels divide %ctaid into tiles' rows and columns. Over a known grid, what a form says
// of the block is a table; where all tables are multiples of a few indices of which every
// combination is met once, those indices take the block's place.
//
//===----------------------------------------------------------------------===//

#include "Pieces.h"
#include "llvm/ADT/STLExtras.h"
#include <map>
#include <numeric>

using namespace mettle::checker;

namespace {
using Table = std::vector<int64_t>;

class Blocks {
public:
  Blocks(Analysis &analysis, std::vector<Piece> &pieces)
      : trees(analysis.trees), forms(analysis.forms), pieces(pieces) {}
  std::optional<Reason> run();

private:
  /// What a form says of the block alone.
  FormId uniformPart(FormId form);
  bool hasOpaque(FormId form) const;
  const Table *tableOf(FormId uniform);
  bool addIndex(const Table &table);
  std::optional<FormId> overIndices(FormId uniform);
  template <typename Visit> void forEach(Visit visit);

  Templates &trees;
  Forms &forms;
  std::vector<Piece> &pieces;
  uint64_t count = 1;
  std::map<FormId, std::optional<Table>> tables;
  std::vector<Table> indices;
  std::vector<int64_t> extents;
};
} // namespace

FormId Blocks::uniformPart(FormId form) {
  FormId result = 0;
  for (const Part &part : llvm::SmallVector<Part, 12>(forms.parts(form)))
    if (forms.atom(part.atom).isUniform() && forms.atom(part.atom).blocks)
      result = forms.add(result, forms.ofAtom(part.atom, part.coef));
  return result;
}

bool Blocks::hasOpaque(FormId form) const {
  for (const Part &part : forms.parts(form)) {
    const Atom &atom = forms.atom(part.atom);
    if (atom.isUniform() && atom.blocks && atom.kind != Atom::Block)
      return true;
  }
  return false;
}

template <typename Visit> void Blocks::forEach(Visit visit) {
  llvm::DenseMap<TemplateId, bool> seen;
  for (const Piece &piece : pieces) {
    for (FormId form : piece.tree.shift)
      visit(form);
    visit(piece.address);
    for (FormId form : piece.negative)
      visit(form);
    forEachForm(trees, piece.tree.tree, seen, visit);
  }
}

const Table *Blocks::tableOf(FormId uniform) {
  auto [place, isNew] = tables.try_emplace(uniform);
  if (isNew) {
    Table table;
    uint32_t block[3];
    auto extent = [&](unsigned d) { return std::max(1u, forms.grid[d]); };
    for (block[2] = 0; block[2] < extent(2); ++block[2])
      for (block[1] = 0; block[1] < extent(1); ++block[1])
        for (block[0] = 0; block[0] < extent(0); ++block[0]) {
          std::optional<int64_t> value = forms.evaluate(uniform, block);
          if (!value)
            return nullptr;
          table.push_back(*value);
        }
    place->second = std::move(table);
  }
  return place->second ? &*place->second : nullptr;
}

/// The table as multiples of the indices and a constant, one factor an index.
static std::optional<std::vector<int64_t>> solve(const Table &table,
                                                 llvm::ArrayRef<Table> indices) {
  std::vector<int64_t> factors(indices.size() + 1);
  // All indices are zero somewhere, and each is one somewhere with the others zero.
  auto blockAt = [&](size_t which) -> std::optional<size_t> {
    for (size_t b = 0; b < table.size(); ++b) {
      bool fits = true;
      for (size_t i = 0; i < indices.size(); ++i)
        fits &= indices[i][b] == int64_t(i == which);
      if (fits)
        return b;
    }
    return std::nullopt;
  };
  std::optional<size_t> origin = blockAt(indices.size());
  if (!origin)
    return std::nullopt;
  factors.back() = table[*origin];
  for (size_t i = 0; i < indices.size(); ++i) {
    std::optional<size_t> unit = blockAt(i);
    if (!unit)
      return std::nullopt;
    factors[i] = table[*unit] - table[*origin];
  }
  for (size_t b = 0; b < table.size(); ++b) {
    int64_t value = factors.back();
    for (size_t i = 0; i < indices.size(); ++i)
      value += factors[i] * indices[i][b];
    if (value != table[b])
      return std::nullopt;
  }
  return factors;
}

/// Takes the table, from zero in steps of one, as a further index.
bool Blocks::addIndex(const Table &table) {
  int64_t least = *llvm::min_element(table), step = 0;
  for (int64_t value : table)
    step = std::gcd(step, value - least);
  if (step == 0)
    return true;
  Table index;
  for (int64_t value : table)
    index.push_back((value - least) / step);
  int64_t extent = *llvm::max_element(index) + 1;
  std::vector<bool> met(size_t(extent), false);
  for (int64_t value : index)
    met[size_t(value)] = true;
  if (!llvm::all_of(met, [](bool b) { return b; }))
    return false;
  indices.push_back(std::move(index));
  extents.push_back(extent);
  return true;
}

std::optional<FormId> Blocks::overIndices(FormId uniform) {
  const Table *table = tableOf(uniform);
  if (!table)
    return std::nullopt;
  std::optional<std::vector<int64_t>> factors = solve(*table, indices);
  if (!factors)
    return std::nullopt;
  FormId result = forms.constant(factors->back());
  for (size_t i = 0; i < indices.size(); ++i) {
    AtomId atom = forms.symbol(Atom::BlockIndex, i, 0, extents[i] - 1);
    result = forms.add(result, forms.ofAtom(atom, (*factors)[i]));
  }
  return result;
}

std::optional<Reason> Blocks::run() {
  bool isNeeded = false;
  forEach([&](FormId form) { isNeeded |= hasOpaque(form); });
  if (!isNeeded)
    return std::nullopt;
  InstructionId at = pieces[0].instruction;
  if (forms.grid[0] == 0)
    return Reason{"a block index that is taken apart", at};
  for (uint32_t extent : forms.grid)
    count *= std::max(1u, extent);
  if (count > 65536)
    return Reason{"more than 65536 blocks whose index is taken apart", at};
  // What moves in one direction only comes first: the fewest different values.
  std::vector<std::pair<size_t, FormId>> candidates;
  llvm::DenseMap<FormId, bool> known;
  bool isKnown = true;
  forEach([&](FormId form) {
    FormId uniform = uniformPart(form);
    if (uniform == 0 || !known.try_emplace(uniform, true).second)
      return;
    const Table *table = tableOf(uniform);
    if (!table) {
      isKnown = false;
      return;
    }
    Table values(*table);
    llvm::sort(values);
    size_t different = size_t(std::unique(values.begin(), values.end()) - values.begin());
    candidates.push_back({different, uniform});
  });
  if (!isKnown)
    return Reason{"a block index that is no number over the grid", at};
  llvm::sort(candidates);
  for (auto [different, uniform] : candidates)
    if (!solve(*tableOf(uniform), indices) && !addIndex(*tableOf(uniform)))
      return Reason{"a block index that is taken apart unevenly", at};
  // Every combination once: as many as there are blocks, and none twice.
  uint64_t combinations = 1;
  for (int64_t extent : extents)
    combinations *= uint64_t(extent);
  std::vector<bool> met(combinations == count ? size_t(count) : 0, false);
  if (met.empty())
    return Reason{"blocks that do not meet every tile once", at};
  for (size_t b = 0; b < count; ++b) {
    size_t place = 0;
    for (size_t i = 0; i < indices.size(); ++i)
      place = place * size_t(extents[i]) + size_t(indices[i][b]);
    if (met[place])
      return Reason{"blocks that do not meet every tile once", at};
    met[place] = true;
  }
  bool good = true;
  auto change = [&](FormId form) -> FormId {
    FormId uniform = uniformPart(form);
    if (uniform == 0)
      return form;
    std::optional<FormId> over = overIndices(uniform);
    good &= over.has_value();
    return over ? forms.add(forms.sub(form, uniform), *over) : form;
  };
  llvm::DenseMap<TemplateId, TemplateId> memo;
  for (Piece &piece : pieces) {
    piece.address = change(piece.address);
    for (FormId &form : piece.negative)
      form = change(form);
    piece.tree.tree = rewrite(trees, piece.tree.tree, memo, change);
    for (FormId &form : piece.tree.shift)
      form = change(form);
  }
  if (!good)
    return Reason{"a block index that is taken apart unevenly", at};
  return std::nullopt;
}

std::optional<Reason> mettle::checker::separateBlocks(Analysis &analysis,
                                                      std::vector<Piece> &pieces) {
  return pieces.empty() ? std::nullopt : Blocks(analysis, pieces).run();
}
