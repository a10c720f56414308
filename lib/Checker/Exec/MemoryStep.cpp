//===- MemoryStep.cpp - Memory and barriers of the symbolic thread --------===//
//
// Loads become terms, stores and barriers become events. ldmatrix and stmatrix are plain accesses
// once the lane that gives an address is written into the address.
//
//===----------------------------------------------------------------------===//

#include "Machine.h"

using namespace mettle::checker;
using namespace mettle::assembly::ptx;

Event &Machine::event(Event::Kind kind) {
  Event event;
  event.kind = kind;
  event.loop = currentLoop;
  event.instruction = at;
  event.pred = terms.both(path, guard);
  program.events.push_back(event);
  return program.events.back();
}

FormId Machine::addressOf(const Operand &operand) {
  if (operand.is(OperandKind::Symbol) || operand.is(OperandKind::Element)) {
    fail("an address that the checker does not model");
    return 0;
  }
  if (operand.base() == Base::Absolute)
    return forms.constant(int64_t(operand.bits));
  Operand base = operand;
  if (operand.base() == Base::Register) {
    base.kind = OperandKind::Register;
    return forms.addConstant(form(reg(operand.reg()), 64), operand.offset);
  }
  base.kind = OperandKind::Symbol;
  return form(read(base), 64);
}

/// When it is loaded decides what an exchange may see; who loads it, only where no barrier stands
/// between the load and the last store before it.
void Machine::dependOnAll(Term &term) const {
  for (uint32_t loop = currentLoop; loop != ~0u; loop = program.loops[loop].parent)
    term.loops |= uint64_t(1) << loop;
  size_t first = currentLoop == ~0u ? 0 : loopStart;
  for (size_t i = program.events.size(); i-- > first;) {
    Event::Kind kind = program.events[i].kind;
    if (kind == Event::Barrier)
      return;
    if (kind == Event::SharedStore || kind == Event::CopyWait)
      break;
  }
  term.bits = (uint64_t(1) << NumThreadBits) - 1;
}

static bool isShared(StateSpace space) {
  return space == StateSpace::Shared || space == StateSpace::SharedCTA;
}

void Machine::load() {
  StateSpace space = mnemonic->space;
  Type type = mnemonic->type();
  unsigned bytes = typeBits(type) / 8;
  if (space == StateSpace::Param || space == StateSpace::ParamEntry) {
    write(op(0), parameter(op(1), bytes));
    return;
  }
  if ((space != StateSpace::Global && !isShared(space)) || mnemonic->has(Modifier::Volatile) ||
      mnemonic->has(Modifier::Acquire) || mnemonic->has(Modifier::Relaxed))
    return unsupported();
  FormId address = addressOf(op(1));
  Term loaded;
  loaded.kind = space == StateSpace::Global ? Term::Load : Term::SharedLoad;
  loaded.instruction = at;
  if (isShared(space)) {
    loaded.data = program.events.size();
    dependOnAll(loaded);
    Event &e = event(Event::SharedLoad);
    e.address = address;
    e.bytes = uint8_t(bytes * mnemonic->vectorWidth);
  }
  llvm::ArrayRef<Operand> targets =
      op(0).is(OperandKind::Vector) ? module.elements(op(0)) : llvm::ArrayRef(op(0));
  for (size_t i = 0; i < targets.size(); ++i) {
    Term element = loaded;
    element.bytes = uint8_t(bytes);
    element.form = forms.addConstant(address, int64_t(i * bytes));
    TermId value = terms.intern(std::move(element));
    if (targets[i].is(OperandKind::Register)) {
      unsigned wanted = bytesOf(targets[i].reg().cls());
      if (wanted != bytes && typeKind(type) == TypeKind::Signed)
        return unsupported();
      if (wanted > bytes)
        value = terms.concat({value, terms.constant(0, wanted - bytes)});
    }
    write(targets[i], data(value));
  }
}

