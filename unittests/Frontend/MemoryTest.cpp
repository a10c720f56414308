//===- MemoryTest.cpp - what goes to memory arrives there -===//
//
// Records, arrays, addresses of variables and pointers of every space, executed.
//
//===----------------------------------------------------------------------===//

#include "Execution.h"

using namespace mettle;
using namespace mettle::frontend;
using interpreter::Interpreter;

namespace {
class Memory : public Execution {
protected:
  /// Runs `k(out: int32*, n: int32)` with 16 outputs that start at -1.
  std::vector<int32_t> outputs(const std::string &text, int32_t n = 3) {
    std::vector<int32_t> out(16, -1);
    auto module = compile(text);
    if (!module)
      return {};
    Interpreter machine(*module);
    run(machine, out.data(), out.size() * sizeof(int32_t), {argument(n)});
    while (!out.empty() && out.back() == -1)
      out.pop_back();
    return out;
  }
};
using Values = std::vector<int32_t>;
} // namespace

TEST_F(Memory, ARecordInRegisters) {
  EXPECT_EQ(outputs("struct In { a: int32; b: bool; } struct Pair { x: int32; in: In; y: int32; }\n"
                    "kernel k(out: int32*, n: int32) {\n"
                    "  var p: Pair; p.x = 1; p.in.a = 2; p.in.b = n; p.y = 4;\n"
                    "  var q: Pair = p; q.in.a += 10; var i: In = q.in; p.in = i; i.a = 100;\n"
                    "  if (n > 2) { p.y = 5; } else { q = p; }\n"
                    "  out[0] = p.x; out[1] = p.in.a; out[2] = p.in.b; out[3] = p.y; out[4] = q.y; "
                    "out[5] = i.a;\n"
                    "}"),
            (Values{1, 12, 1, 5, 4, 100}));
}

TEST_F(Memory, ARecordWithArraysIsCopiedWhole) {
  struct Inner {
    int16_t a[3];
    int8_t last;
  };
  struct Outer {
    int32_t n;
    Inner in;
    uint8_t bytes[3];
  };
  static_assert(sizeof(Outer) == 16);
  auto module =
      compile("struct Inner { a: int16[3]; last: int8; }\n"
              "struct Outer { n: int32; in: Inner; bytes: uint8[3]; }\n"
              "kernel k(p: Outer*) {\n"
              "  var whole: Outer = p[0]; var copy: Outer; copy = whole; copy.in.a[1] = 77;\n"
              "  p[1] = copy; p[2].n = whole.n; p[2].in = p[1].in; p[2].bytes[0] = 9;\n"
              "}");
  ASSERT_TRUE(module);
  Interpreter machine(*module);
  Outer data[3] = {};
  data[0] = {5, {{-1, -2, -3}, 4}, {10, 20, 30}};
  run(machine, data, sizeof(data), {});
  Outer first = data[0];
  first.in.a[1] = 77;
  EXPECT_EQ(std::memcmp(&data[1], &first, offsetof(Outer, bytes) + 3), 0);
  EXPECT_EQ(std::memcmp(&data[2].in, &first.in, offsetof(Inner, last) + 1), 0);
  EXPECT_EQ(data[2].n, 5);
  EXPECT_EQ(data[2].bytes[0], 9);
  EXPECT_EQ(data[2].bytes[1], 0);
}

TEST_F(Memory, ARecordBehindAPointerHasCsLayout) {
  struct Inner {
    int8_t a;
    int16_t b;
  };
  struct Outer {
    bool flag;
    double d;
    Inner in;
    uint8_t bytes[3];
    float f;
  };
  static_assert(sizeof(Outer) == 32);
  auto module = compile(
      "struct Inner { a: int8; b: int16; }\n"
      "struct Outer { flag: bool; d: float64; in: Inner; bytes: uint8[3]; f: float32; }\n"
      "kernel k(p: Outer*, i: int32) {\n"
      "  p[i].flag = !p[i].flag; p[i].d += 0.5; (p + i)->in.a = -3; (*(p + i)).in.b = 1000;\n"
      "  var q: Outer* = &p[i]; q->bytes[2] = 200; q->bytes[i] += 1; q->f = (float32)q->bytes[2] * "
      "0.25;\n"
      "  var r: Inner = q->in; r.b -= 1; q[1].in = r; q[1].f = 7;\n"
      "  var whole: Inner* = &q->in; whole->a -= 1; var s: int16* = &whole->b; *s += 5;\n"
      "}");
  ASSERT_TRUE(module);
  Interpreter machine(*module);
  Outer data[4] = {};
  data[1].d = 1;
  data[1].bytes[1] = 41;
  run(machine, data, sizeof(data), {argument<int32_t>(1)});
  EXPECT_TRUE(data[1].flag);
  EXPECT_EQ(data[1].d, 1.5);
  EXPECT_EQ(data[1].in.a, -4);
  EXPECT_EQ(data[1].in.b, 1005);
  EXPECT_EQ(data[1].bytes[1], 42);
  EXPECT_EQ(data[1].bytes[2], 200);
  EXPECT_EQ(data[1].f, 50.0f);
  EXPECT_EQ(data[2].in.a, -3);
  EXPECT_EQ(data[2].in.b, 999);
  EXPECT_EQ(data[2].f, 7.0f);
  EXPECT_FALSE(data[0].flag);
  EXPECT_FALSE(data[3].flag);
}

