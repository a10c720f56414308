//===- NpyTest.cpp - NumPy's array files ----------------------------------===//
//
// Files as numpy writes them, files cut off at every byte, files of other kinds.
//
//===----------------------------------------------------------------------===//

#include "Mettle/Runtime/Npy.h"

#include "Mettle/Runtime/Fill.h"

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/raw_ostream.h"
#include "gtest/gtest.h"

using namespace llvm;
using namespace mettle::runtime;

namespace {

class NpyTest : public testing::Test {
protected:
  void SetUp() override { ASSERT_FALSE(sys::fs::createTemporaryFile("mettle", "npy", path)); }
  void TearDown() override { sys::fs::remove(path); }

  void store(StringRef bytes) {
    std::error_code error;
    raw_fd_ostream os(path, error);
    ASSERT_FALSE(error);
    os << bytes;
  }

  std::string load() {
    return (*cantFail(errorOrToExpected(MemoryBuffer::getFile(path)))).getBuffer().str();
  }

  /// What reading `bytes` says, without the file's name.
  std::string read(StringRef bytes) {
    store(bytes);
    Expected<Buffer> buffer = readNpy(path);
    if (buffer)
      return buffer->describe();
    std::string message = toString(buffer.takeError());
    std::string prefix = ("cannot read '" + path + "': ").str();
    EXPECT_EQ(message.substr(0, prefix.size()), prefix);
    EXPECT_EQ(message.find('\n'), std::string::npos);
    return message.substr(prefix.size());
  }

