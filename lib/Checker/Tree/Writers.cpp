//===- Writers.cpp - Which thread wrote an address -----------------------===//
//
// A store and an address that is asked for meet where a system of equations over GF(2) in the bits
// of the writer has a solution.
//
//===----------------------------------------------------------------------===//

#include "Mettle/Checker/Tree/Evaluate.h"

using namespace mettle::checker;

namespace {
struct Solution {
  enum Kind { None, Unique, Depends } kind = None;
  std::array<BitEquation, NumThreadBits> bits; ///< right side and constant of each writer bit
  uint64_t free = 0;                           ///< writer bits that nothing decides
  unsigned split = 0;
};
} // namespace

static Solution solve(std::vector<BitEquation> equations) {
  Solution solution;
  std::array<int, NumThreadBits> row;
  row.fill(-1);
  std::vector<bool> used(equations.size(), false);
  for (unsigned bit = 0; bit < NumThreadBits; ++bit)
    row[bit] = solveFor(uint64_t(1) << (FirstWriterBit + bit), equations, used);
  uint64_t depends = 0;
  for (size_t i = 0; i < equations.size(); ++i)
    if (!used[i]) {
      if (!equations[i].right && equations[i].constant)
        return solution;
      if (!depends)
        depends = equations[i].right;
    }
  if (depends) {
    solution.kind = Solution::Depends;
    solution.split = unsigned(__builtin_ctzll(depends));
    return solution;
  }
  solution.kind = Solution::Unique;
  for (unsigned bit = 0; bit < NumThreadBits; ++bit) {
    if (row[bit] < 0)
      solution.free |= uint64_t(1) << bit;
    else
      solution.bits[bit] = equations[size_t(row[bit])];
  }
  // Free bits stand on the left of other rows; they are chosen as zero there, and the value is
  // asked whether it cares.
  return solution;
}

EnvId Evaluator::asWriter(EnvId iteration) {
  auto [known, isNew] = writers.try_emplace(iteration, 0);
  if (!isNew)
    return known->second;
  Env env = forms.env(iteration);
  for (unsigned i = 0; i < NumThreadBits; ++i)
    env.mask[i] = uint64_t(1) << (FirstWriterBit + i);
  env.flip = 0;
  return known->second = forms.intern(env);
}

const std::optional<BitView> &Evaluator::bitViewOf(FormId form) {
  auto &place = bitViews[form];
  if (!place)
    place = std::make_unique<std::optional<BitView>>(forms.bitsOf(form, 64));
  return *place;
}

const Evaluator::SharedPlace &Evaluator::placeOf(FormId address) {
  auto [number, isNew] = placeNumbers.try_emplace(address, uint32_t(places.size()));
  if (!isNew)
    return places[number->second];
  SharedPlace place;
  for (const Part &part : llvm::SmallVector<Part, 12>(forms.parts(address))) {
    Atom::Kind kind = forms.atom(part.atom).kind;
    if (kind == Atom::Shared)
      place.base = forms.add(place.base, forms.ofAtom(part.atom, part.coef));
    place.isRing |= kind == Atom::Modulo;
  }
  place.rest = forms.sub(address, place.base);
  place.lo = forms.lo(place.rest);
  place.hi = forms.hi(place.rest);
  if (const std::optional<BitView> &view = bitViewOf(place.rest); view && view->count == 64) {
    place.isPlain = true;
    place.value = view->flip;
    for (unsigned i = 0; i < 64; ++i)
      place.known |= uint64_t(!view->mask[i]) << i;
  }
  places.push_back(place);
  return places.back();
}

const std::vector<Evaluator::WrittenPlace> &Evaluator::storesIn(uint32_t first, uint32_t last,
                                                                EnvId writing) {
  auto &list = storeLists[{uint64_t(first) << 32 | last, writing}];
  if (!list) {
    auto made = std::make_unique<std::vector<WrittenPlace>>();
    for (uint32_t i = first; i < last; ++i)
      if (program.events[i].kind == Event::SharedStore)
        made->push_back({i, program.events[i].bytes,
                         placeOf(forms.substitute(program.events[i].address, writing))});
    list = std::move(made);
  }
  return *list;
}

/// That meet() would find a miss for every part of the bytes asked for, by what is known anyway.
bool Evaluator::surelyMisses(const SharedPlace &asked, unsigned bytes, const WrittenPlace &store) {
  const SharedPlace &written = store.place;
  if (asked.base != written.base || asked.base == 0)
    return false;
  if (asked.hi + int64_t(bytes) <= written.lo || written.hi + int64_t(store.bytes) <= asked.lo)
    return true;
  if (asked.isRing || written.isRing || !asked.isPlain || !written.isPlain ||
      (bytes & (bytes - 1)) || (store.bytes & (store.bytes - 1)))
    return false;
  // Both at a multiple of their size, so that the bits above tell them apart.
  auto isAligned = [](const SharedPlace &place, unsigned size) {
    return (place.known & (size - 1)) == size - 1 && !(place.value & (size - 1));
  };
  if (!isAligned(written, store.bytes) || (bytes > store.bytes && !isAligned(asked, bytes)))
    return false;
  uint64_t apart = asked.known & written.known & (asked.value ^ written.value);
  return apart & ~uint64_t(std::max<unsigned>(bytes, store.bytes) - 1);
}

