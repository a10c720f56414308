//===- TensorCopy.cpp - Bulk copies by tensor maps ------------------------===//
//
// cp.async.bulk.tensor and its reduction in tiled mode, and what makes maps on the device:
// tensormap.replace and tensormap.cp_fenceproxy. A copy happens when a lane comes to it, a legal
// time; its bytes are counted at the mbarrier at once.
//
//===----------------------------------------------------------------------===//

#include "AsyncCopy.h"
#include "Block.h"
#include "Families.h"
#include "MBarrier.h"
#include "Mettle/Emulator/Fault.h"
#include "Mettle/Emulator/TensorMap.h"
#include "Mettle/Numerics/SharedMatrix.h"
#include "Reach.h"
#include "llvm/Support/Endian.h"

using namespace mettle::emulator;
namespace numerics = mettle::numerics;

namespace {
/// Op::detail of a tensor copy.
enum TensorDirection : uint16_t { ToShared, ToGlobal, ReduceToGlobal };
} // namespace

/// A fault with a message that outlives it.
static const Op *misuse(Execution &x, const Op &op, unsigned lane, const std::string &message) {
  return x.fault(op, lane, FaultKind::Misuse, message.c_str());
}

/// The element type of a reduction is that of the map.
static Reduction reductionFor(const Op &op, const TensorMap &map) {
  static constexpr ptx::Type types[] = {
      ptx::Type::U8,   ptx::Type::U16, ptx::Type::U32, ptx::Type::S32, ptx::Type::U64,
      ptx::Type::S64,  ptx::Type::F16, ptx::Type::F32, ptx::Type::F32, ptx::Type::F64,
      ptx::Type::BF16, ptx::Type::F32, ptx::Type::F32};
  Reduction reduction = Reduction::decode(op.immediate);
  reduction.type = types[unsigned(map.element)];
  reduction.flushes = map.element == TensorElement::F32Ftz || map.element == TensorElement::TF32Ftz;
  return reduction;
}

/// What a load makes of an element of the tf32 types; those of f32.ftz stay as they are.
static void roundToTF32(uint8_t *element) {
  uint32_t word = llvm::support::endian::read32le(element);
  word = (word & 0x7FFFFFFF) > 0x7F800000 ? 0x7FFFE000
                                          : (word + 0xFFF + (word >> 13 & 1)) & 0xFFFFE000;
  llvm::support::endian::write32le(element, word);
}

/// Moves one box. False after a fault.
static bool moveBox(Execution &x, const Op &op, unsigned lane, const TensorMap &map,
                    const int32_t *start, uint64_t shared) {
  unsigned bytes = map.elementBytes(), rank = map.rank();
  auto swizzle = numerics::Swizzle(map.swizzle);
  std::array<uint32_t, TensorMap::MaxRank> at = {};
  uint32_t perRow = map.box[0]; // an element stride of dimension 0 is ignored
  uint64_t linear = 0;
  std::vector<uint8_t> row(size_t(perRow) * bytes);
  // A row of a swizzled box takes as much shared memory as the swizzle spans.
  uint64_t pitch = map.swizzle ? uint64_t(16) << map.swizzle : row.size();
  for (bool more = true; more;) {
    // The row's place in the tensor, and whether it is in it.
    bool isInside = true;
    uint64_t address = map.address;
    for (unsigned dim = 1; dim < rank; ++dim) {
      int64_t coordinate = int64_t(start[dim]) + int64_t(at[dim]) * map.elementStrides[dim];
      isInside &= coordinate >= 0 && coordinate < int64_t(map.dims[dim]);
      address += uint64_t(coordinate) * map.strides[dim - 1];
    }
    int64_t first = start[0], begin = std::max<int64_t>(first, 0),
            end = std::min<int64_t>(first + perRow, map.dims[0]);
    if (!isInside || end <= begin)
      begin = end = first;
    size_t inner = size_t(begin - first) * bytes, length = size_t(end - begin) * bytes;
    uint64_t from = address + uint64_t(begin) * bytes;

    if (op.detail == ToShared) {
      for (size_t i = 0; i < row.size(); i += 2)
        llvm::support::endian::write16le(row.data() + i, map.fill ? 0x7FF7 : 0);
      if (length) {
        const uint8_t *source =
            reach(x, op, lane, Space::Global, from, uint32_t(length), Access::AsyncRead, bytes);
        if (!source)
          return false;
        memcpy(row.data() + inner, source, length);
        if (map.element >= TensorElement::TF32)
          for (size_t i = inner; i < inner + length; i += 4)
            roundToTF32(row.data() + i);
      }
    }
    for (size_t i = 0; i < row.size(); i += 16) {
      uint64_t place = numerics::swizzled(swizzle, uint32_t(shared + linear + i));
      uint8_t *host = reach(x, op, lane, Space::Shared, place, 16,
                            op.detail == ToShared ? Access::AsyncWrite : Access::AsyncRead);
      if (!host)
        return false;
      if (op.detail != ToShared) {
        memcpy(row.data() + i, host, 16);
        continue;
      }
      memcpy(host, row.data() + i, 16);
      if (x.checks)
        x.block->deliveries.issueBulk(x, lane, wideWord(x, op.d, lane), place, 16);
    }
    if (op.detail != ToShared && length) {
      uint8_t *target = reach(x, op, lane, Space::Global, from, uint32_t(length),
                              op.detail == ToGlobal ? Access::AsyncWrite : Access::Update, bytes);
      if (!target)
        return false;
      if (op.detail == ToGlobal)
        memcpy(target, row.data() + inner, length);
      else
        reduceBytes(reductionFor(op, map), target, row.data() + inner, length);
    }
    linear += pitch;
    // The next row.
    more = false;
    for (unsigned dim = 1; dim < rank && !more; ++dim) {
      if (++at[dim] < map.boxCount(dim))
        more = true;
      else
        at[dim] = 0;
    }
  }
  return true;
}

