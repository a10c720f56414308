//===- ParserTest.cpp - tokens to a syntax tree -===//
//
// Precedence, the shapes of statements, host code beside kernels, and depth.
//
//===----------------------------------------------------------------------===//

#include "Analysed.h"

#include "gtest/gtest.h"

using namespace mettle::frontend;

/// An expression with all its parentheses; conversions are not shown.
static std::string render(const Expr *e, const Source &source) {
  switch (e->kind) {
  case Expr::Binary: {
    auto *binary = llvm::cast<BinaryExpr>(e);
    return "(" + render(binary->lhs, source) + " " + spelling(binary->op).str() + " " +
           render(binary->rhs, source) + ")";
  }
  case Expr::Unary: {
    auto *unary = llvm::cast<UnaryExpr>(e);
    return std::string(1, "-!~*&"[static_cast<unsigned>(unary->op)]) +
           render(unary->operand, source);
  }
  case Expr::Cast: {
    auto *cast = llvm::cast<CastExpr>(e);
    return "<" + cast->type->spelling() + ">" + render(cast->operand, source);
  }
  case Expr::Convert:
    return render(llvm::cast<ConvertExpr>(e)->operand, source);
  case Expr::Index: {
    auto *index = llvm::cast<IndexExpr>(e);
    return render(index->base, source) + "[" + render(index->index, source) + "]";
  }
  default:
    return source.text().slice(e->range.begin, e->range.end).str();
  }
}

static std::string parsed(llvm::StringRef expression) {
  std::string text = "kernel k(p: int32*, q: float32*, a: int32, b: int32, c: int32, d: int32, f: "
                     "float32) { p[0] = (int32)(" +
                     expression.str() + "); }";
  Analysed analysed(text);
  if (!analysed.errors.empty())
    return analysed.errors.front();
  auto *assign = llvm::cast<AssignStmt>(analysed.function("k")->body->statements[0]);
  const Expr *value = assign->value;
  while (auto *conversion = llvm::dyn_cast<ConvertExpr>(value))
    value = conversion->operand;
  return render(llvm::cast<CastExpr>(value)->operand, analysed.source);
}

TEST(Parser, Precedence) {
  EXPECT_EQ(parsed("a + b * c"), "(a + (b * c))");
  EXPECT_EQ(parsed("a * b + c"), "((a * b) + c)");
  EXPECT_EQ(parsed("a - b - c"), "((a - b) - c)");
  EXPECT_EQ(parsed("a << b + c"), "(a << (b + c))");
  EXPECT_EQ(parsed("a << b < c"), "((a << b) < c)");
  EXPECT_EQ(parsed("a < b == c < d"), "((a < b) == (c < d))");
  EXPECT_EQ(parsed("a & b == c"), "(a & (b == c))");
  EXPECT_EQ(parsed("a ^ b & c"), "(a ^ (b & c))");
  EXPECT_EQ(parsed("a | b ^ c"), "(a | (b ^ c))");
  EXPECT_EQ(parsed("a && b | c"), "(a && (b | c))");
  EXPECT_EQ(parsed("a || b && c"), "(a || (b && c))");
  EXPECT_EQ(parsed("a % b / c * d"), "(((a % b) / c) * d)");
  EXPECT_EQ(parsed("-a * b"), "(-a * b)");
  EXPECT_EQ(parsed("!a == b"), "(!a == b)");
  EXPECT_EQ(parsed("~a & *p"), "(~a & *p)");
  EXPECT_EQ(parsed("-p[a]"), "-p[a]");
  EXPECT_EQ(parsed("*p + a"), "(*p + a)");
  EXPECT_EQ(parsed("*(p + a)"), "*(p + a)");
  EXPECT_EQ(parsed("(a + b) * c"), "((a + b) * c)");
}

TEST(Parser, CastsBindLikeUnaryOperators) {
  EXPECT_EQ(parsed("(float32)a * f"), "(<float32>a * f)");
  EXPECT_EQ(parsed("(int64)a + b"), "(<int64>a + b)");
  EXPECT_EQ(parsed("(float32)-1.5"), "<float32>-1.5");
  EXPECT_EQ(parsed("*(int32*)q"), "*<int32*>q");
  EXPECT_EQ(parsed("(a)"), "a");
  EXPECT_EQ(parsed("(a) * b"), "(a * b)");
}

TEST(Parser, ARecordsNameInParenthesesIsACastOnlyBeforeStars) {
  Analysed analysed("struct Pair { x: int32; y: int32; }\n"
                    "kernel k(out: int32*, p: int32*) { var Other: int32 = 2; out[0] = "
                    "((Pair*)p)->y + (Other) * 3; }");
  EXPECT_TRUE(analysed.errors.empty()) << analysed.errors.front();
}

