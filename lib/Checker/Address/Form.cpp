//===- Form.cpp - Integers as affine forms over bits and symbols ----------===//
//
// Interning, linear arithmetic, intervals and substitution. Bit-level operations are in
// BitView.cpp.
//
//===----------------------------------------------------------------------===//

#include "Mettle/Checker/Address/Form.h"
#include "llvm/ADT/STLExtras.h"

using namespace mettle::checker;

static int64_t saturate(int64_t value) {
  return value > Unbounded ? Unbounded : value < -Unbounded ? -Unbounded : value;
}
static int64_t mulBound(int64_t a, int64_t b) {
  int64_t result;
  if (a == 0 || b == 0)
    return 0;
  if (__builtin_mul_overflow(a, b, &result))
    return (a < 0) == (b < 0) ? Unbounded : -Unbounded;
  return saturate(result);
}
static int64_t addBound(int64_t a, int64_t b) {
  if (a <= -Unbounded || b <= -Unbounded)
    return -Unbounded;
  if (a >= Unbounded || b >= Unbounded)
    return Unbounded;
  return saturate(a + b);
}
static int64_t wrapMul(int64_t a, int64_t b) { return int64_t(uint64_t(a) * uint64_t(b)); }
static int64_t wrapAdd(int64_t a, int64_t b) { return int64_t(uint64_t(a) + uint64_t(b)); }

Forms::Forms() {
  intern(0, {});
  Env env;
  for (unsigned i = 0; i < NumThreadBits; ++i)
    env.mask[i] = uint64_t(1) << i;
  intern(env);
}

FormId Forms::intern(int64_t constant, llvm::ArrayRef<Part> parts) {
  uint64_t hash = InternTable::mix(parts.size(), uint64_t(constant));
  for (const Part &part : parts)
    hash = InternTable::mix(InternTable::mix(hash, part.atom), uint64_t(part.coef));
  return formTable.find(
      InternTable::finish(hash),
      [&](FormId id) { return records[id].constant == constant && this->parts(id) == parts; },
      [&] { return make(constant, parts); });
}

FormId Forms::make(int64_t constant, llvm::ArrayRef<Part> parts) {
  Record record;
  record.first = uint32_t(pool.size());
  record.count = uint32_t(parts.size());
  record.constant = constant;
  record.lo = record.hi = saturate(constant);
  for (const Part &part : parts) {
    const Atom &atom = atoms[part.atom];
    int64_t x = mulBound(part.coef, atom.lo), y = mulBound(part.coef, atom.hi);
    record.lo = addBound(record.lo, std::min(x, y));
    record.hi = addBound(record.hi, std::max(x, y));
    record.bits |= atom.bits;
    record.loops |= atom.loops;
    record.blocks |= atom.blocks;
  }
  pool.insert(pool.end(), parts.begin(), parts.end());
  records.push_back(record);
  return uint32_t(records.size() - 1);
}

AtomId Forms::internAtom(Atom atom) {
  uint64_t hash = uint64_t(atom.kind) << 16 | uint64_t(atom.op) << 8 | atom.width;
  hash = InternTable::mix(hash * 0x9e3779b97f4a7c15, atom.data);
  for (FormId arg : atom.args)
    hash = InternTable::mix(hash, arg);
  return atomTable.find(
      InternTable::finish(hash),
      [&](AtomId id) {
        const Atom &other = atoms[id];
        return other.kind == atom.kind && other.op == atom.op && other.width == atom.width &&
               other.data == atom.data && other.args == atom.args && other.lo == atom.lo &&
               other.hi == atom.hi;
      },
      [&] {
        atoms.push_back(std::move(atom));
        return uint32_t(atoms.size() - 1);
      });
}

FormId Forms::constant(int64_t value) { return intern(value, {}); }

FormId Forms::ofAtom(AtomId atom, int64_t coef) {
  if (coef == 0)
    return 0;
  if (atoms[atom].lo == atoms[atom].hi && atoms[atom].lo > -Unbounded)
    return constant(wrapMul(atoms[atom].lo, coef));
  return intern(0, Part{atom, coef});
}

FormId Forms::parity(uint64_t mask, bool flip, int64_t coef) {
  if (mask == 0)
    return constant(flip ? coef : 0);
  Atom atom;
  atom.kind = Atom::Parity;
  atom.data = mask;
  atom.bits = mask;
  atom.lo = 0;
  atom.hi = 1;
  AtomId id = internAtom(atom);
  return flip ? intern(coef, Part{id, -coef}) : ofAtom(id, coef);
}

