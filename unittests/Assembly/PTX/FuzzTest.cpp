//===- FuzzTest.cpp - Mutated texts ---------------------------------------===//
//
// Whatever the bytes, the reader must end, soon and in memory bounded by their number, with errors
// or with a module that every walker can walk and that prints back token for token. The mutations
// are a function of a fixed seed: a failure names the number that makes it again.
//
//===----------------------------------------------------------------------===//

#include "Mettle/Assembly/PTX/ControlFlow.h"
#include "Mettle/Assembly/PTX/Initializer.h"
#include "Mettle/Assembly/PTX/Section.h"
#include "ParsedText.h"
#include "llvm/Support/MemoryBuffer.h"
#include "gtest/gtest.h"
#include <cstdlib>
#include <ctime>
#include <random>

using namespace mettle::assembly::ptx;

static bool isDeep() {
  const char *deep = std::getenv("METTLE_DEEP");
  return deep && llvm::StringRef(deep) == "1";
}

/// The text every statement form stands in, and the examples of all opcodes.
static std::vector<std::string> seeds() {
  auto file = llvm::MemoryBuffer::getFile(METTLE_SOURCE_DIR "/test/Assembly/PTX/print.ptx");
  EXPECT_TRUE(file);
  std::vector<std::string> texts = {(*file)->getBuffer().str()};
  std::string all = ".version 9.0\n.target sm_100a\n.global .texref texture;\n.global .surfref "
                    "surface;\n.func (.reg .b32 out) callee(.reg .b32 in) { ret; }\n.entry k() {\n"
                    ".reg .pred %p<4>; .reg .b32 %r<32>; .reg .b64 %d<8>; .reg .b128 %q<4>;\n"
                    "label:\ntargets: .branchtargets label;\n";
  for (const OpcodeInfo &row : opcodeTable())
    if (!row.example.empty() && !row.name.starts_with("wgmma"))
      all += row.example.str() + ";\n";
  texts.push_back(all + "}\n");
  texts.push_back(inEntry("ret;"));
  return texts;
}

namespace {
class Mutator {
public:
  explicit Mutator(const std::vector<std::string> &seeds) : seeds(seeds) {}

  std::string operator()(uint64_t number) {
    random.seed(number);
    std::string text = seeds[below(seeds.size())];
    for (unsigned i = 0, count = 1 + below(8); i < count; ++i)
      mutate(text);
    return text;
  }

private:
  size_t below(size_t bound) { return bound ? random() % bound : 0; }

  void mutate(std::string &text) {
    static const char *const words[] = {"{",
                                        "}",
                                        "(",
                                        ")",
                                        "[",
                                        "]",
                                        "<",
                                        ">",
                                        ";",
                                        ",",
                                        ":",
                                        "::",
                                        ".",
                                        "|",
                                        "!",
                                        "@",
                                        "@!",
                                        "+",
                                        "-",
                                        "%",
                                        "%r",
                                        "%r1",
                                        "%r99999999999",
                                        "%p0",
                                        "%tid.x",
                                        "_",
                                        "\"",
                                        "/*",
                                        "*/",
                                        "//",
                                        "#",
                                        "@@DWARF x\n",
                                        "0",
                                        "-1",
                                        "0x",
                                        "0f3f800000",
                                        "0f",
                                        "1e",
                                        "1.5",
                                        "18446744073709551616",
                                        "WARP_SZ",
                                        "(1+2)",
                                        "?",
                                        "<<",
                                        ".reg .b32 %r<4294967295>;",
                                        ".reg .v4 .f32 v<536870911>;",
                                        ".reg .b32 %r1;",
                                        ".b8",
                                        ".v4",
                                        ".align 3",
                                        ".loc 1 2 3",
                                        ".entry x() { ret; }",
                                        ".func f;",
                                        "mov.b32",
                                        "call",
                                        "bra",
                                        "L:",
                                        "brx.idx %r1, L;",
                                        "M: .branchtargets L, M;",
                                        "ret;",
                                        "\n",
                                        "= {1, {2}, generic(x)+3}",
                                        ".global .b8 g[4294967295][4294967295];",
                                        "\r\n",
                                        "\xff"};
    size_t at = below(text.size() + 1), length = below(std::min<size_t>(text.size() - at, 64) + 1);
    switch (below(9)) {
    case 0:
      if (at < text.size())
        text[at] = char(random());
      break;
    case 1:
      text.erase(at, length);
      break;
    case 2:
      text.insert(below(text.size() + 1), text.substr(at, length));
      break;
    case 3:
    case 4:
      text.insert(at, words[below(std::size(words))]);
      break;
    case 5:
      text.replace(at, length, words[below(std::size(words))]);
      break;
    case 6:
      text.resize(at);
      break;
    case 7: {
      const std::string &other = seeds[below(seeds.size())];
      text.insert(at, other.substr(below(other.size()), 200));
      break;
    }
    case 8: {
      std::string many;
      for (size_t i = 0, count = below(300); i < count; ++i)
        many += words[below(3) ? at % std::size(words) : below(std::size(words))];
      text.insert(at, many);
      break;
    }
    }
  }

