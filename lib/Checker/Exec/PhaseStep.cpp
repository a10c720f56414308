//===- PhaseStep.cpp - Elected lanes and mbarriers of the symbolic thread -===//
//
// What one thread does for its warp or block: which threads do it is found by asking every thread
// of the block, and the condition that is left must be one for all of them. What the phases of an
// mbarrier order is for Tree/Phases.cpp.
//
//===----------------------------------------------------------------------===//

#include "Machine.h"

using namespace mettle::checker;
using namespace mettle::assembly::ptx;

static void conjuncts(const Terms &terms, PredId id, llvm::SmallVectorImpl<PredId> &list) {
  const Pred pred = terms.pred(id);
  if (pred.kind == Pred::And) {
    conjuncts(terms, pred.a, list);
    conjuncts(terms, pred.b, list);
  } else {
    list.push_back(id);
  }
}

/// What a condition on nothing but %tid.x says of a thread; nothing where it is on more.
static std::optional<bool> holdsFor(const Terms &terms, PredId id, uint32_t thread) {
  const Pred &pred = terms.pred(id);
  switch (pred.kind) {
  case Pred::False:
  case Pred::True:
    return pred.kind == Pred::True;
  case Pred::Not: {
    std::optional<bool> inner = holdsFor(terms, pred.a, thread);
    return inner ? std::optional(!*inner) : std::nullopt;
  }
  case Pred::And: {
    std::optional<bool> a = holdsFor(terms, pred.a, thread), b = holdsFor(terms, pred.b, thread);
    return a && b ? std::optional(*a && *b) : std::nullopt;
  }
  case Pred::Less:
  case Pred::Zero: {
    const Forms &forms = terms.forms;
    int64_t value = forms.constantOf(pred.form);
    for (const Part &part : forms.parts(pred.form)) {
      const Atom &atom = forms.atom(part.atom);
      if (atom.kind != Atom::Parity)
        return std::nullopt;
      value += part.coef * __builtin_parityll(atom.data & thread);
    }
    return pred.kind == Pred::Less ? value < 0 : value == 0;
  }
  default:
    return std::nullopt;
  }
}

/// By warps: whole ones execute it, each of which counts once.
std::optional<Machine::Issuers> Machine::issuers(bool byWarps) {
  constexpr uint32_t WarpSize = 32, MostIssuers = 16;
  Issuers result;
  llvm::SmallVector<PredId, 4> all, onThreads;
  conjuncts(terms, terms.both(path, guard), all);
  for (PredId id : all) {
    if (terms.pred(id).kind == Pred::Elected)
      result.isElected = true;
    else if (terms.pred(id).bits)
      onThreads.push_back(id);
    else
      result.when = terms.both(result.when, id);
  }
  uint32_t threads = facts.block[0];
  if (threads == 0 || threads % WarpSize || (threads & (threads - 1)))
    return std::nullopt;
  for (uint32_t first = 0; first < threads; first += WarpSize) {
    uint32_t count = 0;
    for (uint32_t thread = first; thread < first + WarpSize; ++thread) {
      bool holds = true;
      for (PredId id : onThreads) {
        std::optional<bool> here = holdsFor(terms, id, thread);
        if (!here)
          return std::nullopt;
        holds &= *here;
      }
      if (!holds)
        continue;
      if (++count == 1 || !(byWarps || result.isElected))
        result.threads.push_back(thread);
    }
    // Which lane is elected is the hardware's choice: it must be let through, whichever it is.
    if ((byWarps || result.isElected) && count != 0 && count != WarpSize)
      return std::nullopt;
    if (result.threads.size() > MostIssuers)
      return std::nullopt;
  }
  return result;
}

std::optional<FormId> Machine::asThread(FormId form, const Issuers &issuers, uint32_t thread) {
  constexpr uint64_t LaneBits = 31;
  if (issuers.isElected && (forms.bitsOf(form) & LaneBits))
    return std::nullopt;
  Env env = forms.env(forms.identity());
  env.mask.fill(0);
  env.flip = uint16_t(thread);
  return forms.substitute(form, forms.intern(env));
}

