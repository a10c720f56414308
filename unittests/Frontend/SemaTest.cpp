//===- SemaTest.cpp - types, constants, flow and address spaces -===//
//
// What type each mixture of operands has, which literals fit where, what is folded, and what the
// inference of address spaces finds. The refusals are in test/Frontend, one file each.
//
//===----------------------------------------------------------------------===//

#include "Analysed.h"
#include "Mettle/Frontend/AddressSpaces.h"

#include "gtest/gtest.h"

using namespace mettle::frontend;

/// Type of an expression over one variable of each scalar type, named by class and width.
static std::string typeOf(llvm::StringRef expression) {
  std::string text =
      "kernel k(b: bool, i8: int8, i16: int16, i32: int32, i64: int64, u8: uint8, u16: uint16, "
      "u32: "
      "uint32, u64: uint64, h: float16, f: float32, d: float64, p: float32*) { if ((bool)(" +
      expression.str() + ")) { } }";
  Analysed analysed(text);
  if (!analysed.errors.empty())
    return analysed.errors.front().substr(analysed.errors.front().find_last_of(' ') + 1);
  auto *choice = llvm::cast<IfStmt>(analysed.function("k")->body->statements[0]);
  return llvm::cast<CastExpr>(choice->condition)->operand->type->spelling();
}

TEST(Sema, ArithmeticConverts) {
  EXPECT_EQ(typeOf("i8 + i8"), "int32");
  EXPECT_EQ(typeOf("u8 * u16"), "int32");
  EXPECT_EQ(typeOf("b + b"), "int32");
  EXPECT_EQ(typeOf("i32 + u32"), "uint32");
  EXPECT_EQ(typeOf("i64 + u32"), "int64");
  EXPECT_EQ(typeOf("i32 + u64"), "uint64");
  EXPECT_EQ(typeOf("i64 + u64"), "uint64");
  EXPECT_EQ(typeOf("h + h"), "float32");
  EXPECT_EQ(typeOf("f + d"), "float64");
  EXPECT_EQ(typeOf("-u8"), "int32");
  EXPECT_EQ(typeOf("~b"), "int32");
  EXPECT_EQ(typeOf("-h"), "float32");
  EXPECT_EQ(typeOf("i8 < u64"), "bool");
  EXPECT_EQ(typeOf("(i8 < u64) + 1"), "int32");
  EXPECT_EQ(typeOf("!f"), "bool");
  EXPECT_EQ(typeOf("i8 && f"), "bool");
  EXPECT_EQ(typeOf("f + i32"), "mixed_operands");
  EXPECT_EQ(typeOf("f % f"), "operand_type");
}

TEST(Sema, AShiftHasTheTypeOfItsLeftSide) {
  EXPECT_EQ(typeOf("u8 << u64"), "int32");
  EXPECT_EQ(typeOf("u64 >> i8"), "uint64");
  EXPECT_EQ(typeOf("1 << u64"), "int32");
  EXPECT_EQ(typeOf("u32 << 1"), "uint32");
}

TEST(Sema, ALiteralTakesTheTypeItMeets) {
  EXPECT_EQ(typeOf("1"), "int32");
  EXPECT_EQ(typeOf("2147483647"), "int32");
  EXPECT_EQ(typeOf("2147483648"), "int64");
  EXPECT_EQ(typeOf("-2147483648"), "int32");
  EXPECT_EQ(typeOf("-2147483649"), "int64");
  EXPECT_EQ(typeOf("-9223372036854775808"), "int64");
  EXPECT_EQ(typeOf("0xFFFFFFFF"), "int64");
  EXPECT_EQ(typeOf("9223372036854775808"), "uint64");
  EXPECT_EQ(typeOf("1.5"), "float64");
  EXPECT_EQ(typeOf("u32 + 1"), "uint32");
  EXPECT_EQ(typeOf("1 + u64"), "uint64");
  EXPECT_EQ(typeOf("u32 + 4294967295"), "uint32");
  EXPECT_EQ(typeOf("u32 + 4294967296"), "int64");
  EXPECT_EQ(typeOf("i32 + 3000000000"), "int64");
  EXPECT_EQ(typeOf("i64 * 16"), "int64");
  EXPECT_EQ(typeOf("u8 & 15"), "int32");
  EXPECT_EQ(typeOf("f * 2"), "float32");
  EXPECT_EQ(typeOf("f * 0.5"), "float32");
  EXPECT_EQ(typeOf("h * 0.5"), "float32");
  EXPECT_EQ(typeOf("d * 0.5"), "float64");
  EXPECT_EQ(typeOf("f * (1 + 0.5)"), "float32");
  EXPECT_EQ(typeOf("u64 + (1 + 2)"), "uint64");
  EXPECT_EQ(typeOf("1 + 2.5"), "float64");
  EXPECT_EQ(typeOf("i32 + 1.0"), "mixed_operands");
}

static std::vector<std::string> errorsOf(llvm::StringRef body, llvm::StringRef before = "") {
  return Analysed(before + llvm::Twine("kernel k(out: int32*, n: int32) {") + body + "}").errors;
}

