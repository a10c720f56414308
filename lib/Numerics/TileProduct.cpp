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

TileProduct::Buffers TileProduct::makeBuffers() const {
  Buffers buffers;
  if (path == Path::Plain || path == Path::Double) {
    buffers.aCodes.assign(size_t(rows) * depth, 0);
    buffers.bCodes.assign(size_t(cols) * depth, 0);
    buffers.cCodes.assign(size_t(rows) * cols, 0);
    return buffers;
  }
  auto padded = [&](unsigned lanes) { return size_t(lanes + width - 1) / width * width; };
  size_t aLines = transposed ? padded(rows) : rows, bLines = transposed ? cols : padded(cols);
  buffers.a.assign(aLines * depth, 0);
  buffers.b.assign(bLines * depth, 0);
  buffers.accumulators.assign(transposed ? aLines * cols : rows * bLines, 0);
  // Padding counts as zero products.
  auto zeros = [&](size_t count) {
    if (path == Path::Direct)
      return std::vector<uint8_t>(count, 0);
    std::vector<int32_t> exponents(count, splitZeroExponent);
    auto bytes = reinterpret_cast<const uint8_t *>(exponents.data());
    return std::vector<uint8_t>(bytes, bytes + count * sizeof(int32_t));
  };
  if (path != Path::Integer) {
    buffers.aExponents = zeros(buffers.a.size());
    buffers.bExponents = zeros(buffers.b.size());
  }
  buffers.aSpecial.assign((transposed ? aLines / width : aLines) * groups, 0);
  buffers.bSpecial.assign((transposed ? bLines : bLines / width) * groups, 0);
  return buffers;
}

TileProduct::Packed TileProduct::packed(Format format, const std::vector<Packed> &table,
                                        uint32_t code) const {
  if (!table.empty())
    return table[code & 255];
  if (path == Path::Integer)
    return {integerWord(format, code), 0, false};
  PackedCode packed = CodePacker(format, false, path == Path::Split)(code);
  return {bitsOf(packed.value), packed.exponent, packed.special};
}

size_t TileProduct::flagOf(Side side, uint32_t place) const {
  if (side == Side::Rows)
    return place / depth * groups + place % depth / row.arithmetic.group;
  uint32_t product = place / width;
  return product / depth * groups + product % depth / row.arithmetic.group;
}

