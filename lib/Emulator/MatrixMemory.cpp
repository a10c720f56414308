//===- MatrixMemory.cpp - Fragments from and to memory --------------------===//
//
// ldmatrix, stmatrix, movmatrix, wmma.load and wmma.store. Op::list names the registers.
//
//===----------------------------------------------------------------------===//

#include "Families.h"
#include "MatrixPlan.h"
#include "Mettle/Emulator/Fault.h"
#include "Reach.h"

using namespace mettle::emulator;
using namespace mettle::numerics;

static uint64_t addressOf(Execution &x, const Op &op, unsigned lane) {
  // 32-bit bases are addresses of the shared window.
  uint64_t base = op.flip ? x.lanes<uint32_t>(op.a)[lane] : x.lanes<uint64_t>(op.a)[lane];
  return base + op.immediate;
}

static void setAddress(Op &op, const Decoder::Address &address) {
  op.a = address.base;
  op.flip = address.bits == 32;
  op.immediate = address.offset;
  op.space = address.space;
}

//===----------------------------------------------------------------------===//
// ldmatrix, stmatrix, movmatrix
//===----------------------------------------------------------------------===//

/// The halves of an 8 x 8 matrix: [row][column].
using Matrix = uint16_t[8][8];

/// Matrix `rows` to or from a register, transposed or not: lane l holds columns 2 (l % 4) and
/// the next one of row l / 4.
template <bool store> static void moveRegister(Matrix &rows, uint32_t *words, bool transposed) {
  for (unsigned lane = 0; lane < NumLanes; ++lane)
    for (unsigned half = 0; half < 2; ++half) {
      unsigned i = lane / 4, j = lane % 4 * 2 + half;
      uint16_t &element = transposed ? rows[j][i] : rows[i][j];
      if (store)
        element = uint16_t(words[lane] >> 16 * half);
      else
        words[lane] = (words[lane] & ~(0xFFFFu << 16 * half)) | uint32_t(element) << 16 * half;
    }
}

template <bool store> static const Op *runMatrix(Execution &x, const Op &op, LaneMask mask) {
  if (!x.gathered(mask, AllLanes))
    return x.awaitLanes(op, mask, AllLanes);
  const Slot *slots = x.code->slots.data() + op.list;
  // All rows are read before a register is written: the address may be in one of them.
  Matrix matrices[4];
  for (unsigned m = 0; m < op.count; ++m) {
    if (store)
      moveRegister<true>(matrices[m], x.lanes<uint32_t>(slots[m]), op.detail);
    for (unsigned row = 0; row < 8; ++row) {
      unsigned lane = m * 8 + row;
      uint64_t address = addressOf(x, op, lane);
      uint8_t *host =
          reach(x, op, lane, op.space, address, 16, store ? Access::Write : Access::Read, 0,
                store ? matrices[m][row] : nullptr);
      if (!host)
        return x.stop();
      if (store)
        memcpy(host, matrices[m][row], 16);
      else
        memcpy(matrices[m][row], host, 16);
    }
  }
  if (!store)
    for (unsigned m = 0; m < op.count; ++m)
      moveRegister<false>(matrices[m], x.lanes<uint32_t>(slots[m]), op.detail);
  return op.next();
}

/// .m8n8 on .b16, the only form of sm_90.
static bool isPlainMatrix(Decoder &decoder) {
  return decoder.text().contains(".m8n8") && decoder.text().ends_with(".b16");
}

static unsigned matrixCount(Decoder &decoder) {
  return decoder.has(ptx::Modifier::X4) ? 4 : decoder.has(ptx::Modifier::X2) ? 2 : 1;
}

bool mettle::emulator::decodeLdMatrix(Decoder &decoder) {
  if (!isPlainMatrix(decoder))
    return decoder.unsupported();
  unsigned count;
  uint32_t list = decoder.writeList(decoder.operands[0], 32, count);
  Decoder::Address address;
  if (!decoder.address(decoder.operands[1], decoder.space(), address))
    return false;
  if (count != matrixCount(decoder))
    return decoder.fail("expected " + llvm::Twine(matrixCount(decoder)) + " registers, found " +
                        llvm::Twine(count));
  Op &op = decoder.emit(runMatrix<false>, OpClass::Load);
  setAddress(op, address);
  op.list = list;
  op.count = uint16_t(count);
  op.bytes = 16;
  op.detail = decoder.has(ptx::Modifier::Trans);
  return true;
}

