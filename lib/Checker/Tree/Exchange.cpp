//===- Exchange.cpp - Which store a load of shared memory sees ------------===//
//
// The stores before a load are asked, the latest first, whether they wrote the address. What cannot
// be shown to miss or to hit is no answer, and a hit counts only with a barrier between.
//
//===----------------------------------------------------------------------===//

#include "Mettle/Checker/Tree/Evaluate.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Twine.h"

using namespace mettle::checker;

TermId Evaluator::partOf(TermId id, FormId offset, unsigned bytes) {
  const Term term = terms[id];
  if (forms.isConstant(offset))
    return terms.extract(id, unsigned(forms.constantOf(offset)), bytes);
  switch (term.kind) {
  case Term::Load: {
    Term part = term;
    part.form = forms.add(term.form, offset);
    part.bytes = uint8_t(bytes);
    return terms.intern(std::move(part));
  }
  case Term::Const:
    if (term.data == 0)
      return terms.constant(0, bytes);
    return ~0u;
  case Term::Select: {
    TermId a = partOf(term.args[0], offset, bytes), b = partOf(term.args[1], offset, bytes);
    return a == ~0u || b == ~0u ? ~0u : terms.select(term.pred, a, b);
  }
  default:
    return ~0u;
  }
}

Evaluator::Answer Evaluator::fromStore(const Event &store, EnvId writer, FormId offset,
                                       unsigned bytes, uint64_t anyWriter, InstructionId at) {
  // The offset is in the asker's bits, the value in the writer's: a load takes it as a distance.
  TermId value = store.value;
  FormId distance = 0;
  if (!forms.isConstant(offset)) {
    uint64_t mask = forms.bitsOf(offset);
    const Term &term = terms[value];
    bool whole = term.kind == Term::Load ||
                 (term.kind == Term::Select && partOf(value, offset, bytes) != ~0u);
    if (!whole)
      return Answer::split(unsigned(__builtin_ctzll(mask)));
    distance = offset;
    value = partOf(value, 0, bytes);
  } else {
    value = partOf(value, offset, bytes);
  }
  uint64_t freeBits = anyWriter & terms[value].bits & ((uint64_t(1) << NumThreadBits) - 1);
  if (anyWriter >> 32 & terms[value].bits)
    return fail("shared memory written by several threads in a way the checker does not follow",
                at);
  Answer answer = evaluate(value, writer);
  if (answer.kind == Answer::Failed)
    return answer;
  if (answer.kind == Answer::Split)
    return answer;
  // Several threads wrote here: they must have written one value.
  if (freeBits) {
    for (uint64_t rest = freeBits; rest; rest &= rest - 1) {
      Env other = forms.env(writer);
      other.flip ^= uint16_t(rest & -rest);
      Answer again = evaluate(value, forms.intern(other));
      if (again.kind != Answer::Known || !(again.tree == answer.tree))
        return fail("shared memory written by several threads", at);
    }
    if (freeBits & (freeBits - 1)) {
      // All together as bound bits: nothing may depend on them.
      Env all = forms.env(writer);
      unsigned bound = freshBit(writer);
      for (uint64_t rest = freeBits; rest; rest &= rest - 1) {
        if (bound >= FirstWriterBit)
          return fail("shared memory written by too many threads", at);
        all.mask[__builtin_ctzll(rest)] = uint64_t(1) << bound++;
      }
      Answer general = evaluate(value, forms.intern(all));
      if (general.kind != Answer::Known || !(general.tree == answer.tree))
        return fail("shared memory written by several threads", at);
    }
  }
  if (distance) {
    // Every leaf of the value moves along.
    Tree tree = answer.tree;
    const Template &node = trees[tree.tree];
    if (node.kind == Template::Leaf) {
      tree.shift[0] = forms.add(tree.shift[0], distance);
      return Answer::known(tree);
    }
    if (node.kind == Template::Const && node.data == 0)
      return Answer::known(tree);
    if (node.kind == Template::Select) {
      Tree a = trees.child(tree, 1), b = trees.child(tree, 2), condition = trees.child(tree, 0);
      for (Tree *part : {&a, &b}) {
        if (trees[part->tree].kind == Template::Leaf)
          part->shift[0] = forms.add(part->shift[0], distance);
        else if (trees[part->tree].kind != Template::Const || trees[part->tree].data)
          return fail("a part of a masked value that the checker does not follow", at);
      }
      Template select;
      select.kind = Template::Select;
      select.bytes = node.bytes;
      return Answer::known(trees.make(select, {condition, a, b}));
    }
    return fail("a part of a value that the checker does not follow", at);
  }
  return answer;
}

