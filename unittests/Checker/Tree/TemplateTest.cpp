//===- TemplateTest.cpp - Trees as templates and shifts -------------------===//
//
// Elements of one sum share a template wherever they stand; what differs in shape does not.
//
//===----------------------------------------------------------------------===//

#include "Mettle/Checker/Tree/Template.h"
#include "Mettle/Checker/Tree/Print.h"
#include "llvm/Support/raw_ostream.h"
#include "gtest/gtest.h"

using namespace mettle::checker;

namespace {

struct TemplatesTest : testing::Test {
  Forms forms;
  Terms terms{forms};
  Templates trees{terms};

  Tree leaf(SlotKey parameter, int64_t offset, unsigned bytes = 4) {
    Template node;
    node.kind = Template::Leaf;
    node.bytes = uint8_t(bytes);
    return trees.makeLeaf(node, parameter, forms.constant(offset));
  }
  Tree sum(llvm::ArrayRef<Tree> children) {
    Template node;
    node.kind = Template::Op;
    node.bytes = 4;
    node.name = terms.name("add.rn.f32");
    return trees.make(node, children);
  }
  std::string text(const Tree &tree) {
    std::string result;
    llvm::raw_string_ostream os(result);
    printTree(os, trees, tree, [](InstructionId) { return 0u; });
    return result;
  }
};

TEST_F(TemplatesTest, ATreeThatMovedSharesItsTemplate) {
  Tree here = sum({leaf(0, 0), leaf(0, 16)}), there = sum({leaf(0, 400), leaf(0, 416)});
  EXPECT_EQ(here.tree, there.tree);
  EXPECT_FALSE(here == there);
  EXPECT_NE(here.tree, sum({leaf(0, 0), leaf(0, 20)}).tree) << "another distance";
  EXPECT_NE(here.tree, sum({leaf(0, 0), leaf(1, 16)}).tree) << "another parameter";
  EXPECT_NE(leaf(0, 0).tree, leaf(0, 0, 2).tree) << "another width";
}

TEST_F(TemplatesTest, AChildIsWhereItStands) {
  Tree inner = sum({leaf(0, 8), leaf(1, 4)}), outer = sum({leaf(1, 100), inner});
  EXPECT_TRUE(trees.child(outer, 1) == inner);
  EXPECT_TRUE(trees.child(inner, 0) == leaf(0, 8));
}

TEST_F(TemplatesTest, APrintedTreeNamesSharedPartsOnce) {
  Tree inner = sum({leaf(0, 0), leaf(1, 4)});
  EXPECT_EQ(text(sum({inner, inner})), "#0 add.rn.f32\n"
                                       "  #1 add.rn.f32\n"
                                       "    param0[0].b32\n"
                                       "    param1[4].b32\n"
                                       "  #1 as above\n");
}

} // namespace