// a: the map's address; b: the shared address; list: coordinates; d: the mbarrier's address.
static const Op *runTensorCopy(Execution &x, const Op &op, LaneMask mask) {
  const Slot *coordinates = x.code->slots.data() + op.list;
  for (unsigned lane : Execution::each(mask)) {
    uint64_t mapAddress = wideWord(x, op.a, lane);
    const uint8_t *bytes =
        x.access(op, lane, op.space, mapAddress, TensorMap::Bytes, Access::AsyncRead, 64);
    if (!bytes)
      return x.stop();
    TensorMap map = TensorMap::decode(bytes);
    std::string fault = map.fault();
    if (fault.empty() && map.rank() != op.count)
      fault = "expected a tensor map of rank " + std::to_string(op.count) + ", found one of rank " +
              std::to_string(map.rank());
    if (!fault.empty())
      return misuse(x, op, lane, fault);
    if (op.detail == ReduceToGlobal && !isReduction(reductionFor(op, map)))
      return misuse(x, op, lane, "expected an element type that the reduction takes");
    int32_t start[TensorMap::MaxRank];
    uint64_t total = map.elementBytes();
    for (unsigned i = 0; i < op.count; ++i) {
      start[i] = int32_t(x.lanes<uint32_t>(coordinates[i])[lane]);
      total *= i ? map.boxCount(i) : map.box[i];
      if (op.detail != ToShared && start[i] < 0)
        return misuse(x, op, lane,
                      "expected coordinates of a store that are not negative, found " +
                          std::to_string(start[i]));
    }
    if (start[0] * int64_t(map.elementBytes()) % 16 != 0)
      return misuse(x, op, lane,
                    "expected a box that starts at a multiple of 16 bytes, found coordinate " +
                        std::to_string(start[0]) + " of elements of " +
                        std::to_string(map.elementBytes()));
    uint64_t shared = wideWord(x, op.b, lane);
    if (shared % 128 != 0)
      return misuse(x, op, lane, "expected a shared address that is a multiple of 128");
    if (!moveBox(x, op, lane, map, start, shared))
      return x.stop();
    if (op.detail == ToShared && !completeBytes(x, op, lane, wideWord(x, op.d, lane), total))
      return x.stop();
  }
  return op.next();
}

