//===- Loops.cpp - Loops of the symbolic thread --------------------------===//
//
// A loop is walked until its inductions are known, then once more with its counter, which checks
// what was found.
//
//===----------------------------------------------------------------------===//

#include "Machine.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Twine.h"

using namespace mettle::checker;
using namespace mettle::assembly::ptx;

/// The wait of a loop that does nothing but ask whether a phase of an mbarrier is over, and goes
/// round as long as it is not.
std::optional<uint32_t> Machine::spinsOn(const NaturalLoop &loop) const {
  std::optional<uint32_t> wait;
  for (uint32_t block : loop.blocks)
    for (uint32_t i = graph.blocks()[block].first; i < graph.blocks()[block].last; ++i) {
      const Instruction &in = module.instructions[i];
      if (in.opcode == Opcode::MBarrierTryWait && !wait && !in.guarded())
        wait = i;
      else if (in.opcode != Opcode::Bra)
        return std::nullopt;
    }
  if (!wait || !module.operandsOf(module.instructions[*wait])[0].is(OperandKind::Register))
    return std::nullopt;
  RegisterId over = module.operandsOf(module.instructions[*wait])[0].reg();
  for (uint32_t block : loop.blocks)
    for (uint32_t i = graph.blocks()[block].first; i < graph.blocks()[block].last; ++i) {
      const Instruction &in = module.instructions[i];
      if (in.opcode != Opcode::Bra)
        continue;
      uint32_t target = graph.blockOf(module.labels[module.operandsOf(in)[0].index].target);
      bool stays = target < loop.holds.size() && loop.holds[target];
      bool leavesWhenOver = in.guarded() && in.guardRegister() == over && in.guardNegated == stays;
      if (in.guarded() ? !leavesWhenOver : !stays)
        return std::nullopt;
    }
  return wait;
}

void Machine::runSpinLoop(const NaturalLoop &loop, uint32_t wait, const NaturalLoop *inside) {
  regs = std::make_shared<Registers>(*regs);
  at = wait;
  instruction = &module.instructions[wait];
  mnemonic = &module.mnemonicOf(*instruction);
  operands = module.operandsOf(*instruction);
  guard = Terms::truePred;
  waitForPhase();
  write(op(0), truth(Terms::truePred));
  for (uint32_t block : loop.blocks)
    for (uint32_t successor : graph.successors(block))
      if (!loop.holds[successor]) {
        if (inside && !inside->holds[successor])
          return fail("a loop that is left from its middle");
        incoming[successor].push_back({block, path, regs});
      }
}

PredId Machine::predAtLast(PredId id, uint32_t loop) {
  const Pred pred = terms.pred(id);
  if (!(pred.loops >> loop & 1))
    return id;
  Env env = forms.env(forms.identity());
  env.counters.push_back({loop, forms.constant(program.loops[loop].trips - 1)});
  EnvId last = forms.intern(env);
  switch (pred.kind) {
  case Pred::Less:
    return terms.less(forms.substitute(pred.form, last));
  case Pred::Zero:
    return terms.zero(forms.substitute(pred.form, last));
  case Pred::Not:
    return terms.negate(predAtLast(pred.a, loop));
  case Pred::And:
    return terms.both(predAtLast(pred.a, loop), predAtLast(pred.b, loop));
  default: {
    Pred unknown;
    unknown.kind = Pred::Unknown;
    unknown.a = at;
    return terms.intern(unknown);
  }
  }
}

Value Machine::atLast(Value value, uint32_t loop) {
  Env env = forms.env(forms.identity());
  env.counters.push_back({loop, forms.constant(program.loops[loop].trips - 1)});
  switch (value.kind) {
  case Value::Integer:
    return integer(forms.substitute(value.id, forms.intern(env)));
  case Value::Data: {
    const Term &term = terms[value.id];
    if (!(term.loops >> loop & 1))
      return value;
    Term last;
    last.kind = Term::Last;
    last.bytes = term.bytes;
    last.data = loop;
    last.args = {value.id};
    return data(terms.intern(std::move(last)));
  }
  case Value::Condition:
    return truth(predAtLast(value.id, loop));
  case Value::None:
    return value;
  }
  return value;
}

