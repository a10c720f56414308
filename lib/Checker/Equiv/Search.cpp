//===- Search.cpp - Inputs on which two outputs part ----------------------===//
//
// Three searches, each with its share of work. A few elements on general draws find most
// differences of place, operation and special values, and those of order where the result is not
// rounded. Cancellation finds differences of order below any later rounding: two large numbers of
// opposite sign swallow what is added between them, and that is another set in another order. What
// no cancellation reaches (a sum of squares or of exponentials) differs by a few units in the last
// place, which a rounding hides from all but one in thousands: so many elements of one row, whose
// sums are evaluated once.
//
//===----------------------------------------------------------------------===//

#include "Search.h"
#include "Mettle/Checker/Tree/Value.h"
#include <random>

using namespace mettle::checker;
using namespace mettle::numerics;

/// Nodes evaluated for a pair of outputs, by each search.
static constexpr size_t GeneralWork = 100000, CancellingWork = 500000, BulkWork = 4000000;
/// Elements along the first digit of a region, and of all regions.
static constexpr unsigned RowElements = 2048, MostElements = 20000;

/// The offset taken apart into an output's digits.
static std::vector<int64_t> digitsOf(const Output &output, int64_t offset) {
  std::vector<int64_t> digits(output.strides.size());
  for (size_t digit = digits.size(); digit-- > 0;) {
    digits[digit] = offset / output.strides[digit];
    offset -= digits[digit] * output.strides[digit];
  }
  return digits;
}

static const Region *regionAt(const Output &output, llvm::ArrayRef<int64_t> digits) {
  for (const Region &region : output.regions) {
    bool inside = true;
    for (size_t digit = 0; inside && digit < digits.size(); ++digit) {
      bool found = false;
      for (auto [first, last] : region.digits[digit])
        found |= first <= digits[digit] && digits[digit] < last;
      inside = found;
    }
    if (inside)
      return &region;
  }
  return nullptr;
}

/// The first elements of each region, along its first digit, and the last one.
static std::vector<int64_t> someOffsets(const Output &output) {
  std::vector<int64_t> offsets;
  for (const Region &region : output.regions) {
    int64_t rows = 0, last = 0;
    for (size_t digit = 0; digit < region.digits.size(); ++digit) {
      const Intervals &set = region.digits[digit];
      rows += digit ? set.front().first * output.strides[digit] : 0;
      last += (set.back().second - 1) * output.strides[digit];
    }
    offsets.push_back(last);
    unsigned left = RowElements;
    if (region.digits.empty())
      continue;
    for (auto [first, end] : region.digits[0])
      for (int64_t at = first; at < end && left; ++at, --left)
        offsets.push_back(rows + at * output.strides[0]);
    if (offsets.size() > MostElements)
      break;
  }
  return offsets;
}

std::optional<Witness> mettle::checker::unsharedElement(const Output &output, uint8_t writtenBy) {
  std::vector<int64_t> offsets = someOffsets(output);
  if (offsets.empty())
    return std::nullopt;
  Witness witness;
  witness.parameter = output.parameter;
  witness.offset = offsets[0];
  witness.bytes = output.bytes;
  witness.writtenBy = decltype(witness.writtenBy)(writtenBy);
  return witness;
}

namespace {
/// An element that both kernels write, by trees that are not the same.
struct Element {
  int64_t offset;
  const Region *here, *there;
  std::vector<int64_t> digitsHere, digitsThere;
};

class Search {
public:
  Search(Analysis &a, Analysis &b, const Output &output, const Output &theirs);
  /// An element that only one of them writes settles it.
  std::optional<Witness> unshared;
  std::optional<Witness> run();
  std::string refused;

private:
  std::optional<Witness> general();
  std::optional<Witness> cancelling();
  std::optional<Witness> bulk();
  /// The elements, one after the other, until the work is done.
  std::optional<Witness> on(const InputDraw &draw, llvm::ArrayRef<const Element *> some,
                            size_t most, size_t &work);
  std::optional<Witness> confirmed(const InputDraw &draw, const Element &element) const;
  std::map<uint32_t, std::vector<int64_t>> reads(const Element &element) const;
  void cancel(InputDraw &draw, const std::map<uint32_t, std::vector<int64_t>> &places,
              std::mt19937_64 &random) const;