  const std::vector<std::string> &seeds;
  std::mt19937_64 random;
};
} // namespace

/// Touches all that a module gives access to.
static void walk(const Module &module) {
  for (const Function &function : module.functions) {
    if (!function.hasBody)
      continue;
    RegisterNames names(module, function);
    for (const Instruction &instruction : module.instructionsOf(function)) {
      module.forEachRegister(instruction, [&](RegisterId reg, bool, bool) {
        ASSERT_LT(reg.number(), function.registerCount[unsigned(reg.cls())]);
        names.declarationOf(reg);
      });
    }
    ControlFlowGraph graph(module, function);
    for (uint32_t b = 0; b < graph.blocks().size(); ++b)
      for (uint32_t successor : graph.successors(b))
        ASSERT_LT(successor, graph.blocks().size());
  }
  std::vector<uint8_t> bytes;
  std::vector<Relocation> relocations;
  std::string reason;
  for (const Variable &variable : module.variables)
    if (!variable.initializer.empty() && variable.size < (1 << 20))
      initialBytes(module, variable, bytes, relocations, reason);
  for (const Section &section : module.sections) {
    SectionReader reader(module.text, section.body.offset);
    while (reader.next())
      ;
    ASSERT_TRUE(reader.fault().empty());
  }
  llvm::raw_null_ostream os;
  printDecoded(os, module);
  printControlFlow(os, module);
  printStatistics(os, module);
}

TEST(PTXFuzz, MutatedTexts) {
  std::vector<std::string> texts = seeds();
  for (const std::string &text : texts) {
    ParsedText parsed(text);
    ASSERT_TRUE(parsed.good) << parsed.complaints();
  }
  Mutator mutator(texts);
  uint64_t count = isDeep() ? 1000000 : 10000, accepted = 0;
  Module module;
  std::vector<Diagnostic> errors;
  for (uint64_t number = 0; number < count; ++number) {
    SCOPED_TRACE(number);
    std::string text = mutator(number);
    errors.clear();
    bool good = parse(text, module, errors);
    ASSERT_EQ(good, errors.empty());
    ASSERT_LE(errors.size(), 20u);
    for (const Diagnostic &error : errors) {
      ASSERT_LE(error.offset, text.size());
      ASSERT_FALSE(error.message.empty());
      ASSERT_EQ(error.message.find('\n'), std::string::npos);
    }
    // Tables keep their capacity from one text to the next, so only a fresh module is measured.
    if (number % 64 == 0) {
      Module fresh;
      errors.clear();
      parse(text, fresh, errors);
      ASSERT_LE(fresh.memory(), 64 * text.size() + 16384);
    }
    if (!good)
      continue;
    ++accepted;
    walk(module);
    if (HasFatalFailure())
      return;
    std::string printed;
    llvm::raw_string_ostream os(printed);
    printModule(os, module);
    TokenDifference difference = compareTokens(text, printed);
    ASSERT_TRUE(difference.equal) << difference.left.str() << " became " << difference.right.str();
    ASSERT_TRUE(ParsedText(printed).good) << ParsedText(printed).complaints() << printed;
  }
  // A mutator that breaks everything would test nothing of what comes after the reader.
  EXPECT_GT(accepted, count / 50);
  RecordProperty("accepted", std::to_string(accepted));
}