  SmallString<128> path;
};

/// A file with the given header and elements.
std::string file(StringRef header, StringRef data, char major = 1) {
  std::string bytes = "\x93NUMPY";
  bytes += major;
  bytes += '\0';
  for (int i = 0, end = major == 1 ? 2 : 4; i != end; ++i)
    bytes += char(header.size() >> (8 * i));
  return bytes + header.str() + data.str();
}

TEST_F(NpyTest, EveryTypeAndShapeReadsBack) {
  const std::vector<uint64_t> shapes[] = {{}, {7}, {3, 5}, {2, 0, 4}, {2, 3, 4, 5}};
  for (const ElementRecord &record : elementRecords()) {
    for (const std::vector<uint64_t> &shape : shapes) {
      Buffer buffer = cantFail(filledBuffer(record.type, shape, "rand:1"));
      ASSERT_EQ(toString(writeNpy(path, buffer)), "");
      Buffer back = cantFail(readNpy(path));
      EXPECT_EQ(back.describe(), buffer.describe());
      EXPECT_EQ(back.data(), buffer.data());
    }
  }
}

TEST_F(NpyTest, WritesTheBytesThatNumpyWrites) {
  Buffer buffer = cantFail(filledBuffer(ElementType::F32, {2, 3}, "iota"));
  ASSERT_EQ(toString(writeNpy(path, buffer)), "");
  std::string header = "{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3), }";
  header.resize(117, ' ');
  header += '\n';
  StringRef data(reinterpret_cast<const char *>(buffer.data().data()), 24);
  EXPECT_EQ(load(), file(header, data));
}

TEST_F(NpyTest, LongShapeTakesVersion2) {
  std::vector<uint64_t> shape(30000, 1);
  Buffer buffer = cantFail(filledBuffer(ElementType::U8, shape, "ones"));
  ASSERT_EQ(toString(writeNpy(path, buffer)), "");
  EXPECT_EQ(load()[6], 2);
  EXPECT_EQ(cantFail(readNpy(path)).shape(), ArrayRef(shape));
}

TEST_F(NpyTest, ReadsOtherSpellingsOfTheHeader) {
  EXPECT_EQ(read(file("{'shape': (2,), 'descr': '|u1', "
                      "'fortran_order': False}\n",
                      "ab")),
            "u8[2]");
  EXPECT_EQ(read(file("{\"descr\":\"<f4\",\"fortran_order\":False,"
                      "\"shape\":(1,1)}",
                      "abcd", 2)),
            "f32[1,1]");
  EXPECT_EQ(read(file("{'descr': '<f4', 'fortran_order': False, "
                      "'shape': (), }",
                      "abcd", 3)),
            "f32[]");
  EXPECT_EQ(read(file("{'descr': '<i8', 'fortran_order': True, "
                      "'shape': (1L,), }",
                      "abcdefgh")),
            "i64[1]");
}

TEST_F(NpyTest, RefusesOtherFiles) {
  const StringRef shape = "'fortran_order': False, 'shape': (1,)";
  auto header = [&](StringRef description) {
    return ("{'descr': " + description + ", " + shape + "}").str();
  };
  EXPECT_EQ(read(""), "expected a .npy file, found other contents");
  EXPECT_EQ(read("PK\x03\x04"), "expected a .npy file, found other contents");
  EXPECT_EQ(read(file(header("'<f4'"), "abcd", 4)),
            "expected .npy version 1.0, 2.0 or 3.0, found 4.0");
  EXPECT_EQ(read(file(header("'>f4'"), "abcd")),
            "expected little-endian integers, f16, f32, f64 or bool, found "
            "element type '>f4'");
  EXPECT_EQ(read(file(header("'<c8'"), "abcdefgh")),
            "expected little-endian integers, f16, f32, f64 or bool, found "
            "element type '<c8'");
  EXPECT_EQ(read(file(header("[('a', '<f4')]"), "abcd")),
            "expected a .npy header with a simple descr, fortran_order and "
            "shape, found '{'descr': [('a', '<f4')], 'fortran_order': False, "
            "'shape': (1,)}'");
  EXPECT_EQ(read(file("{'descr': '<f4', 'fortran_order': True, "
                      "'shape': (2, 2)}",
                      "0123456789abcdef")),
            "expected C order, found Fortran order");
  EXPECT_EQ(read(file(header("'<f4'"), "abc")), "expected 4 bytes of elements for f32[1], found 3");
  EXPECT_EQ(read(file(header("'<f4'"), "abcde")),
            "expected 4 bytes of elements for f32[1], found 5");
  EXPECT_EQ(read(file("{'descr': '<f4', 'fortran_order': False, 'shape': "
                      "(4611686018427387904, 4)}",
                      "")),
            "expected over 2^64 bytes of elements for "
            "f32[4611686018427387904,4], found 0");
  EXPECT_EQ(read(file(header("'|b1'"), "\2")), "expected 0 or 1 in every bool, found another byte");
  // A missing key, a key too many, a negative and an oversized extent, and a
  // line break that must not break the message's one line.
  for (StringRef bad :
       {"{'descr': '<f4', 'shape': (1,)}",
        "{'descr': '<f4', 'fortran_order': False, 'shape': (1,), 'x': 1}",
        "{'descr': '<f4', 'fortran_order': False, 'shape': (-1,)}",
        "{'descr': '<f4', 'fortran_order': False, 'shape': "
        "(99999999999999999999,)}",
        "{'descr': '<f4', 'fortran_order': False, 'shape': 1}",
        "{'descr': '<f4', 'fortran_order': 0, 'shape': (1,)}",
        "{'descr': '<f4' 'fortran_order': False, 'shape': (1,)}", "{\n'descr'\n", "", "{"})
    EXPECT_EQ(read(file(bad, "abcd")).find("expected a .npy header with"), 0u) << bad.str();
}

TEST_F(NpyTest, EveryCutIsReported) {
  Buffer buffer = cantFail(filledBuffer(ElementType::F32, {3}, "iota"));
  ASSERT_EQ(toString(writeNpy(path, buffer)), "");
  std::string whole = load();
  for (size_t size = 0; size != whole.size(); ++size)
    ASSERT_EQ(read(StringRef(whole).take_front(size)).find("expected"), 0u) << size;
}

TEST_F(NpyTest, EveryFlippedHeaderByteIsHandled) {
  Buffer buffer = cantFail(filledBuffer(ElementType::F32, {3}, "iota"));
  ASSERT_EQ(toString(writeNpy(path, buffer)), "");
  std::string whole = load();
  for (size_t i = 0; i != whole.size() - buffer.data().size(); ++i) {
    for (unsigned bit = 0; bit != 8; ++bit) {
      std::string bytes = whole;
      bytes[i] ^= char(1 << bit);
      std::string answer = read(bytes);
      // Another array of the same 12 bytes, or a message.
      EXPECT_TRUE(answer.find("expected") == 0 || answer.find("[3]") != std::string::npos)
          << answer;
    }
  }
}

TEST_F(NpyTest, ChecksTypeAndShape) {
  Buffer buffer = cantFail(filledBuffer(ElementType::F32, {2, 3}, "iota"));
  ASSERT_EQ(toString(writeNpy(path, buffer)), "");
  EXPECT_TRUE(bool(readNpy(path, ElementType::F32, {2, 3})));
  for (auto [type, shape] : {std::pair(ElementType::I32, std::vector<uint64_t>{2, 3}),
                             std::pair(ElementType::F32, std::vector<uint64_t>{6})}) {
    Expected<Buffer> back = readNpy(path, type, shape);
    ASSERT_FALSE(bool(back));
    EXPECT_EQ(toString(back.takeError()), ("cannot read '" + path + "': expected " +
                                           describeArray(type, shape) + ", found f32[2,3]")
                                              .str());
  }
}

TEST_F(NpyTest, FailedWriteIsReported) {
  Buffer buffer = cantFail(filledBuffer(ElementType::F32, {2}, "iota"));
  EXPECT_EQ(toString(writeNpy("/dev/full", buffer)),
            "cannot write '/dev/full': No space left on device");
}

} // namespace
