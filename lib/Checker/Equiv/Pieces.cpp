//===- Pieces.cpp - Outputs as they are stored ----------------------------===//
//
// Asks the evaluator for every stored value, in the threads that store it.
//
//===----------------------------------------------------------------------===//

#include "Pieces.h"
#include "llvm/ADT/STLExtras.h"

using namespace mettle::checker;

namespace {
class Collector {
public:
  Collector(Analysis &analysis, std::vector<Piece> &pieces)
      : terms(analysis.terms), trees(analysis.trees), forms(analysis.forms),
        program(analysis.program), evaluator(program, terms, trees), pieces(pieces) {}

  std::optional<Reason> run();

private:
  std::optional<Reason> store(const Event &event);
  std::optional<Reason> ask(const Event &event, EnvId env, llvm::ArrayRef<PredId> conditions,
                            unsigned depth);
  void add(const Event &event, uint32_t parameter, FormId address, unsigned bytes,
           llvm::ArrayRef<FormId> negative, const Tree &tree);

  Terms &terms;
  Templates &trees;
  Forms &forms;
  const Program &program;
  Evaluator evaluator;
  std::vector<Piece> &pieces;
  std::vector<bool> loaded;
};
} // namespace

void Collector::add(const Event &event, uint32_t parameter, FormId address, unsigned bytes,
                    llvm::ArrayRef<FormId> negative, const Tree &tree) {
  const Template &node = trees[tree.tree];
  if (node.kind == Template::Concat) {
    int64_t at = 0;
    for (unsigned i = 0; i < node.children.size(); ++i) {
      Tree part = trees.child(tree, i);
      unsigned size = trees[part.tree].bytes;
      add(event, parameter, forms.addConstant(address, at), size, negative, part);
      at += size;
    }
    return;
  }
  Piece piece;
  piece.parameter = parameter;
  piece.bytes = uint8_t(bytes);
  piece.address = address;
  piece.negative.assign(negative.begin(), negative.end());
  piece.tree = tree;
  piece.instruction = event.instruction;
  pieces.push_back(std::move(piece));
}

std::optional<Reason> Collector::ask(const Event &event, EnvId env,
                                     llvm::ArrayRef<PredId> conditions, unsigned depth) {
  if (depth > 12)
    return Reason{"an output that falls into too many parts", event.instruction};
  std::vector<FormId> negative;
  for (PredId id : conditions) {
    const Pred pred = terms.pred(id);
    if (pred.kind == Pred::Less) {
      PredId simple = terms.less(forms.substitute(pred.form, env));
      if (simple == Terms::falsePred)
        return std::nullopt;
      if (simple != Terms::truePred)
        negative.push_back(terms.pred(simple).form);
      continue;
    }
    Evaluator::Answer answer = evaluator.evaluatePred(id, env);
    if (answer.kind == Evaluator::Answer::Failed)
      return evaluator.reason();
    if (answer.kind == Evaluator::Answer::Known && trees.isTruth(answer.tree, false))
      return std::nullopt;
    if (answer.kind != Evaluator::Answer::Known || !trees.isTruth(answer.tree, true))
      return Reason{"a store under a condition that the checker does not follow",
                    event.instruction};
  }
  FormId address = forms.substitute(event.address, env);
  std::optional<AtomId> base;
  for (const Part &part : forms.parts(address)) {
    const Atom &atom = forms.atom(part.atom);
    if (atom.kind == Atom::Pointer && part.coef == 1 && !base)
      base = part.atom;
    else if (atom.kind == Atom::Pointer || atom.kind == Atom::Phi || atom.kind == Atom::Shared)
      return Reason{"a store to an address that is not a parameter and an offset",
                    event.instruction};
  }
  if (!base)
    return Reason{"a store to an address that is not a parameter and an offset", event.instruction};
  address = forms.without(address, *base);
  auto parameter = uint32_t(forms.atom(*base).data);
  llvm::sort(negative);
  evaluator.assume(negative);
  Evaluator::Answer answer = evaluator.evaluate(event.value, env);
  if (answer.kind == Evaluator::Answer::Failed)
    return evaluator.reason();
  if (answer.kind == Evaluator::Answer::Split) {
    for (unsigned value = 0; value < 2; ++value) {
      Env half = forms.env(env);
      bool found = false;
      for (unsigned i = 0; i < NumThreadBits; ++i)
        if (half.mask[i] >> answer.bit & 1) {
          found = true;
          half.mask[i] &= ~(uint64_t(1) << answer.bit);
          if (value)
            half.flip ^= uint16_t(1u << i);
        }
      if (!found)
        return Reason{"a value that depends on a bit nobody can decide", event.instruction};
      if (std::optional<Reason> reason = ask(event, forms.intern(half), conditions, depth + 1))
        return reason;
    }
    return std::nullopt;
  }
  add(event, parameter, address, event.bytes, negative, answer.tree);
  return std::nullopt;
}