bool mettle::emulator::decodeStMatrix(Decoder &decoder) {
  if (!isPlainMatrix(decoder))
    return decoder.unsupported();
  Decoder::Address address;
  if (!decoder.address(decoder.operands[0], decoder.space(), address))
    return false;
  unsigned count;
  uint32_t list = decoder.readList(decoder.operands[1], ptx::Type::B32, count);
  if (count != matrixCount(decoder))
    return decoder.fail("expected " + llvm::Twine(matrixCount(decoder)) + " registers, found " +
                        llvm::Twine(count));
  Op &op = decoder.emit(runMatrix<true>, OpClass::Store);
  setAddress(op, address);
  op.list = list;
  op.count = uint16_t(count);
  op.bytes = 16;
  op.detail = decoder.has(ptx::Modifier::Trans);
  return true;
}

static const Op *runMovMatrix(Execution &x, const Op &op, LaneMask mask) {
  if (!x.gathered(mask, AllLanes))
    return x.awaitLanes(op, mask, AllLanes);
  Matrix matrix;
  moveRegister<true>(matrix, x.lanes<uint32_t>(op.a), false);
  moveRegister<false>(matrix, x.lanes<uint32_t>(op.d), true);
  return op.next();
}

bool mettle::emulator::decodeMovMatrix(Decoder &decoder) {
  if (!decoder.text().contains(".m8n8.trans.b16"))
    return decoder.unsupported();
  Slot d = decoder.write(decoder.operands[0], 32);
  Slot a = decoder.read(decoder.operands[1], ptx::Type::B32);
  Op &op = decoder.emit(runMovMatrix, OpClass::Warp);
  op.d = d;
  op.a = a;
  return true;
}

//===----------------------------------------------------------------------===//
// wmma.load and wmma.store
//===----------------------------------------------------------------------===//

namespace {
/// Where the elements of a wmma fragment are: offset of each [register][lane][element] from the
/// matrix's address is row * stride + column, or the other way round.
struct WmmaAccess {
  FragmentLayout layout;
  bool colMajor;
  std::vector<std::pair<uint16_t, uint16_t>> places; ///< Row and column of each.
};
} // namespace

/// Op::detail packs the key of the layout, which is looked up once a run of the op: operand (2
/// bits), shape (3 bits), type (4 bits), column-major.
static constexpr llvm::StringLiteral wmmaTypes[] = {"f16", "bf16", "tf32", "f32", "f64", "s8",
                                                    "u8",  "s32",  "s4",   "u4",  "b1"};
static constexpr std::array<unsigned, 3> wmmaShapes[] = {
    {16, 16, 16}, {32, 8, 16}, {8, 32, 16}, {16, 16, 8}, {8, 8, 4}, {8, 8, 32}, {8, 8, 128}};

static std::vector<std::pair<uint16_t, uint16_t>> placesOf(const FragmentLayout &layout) {
  std::vector<std::pair<uint16_t, uint16_t>> places;
  for (unsigned reg = 0; reg < layout.registers; ++reg)
    for (unsigned lane = 0; lane < NumLanes; ++lane)
      for (unsigned element = 0; element < layout.perRegister; ++element) {
        FragmentPosition at = layout.at(lane, reg, element);
        places.push_back({uint16_t(at.row), uint16_t(at.col)});
      }
  return places;
}

static const WmmaAccess &wmmaAccess(uint16_t detail) {
  static const std::vector<WmmaAccess> all = [] {
    std::vector<WmmaAccess> list(1 << 10);
    for (unsigned operand = 0; operand < 3; ++operand)
      for (unsigned shape = 0; shape < std::size(wmmaShapes); ++shape)
        for (unsigned type = 0; type < std::size(wmmaTypes); ++type)
          for (unsigned col = 0; col < 2; ++col) {
            auto [m, n, k] = wmmaShapes[shape];
            if (auto layout = wmmaFragment(FragmentOperand(operand), m, n, k, wmmaTypes[type]))
              list[operand | shape << 2 | type << 5 | col << 9] = {*layout, col != 0,
                                                                   placesOf(*layout)};
          }
    return list;
  }();
  return all[detail];
}