TEST_F(Memory, AVariableWithAnAddress) {
  EXPECT_EQ(
      outputs(
          "struct Pair { x: int32; y: bool; }\n"
          "fn bump(p: int32*) -> int32 { *p += 1; return *p; }\n"
          "fn flip(p: Pair*) { p->y = !p->y; p->x *= 2; }\n"
          "kernel k(out: int32*, n: int32) {\n"
          "  var x: int32 = 10; out[0] = bump(&x) + bump(&x); out[1] = x; bump(&n); out[2] = n;\n"
          "  for i in 0..3 { var y: int32 = i; bump(&y); out[3 + i] = y; }\n"
          "  var p: Pair; p.x = 21; p.y = false; flip(&p); out[6] = p.x; out[7] = p.y;\n"
          "  var a: int32[4]; a[n % 4] = 9; out[8] = *(a + n % 4); bump(&a[0 + n % 4]); out[9] = "
          "a[n % 4];\n"
          "}"),
      (Values{23, 12, 4, 1, 2, 3, 42, 1, 9, 10}));
}

TEST_F(Memory, OneHelperForEverySpace) {
  EXPECT_EQ(
      outputs("fn sum(p: int32*, n: int32) -> int32 { var s: int32 = 0; for i in 0..n { s += p[i]; "
              "} return s; }\n"
              "fn pick(a: int32*, b: int32*, first: bool) -> int32* { if (first) { return a; } "
              "return b + 1; }\n"
              "kernel k(out: int32*, n: int32) {\n"
              "  workgroup var w: int32[4]; private var p: int32[4]; workgroup var v: int32*;\n"
              "  for i in 0..4 { w[i] = i; p[i] = 10 * i; out[i] = 100 * i; }\n"
              "  out[4] = sum(w, 4); out[5] = sum(p, 4); out[6] = sum(out, 4); out[7] = sum(&w[2], "
              "2);\n"
              "  out[8] = *pick(w, p, n > 2); out[9] = *pick(w, p, n > 3); out[10] = pick(out, out "
              "+ 1, false)[1];\n"
              "  var q: int32* = w; if (n > 2) { q = p; } out[11] = q[3]; *q = 77; out[12] = p[0] "
              "+ w[0];\n"
              "}"),
      (Values{0, 100, 200, 300, 6, 60, 600, 5, 0, 10, 300, 30, 77}));
}

TEST_F(Memory, PointersMove) {
  EXPECT_EQ(outputs("kernel k(out: int32*, n: int32) {\n"
                    "  var p: int32* = out + 2; *p = 5; p[1] = 6; p -= 1; *p = 4; (p - 1)[0] = 3;\n"
                    "  var small: uint8 = 4; p[small] = 8; p[(int8)(n - 3)] += 1; var wide: uint64 "
                    "= 4; out[wide] = 7;\n"
                    "  var bytes: uint8* = (uint8*)(out + 6); bytes[0] = 1; bytes[1] = 2; bytes[2] "
                    "= 0; bytes[3] = 0;\n"
                    "}"),
            (Values{3, 5, 5, 6, 7, 8, 513}));
}

TEST_F(Memory, ACompoundAssignmentFindsItsPlaceOnce) {
  EXPECT_EQ(
      outputs("fn next(p: int32*) -> int32 { *p += 1; return *p; }\n"
              "kernel k(out: int32*, n: int32) {\n"
              "  out[0] = 0; out[1] = 10; out[2] = 20; out[next(out)] += 5; out[next(out)] -= 1;\n"
              "}"),
      (Values{2, 15, 19}));
}

TEST_F(Memory, TheRightSideOfAndAndOrIsEvaluatedOnlyWhenItDecides) {
  EXPECT_EQ(outputs("fn mark(p: int32*, i: int32, v: bool) -> bool { p[i] = 1; return v; }\n"
                    "kernel k(out: int32*, n: int32) {\n"
                    "  for i in 0..5 { out[i] = 0; }\n"
                    "  if (n > 5 && mark(out, 0, true)) { out[5] = 1; }\n"
                    "  if (n > 2 || mark(out, 1, true)) { out[5] = 2; }\n"
                    "  if (n > 2 && mark(out, 2, false) || mark(out, 3, true)) { out[6] = 3; }\n"
                    "  var b: bool = n > 5 && out[1000000] > 0; out[4] = b;\n"
                    "}"),
            (Values{0, 0, 1, 1, 0, 2, 3}));
}
