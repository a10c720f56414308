//===- MatrixTest.cpp - Matrix instructions -------------------------------===//
//
// Whole multiplications through wmma.load, wmma.mma and wmma.store need no knowledge of fragments;
// mma, mma.sp and ldmatrix are laid out by the PTX ISA's formulas, written down here again. Numbers
// come from evaluateInstruction.
//
//===----------------------------------------------------------------------===//

#include "Kernels.h"
#include "Mettle/Numerics/FragmentLayout.h"
#include "Mettle/Numerics/MatrixModel.h"
#include <random>

using namespace mettle::emulator;
using namespace mettle::numerics;

namespace {

using Bytes = std::vector<uint8_t>;

template <typename T> T get(const Bytes &bytes, size_t index) {
  T value;
  memcpy(&value, bytes.data() + index * sizeof(T), sizeof(T));
  return value;
}
template <typename T> void put(Bytes &bytes, size_t index, uint64_t value) {
  T word = T(value);
  memcpy(bytes.data() + index * sizeof(T), &word, sizeof(T));
}

uint64_t code(const Bytes &bytes, size_t index, unsigned bits) {
  switch (bits) {
  case 8:
    return get<uint8_t>(bytes, index);
  case 16:
    return get<uint16_t>(bytes, index);
  case 32:
    return get<uint32_t>(bytes, index);
  case 64:
    return get<uint64_t>(bytes, index);
  default:
    return bytes[index * bits / 8] >> index * bits % 8 & ((1u << bits) - 1);
  }
}

/// `count` codes near one, as dense bytes.
Bytes randomCodes(Format format, size_t count, unsigned seed) {
  std::mt19937 engine(seed);
  unsigned bits = info(format).bits;
  Bytes bytes((count * bits + 7) / 8);
  if (info(format).isInteger) {
    for (uint8_t &byte : bytes)
      byte = uint8_t(engine());
    return bytes;
  }
  for (size_t i = 0; i < count; ++i) {
    uint64_t word = fromDouble(format, (int(engine() % 4001) - 2000) * 0x1p-10);
    switch (bits) {
    case 8:
      put<uint8_t>(bytes, i, word);
      break;
    case 16:
      put<uint16_t>(bytes, i, word);
      break;
    case 32:
      put<uint32_t>(bytes, i, word);
      break;
    default:
      put<uint64_t>(bytes, i, word);
    }
  }
  return bytes;
}

const MatrixRow &rowOf(const std::string &name) {
  llvm::Expected<const MatrixRow *> row = findMatrixRow("sm_90", name);
  if (!row)
    ADD_FAILURE() << llvm::toString(row.takeError());
  return **row;
}

std::string list(const char *prefix, unsigned first, unsigned count) {
  std::string text = "{";
  for (unsigned i = 0; i < count; ++i)
    text += (i ? ", " : "") + std::string(prefix) + std::to_string(first + i);
  return text + "}";
}

std::string loadPointers(unsigned count) {
  std::string text;
  for (unsigned i = 0; i < count; ++i)
    text += "ld.param.u64 %d" + std::to_string(i) + ", [p" + std::to_string(i) + "];\n";
  return text;
}

Launch warp() {
  Launch launch;
  launch.block = {32, 1, 1};
  return launch;
}

struct WmmaCase {
  const char *shape, *types; ///< of wmma.mma
  const char *row;           ///< of the matrix model
  const char *a, *c, *d;     ///< types of the fragments
  unsigned aRegisters, bRegisters, cRegisters, dRegisters;
};

class Wmma : public testing::TestWithParam<WmmaCase> {};

} // namespace

