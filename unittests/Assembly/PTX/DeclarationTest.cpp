//===- DeclarationTest.cpp - Declarations as they are decoded -------------===//
//
// Variables, registers and their scopes, functions, labels, locations, sections, initialisers.
//
//===----------------------------------------------------------------------===//

#include "Mettle/Assembly/PTX/Initializer.h"
#include "Mettle/Assembly/PTX/Section.h"
#include "ParsedText.h"
#include "gtest/gtest.h"

using namespace mettle::assembly::ptx;

static const std::string header = ".version 8.0\n.target sm_90a\n.address_size 64\n";

static const Variable &variableNamed(const Module &module, llvm::StringRef name) {
  for (const Variable &variable : module.variables)
    if (variable.name != None && module.name(variable.name) == name)
      return variable;
  ADD_FAILURE() << "no variable " << name.str();
  return module.variables.front();
}

TEST(PTXDeclaration, ModuleFacts) {
  ParsedText t(".version 8.10\n.target sm_100a, texmode_independent\n.address_size 64\n");
  ASSERT_TRUE(t.good) << t.complaints();
  EXPECT_EQ(t.module.version.major, 8u);
  EXPECT_EQ(t.module.version.minor, 10u);
  EXPECT_EQ(t.module.target.number, 100u);
  EXPECT_EQ(t.module.target.suffix, 'a');
  EXPECT_EQ(t.module.addressSize, 64u);
  EXPECT_EQ(ParsedText(".version 8.0\n.target sm_90").module.addressSize, 32u);
}

TEST(PTXDeclaration, VersionEndsAtTheNextDirective) {
  // ptxas takes the first of these and refuses the others.
  ParsedText t(".version 8.0.target sm_90");
  ASSERT_TRUE(t.good) << t.complaints();
  EXPECT_EQ(t.module.version.minor, 0u);
  EXPECT_EQ(t.lost(), "");
  for (const char *version : {"8.0.1", "8.0.", "8.", "8.0x"})
    EXPECT_FALSE(ParsedText(".version " + std::string(version) + "\n.target sm_90").good)
        << version;
}

TEST(PTXDeclaration, Variables) {
  ParsedText t(header + ".extern .shared .align 16 .b8 arena[];\n"
                        ".visible .global .v4 .f32 quad[2][3];\n"
                        ".const .u16 one, two[5];\n"
                        ".weak .global .align 1 .u64 packed;\n");
  ASSERT_TRUE(t.good) << t.complaints();
  const Variable &arena = variableNamed(t.module, "arena");
  EXPECT_EQ(arena.space, StateSpace::Shared);
  EXPECT_EQ(arena.linkage, Linkage::Extern);
  EXPECT_EQ(arena.alignment, 16u);
  EXPECT_EQ(arena.size, 0u);
  EXPECT_TRUE(arena.isArray);
  const Variable &quad = variableNamed(t.module, "quad");
  EXPECT_EQ(quad.size, 2u * 3 * 16);
  EXPECT_EQ(quad.alignment, 16u);
  EXPECT_EQ(quad.vectorWidth, 4);
  EXPECT_EQ(variableNamed(t.module, "one").size, 2u);
  EXPECT_EQ(variableNamed(t.module, "two").size, 10u);
  EXPECT_TRUE(variableNamed(t.module, "two").continues);
  EXPECT_EQ(variableNamed(t.module, "packed").alignment, 1u);
}