void Machine::elect() {
  if (!op(0).is(OperandKind::Pair) || path != Terms::truePred || guard != Terms::truePred ||
      facts.block[0] < 32 || !bothIntegers(1, 2) || !forms.isConstant(formOf(op(1), 32)) ||
      uint32_t(forms.constantOf(formOf(op(1), 32))) != ~0u)
    return unsupported("an election that is not one of the whole warp");
  llvm::ArrayRef<Operand> results = module.elements(op(0));
  write(results[0], data(terms.unknown("the number of an elected lane", at, 4)));
  Pred elected;
  elected.kind = Pred::Elected;
  elected.bits = 31;
  write(results[1], truth(terms.intern(elected)));
}

/// An event of an mbarrier that some threads cause.
Event *Machine::phaseEvent(Event::Kind kind, const Operand &address) {
  std::optional<Issuers> who = issuers();
  FormId place = addressOf(address);
  if (!who || who->threads.empty() || forms.bitsOf(place) || forms.blocksOf(place)) {
    fail("an mbarrier that is used in a way the checker does not follow");
    return nullptr;
  }
  Event &e = event(kind);
  e.phase = place;
  e.pred = who->when;
  e.count = uint32_t(who->threads.size());
  return &e;
}

void Machine::arrive() {
  bool expects = mnemonic->has(Modifier::ExpectTx);
  // What it returns is a state that only the plain waits take, which are not followed.
  if (!op(0).is(OperandKind::Sink) || instruction->operandCount != (expects ? 3u : 2u) ||
      mnemonic->has(Modifier::NoComplete) || mnemonic->space == StateSpace::SharedCluster)
    return fail("a form of " + text(*mnemonic) + " that the checker does not model");
  uint32_t amount = 0;
  if (expects) {
    if (!bothIntegers(2, 3) || !forms.isConstant(formOf(op(2), 32)))
      return fail("an mbarrier that expects a number of bytes that is not known");
    amount = uint32_t(forms.constantOf(formOf(op(2), 32)));
  }
  if (Event *e = phaseEvent(Event::PhaseArrive, op(1)))
    e->amount = amount * e->count;
}

/// A loop that does nothing but ask whether a phase is over is a wait for it, by all threads.
void Machine::waitForPhase() {
  if (path != Terms::truePred || guard != Terms::truePred)
    return fail("a wait for an mbarrier under a condition");
  if (!mnemonic->has(Modifier::Parity) || instruction->operandCount < 3)
    return fail("a form of " + text(*mnemonic) + " that the checker does not model");
  FormId place = addressOf(op(1));
  if (forms.bitsOf(place) || forms.blocksOf(place))
    return fail("an mbarrier that is used in a way the checker does not follow");
  TermId parity = termOf(op(2), 4);
  Event &e = event(Event::PhaseWait);
  e.phase = place;
  e.value = parity;
}

bool Machine::stepPhase() {
  switch (instruction->opcode) {
  case Opcode::ElectSync:
    elect();
    return true;
  case Opcode::MBarrierInit: {
    FormId count = formOf(op(1), 32);
    if (!bothIntegers(1, 2) || !forms.isConstant(count)) {
      fail("an mbarrier whose count is not known");
      return true;
    }
    if (Event *e = phaseEvent(Event::PhaseInit, op(0))) {
      if (e->count != 1)
        fail("an mbarrier that several threads set up");
      e->count = uint32_t(forms.constantOf(count));
    }
    return true;
  }
  case Opcode::MBarrierInval:
    phaseEvent(Event::PhaseInval, op(0));
    return true;
  case Opcode::MBarrierArrive:
    arrive();
    return true;
  default:
    return false;
  }
}
