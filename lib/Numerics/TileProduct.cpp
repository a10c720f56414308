//===- TileProduct.cpp - One matrix instruction over its whole tile -------===//
//
// Chooses the panel width and which side of the product runs along a vector's lanes so that little
// of a small tile is padding, and brings codes into the kernels' form. f64 is a plain chain; the
// few classes without a kernel go through evaluateStep.
//
//===----------------------------------------------------------------------===//

#include "Mettle/Numerics/TileProduct.h"
#include "FusedPacking.h"
#include "Mettle/Numerics/Step.h"
#include "llvm/ADT/bit.h"
#include <cmath>

using namespace mettle::numerics;

namespace {

InstructionSet bestSet() {
  for (InstructionSet set : {InstructionSet::AVX512, InstructionSet::AVX2})
    if (isAvailable(set))
      return set;
  return InstructionSet::Portable;
}

/// An integer operand as the kernel takes it.
uint32_t integerWord(Format format, uint32_t code) {
  const FormatInfo &f = info(format);
  uint32_t low = f.bits == 32 ? code : code & ((1u << f.bits) - 1);
  return f.isSigned ? uint32_t(llvm::SignExtend64(low, f.bits)) : low;
}

double doubleOf(uint64_t bits) { return llvm::bit_cast<double>(bits); }

} // namespace

TileProduct::TileProduct(const MatrixRow &row, unsigned m, unsigned n, InstructionSet set)
    : row(row), rows(m), cols(n), depth(row.products()) {
  const ArithmeticClass &step = row.arithmetic;
  bool fused = step.kind == ArithmeticClass::Fused || step.kind == ArithmeticClass::FusedViaF16;
  path = Path::Plain;
  if (set != InstructionSet::Plain) {
    if (fused && fitsKernels(step) && (row.c == row.d || row.c == Format::F16)) {
      if (isDirect(row.a, row.b))
        path = Path::Direct;
      else if (step.result == Format::F32)
        path = Path::Split;
    } else if (step.kind == ArithmeticClass::Integer) {
      path = Path::Integer;
    } else if (step.kind == ArithmeticClass::FMA && step.result == Format::F64) {
      path = Path::Double;
    }
  }
  groups = path == Path::Direct || path == Path::Split ? depth / step.group : 1;
  if (path == Path::Plain || path == Path::Double)
    return;

  if (set == InstructionSet::Best)
    set = bestSet();
  unsigned least = ~0u;
  for (bool across : {false, true})
    for (const KernelSet *candidate : {kernelsOf(set), narrowKernelsOf(set)}) {
      unsigned lines = across ? cols : rows, lanes = across ? rows : cols;
      unsigned padded = (lanes + candidate->width - 1) / candidate->width * candidate->width;
      if (lines * padded < least) {
        least = lines * padded;
        kernels = candidate;
        transposed = across;
      }
    }
  width = kernels->width;

  // fp8 by way of f16 takes the k with k mod 4 in {0, 1} first.
  position.resize(depth);
  groupFlags.assign(groups, 0);
  groupFlags.front() |= FirstOfInstruction;
  groupFlags.back() |= LastOfInstruction;
  for (unsigned k = 0; k < depth; ++k)
    position[k] = uint8_t(step.kind == ArithmeticClass::FusedViaF16
                              ? (k & 2) / 2 * (depth / 2) + k / 4 * 2 + (k & 1)
                              : k);

  auto fill = [&](Format format, std::vector<Packed> &table) {
    if (info(format).bits > 8)
      return;
    bool viaF16 = step.kind == ArithmeticClass::FusedViaF16;
    CodePacker packer(format, viaF16, path == Path::Split);
    for (uint32_t code = 0; code < 256; ++code) {
      if (path == Path::Integer) {
        table.push_back({integerWord(format, code), 0, false});
        continue;
      }
      PackedCode packed = packer(code);
      table.push_back({bitsOf(packed.value), packed.exponent, packed.special});
    }
  };
  fill(row.a, aTable);
  fill(row.b, bTable);
  if (path != Path::Integer) {
    aPacker = std::make_shared<CodePacker>(row.a, false, path == Path::Split);
    bPacker = std::make_shared<CodePacker>(row.b, false, path == Path::Split);
  }
}

