//===- Exchange.cpp - Which store a load of shared memory sees ------------===//
//
// The stores before a load are asked, the latest first, whether they wrote the address: a system of
// equations over GF(2) in the bits of the writer. What cannot be shown to miss or to hit is no
// answer, and a hit counts only with a barrier between.
//
//===----------------------------------------------------------------------===//

#include "Mettle/Checker/Tree/Evaluate.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Twine.h"

using namespace mettle::checker;

/// The writer's thread bits, as variables of their own.
static constexpr unsigned FirstWriterBit = 48;
static constexpr uint64_t WriterBits = ((uint64_t(1) << NumThreadBits) - 1) << FirstWriterBit;

bool Evaluator::constrain(PredId id, bool holds, EnvId env, std::vector<BitEquation> &equations) {
  if (id <= Terms::truePred) {
    if ((id == Terms::truePred) == holds)
      return true;
    equations.push_back({0, 0, true}); // never
    return true;
  }
  const Pred pred = terms.pred(id);
  switch (pred.kind) {
  case Pred::Not:
    return constrain(pred.a, !holds, env, equations);
  case Pred::And:
    return holds && constrain(pred.a, true, env, equations) &&
           constrain(pred.b, true, env, equations);
  case Pred::Zero:
  case Pred::Less: {
    FormId form = forms.substitute(pred.form, env);
    if (pred.kind == Pred::Less && !holds)
      form = forms.addConstant(forms.scale(form, -1), -1);
    // Bits that would make the condition fail for whatever else holds.
    bool isZero = pred.kind == Pred::Zero;
    if (isZero && !holds) {
      llvm::ArrayRef<Part> parts = forms.parts(form);
      if (parts.size() != 1 || forms.atom(parts[0].atom).kind != Atom::Parity)
        return forms.lo(form) > 0 || forms.hi(form) < 0;
      int64_t c = forms.constantOf(form);
      if (c != 0 && c != -parts[0].coef)
        return true;
      uint64_t mask = forms.atom(parts[0].atom).data;
      equations.push_back({mask & WriterBits, mask & ~WriterBits, c == 0});
      return true;
    }
    for (bool again = true; again;) {
      again = false;
      if (isZero ? forms.isConstant(form) && forms.constantOf(form) == 0 : forms.hi(form) < 0)
        return true;
      if (forms.lo(form) >= (isZero ? 1 : 0) || (isZero && forms.hi(form) < 0)) {
        equations.push_back({0, 0, true});
        return true;
      }
      for (const Part &part : llvm::SmallVector<Part, 8>(forms.parts(form))) {
        const Atom &atom = forms.atom(part.atom);
        if (atom.kind != Atom::Parity)
          continue;
        FormId rest = forms.without(form, part.atom);
        auto possible = [&](int64_t value) {
          int64_t lo = forms.lo(rest) + value, hi = forms.hi(rest) + value;
          return isZero ? lo <= 0 && hi >= 0 : lo < 0;
        };
        bool zero = possible(0), one = possible(part.coef);
        if (zero && one)
          continue;
        if (!zero && !one) {
          equations.push_back({0, 0, true});
          return true;
        }
        equations.push_back({atom.data & WriterBits, atom.data & ~WriterBits, one});
        form = forms.addConstant(rest, one ? part.coef : 0);
        again = true;
        break;
      }
    }
    // What is left must follow from what is known anyway.
    return !isZero && assumed(form) == true;
  }
  default:
    return false;
  }
}

namespace {
struct Solution {
  enum Kind { None, Unique, Depends } kind = None;
  std::array<BitEquation, NumThreadBits> bits; ///< right side and constant of each writer bit
  uint64_t free = 0;                           ///< writer bits that nothing decides
  unsigned split = 0;
};
} // namespace

int mettle::checker::solveFor(uint64_t mask, llvm::MutableArrayRef<BitEquation> equations,
                              std::vector<bool> &used) {
  int pivot = -1;
  for (size_t i = 0; i < equations.size() && pivot < 0; ++i)
    if (!used[i] && (equations[i].left & mask))
      pivot = int(i);
  if (pivot < 0)
    return pivot;
  used[size_t(pivot)] = true;
  const BitEquation taken = equations[size_t(pivot)];
  for (size_t i = 0; i < equations.size(); ++i)
    if (int(i) != pivot && (equations[i].left & mask)) {
      equations[i].left ^= taken.left;
      equations[i].right ^= taken.right;
      equations[i].constant ^= taken.constant;
    }
  return pivot;
}

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
  Env env = forms.env(iteration);
  for (unsigned i = 0; i < NumThreadBits; ++i)
    env.mask[i] = uint64_t(1) << (FirstWriterBit + i);
  env.flip = 0;
  return forms.intern(env);
}

const std::optional<BitView> &Evaluator::bitViewOf(FormId form) {
  auto &place = bitViews[form];
  if (!place)
    place = std::make_unique<std::optional<BitView>>(forms.bitsOf(form, 64));
  return *place;
}

Evaluator::Hit Evaluator::meet(FormId address, unsigned bytes, const Event &store, EnvId writing,
                               std::vector<BitEquation> &equations, FormId &offset) {
  FormId written = forms.substitute(store.address, writing);
  // Intervals first: the common base drops out of the difference.
  FormId base = 0;
  for (const Part &part : forms.parts(address))
    if (forms.atom(part.atom).kind == Atom::Shared)
      base = forms.add(base, forms.ofAtom(part.atom, part.coef));
  FormId writtenBase = 0;
  for (const Part &part : forms.parts(written))
    if (forms.atom(part.atom).kind == Atom::Shared)
      writtenBase = forms.add(writtenBase, forms.ofAtom(part.atom, part.coef));
  if (base != writtenBase || base == 0)
    return Hit::Unclear;
  FormId f = forms.sub(address, base), g = forms.sub(written, base);
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
        if (bound >= 48)
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
    for (uint32_t i = l.firstEvent; i < l.lastEvent; ++i) {
      const Event &event = program.events[i];
      if (event.kind != Event::SharedStore)
        continue;
      unsigned granule = std::min<unsigned>(event.bytes, term.bytes);
      bool misses = true;
      for (unsigned part = 0; misses && part < term.bytes; part += granule) {
        std::vector<BitEquation> equations;
        FormId offset = 0;
        misses = meet(forms.addConstant(address, part), granule, event, writing, equations,
                      offset) == Hit::Miss;
      }
      if (misses)
        missing.insert(i);
    }
  };
  // Asks the stores in [first, last), the latest first.
  auto scan = [&](uint32_t first, uint32_t last, EnvId iteration, uint32_t loop,
                  int64_t distance) -> Outcome {
    for (uint32_t i = last; i-- > first;) {
      const Event &event = program.events[i];
      if (event.kind != Event::SharedStore || missing.contains(i))
        continue;
      if (event.loop != loop && loop != ~0u) {
        result = fail("an exchange across nested loops", event.instruction);
        return Found;
      }
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
