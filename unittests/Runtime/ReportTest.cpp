//===- ReportTest.cpp - Arrays as tables and JSON -------------------------===//
//
// The whole text of both forms, over arrays with every special value.
//
//===----------------------------------------------------------------------===//

#include "Mettle/Runtime/Report.h"

#include "Mettle/Runtime/Fill.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/raw_ostream.h"
#include "gtest/gtest.h"

using namespace llvm;
using namespace mettle::runtime;

namespace {

Buffer specials() {
  Buffer buffer = cantFail(Buffer::zeros(ElementType::F32, {2, 3}));
  const StringRef texts[] = {"1.5", "-0.0", "inf", "nan", "bits:0x7f800001", "-2"};
  for (auto [index, text] : enumerate(texts))
    buffer.setBitsAt(index, cantFail(parseElement(ElementType::F32, text)));
  return buffer;
}

TEST(Report, TableIsAligned) {
  Buffer ramp = cantFail(filledBuffer(ElementType::I32, {1024}, "iota"));
  Buffer mixed = specials();
  std::string text;
  raw_string_ostream os(text);
  printTable(os, {{"ramp", &ramp}, {"m", &mixed}});
  EXPECT_EQ(text,
            "array  type       hash                min  max   nan  inf  elements\n"
            "ramp   i32[1024]  0x12bed18c94a43707  0    1023  0    0    0 1 2 3 ... 1022 1023\n"
            "m      f32[2,3]   0x2e2fa11beb5b6564  -2   inf   2    1    "
            "1.5 -0 inf nan bits:0x7f800001 -2\n");
}

std::string hash(const Buffer &buffer) {
  return "0x" + utohexstr(hashOf(buffer), /*LowerCase=*/true, /*Width=*/16);
}

TEST(Report, JSONIsRead) {
  Buffer mixed = specials();
  Buffer nothing = cantFail(filledBuffer(ElementType::F32, {2}, "nan"));
  Buffer flags = cantFail(filledBuffer(ElementType::Bool, {40}, "iota"));
  Buffer wide = cantFail(filledBuffer(ElementType::U64, {1}, "special:1"));
  wide.setBitsAt(0, UINT64_MAX);
  std::string text;
  raw_string_ostream os(text);
  printJSON(os, {{"m", &mixed}, {"n", &nothing}, {"f", &flags}, {"w", &wide}});
  json::Value value = cantFail(json::parse(text));
  json::Array expected{
      json::Object{{"name", "m"},
                   {"type", "f32"},
                   {"shape", json::Array{2, 3}},
                   {"hash", "0x2e2fa11beb5b6564"},
                   {"min", -2},
                   {"max", "inf"},
                   {"nan", 2},
                   {"inf", 1},
                   {"elements", json::Array{1.5, -0.0, "inf", "nan", "bits:0x7f800001", -2}}},
      json::Object{{"name", "n"},
                   {"type", "f32"},
                   {"shape", json::Array{2}},
                   {"hash", hash(nothing)},
                   {"min", nullptr},
                   {"max", nullptr},
                   {"nan", 2},
                   {"inf", 0},
                   {"elements", json::Array{"nan", "nan"}}}};
  EXPECT_EQ((*value.getAsArray())[0], expected[0]);
  EXPECT_EQ((*value.getAsArray())[1], expected[1]);
  const json::Object &boolean = *(*value.getAsArray())[2].getAsObject();
  EXPECT_EQ(boolean.getArray("elements")->size(), 16u);
  EXPECT_EQ((*boolean.getArray("elements"))[1], json::Value(true));
  const json::Object &largest = *(*value.getAsArray())[3].getAsObject();
  EXPECT_EQ(largest.get("max")->getAsUINT64(), UINT64_MAX);
}

TEST(Report, HashSeesEveryBit) {
  Buffer buffer = cantFail(filledBuffer(ElementType::F64, {100}, "rand:1"));
  uint64_t hash = hashOf(buffer);
  for (uint64_t bit = 0; bit != 6400; ++bit) {
    uint64_t flip = uint64_t(1) << (bit % 64);
    buffer.setBitsAt(bit / 64, buffer.bitsAt(bit / 64) ^ flip);
    EXPECT_NE(hashOf(buffer), hash);
    buffer.setBitsAt(bit / 64, buffer.bitsAt(bit / 64) ^ flip);
  }
  EXPECT_EQ(hashOf(buffer), hash);
}

/// The published XXH3-64 value of no bytes: the hash is that function.
TEST(Report, HashIsXXH3) {
  Buffer nothing = cantFail(Buffer::zeros(ElementType::F32, {0}));
  EXPECT_EQ(hashOf(nothing), 0x2d06800538d394c2ull);
}

TEST(Report, OrderPutsNegativeZeroFirst) {
  Buffer zeros = cantFail(Buffer::zeros(ElementType::F64, {2}));
  zeros.setBitsAt(1, uint64_t(1) << 63);
  std::string text;
  raw_string_ostream os(text);
  printTable(os, {{"z", &zeros}});
  EXPECT_NE(text.find("  -0   0    0    0    0 -0"), std::string::npos) << text;
}

} // namespace
