//===- FuzzTest.cpp - any text is read -===//
//
// Kernel source changed at random, by bytes and by pieces of other source: the frontend ends, with
// messages or with a module, and a module verifies.
//
//===----------------------------------------------------------------------===//

#include "Mettle/Frontend/Import.h"
#include "RandomProgram.h"

#include "mlir/IR/MLIRContext.h"
#include "mlir/IR/Verifier.h"
#include "gtest/gtest.h"
#include <cstdlib>
#include <random>

using namespace mettle::frontend;

/// A little of everything the language has.
static const char *const seedText = R"(
import "std/io";
const SIZE = 4 * 8; const RATE: float32 = 0.5;
extern fn sqrtf(x: float32) -> float32 = "sqrtf";
struct Inner { a: int8; b: float16; } struct Pair { x: float32; in: Inner; on: bool; data: uint8[3]; }
fn largest(p: float32*, n: int32) -> float32* {
  var best: float32* = p;
  outer: for i in 0..n { if (p[i] > *best) { best = &p[i]; continue outer; } if (i == 7) { break; } }
  return best;
}
fn host(s: string) { println("x"); dispatch h[1, 2](s); }
kernel k(a: float32*, b: Pair*, out: int32*, n: int32, flag: bool) {
  workgroup var tile: float32[SIZE]; private var scratch: int64[4]; workgroup var view: uint32*;
  var i: int32 = block.x * block_dim.x + thread.x;
  if (i >= n) { return; } else if (flag && a[i] != 0x1F || !flag) { tile[i % SIZE] = a[i]; }
  barrier(workgroup, global, acq_rel);
  var p: Pair = b[i]; p.x += RATE; p.in.a = (int8)(i << 2); b[i].data[1] = ~(uint8)i; b[i].in = p.in;
  while (1) { scratch[i & 3] -= 1; if (scratch[0] / n < 0b101) { break; } i = (i * 3 + 1) >> 1; }
  for (var j: int64 = 0; j < (int64)n; j += 1) { view[j] = (uint32)j % 7; *out = *largest(tile, SIZE) > 1.5e-3; }
  out[i] = (int32)sqrtf(fmaf(a[i], p.x, -a[0])) ^ gpu_tid_x(); /* done /* nested */ */
}
)";

TEST(Fuzz, AnyTextIsRead) {
  const char *deep = std::getenv("METTLE_DEEP");
  uint64_t count = deep && deep[0] == '1' ? 300000 : 3000;
  mlir::MLIRContext context(mlir::MLIRContext::Threading::DISABLED);
  const char *const pieces[] = {
      "{",         "}",           "(",           ")",           "[",
      "]",         ";",           "*",           "&",           "-",
      "if (",      "while (1) {", "@unroll(2) ", "gpu_assert(", "gpu_print(\"{}\", ",
      "dp4a_s32(", "return",      "var x: ",     "float32",     "break;",
      "0",         "1.5",         "kernel k2(",  "fn f(",       "/*",
      "\"",        "..",          "->",          "p.",          "Pair",
      "(int32)",   "workgroup ",  "struct S {",  "else",        ",",
      "= ",        "true",        "barrier(",    "largest(",    "\xC3\xA9",
      "\0x"};
  uint64_t compiled = 0;
  for (uint64_t seed = 0; seed < count; ++seed) {
    std::mt19937_64 random(seed);
    auto below = [&](size_t n) { return static_cast<size_t>(random() % n); };
    std::string text = seed % 4 ? seedText : RandomProgram(seed).text();
    for (size_t change = 0, changes = 1 + below(seed % 3 ? 3 : 12);
         change < changes && !text.empty(); ++change) {
      size_t at = below(text.size());
      switch (below(6)) {
      case 0:
        text[at] = static_cast<char>(below(256));
        break;
      case 1:
        text.erase(at, 1 + below(8));
        break;
      case 2:
        text.insert(at, pieces[below(std::size(pieces))]);
        break;
      case 3:
        text.insert(at, text.substr(below(text.size()), below(40)));
        break;
      case 4:
        text.resize(at);
        break;
      default:
        std::swap(text[at], text[below(text.size())]);
      }
    }
    unsigned messages = 0;
    auto module = importMettleSource("k.mettle", text, &context, {},
                                     [&](const Source &, const Diagnostic &) { ++messages; });
    ASSERT_EQ(static_cast<bool>(module), messages == 0) << "seed " << seed << "\n" << text;
    ASSERT_TRUE(!module || mlir::succeeded(mlir::verify(*module))) << "seed " << seed << "\n"
                                                                   << text;
    compiled += messages == 0;
  }
  // Both ends are met often, or the changes say little.
  EXPECT_GT(compiled, count / 50);
  EXPECT_LT(compiled, count * 3 / 4);
}
