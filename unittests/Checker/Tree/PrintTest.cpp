//===- PrintTest.cpp - Trees as text, graphs and pictures -----------------===//
//
// What stands in a drawing, and what is left out of it.
//
//===----------------------------------------------------------------------===//

#include "Mettle/Checker/Tree/Print.h"
#include "../Equiv/Kernels.h"
#include "llvm/Support/raw_ostream.h"
#include <set>

using namespace mettle::checker;

namespace {

struct PrintTest : testing::Test {
  Source source;
  Analysis analysis;

  /// The tree of a kernel with x in %r2 and its result in %r5.
  const Tree &treeOf(const std::string &body) {
    source.text = module("mad.wide.s32 %d2, %r0, 4, %d0;\nmad.wide.s32 %d3, %r0, 4, %d1;\n"
                         "ld.global.f32 %r2, [%d2];\n" +
                         body + "st.global.f32 [%d3], %r5;\n");
    llvm::cantFail(decodeSource(source));
    LaunchFacts facts;
    facts.grid = {1, 1, 1};
    const mettle::assembly::ptx::Function *entry = llvm::cantFail(findEntry(source, ""));
    llvm::cantFail(completeFacts(source, *entry, facts));
    analyse(source.module, *entry, facts, analysis);
    return analysis.signature.outputs.at(0).regions.at(0).tree;
  }
  Drawing drawn(const std::string &body, size_t most = 100) {
    const Tree &tree = treeOf(body);
    return drawingOf(
        analysis.trees, tree, [](InstructionId at) { return at == ~0u ? 0 : at; }, most);
  }
};

/// The product stands twice in the sum.
const char *sharedProduct = "mul.rn.f32 %r3, %r2, 0f40400000;\nabs.f32 %r4, %r3;\n"
                            "sub.rn.f32 %r5, %r4, %r3;\n";

TEST_F(PrintTest, ANodeIsDrawnOnce) {
  Drawing drawing = drawn(sharedProduct);
  std::multiset<std::string> labels;
  unsigned edges = 0;
  for (const Drawing::Node &node : drawing.nodes) {
    labels.insert(node.label);
    edges += unsigned(node.children.size());
  }
  EXPECT_EQ(labels, (std::multiset<std::string>{"0x40400000", "abs.f32", "mul.rn.f32",
                                                "param0[4*x0].b32", "sub.rn.f32"}));
  EXPECT_EQ(edges, 5u);
  EXPECT_EQ(drawing.nodes[0].label, "sub.rn.f32");
  EXPECT_NE(drawing.nodes[0].below().find("line "), std::string::npos);
}

TEST_F(PrintTest, WhatIsTooMuchIsLeftOut) {
  Drawing drawing = drawn(sharedProduct, 3);
  size_t leftOut = 0;
  for (const Drawing::Node &node : drawing.nodes)
    leftOut += node.leftOut;
  EXPECT_GT(leftOut, 0u);
  EXPECT_LT(drawing.nodes.size(), 6u);
}

TEST_F(PrintTest, TextNamesWhatStandsAboveAndItsLine) {
  const Tree &tree = treeOf(sharedProduct);
  std::string text;
  llvm::raw_string_ostream os(text);
  printTree(os, analysis.trees, tree, [](InstructionId at) { return at == ~0u ? 0 : 7; });
  EXPECT_EQ(text, "#0 sub.rn.f32    line 7\n"
                  "  #1 abs.f32    line 7\n"
                  "    #2 mul.rn.f32    line 7\n"
                  "      0x40400000\n"
                  "      param0[4*x0].b32    line 7\n"
                  "  #2 as above\n");
}

TEST_F(PrintTest, GraphsAndPicturesHaveEveryNode) {
  Drawing drawing = drawn(sharedProduct);
  std::string dot, svg;
  llvm::raw_string_ostream dotStream(dot), svgStream(svg);
  printDot(dotStream, drawing);
  printSvg(svgStream, {{"a < b & c", drawing}});
  for (const Drawing::Node &node : drawing.nodes) {
    EXPECT_NE(dot.find("label=\"" + node.label), std::string::npos) << dot;
    EXPECT_NE(svg.find("<title>" + node.label + "</title>"), std::string::npos) << svg;
  }
  EXPECT_NE(svg.find("a &lt; b &amp; c"), std::string::npos);
  // The product hangs below one of its two users; the other edge is dashed.
  EXPECT_NE(svg.find("edge shared"), std::string::npos);
}

} // namespace
