//===- Equations.cpp - Equations over GF(2) in the bits of threads -------===//
//
// What a condition says of them, and a step of elimination.
//
//===----------------------------------------------------------------------===//

#include "Mettle/Checker/Tree/Evaluate.h"

using namespace mettle::checker;

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