AtomId Forms::symbol(Atom::Kind kind, uint64_t data, int64_t lo, int64_t hi) {
  Atom atom;
  atom.kind = kind;
  atom.data = data;
  atom.lo = lo;
  atom.hi = hi;
  if (kind == Atom::BlockIndex)
    atom.blocks = 8;
  if (kind == Atom::Block)
    atom.blocks = uint8_t(1u << data);
  return internAtom(atom);
}

AtomId Forms::counter(uint32_t loop, int64_t trips) {
  Atom atom;
  atom.kind = Atom::Counter;
  atom.data = loop;
  atom.loops = uint64_t(1) << loop;
  atom.lo = 0;
  atom.hi = trips - 1;
  AtomId id = internAtom(atom);
  return id;
}

AtomId Forms::turn(uint32_t loop, int64_t turns) {
  Atom atom;
  atom.kind = Atom::Turn;
  atom.data = uint64_t(loop) << 32 | uint64_t(turns);
  atom.loops = uint64_t(1) << loop;
  atom.lo = 0;
  atom.hi = turns - 1;
  return internAtom(atom);
}

AtomId Forms::anyTurn(uint32_t loop, int64_t trips) {
  Atom atom;
  atom.kind = Atom::Turn;
  atom.data = uint64_t(loop) << 32 | uint64_t(1) << 31 | uint64_t(trips);
  atom.loops = uint64_t(1) << loop;
  atom.lo = 0;
  atom.hi = trips - 1;
  return internAtom(atom);
}

FormId Forms::modulo(FormId form, int64_t by) {
  if (isConstant(form)) {
    int64_t value = constantOf(form) % by;
    return constant(value < 0 ? value + by : value);
  }
  if (lo(form) >= 0 && hi(form) < by)
    return form;
  llvm::SmallVector<Part, 4> kept;
  for (Part part : parts(form)) {
    part.coef %= by;
    if (part.coef < 0)
      part.coef += by;
    if (part.coef)
      kept.push_back(part);
  }
  int64_t c = constantOf(form) % by;
  FormId reduced = intern(c < 0 ? c + by : c, kept);
  if (lo(reduced) >= 0 && hi(reduced) < by)
    return reduced;
  Atom atom;
  atom.kind = Atom::Modulo;
  atom.data = uint64_t(by);
  atom.args = {reduced};
  atom.lo = 0;
  atom.hi = by - 1;
  atom.bits = bitsOf(reduced);
  atom.loops = loopsOf(reduced);
  atom.blocks = blocksOf(reduced);
  return ofAtom(internAtom(atom));
}

FormId Forms::opaque(IntOp op, unsigned width, llvm::ArrayRef<FormId> args) {
  bool constants = llvm::all_of(args, [&](FormId f) { return isConstant(f); });
  if (constants) {
    llvm::SmallVector<int64_t, 3> values;
    for (FormId f : args)
      values.push_back(constantOf(f));
    if (std::optional<int64_t> value = applyIntOp(op, width, values, 0))
      return constant(*value);
  }
  Atom atom;
  atom.kind = Atom::Opaque;
  atom.op = op;
  atom.width = uint8_t(width);
  atom.args.assign(args.begin(), args.end());
  for (FormId f : args) {
    atom.bits |= bitsOf(f);
    atom.loops |= loopsOf(f);
    atom.blocks |= blocksOf(f);
  }
  // The number that applyIntOp gives.
  if (width < 64) {
    int64_t half = int64_t(1) << (width - 1);
    atom.lo = op == IntOp::Widen ? 0 : -half;
    atom.hi = op == IntOp::Widen ? 2 * half - 1 : half - 1;
  }
  uint64_t blocks = 1;
  for (unsigned d = 0; d < 3; ++d)
    if (atom.blocks >> d & 1)
      blocks *= grid[d];
  if (atom.isUniform() && atom.blocks && blocks && blocks <= 65536) {
    int64_t lo = INT64_MAX, hi = INT64_MIN;
    bool known = true;
    uint32_t block[3] = {0, 0, 0};
    auto extent = [&](unsigned d) { return atom.blocks >> d & 1 ? grid[d] : 1; };
    for (block[2] = 0; known && block[2] < extent(2); ++block[2])
      for (block[1] = 0; known && block[1] < extent(1); ++block[1])
        for (block[0] = 0; known && block[0] < extent(0); ++block[0]) {
          std::optional<int64_t> value = evaluateOpaque(atom, block);
          known = value.has_value();
          if (known) {
            lo = std::min(lo, *value);
            hi = std::max(hi, *value);
          }
        }
    if (known) {
      atom.lo = lo;
      atom.hi = hi;
    }
  }
  return ofAtom(internAtom(atom));
}

void Forms::fixBlock(const std::array<std::optional<uint32_t>, 3> &block) {
  fixed = block;
  fixedMask = 0;
  for (unsigned d = 0; d < 3; ++d)
    fixedMask |= uint8_t(block[d].has_value()) << d;
  atFixed.clear();
}