std::optional<int64_t>
Machine::tripCount(PredId again,
                   llvm::ArrayRef<std::pair<AtomId, std::pair<FormId, FormId>>> inductions) {
  if (again == Terms::falsePred)
    return 1;
  Pred pred = terms.pred(again);
  bool negated = false;
  if (pred.kind == Pred::Not) {
    negated = true;
    pred = terms.pred(pred.a);
  }
  if (pred.kind != Pred::Less && pred.kind != Pred::Zero)
    return std::nullopt;
  // The condition's form at iteration i is start + i * slope.
  FormId start = pred.form, slope = 0;
  for (auto &[atom, induction] : inductions) {
    int64_t coef = forms.coefficient(pred.form, atom);
    if (!coef)
      continue;
    start = forms.replace(start, atom, induction.first);
    slope = forms.add(slope, forms.scale(induction.second, coef));
  }
  if (!forms.bitsOf(start) && !forms.loopsOf(start))
    program.tripBlocks |= forms.blocksOf(forms.atBlock(start)) & 7;
  start = forms.atBlock(start);
  slope = forms.atBlock(slope);
  if (!forms.isConstant(start) || !forms.isConstant(slope))
    return std::nullopt;
  int64_t a = forms.constantOf(start), b = forms.constantOf(slope);
  const int64_t Most = int64_t(1) << 30;
  if (pred.kind == Pred::Less && !negated) {
    if (a >= 0)
      return 1;
    if (b <= 0)
      return std::nullopt;
    int64_t trips = 1 + (-a + b - 1) / b;
    return trips < Most ? std::optional(trips) : std::nullopt;
  }
  if (pred.kind == Pred::Less)
    return std::nullopt;
  if (!negated) {
    // While it is zero.
    return a != 0 ? std::optional<int64_t>(1) : b != 0 ? std::optional<int64_t>(2) : std::nullopt;
  }
  if (a == 0)
    return 1;
  if (b == 0 || a % b != 0 || a / b > 0)
    return std::nullopt;
  int64_t trips = 1 - a / b;
  return trips < Most ? std::optional(trips) : std::nullopt;
}

