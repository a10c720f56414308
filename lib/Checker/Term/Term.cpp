//===- Term.cpp - What a register of the symbolic thread holds ------------===//
//
// Interning of conditions and terms, with the few simplifications that need no context.
//
//===----------------------------------------------------------------------===//

#include "Mettle/Checker/Term/Term.h"
#include "llvm/ADT/Hashing.h"

using namespace mettle::checker;

Terms::Terms(Forms &forms) : forms(forms) {
  Pred pred;
  pred.kind = Pred::False;
  intern(pred);
  pred.kind = Pred::True;
  intern(pred);
}

/// Of integers: any order and grouping is one word.
static bool isIntegerSet(llvm::StringRef name) {
  auto [operation, type] = name.split('.');
  if (type == "b32")
    return operation == "and" || operation == "or" || operation == "xor";
  return (type == "s32" || type == "u32") &&
         (operation == "add" || operation == "min" || operation == "max");
}

bool mettle::checker::commutes(llvm::StringRef name) {
  if (isIntegerSet(name))
    return true;
  return name.starts_with("add.rn.") || name.starts_with("add.rz.") ||
         name.starts_with("add.free.") || name == "max.f32" || name == "min.f32" ||
         name == "max.NaN.f32" || name == "min.NaN.f32";
}

static NameTraits traitsOf(llvm::StringRef name) {
  NameTraits traits;
  traits.commutes = commutes(name);
  traits.isPlainSum =
      name == "add.rn.f32" || name == "add.rn.f64" || name == "add.rn.f16" || name == "add.rn.bf16";
  traits.isDot = name.starts_with("dot.");
  traits.isFree = name.contains(".free.");
  traits.isFma = name == "fma.rn.f32";
  return traits;
}

PredId Terms::intern(Pred pred) {
  uint64_t hash = InternTable::mix(uint64_t(pred.kind) << 32 | pred.form, pred.op);
  hash = InternTable::mix(hash, uint64_t(pred.a) << 32 | pred.b);
  return predTable.find(
      InternTable::finish(hash),
      [&](PredId id) {
        const Pred &other = preds[id];
        return other.kind == pred.kind && other.form == pred.form && other.a == pred.a &&
               other.b == pred.b && other.op == pred.op;
      },
      [&] {
        preds.push_back(pred);
        return uint32_t(preds.size() - 1);
      });
}

std::optional<bool> Terms::atBlock(FormId form, bool isZero) const {
  FormId here = forms.atBlock(form);
  int64_t lo = forms.lo(here), hi = forms.hi(here);
  if (isZero && lo == 0 && hi == 0)
    return true;
  if (isZero ? lo > 0 || hi < 0 : lo >= 0)
    return false;
  return !isZero && hi < 0 ? std::optional(true) : std::nullopt;
}

/// A condition is decided by the block where that decides it for all threads that are meant.
std::optional<bool> Terms::decideAtBlock(FormId form, bool isZero) {
  if (!(forms.blocksOf(form) & forms.fixedDimensions()))
    return std::nullopt;
  std::optional<bool> holds = atBlock(form, isZero);
  if (holds) {
    decisions.push_back({form, isZero, *holds});
    rules.add(RuleId::Decided);
  }
  return holds;
}

bool Terms::decidesAlike() const {
  for (const BlockDecision &decision : decisions)
    if (atBlock(decision.form, decision.isZero) != decision.holds)
      return false;
  return true;
}

PredId Terms::less(FormId form) {
  auto [lo, hi] = std::make_pair(forms.lo(form), forms.hi(form));
  if (hi >= 0 && lo < 0 && forms.blocksOf(form))
    std::tie(lo, hi) = forms.rangeOverGrid(form);
  if (hi < 0 || lo >= 0) {
    if (!forms.isConstant(form))
      rules.add(RuleId::Decided);
    return hi < 0 ? truePred : falsePred;
  }
  if (std::optional<bool> holds = decideAtBlock(form, false))
    return *holds ? truePred : falsePred;
  Pred pred;
  pred.kind = Pred::Less;
  pred.form = form;
  pred.bits = forms.bitsOf(form);
  pred.loops = forms.loopsOf(form);
  return intern(pred);
}

PredId Terms::zero(FormId form) {
  if (forms.isConstant(form))
    return forms.constantOf(form) == 0 ? truePred : falsePred;
  if (forms.hi(form) < 0 || forms.lo(form) > 0) {
    rules.add(RuleId::Decided);
    return falsePred;
  }
  if (std::optional<bool> holds = decideAtBlock(form, true))
    return *holds ? truePred : falsePred;
  Pred pred;
  pred.kind = Pred::Zero;
  pred.form = form;
  pred.bits = forms.bitsOf(form);
  pred.loops = forms.loopsOf(form);
  return intern(pred);
}