TEST(Sema, ALiteralFitsWhereItIsAssigned) {
  for (llvm::StringRef declaration :
       {"var x: int8 = -128;", "var x: uint8 = 255;", "var x: uint32 = 4294967295;",
        "var x: uint64 = 0xFFFFFFFFFFFFFFFF;", "var x: int64 = -9223372036854775808;",
        "var x: float32 = 1;", "var x: float16 = 0.1;", "var x: bool = 1;", "var x: int8 = 300;",
        "var x: float32 = -1.5;", "var x: int32 = true;", "var x: int8 = n;",
        "var x: float32 = (float64)n;"})
    EXPECT_TRUE(errorsOf(declaration).empty())
        << declaration.str() << " " << errorsOf(declaration).front();
  for (llvm::StringRef declaration :
       {"var x: int32 = 1.0;", "var x: float32 = n;", "var x: bool = 1.0;", "var x: int32* = n;"})
    EXPECT_EQ(errorsOf(declaration).size(), 1u) << declaration.str();
}

static std::string extent(llvm::StringRef expression, llvm::StringRef constants = "") {
  Analysed analysed(constants + llvm::Twine("kernel k() { private var a: int8[") + expression +
                    "]; }");
  if (!analysed.errors.empty())
    return analysed.errors.front().substr(analysed.errors.front().find_last_of(' ') + 1);
  auto *variable = llvm::cast<VarStmt>(analysed.function("k")->body->statements[0])->variable;
  return std::to_string(variable->type->extent());
}

TEST(Sema, ConstantsFold) {
  EXPECT_EQ(extent("2 + 3 * 4"), "14");
  EXPECT_EQ(extent("1 << 10"), "1024");
  EXPECT_EQ(extent("1 << 33"), "2");
  EXPECT_EQ(extent("(-7 / 2) + 10"), "7");
  EXPECT_EQ(extent("(-7 % 2) + 10"), "9");
  EXPECT_EQ(extent("(5 / 0) + 10"), "9");
  EXPECT_EQ(extent("5 % 0"), "5");
  EXPECT_EQ(extent("(int32)0x80000001 + 2147483647"), "array_extent"); // It wraps to 0.
  EXPECT_EQ(extent("(int32)0x80000002 + 2147483647"), "1");
  EXPECT_EQ(extent("((uint8)200 + (uint8)100)"), "300");
  EXPECT_EQ(extent("~0 + 2"), "1");
  EXPECT_EQ(extent("(3 > 2) + (1 && 0)"), "1");
}

TEST(Sema, ConstantNames) {
  EXPECT_EQ(extent("N"), "unknown_name");
  EXPECT_EQ(extent("N * M", "const N: int32 = 4; const M = N - 1; "), "12");
  EXPECT_EQ(extent("M", "const M = N; const N = 4; "), "4");
  EXPECT_EQ(extent("A", "const A = B + 1; const B = A; "), "recursive_constant");
  EXPECT_EQ(
      extent("4",
             "const A = compute(); const B: string = x; const C = sizeof(int32); const D = (A; "),
      "4");
  EXPECT_EQ(extent("B", "const A = compute(); const B: string = x; "), "host_variable");
  EXPECT_TRUE(errorsOf("var N: int32 = 100; private var a: int8[M]; a[3] = 1;",
                       "const M = N; const N = 4; ")
                  .empty());
  EXPECT_EQ(
      errorsOf("var f: float32 = F; out[0] = (int32)f;", "const F: float32 = (float32)thread.x;")
          .size(),
      1u);
  EXPECT_TRUE(errorsOf("var f: float32 = F; out[0] = (int32)f;",
                       "const F: float32 = -2 * G; const G = 0.5;")
                  .empty());
  EXPECT_EQ(extent("(N == 4) + 1", "const N: uint8 = 260; "), "2");
}

TEST(Sema, SetBeforeRead) {
  for (llvm::StringRef body :
       {"var x: int32; if (n > 0) { x = 1; } else { x = 2; } out[0] = x;",
        "var x: int32; if (n > 0) { return; } else { x = 2; } out[0] = x;",
        "var x: int32; while (1) { if (n > 0) { x = 1; break; } } out[0] = x;",
        "for i in 0..n { var x: int32; if (i > 2) { continue; } x = i; out[i] = x; }",
        "var x: int32; x = 1; while (n > out[0]) { out[1] = x; }",
        "return; var x: int32; out[0] = x;"})
    EXPECT_TRUE(errorsOf(body).empty()) << body.str();
  for (llvm::StringRef body :
       {"var x: int32; x += 1;", "var x: int32; while (n > out[0]) { x = 1; } out[0] = x;",
        "var x: int32; while (1) { if (n > 0) { break; } x = 1; } out[0] = x;",
        "var x: int32; for i in 0..n { if (i > 2) { out[0] = x; } x = i; }",
        "var x: int32; if (n > 0 && x > 0) { out[0] = 1; }", "var x: int32; out[x] = 1;"})
    EXPECT_EQ(errorsOf(body).size(), 1u) << body.str();
}