static void conjuncts(Terms &terms, PredId id, std::vector<PredId> &list) {
  const Pred pred = terms.pred(id);
  if (pred.kind == Pred::And) {
    conjuncts(terms, pred.a, list);
    conjuncts(terms, pred.b, list);
  } else {
    list.push_back(id);
  }
}

std::optional<Reason> Collector::store(const Event &event) {
  if (event.pred == Terms::falsePred)
    return std::nullopt;
  std::vector<PredId> all, conditions;
  conjuncts(terms, event.pred, all);
  std::vector<BitEquation> equations;
  Env writing = forms.env(forms.identity());
  for (unsigned i = 0; i < NumThreadBits; ++i)
    writing.mask[i] = uint64_t(1) << (FirstWriterBit + i);
  EnvId asUnknowns = forms.intern(writing);
  evaluator.assume({});
  for (PredId id : all)
    if (!evaluator.constrain(id, true, asUnknowns, equations))
      conditions.push_back(id);
  // Parities in the address become variables of their own.
  unsigned fresh = FirstBoundBit;
  for (const Part &part : forms.parts(event.address)) {
    const Atom &atom = forms.atom(part.atom);
    if (atom.kind == Atom::Parity && (atom.data & (atom.data - 1)))
      equations.push_back({atom.data << FirstWriterBit, uint64_t(1) << fresh++, false});
  }
  // Gaussian elimination over the thread bits.
  std::vector<bool> used(equations.size(), false);
  Env env = forms.env(forms.identity());
  std::array<int, NumThreadBits> row;
  row.fill(-1);
  // Bits that are not plain in the address are solved for first.
  uint64_t plain = 0;
  for (const Part &part : forms.parts(event.address)) {
    const Atom &atom = forms.atom(part.atom);
    if (atom.kind == Atom::Parity && !(atom.data & (atom.data - 1)))
      plain |= atom.data;
  }
  for (unsigned pass = 0; pass < 2; ++pass)
    for (unsigned bit = 0; bit < NumThreadBits; ++bit) {
      if ((plain >> bit & 1) != pass)
        continue;
      row[bit] = solveFor(uint64_t(1) << (FirstWriterBit + bit), equations, used);
    }
  for (size_t i = 0; i < equations.size(); ++i)
    if (!used[i] && !equations[i].left) {
      if (equations[i].right)
        return Reason{"an address whose bits depend on one another", event.instruction};
      if (equations[i].constant)
        return std::nullopt; // no thread stores
    }
  for (unsigned bit = 0; bit < NumThreadBits; ++bit) {
    if (!(program.bitsOf(event) >> bit & 1)) {
      env.mask[bit] = 0;
      continue;
    }
    if (row[bit] < 0)
      continue;
    const BitEquation &equation = equations[size_t(row[bit])];
    uint64_t others = equation.left >> FirstWriterBit & ((uint64_t(1) << NumThreadBits) - 1);
    env.mask[bit] = equation.right | (others & ~(uint64_t(1) << bit));
    env.flip = uint16_t((env.flip & ~(1u << bit)) | unsigned(equation.constant) << bit);
  }
  return ask(event, forms.intern(env), conditions, 0);
}

std::optional<Reason> Collector::run() {
  if (std::optional<Reason> race = evaluator.findRace())
    return race;
  for (const Event &event : program.events)
    if (event.kind == Event::GlobalStore)
      if (std::optional<Reason> reason = store(event))
        return reason;
  return std::nullopt;
}

std::optional<Reason> mettle::checker::collectPieces(Analysis &analysis,
                                                     std::vector<Piece> &pieces) {
  return Collector(analysis, pieces).run();
}