uint32_t TileProduct::place(Side side, unsigned line, unsigned k) const {
  if (path == Path::Plain || path == Path::Double)
    return line * depth + k;
  if (side == Side::Rows)
    return line * depth + position[k];
  return (line / width * depth + position[k]) * width + line % width;
}

uint32_t TileProduct::aPlace(unsigned line, unsigned k) const {
  return place(transposed ? Side::Panels : Side::Rows, line, k);
}

uint32_t TileProduct::bPlace(unsigned k, unsigned col) const {
  return place(transposed ? Side::Rows : Side::Panels, col, k);
}

uint32_t TileProduct::accumulatorPlace(unsigned line, unsigned col) const {
  if (path == Path::Plain || path == Path::Double)
    return line * cols + col;
  unsigned count = transposed ? cols : rows;
  if (transposed)
    std::swap(line, col);
  return (col / width * count + line) * width + col % width;
}

TileProduct::Operand TileProduct::makeOperand(Side side, unsigned lines) const {
  Operand operand;
  if (path == Path::Plain || path == Path::Double) {
    operand.codes.assign(size_t(lines) * depth, 0);
    return operand;
  }
  unsigned panels = (lines + width - 1) / width;
  size_t count = size_t(side == Side::Rows ? lines : panels * width) * depth;
  operand.values.assign(count, 0);
  operand.special.assign(size_t(side == Side::Rows ? lines : panels) * groups, 0);
  // Padding counts as zero products.
  if (path == Path::Direct) {
    operand.exponents.assign(count, 0);
  } else if (path == Path::Split) {
    std::vector<int32_t> exponents(count, splitZeroExponent);
    auto bytes = reinterpret_cast<const uint8_t *>(exponents.data());
    operand.exponents.assign(bytes, bytes + count * sizeof(int32_t));
  }
  return operand;
}

TileProduct::Accumulators TileProduct::makeAccumulators() const {
  Accumulators acc;
  unsigned lines = transposed ? cols : rows, lanes = transposed ? rows : cols;
  if (path == Path::Plain || path == Path::Double)
    acc.codes.assign(size_t(rows) * cols, 0);
  else
    acc.words.assign(size_t(lines) * ((lanes + width - 1) / width) * width, 0);
  return acc;
}

TileProduct::Packed TileProduct::packed(Side side, Format format, const std::vector<Packed> &table,
                                        uint32_t code) const {
  if (!table.empty())
    return table[code & 255];
  if (path == Path::Integer)
    return {integerWord(format, code), 0, false};
  bool isA = (side == Side::Panels) == transposed;
  PackedCode packed = (isA ? *aPacker : *bPacker)(code);
  return {bitsOf(packed.value), packed.exponent, packed.special};
}

size_t TileProduct::flagOf(Side side, uint32_t place) const {
  if (side == Side::Rows)
    return place / depth * groups + place % depth / row.arithmetic.group;
  uint32_t product = place / width;
  return product / depth * groups + product % depth / row.arithmetic.group;
}

