//===- FragmentLayout.cpp - Matrices spread over registers ----------------===//
//
// The table of layouts. A row names, lowest first, the input bit that gives each bit of the row and
// of the column: l of the lane, r of the register's number, e of the place in the register. `r+`
// stands for all register bits that are not named.
//
//===----------------------------------------------------------------------===//

#include "Mettle/Numerics/FragmentLayout.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/ErrorHandling.h"
#include <map>

using namespace mettle::numerics;
using llvm::StringRef;

namespace {

struct Record {
  llvm::StringLiteral family, operand, shapes, types;
  unsigned registers;
  llvm::StringLiteral row, col;
};

// mma: PTX ISA 9.0, "Matrix fragments for mma" of each shape; types are widths in bits. The B of
// the longest k is only that of mma.sp. wmma: read from what ptxas makes of wmma.load and wmma.mma
// for sm_90 (the address of each register's element; which registers enter which HMMA, IMMA or
// DMMA). wgmma: PTX ISA 9.0, "Register fragments and shared memory matrix layouts".
constexpr Record records[] = {
    {"mma", "a", "m8n8k4", "64", 1, "l2 l3 l4", "l0 l1"},
    {"mma", "a", "m8n8k16", "8", 1, "l2 l3 l4", "e0 e1 l0 l1"},
    {"mma", "a", "m8n8k32", "4", 1, "l2 l3 l4", "e0 e1 e2 l0 l1"},
    {"mma", "a", "m8n8k128", "1", 1, "l2 l3 l4", "e0 e1 e2 e3 e4 l0 l1"},
    {"mma", "a", "m16n8k4", "32 64", 2, "l2 l3 l4 r0", "l0 l1"},
    {"mma", "a", "m16n8k8", "32 64", 4, "l2 l3 l4 r0", "l0 l1 r1"},
    {"mma", "a", "m16n8k16", "64", 8, "l2 l3 l4 r0", "l0 l1 r1 r2"},
    {"mma", "a", "m16n8k8", "16", 2, "l2 l3 l4 r0", "e0 l0 l1"},
    {"mma", "a", "m16n8k16", "16", 4, "l2 l3 l4 r0", "e0 l0 l1 r1"},
    {"mma", "a", "m16n8k16", "8", 2, "l2 l3 l4 r0", "e0 e1 l0 l1"},
    {"mma", "a", "m16n8k32", "8", 4, "l2 l3 l4 r0", "e0 e1 l0 l1 r1"},
    {"mma", "a", "m16n8k32", "4", 2, "l2 l3 l4 r0", "e0 e1 e2 l0 l1"},
    {"mma", "a", "m16n8k64", "4", 4, "l2 l3 l4 r0", "e0 e1 e2 l0 l1 r1"},
    {"mma", "a", "m16n8k128", "1", 2, "l2 l3 l4 r0", "e0 e1 e2 e3 e4 l0 l1"},
    {"mma", "a", "m16n8k256", "1", 4, "l2 l3 l4 r0", "e0 e1 e2 e3 e4 l0 l1 r1"},

    {"mma", "b", "m8n8k4 m16n8k4", "64", 1, "l0 l1", "l2 l3 l4"},
    {"mma", "b", "m16n8k4", "32", 1, "l0 l1", "l2 l3 l4"},
    {"mma", "b", "m16n8k8", "32 64", 2, "l0 l1 r0", "l2 l3 l4"},
    {"mma", "b", "m16n8k16", "32 64", 4, "l0 l1 r0 r1", "l2 l3 l4"},
    {"mma", "b", "m16n8k8", "16", 1, "e0 l0 l1", "l2 l3 l4"},
    {"mma", "b", "m16n8k16", "16", 2, "e0 l0 l1 r0", "l2 l3 l4"},
    {"mma", "b", "m16n8k32", "16", 4, "e0 l0 l1 r0 r1", "l2 l3 l4"},
    {"mma", "b", "m8n8k16 m16n8k16", "8", 1, "e0 e1 l0 l1", "l2 l3 l4"},
    {"mma", "b", "m16n8k32", "8", 2, "e0 e1 l0 l1 r0", "l2 l3 l4"},
    {"mma", "b", "m16n8k64", "8", 4, "e0 e1 l0 l1 r0 r1", "l2 l3 l4"},
    {"mma", "b", "m8n8k32 m16n8k32", "4", 1, "e0 e1 e2 l0 l1", "l2 l3 l4"},
    {"mma", "b", "m16n8k64", "4", 2, "e0 e1 e2 l0 l1 r0", "l2 l3 l4"},
    {"mma", "b", "m16n8k128", "4", 4, "e0 e1 e2 l0 l1 r0 r1", "l2 l3 l4"},
    {"mma", "b", "m8n8k128 m16n8k128", "1", 1, "e0 e1 e2 e3 e4 l0 l1", "l2 l3 l4"},
    {"mma", "b", "m16n8k256", "1", 2, "e0 e1 e2 e3 e4 l0 l1 r0", "l2 l3 l4"},

    {"mma", "c", "m8n8", "32 64", 2, "l2 l3 l4", "r0 l0 l1"},
    {"mma", "c", "m16n8", "32 64", 4, "l2 l3 l4 r1", "r0 l0 l1"},
    {"mma", "c", "m16n8", "16", 2, "l2 l3 l4 r0", "e0 l0 l1"},

    {"volta", "a.row", "m8n8k4", "16", 2, "l0 l1 l4", "e0 r0"},
    {"volta", "a.col", "m8n8k4", "16", 2, "e0 r0 l4", "l0 l1"},
    {"volta", "b.row", "m8n8k4", "16", 2, "l0 l1", "e0 r0 l4"},
    {"volta", "b.col", "m8n8k4", "16", 2, "e0 r0", "l0 l1 l4"},
    {"volta", "c", "m8n8", "16", 4, "l0 l1 l4", "e0 r0 r1"},
    {"volta", "c", "m8n8", "32", 8, "l0 r1 l4", "r0 l1 r2"},

    {"wmma", "a", "m16n16k16", "f16", 8, "l2 l3 l4 r0", "e0 l0 l1 r1"},
    {"wmma", "a", "m32n8k16", "f16 bf16", 8, "l2 l3 l4 r0 r2", "e0 l0 l1 r1"},
    {"wmma", "a", "m8n32k16", "f16", 8, "l2 l3 l4", "e0 l0 l1 r0"},
    {"wmma", "a", "m16n16k16", "bf16", 4, "l2 l3 l4 r0", "e0 l0 l1 r1"},
    {"wmma", "a", "m8n32k16", "bf16", 2, "l2 l3 l4", "e0 l0 l1 r0"},
    {"wmma", "a", "m16n16k16", "s8 u8", 2, "l2 l3 l4 r0", "e0 e1 l0 l1"},
    {"wmma", "a", "m32n8k16", "s8 u8", 4, "l2 l3 l4 r0 r1", "e0 e1 l0 l1"},
    {"wmma", "a", "m8n32k16", "s8 u8", 1, "l2 l3 l4", "e0 e1 l0 l1"},
    {"wmma", "a", "m16n16k8", "tf32", 4, "l2 l3 l4 r0", "l0 l1 r1"},
    {"wmma", "a", "m8n8k4", "f64", 1, "l2 l3 l4", "l0 l1"},
    {"wmma", "a", "m8n8k32", "s4 u4", 1, "l2 l3 l4", "e0 e1 e2 l0 l1"},
    {"wmma", "a", "m8n8k128", "b1", 1, "l2 l3 l4", "e0 e1 e2 e3 e4 l0 l1"},

    {"wmma", "b", "m16n16k16", "f16", 8, "e0 l0 l1 r0", "l2 l3 l4 r1"},
    {"wmma", "b", "m32n8k16", "f16", 8, "e0 l0 l1 r0", "l2 l3 l4"},
    {"wmma", "b", "m8n32k16", "f16 bf16", 8, "e0 l0 l1 r1", "l2 l3 l4 r0 r2"},
    {"wmma", "b", "m16n16k16", "bf16", 4, "e0 l0 l1 r0", "l2 l3 l4 r1"},
    {"wmma", "b", "m32n8k16", "bf16", 2, "e0 l0 l1 r0", "l2 l3 l4"},
    {"wmma", "b", "m16n16k16", "s8 u8", 2, "e0 e1 l0 l1", "l2 l3 l4 r0"},
    {"wmma", "b", "m32n8k16", "s8 u8", 1, "e0 e1 l0 l1", "l2 l3 l4"},
    {"wmma", "b", "m8n32k16", "s8 u8", 4, "e0 e1 l0 l1", "l2 l3 l4 r0 r1"},
    {"wmma", "b", "m16n16k8", "tf32", 4, "l0 l1 r0", "l2 l3 l4 r1"},
    {"wmma", "b", "m8n8k4", "f64", 1, "l0 l1", "l2 l3 l4"},
    {"wmma", "b", "m8n8k32", "s4 u4", 1, "e0 e1 e2 l0 l1", "l2 l3 l4"},
    {"wmma", "b", "m8n8k128", "b1", 1, "e0 e1 e2 e3 e4 l0 l1", "l2 l3 l4"},

    {"wmma", "c", "m16n16", "f32 s32", 8, "l2 l3 l4 r1", "r0 l0 l1 r2"},
    {"wmma", "c", "m32n8", "f32 s32", 8, "l2 l3 l4 r1 r2", "r0 l0 l1"},
    {"wmma", "c", "m8n32", "f32 s32", 8, "r0 l0 l1", "l2 l3 l4 r1 r2"},
    {"wmma", "c", "m16n16", "f16", 4, "l2 l3 l4 r0", "e0 l0 l1 r1"},
    {"wmma", "c", "m32n8", "f16", 4, "l2 l3 l4 r0 r1", "e0 l0 l1"},
    {"wmma", "c", "m8n32", "f16", 4, "e0 l0 l1", "l2 l3 l4 r0 r1"},
    {"wmma", "c", "m8n8", "f64 s32", 2, "l2 l3 l4", "r0 l0 l1"},

    {"wgmma", "a", "m64", "16", 4, "l2 l3 l4 r0 l5 l6", "e0 l0 l1 r1"},
    {"wgmma", "a", "m64", "32", 4, "l2 l3 l4 r0 l5 l6", "l0 l1 r1"},
    {"wgmma", "a", "m64", "8", 4, "l2 l3 l4 r0 l5 l6", "e0 e1 l0 l1 r1"},
    {"wgmma", "c", "m64", "32", 0, "l2 l3 l4 r1 l5 l6", "r0 l0 l1 r+"},
    {"wgmma", "c", "m64", "16", 0, "l2 l3 l4 r0 l5 l6", "e0 l0 l1 r+"},

    {"matrix", "row", "8x8", "16", 1, "l2 l3 l4", "e0 l0 l1"},
    {"matrix", "trans", "8x8", "16", 1, "e0 l0 l1", "l2 l3 l4"},
};

/// Width in bits of a type, by its name or its width.
unsigned bitsOfType(StringRef type) {
  unsigned bits;
  if (type == "tf32")
    return 32;
  bool isNumber = !type.ltrim("abcdefghijklmnopqrstuvwxyz").getAsInteger(10, bits);
  assert(isNumber && "a type of the table");
  (void)isNumber;
  return bits;
}

/// Enters the bits of one coordinate; returns its extent in bits.
unsigned enter(StringRef text, unsigned FragmentPosition::*coordinate, FragmentLayout &layout) {
  llvm::SmallVector<StringRef, 8> sources;
  text.split(sources, ' ');
  unsigned weight = 0;
  for (StringRef source : sources) {
    unsigned bit = unsigned(source[1] - '0');
    switch (source[0]) {
    case 'l':
      layout.laneStep[bit].*coordinate = 1u << weight;
      break;
    case 'r':
      layout.registerStep[bit].*coordinate = 1u << weight;
      break;
    case 'e':
      layout.elementStep[bit].*coordinate = 1u << weight;
      break;
    default:
      llvm_unreachable("a source of the table");
    }
    ++weight;
  }
  return weight;
}

FragmentLayout layoutOf(const Record &record, StringRef type) {
  FragmentLayout layout;
  layout.elementBits = bitsOfType(type);
  layout.perRegister = layout.elementBits == 64 ? 1 : 32 / layout.elementBits;
  layout.registers = record.registers;
  layout.lanes = record.family == "wgmma" ? 128 : 32;
  layout.source = record.family == "wmma" ? LayoutSource::SASS : LayoutSource::PTXSpec;
  StringRef row = record.row, col = record.col;
  layout.rows = 1u << enter(row, &FragmentPosition::row, layout);
  // `r+` goes on after the register bits that the row has taken.
  if (col.consume_back("r+")) {
    unsigned taken = row.count('r') + col.count('r');
    unsigned weight = enter(col.rtrim(), &FragmentPosition::col, layout);
    for (unsigned i = taken; i < layout.registerStep.size(); ++i, ++weight)
      layout.registerStep[i].col = 1u << weight;
  } else {
    layout.cols = 1u << enter(col, &FragmentPosition::col, layout);
  }
  return layout;
}

using Table = std::map<std::string, FragmentLayout, std::less<>>;

Table build() {
  Table table;
  for (const Record &record : records) {
    llvm::SmallVector<StringRef, 4> shapes, types;
    StringRef(record.shapes).split(shapes, ' ');
    StringRef(record.types).split(types, ' ');
    for (StringRef shape : shapes)
      for (StringRef type : types) {
        std::string key = (record.family + "." + record.operand + "." + shape + "." + type).str();
        bool inserted = table.emplace(key, layoutOf(record, type)).second;
        assert(inserted && "one row a layout");
        (void)inserted;
      }
  }
  return table;
}

std::optional<FragmentLayout> find(const llvm::Twine &key) {
  static const Table table = build();
  auto found = table.find(key.str());
  if (found == table.end())
    return std::nullopt;
  return found->second;
}

std::string shapeText(FragmentOperand operand, unsigned m, unsigned n, unsigned k) {
  std::string text = "m" + std::to_string(m) + "n" + std::to_string(n);
  return operand == FragmentOperand::Accumulator ? text : text + "k" + std::to_string(k);
}

StringRef operandText(FragmentOperand operand) {
  return operand == FragmentOperand::A ? "a" : operand == FragmentOperand::B ? "b" : "c";
}

} // namespace