void Machine::store() {
  StateSpace space = mnemonic->space;
  if ((space != StateSpace::Global && !isShared(space)) || mnemonic->has(Modifier::Release) ||
      mnemonic->has(Modifier::Volatile) || mnemonic->has(Modifier::Relaxed))
    return fail("a store to memory that the checker does not model");
  unsigned bytes = typeBits(mnemonic->type()) / 8;
  FormId address = addressOf(op(0));
  llvm::ArrayRef<Operand> sources =
      op(1).is(OperandKind::Vector) ? module.elements(op(1)) : llvm::ArrayRef(op(1));
  for (size_t i = 0; i < sources.size(); ++i) {
    TermId value = termOf(sources[i], bytes);
    Event &e = event(space == StateSpace::Global ? Event::GlobalStore : Event::SharedStore);
    e.address = forms.addConstant(address, int64_t(i * bytes));
    e.value = value;
    e.bytes = uint8_t(bytes);
  }
}

/// The condition under which a number of bytes, itself chosen by conditions, is `full`.
static PredId whenFull(Terms &terms, TermId size, uint64_t full, bool &known) {
  const Term term = terms[size];
  if (term.kind == Term::Const) {
    known &= term.data == full || term.data == 0;
    return term.data == full ? Terms::truePred : Terms::falsePred;
  }
  if (term.kind == Term::Select) {
    PredId a = whenFull(terms, term.args[0], full, known);
    PredId b = whenFull(terms, term.args[1], full, known);
    return terms.either(terms.both(term.pred, a), terms.both(terms.negate(term.pred), b));
  }
  known = false;
  return Terms::falsePred;
}

void Machine::copyAsync() {
  FormId target = addressOf(op(0)), source = addressOf(op(1));
  if (!op(2).is(OperandKind::Integer))
    return fail("an asynchronous copy of a size that is not written");
  auto bytes = unsigned(op(2).bits);
  Term loaded;
  loaded.kind = Term::Load;
  loaded.bytes = uint8_t(bytes);
  loaded.form = source;
  loaded.instruction = at;
  TermId value = terms.intern(std::move(loaded));
  if (instruction->operandCount > 3 && !mnemonic->has(Modifier::L2CacheHint)) {
    bool known = true;
    PredId full = whenFull(terms, termOf(op(3), 4), bytes, known);
    if (!known)
      return fail("an asynchronous copy of a part");
    value = terms.select(full, value, terms.constant(0, bytes));
  } else if (instruction->operandCount > 3) {
    return fail("an asynchronous copy with a cache hint");
  }
  Event &e = event(Event::SharedStore);
  e.address = target;
  e.value = value;
  e.bytes = uint8_t(bytes);
  e.over = Event::CopyGroup;
}

/// The address that lane 8 * matrix + row gives, where `row` are three bits of this lane.
static FormId rowAddress(Forms &forms, FormId address, unsigned matrix, std::array<uint64_t, 3> row,
                         uint16_t flip = 0) {
  Env env = forms.env(forms.identity());
  for (unsigned i = 0; i < 3; ++i)
    env.mask[i] = row[i];
  env.mask[3] = env.mask[4] = 0;
  env.flip = uint16_t(flip | (matrix & 1) << 3 | (matrix >> 1 & 1) << 4);
  return forms.substitute(address, forms.intern(env));
}

static FormId laneBits(Forms &forms, unsigned first, unsigned count, int64_t weight) {
  FormId result = 0;
  for (unsigned i = 0; i < count; ++i)
    result = forms.add(result, forms.parity(uint64_t(1) << (first + i), false, weight << i));
  return result;
}