/// Splits `[map, {coordinates}]`.
static bool readMap(Decoder &decoder, const ptx::Operand &operand, uint32_t &list, unsigned &count,
                    Decoder::Address &address) {
  if (!operand.is(ptx::OperandKind::Bracket) || operand.count != 2)
    return decoder.fail("expected a tensor map and its coordinates");
  llvm::ArrayRef<ptx::Operand> parts = decoder.module.elements(operand);
  ptx::Operand map = parts[0];
  if (map.is(ptx::OperandKind::Register)) {
    address.base = decoder.read(map, ptx::Type::B64);
    address.space = Space::Generic;
  } else if (!decoder.address(map, Space::Generic, address)) {
    return false;
  }
  list = decoder.readList(parts[1], ptx::Type::B32, count);
  return true;
}

bool mettle::emulator::decodeTensorCopy(Decoder &decoder) {
  for (ptx::Modifier mode : {ptx::Modifier::Im2col, ptx::Modifier::Im2colW,
                             ptx::Modifier::Im2colW128, ptx::Modifier::Im2colNoOffs})
    if (decoder.has(mode))
      return decoder.unsupported();
  llvm::StringRef text = decoder.text();
  if (text.contains(".tile::"))
    return decoder.unsupported();
  bool isReduction = text.starts_with("cp.reduce");
  bool toShared = !isReduction && decoder.operands[1].is(ptx::OperandKind::Bracket);
  uint32_t list;
  unsigned count;
  Decoder::Address map, shared, barrier;
  llvm::ArrayRef<ptx::Operand> operands = decoder.operands;
  if (toShared) {
    if (operands.size() < 3 || !readMap(decoder, operands[1], list, count, map) ||
        !decoder.address(operands[0], Space::Shared, shared) ||
        !decoder.address(operands[2], Space::Shared, barrier))
      return false;
    if (!checkMulticast(decoder, 3))
      return false;
  } else if (!readMap(decoder, operands[0], list, count, map) ||
             !decoder.address(operands[1], Space::Shared, shared)) {
    return false;
  }
  if (!text.contains("." + std::to_string(count) + "d"))
    return decoder.fail("expected as many coordinates as the copy has dimensions, found " +
                        llvm::Twine(count));
  Reduction reduction;
  if (isReduction && !decodeReduction(decoder, reduction, /*hasType=*/false))
    return false;
  Slot mapSlot = wideAddress(decoder, map), sharedSlot = wideAddress(decoder, shared);
  Slot barrierSlot = toShared ? wideAddress(decoder, barrier) : NoSlot;
  Op &op = decoder.emit(runTensorCopy, OpClass::Async);
  op.a = mapSlot;
  op.immediate = reduction.encode();
  op.space = map.space;
  op.b = sharedSlot;
  op.d = barrierSlot;
  op.list = list;
  op.count = uint16_t(count);
  op.detail = isReduction ? ReduceToGlobal : toShared ? ToShared : ToGlobal;
  return true;
}

//===----------------------------------------------------------------------===//
// Making maps
//===----------------------------------------------------------------------===//

namespace {
/// Fields of tensormap.replace; Op::detail.
enum MapField : uint16_t {
  GlobalAddress,
  Rank,
  BoxDim,
  GlobalDim,
  GlobalStride,
  ElementStride,
  ElemType,
  InterleaveLayout,
  SwizzleMode,
  FillMode,
};
constexpr llvm::StringLiteral mapFields[] = {
    "global_address", "rank",     "box_dim",           "global_dim",   "global_stride",
    "element_stride", "elemtype", "interleave_layout", "swizzle_mode", "fill_mode"};
} // namespace

static void replaceField(TensorMap &map, uint16_t field, unsigned ordinal, uint64_t value) {
  switch (field) {
  case GlobalAddress:
    map.address = value;
    break;
  case Rank:
    map.rankMinusOne = uint8_t(value);
    break;
  case BoxDim:
    map.box[ordinal] = uint32_t(value);
    break;
  case GlobalDim:
    map.dims[ordinal] = uint32_t(value);
    break;
  case GlobalStride:
    map.strides[ordinal] = value;
    break;
  case ElementStride:
    map.elementStrides[ordinal] = uint32_t(value);
    break;
  case ElemType:
    map.element = TensorElement(value);
    break;
  case InterleaveLayout:
    map.interleave = uint8_t(value);
    break;
  case SwizzleMode:
    map.swizzle = uint8_t(value);
    break;
  case FillMode:
    map.fill = uint8_t(value);
    break;
  }
}

