//===- TermTest.cpp - Simplifications that need no context ----------------===//
//
// What terms and conditions are made into as they are built.
//
//===----------------------------------------------------------------------===//

#include "Mettle/Checker/Term/Term.h"
#include "gtest/gtest.h"

using namespace mettle::checker;

namespace {

TEST(Term, PartsPutTogetherAreTheWhole) {
  Forms forms;
  Terms terms(forms);
  TermId whole = terms.op(terms.name("f"), 4, {}, 0);
  TermId low = terms.extract(whole, 0, 2), high = terms.extract(whole, 2, 2);
  EXPECT_NE(low, high);
  EXPECT_EQ(terms.concat({low, high}), whole);
  EXPECT_NE(terms.concat({high, low}), whole);
}

TEST(Term, AConditionAndItsNegation) {
  Forms forms;
  Terms terms(forms);
  PredId a = terms.zero(forms.parity(1, false)),
         b = terms.less(forms.addConstant(forms.parity(2, false, 4), -2));
  EXPECT_EQ(terms.negate(terms.negate(a)), a);
  EXPECT_EQ(terms.negate(terms.negate(b)), b);
  EXPECT_EQ(terms.both(a, terms.negate(a)), Terms::falsePred);
  TermId x = terms.constant(1, 4), y = terms.constant(2, 4);
  EXPECT_EQ(terms.select(a, x, y), terms.select(terms.negate(a), y, x));
}

TEST(Term, NamesOfOperationsThatCommute) {
  EXPECT_TRUE(commutes("add.rn.f32"));
  EXPECT_TRUE(commutes("max.f32"));
  EXPECT_FALSE(commutes("sub.rn.f32"));
  EXPECT_FALSE(commutes("max.xorsign.abs.f32"));
}

} // namespace