TEST_P(Wmma, EqualsTheModel) {
  const WmmaCase &c = GetParam();
  const MatrixRow &row = rowOf(c.row);
  unsigned m = row.m, n = row.n, k = row.k;
  bool onlyRowCol = info(row.a).bits < 8;
  for (bool aCol : {false, true})
    for (bool bCol : {false, true}) {
      if (onlyRowCol && (aCol || !bCol))
        continue;
      std::vector<Bytes> buffers = {randomCodes(row.a, m * k, 1), randomCodes(row.b, k * n, 2),
                                    randomCodes(row.c, m * n, 3), Bytes(m * n * 8)};
      std::string prefix = std::string(c.a) == "f64" ? "%fd" : "%r", s = c.shape;
      std::string accumulator = std::string(c.c) == "f64" ? "%fd" : "%r";
      auto lay = [](bool col) { return std::string(col ? ".col" : ".row"); };
      std::string a = list(prefix.c_str(), 0, c.aRegisters),
                  b = list(prefix.c_str(), 8, c.bRegisters),
                  acc = list(accumulator.c_str(), 16, c.cRegisters),
                  d = list(accumulator.c_str(), 24, c.dRegisters);
      std::string operation =
          row.a == Format::B1
              ? std::string(row.arithmetic.kind == ArithmeticClass::XorPopcount ? ".xor" : ".and") +
                    ".popc"
              : "";
      std::string body =
          ".reg .f64 %fd<64>;\n" + loadPointers(4) + "wmma.load.a.sync.aligned" + lay(aCol) + "." +
          s + ".global." + c.a + " " + a + ", [%d0], " + std::to_string(aCol ? m : k) +
          ";\nwmma.load.b.sync.aligned" + lay(bCol) + "." + s + ".global." + c.a + " " + b +
          ", [%d1], " + std::to_string(bCol ? k : n) + ";\nwmma.load.c.sync.aligned.row." + s +
          ".global." + c.c + " " + acc + ", [%d2];\nwmma.mma" + operation + ".sync.aligned" +
          lay(aCol) + lay(bCol) + "." + s + "." + c.types + " " + d + ", " + a + ", " + b + ", " +
          acc + ";\nwmma.store.d.sync.aligned.col." + s + ".global." + c.d + " [%d3], " + d + ", " +
          std::to_string(m) + ";";
      Outcome outcome = runText(entry(body, 4), buffers, warp());
      ASSERT_EQ(outcome.error, "");
      unsigned aBits = info(row.a).bits, cBits = info(row.c).bits;
      for (unsigned i = 0; i < m; ++i)
        for (unsigned j = 0; j < n; ++j) {
          std::vector<uint64_t> left, right;
          for (unsigned l = 0; l < k; ++l) {
            left.push_back(code(buffers[0], aCol ? l * m + i : i * k + l, aBits));
            right.push_back(code(buffers[1], bCol ? j * k + l : l * n + j, aBits));
          }
          uint64_t expected =
              evaluateInstruction(row, left, right, code(buffers[2], i * n + j, cBits));
          if (row.d == Format::F32 && std::string(c.d) == "f16")
            expected = convert(Format::F32, expected, Format::F16);
          unsigned dBits = std::string(c.d) == "f16" ? 16 : std::string(c.d) == "f64" ? 64 : 32;
          ASSERT_EQ(code(buffers[3], j * m + i, dBits), expected)
              << c.types << " at " << i << ", " << j;
        }
    }
}

