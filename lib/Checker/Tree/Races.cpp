//===- Races.cpp - Shared memory that is overwritten too early ------------===//
//
// A load sees the store before it only if no other thread may already write the next value there,
// and of two stores the later one wins only if something orders them. Every access is followed on
// to the next barrier, round the loop if need be.
//
//===----------------------------------------------------------------------===//

#include "Mettle/Checker/Tree/Evaluate.h"
#include <utility>

using namespace mettle::checker;

/// Whether a system over GF(2) has a solution; left and right bits are all unknowns.
static bool isSolvable(std::vector<BitEquation> equations) {
  for (BitEquation &equation : equations)
    equation.left ^= std::exchange(equation.right, 0);
  std::vector<bool> used(equations.size(), false);
  for (unsigned bit = 0; bit < NumBits; ++bit)
    solveFor(uint64_t(1) << bit, equations, used);
  for (size_t i = 0; i < equations.size(); ++i)
    if (!used[i] && equations[i].constant)
      return false;
  return true;
}

/// Loops so short that their turns are asked one by one where a symbol for all of them is too
/// coarse.
static constexpr int64_t ShortLoop = 4;

/// Whether another thread's store (of another warp, after a barrier of the warp) may hit what this
/// access touches.
bool Evaluator::mayCollide(const Event &access, const Event &store, EnvId iteration, bool sameWarp,
                           bool sameThread) {
  if (!mayCollideAt(access, forms.identity(), store, iteration, sameWarp, sameThread))
    return false;
  uint32_t loop = access.loop;
  if (loop == ~0u || program.loops[loop].trips > ShortLoop || program.loops[loop].trips < 2)
    return true;
  const Loop &l = program.loops[loop];
  for (int64_t turn = 0; turn < l.trips; ++turn) {
    EnvId then = iteration;
    if (store.loop == loop) {
      FormId later =
          forms.replace(this->iteration(iteration, loop), l.counter, forms.constant(turn));
      if (forms.lo(later) >= l.trips)
        continue;
      then = with(iteration, loop, later);
    }
    if (mayCollideAt(access, with(forms.identity(), loop, forms.constant(turn)), store, then,
                     sameWarp, sameThread))
      return true;
  }
  return false;
}

bool Evaluator::mayCollideAt(const Event &access, EnvId accessing, const Event &store,
                             EnvId iteration, bool sameWarp, bool sameThread) {
  EnvId writing = asWriter(iteration);
  FormId address = forms.substitute(access.address, accessing);
  unsigned granule = std::min<unsigned>(access.bytes, store.bytes);
  for (unsigned part = 0; part < access.bytes; part += granule) {
    std::vector<BitEquation> equations;
    FormId offset = 0;
    Hit hit = meet(forms.addConstant(address, part), granule, store, writing, equations, offset);
    if (hit == Hit::Miss)
      continue;
    if (hit != Hit::Exact)
      return true;
    // A condition that is not understood in full only makes the answer more careful.
    constrain(store.pred, true, writing, equations);
    constrain(access.pred, true, accessing, equations);
    if (sameThread && isSolvable(equations))
      return true;
    for (unsigned bit = sameWarp ? 5 : 0; bit < NumThreadBits; ++bit) {
      if (!(program.threadBits >> bit & 1))
        continue;
      equations.push_back({uint64_t(1) << (FirstWriterBit + bit), uint64_t(1) << bit, true});
      if (isSolvable(equations))
        return true;
      equations.pop_back();
    }
  }
  return false;
}

/// How far an access is behind: whether a warp barrier has passed, and for an asynchronous one
/// whether its group is closed, how many were closed after it, and whether it has been waited for.
struct Evaluator::Aftermath {
  bool warp = false, closed = false, waited = true;
  unsigned later = 0;
};

static Event::Kind commitOf(Event::Over over) {
  return over == Event::MatrixGroup ? Event::MatrixCommit
         : over == Event::BulkGroup ? Event::BulkCommit
                                    : Event::CopyCommit;
}

static Event::Kind waitOf(Event::Over over) {
  return over == Event::MatrixGroup ? Event::MatrixWait
         : over == Event::BulkGroup ? Event::BulkWait
                                    : Event::CopyWait;
}

/// Turns of a loop that are looked at one by one.
static constexpr int64_t Turns = 8;