TEST(Sema, IndexNamesGiveWayToVariables) {
  EXPECT_TRUE(
      errorsOf("var block: Pair; block.x = 1; out[0] = block.x;", "struct Pair { x: int32; } ")
          .empty());
  EXPECT_EQ(errorsOf("var block: int32 = 1; out[0] = block.x;").size(), 1u);
  EXPECT_TRUE(errorsOf("out[0] = block.x + grid_dim.z + gpu_tid_y();").empty());
}

TEST(Sema, RecordsAreLaidOutAsInC) {
  Analysed analysed("struct Inner { a: uint8; b: int16; }\n"
                    "struct Outer { c: bool; d: float64; e: Inner; f: uint8[3]; }\n"
                    "kernel k(p: Outer*) { p[0].c = true; }");
  ASSERT_TRUE(analysed.errors.empty()) << analysed.errors.front();
  const RecordDecl &outer = *analysed.tree.records[1];
  EXPECT_EQ(outer.fields[0].offset, 0u);
  EXPECT_EQ(outer.fields[1].offset, 8u);
  EXPECT_EQ(outer.fields[2].offset, 16u);
  EXPECT_EQ(outer.fields[3].offset, 20u);
  EXPECT_EQ(outer.size, 24u);
  EXPECT_EQ(outer.alignment, 8u);
}

//===----------------------------------------------------------------------===//
// Address spaces
//===----------------------------------------------------------------------===//

/// Space of the first pointer variable of the kernel, as its letter.
static std::string spaceOf(llvm::StringRef body, llvm::StringRef before = "") {
  Analysed analysed(
      before +
      llvm::Twine("kernel k(g: int32*, n: int32) { workgroup var w: int32[4]; workgroup var v: "
                  "int32*; private var q: int32[4]; var s: int32 = n; ") +
      body + "}");
  if (!analysed.errors.empty())
    return analysed.errors.front();
  const FunctionDecl &kernel = *analysed.function("k");
  AddressSpaces spaces;
  Instance &instance = spaces.kernel(kernel);
  for (const VarDecl *variable : kernel.registerVariables)
    if (variable->type->isPointer() && !variable->isParameter)
      return std::string(1, "?gwpx"[static_cast<unsigned>(instance.slots[variable->index])]);
  return "none";
}

TEST(AddressSpaces, OfWhatIsAssigned) {
  EXPECT_EQ(spaceOf("var p: int32* = g + n;"), "g");
  EXPECT_EQ(spaceOf("var p: int32* = &g[n];"), "g");
  EXPECT_EQ(spaceOf("var p: int32* = w;"), "w");
  EXPECT_EQ(spaceOf("var p: int32* = &w[1];"), "w");
  EXPECT_EQ(spaceOf("var p: int32* = v + 3;"), "w");
  EXPECT_EQ(spaceOf("var p: int32* = q;"), "p");
  EXPECT_EQ(spaceOf("var p: int32* = &s;"), "p");
  EXPECT_EQ(spaceOf("var p: int32* = (int32*)(float32*)w;"), "w");
}

TEST(AddressSpaces, OfAllAssignmentsTogether) {
  EXPECT_EQ(spaceOf("var p: int32* = g; p = w;"), "x");
  EXPECT_EQ(spaceOf("var p: int32* = w; p = v; p += 1;"), "w");
  EXPECT_EQ(spaceOf("var p: int32* = g; var r: int32* = w; while (n > 1) { p = r; r = q; }"), "x");
  EXPECT_EQ(spaceOf("var p: int32*; var r: int32* = w; p = r; r = p;"), "w");
}

TEST(AddressSpaces, OfWhatAHelperReturns) {
  llvm::StringRef choose =
      "fn choose(a: int32*, b: int32*, n: int32) -> int32* { if (n > 0) { return a; } return b; } "
      "fn second(a: int32*, b: int32*) -> int32* { return choose(b, b + 1, 1); } ";
  EXPECT_EQ(spaceOf("var p: int32* = choose(g, g, n);", choose), "g");
  EXPECT_EQ(spaceOf("var p: int32* = choose(w, v, n);", choose), "w");
  EXPECT_EQ(spaceOf("var p: int32* = choose(w, q, n);", choose), "x");
  EXPECT_EQ(spaceOf("var p: int32* = second(w, q);", choose), "p");
  EXPECT_EQ(spaceOf("var p: int32* = g; p = choose(p, w, n);", choose), "x");
}

TEST(AddressSpaces, InstancesHaveTheirOwnNames) {
  Analysed analysed(
      "fn f(a: int32*, n: int32, b: int32*) { *a = *b; } kernel k(g: int32*) { f(g, 1, g); }");
  AddressSpaces spaces;
  const FunctionDecl &f = *analysed.function("f");
  EXPECT_EQ(spaces.helper(f, {Space::Global, Space::Unknown, Space::Global}).symbol(), "f");
  EXPECT_EQ(spaces.helper(f, {Space::Workgroup, Space::Unknown, Space::Global}).symbol(), "f$wg");
  EXPECT_EQ(spaces.helper(f, {Space::Private, Space::Unknown, Space::Generic}).symbol(), "f$px");
}