void Machine::runLoop(const NaturalLoop &loop) {
  if (path != Terms::truePred)
    return fail("a loop under a condition");
  if (program.loops.size() >= 50)
    return fail("more than 50 loops");
  at = graph.blocks()[loop.header].first;
  auto index = uint32_t(program.loops.size());
  program.loops.emplace_back();
  program.loops[index].parent = currentLoop;
  uint32_t outerLoop = currentLoop;
  auto initial = std::make_shared<Registers>(*regs);
  size_t firstEvent = program.events.size(), firstMatrix = program.matrices.size();

  std::vector<RegisterId> written;
  {
    std::array<std::vector<bool>, NumRegisterClasses> seen;
    for (unsigned cls = 0; cls < NumRegisterClasses; ++cls)
      seen[cls].resize(initial->values[cls].size());
    for (uint32_t block : loop.blocks)
      for (uint32_t i = graph.blocks()[block].first; i < graph.blocks()[block].last; ++i)
        module.forEachRegister(module.instructions[i], [&](RegisterId id, bool isWritten, bool) {
          if (isWritten && !seen[size_t(id.cls())][id.number()]) {
            seen[size_t(id.cls())][id.number()] = true;
            written.push_back(id);
          }
        });
  }
  // Later: one value in the first turn, another from the second on.
  enum Class : uint8_t { Plain, Induction, Wrapping, Later, Carry, CarryCondition, Opaque };
  struct State {
    Class kind = Plain;
    FormId step = 0;
    int64_t modulus = 0;
    AtomId atom = 0;
    uint32_t number = 0;
    std::optional<PredId> later;
  };
  std::vector<State> states(written.size());
  auto start = [&](size_t k) -> Value & {
    return initial->values[size_t(written[k].cls())][written[k].number()];
  };
  for (size_t k = 0; k < written.size(); ++k) {
    unsigned width = 8 * bytesOf(written[k].cls());
    int64_t most = width >= 64 ? int64_t(1) << 60 : width == 32 ? int64_t(1) << 28 : 1 << 12;
    states[k].atom = forms.symbol(Atom::Phi, uint64_t(index + 1) << 48 | written[k].raw(), 0, most);
    Value value = start(k);
    states[k].kind = value.kind == Value::Integer     ? Induction
                     : value.kind == Value::Data      ? Carry
                     : value.kind == Value::Condition ? CarryCondition
                                                      : Plain;
  }
  auto enter = [&](bool final) {
    auto state = std::make_shared<Registers>(*initial);
    uint32_t carried = 0;
    for (size_t k = 0; k < written.size(); ++k) {
      Value &place = state->values[size_t(written[k].cls())][written[k].number()];
      State &s = states[k];
      switch (s.kind) {
      case Plain:
        break;
      case Induction: {
        if (!final) {
          place = integer(forms.ofAtom(s.atom));
          break;
        }
        unsigned width = 8 * bytesOf(written[k].cls());
        // step * counter, where the step need not be a constant of the launch.
        FormId counter = forms.ofAtom(program.loops[index].counter);
        FormId moved = forms.isConstant(s.step)
                           ? forms.scale(counter, forms.constantOf(s.step))
                           : forms.opaque(IntOp::Mul, width, {s.step, counter});
        FormId here = forms.add(start(k).id, moved);
        place = integer(wrap(here, width));
        break;
      }
      case Wrapping: {
        FormId counter = forms.ofAtom(program.loops[index].counter);
        int64_t from = forms.constantOf(start(k).id);
        if (!final) {
          place = integer(forms.ofAtom(s.atom));
        } else if (from >= 0) {
          place = integer(forms.modulo(forms.addConstant(counter, from), s.modulus));
        } else {
          place = integer(forms.ofAtom(s.atom));
          wrapsTo[s.atom] = {forms.modulo(forms.addConstant(counter, from + 1), s.modulus), counter,
                             s.modulus};
        }
        break;
      }
      case Later: {
        if (!final) {
          place = integer(forms.ofAtom(s.atom));
        } else if (program.loops[index].trips <= 2) {
          FormId counter = forms.ofAtom(program.loops[index].counter);
          int64_t first = forms.constantOf(start(k).id);
          place = integer(
              forms.addConstant(forms.scale(counter, forms.constantOf(s.step) - first), first));
        } else {
          place = data(terms.unknown("an integer that is another from the second turn on", at,
                                     bytesOf(written[k].cls())));
        }
        break;
      }
      case Carry: {
        Term phi;
        phi.kind = Term::Phi;
        phi.bytes = uint8_t(bytesOf(written[k].cls()));
        phi.data = uint64_t(index) << 32 | carried;
        phi.bits = (uint64_t(1) << NumThreadBits) - 1;
        phi.loops = uint64_t(1) << index;
        s.number = carried++;
        place = data(terms.intern(std::move(phi)));
        break;
      }
      case CarryCondition: {
        if (final && program.loops[index].trips <= 2 && s.later) {
          PredId first = terms.zero(forms.ofAtom(program.loops[index].counter));
          place = truth(terms.either(terms.both(first, start(k).id),
                                     terms.both(terms.negate(first), *s.later)));
          break;
        }
        Pred phi;
        phi.kind = Pred::Phi;
        phi.a = index;
        phi.b = uint32_t(k);
        phi.bits = (uint64_t(1) << NumThreadBits) - 1;
        phi.loops = uint64_t(1) << index;
        place = truth(terms.intern(phi));
        break;
      }
      case Opaque:
        place = data(terms.unknown("a loop-carried integer that is no induction", at,
                                   bytesOf(written[k].cls())));
        break;
      }
    }
    program.loops[index].carried.assign(carried, {});
    regs = state;
  };
  // Walks the body once; the registers at its end, and the condition to go round again.
  auto walk = [&](bool final, PredId &again) -> std::shared_ptr<Registers> {
    program.events.resize(firstEvent);
    program.matrices.resize(firstMatrix);
    program.loops.resize(index + 1);
    enter(final);
    bool outerTrial = isTrial;
    isTrial |= !final;
    currentLoop = index;
    size_t outerStart = loopStart;
    loopStart = firstEvent;
    path = Terms::truePred;
    incoming[loop.header].clear();
    std::vector<bool> done;
    // The header first, by hand: it is where this very loop starts.
    auto body = regs;
    incoming[loop.header].push_back({~0u, Terms::truePred, body});
    runBlocks(loop.blocks, &loop);
    isTrial = outerTrial;
    currentLoop = outerLoop;
    loopStart = outerStart;
    if (program.failure)
      return nullptr;
    auto &back = incoming[loop.header];
    if (back.size() > 1) {
      fail("a loop with more than one way back");
      return nullptr;
    }
    if (back.empty()) {
      again = Terms::falsePred;
      return regs; // never goes round: its latch's registers
    }
    again = back[0].path;
    auto result = back[0].state;
    back.clear();
    return result;
  };

  PredId again = Terms::falsePred;
  std::shared_ptr<Registers> end;
  for (unsigned round = 0;; ++round) {
    if (round == 6)
      return fail("a loop whose inductions were not found");
    end = walk(false, again);
    if (program.failure)
      return;
    bool changed = false;
    for (size_t k = 0; k < written.size(); ++k) {
      State &s = states[k];
      Value value = end->values[size_t(written[k].cls())][written[k].number()];
      Class next = s.kind;
      if (s.kind == CarryCondition && value.kind == Value::Condition && value.id <= Terms::truePred)
        s.later = value.id;
      if (s.kind == Induction || s.kind == Wrapping || s.kind == Later) {
        if (value.kind == Value::Data) {
          next = Carry;
        } else if (value.kind == Value::Integer) {
          FormId step = forms.sub(value.id, forms.ofAtom(s.atom));
          bool free = true;
          for (const Part &part : forms.parts(step))
            free &= forms.atom(part.atom).kind != Atom::Phi && forms.atom(part.atom).isUniform();
          llvm::ArrayRef<Part> parts = forms.parts(value.id);
          bool wraps =
              parts.size() == 1 && parts[0].coef == 1 && forms.constantOf(value.id) == 0 &&
              forms.atom(parts[0].atom).kind == Atom::Opaque &&
              forms.atom(parts[0].atom).op == IntOp::Select &&
              forms.atom(parts[0].atom).args[0] == forms.addConstant(forms.ofAtom(s.atom), 1);
          if (free) {
            next = Induction;
            s.step = step;
          } else if (wraps && forms.isConstant(start(k).id) &&
                     forms.constantOf(start(k).id) >= -1) {
            next = Wrapping;
            s.modulus = forms.constantOf(forms.atom(parts[0].atom).args[1]);
            if (forms.constantOf(start(k).id) >= s.modulus)
              next = Opaque;
          } else if (forms.isConstant(value.id) && forms.isConstant(start(k).id)) {
            next = Later;
            s.step = value.id;
          } else {
            // Read before it is written again or not: either way its value is no induction. If it
            // does not depend on itself it may still be followed as data.
            next = Carry;
          }
        } else {
          next = Opaque;
        }
      } else if (s.kind == Carry && value.kind == Value::Condition) {
        next = Opaque;
      }
      if (next != s.kind) {
        s.kind = next;
        changed = true;
      }
    }
    if (!changed)
      break;
  }
  llvm::SmallVector<std::pair<AtomId, std::pair<FormId, FormId>>, 8> inductions;
  for (size_t k = 0; k < written.size(); ++k)
    if (states[k].kind == Induction)
      inductions.push_back({states[k].atom, {start(k).id, states[k].step}});
  std::optional<int64_t> trips = tripCount(again, inductions);
  if (const Pred pred = terms.pred(again); pred.kind == Pred::Phi && pred.a == index) {
    // Goes round again as a carried condition says.
    const State &s = states[pred.b];
    if (start(pred.b).id == Terms::falsePred)
      trips = 1;
    else if (start(pred.b).id == Terms::truePred && s.later && *s.later == Terms::falsePred)
      trips = 2;
  }
  at = graph.blocks()[loop.latch].last - 1;
  if (!trips)
    return fail("a trip count that is not known from the launch");
  program.loops[index].trips = *trips;
  program.loops[index].counter = forms.counter(index, *trips);
  end = walk(true, again);
  if (program.failure)
    return;
  // The walk with the counter must say what was assumed: the inductions, and the trip count.
  FormId counter = forms.ofAtom(program.loops[index].counter);
  for (size_t k = 0; k < written.size(); ++k) {
    const State &s = states[k];
    Value value = end->values[size_t(written[k].cls())][written[k].number()];
    at = graph.blocks()[loop.latch].last - 1;
    if (s.kind == Induction) {
      FormId moved =
          forms.isConstant(s.step)
              ? forms.scale(counter, forms.constantOf(s.step))
              : forms.opaque(IntOp::Mul, 8 * bytesOf(written[k].cls()), {s.step, counter});
      FormId expected = forms.add(forms.add(start(k).id, moved), s.step);
      if (value.kind != Value::Integer || value.id != expected)
        return fail("an induction that may leave its register's width");
    } else if (s.kind == Wrapping) {
      FormId expected =
          forms.modulo(forms.addConstant(counter, forms.constantOf(start(k).id) + 1), s.modulus);
      if (value.kind != Value::Integer || value.id != expected)
        return fail("a counter that starts again in a way the checker does not follow");
    }
  }
  wrapsTo.clear();
  if (*trips > 1) {
    const Pred pred = terms.pred(again);
    const Pred inner = pred.kind == Pred::Not ? terms.pred(pred.a) : pred;
    FormId test = forms.atBlock(inner.form);
    int64_t a = forms.constantOf(test);
    int64_t b = forms.coefficient(test, program.loops[index].counter);
    bool linear = forms.parts(test).size() == 1 && b != 0;
    // Another block goes round as often if it decides the last turns alike.
    for (int64_t turn : {*trips - 2, *trips - 1})
      terms.decideAtBlock(
          forms.replace(inner.form, program.loops[index].counter, forms.constant(turn)),
          inner.kind == Pred::Zero);
    int64_t before = a + b * (*trips - 2), lastValue = a + b * (*trips - 1);
    bool good = linear && (pred.kind == Pred::Less   ? b > 0 && before < 0 && lastValue >= 0
                           : pred.kind == Pred::Zero ? *trips == 2 && before == 0 && lastValue != 0
                           : pred.kind == Pred::Not && inner.kind == Pred::Zero
                               ? lastValue == 0 && before != 0
                               : false);
    if (!good)
      return fail("a trip count that could not be confirmed");
  } else if (again != Terms::falsePred) {
    return fail("a trip count that could not be confirmed");
  }
  program.loops[index].firstEvent = uint32_t(firstEvent);
  program.loops[index].lastEvent = uint32_t(program.events.size());
  for (size_t k = 0; k < written.size(); ++k) {
    const State &s = states[k];
    Value value = end->values[size_t(written[k].cls())][written[k].number()];
    if (s.kind != Carry)
      continue;
    unsigned bytes = bytesOf(written[k].cls());
    program.loops[index].carried[s.number] = {term(start(k), bytes), term(value, bytes)};
  }
  // After the loop, every register is what the last iteration left.
  auto after = std::make_shared<Registers>(*end);
  for (RegisterId id : written) {
    Value &place = after->values[size_t(id.cls())][id.number()];
    place = atLast(place, index);
  }
  regs = after;
  path = Terms::truePred;
}