// a: address; b: the new value; count: ordinal.
static const Op *runReplace(Execution &x, const Op &op, LaneMask mask) {
  for (unsigned lane : Execution::each(mask)) {
    uint64_t address = wideWord(x, op.a, lane);
    uint8_t *bytes = x.access(op, lane, op.space, address, TensorMap::Bytes, Access::Update, 64);
    if (!bytes)
      return x.stop();
    TensorMap map = TensorMap::decode(bytes);
    uint64_t value = op.bytes == 8 ? x.lanes<uint64_t>(op.b)[lane] : x.lanes<uint32_t>(op.b)[lane];
    if ((op.detail == BoxDim && value > 256) || (op.detail == ElementStride && value > 8) ||
        (op.detail >= ElemType && value > 255) || (op.detail == Rank && value > 4))
      return misuse(x, op, lane, "expected a value that the field of a tensor map can hold");
    replaceField(map, op.detail, op.count, value);
    map.encode(bytes);
  }
  return op.next();
}

bool mettle::emulator::decodeTensormapReplace(Decoder &decoder) {
  llvm::SmallVector<llvm::StringRef, 8> parts;
  decoder.text().split(parts, '.');
  unsigned field = 0;
  if (parts.size() < 4)
    return decoder.unsupported();
  while (field < std::size(mapFields) && parts[3] != mapFields[field])
    ++field;
  if (parts[2] != "tile" || field == std::size(mapFields))
    return decoder.unsupported();
  bool hasOrdinal =
      field == BoxDim || field == GlobalDim || field == GlobalStride || field == ElementStride;
  if (decoder.operands.size() != (hasOrdinal ? 3 : 2))
    return decoder.fail("expected " + llvm::Twine(hasOrdinal ? 3 : 2) + " operands");
  uint64_t ordinal = 0;
  if (hasOrdinal && !decoder.immediate(decoder.operands[1], "the number of a dimension", ordinal))
    return false;
  if (ordinal >= (field == GlobalStride ? TensorMap::MaxRank - 1 : TensorMap::MaxRank))
    return decoder.fail("expected a dimension from 0 to 4");
  Decoder::Address address;
  if (!decoder.address(decoder.operands[0], decoder.space(), address))
    return false;
  bool isWide = field == GlobalAddress || field == GlobalStride;
  Slot base = wideAddress(decoder, address);
  Slot value = decoder.read(decoder.operands.back(), isWide ? ptx::Type::B64 : ptx::Type::B32);
  Op &op = decoder.emit(runReplace, OpClass::Async);
  op.a = base;
  op.b = value;
  op.bytes = isWide ? 8 : 4;
  op.space = address.space;
  op.count = uint16_t(ordinal);
  op.detail = uint16_t(field);
  return true;
}

// a: destination; b: source. The warp copies once.
static const Op *runCopyMap(Execution &x, const Op &op, LaneMask mask) {
  if (!x.gathered(mask, AllLanes))
    return x.awaitLanes(op, mask, AllLanes);
  unsigned lane = unsigned(__builtin_ctz(mask));
  const uint8_t *from =
      x.access(op, lane, Space::Shared, wideWord(x, op.b, lane), TensorMap::Bytes, Access::Read);
  uint8_t *to =
      from ? x.access(op, lane, op.space, wideWord(x, op.a, lane), TensorMap::Bytes, Access::Write)
           : nullptr;
  if (!to)
    return x.stop();
  memcpy(to, from, TensorMap::Bytes);
  return op.next();
}

bool mettle::emulator::decodeTensormapCopy(Decoder &decoder) {
  Decoder::Address to, from;
  uint64_t bytes;
  if (!decoder.address(decoder.operands[0], Space::Global, to) ||
      !decoder.address(decoder.operands[1], Space::Shared, from) ||
      !decoder.immediate(decoder.operands[2], "the bytes of a tensor map", bytes))
    return false;
  if (bytes != TensorMap::Bytes)
    return decoder.fail("expected a tensor map of 128 bytes");
  Slot target = wideAddress(decoder, to), source = wideAddress(decoder, from);
  Op &op = decoder.emit(runCopyMap, OpClass::Async);
  op.a = target;
  op.b = source;
  op.space = to.space;
  return true;
}