bool Evaluator::isOrdered(uint32_t store, uint32_t load, uint32_t loop, int64_t distance,
                          EnvId writer, EnvId reader) {
  // Events from the store to the load: on to the end of the loop, whole turns, up to the load.
  const Event &from = program.events[store];
  if (from.over == Event::Phase)
    return isAwaited(store, load, distance, reader);
  bool closed = false, waited = !from.isAsync(), sameThread = true, sameWarp = true;
  const Env &w = forms.env(writer), &r = forms.env(reader);
  for (unsigned i = 0; i < NumThreadBits; ++i)
    if ((program.threadBits >> i & 1) && (w.mask[i] != r.mask[i] || ((w.flip ^ r.flip) >> i & 1))) {
      sameThread = false;
      if (i >= 5)
        sameWarp = false;
    }
  uint32_t later = 0;
  bool barrier = false, warp = false;
  auto pass = [&](uint32_t first, uint32_t last) {
    for (uint32_t i = first; i < last; ++i) {
      const Event &event = program.events[i];
      if (event.kind == Event::CopyCommit) {
        later += closed;
        closed = true;
      } else if (event.kind == Event::CopyWait) {
        waited |= closed && later >= event.count;
      } else if (event.kind == Event::Barrier) {
        barrier |= waited;
      } else if (event.kind == Event::WarpBarrier) {
        warp |= waited;
      }
    }
  };
  // Down to the load, through the turns that loops around it have surely made before.
  auto descend = [&](uint32_t from) {
    llvm::SmallVector<uint32_t, 4> around;
    for (uint32_t inner = program.events[load].loop; inner != ~0u && inner != loop;
         inner = program.loops[inner].parent)
      if (program.loops[inner].firstEvent >= from)
        around.push_back(inner);
    for (uint32_t inner : llvm::reverse(around)) {
      const Loop &l = program.loops[inner];
      pass(from, l.firstEvent);
      int64_t turns = std::min<int64_t>(forms.lo(iteration(reader, inner)), 16);
      for (int64_t turn = 0; turn < turns; ++turn)
        pass(l.firstEvent, l.lastEvent);
      from = l.firstEvent;
    }
    pass(from, load);
  };
  if (loop == ~0u) {
    descend(store + 1);
  } else {
    const Loop &l = program.loops[loop];
    pass(store + 1, l.lastEvent);
    for (int64_t turn = 1; turn < std::min<int64_t>(distance, 16); ++turn)
      pass(l.firstEvent, l.lastEvent);
    descend(load >= l.lastEvent ? l.lastEvent : l.firstEvent);
  }
  if (program.events[load].isAsync())
    return barrier; // it is not this thread that reads
  return barrier || (sameThread && waited) || (sameWarp && warp);
}