template <typename Code>
void TileProduct::pack(Operand &operand, Side side, Format format, const std::vector<Packed> &table,
                       const Code *codes, const uint32_t *places, size_t count) const {
  if (path == Path::Plain || path == Path::Double) {
    for (size_t i = 0; i < count; ++i)
      operand.codes[places[i]] = codes[i];
    return;
  }
  uint32_t *value = operand.values.data();
  if (path == Path::Integer) {
    for (size_t i = 0; i < count; ++i)
      value[places[i]] = packed(side, format, table, uint32_t(codes[i])).value;
    return;
  }
  std::fill(operand.special.begin(), operand.special.end(), 0);
  bool anySpecial = false;
  if (path == Path::Direct) {
    uint8_t *exponent = operand.exponents.data();
    if (format == Format::F16) {
      for (size_t i = 0; i < count; ++i) {
        uint32_t code = uint32_t(codes[i]), magnitude = code & 0x7FFF, field = magnitude >> 10;
        if (LLVM_UNLIKELY(magnitude != 0 && (field == 0 || field == 31))) {
          Packed p = packed(side, format, table, code);
          value[places[i]] = p.value;
          exponent[places[i]] = uint8_t(p.exponent);
          anySpecial |= p.special;
          continue;
        }
        uint32_t isNonZero = magnitude != 0 ? ~0u : 0;
        value[places[i]] =
            (code & 0x8000) << 16 | (isNonZero & ((magnitude << 13) + ((127 - 15) << 23)));
        exponent[places[i]] = uint8_t(isNonZero & (field - 15 + directExponentBias));
      }
    } else {
      for (size_t i = 0; i < count; ++i) {
        Packed p = packed(side, format, table, uint32_t(codes[i]));
        value[places[i]] = p.value;
        exponent[places[i]] = uint8_t(p.exponent);
        anySpecial |= p.special;
      }
    }
  } else {
    auto exponent = reinterpret_cast<int32_t *>(operand.exponents.data());
    unsigned shift = format == Format::BF16 ? 16 : 0;
    uint32_t kept = format == Format::TF32 ? ~0x1FFFu : ~0u;
    for (size_t i = 0; i < count; ++i) {
      uint32_t code = uint32_t(codes[i]), word = code << shift & kept, field = word >> 23 & 255;
      if ((word << 1) == 0 && table.empty()) {
        value[places[i]] = word;
        exponent[places[i]] = splitZeroExponent;
        continue;
      }
      if (LLVM_UNLIKELY(!table.empty() || field == 0 || field == 255)) {
        Packed p = packed(side, format, table, code);
        value[places[i]] = p.value;
        exponent[places[i]] = p.exponent;
        anySpecial |= p.special;
        continue;
      }
      value[places[i]] = (word & 0x807FFFFF) | 0x3F800000;
      exponent[places[i]] = int32_t(field) - 127;
    }
  }
  if (!anySpecial)
    return;
  for (size_t i = 0; i < count; ++i)
    if (packed(side, format, table, uint32_t(codes[i])).special)
      operand.special[flagOf(side, places[i])] = 1;
}

template <typename Word>
void TileProduct::load(Accumulators &acc, const Word *words, const uint32_t *places,
                       size_t count) const {
  if (path == Path::Plain || path == Path::Double) {
    for (size_t i = 0; i < count; ++i)
      acc.codes[places[i]] = words[i];
  } else if (row.c == Format::F16) {
    for (size_t i = 0; i < count; ++i)
      acc.words[places[i]] = bitsOf(decodeF16(uint16_t(words[i])));
  } else {
    for (size_t i = 0; i < count; ++i)
      acc.words[places[i]] = uint32_t(words[i]);
  }
}

template <typename Word>
void TileProduct::store(const Accumulators &acc, Word *words, const uint32_t *places,
                        size_t count) const {
  if (path == Path::Plain || path == Path::Double) {
    for (size_t i = 0; i < count; ++i)
      words[i] = Word(acc.codes[places[i]]);
  } else if (row.arithmetic.result == Format::F16) {
    for (size_t i = 0; i < count; ++i)
      words[i] = Word(encodeF16(floatOf(acc.words[places[i]])));
  } else {
    for (size_t i = 0; i < count; ++i)
      words[i] = Word(acc.words[places[i]]);
  }
}

void TileProduct::clear(Accumulators &acc) const {
  std::fill(acc.words.begin(), acc.words.end(), 0);
  std::fill(acc.codes.begin(), acc.codes.end(), 0);
}

void TileProduct::run(const Operand &a, const Operand &b, Accumulators &acc) const {
  if (path == Path::Plain)
    return runPlain(a, b, acc);
  if (path == Path::Double)
    return runDouble(a, b, acc);
  if (path != Path::Integer || row.arithmetic.overflow != Overflow::Saturate)
    return runKernels(a, b, acc);
  // The products of one instruction fit in 32 bits; only the last addition may not.
  std::vector<uint32_t> c(acc.words.size(), 0);
  c.swap(acc.words);
  runKernels(a, b, acc);
  for (size_t i = 0; i < c.size(); ++i) {
    int64_t sum = int64_t(int32_t(c[i])) + int32_t(acc.words[i]);
    acc.words[i] = uint32_t(std::clamp<int64_t>(sum, INT32_MIN, INT32_MAX));
  }
}