TEST(PTXFuzz, HostileTextsTakeLinearTime) {
  auto repeated = [](const std::string &before, auto each, const std::string &after) {
    std::string text = before;
    for (unsigned i = 0; text.size() < (4u << 20); ++i)
      text += each(std::to_string(i));
    return text + after;
  };
  std::string head = ".version 8.0\n.target sm_90\n.entry k() {\n";
  using S = const std::string &;
  std::vector<std::string> texts = {
      repeated(
          head, [](S i) { return ".reg .b32 %a" + i + "x<9>; mov.b32 %a" + i + "x1, 1;\n"; }, "}"),
      repeated(
          head + ".reg .b32 %r<9>;", [](S i) { return "{.reg .b32 %r" + i + ";}\n"; }, "}"),
      repeated(
          head, [](S i) { return ".reg .b32 %r" + i + ";"; }, "}"),
      repeated(
          head, [](S i) { return "bra L" + i + ";"; }, "}"),
      repeated(
          head, [](S i) { return "{ bra L" + i + "; M:}"; }, "}"),
      repeated(
          head, [](S i) { return "{ bra L; M: bra M; "; }, ""),
      repeated(
          head, [](S i) { return "L" + i + ":"; }, "}"),
      repeated(
          head, [](S) { return "{}"; }, "}"),
      repeated(
          head + "mov.b32 ", [](S) { return "{"; }, "}"),
      repeated(
          head + "mov.b32 x, ", [](S) { return "1+"; }, "1;}"),
      repeated(
          head + "opaque {", [](S) { return "1,"; }, "1};}"),
      repeated(
          head + "opaque ", [](S) { return "1,"; }, "1;}"),
      repeated(
          head, [](S i) { return "o" + i + ".p" + i + ";"; }, "}"),
      repeated(
          head, [](S i) { return "opaque" + i + ";"; }, "}"),
      repeated(
          ".version 8.0\n.target sm_90\n", [](S i) { return ".func f" + i + "();"; }, ""),
      repeated(
          ".version 8.0\n.target sm_90\n.global .b8 x[]={", [](S) { return "1,"; }, "1};"),
      repeated(
          ".version 8.0\n.target sm_90\n.global .b8 x", [](S) { return "[1]"; }, ";"),
      repeated(
          ".version 8.0\n.target sm_90\n", [](S) { return "/**/"; }, ""),
      repeated(
          ".version 8.0\n.target sm_90\n", [](S) { return "}"; }, ""),
      repeated(
          "", [](S) { return "\""; }, ""),
      repeated(
          ".version 8.0\n.target sm_90\n.pragma ", [](S) { return "\""; }, ""),
      repeated(
          ".version 8.0\n.target sm_90\n.section .x {", [](S) { return ".b8 1\n"; }, "}"),
  };
  for (size_t i = 0; i < texts.size(); ++i) {
    Module module;
    std::vector<Diagnostic> errors;
    std::clock_t start = std::clock();
    bool good = parse(texts[i], module, errors);
    if (good) {
      llvm::raw_null_ostream os;
      printModule(os, module);
      for (const Function &function : module.functions)
        if (function.hasBody)
          ControlFlowGraph(module, function);
    }
    double seconds = double(std::clock() - start) / CLOCKS_PER_SEC;
    // 4 MiB take a few hundredths of a second where nothing is quadratic, minutes where it is.
    EXPECT_LT(seconds, 10) << "text " << i;
    EXPECT_LE(module.memory(), 64 * texts[i].size()) << "text " << i;
  }
}
