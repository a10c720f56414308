//===- WarpStep.cpp - What the lanes of a warp exchange in registers ------===//
//
// Shuffles in every mode, votes, and reductions of integers, all of them by the whole warp.
// Segments of a shuffle are conditions on the lane.
//
//===----------------------------------------------------------------------===//

#include "Machine.h"

using namespace mettle::checker;
using namespace mettle::assembly::ptx;

static constexpr int64_t WarpSize = 32;

/// Whether all lanes execute the instruction and its operand names all of them; a reason if not.
const char *Machine::wholeWarp(unsigned members) {
  FormId member = formOf(op(members), 32);
  if (!forms.isConstant(member) || uint32_t(forms.constantOf(member)) != ~0u)
    return "an exchange between part of a warp";
  if (path != Terms::truePred || guard != Terms::truePred)
    return "an exchange between lanes under a condition";
  return facts.block[0] < WarpSize ? "an exchange between lanes where the warp's width is not known"
                                   : nullptr;
}

FormId Machine::laneNumber() {
  FormId lane = 0;
  for (unsigned bit = 0; bit < 5; ++bit)
    lane = forms.add(lane, forms.parity(uint64_t(1) << bit, false, int64_t(1) << bit));
  return lane;
}

TermId Machine::fromLane(TermId value, ShuffleMode mode, FormId lane) {
  Term shuffled;
  shuffled.kind = Term::Shuffle;
  shuffled.bytes = 4;
  shuffled.data = uint64_t(mode);
  shuffled.form = lane;
  shuffled.args = {value};
  shuffled.instruction = at;
  return terms.intern(std::move(shuffled));
}

void Machine::shuffle() {
  if (op(0).isGroup() || instruction->operandCount != 5)
    return unsupported();
  if (const char *reason = wholeWarp(4))
    return unsupported(reason);
  FormId clamp = formOf(op(3), 32), lane = formOf(op(2), 32);
  if (!forms.isConstant(clamp))
    return unsupported("a shuffle of segments that are not known");
  // Bits 8 to 12 are those of the lane that a segment has in common.
  auto common = forms.constantOf(clamp) >> 8 & 31, width = WarpSize - common;
  bool isUp = mnemonic->has(Modifier::Up), isDown = mnemonic->has(Modifier::Down);
  bool isIndex = mnemonic->has(Modifier::Idx), isXor = mnemonic->has(Modifier::Bfly);
  if ((width & (width - 1)) || (forms.constantOf(clamp) & 31) != (isUp ? 0 : 31))
    return unsupported("a shuffle with a bound that is not its segment's");
  if (!isIndex && (!forms.isConstant(lane) || (forms.constantOf(lane) & ~int64_t(31))))
    return unsupported("a shuffle by a distance that is not known");
  int64_t by = isIndex ? 0 : forms.constantOf(lane);
  Value value = read(op(1));
  FormId here = laneNumber(),
         inSegment = forms.apply(IntOp::And, 32, {here, forms.constant(width - 1)});
  if (isUp || isDown) {
    FormId room = isUp ? forms.addConstant(inSegment, -by)
                       : forms.sub(forms.constant(width - 1 - by), inSegment);
    TermId own = term(value, 4);
    TermId other = fromLane(own, ShuffleMode::Index, forms.addConstant(here, isUp ? -by : by));
    return write(op(0), data(terms.select(terms.less(room), own, other)));
  }
  if (isXor && (by & common))
    return unsupported("a shuffle across segments");
  if (isIndex && common)
    lane = forms.add(forms.sub(here, inSegment),
                     forms.apply(IntOp::And, 32, {lane, forms.constant(width - 1)}));
  if (value.kind == Value::Integer && forms.isConstant(lane)) {
    Env env = forms.env(forms.identity());
    for (unsigned bit = 0; bit < 5; ++bit) {
      bool set = forms.constantOf(lane) >> bit & 1;
      if (isIndex)
        env.mask[bit] = 0;
      env.flip |= uint16_t(set) << bit;
    }
    return write(op(0), integer(forms.substitute(value.id, forms.intern(env))));
  }
  write(op(0), data(fromLane(term(value, 4), isXor ? ShuffleMode::Xor : ShuffleMode::Index, lane)));
}

/// A condition in another lane, where it is one on integers.
std::optional<PredId> Machine::inLane(PredId id, uint32_t lane) {
  const Pred pred = terms.pred(id);
  if (!(pred.bits & (WarpSize - 1)))
    return id;
  Env env = forms.env(forms.identity());
  for (unsigned bit = 0; bit < 5; ++bit)
    env.mask[bit] = 0;
  env.flip = uint16_t(lane);
  switch (pred.kind) {
  case Pred::Less:
    return terms.less(forms.substitute(pred.form, forms.intern(env)));
  case Pred::Zero:
    return terms.zero(forms.substitute(pred.form, forms.intern(env)));
  case Pred::Not: {
    std::optional<PredId> inner = inLane(pred.a, lane);
    return inner ? std::optional(terms.negate(*inner)) : std::nullopt;
  }
  case Pred::And: {
    std::optional<PredId> a = inLane(pred.a, lane), b = inLane(pred.b, lane);
    return a && b ? std::optional(terms.both(*a, *b)) : std::nullopt;
  }
  default:
    return std::nullopt;
  }
}

void Machine::vote() {
  if (const char *reason = wholeWarp(2))
    return unsupported(reason);
  PredId vote = condition(op(1)), any = Terms::falsePred, all = Terms::truePred;
  llvm::SmallVector<PredId, WarpSize> votes;
  for (uint32_t lane = 0; lane < WarpSize; ++lane) {
    std::optional<PredId> there = inLane(vote, lane);
    if (!there)
      return unsupported("a vote on data of every lane");
    votes.push_back(*there);
    any = terms.either(any, *there);
    all = terms.both(all, *there);
  }
  if (mnemonic->has(Modifier::Any))
    return write(op(0), truth(any));
  if (mnemonic->has(Modifier::All))
    return write(op(0), truth(all));
  if (mnemonic->has(Modifier::Uni))
    return write(op(0), truth(terms.either(all, terms.negate(any))));
  if (!mnemonic->has(Modifier::Ballot))
    return unsupported();
  if (any == all) // one condition for all of them
    return write(op(0), data(terms.select(any, terms.constant(~0u, 4), terms.constant(0, 4))));
  uint32_t word = 0;
  for (uint32_t lane = 0; lane < WarpSize; ++lane) {
    if (votes[lane] > Terms::truePred)
      return unsupported("a ballot of conditions that are not known");
    word |= uint32_t(votes[lane] == Terms::truePred) << lane;
  }
  write(op(0), integer(asSigned(forms.constant(word), 32)));
}

/// Sums and the like of integers are one word in whatever order: that of a butterfly.
void Machine::reduce() {
  if (const char *reason = wholeWarp(2))
    return unsupported(reason);
  std::string name = text(*mnemonic).substr(strlen("redux.sync."));
  if (!commutes(name))
    return unsupported();
  TermId value = termOf(op(1), 4);
  for (int64_t by = WarpSize / 2; by; by /= 2)
    value = terms.op(terms.name(name), 4,
                     {value, fromLane(value, ShuffleMode::Xor, forms.constant(by))}, at);
  write(op(0), data(value));
}

bool Machine::stepWarp() {
  switch (instruction->opcode) {
  case Opcode::ShflSync:
    shuffle();
    return true;
  case Opcode::VoteSync:
    vote();
    return true;
  case Opcode::ReduxSync:
    reduce();
    return true;
  default:
    return false;
  }
}
