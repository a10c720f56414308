//===- FormTest.cpp - Forms against plain numbers -------------------------===//
//
// Operations on forms of eight thread bits are compared with the same operations on the 256 numbers
// that the bits may be.
//
//===----------------------------------------------------------------------===//

#include "Mettle/Checker/Address/Form.h"
#include "gtest/gtest.h"
#include <random>

using namespace mettle::checker;

namespace {

FormId thread(Forms &forms) {
  FormId result = 0;
  for (unsigned bit = 0; bit < 8; ++bit)
    result = forms.add(result, forms.parity(uint64_t(1) << bit, false, int64_t(1) << bit));
  return result;
}

int64_t valueAt(Forms &forms, FormId form, uint32_t tid) {
  Env env = forms.env(forms.identity());
  for (unsigned bit = 0; bit < NumThreadBits; ++bit)
    env.mask[bit] = 0;
  env.flip = uint16_t(tid);
  FormId value = forms.substitute(form, forms.intern(env));
  EXPECT_TRUE(forms.isConstant(value)) << forms.text(value);
  return forms.constantOf(value);
}

TEST(Form, AHighBitBesideALowNumber) {
  Forms forms;
  int64_t high = int64_t(1) << 62;
  EXPECT_EQ(forms.apply(IntOp::Or, 64, {thread(forms), forms.constant(high)}),
            forms.addConstant(thread(forms), high));
}

TEST(Form, AFixedBlockIsANumberWhereItIsAsked) {
  Forms forms;
  forms.grid = {16, 2, 1};
  FormId block = forms.ofAtom(forms.symbol(Atom::Block, 0, 0, 15)),
         row = forms.add(forms.scale(block, 64), thread(forms)),
         odd = forms.opaque(IntOp::RemU, 32, {block, forms.constant(3)});
  EXPECT_EQ(forms.atBlock(row), row);
  forms.fixBlock({5, std::nullopt, std::nullopt});
  EXPECT_EQ(forms.atBlock(row), forms.addConstant(thread(forms), 320));
  EXPECT_EQ(forms.atBlock(odd), forms.constant(2));
  forms.fixBlock({6, std::nullopt, std::nullopt});
  EXPECT_EQ(forms.atBlock(odd), forms.constant(0));
}

TEST(Form, RandomExpressionsAgreeWithNumbers) {
  std::mt19937 random(7);
  for (unsigned round = 0; round < 200; ++round) {
    Forms forms;
    FormId form = thread(forms);
    std::vector<uint32_t> numbers(256);
    for (uint32_t t = 0; t < 256; ++t)
      numbers[t] = t;
    for (unsigned step = 0; step < 6; ++step) {
      uint32_t c = random() & (random() % 2 ? 0xff : 0xffff), by = random() % 6;
      unsigned which = random() % 7;
      auto apply = [&](IntOp op, uint32_t operand) {
        form = forms.apply(op, 32, {form, forms.constant(operand)});
      };
      switch (which) {
      case 0:
        apply(IntOp::And, c);
        break;
      case 1:
        apply(IntOp::Or, c);
        break;
      case 2:
        apply(IntOp::Xor, c);
        break;
      case 3:
        apply(IntOp::Shl, by);
        break;
      case 4:
        apply(IntOp::ShrU, by);
        break;
      case 5:
        form = forms.wrap(forms.addConstant(form, c), 32);
        break;
      case 6: // with the thread itself, which makes parities
        form = forms.apply(IntOp::Xor, 32, {form, thread(forms)});
        break;
      }
      for (uint32_t t = 0; t < 256; ++t) {
        uint32_t &n = numbers[t];
        n = which == 0   ? n & c
            : which == 1 ? n | c
            : which == 2 ? n ^ c
            : which == 3 ? n << by
            : which == 4 ? n >> by
            : which == 5 ? n + c
                         : n ^ t;
      }
    }
    for (uint32_t t = 0; t < 256; ++t)
      ASSERT_EQ(uint32_t(valueAt(forms, form, t)), numbers[t]) << forms.text(form);
  }
}

TEST(Form, AFormNeverHidesAWrap) {
  Forms forms;
  FormId large = forms.scale(thread(forms), int64_t(1) << 25);
  EXPECT_FALSE(forms.fits(large, 32));
  FormId wrapped = forms.wrap(large, 32);
  EXPECT_NE(wrapped, large);
}

TEST(Form, ModuloDropsWholeTurns) {
  Forms forms;
  FormId i = forms.ofAtom(forms.counter(0, 100));
  EXPECT_EQ(forms.modulo(forms.addConstant(i, 7), 4), forms.modulo(forms.addConstant(i, 3), 4));
  EXPECT_NE(forms.modulo(forms.addConstant(i, 1), 4), forms.modulo(i, 4));
}

TEST(Form, DivisionOfBlocksIsDecidedByTheGrid) {
  Forms forms;
  forms.grid = {128, 1, 1};
  FormId block = forms.ofAtom(forms.symbol(Atom::Block, 0, 0, 127));
  FormId group = forms.opaque(IntOp::DivS, 32, {block, forms.constant(32)});
  EXPECT_EQ(forms.hi(group), 3);
  FormId left = forms.sub(forms.constant(16), forms.scale(group, 4));
  EXPECT_EQ(forms.apply(IntOp::MinS, 32, {left, forms.constant(4)}), forms.constant(4));
}

} // namespace