TEST(PTXDeclaration, Functions) {
  ParsedText t(header +
               ".func (.reg .b32 out) f(.reg .b32 in, .param .align 8 .b8 s[12]) { ret; }\n"
               ".visible .entry k(.param .u64 .ptr .shared .align 32 p, .param .u64 .ptr q)\n"
               ".reqntid 128, 2 .minnctapersm 3 { ret; }\n");
  ASSERT_TRUE(t.good) << t.complaints();
  const Function *f = t.module.functionNamed("f");
  ASSERT_TRUE(f);
  EXPECT_FALSE(f->isEntry);
  EXPECT_EQ(f->returns.size(), 1u);
  EXPECT_EQ(f->parameters.size(), 2u);
  EXPECT_EQ(f->registerCount[unsigned(RegisterClass::B32)], 2u);
  EXPECT_EQ(t.module.variables[f->parameters.first + 1].size, 12u);
  const Function *k = t.module.functionNamed("k");
  ASSERT_TRUE(k);
  EXPECT_TRUE(k->isEntry);
  const Variable &p = t.module.variables[k->parameters.first];
  EXPECT_TRUE(p.isPointer);
  EXPECT_EQ(p.pointee, StateSpace::Shared);
  EXPECT_EQ(p.pointeeAlignment, 32u);
  EXPECT_EQ(t.module.variables[k->parameters.first + 1].pointee, StateSpace::None);
  ASSERT_EQ(k->directives.size(), 2u);
  const FunctionDirective &reqntid = t.module.directives[k->directives.first];
  EXPECT_EQ(t.module.name(reqntid.name), "reqntid");
  EXPECT_EQ(reqntid.valueCount, 2);
  EXPECT_EQ(reqntid.values[0], 128u);
  EXPECT_EQ(reqntid.values[1], 2u);
  EXPECT_EQ(t.module.functionOf(0), f);
  EXPECT_EQ(t.module.functionOf(1), k);
  EXPECT_EQ(t.module.functionNamed("absent"), nullptr);
}

/// The numbers of the registers that `mov.b32 REG, 0;` instructions write, in order.
static std::vector<uint32_t> written(const ParsedText &t) {
  std::vector<uint32_t> numbers;
  for (const Instruction &instruction : t.module.instructions)
    if (instruction.opcode == Opcode::Mov)
      numbers.push_back(t.module.operandsOf(instruction)[0].reg().number());
  return numbers;
}

TEST(PTXDeclaration, InnerScopesHideOuterRegisters) {
  ParsedText t(inEntry(".reg .b32 %r<4>, x;\n"
                       "mov.b32 %r3, 0; mov.b32 x, 0;\n"
                       "{ .reg .b32 %r<2>; mov.b32 %r1, 0; mov.b32 %r3, 0;\n"
                       "  { .reg .b32 %r1, x; mov.b32 %r1, 0; mov.b32 %r0, 0; mov.b32 x, 0; }\n"
                       "  mov.b32 %r1, 0; mov.b32 x, 0; }\n"
                       "mov.b32 %r1, 0;"));
  ASSERT_TRUE(t.good) << t.complaints();
  // %r<4> is 0 to 3, x 4, the inner range 5 and 6, the innermost %r1 and x 7 and 8. The
  // range in the middle hides %r0 and %r1 only, as ptxas has it.
  EXPECT_EQ(written(t), (std::vector<uint32_t>{3, 4, 6, 3, 7, 5, 8, 6, 4, 1}));
  EXPECT_EQ(t.lost(), "");
}

TEST(PTXDeclaration, RangesWithDigitsInTheirPrefix) {
  ParsedText t(inEntry(".reg .b32 %f1<30>, a<3>, $s_<2>, %averylongprefix<4>;\n"
                       "mov.b32 %f12, 0; mov.b32 %f129, 0; mov.b32 a2, 0; mov.b32 $s_1, 0;\n"
                       "mov.b32 %averylongprefix3, 0;"));
  ASSERT_TRUE(t.good) << t.complaints();
  EXPECT_EQ(written(t), (std::vector<uint32_t>{2, 29, 32, 34, 38}));
  EXPECT_EQ(t.lost(), "");
  EXPECT_FALSE(ParsedText(inEntry(".reg .b32 %r<3>; mov.b32 %r3, 0;")).good);
  EXPECT_FALSE(ParsedText(inEntry(".reg .b32 %r<3>; mov.b32 %r01, 0;")).good);
}