INSTANTIATE_TEST_SUITE_P(
    Shapes, Wmma,
    testing::Values(WmmaCase{"m16n16k16", "f32.f32", "wmma.m16n16k16.f32.f16.f16.f32", "f16", "f32",
                             "f32", 8, 8, 8, 8},
                    WmmaCase{"m32n8k16", "f32.f32", "wmma.m32n8k16.f32.f16.f16.f32", "f16", "f32",
                             "f32", 8, 8, 8, 8},
                    WmmaCase{"m8n32k16", "f32.f32", "wmma.m8n32k16.f32.f16.f16.f32", "f16", "f32",
                             "f32", 8, 8, 8, 8},
                    WmmaCase{"m16n16k16", "f16.f16", "wmma.m16n16k16.f16.f16.f16.f16", "f16", "f16",
                             "f16", 8, 8, 4, 4},
                    WmmaCase{"m8n32k16", "f32.f16", "wmma.m8n32k16.f32.f16.f16.f16", "f16", "f16",
                             "f32", 8, 8, 4, 8},
                    WmmaCase{"m32n8k16", "f16.f32", "wmma.m32n8k16.f32.f16.f16.f32", "f16", "f32",
                             "f16", 8, 8, 8, 4},
                    WmmaCase{"m16n16k16", "f32.bf16.bf16.f32", "wmma.m16n16k16.f32.bf16.bf16.f32",
                             "bf16", "f32", "f32", 4, 4, 8, 8},
                    WmmaCase{"m8n32k16", "f32.bf16.bf16.f32", "wmma.m8n32k16.f32.bf16.bf16.f32",
                             "bf16", "f32", "f32", 2, 8, 8, 8},
                    WmmaCase{"m16n16k8", "f32.tf32.tf32.f32", "wmma.m16n16k8.f32.tf32.tf32.f32",
                             "tf32", "f32", "f32", 4, 4, 8, 8},
                    WmmaCase{"m8n8k4", "f64.f64.f64.f64", "wmma.m8n8k4.f64.f64.f64.f64", "f64",
                             "f64", "f64", 1, 1, 2, 2},
                    WmmaCase{"m16n16k16", "s32.s8.s8.s32", "wmma.m16n16k16.i32.i8.i8.i32", "s8",
                             "s32", "s32", 2, 2, 8, 8},
                    WmmaCase{"m32n8k16", "s32.u8.u8.s32.satfinite",
                             "wmma.m32n8k16.i32.u8.u8.i32.sat", "u8", "s32", "s32", 4, 1, 8, 8},
                    WmmaCase{"m8n8k32", "s32.s4.s4.s32", "wmma.m8n8k32.i32.i4.i4.i32", "s4", "s32",
                             "s32", 1, 1, 2, 2},
                    WmmaCase{"m8n8k128", "s32.b1.b1.s32", "wmma.m8n8k128.i32.b1.b1.i32.xor", "b1",
                             "s32", "s32", 1, 1, 2, 2}));

TEST(Matrix, MmaOnF16) {
  const MatrixRow &row = rowOf("mma.m16n8k16.f32.f16.f16.f32");
  Bytes a = randomCodes(Format::F16, 256, 4), b = randomCodes(Format::F16, 128, 5),
        c = randomCodes(Format::F32, 128, 6);
  // in: words of A, B, C, register by register.
  Bytes in(32 * 10 * 4), out(32 * 4 * 4);
  for (unsigned lane = 0; lane < 32; ++lane) {
    unsigned g = lane / 4, t = lane % 4;
    for (unsigned i = 0; i < 8; ++i) {
      unsigned r = i < 2 || (i >= 4 && i < 6) ? g : g + 8, k = t * 2 + (i & 1) + (i >= 4 ? 8 : 0);
      put<uint16_t>(in, (i / 2 * 32 + lane) * 2 + i % 2, get<uint16_t>(a, r * 16 + k));
    }
    for (unsigned i = 0; i < 4; ++i) {
      unsigned k = t * 2 + (i & 1) + (i >= 2 ? 8 : 0);
      put<uint16_t>(in, ((4 + i / 2) * 32 + lane) * 2 + i % 2, get<uint16_t>(b, k * 8 + g));
      unsigned r = i < 2 ? g : g + 8, col = t * 2 + (i & 1);
      put<uint32_t>(in, (6 + i) * 32 + lane, get<uint32_t>(c, r * 8 + col));
    }
  }
  std::string body = loadPointers(2) + "mov.u32 %r40, %tid.x;\nmad.wide.u32 %d2, %r40, 4, %d0;\n"
                                       "mad.wide.u32 %d3, %r40, 4, %d1;\n";
  for (unsigned i = 0; i < 10; ++i)
    body += "ld.global.b32 %r" + std::to_string(i) + ", [%d2+" + std::to_string(i * 128) + "];\n";
  // D over B: what is written must not be read again.
  body += "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%r4, %r5, %r10, %r11}, "
          "{%r0, %r1, %r2, %r3}, {%r4, %r5}, {%r6, %r7, %r8, %r9};\n"
          "st.global.b32 [%d3], %r4;\nst.global.b32 [%d3+128], %r5;\n"
          "st.global.b32 [%d3+256], %r10;\nst.global.b32 [%d3+384], %r11;\n";
  std::vector<Bytes> buffers = {in, out};
  ASSERT_EQ(runText(entry(body, 2), buffers, warp()).error, "");
  for (unsigned lane = 0; lane < 32; ++lane)
    for (unsigned i = 0; i < 4; ++i) {
      unsigned r = i < 2 ? lane / 4 : lane / 4 + 8, col = lane % 4 * 2 + (i & 1);
      std::vector<uint64_t> left, right;
      for (unsigned k = 0; k < 16; ++k) {
        left.push_back(get<uint16_t>(a, r * 16 + k));
        right.push_back(get<uint16_t>(b, k * 8 + col));
      }
      EXPECT_EQ(get<uint32_t>(buffers[1], i * 32 + lane),
                evaluateInstruction(row, left, right, get<uint32_t>(c, r * 8 + col)));
    }
}

