//===- TensorMap.cpp - Tensor maps of the emulator ------------------------===//
//
// The 128 bytes, little endian: address 0, strides 8, dimensions 40, element strides 60 (a byte
// each), box 80 (two bytes each), element type 90, rank - 1 91, interleave 92, swizzle 93, fill 94.
//
//===----------------------------------------------------------------------===//

#include "Mettle/Emulator/TensorMap.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Endian.h"
#include "llvm/Support/JSON.h"

using namespace mettle::emulator;
using namespace llvm::support::endian;

namespace {
struct ElementInfo {
  llvm::StringLiteral name;
  unsigned bytes;
};
constexpr ElementInfo elements[NumTensorElements] = {
    {"u8", 1},  {"u16", 2},     {"u32", 4}, {"s32", 4},  {"u64", 8},  {"s64", 8},      {"f16", 2},
    {"f32", 4}, {"f32.ftz", 4}, {"f64", 8}, {"bf16", 2}, {"tf32", 4}, {"tf32.ftz", 4},
};
} // namespace

unsigned TensorMap::elementBytes() const {
  return unsigned(element) < NumTensorElements ? elements[unsigned(element)].bytes : 1;
}

TensorMap TensorMap::decode(const uint8_t *bytes) {
  TensorMap map;
  map.address = read64le(bytes);
  for (unsigned i = 0; i < MaxRank - 1; ++i)
    map.strides[i] = read64le(bytes + 8 + 8 * i);
  for (unsigned i = 0; i < MaxRank; ++i) {
    map.dims[i] = read32le(bytes + 40 + 4 * i);
    map.elementStrides[i] = bytes[60 + i];
    map.box[i] = read16le(bytes + 80 + 2 * i);
  }
  map.element = TensorElement(bytes[90]);
  map.rankMinusOne = bytes[91];
  map.interleave = bytes[92];
  map.swizzle = bytes[93];
  map.fill = bytes[94];
  return map;
}

void TensorMap::encode(uint8_t *bytes) const {
  memset(bytes, 0, Bytes);
  write64le(bytes, address);
  for (unsigned i = 0; i < MaxRank - 1; ++i)
    write64le(bytes + 8 + 8 * i, strides[i]);
  for (unsigned i = 0; i < MaxRank; ++i) {
    write32le(bytes + 40 + 4 * i, dims[i]);
    bytes[60 + i] = uint8_t(elementStrides[i]);
    write16le(bytes + 80 + 2 * i, uint16_t(box[i]));
  }
  bytes[90] = uint8_t(element);
  bytes[91] = rankMinusOne;
  bytes[92] = interleave;
  bytes[93] = swizzle;
  bytes[94] = fill;
}

std::string TensorMap::fault() const {
  auto expected = [](const llvm::Twine &what) { return ("expected a tensor map " + what).str(); };
  if (rank() > MaxRank)
    return expected("of rank 1 to 5, found " + llvm::Twine(rank()));
  if (unsigned(element) >= NumTensorElements)
    return expected("with an element type from 0 to 12, found " + llvm::Twine(unsigned(element)));
  if (interleave != 0)
    return expected("without interleave; interleaved layouts are not modelled");
  if (swizzle > 3)
    return expected("with a swizzle from 0 to 3, found " + llvm::Twine(unsigned(swizzle)));
  if (fill > 1)
    return expected("with a fill of 0 or 1, found " + llvm::Twine(unsigned(fill)));
  if (address % 16 != 0 || address == 0)
    return expected("whose address is a multiple of 16");
  for (unsigned i = 0; i < rank(); ++i) {
    if (box[i] < 1 || box[i] > 256)
      return expected("with box dimensions from 1 to 256, found " + llvm::Twine(box[i]));
    if (elementStrides[i] < 1 || elementStrides[i] > 8)
      return expected("with element strides from 1 to 8, found " + llvm::Twine(elementStrides[i]));
    if (dims[i] == 0)
      return expected("without empty dimensions");
    if (i > 0 && (strides[i - 1] % 16 != 0 || strides[i - 1] >> 40 != 0))
      return expected("whose strides are multiples of 16 below 2^40, found " +
                      llvm::Twine(strides[i - 1]));
  }
  unsigned row = box[0] * elementBytes();
  if (row % 16 != 0)
    return expected("whose box rows are a multiple of 16 bytes, found " + llvm::Twine(row));
  if (swizzle != 0 && row > 16u << swizzle)
    return expected("whose box rows fit into its swizzle of " + llvm::Twine(16u << swizzle) +
                    " bytes, found " + llvm::Twine(row));
  return "";
}

llvm::Expected<TensorMap> TensorMap::parse(const llvm::json::Object &object) {
  auto error = [](const llvm::Twine &message) { return llvm::createStringError(message); };
  TensorMap map;
  std::optional<llvm::StringRef> element = object.getString("element");
  unsigned row = 0;
  while (row < NumTensorElements && element != llvm::StringRef(elements[row].name))
    ++row;
  if (row == NumTensorElements)
    return error("expected the 'element' of a tensor map, such as f16");
  map.element = TensorElement(row);

  auto numbers = [&](llvm::StringRef key, auto &to, size_t count) -> llvm::Error {
    const llvm::json::Array *array = object.getArray(key);
    if (!array || array->size() != count)
      return error("expected " + llvm::Twine(count) + " numbers as the '" + key +
                   "' of a tensor map");
    for (size_t i = 0; i < count; ++i) {
      std::optional<int64_t> value = (*array)[i].getAsInteger();
      if (!value || *value < 0 || *value > int64_t(1) << 40 ||
          uint64_t(*value) != uint64_t(std::decay_t<decltype(to[i])>(*value)))
        return error("expected a size as number " + llvm::Twine(i) + " of '" + key + "'");
      to[i] = std::decay_t<decltype(to[i])>(*value);
    }
    return llvm::Error::success();
  };
  const llvm::json::Array *dims = object.getArray("dims");
  if (!dims || dims->empty() || dims->size() > MaxRank)
    return error("expected 1 to 5 'dims' of a tensor map");
  size_t rank = dims->size();
  map.rankMinusOne = uint8_t(rank - 1);
  map.elementStrides.fill(1);
  if (llvm::Error e = numbers("dims", map.dims, rank))
    return std::move(e);
  if (llvm::Error e = numbers("strides", map.strides, rank - 1))
    return std::move(e);
  if (llvm::Error e = numbers("box", map.box, rank))
    return std::move(e);
  if (object.get("elementStrides"))
    if (llvm::Error e = numbers("elementStrides", map.elementStrides, rank))
      return std::move(e);
  int64_t swizzle = object.getInteger("swizzle").value_or(0);
  if (swizzle != 0 && swizzle != 32 && swizzle != 64 && swizzle != 128)
    return error("expected a 'swizzle' of 0, 32, 64 or 128 bytes");
  map.swizzle = uint8_t(swizzle == 0 ? 0 : swizzle == 32 ? 1 : swizzle == 64 ? 2 : 3);
  llvm::StringRef fill = object.getString("fill").value_or("zeros");
  if (fill != "zeros" && fill != "nan")
    return error("expected a 'fill' of zeros or nan");
  map.fill = fill == "nan";
  return map;
}
