//===- Phases.cpp - What the phases of mbarriers order --------------------===//
//
// Every mbarrier is followed through the launch's turns, by what all threads have waited for. A
// wait for the first phase that nobody has waited for yet is over when that phase is; a phase in
// which as many arrive as the mbarrier counts, and for which as many bytes are expected as the
// copies of that phase bring, is over when those copies are. Copies and arrivals belong to the
// phase that was the first not waited for when they began: an earlier one is over, a later one
// cannot begin before this one is. So this holds in whatever order threads get there.
//
//===----------------------------------------------------------------------===//

#include "Mettle/Checker/Tree/Evaluate.h"
#include "llvm/ADT/Twine.h"
#include <map>

using namespace mettle::checker;

/// Turns of all loops with events of mbarriers, each of them looked at.
static constexpr int64_t MostTurns = 1 << 16;

namespace {
struct Copy {
  uint32_t event;
  int64_t turn;
};

/// An mbarrier between its init and its inval.
struct Barrier {
  uint32_t count = 0;
  uint64_t waited = 0; ///< Phases that all threads have waited for.
  uint64_t arrived = 0, expected = 0, brought = 0;
  std::vector<Copy> copies;
  /// Whether all threads have met since it was set up, and since the last wait.
  bool isReady = false, isFree = true;
};
} // namespace

struct Evaluator::Phases {
  Evaluator &evaluator;
  std::map<FormId, Barrier> barriers;
  /// Stores that were found not to touch an mbarrier.
  llvm::DenseSet<std::pair<uint32_t, FormId>> apart;
  int64_t turns = 0;

  std::optional<Reason> run(uint32_t first, uint32_t last, uint32_t loop, EnvId env, int64_t turn);
  std::optional<Reason> step(uint32_t number, EnvId env, int64_t turn);
  std::optional<Reason> wait(uint32_t number, Barrier &barrier, EnvId env, int64_t turn);
  void cover(const Copy &copy, uint32_t wait, int64_t turn);
  bool touches(const Event &store, FormId barrier);
};

static bool isOfPhases(const Event &event) {
  return event.kind >= Event::PhaseInit || event.over == Event::Phase;
}

/// Whether a store may reach the eight bytes of an mbarrier.
bool Evaluator::Phases::touches(const Event &store, FormId barrier) {
  Evaluator &e = evaluator;
  unsigned granule = std::min<unsigned>(store.bytes, 8);
  EnvId writing = e.asWriter(e.forms.identity());
  for (unsigned part = 0; part < 8; part += granule) {
    std::vector<BitEquation> equations;
    FormId offset = 0;
    if (e.meet(e.forms.addConstant(barrier, part), granule, store, writing, equations, offset) !=
        Hit::Miss)
      return true;
  }
  return false;
}

/// Which wait a copy is over at: one for all of its turns, or none that is known.
void Evaluator::Phases::cover(const Copy &copy, uint32_t wait, int64_t turn) {
  const Program &program = evaluator.program;
  uint32_t copyLoop = program.events[copy.event].loop, waitLoop = program.events[wait].loop;
  PhaseEnd end;
  end.wait = wait;
  end.turn = waitLoop == ~0u ? 0 : copyLoop == waitLoop ? turn - copy.turn : turn;
  auto [place, isNew] = evaluator.phaseEnds.try_emplace(copy.event, end);
  if (!isNew && (place->second.wait != end.wait || place->second.turn != end.turn))
    place->second.wait = ~0u;
}

std::optional<Reason> Evaluator::Phases::wait(uint32_t number, Barrier &barrier, EnvId env,
                                              int64_t turn) {
  const Event &event = evaluator.program.events[number];
  Answer parity = evaluator.evaluate(event.value, env);
  if (parity.kind != Answer::Known)
    return parity.kind == Answer::Failed
               ? evaluator.reason()
               : Reason{"a phase's parity that threads do not agree on", event.instruction};
  const Template &node = evaluator.trees[parity.tree.tree];
  if (node.kind != Template::Const || node.data > 1)
    return Reason{"a phase's parity that is not known", event.instruction};
  if (node.data != (barrier.waited & 1))
    return std::nullopt; // of the phase before, which is over
  if (barrier.arrived != barrier.count || barrier.expected != barrier.brought)
    return Reason{"a wait for a phase of an mbarrier that is not completed exactly",
                  event.instruction};
  for (const Copy &copy : barrier.copies)
    cover(copy, number, turn);
  ++barrier.waited;
  barrier.arrived = barrier.expected = barrier.brought = 0;
  barrier.copies.clear();
  barrier.isFree = false;
  return std::nullopt;
}