PredId Terms::negate(PredId a) {
  if (a <= truePred)
    return a == truePred ? falsePred : truePred;
  const Pred inner = preds[a];
  if (inner.kind == Pred::Not)
    return inner.a;
  // not (f < 0) is -f - 1 < 0.
  if (inner.kind == Pred::Less && forms.lo(inner.form) > -Unbounded &&
      forms.hi(inner.form) < Unbounded)
    return less(forms.addConstant(forms.scale(inner.form, -1), -1));
  Pred pred;
  pred.kind = Pred::Not;
  pred.a = a;
  pred.bits = inner.bits;
  pred.loops = inner.loops;
  return intern(pred);
}

PredId Terms::both(PredId a, PredId b) {
  if (a == falsePred || b == falsePred)
    return falsePred;
  if (a == truePred || a == b)
    return b;
  if (b == truePred)
    return a;
  if (a == negate(b))
    return falsePred;
  Pred pred;
  pred.kind = Pred::And;
  pred.a = std::min(a, b);
  pred.b = std::max(a, b);
  pred.bits = preds[a].bits | preds[b].bits;
  pred.loops = preds[a].loops | preds[b].loops;
  return intern(pred);
}

PredId Terms::compare(uint32_t op, TermId a, TermId b) {
  Pred pred;
  pred.kind = Pred::Compare;
  pred.op = op;
  pred.a = a;
  pred.b = b;
  pred.bits = terms[a].bits | terms[b].bits;
  pred.loops = terms[a].loops | terms[b].loops;
  return intern(pred);
}

TermId Terms::intern(Term term) {
  uint64_t hash = InternTable::mix(uint64_t(term.kind) << 8 | term.bytes, term.data);
  hash = InternTable::mix(hash, uint64_t(term.form) << 32 | term.pred);
  for (TermId arg : term.args)
    hash = InternTable::mix(hash, arg);
  return termTable.find(
      InternTable::finish(hash),
      [&](TermId id) {
        const Term &other = terms[id];
        return other.kind == term.kind && other.bytes == term.bytes && other.form == term.form &&
               other.pred == term.pred && other.data == term.data && other.args == term.args;
      },
      [&] { return make(std::move(term)); });
}

TermId Terms::make(Term term) {
  for (TermId arg : term.args) {
    term.bits |= terms[arg].bits;
    term.loops |= terms[arg].loops;
  }
  // A commuting operation on a value and what the lane across one bit holds: that bit is gone.
  if (term.kind == Term::Op && term.args.size() == 2 && traits(uint32_t(term.data)).commutes)
    for (unsigned i = 0; i < 2; ++i) {
      const Term &other = terms[term.args[i]];
      if (other.kind == Term::Shuffle && other.args[0] == term.args[1 - i] &&
          ShuffleMode(other.data) == ShuffleMode::Xor) {
        auto lanes = uint64_t(forms.constantOf(other.form));
        if (lanes && !(lanes & (lanes - 1)))
          term.bits &= ~lanes;
      }
    }
  term.bits |= forms.bitsOf(term.form) | preds[term.pred].bits;
  term.loops |= forms.loopsOf(term.form) | preds[term.pred].loops;
  terms.push_back(std::move(term));
  return uint32_t(terms.size() - 1);
}

TermId Terms::constant(uint64_t bits, unsigned bytes) {
  Term term;
  term.kind = Term::Const;
  term.bytes = uint8_t(bytes);
  term.data = bytes >= 8 ? bits : bits & ((uint64_t(1) << (8 * bytes)) - 1);
  return intern(std::move(term));
}

TermId Terms::integer(FormId form, unsigned bytes) {
  if (forms.isConstant(form))
    return constant(uint64_t(forms.constantOf(form)), bytes);
  Term term;
  term.kind = Term::Integer;
  term.bytes = uint8_t(bytes);
  term.form = form;
  return intern(std::move(term));
}