TEST(Parser, HostCodeIsLeftAlone) {
  Analysed analysed(R"(
    import "std/gpu";
    export struct Vector<T> { data: T*; method size() -> int64 { return 0; } }
    enum Direction { North, East = 2 }
    trait Shape { fn area(self: Self) -> float64; }
    impl Shape for int32 { fn area(self: Self) -> float64 { return 1.0; } }
    extern var errno_value: int32 = "errno";
    extern fn puts(msg: cstring) -> int32 = "puts";
    var counter: Vector<int32> = new Vector<int32>;
    const NAME: string = "x";
    const TITLE = "y";
    @inline! @pure fn identity<T>(x: T) -> T { return x; }
    function swap<T>(a: T*, b: T*) -> void { var t: T = *a; *a = *b; *b = t; }
    fn callback(f: fn(int32, int32) -> int32, g: Fn(int32) -> int32) { f(1, 2); }
    fn main(args: string) -> int32 {
      println("braces } in { text");
      dispatch handle[(n + 255) / 256, 256](da, db, n);
      dispatch handle[grid: (1, 1, 1), block: (32, 1, 1), shared: 0]();
      switch (x) { case 1..3: break; default: { y->z = new T; } }
      for (;;) { defer free(p); match (v) { case Some(q): { return q; } } }
      return 0;
    }
    kernel k(out: int32*) { out[0] = 1; }
  )");
  EXPECT_TRUE(analysed.errors.empty()) << analysed.errors.front();
  EXPECT_EQ(analysed.sema.reached().size(), 1u);
}

TEST(Parser, OneErrorForEachFaultyStatement) {
  Analysed analysed("kernel k(out: int32*) {\n"
                    "  out[0] = ;\n"
                    "  out[1] = 1 1;\n"
                    "  if (out[2] == ) { out[3] = 1; }\n"
                    "  while { out[4] = 1; }\n"
                    "  var = 3;\n"
                    "  for (var i: int32 = 0; i < 3) { out[i] = 1; }\n"
                    "  barrier(everything);\n"
                    "  out[5] = 1\n"
                    "}\n"
                    "kernel l(out int32*) { }\n"
                    "kernel m(out: int32*) { out[0] = ] ; }\n");
  EXPECT_EQ(analysed.errors,
            (std::vector<std::string>{"2:12: expected_here", "3:14: expected_token",
                                      "4:17: expected_here", "5:9: expected_token",
                                      "6:7: expected_token", "7:31: expected_token",
                                      "8:11: expected_here", "9:13: expected_token",
                                      "11:14: expected_token", "12:34: expected_here"}));
}

TEST(Parser, AMissingBraceIsFoundAtTheNextDeclaration) {
  Analysed analysed("kernel k(out: int32*) {\n"
                    "  if (out[0] == 1) {\n"
                    "    out[1] = 1;\n"
                    "}\n"
                    "kernel l(out: int32*) { out[0] = 1; }\n");
  EXPECT_EQ(analysed.errors, (std::vector<std::string>{"5:1: expected_token"}));
  // Also where a kernel calls the function that has no end.
  Analysed called("fn f(p: int32*) -> int32 {\n"
                  "  while (*p > 1) {\n"
                  "  return 1;\n"
                  "}\n"
                  "fn g(p: int32*) -> int32 { return f(p); }\n"
                  "kernel k(out: int32*) { out[0] = f(out) + g(out); }\n");
  EXPECT_EQ(called.errors, (std::vector<std::string>{"5:1: expected_token"}));
}

static std::string repeat(llvm::StringRef text, unsigned count) {
  std::string all;
  for (unsigned i = 0; i < count; ++i)
    all += text;
  return all;
}

TEST(Parser, DepthIsBoundedByAnError) {
  for (unsigned depth : {10000u, 300u}) {
    EXPECT_EQ(parsed(repeat("(", depth) + "a" + repeat(")", depth)).substr(0, 2), "1:") << depth;
    EXPECT_EQ(parsed(repeat("-", depth) + "a").substr(0, 2), "1:") << depth;
    EXPECT_EQ(parsed(repeat("(int32)", depth) + "a").substr(0, 2), "1:") << depth;
    EXPECT_EQ(parsed(repeat("p[", depth) + "a" + repeat("]", depth)).substr(0, 2), "1:") << depth;
  }
  auto errors = [](std::string body) {
    return Analysed(llvm::Twine("kernel k(p: int32*) { ") + body + " }").errors;
  };
  for (unsigned depth : {10000u, 300u}) {
    EXPECT_EQ(errors(repeat("{", depth) + repeat("}", depth)).size(), 1u) << depth;
    EXPECT_EQ(errors(repeat("if (p[0] == 1) {", depth) + repeat("}", depth)).size(), 1u) << depth;
    EXPECT_EQ(errors(repeat("if (p[0] == 1) { p[0] = 2; } else ", depth) + "{ }").size(), 1u)
        << depth;
    EXPECT_EQ(errors("p[0] = " + repeat("p[0] + ", 4 * depth) + "1;").size(), 1u) << depth;
    EXPECT_EQ(errors("var q: int32" + repeat("*", depth) + ";").size(), 1u) << depth;
  }
  EXPECT_TRUE(errors(repeat("{", 250) + repeat("}", 250)).empty());
  EXPECT_TRUE(errors("p[0] = " + repeat("p[0] + ", 900) + "1;").empty());
  EXPECT_TRUE(errors(repeat("if (p[0] == 1) { p[0] = 2; } else ", 200) + "{ }").empty());
}

TEST(Parser, UnclosedNestingDoesNotOverflow) {
  for (llvm::StringRef piece : {"(", "[", "{", "-", "if (", "while (1) {", "p[", "f(", "(int32)",
                                "else if (1) {", "&", "fn(", "/*"}) {
    Analysed analysed(llvm::Twine("kernel k(p: int32*) { p[0] = ") + repeat(piece, 100000));
    EXPECT_FALSE(analysed.errors.empty()) << piece.str();
    EXPECT_FALSE(Analysed(repeat(piece, 100000)).errors.empty()) << piece.str();
  }
}