std::vector<uint16_t> FragmentLayout::permutation() const {
  std::vector<uint16_t> order;
  order.reserve(size_t(registers) * lanes * perRegister);
  for (unsigned reg = 0; reg < registers; ++reg)
    for (unsigned lane = 0; lane < lanes; ++lane)
      for (unsigned element = 0; element < perRegister; ++element) {
        FragmentPosition position = at(lane, reg, element);
        order.push_back(uint16_t(position.row * cols + position.col));
      }
  return order;
}

std::optional<FragmentLayout> mettle::numerics::mmaFragment(FragmentOperand operand, unsigned m,
                                                            unsigned n, unsigned k, unsigned bits) {
  return find("mma." + operandText(operand) + "." + shapeText(operand, m, n, k) + "." +
              llvm::Twine(bits));
}

std::optional<FragmentLayout> mettle::numerics::sparseFragment(FragmentOperand operand, unsigned m,
                                                               unsigned n, unsigned k,
                                                               unsigned bits) {
  return mmaFragment(operand, m, n, operand == FragmentOperand::A ? k / 2 : k, bits);
}

FragmentLayout mettle::numerics::voltaFragment(FragmentOperand operand, bool rowMajor,
                                               unsigned bits) {
  StringRef order = operand == FragmentOperand::Accumulator ? "" : rowMajor ? ".row" : ".col";
  std::optional<FragmentLayout> layout =
      find("volta." + operandText(operand) + order + "." + shapeText(operand, 8, 8, 4) + "." +
           llvm::Twine(bits));
  assert(layout && "an operand of m8n8k4");
  return *layout;
}

