//===- Merge.cpp - Pieces as one function of the offset -------------------===//
//
// An offset is taken apart into digits where the trees change their slope (rows and columns of
// whatever is stored), and every form is written over the digits. Pieces that then have one tree
// are one region, whichever instruction, lane or block they came from.
//
//===----------------------------------------------------------------------===//

#include "Pieces.h"
#include "llvm/ADT/STLExtras.h"
#include <map>

using namespace mettle::checker;

namespace {
/// A way to move in the output: how far it moves the address, and each form of the piece.
struct Move {
  int64_t address;
  std::vector<int64_t> forms;
};

class Merger {
public:
  Merger(Analysis &analysis, std::vector<Piece> &pieces, Output &output)
      : trees(analysis.trees), forms(analysis.forms), pieces(pieces), output(output) {}
  std::optional<Reason> run();

private:
  struct Variable {
    AtomId atom;
    int64_t range, coef;
  };
  std::optional<Reason> readVariables(const Piece &piece, std::vector<Variable> &variables);
  std::optional<Reason> findStrides();
  std::optional<Reason> place(const Piece &piece);
  /// `likely`: the slope of each digit that the piece's own variables do not tell; any will do.
  std::optional<FormId> overDigits(FormId form, const std::vector<Variable> &variables,
                                   llvm::ArrayRef<int64_t> start,
                                   llvm::ArrayRef<int64_t> likely = {});
  using Family = std::vector<uint32_t>;
  Family familyOf(const Piece &piece) const {
    return {uint32_t(conditionsOf(piece).size()), piece.tree.tree};
  }
  /// The conditions that have a say in how an offset is taken apart.
  llvm::ArrayRef<FormId> conditionsOf(const Piece &piece) const {
    return byConditions ? llvm::ArrayRef(piece.negative) : llvm::ArrayRef<FormId>();
  }
  std::optional<Reason> placeAll();
  bool cutByConditions(const Piece &piece, const std::vector<Variable> &variables,
                       llvm::ArrayRef<int64_t> start, Region &region, uint64_t &done) const;
  std::vector<int64_t> likelySlopes(const Piece &piece, size_t form);
  unsigned digitOf(int64_t coef) const;

  Templates &trees;
  Forms &forms;
  std::vector<Piece> &pieces;
  Output &output;
  std::map<Hash128, std::vector<Region>> regions;
  std::map<Family, std::vector<Move>> families;
  llvm::DenseMap<TemplateId, Hash128> hashes;
  bool byConditions = false;
  bool isApart = false;
};
} // namespace

static std::optional<int64_t> ratioTimes(int64_t value, int64_t by, int64_t over) {
  __int128 product = static_cast<__int128>(value) * by;
  if (over == 0 || product % over)
    return std::nullopt;
  return int64_t(product / over);
}

std::optional<Reason> Merger::readVariables(const Piece &piece, std::vector<Variable> &variables) {
  auto add = [&](FormId form, bool isAddress) -> std::optional<Reason> {
    for (const Part &part : forms.parts(form)) {
      const Atom &atom = forms.atom(part.atom);
      bool simple = (atom.kind == Atom::Parity && !(atom.data & (atom.data - 1))) ||
                    atom.kind == Atom::Block || atom.kind == Atom::BlockIndex ||
                    atom.kind == Atom::Counter || atom.kind == Atom::Digit;
      if (!simple)
        return Reason{"an output whose place or value depends on " +
                          forms.text(forms.ofAtom(part.atom)),
                      piece.instruction};
      if (atom.lo != 0 || atom.hi >= (int64_t(1) << 31) - 1)
        return Reason{"the grid must be known: " + forms.text(forms.ofAtom(part.atom)),
                      piece.instruction};
      bool known = false;
      for (const Variable &variable : variables)
        known |= variable.atom == part.atom;
      if (known)
        continue;
      if (!isAddress)
        return Reason{"an output whose value depends on more than its place: " +
                          forms.text(forms.ofAtom(part.atom)),
                      piece.instruction};
      if (part.coef <= 0)
        return Reason{"an output that is stored backwards", piece.instruction};
      variables.push_back({part.atom, atom.hi + 1, part.coef});
    }
    return std::nullopt;
  };
  if (std::optional<Reason> reason = add(piece.address, true))
    return reason;
  for (FormId form : piece.negative)
    if (std::optional<Reason> reason = add(form, false))
      return reason;
  for (FormId form : piece.tree.shift)
    if (std::optional<Reason> reason = add(form, false))
      return reason;
  std::optional<Reason> result;
  llvm::DenseMap<TemplateId, bool> seen;
  forEachForm(trees, piece.tree.tree, seen, [&](FormId form) {
    if (!result)
      result = add(form, false);
  });
  llvm::sort(variables, [](const Variable &a, const Variable &b) { return a.coef < b.coef; });
  return result;
}