namespace {

std::string ptxName(Format format) {
  return format == Format::I8    ? "s8"
         : format == Format::I4  ? "s4"
         : format == Format::I32 ? "s32"
                                 : name(format).str();
}

/// PTX's spelling of a row of family mma.
std::string mnemonic(const MatrixRow &row) {
  std::string text = "mma.sync.aligned.m" + std::to_string(row.m) + "n" + std::to_string(row.n) +
                     "k" + std::to_string(row.k) + ".row.col" + (row.saturate ? ".satfinite" : "");
  for (Format format : {row.d, row.a, row.b, row.c})
    text += "." + ptxName(format);
  if (row.a == Format::B1)
    text += row.arithmetic.kind == ArithmeticClass::XorPopcount ? ".xor.popc" : ".and.popc";
  return text;
}

/// Puts the elements of a row-major matrix of codes where a fragment's registers hold them.
void scatter(const FragmentLayout &layout, const Bytes &matrix, Bytes &registers, size_t first) {
  unsigned bits = layout.elementBits;
  for (unsigned reg = 0; reg < layout.registers; ++reg)
    for (unsigned lane = 0; lane < 32; ++lane)
      for (unsigned e = 0; e < layout.perRegister; ++e) {
        FragmentPosition at = layout.at(lane, reg, e);
        uint64_t word = code(matrix, at.row * layout.cols + at.col, bits);
        size_t bit = first * 8 + ((reg * 32 + lane) * layout.perRegister + e) * bits;
        for (unsigned i = 0; i < bits; ++i)
          registers[(bit + i) / 8] |= uint8_t((word >> i & 1) << (bit + i) % 8);
      }
}

} // namespace

TEST(Matrix, EveryDenseRowOfTheModel) {
  unsigned rows = 0;
  for (const MatrixRow &row : matrixRows()) {
    if (row.arch != "sm_90" || row.family != "mma")
      continue;
    ++rows;
    auto layout = [&](FragmentOperand operand, Format format) {
      return *mmaFragment(operand, row.m, row.n, row.k, info(format).bits);
    };
    FragmentLayout la = layout(FragmentOperand::A, row.a), lb = layout(FragmentOperand::B, row.b),
                   lc = layout(FragmentOperand::Accumulator, row.c);
    Bytes a = randomCodes(row.a, row.m * row.k, rows),
          b = randomCodes(row.b, row.k * row.n, rows + 1),
          c = randomCodes(row.c, row.m * row.n, rows + 2);
    unsigned word = row.a == Format::F64 ? 8 : 4,
             count = la.registers + lb.registers + lc.registers;
    std::vector<Bytes> buffers = {Bytes(count * 32 * word), Bytes(lc.registers * 32 * word)};
    scatter(la, a, buffers[0], 0);
    scatter(lb, b, buffers[0], la.registers * 32 * word);
    scatter(lc, c, buffers[0], (la.registers + lb.registers) * 32 * word);
    const char *prefix = word == 8 ? "%fd" : "%r";
    std::string type = word == 8 ? "f64" : "b32", size = std::to_string(word);
    std::string body = ".reg .f64 %fd<64>;\n" + loadPointers(2) +
                       "mov.u32 %r60, %tid.x;\nmad.wide.u32 %d2, %r60, " + size +
                       ", %d0;\nmad.wide.u32 %d3, %r60, " + size + ", %d1;\n";
    for (unsigned i = 0; i < count; ++i)
      body += "ld.global." + type + " " + prefix + std::to_string(i) + ", [%d2+" +
              std::to_string(i * 32 * word) + "];\n";
    body += mnemonic(row) + " " + list(prefix, 30, lc.registers) + ", " +
            list(prefix, 0, la.registers) + ", " + list(prefix, la.registers, lb.registers) + ", " +
            list(prefix, la.registers + lb.registers, lc.registers) + ";\n";
    for (unsigned i = 0; i < lc.registers; ++i)
      body += "st.global." + type + " [%d3+" + std::to_string(i * 32 * word) + "], " + prefix +
              std::to_string(30 + i) + ";\n";
    ASSERT_EQ(runText(entry(body, 2), buffers, warp()).error, "") << mnemonic(row);
    Bytes expected(buffers[1].size()), d(row.m * row.n * word);
    for (unsigned i = 0; i < row.m; ++i)
      for (unsigned j = 0; j < row.n; ++j) {
        std::vector<uint64_t> left, right;
        for (unsigned l = 0; l < row.k; ++l) {
          left.push_back(code(a, i * row.k + l, info(row.a).bits));
          right.push_back(code(b, l * row.n + j, info(row.b).bits));
        }
        uint64_t sum =
            evaluateInstruction(row, left, right, code(c, i * row.n + j, info(row.c).bits));
        if (info(row.d).bits == 16)
          put<uint16_t>(d, i * row.n + j, sum);
        else if (word == 8)
          put<uint64_t>(d, i * row.n + j, sum);
        else
          put<uint32_t>(d, i * row.n + j, sum);
      }
    scatter(lc, d, expected, 0);
    EXPECT_EQ(buffers[1], expected) << mnemonic(row);
  }
  EXPECT_GT(rows, 60u);
}