TEST(PTXDeclaration, MoreRangesThanTheQuickTableHas) {
  std::string body;
  for (char c = 'a'; c <= 'z'; ++c)
    body += std::string(".reg .b32 %") + c + "<2>; mov.b32 %" + c + "1, 0;\n";
  body += "{ .reg .b32 %a<2>, %z<2>; mov.b32 %a0, 0; mov.b32 %z0, 0; }\n";
  body += "mov.b32 %a0, 0; mov.b32 %z0, 0;";
  ParsedText t(inEntry(body));
  ASSERT_TRUE(t.good) << t.complaints();
  std::vector<uint32_t> expected;
  for (uint32_t i = 0; i < 26; ++i)
    expected.push_back(2 * i + 1);
  for (uint32_t number : {52u, 54u, 0u, 50u})
    expected.push_back(number);
  EXPECT_EQ(written(t), expected);
}

TEST(PTXDeclaration, LabelsOfBlocks) {
  ParsedText t(inEntry("{ bra L; L: ret; }\n{ bra L; L: ret; }\nbra M;\n{ bra M; }\nM: ret;"));
  ASSERT_TRUE(t.good) << t.complaints();
  auto target = [&](unsigned instruction) {
    const Operand &operand = t.operand(instruction, 0);
    EXPECT_TRUE(operand.is(OperandKind::Label));
    return t.module.labels[operand.index].target;
  };
  EXPECT_EQ(target(0), 1u);
  EXPECT_EQ(target(2), 3u);
  EXPECT_EQ(target(4), 6u);
  EXPECT_EQ(target(5), 6u);
  EXPECT_EQ(ParsedText(inEntry("{ bra L; }\n{ L: ret; }")).complaints(),
            "6:7: 'L' is not declared\n");
}

TEST(PTXDeclaration, Locations) {
  ParsedText t(header + ".file 1 \"a.cu\"\n.file 7 \"b.cu\", 12, 0x20\n.entry k() {\nret;\n"
                        ".loc 1 10 3\nret;\nret;\n"
                        ".loc 7 20 5, function_name $name+4, inlined_at 1 10 3\nret;\n}\n"
                        ".entry l() { ret; }\n");
  ASSERT_TRUE(t.good) << t.complaints();
  EXPECT_EQ(t.instruction(0).location, 0u);
  const Location &first = t.module.locations[t.instruction(2).location];
  EXPECT_EQ(first.line, 10u);
  EXPECT_EQ(first.column, 3u);
  EXPECT_EQ(first.inlinedFile, None);
  const Location &second = t.module.locations[t.instruction(3).location];
  EXPECT_EQ(t.module.slice(t.module.fileNumbered(second.file)->path), "\"b.cu\"");
  EXPECT_EQ(t.module.name(second.functionName), "$name");
  EXPECT_EQ(second.functionOffset, 4u);
  EXPECT_EQ(second.inlinedLine, 10u);
  // A location ends with its function.
  EXPECT_EQ(t.instruction(4).location, 0u);
  EXPECT_EQ(t.lost(), "");
}

TEST(PTXDeclaration, SectionData) {
  ParsedText t(header + ".section .debug_x {\nname: .b8 1, 0xff, -1 // c\n.b16 65535\n"
                        ".b32 name, name+4, .debug_x\n.b64 name-other\n}\n.section e { }\n");
  ASSERT_TRUE(t.good) << t.complaints();
  ASSERT_EQ(t.module.sections.size(), 2u);
  std::string walked;
  SectionReader reader(t.text, t.module.sections[0].body.offset);
  while (reader.next()) {
    const SectionDatum &datum = reader.datum();
    walked += std::to_string(datum.bytes) + " " + datum.symbol.str() + " " +
              std::to_string(int64_t(datum.value)) + " " + datum.other.str() + "\n";
  }
  EXPECT_EQ(reader.fault(), "");
  EXPECT_EQ(walked, "0 name 0 \n1  1 \n1  255 \n1  -1 \n2  65535 \n4 name 0 \n4 name 4 \n"
                    "4 .debug_x 0 \n8 name 0 other\n");
  EXPECT_EQ(t.lost(), "");
}