/// Whether a move is made of the first `count` of some: of each as often as fits, or once more.
static bool isMadeOf(const Move &move, llvm::ArrayRef<Move> moves, unsigned &budget) {
  if (move.address == 0)
    return llvm::all_of(move.forms, [](int64_t f) { return f == 0; });
  if (moves.empty() || budget == 0)
    return false;
  --budget;
  const Move &largest = moves.back();
  int64_t down = move.address / largest.address - (move.address % largest.address < 0);
  for (int64_t times : {down, down + 1}) {
    Move rest = move;
    rest.address -= times * largest.address;
    for (size_t i = 0; i < rest.forms.size(); ++i)
      rest.forms[i] -= times * largest.forms[i];
    if (isMadeOf(rest, moves.drop_back(), budget))
      return true;
  }
  return false;
}

static void addMove(std::vector<Move> &moves, Move move) {
  if (move.address < 0) {
    move.address = -move.address;
    for (int64_t &f : move.forms)
      f = -f;
  }
  unsigned budget = 256;
  if (isMadeOf(move, moves, budget))
    return;
  moves.push_back(std::move(move));
  llvm::sort(moves, [](const Move &a, const Move &b) { return a.address < b.address; });
}

std::optional<Reason> Merger::findStrides() {
  // Moves of all pieces with one number and order of forms; others keep their own list.
  std::map<Family, const Piece *> firsts;
  std::vector<std::pair<std::vector<Move> *, Move>> between;
  std::vector<int64_t> breaks = {output.bytes};
  for (const Piece &piece : pieces) {
    std::vector<Variable> variables;
    if (std::optional<Reason> reason = readVariables(piece, variables))
      return reason;
    std::vector<FormId> all(conditionsOf(piece));
    all.insert(all.end(), piece.tree.shift.begin(), piece.tree.shift.end());
    Family family = familyOf(piece);
    size_t outer = all.size();
    llvm::DenseMap<TemplateId, bool> seen;
    forEachForm(trees, piece.tree.tree, seen, [&](FormId form) { all.push_back(form); });
    std::vector<Move> &moves = families[family];
    for (const Variable &variable : variables) {
      Move move{variable.coef, {}};
      for (FormId form : all)
        move.forms.push_back(forms.coefficient(form, variable.atom));
      addMove(moves, std::move(move));
    }
    auto [first, isNew] = firsts.try_emplace(family, &piece);
    if (!isNew) {
      const Piece &other = *first->second;
      Move move{forms.constantOf(piece.address) - forms.constantOf(other.address), {}};
      std::vector<FormId> theirs(conditionsOf(other));
      theirs.insert(theirs.end(), other.tree.shift.begin(), other.tree.shift.end());
      for (size_t i = 0; i < outer; ++i)
        move.forms.push_back(forms.constantOf(all[i]) - forms.constantOf(theirs[i]));
      move.forms.resize(all.size(), 0); // distances within are the same template's
      if (move.address)
        between.push_back({&moves, std::move(move)});
    }
  }
  // From one piece to another: often back along the columns and forth along the rows, which the
  // moves within the pieces say better.
  if (!isApart)
    for (auto &[moves, move] : between)
      addMove(*moves, std::move(move));
  for (auto &[family, moves] : families)
    for (size_t k = 1; k < moves.size(); ++k) {
      const Move &a = moves[k - 1], &b = moves[k];
      bool even = a.forms.size() == b.forms.size();
      for (size_t i = 0; even && i < a.forms.size(); ++i)
        even = static_cast<__int128>(a.forms[i]) * b.address ==
               static_cast<__int128>(b.forms[i]) * a.address;
      if (!even)
        breaks.push_back(b.address);
    }
  llvm::sort(breaks);
  breaks.erase(std::unique(breaks.begin(), breaks.end()), breaks.end());
  output.strides = breaks;
  return std::nullopt;
}