  Analysis &a, &b;
  const Output &output;
  std::vector<Element> elements;
  /// Of every two regions the first element, one in the middle, and the last.
  std::vector<const Element *> examples;
  InputDraw first;
};
} // namespace

Search::Search(Analysis &a, Analysis &b, const Output &output, const Output &theirs)
    : a(a), b(b), output(output) {
  std::vector<int64_t> offsets = someOffsets(output), more = someOffsets(theirs);
  offsets.insert(offsets.end(), more.begin(), more.end());
  std::map<std::pair<const Region *, const Region *>, std::vector<size_t>> byRegions;
  std::map<int64_t, bool> seen;
  for (int64_t offset : offsets) {
    if (!seen.try_emplace(offset, true).second)
      continue;
    Element element = {offset, nullptr, nullptr, digitsOf(output, offset),
                       digitsOf(theirs, offset)};
    element.here = regionAt(output, element.digitsHere);
    element.there = regionAt(theirs, element.digitsThere);
    if (!element.here != !element.there) {
      unshared = unsharedElement(output, element.here ? Witness::A : Witness::B);
      unshared->offset = offset;
      return;
    }
    if (!element.here ||
        (output.strides == theirs.strides && element.here->hash == element.there->hash))
      continue;
    byRegions[{element.here, element.there}].push_back(elements.size());
    elements.push_back(std::move(element));
  }
  for (const auto &[regions, numbers] : byRegions) {
    findFormats(a.trees, regions.first->tree.tree, first.formats);
    findFormats(b.trees, regions.second->tree.tree, first.formats);
    examples.push_back(&elements[numbers.front()]);
    if (numbers.size() > 1)
      examples.push_back(&elements[numbers.back()]);
    if (numbers.size() > 2)
      examples.push_back(&elements[numbers[numbers.size() / 2]]);
  }
}

/// Once more, alone: what this element reads.
std::optional<Witness> Search::confirmed(const InputDraw &draw, const Element &element) const {
  TreeValue here(a.trees, draw), there(b.trees, draw);
  here.notesInputs = there.notesInputs = true;
  std::optional<uint64_t> m = here.of(element.here->tree, element.digitsHere),
                          n = there.of(element.there->tree, element.digitsThere);
  if (!m || !n || *m == *n)
    return std::nullopt;
  Witness witness;
  witness.parameter = output.parameter;
  witness.bytes = output.bytes;
  witness.offset = element.offset;
  witness.a = *m;
  witness.b = *n;
  witness.inputs = std::move(here.inputs);
  witness.inputs.insert(there.inputs.begin(), there.inputs.end());
  return witness;
}

std::optional<Witness> Search::on(const InputDraw &draw, llvm::ArrayRef<const Element *> some,
                                  size_t most, size_t &work) {
  TreeValue here(a.trees, draw), there(b.trees, draw);
  for (const Element *element : some) {
    std::optional<uint64_t> m = here.of(element->here->tree, element->digitsHere), n;
    if (m)
      n = there.of(element->there->tree, element->digitsThere);
    if (!m || !n) {
      refused = m ? there.refused : here.refused;
      break;
    }
    if (*m != *n)
      if (std::optional<Witness> witness = confirmed(draw, *element))
        return witness;
    if (here.size() + there.size() > most)
      break;
  }
  work += here.size() + there.size();
  return std::nullopt;
}

std::optional<Witness> Search::general() {
  size_t work = 0;
  for (unsigned kind = 0; kind < InputDraw::NumKinds && refused.empty(); ++kind) {
    // Zeros in as many ways as there are signs of a few parameters.
    uint64_t seeds = kind == InputDraw::Zeros ? 12 : 1;
    for (uint64_t seed = 1; seed <= seeds && refused.empty(); ++seed) {
      InputDraw draw = first;
      draw.kind = InputDraw::Kind(kind);
      draw.seed = seed;
      if (std::optional<Witness> witness =
              on(draw, examples, GeneralWork / InputDraw::NumKinds / seeds, work))
        return witness;
    }
  }
  return std::nullopt;
}