TEST(Matrix, SparseMmaMultipliesTheKeptElements) {
  const MatrixRow &row = rowOf("mma.sp.m16n8k16.f32.f16.f16.f32");
  // A has 8 kept elements a row; B is 16 x 8; metadata comes from the lanes of selector 2.
  Bytes a = randomCodes(Format::F16, 128, 7), b = randomCodes(Format::F16, 128, 8);
  const unsigned fields[6] = {0x4, 0x8, 0xC, 0x9, 0xD, 0xE};
  unsigned field[16][4];
  std::mt19937 engine(9);
  Bytes in(32 * 5 * 4);
  for (auto &r : field)
    for (unsigned &f : r)
      f = fields[engine() % 6];
  for (unsigned lane = 0; lane < 32; ++lane) {
    unsigned g = lane / 4, t = lane % 4;
    for (unsigned i = 0; i < 4; ++i) {
      put<uint16_t>(in, (i / 2 * 32 + lane) * 2 + i % 2,
                    get<uint16_t>(a, (i < 2 ? g : g + 8) * 8 + t * 2 + (i & 1)));
      unsigned k = t * 2 + (i & 1) + (i >= 2 ? 8 : 0);
      put<uint16_t>(in, ((2 + i / 2) * 32 + lane) * 2 + i % 2, get<uint16_t>(b, k * 8 + g));
    }
    uint32_t metadata = 0x11111111; // not valid: must not be read from other lanes
    if (t == 2) {
      metadata = 0;
      for (unsigned q = 0; q < 4; ++q)
        metadata |= field[g][q] << 4 * q | field[g + 8][q] << (16 + 4 * q);
    }
    put<uint32_t>(in, 4 * 32 + lane, metadata);
  }
  std::string body = loadPointers(2) + "mov.u32 %r40, %tid.x;\nmad.wide.u32 %d2, %r40, 4, %d0;\n"
                                       "mad.wide.u32 %d3, %r40, 4, %d1;\n";
  for (unsigned i = 0; i < 5; ++i)
    body += "ld.global.b32 %r" + std::to_string(i) + ", [%d2+" + std::to_string(i * 128) + "];\n";
  body += "mma.sp::ordered_metadata.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 "
          "{%r8, %r9, %r10, %r11}, {%r0, %r1}, {%r2, %r3}, {0f00000000, 0f00000000, 0f00000000, "
          "0f00000000}, %r4, 0x2;\n";
  for (unsigned i = 0; i < 4; ++i)
    body +=
        "st.global.b32 [%d3+" + std::to_string(i * 128) + "], %r" + std::to_string(8 + i) + ";\n";
  std::vector<Bytes> buffers = {in, Bytes(512)};
  ASSERT_EQ(runText(entry(body, 2), buffers, warp()).error, "");
  for (unsigned lane = 0; lane < 32; ++lane)
    for (unsigned i = 0; i < 4; ++i) {
      unsigned r = i < 2 ? lane / 4 : lane / 4 + 8, col = lane % 4 * 2 + (i & 1);
      std::vector<uint64_t> left, right;
      for (unsigned k = 0; k < 8; ++k) {
        unsigned at = field[r][k / 2] >> 2 * (k % 2) & 3;
        left.push_back(get<uint16_t>(a, r * 8 + k));
        right.push_back(get<uint16_t>(b, (k / 2 * 4 + at) * 8 + col));
      }
      EXPECT_EQ(get<uint32_t>(buffers[1], i * 32 + lane), evaluateInstruction(row, left, right, 0));
    }
}