unsigned Merger::digitOf(int64_t coef) const {
  unsigned digit = 0;
  while (digit + 1 < output.strides.size() && output.strides[digit + 1] <= coef)
    ++digit;
  return digit;
}

std::optional<FormId> Merger::overDigits(FormId form, const std::vector<Variable> &variables,
                                         llvm::ArrayRef<int64_t> start,
                                         llvm::ArrayRef<int64_t> likely) {
  FormId result = forms.constant(forms.constantOf(form));
  for (unsigned digit = 0; digit < output.strides.size(); ++digit) {
    // The slope, from any variable of the digit; all must agree.
    std::optional<int64_t> slope;
    for (const Variable &variable : variables) {
      if (digitOf(variable.coef) != digit)
        continue;
      int64_t moved = forms.coefficient(form, variable.atom);
      std::optional<int64_t> here = ratioTimes(moved, output.strides[digit], variable.coef);
      if (!here || (slope && *slope != *here))
        return std::nullopt;
      slope = here;
    }
    // Where no variable moves along the digit, its value is a constant here and any slope is true.
    if (!slope && digit < likely.size())
      slope = likely[digit];
    if (!slope || !*slope)
      continue;
    AtomId atom = forms.symbol(Atom::Digit, digit, 0, Unbounded);
    result = forms.add(result, forms.ofAtom(atom, *slope));
    result = forms.addConstant(result, -*slope * start[digit]);
  }
  return result;
}

std::vector<int64_t> Merger::likelySlopes(const Piece &piece, size_t form) {
  std::vector<int64_t> result(output.strides.size());
  for (const Move &move : families[familyOf(piece)]) {
    unsigned digit = digitOf(move.address);
    if (form < move.forms.size())
      if (std::optional<int64_t> slope =
              ratioTimes(move.forms[form], output.strides[digit], move.address))
        result[digit] = *slope;
  }
  return result;
}

static Intervals shifted(const Intervals &set, int64_t by) {
  Intervals result = set;
  for (auto &[first, last] : result) {
    first += by;
    last += by;
  }
  return result;
}

static Intervals united(Intervals a, const Intervals &b) {
  a.insert(a.end(), b.begin(), b.end());
  llvm::sort(a);
  Intervals result;
  for (auto [first, last] : a)
    if (!result.empty() && first <= result.back().second)
      result.back().second = std::max(result.back().second, last);
    else
      result.push_back({first, last});
  return result;
}

static bool meet(const Intervals &a, const Intervals &b) {
  size_t i = 0, j = 0;
  while (i < a.size() && j < b.size()) {
    if (std::max(a[i].first, b[j].first) < std::min(a[i].second, b[j].second))
      return true;
    a[i].second < b[j].second ? ++i : ++j;
  }
  return false;
}

/// Cuts each digit by the conditions on its variables, value by value. False where a condition is
/// on more than one digit, or where there are too many values; then nothing is cut.
bool Merger::cutByConditions(const Piece &piece, const std::vector<Variable> &variables,
                             llvm::ArrayRef<int64_t> start, Region &region, uint64_t &done) const {
  if (byConditions)
    return false;
  size_t count = output.strides.size();
  std::vector<std::vector<FormId>> ofDigit(count);
  for (FormId form : piece.negative) {
    uint64_t digits = 0;
    for (const Variable &variable : variables)
      if (forms.coefficient(form, variable.atom))
        digits |= uint64_t(1) << digitOf(variable.coef);
    if (digits & (digits - 1))
      return false;
    ofDigit[digits ? size_t(__builtin_ctzll(digits)) : 0].push_back(form);
  }
  for (size_t digit = 0; digit < count; ++digit) {
    if (ofDigit[digit].empty())
      continue;
    int64_t stride = output.strides[digit];
    std::vector<Variable> inside;
    int64_t values = 1;
    for (const Variable &variable : variables)
      if (digitOf(variable.coef) == digit) {
        if (variable.coef % stride || values > 65536 / variable.range)
          return false;
        values *= variable.range;
        inside.push_back(variable);
      }
    Intervals set;
    std::vector<int64_t> now(inside.size(), 0);
    for (int64_t k = 0; k < values; ++k) {
      int64_t rest = k, at = start[digit];
      for (size_t i = 0; i < inside.size(); ++i) {
        now[i] = rest % inside[i].range;
        rest /= inside[i].range;
        at += inside[i].coef / stride * now[i];
      }
      bool holds = true;
      for (FormId form : ofDigit[digit]) {
        int64_t value = forms.constantOf(form);
        for (size_t i = 0; i < inside.size(); ++i)
          value += forms.coefficient(form, inside[i].atom) * now[i];
        holds &= value < 0;
      }
      if (holds)
        set.push_back({at, at + 1});
    }
    llvm::sort(set);
    for (size_t i = 1; i < set.size(); ++i)
      if (set[i].first < set[i - 1].second)
        return false;
    region.digits[digit] = united(set, {});
    done |= uint64_t(1) << digit;
  }
  return true;
}