Evaluator::Answer Evaluator::computeShared(TermId id, EnvId env) {
  const Term term = terms[id];
  FormId address = forms.substitute(term.form, env);
  const SharedPlace &asked = placeOf(address);
  auto load = uint32_t(term.data);
  uint32_t home = program.events[load].loop;
  // A load of more than was stored at once is put together from its halves.
  auto halves = [&]() -> Answer {
    llvm::SmallVector<Tree, 2> parts;
    for (unsigned k = 0; k < 2; ++k) {
      Answer part = evaluate(terms.extract(id, k * term.bytes / 2, term.bytes / 2), env);
      if (part.kind != Answer::Known)
        return part;
      parts.push_back(part.tree);
    }
    return Answer::known(concat(parts, term.bytes));
  };
  auto splitOn = [&](unsigned bit) -> Answer {
    // A bit of the question itself is for whoever asks.
    return withBit(env, bit, false) == env ? Answer::split(bit) : decide(id, env, bit);
  };
  enum Outcome { Found, Nothing };
  Answer result;
  // Stores of a loop that miss the address in every turn.
  llvm::SmallDenseSet<uint32_t, 8> missing;
  auto findMissing = [&](const Loop &l, uint32_t loop, EnvId outer) {
    EnvId writing = asWriter(with(outer, loop, forms.ofAtom(forms.anyTurn(loop, l.trips))));
    for (const WrittenPlace &store : storesIn(l.firstEvent, l.lastEvent, writing)) {
      const Event &event = program.events[store.event];
      unsigned granule = std::min<unsigned>(event.bytes, term.bytes);
      bool misses = true;
      for (unsigned part = 0;
           misses && !surelyMisses(asked, term.bytes, store) && part < term.bytes;
           part += granule) {
        std::vector<BitEquation> equations;
        FormId offset = 0;
        misses = meet(forms.addConstant(address, part), granule, event, writing, equations,
                      offset) == Hit::Miss;
      }
      if (misses)
        missing.insert(store.event);
    }
  };
  // Asks the stores in [first, last), the latest first.
  auto scan = [&](uint32_t first, uint32_t last, EnvId iteration, uint32_t loop,
                  int64_t distance) -> Outcome {
    for (const WrittenPlace &store : llvm::reverse(storesIn(first, last, asWriter(iteration)))) {
      uint32_t i = store.event;
      const Event &event = program.events[i];
      if (missing.contains(i))
        continue;
      if (event.loop != loop && loop != ~0u) {
        result = fail("an exchange across nested loops", event.instruction);
        return Found;
      }
      if (surelyMisses(asked, term.bytes, store))
        continue;
      EnvId writer = 0;
      FormId offset = 0;
      uint64_t anyWriter = 0;
      unsigned split = 0;
      Hit hit;
      if (event.bytes < term.bytes) {
        // Does it touch the range at all?
        hit = Hit::Miss;
        for (unsigned part = 0; part < term.bytes && hit == Hit::Miss; part += event.bytes)
          hit = match(forms.addConstant(address, part), event.bytes, event, iteration, writer,
                      offset, anyWriter, split);
        if (hit == Hit::Miss)
          continue;
        result = halves();
        return Found;
      }
      hit = match(address, term.bytes, event, iteration, writer, offset, anyWriter, split);
      if (hit == Hit::Miss)
        continue;
      if (hit == Hit::Unclear) {
        result = fail("a store whose address the checker does not follow: " + forms.text(address) +
                          " against " + forms.text(event.address),
                      event.instruction);
        return Found;
      }
      if (hit == Hit::Partial) {
        result = splitOn(split);
        return Found;
      }
      if (!isOrdered(i, load, loop, distance, writer, env)) {
        result = fail("shared memory is read with no barrier after the store", term.instruction);
        return Found;
      }
      result = fromStore(event, writer, offset, term.bytes, anyWriter, term.instruction);
      if (result.kind == Answer::Split)
        result = splitOn(result.bit);
      return Found;
    }
    return Nothing;
  };
  // Asks a whole loop that is over, from its last turn back.
  auto scanLoop = [&](uint32_t loop, EnvId outer) -> Outcome {
    const Loop &l = program.loops[loop];
    findMissing(l, loop, outer);
    bool moves = false;
    for (uint32_t i = l.firstEvent; i < l.lastEvent; ++i)
      moves |=
          program.events[i].kind == Event::SharedStore && !missing.contains(i) &&
          (forms.loopsOf(program.events[i].address) || terms.pred(program.events[i].pred).loops);
    int64_t back = moves ? std::min<int64_t>(l.trips, 16) : 1;
    for (int64_t d = 0; d < back; ++d)
      if (scan(l.firstEvent, l.lastEvent, with(outer, loop, forms.constant(l.trips - 1 - d)), loop,
               d + 1) == Found)
        return Found;
    if (back < l.trips && moves) {
      result = fail("a store in a turn of a loop that is long past", term.instruction);
      return Found;
    }
    return Nothing;
  };
  // Asks everything before `last` at one level of loops.
  auto scanBefore = [&](uint32_t first, uint32_t last, uint32_t level, EnvId here) -> Outcome {
    uint32_t i = last;
    while (i > first) {
      uint32_t inner = program.events[i - 1].loop;
      if (inner == level) {
        uint32_t start = i - 1;
        while (start > first && program.events[start - 1].loop == level)
          --start;
        if (scan(start, i, here, ~0u, 0) == Found)
          return Found;
        i = start;
        continue;
      }
      // The outermost loop that holds it, below this level.
      while (inner != ~0u && program.loops[inner].parent != level)
        inner = program.loops[inner].parent;
      if (inner == ~0u) {
        result = fail("an exchange across nested loops", term.instruction);
        return Found;
      }
      if (scanLoop(inner, here) == Found)
        return Found;
      i = program.loops[inner].firstEvent;
    }
    return Nothing;
  };
  uint32_t level = home, last = load;
  EnvId here = env;
  for (;;) {
    uint32_t first = level == ~0u ? 0 : program.loops[level].firstEvent;
    if (scanBefore(first, last, level, here) == Found)
      return result;
    if (level == ~0u)
      break;
    // Earlier turns of this loop.
    const Loop &l = program.loops[level];
    FormId now = iteration(here, level);
    findMissing(l, level, here);
    bool moves = false, stores = false;
    for (uint32_t i = l.firstEvent; i < l.lastEvent; ++i)
      if (program.events[i].kind == Event::SharedStore && !missing.contains(i)) {
        stores = true;
        moves |=
            forms.loopsOf(program.events[i].address) || terms.pred(program.events[i].pred).loops;
      }
    int64_t most = stores ? std::min<int64_t>(forms.hi(now), moves ? 16 : 1) : 0;
    for (int64_t d = 1; d <= most; ++d) {
      EnvId turn = with(here, level, forms.addConstant(now, -d));
      if (scan(l.firstEvent, l.lastEvent, turn, level, d) == Nothing)
        continue;
      if (result.kind != Answer::Known || forms.lo(now) >= d)
        return result;
      // The first turns see what was stored before the loop: it must go on in the same way.
      if (forms.parts(now).size() != 1 || now != forms.ofAtom(forms.parts(now)[0].atom))
        return fail("an exchange between turns that the checker does not follow", term.instruction);
      Answer general = result;
      for (int64_t turnNumber = 0; turnNumber < d; ++turnNumber) {
        Answer early = evaluate(id, with(here, level, forms.constant(turnNumber)));
        if (early.kind != Answer::Known)
          return early;
        Tree expected = general.tree;
        for (FormId &f : expected.shift)
          f = forms.replace(f, forms.parts(now)[0].atom, forms.constant(turnNumber));
        if (!(early.tree == expected) || (trees[general.tree.tree].loops >> level & 1))
          return fail("the turns of a loop do not go on from what was stored before it",
                      term.instruction);
      }
      return general;
    }
    if (stores && most < forms.hi(now) && moves)
      return fail("a store in a turn of a loop that is long past", term.instruction);
    last = l.firstEvent;
    here = without(here, level);
    level = l.parent;
  }
  return fail("shared memory that nothing has written", term.instruction);
}