void TileProduct::runKernels(const Operand &a, const Operand &b, Accumulators &acc) const {
  const Operand &line = transposed ? b : a, &across = transposed ? a : b;
  unsigned lines = transposed ? cols : rows, lanes = transposed ? rows : cols;
  size_t exponentBytes = path == Path::Split ? 4 : 1;
  FusedParams params;
  if (path != Path::Integer)
    params = fusedParams(row.arithmetic, path == Path::Split, /*accumulateLast=*/false);

  for (unsigned panel = 0; panel * width < lanes; ++panel)
    for (unsigned first = 0; first < lines; first += tileRows) {
      unsigned count = std::min(tileRows, lines - first);
      uint32_t *words = acc.words.data() + (size_t(panel) * lines + first) * width;
      const uint32_t *lineValues = line.values.data() + size_t(first) * depth;
      const uint32_t *panelValues = across.values.data() + size_t(panel) * depth * width;
      if (path == Path::Integer) {
        kernels->integer({reinterpret_cast<const int32_t *>(lineValues),
                          reinterpret_cast<const int32_t *>(panelValues), depth, count, 0, depth,
                          reinterpret_cast<int32_t *>(words)});
        continue;
      }
      FusedTile tile;
      tile.a = reinterpret_cast<const float *>(lineValues);
      tile.b = reinterpret_cast<const float *>(panelValues);
      tile.aExponents = line.exponents.data() + size_t(first) * depth * exponentBytes;
      tile.bExponents = across.exponents.data() + size_t(panel) * depth * width * exponentBytes;
      tile.aSpecial = line.special.data() + size_t(first) * groups;
      tile.bSpecial = across.special.data() + size_t(panel) * groups;
      tile.aRowStride = depth;
      tile.aSpecialStride = groups;
      tile.rows = count;
      tile.firstGroup = 0;
      tile.endGroup = groups;
      tile.groupFlags = groupFlags.data();
      tile.accumulators = reinterpret_cast<float *>(words);
      (path == Path::Split ? kernels->split : kernels->direct)(params, tile);
    }
}

void TileProduct::runDouble(const Operand &a, const Operand &b, Accumulators &acc) const {
  for (unsigned i = 0; i < rows; ++i)
    for (unsigned j = 0; j < cols; ++j) {
      uint64_t &c = acc.codes[size_t(i) * cols + j];
      double sum = doubleOf(c);
      for (unsigned k = 0; k < depth; ++k)
        sum = std::fma(doubleOf(a.codes[size_t(i) * depth + k]),
                       doubleOf(b.codes[size_t(j) * depth + k]), sum);
      // Which NaN it is depends on the operands.
      c = sum == sum ? llvm::bit_cast<uint64_t>(sum) : plainElement(a, b, acc, i, j);
    }
}

uint64_t TileProduct::plainElement(const Operand &a, const Operand &b, const Accumulators &acc,
                                   unsigned i, unsigned j) const {
  return evaluateInstruction(row, llvm::ArrayRef(a.codes).slice(size_t(i) * depth, depth),
                             llvm::ArrayRef(b.codes).slice(size_t(j) * depth, depth),
                             acc.codes[size_t(i) * cols + j]);
}

void TileProduct::runPlain(const Operand &a, const Operand &b, Accumulators &acc) const {
  for (unsigned i = 0; i < rows; ++i)
    for (unsigned j = 0; j < cols; ++j)
      acc.codes[size_t(i) * cols + j] = plainElement(a, b, acc, i, j);
}

namespace mettle::numerics {
#define INSTANTIATE(Type)                                                                          \
  template void TileProduct::pack(Operand &, Side, Format, const std::vector<Packed> &,            \
                                  const Type *, const uint32_t *, size_t) const;                   \
  template void TileProduct::load(Accumulators &, const Type *, const uint32_t *, size_t) const;   \
  template void TileProduct::store(const Accumulators &, Type *, const uint32_t *, size_t) const;
INSTANTIATE(uint8_t)
INSTANTIATE(uint16_t)
INSTANTIATE(uint32_t)
INSTANTIATE(uint64_t)
#undef INSTANTIATE
} // namespace mettle::numerics