std::optional<Reason> Merger::place(const Piece &piece) {
  std::vector<Variable> variables;
  if (std::optional<Reason> reason = readVariables(piece, variables))
    return reason;
  auto trouble = [&](const char *text) { return Reason{text, piece.instruction}; };
  size_t count = output.strides.size();
  std::vector<int64_t> start(count);
  int64_t rest = forms.constantOf(piece.address);
  for (size_t digit = count; digit-- > 0;) {
    int64_t stride = output.strides[digit];
    int64_t value = rest >= 0 ? rest / stride : -((-rest + stride - 1) / stride);
    if (digit + 1 < count && value < 0)
      return trouble("an output below its parameter");
    start[digit] = value;
    rest -= value * stride;
  }
  if (rest)
    return trouble("an output that is not aligned to its size");
  Region region;
  region.digits.resize(count);
  for (size_t digit = 0; digit < count; ++digit)
    region.digits[digit] = {{start[digit], start[digit] + 1}};
  uint64_t cut = 0;
  if (!cutByConditions(piece, variables, start, region, cut) && !byConditions)
    return trouble("a condition on more than one digit of the place");
  for (const Variable &variable : variables) {
    unsigned digit = digitOf(variable.coef);
    if (cut >> digit & 1)
      continue;
    if (variable.coef % output.strides[digit])
      return trouble("an output whose rows do not divide its columns");
    int64_t step = variable.coef / output.strides[digit];
    Intervals set;
    if (region.digits[digit].size() == 1 &&
        region.digits[digit][0].second - region.digits[digit][0].first == step) {
      auto [first, last] = region.digits[digit][0];
      set = {{first, last + step * (variable.range - 1)}};
    } else {
      if (variable.range > 65536)
        return trouble("an output in more than 65536 parts");
      for (int64_t k = 0; k < variable.range; ++k) {
        Intervals moved = shifted(region.digits[digit], k * step);
        set.insert(set.end(), moved.begin(), moved.end());
      }
      llvm::sort(set);
      for (size_t i = 1; i < set.size(); ++i)
        if (set[i].first < set[i - 1].second)
          return trouble("two threads store to one place");
      set = united(set, {});
    }
    region.digits[digit] = std::move(set);
  }
  for (const Intervals &digit : region.digits)
    if (digit.empty())
      return std::nullopt;
  // Conditions cut digits off.
  for (size_t i = 0; byConditions && i < piece.negative.size(); ++i) {
    std::optional<FormId> over =
        overDigits(piece.negative[i], variables, start, likelySlopes(piece, i));
    if (!over)
      return trouble("a condition that is no function of the place");
    llvm::ArrayRef<Part> parts = forms.parts(*over);
    if (parts.empty()) {
      if (forms.constantOf(*over) >= 0)
        return std::nullopt;
      continue;
    }
    if (parts.size() != 1 || parts[0].coef <= 0)
      return trouble("a condition on more than one digit of the place");
    auto digit = size_t(forms.atom(parts[0].atom).data);
    int64_t c = forms.constantOf(*over),
            below = c >= 0 ? 0 : (-c + parts[0].coef - 1) / parts[0].coef;
    Intervals cut;
    for (auto [first, last] : region.digits[digit])
      if (first < below)
        cut.push_back({first, std::min(last, below)});
    if (cut.empty())
      return std::nullopt;
    region.digits[digit] = std::move(cut);
  }
  for (size_t digit = 0; digit + 1 < count; ++digit)
    if (region.digits[digit].back().second * output.strides[digit] > output.strides[digit + 1] ||
        region.digits[digit].front().first < 0)
      return trouble("an output whose columns run into the next row");
  // The tree over the digits.
  bool good = true;
  auto change = [&](FormId form) -> FormId {
    std::optional<FormId> over = overDigits(form, variables, start);
    good &= over.has_value();
    return over.value_or(0);
  };
  llvm::DenseMap<TemplateId, TemplateId> memo;
  region.tree.tree = rewrite(trees, piece.tree.tree, memo, change);
  for (size_t i = 0; i < piece.tree.shift.size(); ++i) {
    std::optional<FormId> over = overDigits(piece.tree.shift[i], variables, start,
                                            likelySlopes(piece, conditionsOf(piece).size() + i));
    good &= over.has_value();
    region.tree.shift.push_back(over.value_or(0));
  }
  if (!good)
    return trouble("a value that is no function of its place");
  Hash128 hash = hashOf(trees, region.tree.tree, hashes);
  for (FormId form : region.tree.shift)
    hash.add(forms.hash(form));
  region.hash = hash;
  regions[hash].push_back(std::move(region));
  return std::nullopt;
}