void Machine::loadMatrix() {
  bool transposed = mnemonic->has(Modifier::Trans);
  if (!mnemonic->has(Modifier::M8n8) || path != Terms::truePred || guard != Terms::truePred ||
      facts.block[0] < 32 || !isShared(mnemonic->space))
    return unsupported();
  FormId address = addressOf(op(1));
  llvm::ArrayRef<Operand> targets =
      op(0).is(OperandKind::Vector) ? module.elements(op(0)) : llvm::ArrayRef(op(0));
  Term loaded;
  loaded.kind = Term::SharedLoad;
  loaded.instruction = at;
  dependOnAll(loaded);
  auto record = [&](Term &element) {
    element.data = program.events.size();
    Event &e = event(Event::SharedLoad);
    e.address = element.form;
    e.bytes = element.bytes;
  };
  for (unsigned j = 0; j < targets.size(); ++j) {
    TermId value;
    if (!transposed) {
      Term element = loaded;
      element.bytes = 4;
      element.form = forms.add(rowAddress(forms, address, j, {4, 8, 16}), laneBits(forms, 0, 2, 4));
      record(element);
      value = terms.intern(std::move(element));
    } else {
      TermId halves[2];
      for (unsigned half = 0; half < 2; ++half) {
        Term element = loaded;
        element.bytes = 2;
        element.form = forms.add(rowAddress(forms, address, j, {0, 1, 2}, uint16_t(half)),
                                 laneBits(forms, 2, 3, 2));
        record(element);
        halves[half] = terms.intern(std::move(element));
      }
      value = terms.concat(halves);
    }
    write(targets[j], data(value));
  }
}

void Machine::storeMatrix() {
  bool transposed = mnemonic->has(Modifier::Trans);
  if (!mnemonic->has(Modifier::M8n8) || path != Terms::truePred || guard != Terms::truePred ||
      facts.block[0] < 32 || !isShared(mnemonic->space))
    return fail("a form of stmatrix that the checker does not model");
  FormId address = addressOf(op(0));
  llvm::ArrayRef<Operand> sources =
      op(1).is(OperandKind::Vector) ? module.elements(op(1)) : llvm::ArrayRef(op(1));
  for (unsigned j = 0; j < sources.size(); ++j) {
    TermId value = termOf(sources[j], 4);
    if (!transposed) {
      Event &e = event(Event::SharedStore);
      e.address = forms.add(rowAddress(forms, address, j, {4, 8, 16}), laneBits(forms, 0, 2, 4));
      e.value = value;
      e.bytes = 4;
      continue;
    }
    for (unsigned half = 0; half < 2; ++half) {
      Event &e = event(Event::SharedStore);
      e.address = forms.add(rowAddress(forms, address, j, {0, 1, 2}, uint16_t(half)),
                            laneBits(forms, 2, 3, 2));
      e.value = terms.extract(value, 2 * half, 2);
      e.bytes = 2;
    }
  }
}

bool Machine::stepMemory() {
  switch (instruction->opcode) {
  case Opcode::Ld:
    load();
    return true;
  case Opcode::St:
    store();
    return true;
  case Opcode::CpAsync:
    copyAsync();
    return true;
  case Opcode::LdMatrix:
    loadMatrix();
    return true;
  case Opcode::StMatrix:
    storeMatrix();
    return true;
  default:
    return false;
  }
}

bool Machine::stepSync() {
  switch (instruction->opcode) {
  case Opcode::BarSync:
    if (path != Terms::truePred || guard != Terms::truePred) {
      fail("a barrier under a condition");
    } else if (!op(0).is(OperandKind::Integer) || instruction->operandCount > 1) {
      fail("a barrier of part of the block");
    } else {
      event(Event::Barrier).count = uint32_t(op(0).bits);
      for (auto &[address, map] : maps)
        map.isReady |= map.isFenced;
    }
    return true;
  case Opcode::BarWarpSync:
    if (path == Terms::truePred && guard == Terms::truePred && bothIntegers(0, 1) &&
        forms.isConstant(formOf(op(0), 32)) && uint32_t(forms.constantOf(formOf(op(0), 32))) == ~0u)
      event(Event::WarpBarrier);
    return true;
  case Opcode::CpAsyncCommitGroup:
    event(Event::CopyCommit);
    return true;
  case Opcode::CpAsyncWaitGroup:
    event(Event::CopyWait).count = uint32_t(op(0).bits);
    return true;
  case Opcode::CpAsyncWaitAll:
    event(Event::CopyWait).count = 0;
    return true;
  case Opcode::Fence:
    fence();
    return true; // orders; nothing else is exchanged here on its strength
  case Opcode::MemBar:
  case Opcode::Prefetch:
  case Opcode::PrefetchU:
    return true; // orders or hints; nothing is exchanged here on their strength
  default:
    return false;
  }
}