std::optional<FragmentLayout> mettle::numerics::wmmaFragment(FragmentOperand operand, unsigned m,
                                                             unsigned n, unsigned k,
                                                             StringRef type) {
  return find("wmma." + operandText(operand) + "." + shapeText(operand, m, n, k) + "." + type);
}

std::optional<FragmentLayout> mettle::numerics::wgmmaFragment(FragmentOperand operand, unsigned n,
                                                              unsigned bits) {
  if (operand == FragmentOperand::B || n % 8 != 0 || n < 8 || n > 256)
    return std::nullopt;
  std::optional<FragmentLayout> layout =
      find("wgmma." + operandText(operand) + ".m64." + llvm::Twine(bits));
  if (layout && operand == FragmentOperand::Accumulator) {
    layout->cols = n;
    layout->registers = n / 2 / layout->perRegister;
  }
  return layout;
}

FragmentLayout mettle::numerics::matrixFragment(bool transposed) {
  return *find(transposed ? "matrix.trans.8x8.16" : "matrix.row.8x8.16");
}

// PTX ISA 9.0, "Sparse matrix storage" and the metadata figures of mma.sp m16n8k16 and m16n8k32 on
// f16 and m16n8k8 and m16n8k16 on tf32. A register holds 16 bits of row g and 16 of row g + 8, g
// being a quarter of the lane; where a row has 32 bits, two neighbouring lanes share it. For bytes
// and 4-bit elements a register holds 32 bits of one row, that of row g before that of row g + 8:
// so an H200 answers Emulator/Inputs/tile_questions.py, as to all the others.
std::optional<MetadataField> mettle::numerics::metadataField(unsigned k, unsigned bits,
                                                             unsigned selector, unsigned row,
                                                             unsigned group) {
  if (bits != 4 && bits != 8 && bits != 16 && bits != 32)
    return std::nullopt;
  unsigned groups = bits == 32 ? k / 2 : bits == 4 ? k / 8 : k / 4; // in a row
  if ((groups != 4 && groups != 8 && groups != 16) || row >= 16 || group >= groups)
    return std::nullopt;
  unsigned lanes = groups / 4; // of a quad that take part
  if (selector >= 4 / lanes)
    return std::nullopt;
  if (bits < 16 && groups == 4)
    return std::nullopt; // no such instruction
  if (bits < 16)
    return MetadataField{(row % 8) * 4 + selector * 2 + group / 8 * 2 + row / 8, group % 8 * 4};
  return MetadataField{(row % 8) * 4 + selector * lanes + group / 4,
                       (row / 8) * 16 + (group % 4) * 4};
}

std::optional<std::array<uint8_t, 2>> mettle::numerics::keptColumns(unsigned bits, unsigned field) {
  if (bits == 32) {
    if (field != 0b0100 && field != 0b1110)
      return std::nullopt;
    return std::array<uint8_t, 2>{uint8_t(field == 0b1110), 0};
  }
  uint8_t first = field & 3, second = (field >> 2) & 3;
  if (first >= second)
    return std::nullopt;
  return std::array<uint8_t, 2>{first, second};
}