static std::string bytesOf(const std::string &declaration, const std::string &name = "v") {
  ParsedText t(header + ".global .u32 one;\n" + declaration);
  if (!t.good)
    return t.complaints();
  std::vector<uint8_t> bytes;
  std::vector<Relocation> relocations;
  std::string reason;
  if (!initialBytes(t.module, variableNamed(t.module, name), bytes, relocations, reason))
    return reason;
  std::string text;
  for (uint8_t byte : bytes)
    text += "0123456789abcdef"[byte >> 4], text += "0123456789abcdef"[byte & 15];
  for (const Relocation &relocation : relocations)
    text += " " + std::to_string(relocation.offset) + ":" + t.module.name(relocation.symbol).str() +
            "+" + std::to_string(relocation.addend) + (relocation.isGeneric ? "g" : "") +
            (~relocation.mask ? "&" + std::to_string(relocation.mask) : "");
  EXPECT_EQ(t.lost(), "");
  return text;
}

TEST(PTXDeclaration, InitialBytes) {
  EXPECT_EQ(bytesOf(".global .u32 v = 0x01020304;"), "04030201");
  EXPECT_EQ(bytesOf(".global .u32 v = {7};"), "07000000");
  EXPECT_EQ(bytesOf(".global .u16 v[4] = {1, -1};"), "0100ffff00000000");
  EXPECT_EQ(bytesOf(".global .b8 v[] = {1, 2, 3};"), "010203");
  EXPECT_EQ(bytesOf(".global .b8 v[2][3] = {{1}, {4, 5}};"), "010000040500");
  EXPECT_EQ(bytesOf(".global .b8 v[2][3] = {1, 2, 3, 4};"), "010203040000");
  EXPECT_EQ(bytesOf(".global .v2 .b8 v[2] = {{1, 2}, {3, 4}};"), "01020304");
  EXPECT_EQ(bytesOf(".global .f32 v[3] = {1.0, 0f40000000, 1};"), "0000803f0000004001000000");
  EXPECT_EQ(bytesOf(".global .f64 v = 0f3f800000;"), "000000000000f03f");
  EXPECT_EQ(bytesOf(".global .f16 v = 1.0;"), "003c");
  EXPECT_EQ(bytesOf(".global .u64 v[2] = {one, generic(one)+4};"),
            "00000000000000000000000000000000 0:one+0 8:one+4g");
  EXPECT_EQ(bytesOf(".global .b8 v[2] = {0xff(one), 0xff00(generic(one)+1)};"),
            "0000 0:one+0&255 1:one+1g&65280");
  EXPECT_EQ(bytesOf(".global .u32 v = 1 << 4 | 3;"), "13000000");
  EXPECT_EQ(bytesOf(".global .b8 v[2] = {1, 2, 3};"), "more values than the array has elements");
  EXPECT_EQ(bytesOf(".global .b8 v[2] = {{1}};"), "braces are deeper than the array");
  EXPECT_EQ(bytesOf(".global .b8 v[2][2] = {1, {2}};"), "braces open within a row");
  EXPECT_EQ(bytesOf(".global .u64 v = absent;"),
            "5:18: 'absent' is not a declared variable or function\n");
}

TEST(PTXDeclaration, ModulesAreReused) {
  Module module;
  std::vector<Diagnostic> errors;
  std::string first = inEntry(".reg .b32 %r<4>; mov.b32 %r1, 0f3f800000; L: bra L;");
  std::string second = inEntry("ret;");
  ASSERT_TRUE(parse(first, module, errors));
  size_t held = module.memory();
  ASSERT_TRUE(parse(second, module, errors));
  EXPECT_EQ(module.instructions.size(), 1u);
  EXPECT_EQ(module.labels.size(), 0u);
  EXPECT_EQ(module.memory(), held);
  EXPECT_TRUE(errors.empty());
}