/// Calls visit(lane, register, first bit, bits, address in bits) for each piece of a register that
/// is moved at once: an element of at least 8 bits, or a whole register of smaller ones.
template <typename Visit>
static bool overElements(Execution &x, const Op &op, const WmmaAccess &access, Visit visit) {
  const FragmentLayout &layout = access.layout;
  unsigned bits = layout.elementBits, step = bits < 8 ? layout.perRegister : 1;
  for (unsigned reg = 0; reg < layout.registers; ++reg)
    for (unsigned lane = 0; lane < NumLanes; ++lane)
      for (unsigned element = 0; element < layout.perRegister; element += step) {
        FragmentPosition at = layout.at(lane, reg, element);
        uint64_t stride = x.lanes<uint32_t>(op.b)[lane];
        uint64_t index = access.colMajor ? at.col * stride + at.row : at.row * stride + at.col;
        uint64_t address = addressOf(x, op, lane) + index * bits / 8;
        if (!visit(lane, reg, element * bits / 8, address, step * bits / 8))
          return false;
      }
  return true;
}

/// The first element of a matrix that lies in memory which needs no check but bounds, if all lanes
/// name the same one, as they must; else null.
static uint8_t *wholeMatrix(Execution &x, const Op &op, const WmmaAccess &access) {
  const FragmentLayout &layout = access.layout;
  const Segment &segment = op.space == Space::Shared ? x.shared : x.global;
  uint64_t address = addressOf(x, op, 0), stride = x.lanes<uint32_t>(op.b)[0];
  unsigned bytes = layout.elementBits / 8;
  if ((op.space != Space::Shared && op.space != Space::Global) || bytes == 0 || segment.valid ||
      segment.writers || !segment.isWritable || address % bytes != 0)
    return nullptr;
  for (unsigned lane = 1; lane < NumLanes; ++lane)
    if (addressOf(x, op, lane) != address || x.lanes<uint32_t>(op.b)[lane] != stride)
      return nullptr;
  uint64_t lines = access.colMajor ? layout.cols : layout.rows,
           length = access.colMajor ? layout.rows : layout.cols;
  if (!segment.covers(address, ((lines - 1) * stride + length) * bytes))
    return nullptr;
  return segment.host + (address - segment.address);
}

/// Copies each element between the matrix and `registers`, in the order of access.places.
template <typename T, bool store>
static void moveElements(const WmmaAccess &access, uint8_t *matrix, uint64_t stride,
                         uint8_t *registers) {
  for (auto [row, col] : access.places) {
    uint64_t index = access.colMajor ? col * stride + row : row * stride + col;
    uint8_t *element = matrix + index * sizeof(T);
    memcpy(store ? element : registers, store ? registers : element, sizeof(T));
    registers += sizeof(T);
  }
}

template <bool store>
static void moveWhole(const WmmaAccess &access, uint8_t *matrix, uint64_t stride,
                      uint8_t *registers) {
  switch (access.layout.elementBits) {
  case 8:
    return moveElements<uint8_t, store>(access, matrix, stride, registers);
  case 16:
    return moveElements<uint16_t, store>(access, matrix, stride, registers);
  case 32:
    return moveElements<uint32_t, store>(access, matrix, stride, registers);
  default:
    return moveElements<uint64_t, store>(access, matrix, stride, registers);
  }
}

static uint8_t *registerBytes(Execution &x, Slot slot, unsigned lane, unsigned bits) {
  return x.registers + slot + lane * (bits == 64 ? 8 : 4);
}

static const Op *runWmmaLoad(Execution &x, const Op &op, LaneMask mask) {
  if (!x.gathered(mask, AllLanes))
    return x.awaitLanes(op, mask, AllLanes);
  const WmmaAccess &access = wmmaAccess(op.detail);
  const Slot *slots = x.code->slots.data() + op.list;
  unsigned bits = access.layout.elementBits, word = bits == 64 ? 8 : 4;
  // Registers of the address may be among those that are loaded.
  std::vector<uint8_t> loaded(access.layout.registers * NumLanes * word);
  auto place = [&](unsigned reg, unsigned lane) {
    return loaded.data() + (reg * NumLanes + lane) * word;
  };
  bool good = true;
  if (uint8_t *matrix = wholeMatrix(x, op, access))
    moveWhole<false>(access, matrix, x.lanes<uint32_t>(op.b)[0], loaded.data());
  else
    good = overElements(
        x, op, access,
        [&](unsigned lane, unsigned reg, unsigned at, uint64_t address, unsigned bytes) {
          const uint8_t *from = reach(x, op, lane, op.space, address, bytes, Access::Read);
          if (from)
            memcpy(place(reg, lane) + at, from, bytes);
          return from != nullptr;
        });
  if (!good)
    return x.stop();
  for (unsigned reg = 0; reg < access.layout.registers; ++reg)
    memcpy(x.registers + slots[reg], place(reg, 0), NumLanes * word);
  return op.next();
}