template <typename Code>
void TileProduct::pack(std::vector<uint32_t> &values, std::vector<uint8_t> &exponents,
                       std::vector<uint8_t> &special, std::vector<uint64_t> &wide, Side side,
                       Format format, const std::vector<Packed> &table, const Code *codes,
                       const uint32_t *places, size_t count) const {
  if (path == Path::Plain || path == Path::Double) {
    for (size_t i = 0; i < count; ++i)
      wide[places[i]] = codes[i];
    return;
  }
  uint32_t *value = values.data();
  if (path == Path::Integer) {
    for (size_t i = 0; i < count; ++i)
      value[places[i]] = packed(format, table, uint32_t(codes[i])).value;
    return;
  }
  std::fill(special.begin(), special.end(), 0);
  bool anySpecial = false;
  if (path == Path::Direct) {
    uint8_t *exponent = exponents.data();
    if (format == Format::F16) {
      for (size_t i = 0; i < count; ++i) {
        uint32_t code = uint32_t(codes[i]), magnitude = code & 0x7FFF, field = magnitude >> 10;
        if (LLVM_UNLIKELY(field == 0 || field == 31)) {
          Packed p = packed(format, table, code);
          value[places[i]] = p.value;
          exponent[places[i]] = uint8_t(p.exponent);
          anySpecial |= p.special;
          continue;
        }
        value[places[i]] = (code & 0x8000) << 16 | ((magnitude << 13) + ((127 - 15) << 23));
        exponent[places[i]] = uint8_t(field - 15 + directExponentBias);
      }
    } else {
      for (size_t i = 0; i < count; ++i) {
        Packed p = packed(format, table, uint32_t(codes[i]));
        value[places[i]] = p.value;
        exponent[places[i]] = uint8_t(p.exponent);
        anySpecial |= p.special;
      }
    }
  } else {
    auto exponent = reinterpret_cast<int32_t *>(exponents.data());
    unsigned shift = format == Format::BF16 ? 16 : 0;
    uint32_t kept = format == Format::TF32 ? ~0x1FFFu : ~0u;
    for (size_t i = 0; i < count; ++i) {
      uint32_t code = uint32_t(codes[i]), word = code << shift & kept, field = word >> 23 & 255;
      if (LLVM_UNLIKELY(!table.empty() || field == 0 || field == 255)) {
        Packed p = packed(format, table, code);
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
    if (packed(format, table, uint32_t(codes[i])).special)
      special[flagOf(side, places[i])] = 1;
}

template <typename Code>
void TileProduct::packA(Buffers &buffers, const Code *codes, const uint32_t *places,
                        size_t count) const {
  pack(buffers.a, buffers.aExponents, buffers.aSpecial, buffers.aCodes,
       transposed ? Side::Panels : Side::Rows, row.a, aTable, codes, places, count);
}

template <typename Code>
void TileProduct::packB(Buffers &buffers, const Code *codes, const uint32_t *places,
                        size_t count) const {
  pack(buffers.b, buffers.bExponents, buffers.bSpecial, buffers.bCodes,
       transposed ? Side::Rows : Side::Panels, row.b, bTable, codes, places, count);
}

template <typename Word>
void TileProduct::load(Buffers &buffers, const Word *words, const uint32_t *places,
                       size_t count) const {
  if (path == Path::Plain || path == Path::Double) {
    for (size_t i = 0; i < count; ++i)
      buffers.cCodes[places[i]] = words[i];
  } else if (row.c == Format::F16) {
    for (size_t i = 0; i < count; ++i)
      buffers.accumulators[places[i]] = bitsOf(decodeF16(uint16_t(words[i])));
  } else {
    for (size_t i = 0; i < count; ++i)
      buffers.accumulators[places[i]] = uint32_t(words[i]);
  }
}

template <typename Word>
void TileProduct::store(const Buffers &buffers, Word *words, const uint32_t *places,
                        size_t count) const {
  if (path == Path::Plain || path == Path::Double) {
    for (size_t i = 0; i < count; ++i)
      words[i] = Word(buffers.cCodes[places[i]]);
  } else if (row.arithmetic.result == Format::F16) {
    for (size_t i = 0; i < count; ++i)
      words[i] = Word(encodeF16(floatOf(buffers.accumulators[places[i]])));
  } else {
    for (size_t i = 0; i < count; ++i)
      words[i] = Word(buffers.accumulators[places[i]]);
  }
}

void TileProduct::clear(Buffers &buffers) const {
  std::fill(buffers.accumulators.begin(), buffers.accumulators.end(), 0);
  std::fill(buffers.cCodes.begin(), buffers.cCodes.end(), 0);
}

void TileProduct::run(Buffers &buffers) const {
  if (path == Path::Plain)
    return runPlain(buffers);
  if (path == Path::Double)
    return runDouble(buffers);
  if (path != Path::Integer || row.arithmetic.overflow != Overflow::Saturate)
    return runKernels(buffers);
  // The products of one instruction fit in 32 bits; only the last addition may not.
  std::vector<uint32_t> c(buffers.accumulators.size(), 0);
  c.swap(buffers.accumulators);
  runKernels(buffers);
  for (size_t i = 0; i < c.size(); ++i) {
    int64_t sum = int64_t(int32_t(c[i])) + int32_t(buffers.accumulators[i]);
    buffers.accumulators[i] = uint32_t(std::clamp<int64_t>(sum, INT32_MIN, INT32_MAX));
  }
}

void TileProduct::runKernels(Buffers &buffers) const {
  const std::vector<uint32_t> &lineWords = transposed ? buffers.b : buffers.a;
  const std::vector<uint32_t> &panelWords = transposed ? buffers.a : buffers.b;
  const std::vector<uint8_t> &lineExponents = transposed ? buffers.bExponents : buffers.aExponents;
  const std::vector<uint8_t> &panelExponents = transposed ? buffers.aExponents : buffers.bExponents;
  const std::vector<uint8_t> &lineSpecial = transposed ? buffers.bSpecial : buffers.aSpecial;
  const std::vector<uint8_t> &panelSpecial = transposed ? buffers.aSpecial : buffers.bSpecial;
  unsigned lines = transposed ? cols : rows, lanes = transposed ? rows : cols;
  size_t exponentBytes = path == Path::Split ? 4 : 1;
  FusedParams params;
  if (path != Path::Integer)
    params = fusedParams(row.arithmetic, path == Path::Split, /*accumulateLast=*/false);

  for (unsigned panel = 0; panel * width < lanes; ++panel)
    for (unsigned first = 0; first < lines; first += tileRows) {
      unsigned count = std::min(tileRows, lines - first);
      uint32_t *acc = buffers.accumulators.data() + (size_t(panel) * lines + first) * width;
      const uint32_t *a = lineWords.data() + size_t(first) * depth;
      const uint32_t *b = panelWords.data() + size_t(panel) * depth * width;
      if (path == Path::Integer) {
        kernels->integer({reinterpret_cast<const int32_t *>(a),
                          reinterpret_cast<const int32_t *>(b), depth, count, 0, depth,
                          reinterpret_cast<int32_t *>(acc)});
        continue;
      }
      FusedTile tile;
      tile.a = reinterpret_cast<const float *>(a);
      tile.b = reinterpret_cast<const float *>(b);
      tile.aExponents = lineExponents.data() + size_t(first) * depth * exponentBytes;
      tile.bExponents = panelExponents.data() + size_t(panel) * depth * width * exponentBytes;
      tile.aSpecial = lineSpecial.data() + size_t(first) * groups;
      tile.bSpecial = panelSpecial.data() + size_t(panel) * groups;
      tile.aRowStride = depth;
      tile.aSpecialStride = groups;
      tile.rows = count;
      tile.firstGroup = 0;
      tile.endGroup = groups;
      tile.groupFlags = groupFlags.data();
      tile.accumulators = reinterpret_cast<float *>(acc);
      (path == Path::Split ? kernels->split : kernels->direct)(params, tile);
    }
}

void TileProduct::runDouble(Buffers &buffers) const {
  for (unsigned i = 0; i < rows; ++i)
    for (unsigned j = 0; j < cols; ++j) {
      uint64_t &c = buffers.cCodes[size_t(i) * cols + j];
      double sum = doubleOf(c);
      for (unsigned k = 0; k < depth; ++k)
        sum = std::fma(doubleOf(buffers.aCodes[size_t(i) * depth + k]),
                       doubleOf(buffers.bCodes[size_t(j) * depth + k]), sum);
      // Which NaN it is depends on the operands.
      c = sum == sum ? llvm::bit_cast<uint64_t>(sum) : plainElement(buffers, i, j);
    }
}

uint64_t TileProduct::plainElement(const Buffers &buffers, unsigned i, unsigned j) const {
  return evaluateInstruction(row, llvm::ArrayRef(buffers.aCodes).slice(size_t(i) * depth, depth),
                             llvm::ArrayRef(buffers.bCodes).slice(size_t(j) * depth, depth),
                             buffers.cCodes[size_t(i) * cols + j]);
}

void TileProduct::runPlain(Buffers &buffers) const {
  for (unsigned i = 0; i < rows; ++i)
    for (unsigned j = 0; j < cols; ++j)
      buffers.cCodes[size_t(i) * cols + j] = plainElement(buffers, i, j);
}

namespace mettle::numerics {
#define INSTANTIATE(Type)                                                                          \
  template void TileProduct::packA(Buffers &, const Type *, const uint32_t *, size_t) const;       \
  template void TileProduct::packB(Buffers &, const Type *, const uint32_t *, size_t) const;       \
  template void TileProduct::load(Buffers &, const Type *, const uint32_t *, size_t) const;        \
  template void TileProduct::store(const Buffers &, Type *, const uint32_t *, size_t) const;
INSTANTIATE(uint8_t)
INSTANTIATE(uint16_t)
INSTANTIATE(uint32_t)
INSTANTIATE(uint64_t)
#undef INSTANTIATE
} // namespace mettle::numerics
