//===- ControlFlowTest.cpp - Blocks, edges, dominators --------------------===//
//
// Graphs of small bodies against what they must be, and of random ones against definitions.
//
//===----------------------------------------------------------------------===//

#include "Mettle/Assembly/PTX/ControlFlow.h"
#include "ParsedText.h"
#include "gtest/gtest.h"
#include <random>

using namespace mettle::assembly::ptx;

/// Each block as `successors`, one a line, with `!` where control may leave.
static std::string edges(const ControlFlowGraph &graph) {
  std::string text;
  for (uint32_t b = 0; b < graph.blocks().size(); ++b) {
    for (uint32_t successor : graph.successors(b))
      text += std::to_string(successor) + " ";
    text += graph.blocks()[b].leaves ? "!\n" : "\n";
  }
  return text;
}

static std::string edgesOf(const std::string &body) {
  ParsedText t(inEntry(".reg .pred %p<3>; .reg .b32 %r<3>;\n" + body));
  EXPECT_TRUE(t.good) << t.complaints();
  return edges(ControlFlowGraph(t.module, t.module.functions.front()));
}

TEST(PTXControlFlow, Edges) {
  EXPECT_EQ(edgesOf("ret;"), "!\n");
  EXPECT_EQ(edgesOf("mov.b32 %r1, 0;"), "!\n");
  EXPECT_EQ(edgesOf(""), "!\n");
  EXPECT_EQ(edgesOf("@%p1 bra L; mov.b32 %r1, 0; L: ret;"), "2 1 \n2 \n!\n");
  EXPECT_EQ(edgesOf("L: mov.b32 %r1, 0; @%p1 bra L; ret;"), "0 1 \n!\n");
  EXPECT_EQ(edgesOf("@!%p1 ret; @%p1 exit; trap;"), "1 !\n2 !\n!\n");
  EXPECT_EQ(edgesOf("bra L; mov.b32 %r1, 0; L:"), "2 \n2 \n!\n");
  EXPECT_EQ(edgesOf("T: .branchtargets A, B, A; brx.idx %r1, T; A: ret; B: bra A;"),
            "1 2 \n!\n1 \n");
  // Both ways to the same block are one edge.
  EXPECT_EQ(edgesOf("@%p1 bra L; L: ret;"), "1 \n!\n");
}

TEST(PTXControlFlow, Diamond) {
  ParsedText t(inEntry(".reg .pred %p<3>; .reg .b32 %r<3>;\n"
                       "@%p1 bra R; mov.b32 %r1, 0; bra J; R: mov.b32 %r1, 1; J: ret;"));
  ControlFlowGraph graph(t.module, t.module.functions.front());
  ASSERT_EQ(graph.blocks().size(), 4u);
  EXPECT_EQ(graph.immediateDominator(3), 0u);
  EXPECT_EQ(graph.immediatePostDominator(0), 3u);
  EXPECT_EQ(graph.immediatePostDominator(3), None);
  EXPECT_TRUE(graph.dominates(0, 3));
  EXPECT_FALSE(graph.dominates(1, 3));
  EXPECT_EQ(graph.blockOf(2), 1u);
  EXPECT_EQ(graph.reversePostOrder().front(), 0u);
}

/// Whether `to` can be reached from `from` without passing `without`; `~0` as `to` is the exit.
static bool reaches(const ControlFlowGraph &graph, uint32_t from, uint32_t to, uint32_t without) {
  std::vector<bool> seen(graph.blocks().size());
  std::vector<uint32_t> stack;
  if (from != without)
    stack.push_back(from);
  while (!stack.empty()) {
    uint32_t block = stack.back();
    stack.pop_back();
    if (block == to || (to == None && graph.blocks()[block].leaves))
      return true;
    if (seen[block])
      continue;
    seen[block] = true;
    for (uint32_t successor : graph.successors(block))
      if (successor != without)
        stack.push_back(successor);
  }
  return false;
}

TEST(PTXControlFlow, RandomGraphsMeetTheDefinitions) {
  std::mt19937 random(7);
  for (unsigned round = 0; round < 300; ++round) {
    unsigned count = 2 + random() % 9;
    std::string body = ".reg .pred %p<3>;\n";
    for (unsigned i = 0; i < count; ++i) {
      std::string target = "L" + std::to_string(random() % count);
      body += "L" + std::to_string(i) + ": ";
      switch (random() % 4) {
      case 0:
        body += "bra " + target + ";\n";
        break;
      case 1:
        body += "@%p1 ret;\n";
        break;
      default:
        body += "@%p1 bra " + target + ";\n";
      }
    }
    ParsedText t(inEntry(body));
    ASSERT_TRUE(t.good) << t.complaints();
    ControlFlowGraph graph(t.module, t.module.functions.front());
    auto blocks = uint32_t(graph.blocks().size());
    // The nearest of the blocks that separate: the one that all the others separate too.
    auto nearest = [&](const std::vector<uint32_t> &separating, auto separates) {
      for (uint32_t a : separating)
        if (llvm::all_of(separating, [&](uint32_t c) { return c == a || separates(c, a); }))
          return a;
      return None;
    };
    for (uint32_t b = 0; b < blocks; ++b) {
      EXPECT_EQ(graph.isReachable(b), reaches(graph, 0, b, None));
      auto dominates = [&](uint32_t a, uint32_t c) {
        return reaches(graph, 0, c, None) && !reaches(graph, 0, c, a);
      };
      auto postDominates = [&](uint32_t a, uint32_t c) {
        return reaches(graph, c, None, None) && !reaches(graph, c, None, a);
      };
      std::vector<uint32_t> above, below;
      for (uint32_t a = 0; a < blocks; ++a) {
        EXPECT_EQ(graph.dominates(a, b), reaches(graph, 0, a, None) && dominates(a, b))
            << body << a << " " << b;
        if (a != b && dominates(a, b))
          above.push_back(a);
        if (a != b && postDominates(a, b))
          below.push_back(a);
      }
      EXPECT_EQ(graph.immediateDominator(b), nearest(above, dominates)) << body << b;
      EXPECT_EQ(graph.immediatePostDominator(b), nearest(below, postDominates)) << body << b;
    }
  }
}