Evaluator::Hit Evaluator::meet(FormId address, unsigned bytes, const Event &store, EnvId writing,
                               std::vector<BitEquation> &equations, FormId &offset) {
  const SharedPlace &asked = placeOf(address),
                    &written = placeOf(forms.substitute(store.address, writing));
  // Intervals first: the common base drops out of the difference.
  if (asked.base != written.base || asked.base == 0)
    return Hit::Unclear;
  FormId f = asked.rest, g = written.rest;
  if (forms.hi(f) + int64_t(bytes) <= forms.lo(g) ||
      forms.hi(g) + int64_t(store.bytes) <= forms.lo(f))
    return Hit::Miss;
  // Slots of a ring of buffers: the same slot drops out, different ones keep apart.
  for (const Part &part : llvm::SmallVector<Part, 8>(forms.parts(f))) {
    const Atom atom = forms.atom(part.atom);
    if (atom.kind != Atom::Modulo)
      continue;
    for (const Part &other : llvm::SmallVector<Part, 8>(forms.parts(g))) {
      const Atom there = forms.atom(other.atom);
      if (there.kind != Atom::Modulo || there.data != atom.data || other.coef != part.coef)
        continue;
      if (other.atom == part.atom) {
        f = forms.without(f, part.atom);
        g = forms.without(g, part.atom);
        break;
      }
      FormId apart = forms.sub(atom.args[0], there.args[0]);
      if (!forms.isConstant(apart) || forms.constantOf(apart) % int64_t(atom.data) == 0)
        return Hit::Unclear;
      FormId p = forms.without(f, part.atom), q = forms.without(g, other.atom);
      int64_t size = std::abs(part.coef);
      if (forms.hi(p) + int64_t(bytes) - forms.lo(q) <= size &&
          forms.hi(q) + int64_t(store.bytes) - forms.lo(p) <= size)
        return Hit::Miss;
      return Hit::Unclear;
    }
  }
  const std::optional<BitView> &x = bitViewOf(f), &y = bitViewOf(g);
  if (!x || !y || x->count != 64 || y->count != 64)
    return Hit::Unclear;
  auto low = unsigned(__builtin_ctzll(std::max<uint64_t>(store.bytes, bytes)));
  if (store.bytes < bytes)
    return Hit::Unclear;
  for (unsigned i = 0; i < low; ++i)
    if (y->mask[i] || y->bit(i))
      return Hit::Unclear; // not aligned to its size
  for (unsigned i = low; i < 64; ++i)
    if (x->mask[i] || y->mask[i] || x->bit(i) != y->bit(i))
      equations.push_back({y->mask[i] & WriterBits, (y->mask[i] & ~WriterBits) ^ x->mask[i],
                           x->bit(i) != y->bit(i)});
  offset = forms.fromBits(*x, 0, low, 0);
  return Hit::Exact;
}

Evaluator::Hit Evaluator::match(FormId address, unsigned bytes, const Event &store, EnvId iteration,
                                EnvId &writer, FormId &offset, uint64_t &anyWriter,
                                unsigned &split) {
  EnvId writing = asWriter(iteration);
  std::vector<BitEquation> equations;
  Hit hit = meet(address, bytes, store, writing, equations, offset);
  if (hit != Hit::Exact)
    return hit;
  // The size of the block bounds the writer; those bits were never made, so there is nothing to do.
  std::vector<BitEquation> conditions = equations;
  bool clear = constrain(store.pred, true, writing, conditions);
  Solution solution = solve(conditions);
  if (solution.kind == Solution::None)
    return Hit::Miss;
  if (!clear) {
    Solution plain = solve(equations);
    return plain.kind == Solution::None ? Hit::Miss : Hit::Unclear;
  }
  if (solution.kind == Solution::Depends) {
    split = solution.split;
    return Hit::Partial;
  }
  Env from = forms.env(iteration);
  for (unsigned i = 0; i < NumThreadBits; ++i) {
    from.mask[i] = solution.free >> i & 1 ? 0 : solution.bits[i].right;
    bool flip = !(solution.free >> i & 1) && solution.bits[i].constant;
    from.flip = uint16_t((from.flip & ~(1u << i)) | unsigned(flip) << i);
  }
  anyWriter = 0;
  for (unsigned i = 0; i < NumThreadBits; ++i)
    if (solution.free & program.bitsOf(store) & uint64_t(1) << i)
      anyWriter |= uint64_t(1) << i;
  writer = forms.intern(from);
  for (unsigned i = 0; i < NumThreadBits; ++i)
    if (!(solution.free >> i & 1) &&
        (solution.bits[i].left & WriterBits) != uint64_t(1) << (FirstWriterBit + i))
      anyWriter |= uint64_t(1) << (32 + i); // tied to a free bit
  return Hit::Exact;
}