TermId Terms::select(PredId pred, TermId a, TermId b) {
  if (pred == truePred || a == b)
    return a;
  if (pred == falsePred)
    return b;
  // One spelling of a condition and its negation.
  if (preds[pred].kind == Pred::Not) {
    pred = preds[pred].a;
    std::swap(a, b);
  }
  if (preds[pred].kind == Pred::Less) {
    FormId form = preds[pred].form;
    int64_t sum = 0;
    for (const Part &part : forms.parts(form))
      sum += part.coef;
    if (sum < 0 || (sum == 0 && forms.constantOf(form) < 0)) {
      PredId opposite = negate(pred);
      if (preds[opposite].kind == Pred::Less) {
        pred = opposite;
        std::swap(a, b);
      }
    }
  }
  Term term;
  term.kind = Term::Select;
  term.bytes = terms[a].bytes;
  term.pred = pred;
  term.args = {a, b};
  return intern(std::move(term));
}

TermId Terms::extract(TermId id, unsigned first, unsigned bytes) {
  const Term term = terms[id];
  if (first == 0 && bytes == term.bytes)
    return id;
  switch (term.kind) {
  case Term::Const:
    return constant(term.data >> (8 * first), bytes);
  case Term::Load:
  case Term::SharedLoad: {
    Term part = term;
    part.form = forms.addConstant(term.form, first);
    part.bytes = uint8_t(bytes);
    return intern(std::move(part));
  }
  case Term::Select:
    return select(term.pred, extract(term.args[0], first, bytes),
                  extract(term.args[1], first, bytes));
  case Term::Extract:
    return extract(term.args[0], unsigned(term.data) + first, bytes);
  case Term::Undefined:
    return undefined(bytes);
  case Term::Unknown: {
    Term part = term;
    part.bytes = uint8_t(bytes);
    return intern(std::move(part));
  }
  case Term::Concat: {
    unsigned at = 0;
    llvm::SmallVector<TermId, 4> parts;
    for (TermId arg : term.args) {
      unsigned size = terms[arg].bytes, from = std::max(at, first),
               to = std::min(at + size, first + bytes);
      if (from < to)
        parts.push_back(extract(arg, from - at, to - from));
      at += size;
    }
    return concat(parts);
  }
  default: {
    Term part;
    part.kind = Term::Extract;
    part.bytes = uint8_t(bytes);
    part.data = first;
    part.args = {id};
    return intern(std::move(part));
  }
  }
}

TermId Terms::concat(llvm::ArrayRef<TermId> parts) {
  if (parts.size() == 1)
    return parts[0];
  unsigned bytes = 0;
  bool constants = true;
  for (TermId part : parts) {
    bytes += terms[part].bytes;
    constants &= isConstant(part);
  }
  if (constants && bytes <= 8) {
    uint64_t bits = 0;
    unsigned at = 0;
    for (TermId part : parts) {
      bits |= terms[part].data << at;
      at += 8 * terms[part].bytes;
    }
    return constant(bits, bytes);
  }
  // The parts of one value, put together again.
  const Term &first = terms[parts[0]];
  if (first.kind == Term::Extract && first.data == 0) {
    TermId whole = first.args[0];
    unsigned at = 0;
    bool same = terms[whole].bytes == bytes;
    for (TermId part : parts) {
      same &= terms[part].kind == Term::Extract && terms[part].args[0] == whole &&
              terms[part].data == at;
      at += terms[part].bytes;
    }
    if (same)
      return whole;
  }
  Term term;
  term.kind = Term::Concat;
  term.bytes = uint8_t(bytes);
  term.args.assign(parts.begin(), parts.end());
  return intern(std::move(term));
}

TermId Terms::op(uint32_t name, unsigned bytes, llvm::ArrayRef<TermId> args, InstructionId at) {
  Term term;
  term.kind = Term::Op;
  term.bytes = uint8_t(bytes);
  term.data = name;
  term.args.assign(args.begin(), args.end());
  term.instruction = at;
  return intern(std::move(term));
}

TermId Terms::unknown(llvm::StringRef reason, InstructionId at, unsigned bytes) {
  Term term;
  term.kind = Term::Unknown;
  term.bytes = uint8_t(bytes);
  term.data = uint64_t(at) << 32 | name(reason);
  term.instruction = at;
  return intern(std::move(term));
}

TermId Terms::undefined(unsigned bytes) {
  Term term;
  term.kind = Term::Undefined;
  term.bytes = uint8_t(bytes);
  return intern(std::move(term));
}

uint32_t Terms::name(llvm::StringRef text) {
  return nameTable.find(
      InternTable::finish(InternTable::mix(llvm::hash_value(text), 0)),
      [&](uint32_t id) { return names[id] == text; },
      [&] {
        names.push_back(text.str());
        nameTraits.push_back(traitsOf(text));
        return uint32_t(names.size() - 1);
      });
}