FormId Forms::atBlock(FormId form) {
  if (!(blocksOf(form) & fixedMask))
    return form;
  if (auto found = atFixed.find(form); found != atFixed.end())
    return found->second;
  FormId result = constant(constantOf(form));
  for (Part part : llvm::SmallVector<Part, 12>(parts(form))) {
    const Atom atom = atoms[part.atom];
    FormId value = ofAtom(part.atom);
    if (atom.blocks & fixedMask) {
      if (atom.kind == Atom::Block) {
        value = constant(*fixed[atom.data]);
      } else {
        llvm::SmallVector<FormId, 3> args;
        for (FormId arg : atom.args)
          args.push_back(atBlock(arg));
        value = atom.kind == Atom::Modulo ? modulo(args[0], int64_t(atom.data))
                                          : opaque(atom.op, atom.width, args);
      }
    }
    result = add(result, scale(value, part.coef));
  }
  atFixed[form] = result;
  return result;
}

FormId Forms::add(FormId a, FormId b) {
  if (b == 0)
    return a;
  if (a == 0)
    return b;
  llvm::SmallVector<Part, 12> sum;
  llvm::ArrayRef<Part> x = parts(a), y = parts(b);
  size_t i = 0, j = 0;
  while (i < x.size() || j < y.size()) {
    if (j == y.size() || (i < x.size() && x[i].atom < y[j].atom)) {
      sum.push_back(x[i++]);
    } else if (i == x.size() || y[j].atom < x[i].atom) {
      sum.push_back(y[j++]);
    } else {
      Part part = {x[i].atom, wrapAdd(x[i].coef, y[j].coef)};
      if (part.coef)
        sum.push_back(part);
      ++i, ++j;
    }
  }
  return intern(wrapAdd(constantOf(a), constantOf(b)), sum);
}

FormId Forms::scale(FormId a, int64_t by) {
  if (by == 1)
    return a;
  if (by == 0)
    return 0;
  llvm::SmallVector<Part, 12> scaled;
  for (Part part : parts(a)) {
    part.coef = wrapMul(part.coef, by);
    if (part.coef)
      scaled.push_back(part);
  }
  return intern(wrapMul(constantOf(a), by), scaled);
}

bool Forms::fits(FormId f, unsigned width) const {
  if (width >= 64)
    return true;
  int64_t half = int64_t(1) << (width - 1);
  return (lo(f) >= -half && hi(f) < half) || (lo(f) >= 0 && hi(f) < 2 * half);
}

EnvId Forms::intern(const Env &env) {
  uint64_t hash = InternTable::mix(env.flip, env.fixed);
  hash = InternTable::mix(hash, env.fixedValue);
  for (uint64_t mask : env.mask)
    hash = InternTable::mix(hash, mask);
  for (auto [loop, form] : env.counters)
    hash = InternTable::mix(hash, uint64_t(loop) << 32 | form);
  return envTable.find(
      InternTable::finish(hash), [&](EnvId id) { return envs[id] == env; },
      [&] {
        envs.push_back(env);
        return uint32_t(envs.size() - 1);
      });
}

uint64_t Forms::substituteMask(uint64_t mask, const Env &env, bool &flip) const {
  uint64_t result = mask & ~((uint64_t(1) << NumThreadBits) - 1);
  for (uint64_t rest = mask & ((uint64_t(1) << NumThreadBits) - 1); rest; rest &= rest - 1) {
    unsigned bit = unsigned(__builtin_ctzll(rest));
    result ^= env.mask[bit];
    flip ^= env.flip >> bit & 1;
  }
  flip ^= __builtin_parityll(result & env.fixed & env.fixedValue);
  return result & ~env.fixed;
}

FormId Forms::substitute(FormId f, EnvId id) {
  if (id == identity() || (!bitsOf(f) && !loopsOf(f)))
    return f;
  uint64_t key = uint64_t(id) << 32 | f;
  auto found = substituted.find(key);
  if (found != substituted.end())
    return found->second;
  FormId result = constant(constantOf(f));
  llvm::SmallVector<Part, 12> copy(parts(f));
  for (Part part : copy) {
    if (atoms[part.atom].isUniform()) {
      result = add(result, ofAtom(part.atom, part.coef));
      continue;
    }
    Atom atom = atoms[part.atom];
    FormId value = 0;
    switch (atom.kind) {
    case Atom::Parity: {
      bool flip = false;
      uint64_t mask = substituteMask(atom.data, envs[id], flip);
      value = parity(mask, flip, part.coef);
      result = add(result, value);
      continue;
    }
    case Atom::Counter: {
      value = ofAtom(part.atom);
      for (auto [loop, form] : envs[id].counters)
        if (loop == atom.data)
          value = form;
      break;
    }
    case Atom::Modulo:
      value = modulo(substitute(atom.args[0], id), int64_t(atom.data));
      break;
    case Atom::Opaque: {
      llvm::SmallVector<FormId, 3> args;
      for (FormId arg : atom.args)
        args.push_back(substitute(arg, id));
      value = apply(atom.op, atom.width, args);
      break;
    }
    default:
      value = ofAtom(part.atom);
    }
    result = add(result, scale(value, part.coef));
  }
  substituted[key] = result;
  return result;
}

