//===- LaunchTest.cpp - Launch values from the command line ---------------===//
//
// What is accepted, and one line for each thing that is not.
//
//===----------------------------------------------------------------------===//

#include "Mettle/Runtime/Launch.h"

#include "Mettle/Runtime/Npy.h"

#include "llvm/Support/FileSystem.h"
#include "gtest/gtest.h"

using namespace llvm;
using namespace mettle::runtime;

namespace {

const KernelParameter scalar{"n", ElementType::I32, /*isPointer=*/false};
const KernelParameter pointer{"x", ElementType::F32, /*isPointer=*/true};

std::string failure(StringRef text, const KernelParameter &parameter) {
  Expected<LaunchArgument> argument = parseLaunchArgument(text, parameter, 2);
  return argument ? "no error" : toString(argument.takeError());
}

TEST(Launch, ConfigWithinLimits) {
  LaunchConfig config;
  EXPECT_EQ(toString(config.validate()), "");
  config.grid = {2147483647, 65535, 65535};
  config.block = {1024, 1, 1};
  config.dynamicShared = 232448;
  EXPECT_EQ(toString(config.validate()), "");
  config.block = {4, 4, 64};
  EXPECT_EQ(toString(config.validate()), "");
}

TEST(Launch, ConfigBeyondLimits) {
  struct {
    LaunchConfig config;
    StringRef message;
  } cases[] = {
      {{{0, 1, 1}}, "expected grid.x from 1 to 2147483647, found 0"},
      {{{2147483648, 1, 1}}, "expected grid.x from 1 to 2147483647, found 2147483648"},
      {{{1, 65536, 1}}, "expected grid.y from 1 to 65535, found 65536"},
      {{{1, 1, 65536}}, "expected grid.z from 1 to 65535, found 65536"},
      {{{1, 1, 1}, {1025, 1, 1}}, "expected block.x from 1 to 1024, found 1025"},
      {{{1, 1, 1}, {1, 1025, 1}}, "expected block.y from 1 to 1024, found 1025"},
      {{{1, 1, 1}, {1, 1, 65}}, "expected block.z from 1 to 64, found 65"},
      {{{1, 1, 1}, {32, 33, 1}},
       "expected at most 1024 threads in a block, found 32 * 33 * 1 = 1056"},
      {{{1, 1, 1}, {1, 1, 1}, 232449},
       "expected at most 232448 bytes of dynamic workgroup memory, found "
       "232449"},
  };
  for (const auto &test : cases)
    EXPECT_EQ(toString(test.config.validate()), test.message);
}

TEST(Launch, ExtentsMayBeLeftOut) {
  EXPECT_EQ(cantFail(parseExtents("--grid", "4")), (Extents{4, 1, 1}));
  EXPECT_EQ(cantFail(parseExtents("--grid", "4,5")), (Extents{4, 5, 1}));
  EXPECT_EQ(cantFail(parseExtents("--grid", "4,5,6")), (Extents{4, 5, 6}));
  for (StringRef text :
       {"", "x", "4,", ",4", "4,5,6,7", "-1", "4 ", "1.5", "99999999999999999999"}) {
    Expected<Extents> extents = parseExtents("--grid", text);
    ASSERT_FALSE(bool(extents)) << text.str();
    EXPECT_EQ(toString(extents.takeError()),
              ("expected X, X,Y or X,Y,Z for --grid, found '" + text + "'").str());
  }
}

TEST(Launch, ReadsScalarsAndArrays) {
  LaunchArgument number = cantFail(parseLaunchArgument("-3", scalar, 1));
  EXPECT_EQ(std::get<Scalar>(number.value).bits, 0xfffffffdu);
  LaunchArgument array = cantFail(parseLaunchArgument("f32[64,32]=iota", pointer, 1));
  const Buffer &buffer = std::get<Buffer>(array.value);
  EXPECT_EQ(buffer.describe(), "f32[64,32]");
  EXPECT_EQ(buffer.size(), 2048u);
  EXPECT_EQ(printElement(ElementType::F32, buffer.bitsAt(2047)), "2047");
}

TEST(Launch, SignlessPointersTakeBothSigns) {
  KernelParameter parameter{"x", ElementType::I32, /*isPointer=*/true,
                            /*signless=*/true};
  EXPECT_EQ(failure("u32[4]=iota", parameter), "no error");
  EXPECT_EQ(failure("i32[4]=iota", parameter), "no error");
  EXPECT_EQ(failure("f32[4]=iota", parameter),
            "argument 2 ('x'): expected elements of type i32, found f32");
  EXPECT_EQ(failure("i64[4]=iota", parameter),
            "argument 2 ('x'): expected elements of type i32, found i64");
  parameter.signless = false;
  EXPECT_EQ(failure("u32[4]=iota", parameter),
            "argument 2 ('x'): expected elements of type i32, found u32");
}

TEST(Launch, RefusesOtherArguments) {
  EXPECT_EQ(failure("f32[4]=zeros", scalar),
            "argument 2 ('n'): expected an integer of type i32, found "
            "'f32[4]=zeros'");
  for (StringRef text : {"3", "f32", "f32[4]", "f32[]=zeros", "f32[0]=zeros", "f32[-1]=zeros",
                         "f32[4=zeros", "f32[4]x=zeros", "g32[4]=zeros", "=zeros", ""})
    EXPECT_EQ(failure(text, pointer),
              ("argument 2 ('x'): expected an array such as f32[1024]=zeros, "
               "found '" +
               text + "'")
                  .str());
  EXPECT_EQ(failure("f64[4]=zeros", pointer),
            "argument 2 ('x'): expected elements of type f32, found f64");
  EXPECT_EQ(failure("@missing.npy", pointer),
            "argument 2 ('x'): cannot read 'missing.npy': No such file or "
            "directory");
}

TEST(Launch, ReadsArraysFromFiles) {
  SmallString<128> path;
  ASSERT_FALSE(sys::fs::createTemporaryFile("mettle-launch", "npy", path));
  Buffer buffer = cantFail(Buffer::zeros(ElementType::F32, {2, 3}));
  buffer.setBitsAt(5, 0x40400000);
  ASSERT_EQ(toString(writeNpy(path, buffer)), "");
  std::string at = ("@" + path).str();
  LaunchArgument whole = cantFail(parseLaunchArgument(at, pointer, 1));
  EXPECT_EQ(std::get<Buffer>(whole.value).data(), buffer.data());
  EXPECT_EQ(failure("f32[2,3]=" + at, pointer), "no error");
  EXPECT_EQ(
      failure("f32[3,2]=" + at, pointer),
      ("argument 2 ('x'): cannot read '" + path + "': expected f32[3,2], found f32[2,3]").str());
  KernelParameter other{"y", ElementType::F64, /*isPointer=*/true};
  EXPECT_EQ(failure(at, other), "argument 2 ('y'): expected elements of type f64, found f32");
  sys::fs::remove(path);
}

TEST(Launch, CountsArguments) {
  auto parsed = parseLaunchArguments("vadd", {pointer, scalar}, {"3"});
  ASSERT_FALSE(bool(parsed));
  EXPECT_EQ(toString(parsed.takeError()), "kernel 'vadd': expected 2 arguments (x, n), found 1");
  parsed = parseLaunchArguments("empty", {}, {"3"});
  ASSERT_FALSE(bool(parsed));
  EXPECT_EQ(toString(parsed.takeError()), "kernel 'empty': expected 0 arguments, found 1");
  parsed = parseLaunchArguments("vadd", {pointer, scalar}, {"f32[2]=1", "3"});
  ASSERT_TRUE(bool(parsed));
  EXPECT_EQ(parsed->size(), 2u);
}

TEST(Launch, SplitsRecords) {
  KernelParameter data{"v.data", ElementType::F32, /*isPointer=*/true};
  KernelParameter on{"v.on", ElementType::I8, /*isPointer=*/false, /*signless=*/true};
  KernelParameter first{"v.taps[0]", ElementType::I32, false},
      second{"v.taps[1]", ElementType::I32, false};
  KernelParameter other{"w.x", ElementType::I32, false};
  std::vector<KernelParameter> parameters{scalar, data, on, first, second, other};
  auto parse = [&](std::string v, std::string w) {
    return parseLaunchArguments("k", parameters, {"3", std::move(v), std::move(w)});
  };
  auto failure = [&](std::string v, std::string w) {
    return toString(parse(std::move(v), std::move(w)).takeError());
  };
  auto parsed = parse("{f32[2,2]=iota, true , {-1,0x10}}", "{5}");
  ASSERT_TRUE(bool(parsed));
  ASSERT_EQ(parsed->size(), 6u);
  EXPECT_EQ(std::get<Buffer>((*parsed)[1].value).data().size(), 16u);
  EXPECT_EQ(std::get<Scalar>((*parsed)[2].value).bits, 1u);
  EXPECT_EQ(std::get<Scalar>((*parsed)[3].value).bits, 0xffffffffu);
  EXPECT_EQ(std::get<Scalar>((*parsed)[4].value).bits, 16u);
  EXPECT_EQ(std::get<Scalar>((*parsed)[5].value).bits, 5u);
  EXPECT_EQ(failure("{f32[2]=iota, 1, 2}", "{5}"),
            "argument 2 ('v'): expected 4 values in braces, found 3");
  EXPECT_EQ(failure("{f32[2]=iota, 1, 2, x}", "{5}"),
            "argument 2 ('v.taps[1]'): expected an integer of type i32, found 'x'");
  for (const char *text : {"5", "", "{", "}", "{5}}", "{{5}", "{5", "{5},{6}", "f32[", "{f32[}"})
    EXPECT_EQ(failure("{f32[2]=iota, 1, 2, 3}", text),
              std::string("argument 3 ('w'): expected a record such as {w.x, ...}, found '") +
                  text + "'");
}

} // namespace