/// What an element reads: by parameter, the offsets of its elements.
std::map<uint32_t, std::vector<int64_t>> Search::reads(const Element &element) const {
  TreeValue here(a.trees, first), there(b.trees, first);
  here.notesInputs = there.notesInputs = true;
  here.of(element.here->tree, element.digitsHere);
  there.of(element.there->tree, element.digitsThere);
  std::map<uint32_t, std::vector<int64_t>> places;
  for (const auto *inputs : {&here.inputs, &there.inputs})
    for (const auto &[place, word] : *inputs) {
      unsigned size = first.elementBytes(place.first);
      for (unsigned at = 0; at < word.first; at += size)
        places[place.first].push_back(place.second + at);
    }
  for (auto &[parameter, offsets] : places) {
    std::sort(offsets.begin(), offsets.end());
    offsets.erase(std::unique(offsets.begin(), offsets.end()), offsets.end());
  }
  return places;
}

/// The number as a word of the format, rounded; 2^exponent may be below what it holds.
static uint64_t wordOf(Format format, double value) { return fromDouble(format, value); }

/// Gives one parameter pairs of large numbers of opposite sign among small ones, and the others one
/// number each, or leaves them as they are drawn.
void Search::cancel(InputDraw &draw, const std::map<uint32_t, std::vector<int64_t>> &places,
                    std::mt19937_64 &random) const {
  size_t all = 0;
  for (const auto &[parameter, offsets] : places)
    all += offsets.size();
  size_t chosen = random() % std::max<size_t>(all, 1);
  for (const auto &[parameter, offsets] : places) {
    auto found = draw.formats.find(parameter);
    Format format = found == draw.formats.end() ? Format::F32 : found->second;
    const FormatInfo &about = info(format);
    if (chosen >= offsets.size()) {
      chosen -= offsets.size();
      static constexpr double values[] = {1, 0, 256};
      if (unsigned which = random() % 4; which < 3)
        for (int64_t offset : offsets)
          draw.given[{parameter, offset}] = wordOf(format, values[which]);
      continue;
    }
    chosen = all; // no other one
    int high = about.exponentBits >= 8 ? 30 : about.exponentBits == 5 ? 15 : 7;
    int low = high - 6 - int(random() % 20);
    for (int64_t offset : offsets) {
      double fraction = 1 + double(random() % 4096) / 4096;
      double value = std::ldexp(random() % 2 ? fraction : -fraction, low - int(random() % 3));
      draw.given[{parameter, offset}] = wordOf(format, value);
    }
    for (unsigned pairs = 1 + random() % 2; pairs; --pairs)
      for (double sign : {1.0, -1.0})
        draw.given[{parameter, offsets[random() % offsets.size()]}] =
            wordOf(format, std::ldexp(sign, high - int(pairs)));
  }
}

std::optional<Witness> Search::cancelling() {
  std::mt19937_64 random(1);
  size_t work = 0;
  std::vector<std::map<uint32_t, std::vector<int64_t>>> places;
  for (const Element *element : llvm::ArrayRef(examples).take_front(6))
    places.push_back(reads(*element));
  while (work < CancellingWork && refused.empty() && !places.empty()) {
    size_t before = work;
    for (size_t i = 0; i < places.size() && work < CancellingWork; ++i) {
      InputDraw draw = first;
      draw.seed = random();
      cancel(draw, places[i], random);
      if (std::optional<Witness> witness = on(draw, examples[i], CancellingWork, work))
        return witness;
    }
    if (work == before)
      break;
  }
  return std::nullopt;
}

std::optional<Witness> Search::bulk() {
  std::vector<const Element *> all;
  for (const Element &element : elements)
    all.push_back(&element);
  size_t work = 0;
  for (uint64_t seed = 1; work < BulkWork && seed < 1000 && refused.empty(); ++seed)
    for (InputDraw::Kind kind : {InputDraw::Exponents, InputDraw::Levels, InputDraw::Small,
                                 InputDraw::NearOne, InputDraw::Special}) {
      InputDraw draw = first;
      draw.kind = kind;
      draw.seed = seed;
      if (std::optional<Witness> witness = on(draw, all, BulkWork / 10, work))
        return witness;
    }
  return std::nullopt;
}

std::optional<Witness> Search::run() {
  if (std::optional<Witness> witness = general())
    return witness;
  if (std::optional<Witness> witness = cancelling())
    return witness;
  return bulk();
}

std::optional<Witness> mettle::checker::findWitness(Analysis &a, Analysis &b, const Output &here,
                                                    const Output &there, std::string &refused) {
  Search search(a, b, here, there);
  if (search.unshared)
    return search.unshared;
  std::optional<Witness> witness = search.run();
  refused = search.refused;
  return witness;
}