TEST(Matrix, LdMatrixStMatrixAndMovMatrix) {
  Bytes in(512);
  for (unsigned i = 0; i < 256; ++i)
    put<uint16_t>(in, i, i * 257 + 3);
  // Rows of 16 bytes go to shared memory; matrices 0 to 3 are 8 rows each.
  std::string body =
      ".shared .align 16 .b8 tile[512];\n.shared .align 16 .b8 copy[512];\n" + loadPointers(2) +
      "mov.u32 %r40, %tid.x;\nmad.wide.u32 %d2, %r40, 16, %d0;\nmad.wide.u32 %d3, %r40, 4, %d1;\n"
      "mad.wide.u32 %d5, %r40, 16, %d1;\nmov.u32 %r41, tile;\nmad.lo.u32 %r42, %r40, 16, %r41;\n"
      "mov.u32 %r43, copy;\nmad.lo.u32 %r44, %r40, 16, %r43;\n"
      "ld.global.v4.b32 {%r0, %r1, %r2, %r3}, [%d2];\nst.shared.v4.b32 [%r42], {%r0, %r1, %r2, "
      "%r3};\n"
      "bar.warp.sync -1;\nldmatrix.sync.aligned.m8n8.x4.shared.b16 {%r4, %r5, %r6, %r7}, [%r42];\n"
      "ldmatrix.sync.aligned.m8n8.x2.trans.shared.b16 {%r8, %r9}, [%r42];\n"
      "movmatrix.sync.aligned.m8n8.trans.b16 %r10, %r5;\n"
      "stmatrix.sync.aligned.m8n8.x4.trans.shared.b16 [%r44], {%r4, %r5, %r6, %r7};\n"
      "bar.warp.sync -1;\nld.shared.v4.b32 {%r12, %r13, %r14, %r15}, [%r44];\n";
  for (unsigned i = 0; i < 7; ++i)
    body +=
        "st.global.b32 [%d3+" + std::to_string(i * 128) + "], %r" + std::to_string(4 + i) + ";\n";
  body += "st.global.v4.b32 [%d5+1024], {%r12, %r13, %r14, %r15};\n";
  std::vector<Bytes> buffers = {in, Bytes(1536)};
  ASSERT_EQ(runText(entry(body, 2), buffers, warp()).error, "");
  auto element = [&](unsigned matrix, unsigned row, unsigned col) {
    return get<uint16_t>(in, matrix * 64 + row * 8 + col);
  };
  for (unsigned lane = 0; lane < 32; ++lane)
    for (unsigned e = 0; e < 2; ++e) {
      auto half = [&](unsigned reg) {
        return get<uint16_t>(buffers[1], (reg * 32 + lane) * 2 + e);
      };
      unsigned i = lane / 4, j = lane % 4 * 2 + e;
      for (unsigned matrix = 0; matrix < 4; ++matrix)
        EXPECT_EQ(half(matrix), element(matrix, i, j));
      EXPECT_EQ(half(4), element(0, j, i));
      EXPECT_EQ(half(5), element(1, j, i));
      EXPECT_EQ(half(6), element(1, j, i));
    }
  for (unsigned matrix = 0; matrix < 4; ++matrix)
    for (unsigned i = 0; i < 8; ++i)
      for (unsigned j = 0; j < 8; ++j)
        EXPECT_EQ(get<uint16_t>(buffers[1], 512 + matrix * 64 + i * 8 + j), element(matrix, j, i));
}