std::optional<Reason> Merger::placeAll() {
  regions.clear();
  families.clear();
  if (std::optional<Reason> reason = findStrides())
    return reason;
  for (const Piece &piece : pieces)
    if (std::optional<Reason> reason = place(piece))
      return reason;
  return std::nullopt;
}

std::optional<Reason> Merger::run() {
  // Who stores first says nothing.
  llvm::sort(pieces, [&](const Piece &a, const Piece &b) {
    int64_t p = forms.constantOf(a.address), q = forms.constantOf(b.address);
    return p != q ? p < q : a.instruction < b.instruction;
  });
  // Digits by what the values say; if conditions do not fit those, by what both say. Where the
  // stores of one thread do not go on from one another, by what each of them says alone.
  std::optional<Reason> first = placeAll();
  for (unsigned way = 1; first && way < 4; ++way) {
    byConditions = way & 1;
    isApart = way & 2;
    if (!placeAll())
      break;
    if (way == 3)
      return first;
  }
  for (auto &[hash, list] : regions) {
    // Boxes that differ in one digit are one box.
    for (bool again = true; again;) {
      again = false;
      for (size_t digit = 0; digit < output.strides.size(); ++digit) {
        std::map<std::vector<Intervals>, size_t> byOthers;
        std::vector<Region> merged;
        for (Region &region : list) {
          std::vector<Intervals> others = region.digits;
          others[digit].clear();
          auto [place, isNew] = byOthers.try_emplace(others, merged.size());
          if (isNew) {
            merged.push_back(std::move(region));
          } else {
            Region &into = merged[place->second];
            into.digits[digit] = united(into.digits[digit], region.digits[digit]);
            again = true;
          }
        }
        list = std::move(merged);
      }
    }
    llvm::sort(list, [](const Region &a, const Region &b) { return a.digits < b.digits; });
  }
  for (auto &[hash, list] : regions)
    for (Region &region : list)
      output.regions.push_back(std::move(region));
  // Different trees for one place would mean that the last store wins, whichever that is.
  for (size_t i = 0; i < output.regions.size(); ++i)
    for (size_t j = i + 1; j < output.regions.size(); ++j) {
      bool all = true;
      for (size_t digit = 0; all && digit < output.strides.size(); ++digit)
        all = meet(output.regions[i].digits[digit], output.regions[j].digits[digit]);
      if (all && !(output.regions[i].hash == output.regions[j].hash))
        return Reason{"two stores of different values to one place", pieces[0].instruction};
    }
  return std::nullopt;
}

std::optional<Reason> mettle::checker::mergePieces(Analysis &analysis, std::vector<Piece> &pieces,
                                                   Output &output) {
  return Merger(analysis, pieces, output).run();
}