static const Op *runWmmaStore(Execution &x, const Op &op, LaneMask mask) {
  if (!x.gathered(mask, AllLanes))
    return x.awaitLanes(op, mask, AllLanes);
  const WmmaAccess &access = wmmaAccess(op.detail);
  const Slot *slots = x.code->slots.data() + op.list;
  if (uint8_t *matrix = wholeMatrix(x, op, access)) {
    unsigned bytes = NumLanes * (access.layout.elementBits == 64 ? 8 : 4);
    std::vector<uint8_t> words(access.layout.registers * bytes);
    for (unsigned reg = 0; reg < access.layout.registers; ++reg)
      memcpy(words.data() + reg * bytes, x.registers + slots[reg], bytes);
    moveWhole<true>(access, matrix, x.lanes<uint32_t>(op.b)[0], words.data());
    return op.next();
  }
  bool good = overElements(
      x, op, access,
      [&](unsigned lane, unsigned reg, unsigned at, uint64_t address, unsigned bytes) {
        return x.store(op, lane, op.space, address,
                       registerBytes(x, slots[reg], lane, access.layout.elementBits) + at, bytes);
      });
  return good ? op.next() : x.stop();
}

/// The layout's key, ~0 after an error.
static unsigned wmmaDetail(Decoder &decoder) {
  llvm::SmallVector<llvm::StringRef, 12> parts;
  decoder.text().split(parts, '.');
  if (parts.size() < 4) {
    decoder.unsupported();
    return ~0u;
  }
  unsigned operand = parts[2] == "a" ? 0 : parts[2] == "b" ? 1 : 2;
  unsigned shape = ~0u, type = ~0u;
  for (unsigned i = 0; i < std::size(wmmaShapes); ++i) {
    const ptx::MatrixShape &written = decoder.mnemonic->shape;
    if (wmmaShapes[i] == std::array<unsigned, 3>{written.m, written.n, written.k})
      shape = i;
  }
  for (unsigned i = 0; i < std::size(wmmaTypes); ++i)
    if (parts.back() == wmmaTypes[i])
      type = i;
  if (shape == ~0u || type == ~0u) {
    decoder.unsupported();
    return ~0u;
  }
  unsigned detail = operand | shape << 2 | type << 5 | decoder.has(ptx::Modifier::Col) << 9;
  if (!wmmaAccess(uint16_t(detail)).layout.registers) {
    decoder.unsupported();
    return ~0u;
  }
  return detail;
}

/// `registers` and `address` are operand numbers; the stride comes last, and without it the matrix
/// is dense.
static bool decodeWmmaAccess(Decoder &decoder, bool isStore) {
  unsigned detail = wmmaDetail(decoder);
  if (detail == ~0u)
    return false;
  const WmmaAccess &access = wmmaAccess(uint16_t(detail));
  const FragmentLayout &layout = access.layout;
  const ptx::Operand &fragment = decoder.operands[isStore ? 1 : 0];
  ptx::Type type = layout.elementBits == 64 ? ptx::Type::B64 : ptx::Type::B32;
  unsigned count;
  uint32_t list = isStore ? decoder.readList(fragment, type, count)
                          : decoder.writeList(fragment, ptx::typeBits(type), count);
  if (count != layout.registers)
    return decoder.fail("expected " + llvm::Twine(layout.registers) + " registers, found " +
                        llvm::Twine(count));
  Decoder::Address address;
  if (!decoder.address(decoder.operands[isStore ? 0 : 1], decoder.space(), address))
    return false;
  Slot stride = decoder.operands.size() > 2
                    ? decoder.read(decoder.operands[2], ptx::Type::B32)
                    : decoder.constant(access.colMajor ? layout.rows : layout.cols, 32);
  Op &op =
      decoder.emit(isStore ? runWmmaStore : runWmmaLoad, isStore ? OpClass::Store : OpClass::Load);
  setAddress(op, address);
  op.b = stride;
  op.list = list;
  op.count = uint16_t(count);
  op.bytes = uint8_t(std::max(1u, layout.elementBits / 8));
  op.detail = uint16_t(detail);
  return true;
}

bool mettle::emulator::decodeWmmaLoad(Decoder &decoder) { return decodeWmmaAccess(decoder, false); }
bool mettle::emulator::decodeWmmaStore(Decoder &decoder) { return decodeWmmaAccess(decoder, true); }