TEST(Matrix, WgmmaFromSharedMemoryAndRegisters) {
  const MatrixRow &row = rowOf("wgmma.m64n16k16.f32.f16.f16.f32");
  // A is K-major in rows of 128 bytes under the 128-byte swizzle, from k = 16 on; B is 16 x 16 and
  // MN-major in rows of 32 bytes under the 32-byte swizzle.
  Bytes a = randomCodes(Format::F16, 64 * 16, 10), b = randomCodes(Format::F16, 256, 11);
  Bytes shared(8192 + 512);
  for (unsigned i = 0; i < 64; ++i)
    for (unsigned k = 0; k < 16; ++k) {
      unsigned chunk = (2 + k / 8) ^ i % 8;
      put<uint16_t>(shared, i * 64 + chunk * 8 + k % 8, get<uint16_t>(a, i * 16 + k));
    }
  for (unsigned k = 0; k < 16; ++k)
    for (unsigned j = 0; j < 16; ++j) {
      unsigned chunk = j / 8 ^ k / 4 % 2;
      put<uint16_t>(shared, 4096 + k * 16 + chunk * 8 + j % 8, get<uint16_t>(b, k * 16 + j));
    }
  std::string body =
      ".shared .align 1024 .b8 tile[8704];\n" + loadPointers(2) +
      "mov.u32 %r40, %tid.x;\nmad.wide.u32 %d3, %r40, 4, %d1;\nmov.u32 %r41, tile;\n"
      "mov.u32 %r42, %r40;\ncopy:\nmad.wide.u32 %d4, %r42, 4, %d0;\nmad.lo.u32 %r43, %r42, 4, "
      "%r41;\n"
      "ld.global.b32 %r44, [%d4];\nst.shared.b32 [%r43], %r44;\nadd.u32 %r42, %r42, 128;\n"
      "setp.lt.u32 %p1, %r42, 2176;\n@%p1 bra copy;\nfence.proxy.async.shared::cta;\nbar.sync 0;\n"
      // start of A at 32 bytes, stride 1024, swizzle 1; start of B at 8192, stride 256, swizzle 3
      "add.u32 %r45, %r41, 32;\nshr.u32 %r45, %r45, 4;\ncvt.u64.u32 %d10, %r45;\n"
      "or.b64 %d10, %d10, 0x4000004000000000;\n"
      "add.u32 %r46, %r41, 8192;\nshr.u32 %r46, %r46, 4;\ncvt.u64.u32 %d11, %r46;\n"
      "or.b64 %d11, %d11, 0xC000001000000000;\nsetp.eq.u32 %p2, 0, 1;\n"
      "wgmma.fence.sync.aligned;\n"
      "wgmma.mma_async.sync.aligned.m64n16k16.f32.f16.f16 " +
      list("%r", 0, 8) +
      ", %d10, %d11, %p2, 1, 1, 0, 1;\nwgmma.commit_group.sync.aligned;\n"
      "wgmma.wait_group.sync.aligned 0;\n"
      // Once more on top, with A negated: the sum is what one product leaves of zero.
      "wgmma.mma_async.sync.aligned.m64n16k16.f32.f16.f16 " +
      list("%r", 8, 8) + ", %d10, %d11, !%p2, -1, 1, 0, 1;\n";
  body.insert(body.find("wgmma.fence"), [] {
    std::string zeros;
    for (unsigned i = 8; i < 16; ++i)
      zeros += "mov.b32 %r" + std::to_string(i) + ", 0;\n";
    return zeros;
  }());
  for (unsigned i = 0; i < 16; ++i)
    body += "st.global.b32 [%d3+" + std::to_string(i * 512) + "], %r" + std::to_string(i) + ";\n";
  std::vector<Bytes> buffers = {shared, Bytes(16 * 512)};
  Launch launch;
  launch.block = {128, 1, 1};
  // Under checks the unwritten accumulators of the first product are no fault.
  RunOptions options;
  options.checks = true;
  ASSERT_EQ(runText(entry(body, 2), buffers, launch, options).error, "");
  for (unsigned thread = 0; thread < 128; ++thread)
    for (unsigned i = 0; i < 8; ++i) {
      unsigned lane = thread % 32, r = thread / 32 * 16 + lane / 4 + i % 4 / 2 * 8,
               col = i / 4 * 8 + lane % 4 * 2 + i % 2;
      std::vector<uint64_t> left, negated, right;
      for (unsigned k = 0; k < 16; ++k) {
        left.push_back(get<uint16_t>(a, r * 16 + k));
        negated.push_back(left.back() ^ 0x8000);
        right.push_back(get<uint16_t>(b, k * 16 + col));
      }
      EXPECT_EQ(get<uint32_t>(buffers[1], i * 128 + thread),
                evaluateInstruction(row, left, right, 0));
      EXPECT_EQ(get<uint32_t>(buffers[1], (8 + i) * 128 + thread),
                evaluateInstruction(row, negated, right, 0));
    }
}