std::optional<Reason> Evaluator::Phases::step(uint32_t number, EnvId env, int64_t turn) {
  Evaluator &e = evaluator;
  const Event &event = e.program.events[number];
  if (event.kind == Event::Barrier) {
    for (auto &[place, barrier] : barriers)
      barrier.isReady = barrier.isFree = true;
    return std::nullopt;
  }
  if (event.kind == Event::SharedStore)
    for (auto &[place, barrier] : barriers)
      if (!apart.contains({number, place})) {
        if (touches(event, place))
          return Reason{"shared memory of an mbarrier is written", event.instruction};
        apart.insert({number, place});
      }
  if (!isOfPhases(event))
    return std::nullopt;
  Answer happens = e.evaluatePred(event.pred, env);
  if (happens.kind != Answer::Known || e.trees[happens.tree.tree].kind != Template::Truth)
    return Reason{"an mbarrier that is used under a condition that is not known",
                  event.instruction};
  if (e.trees.isTruth(happens.tree, false))
    return std::nullopt;
  FormId place = e.forms.substitute(event.phase, env);
  for (const Part &part : e.forms.parts(place))
    if (e.forms.atom(part.atom).kind != Atom::Shared)
      return Reason{"an mbarrier whose place is not known", event.instruction};
  auto found = barriers.find(place);
  if (event.kind == Event::PhaseInit) {
    if (found != barriers.end() || event.count == 0)
      return Reason{"an mbarrier that is set up while it is used", event.instruction};
    barriers[place].count = event.count;
    return std::nullopt;
  }
  if (found == barriers.end() || !found->second.isReady)
    return Reason{"an mbarrier that is used with no barrier after it was set up",
                  event.instruction};
  Barrier &barrier = found->second;
  if (event.kind == Event::PhaseWait)
    return wait(number, barrier, env, turn);
  // Others may still wait for the phase before, and would miss its end.
  if (!barrier.isFree)
    return Reason{"a phase of an mbarrier begins with no barrier after the wait for the one before",
                  event.instruction};
  switch (event.kind) {
  case Event::PhaseArrive:
    if ((barrier.arrived += event.count) > barrier.count)
      return Reason{"a phase of an mbarrier at which more arrive than it counts",
                    event.instruction};
    barrier.expected += event.amount;
    return std::nullopt;
  case Event::PhaseInval:
    if (barrier.arrived || !barrier.copies.empty())
      return Reason{"an mbarrier that ends within a phase", event.instruction};
    barriers.erase(found);
    return std::nullopt;
  default:
    barrier.brought += event.amount;
    barrier.copies.push_back({number, turn});
    return std::nullopt;
  }
}

std::optional<Reason> Evaluator::Phases::run(uint32_t first, uint32_t last, uint32_t loop,
                                             EnvId env, int64_t turn) {
  const Program &program = evaluator.program;
  for (uint32_t i = first; i < last; ++i) {
    uint32_t inner = program.events[i].loop;
    if (inner == loop) {
      if (std::optional<Reason> reason = step(i, env, turn))
        return reason;
      continue;
    }
    while (program.loops[inner].parent != loop)
      inner = program.loops[inner].parent;
    const Loop &l = program.loops[inner];
    bool concerns = false;
    for (uint32_t k = l.firstEvent; k < l.lastEvent; ++k) {
      bool here = isOfPhases(program.events[k]);
      if (here && (loop != ~0u || program.events[k].loop != inner))
        return Reason{"an mbarrier in nested loops", program.events[k].instruction};
      concerns |= here;
    }
    // A loop that has no say in phases may meet or write as its first turn does.
    int64_t count = concerns ? l.trips : 1;
    if ((turns += count) > MostTurns)
      return Reason{"an mbarrier in a loop of too many turns", program.events[i].instruction};
    for (int64_t t = 0; t < count; ++t)
      if (std::optional<Reason> reason =
              run(l.firstEvent, l.lastEvent, inner,
                  evaluator.with(env, inner, evaluator.forms.constant(t)), t))
        return reason;
    i = l.lastEvent - 1;
  }
  return std::nullopt;
}

std::optional<Reason> Evaluator::followPhases() {
  phaseEnds.clear();
  bool concerns = false;
  for (const Event &event : program.events)
    concerns |= isOfPhases(event);
  if (!concerns)
    return std::nullopt;
  Phases phases{*this, {}, {}, 0};
  if (std::optional<Reason> reason =
          phases.run(0, uint32_t(program.events.size()), ~0u, forms.identity(), 0))
    return reason;
  // What is not waited for in one turn is not waited for.
  for (auto &[place, barrier] : phases.barriers)
    for (const Copy &copy : barrier.copies)
      phaseEnds[copy.event].wait = ~0u;
  return std::nullopt;
}

/// Whether a copy is over at a wait that has been passed: in the copy's own loop, `distance` turns
/// later; elsewhere, in turn `now` of the wait's loop.
bool Evaluator::isPhaseOver(uint32_t copy, uint32_t wait, int64_t distance, FormId now) {
  auto found = phaseEnds.find(copy);
  if (found == phaseEnds.end() || found->second.wait != wait)
    return false;
  uint32_t waitLoop = program.events[wait].loop;
  if (waitLoop == ~0u)
    return true;
  if (program.events[copy].loop == waitLoop)
    return distance >= found->second.turn;
  return forms.lo(now) >= found->second.turn;
}

/// Whether all threads have waited for a copy when they come to a load.
bool Evaluator::isAwaited(uint32_t copy, uint32_t load, int64_t distance, EnvId reader) {
  auto found = phaseEnds.find(copy);
  if (found == phaseEnds.end() || found->second.wait == ~0u)
    return false;
  uint32_t wait = found->second.wait, waitLoop = program.events[wait].loop,
           loadLoop = program.events[load].loop;
  if (waitLoop == ~0u || load >= program.loops[waitLoop].lastEvent)
    return wait < load;
  if (loadLoop != waitLoop)
    return false;
  int64_t turn = found->second.turn;
  if (program.events[copy].loop != waitLoop)
    distance = forms.lo(iteration(reader, waitLoop));
  return turn < distance || (turn == distance && wait < load);
}