int64_t Forms::coefficient(FormId f, AtomId atom) const {
  for (const Part &part : parts(f))
    if (part.atom == atom)
      return part.coef;
  return 0;
}

FormId Forms::without(FormId f, AtomId atom) {
  llvm::SmallVector<Part, 12> kept;
  for (const Part &part : parts(f))
    if (part.atom != atom)
      kept.push_back(part);
  return intern(constantOf(f), kept);
}

FormId Forms::replace(FormId f, AtomId atom, FormId by) {
  int64_t coef = coefficient(f, atom);
  return coef ? add(without(f, atom), scale(by, coef)) : f;
}

bool Forms::isEntangled(FormId f, uint64_t bits) const {
  for (const Part &part : parts(f)) {
    const Atom &atom = atoms[part.atom];
    if ((atom.bits & bits) && (atom.kind != Atom::Parity || (atom.data & (atom.data - 1))))
      return true;
  }
  return false;
}

std::optional<int64_t> Forms::evaluateOpaque(const Atom &atom,
                                             llvm::ArrayRef<uint32_t> block) const {
  llvm::SmallVector<int64_t, 3> values;
  for (FormId arg : atom.args) {
    std::optional<int64_t> value = evaluate(arg, block);
    if (!value)
      return std::nullopt;
    values.push_back(*value);
  }
  return applyIntOp(atom.op, atom.width, values, atom.data);
}

std::optional<int64_t> Forms::evaluate(FormId f, llvm::ArrayRef<uint32_t> block) const {
  int64_t result = constantOf(f);
  for (const Part &part : parts(f)) {
    const Atom &atom = atoms[part.atom];
    int64_t value;
    if (atom.kind == Atom::Block) {
      value = block[atom.data];
    } else if (atom.kind == Atom::Opaque) {
      std::optional<int64_t> inner = evaluateOpaque(atom, block);
      if (!inner)
        return std::nullopt;
      value = *inner;
    } else if (atom.kind == Atom::Modulo) {
      std::optional<int64_t> inner = evaluate(atom.args[0], block);
      if (!inner)
        return std::nullopt;
      value = *inner % int64_t(atom.data);
      if (value < 0)
        value += int64_t(atom.data);
    } else {
      return std::nullopt;
    }
    result = wrapAdd(result, wrapMul(part.coef, value));
  }
  return result;
}

std::pair<int64_t, int64_t> Forms::rangeOverGrid(FormId f) {
  FormId uniform = 0;
  bool isTakenApart = false;
  for (const Part &part : llvm::SmallVector<Part, 12>(parts(f))) {
    const Atom &atom = atoms[part.atom];
    if (!atom.isUniform() || !atom.blocks)
      continue;
    isTakenApart |= atom.kind == Atom::Opaque || atom.kind == Atom::Modulo;
    uniform = add(uniform, ofAtom(part.atom, part.coef));
  }
  std::pair<int64_t, int64_t> plain = {lo(f), hi(f)};
  if (!isTakenApart)
    return plain;
  auto [place, isNew] = gridRanges.try_emplace(uniform, plain);
  if (isNew) {
    std::pair<int64_t, int64_t> range = {lo(uniform), hi(uniform)};
    uint64_t count = 1;
    for (uint32_t extent : grid)
      count *= extent;
    if (count && count <= 65536) {
      int64_t least = INT64_MAX, most = INT64_MIN;
      uint32_t block[3];
      bool known = true;
      for (block[2] = 0; known && block[2] < grid[2]; ++block[2])
        for (block[1] = 0; known && block[1] < grid[1]; ++block[1])
          for (block[0] = 0; known && block[0] < grid[0]; ++block[0])
            if (std::optional<int64_t> value = evaluate(uniform, block)) {
              least = std::min(least, *value);
              most = std::max(most, *value);
            } else {
              known = false;
            }
      if (known)
        range = {saturate(least), saturate(most)};
    }
    gridRanges[uniform] = range;
  }
  std::pair<int64_t, int64_t> range = gridRanges[uniform];
  FormId rest = sub(f, uniform);
  return {addBound(range.first, lo(rest)), addBound(range.second, hi(rest))};
}