TEST(Matrix, WhatIsNotModelledIsRefused) {
  auto message = [](const std::string &body) {
    std::vector<Bytes> buffers;
    return runText(entry(body, 0), buffers, warp()).error;
  };
  EXPECT_EQ(
      message("mma.sync.aligned.m8n8k4.row.col.f32.f16.f16.f32 {%r0, %r1, %r2, %r3, %r4, %r5, "
              "%r6, %r7}, {%r8, %r9}, {%r10, %r11}, {%r0, %r1, %r2, %r3, %r4, %r5, %r6, %r7};"),
      "no matrix row for 'mma.m8n8k4.f32.f16.f16.f32' on sm_90");
  EXPECT_EQ(message("mma.sync.aligned.m16n8k8.row.col.f32.f16.f16.f32 {%r0, %r1, %r2, %r3}, {%r4}, "
                    "{%r6}, {%r0, %r1, %r2, %r3};"),
            "expected 2 registers of matrix a, found 1");
  for (const char *text :
       {"wmma.load {%r0}, [%d0], %r1;",
        "wmma.load.a {%r0}, [%d0], %r1;",
        "wmma.mma {%r0}, {%r1}, {%r2}, {%r3};",
        "wmma.load.a.sync.aligned.row.m16n16k16.global.f32 {%r0}, [%d0], %r1;",
        "mma {%r0}, {%r1}, {%r2}, {%r3};",
        "ldmatrix {%r0}, [%r1];",
        "ldmatrix.sync.aligned.m8n8.x2.shared.b16 {%r0}, [%r1];",
        "stmatrix [%r1], {%r0};",
        "movmatrix %r0, %r1;",
        "tensormap.replace [%d0], 1;",
        "tensormap.replace.tile.colour.shared::cta.b1024.b32 [%d0], 1;",
        "tensormap.replace.tile.box_dim.shared::cta.b1024.b32 [%d0], 5, %r0;",
        "cp.reduce.async.bulk [%d0], [%r0], 64;",
        "red.async [%r0], %r1, [%r2];",
        "st.async.weak.shared::cluster.mbarrier::complete_tx::bytes.v2.u32 [%r0], %r1, [%r2];",
        "cp.async.bulk.tensor.3d.shared::cluster.global.mbarrier::complete_tx::bytes [%r0], [%d0, "
        "{%r1, "
        "%r2}], [%r3];",
        "cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes [%r0], [%d0], "
        "[%r3];",
        "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%r0], [%d0], 64;",
        "elect.sync %r0, -1;",
        "mbarrier.arrive.expect_tx.shared.b64 _, [%r0];",
        "cp.async.ca.shared.global [%r0], [%d0], 12;",
        "wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {%r0}, %d0, %d1, 1;"})
    EXPECT_NE(message(text), "") << text;
  EXPECT_NE(message("wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {%r0, %r1, %r2, %r3}, %d0, "
                    "%d1, 1, 2, 1, 0, 0;"),
            "");
}
