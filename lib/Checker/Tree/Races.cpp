//===- Races.cpp - Shared memory that is overwritten too early ------------===//
//
// A load sees the store before it only if no other thread may already write the next value there,
// and of two stores the later one wins only if something orders them. Every access is followed on
// to the next barrier, round the loop if need be.
//
//===----------------------------------------------------------------------===//

#include "Mettle/Checker/Tree/Evaluate.h"

using namespace mettle::checker;

/// Whether a system over GF(2) has a solution; left and right bits are all unknowns.
static bool isSolvable(std::vector<BitEquation> equations) {
  std::vector<bool> used(equations.size(), false);
  for (unsigned bit = 0; bit < NumBits; ++bit) {
    uint64_t mask = uint64_t(1) << bit;
    size_t pivot = equations.size();
    for (size_t i = 0; i < equations.size() && pivot == equations.size(); ++i)
      if (!used[i] && ((equations[i].left ^ equations[i].right) & mask))
        pivot = i;
    if (pivot == equations.size())
      continue;
    used[pivot] = true;
    for (size_t i = 0; i < equations.size(); ++i)
      if (i != pivot && ((equations[i].left ^ equations[i].right) & mask)) {
        equations[i].left ^= equations[pivot].left;
        equations[i].right ^= equations[pivot].right;
        equations[i].constant ^= equations[pivot].constant;
      }
  }
  for (size_t i = 0; i < equations.size(); ++i)
    if (!used[i] && equations[i].constant)
      return false;
  return true;
}

/// Whether another thread's store (of another warp, after a barrier of the warp) may hit what this
/// access touches.
bool Evaluator::mayCollide(const Event &access, const Event &store, EnvId iteration,
                           bool sameWarp) {
  EnvId writing = asWriter(iteration);
  unsigned granule = std::min<unsigned>(access.bytes, store.bytes);
  for (unsigned part = 0; part < access.bytes; part += granule) {
    std::vector<BitEquation> equations;
    FormId offset = 0;
    Hit hit =
        meet(forms.addConstant(access.address, part), granule, store, writing, equations, offset);
    if (hit == Hit::Miss)
      continue;
    if (hit != Hit::Exact)
      return true;
    // A condition that is not understood in full only makes the answer more careful.
    constrain(store.pred, true, writing, equations);
    constrain(access.pred, true, forms.identity(), equations);
    for (unsigned bit = sameWarp ? 5 : 0; bit < NumThreadBits; ++bit) {
      if (!(program.threadBits >> bit & 1))
        continue;
      equations.push_back({uint64_t(1) << (48 + bit), uint64_t(1) << bit, true});
      if (isSolvable(equations))
        return true;
      equations.pop_back();
    }
  }
  return false;
}

std::optional<Reason> Evaluator::findRace() {
  for (uint32_t i = 0; i < program.events.size(); ++i) {
    const Event &access = program.events[i];
    if (access.kind != Event::SharedLoad && access.kind != Event::SharedStore)
      continue;
    bool isLoad = access.kind == Event::SharedLoad;
    std::optional<Reason> race;
    // Follows events up to a barrier; true if one was met.
    bool warp = false;
    auto follow = [&](uint32_t first, uint32_t last, EnvId iteration) {
      for (uint32_t k = first; k < last && !race; ++k) {
        const Event &event = program.events[k];
        if (event.kind == Event::Barrier)
          return true;
        if (event.kind == Event::WarpBarrier)
          warp = true;
        if (event.kind == Event::SharedStore && k != i &&
            mayCollide(access, event, iteration, warp))
          race = Reason{isLoad ? "shared memory is overwritten with no barrier after the load"
                               : "shared memory is written twice with no barrier between",
                        event.instruction};
      }
      return false;
    };
    uint32_t at = i + 1, loop = access.loop;
    EnvId here = forms.identity();
    for (;;) {
      uint32_t last = loop == ~0u ? uint32_t(program.events.size()) : program.loops[loop].lastEvent;
      if (follow(at, last, here) || race || loop == ~0u)
        break;
      const Loop &l = program.loops[loop];
      if (l.trips > 1) {
        bool kept = warp;
        FormId next = forms.addConstant(forms.ofAtom(l.counter), 1);
        follow(l.firstEvent, i, with(forms.identity(), loop, next));
        warp = kept;
        if (race)
          break;
      }
      at = last;
      loop = l.parent;
    }
    if (race)
      return race;
  }
  return std::nullopt;
}