/// Follows events up to a barrier that the access is over at; true if one was met.
bool Evaluator::follow(uint32_t accessed, uint32_t first, uint32_t last, uint32_t level,
                       EnvId iteration, Aftermath &after, std::optional<Reason> &race) {
  const Event &access = program.events[accessed];
  bool isLoad = access.kind == Event::SharedLoad;
  for (uint32_t k = first; k < last && !race; ++k) {
    const Event &event = program.events[k];
    if (event.loop != level) {
      // A loop that begins here: its first turns one by one, then all of them at once.
      uint32_t inner = event.loop;
      while (program.loops[inner].parent != level)
        inner = program.loops[inner].parent;
      const Loop &l = program.loops[inner];
      for (int64_t turn = 0; turn < std::min(l.trips, after.waited ? int64_t(2) : Turns); ++turn)
        if (follow(accessed, l.firstEvent, l.lastEvent, inner,
                   with(iteration, inner, forms.constant(turn)), after, race) ||
            race)
          return true;
      if (l.trips > 2 &&
          (follow(accessed, l.firstEvent, l.lastEvent, inner, iteration, after, race) || race))
        return true;
      k = l.lastEvent - 1;
      continue;
    }
    switch (event.kind) {
    case Event::Barrier:
      if (after.waited)
        return true;
      break;
    case Event::WarpBarrier:
      after.warp |= after.waited;
      break;
    case Event::MatrixCommit:
    case Event::CopyCommit:
    case Event::BulkCommit:
      if (!after.waited && event.kind == commitOf(access.over)) {
        after.later += after.closed;
        after.closed = true;
      }
      break;
    case Event::MatrixWait:
    case Event::CopyWait:
    case Event::BulkWait:
      if (event.kind == waitOf(access.over))
        after.waited |= after.closed && after.later >= event.count;
      break;
    case Event::PhaseWait:
      // All threads wait: what follows in any of them comes after.
      if (access.over == Event::Phase) {
        int64_t distance = -1;
        if (level != ~0u && access.loop == level) {
          FormId apart = forms.sub(this->iteration(iteration, level),
                                   forms.ofAtom(program.loops[level].counter));
          distance = forms.isConstant(apart) ? forms.constantOf(apart) : -1;
        }
        if (isPhaseOver(accessed, k, distance,
                        level == ~0u ? FormId(0) : this->iteration(iteration, level)))
          return true;
      }
      break;
    case Event::SharedStore: {
      // What wgmma reads is read by no thread of its own.
      // The copy engine is no thread: what it does stands apart from all of them.
      bool anyThread =
          (access.isAsync() && (isLoad || !after.waited)) || access.isByEngine || event.isByEngine;
      if (mayCollide(access, event, iteration, after.warp && !anyThread, anyThread))
        race = Reason{isLoad ? "shared memory is overwritten with no barrier after the load"
                             : "shared memory is written twice with no barrier between",
                      event.instruction};
      break;
    }
    default:
      break;
    }
  }
  return false;
}

/// From event `at` of a loop on: to its end, through its next turns, and on behind it.
void Evaluator::followOn(uint32_t accessed, uint32_t at, uint32_t loop, Aftermath after,
                         std::optional<Reason> &race) {
  uint32_t end = loop == ~0u ? uint32_t(program.events.size()) : program.loops[loop].lastEvent;
  if (follow(accessed, at, end, loop, forms.identity(), after, race) || race || loop == ~0u)
    return;
  const Loop &l = program.loops[loop];
  // Left so many turns after the access, which it may not make that late.
  auto leave = [&](int64_t turn) {
    PredId when = program.events[accessed].pred;
    if (program.events[accessed].loop == loop && (terms.pred(when).loops >> loop & 1)) {
      Answer happens =
          evaluatePred(when, with(forms.identity(), loop, forms.constant(l.trips - 1 - turn)));
      if (happens.kind == Answer::Known && trees.isTruth(happens.tree, false))
        return;
    }
    followOn(accessed, end, l.parent, after, race);
  };
  leave(0);
  for (int64_t turn = 1; turn < std::min(l.trips, Turns) && !race; ++turn) {
    FormId then = forms.addConstant(forms.ofAtom(l.counter), turn);
    if (follow(accessed, l.firstEvent, l.lastEvent, loop, with(forms.identity(), loop, then), after,
               race))
      return;
    if (!race)
      leave(turn);
    // A second turn shows all there is of what needs no waiting.
    if (after.waited && turn == 2)
      return;
  }
  if (!race && !after.waited && l.trips > Turns)
    race = Reason{"an asynchronous access that is not waited for",
                  program.events[accessed].instruction};
}

std::optional<Reason> Evaluator::findRace() {
  if (std::optional<Reason> reason = followPhases())
    return reason;
  for (uint32_t i = 0; i < program.events.size(); ++i) {
    const Event &access = program.events[i];
    if (access.kind != Event::SharedLoad && access.kind != Event::SharedStore)
      continue;
    std::optional<Reason> race;
    Aftermath after;
    after.waited = !access.isAsync();
    followOn(i, i + 1, access.loop, after, race);
    if (race)
      return race;
  }
  return std::nullopt;
}
