//===- Memory.cpp - storage, addresses and accesses to PTX -===//
//
// An address is a b64 register in its own space. Constant offsets go into the access; a vector is
// moved in words of 32 or 64 bits, as many at once as its alignment allows, and taken apart in
// registers.
//
//===----------------------------------------------------------------------===//

#include "Patterns.h"

#include "Mettle/Dialect/Mettle/IR/MemoryOps.h"
#include "Mettle/Dialect/PTX/IR/InstInfo.h"
#include "Mettle/Dialect/PTX/IR/InstOps.h"
#include "Mettle/Dialect/PTX/IR/PTXAddressInsts.h.inc"
#include "Mettle/Dialect/PTX/IR/PTXIntegerInsts.h.inc"
#include "Mettle/Dialect/PTX/IR/PTXLogicInsts.h.inc"
#include "Mettle/Dialect/PTX/IR/PTXMemoryInsts.h.inc"
#include "Mettle/Dialect/PTX/IR/PTXMoveInsts.h.inc"
#include "Mettle/Dialect/PTX/IR/StorageOps.h"

using namespace mlir;
using namespace mettle;
using namespace mettle::detail;
using ptx::Opcode;

namespace {

//===----------------------------------------------------------------------===//
// Storage and addresses
//===----------------------------------------------------------------------===//

struct AllocPattern : OpConversionPattern<AllocOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult matchAndRewrite(AllocOp op, OpAdaptor,
                                ConversionPatternRewriter &rewriter) const override {
    auto size = static_cast<int64_t>(op.getSizeInBytes());
    if (op.getResult().getType().getSpace() == AddressSpace::Workgroup)
      rewriter.replaceOpWithNewOp<ptx::SharedOp>(op, size, AllocOp::alignment);
    else
      rewriter.replaceOpWithNewOp<ptx::LocalOp>(op, size, AllocOp::alignment);
    return success();
  }
};

struct DynamicWorkgroupPattern : OpConversionPattern<DynamicWorkgroupOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult matchAndRewrite(DynamicWorkgroupOp op, OpAdaptor,
                                ConversionPatternRewriter &rewriter) const override {
    rewriter.replaceOpWithNewOp<ptx::DynamicSharedOp>(op, AllocOp::alignment);
    return success();
  }
};

/// The instruction that defines a register, if it is this one.
ptx::InstOp instOf(Value value, Opcode opcode) {
  auto inst = value.getDefiningOp<ptx::InstOp>();
  return inst && inst.getOpcode() == opcode ? inst : ptx::InstOp();
}

std::optional<int64_t> constantOf(Value value) {
  if (ptx::InstOp move = instOf(value, Opcode::MovS64))
    return move.getImmediateValues().front();
  return std::nullopt;
}

struct OffsetPattern : OpConversionPattern<OffsetOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult matchAndRewrite(OffsetOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    unsigned bytes = op.getBase().getType().getElementBytes();
    // A constant, which an access may take into its address.
    if (std::optional<int64_t> index = constantOf(adaptor.getIndex())) {
      Value distance = ptx::movS64(rewriter, loc, int64_t(uint64_t(*index) * bytes));
      rewriter.replaceOp(op, ptx::addS64(rewriter, loc, adaptor.getBase(), distance));
      return success();
    }
    if (bytes == 1) {
      rewriter.replaceOp(op, ptx::addS64(rewriter, loc, adaptor.getBase(), adaptor.getIndex()));
      return success();
    }
    // An index widened from 32 bits: one multiplication gives the 64-bit product.
    if (ptx::InstOp extension = instOf(adaptor.getIndex(), Opcode::CvtS64S32)) {
      Value factor = ptx::movS32(rewriter, loc, bytes);
      rewriter.replaceOp(op, ptx::madWideS32(rewriter, loc, extension.getInputs().front(), factor,
                                             adaptor.getBase()));
      return success();
    }
    Value count = ptx::movS32(rewriter, loc, llvm::Log2_32(bytes));
    Value scaled = ptx::shlB64(rewriter, loc, adaptor.getIndex(), count);
    rewriter.replaceOp(op, ptx::addS64(rewriter, loc, adaptor.getBase(), scaled));
    return success();
  }
};

struct PtrCastPattern : OpConversionPattern<PtrCastOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult matchAndRewrite(PtrCastOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    rewriter.replaceOp(op, adaptor.getSource());
    return success();
  }
};

struct SpaceCastPattern : OpConversionPattern<SpaceCastOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult matchAndRewrite(SpaceCastOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    AddressSpace from = op.getSource().getType().getSpace();
    bool toGeneric = from != AddressSpace::Generic;
    Value source = adaptor.getSource();
    Location loc = op.getLoc();
    Value result;
    switch (toGeneric ? from : op.getType().getSpace()) {
    case AddressSpace::Global:
      result = toGeneric ? ptx::cvtaGlobal(rewriter, loc, source)
                         : ptx::cvtaToGlobal(rewriter, loc, source);
      break;
    case AddressSpace::Workgroup:
      result = toGeneric ? ptx::cvtaShared(rewriter, loc, source)
                         : ptx::cvtaToShared(rewriter, loc, source);
      break;
    case AddressSpace::Private:
      result = toGeneric ? ptx::cvtaLocal(rewriter, loc, source)
                         : ptx::cvtaToLocal(rewriter, loc, source);
      break;
    case AddressSpace::Generic:
      return rewriter.notifyMatchFailure(op, "both pointers are generic");
    }
    rewriter.replaceOp(op, result);
    return success();
  }
};

//===----------------------------------------------------------------------===//
// Accesses
//===----------------------------------------------------------------------===//

/// The instructions of one space that move 1, 2, 4, 8 and 16 bytes. 8 bytes come as one register
/// (b64) or two (v2b32), 16 as two of 64 bits or four of 32.
struct AccessOpcodes {
  Opcode u8, u16, b16, b32, b64, v2b32, v4b32, v2b64;
  /// Absent for volatile accesses, which no cache modifier changes.
  SmallVector<uint8_t, 1> noCacheModifier;
};

#define ROW(P, S, MODIFIERS)                                                                       \
  AccessOpcodes {                                                                                  \
    Opcode::P##S##U8, Opcode::P##S##U16, Opcode::P##S##B16, Opcode::P##S##B32, Opcode::P##S##B64,  \
        Opcode::P##S##V2B32, Opcode::P##S##V4B32, Opcode::P##S##V2B64, MODIFIERS                   \
  }

AccessOpcodes loads(AddressSpace space, bool isVolatile) {
  switch (space) {
  case AddressSpace::Generic:
    return isVolatile ? ROW(LdVolatile, , {}) : ROW(Ld, , {0});
  case AddressSpace::Global:
    return isVolatile ? ROW(LdVolatile, Global, {}) : ROW(Ld, Global, {0});
  case AddressSpace::Workgroup:
    return isVolatile ? ROW(LdVolatile, Shared, {}) : ROW(Ld, Shared, {0});
  case AddressSpace::Private:
    return ROW(Ld, Local, {0}); // nobody else sees it
  }
  llvm_unreachable("every space is listed");
}

AccessOpcodes stores(AddressSpace space, bool isVolatile) {
  switch (space) {
  case AddressSpace::Generic:
    return isVolatile ? ROW(StVolatile, , {}) : ROW(St, , {0});
  case AddressSpace::Global:
    return isVolatile ? ROW(StVolatile, Global, {}) : ROW(St, Global, {0});
  case AddressSpace::Workgroup:
    return isVolatile ? ROW(StVolatile, Shared, {}) : ROW(St, Shared, {0});
  case AddressSpace::Private:
    return ROW(St, Local, {0});
  }
  llvm_unreachable("every space is listed");
}
#undef ROW

/// A base register and a constant byte offset that fits an access.
struct Address {
  Value base;
  int64_t offset = 0;
};

/// Looks through sums with constants while their sum, and 16 bytes more, fit 32 bits.
Address splitAddress(Value pointer) {
  int64_t sum = 0;
  while (ptx::InstOp add = instOf(pointer, Opcode::AddS64)) {
    std::optional<int64_t> distance = constantOf(add.getInputs()[1]);
    if (!distance || !llvm::isInt<31>(*distance) || !llvm::isInt<31>(sum + *distance))
      break;
    sum += *distance;
    pointer = add.getInputs()[0];
  }
  return {pointer, sum};
}

/// One access: `elements` neighbours of `bytes` each.
struct Shape {
  unsigned bytes, elements;
  unsigned size() const { return bytes * elements; }
};

class Loader {
public:
  Loader(Emit e, AccessOpcodes opcodes, Address address)
      : e(e), opcodes(opcodes), address(address) {}

  void load(Shape shape, unsigned at, SmallVectorImpl<Value> &registers) {
    switch (shape.size()) {
    case 1:
      return access(opcodes.u8, at, registers);
    case 2:
      if (shape.bytes == 2)
        return access(opcodes.b16, at, registers);
      return split(shape, one(opcodes.u16, at), registers);
    case 4:
      return split(shape, one(opcodes.b32, at), registers);
    case 8:
    case 16:
      if (shape.bytes == 8)
        return access(shape.elements == 1 ? opcodes.b64 : opcodes.v2b64, at, registers);
      SmallVector<Value, 4> words;
      access(shape.size() == 8 ? opcodes.v2b32 : opcodes.v4b32, at, words);
      for (Value word : words)
        split({shape.bytes, 4 / shape.bytes}, word, registers);
    }
  }

private:
  void access(Opcode opcode, unsigned at, SmallVectorImpl<Value> &registers) {
    ResultRange results = ptx::buildInst(e.builder, e.loc, opcode, {address.base},
                                         opcodes.noCacheModifier, {address.offset + at});
    registers.append(results.begin(), results.end());
  }

  Value one(Opcode opcode, unsigned at) {
    SmallVector<Value, 1> registers;
    access(opcode, at, registers);
    return registers.front();
  }

  /// Takes a word of 32 bits, or the 16 of two bytes, apart.
  void split(Shape shape, Value word, SmallVectorImpl<Value> &registers) {
    if (shape.bytes == 4)
      return registers.push_back(word);
    if (shape.bytes == 2) {
      ResultRange halves = ptx::unpackV2B32(e.builder, e.loc, word);
      return registers.append(halves.begin(), halves.end());
    }
    // The upper bits of an i8 are unspecified, so a shift is enough.
    registers.push_back(word);
    for (unsigned byte = 1; byte < shape.elements; ++byte)
      registers.push_back(
          ptx::shrU32(e.builder, e.loc, word, ptx::movS32(e.builder, e.loc, 8 * byte)));
  }

  Emit e;
  AccessOpcodes opcodes;
  Address address;
};

class Storer {
public:
  Storer(Emit e, AccessOpcodes opcodes, Address address)
      : e(e), opcodes(opcodes), address(address) {}

  void store(Shape shape, unsigned at, ValueRange registers) {
    switch (shape.size()) {
    case 1:
      return access(opcodes.u8, at, registers);
    case 2:
      if (shape.bytes == 2)
        return access(opcodes.b16, at, registers);
      return access(opcodes.u16, at, join(shape, registers));
    case 4:
      return access(opcodes.b32, at, join(shape, registers));
    case 8:
    case 16:
      if (shape.bytes == 8)
        return access(shape.elements == 1 ? opcodes.b64 : opcodes.v2b64, at, registers);
      SmallVector<Value, 4> words;
      unsigned perWord = 4 / shape.bytes;
      for (unsigned first = 0; first < shape.elements; first += perWord)
        words.push_back(join({shape.bytes, perWord}, registers.slice(first, perWord)));
      access(shape.size() == 8 ? opcodes.v2b32 : opcodes.v4b32, at, words);
    }
  }

private:
  void access(Opcode opcode, unsigned at, ValueRange registers) {
    SmallVector<Value, 5> operands{address.base};
    operands.append(registers.begin(), registers.end());
    ptx::buildInst(e.builder, e.loc, opcode, operands, opcodes.noCacheModifier,
                   {address.offset + at});
  }

  /// Puts the elements of one word together; the upper half stays unspecified for two bytes.
  Value join(Shape shape, ValueRange parts) {
    auto [builder, loc] = e;
    if (shape.bytes == 4)
      return parts[0];
    if (shape.bytes == 2)
      return ptx::packV2B32(builder, loc, parts);
    Value lowBytes = ptx::movS32(builder, loc, 0x0040);
    Value low = ptx::prmtB32(builder, loc, parts[0], parts[1], lowBytes);
    if (shape.elements == 2)
      return low;
    Value high = ptx::prmtB32(builder, loc, parts[2], parts[3], lowBytes);
    return ptx::prmtB32(builder, loc, low, high, ptx::movS32(builder, loc, 0x5410));
  }

  Emit e;
  AccessOpcodes opcodes;
  Address address;
};

/// How many neighbours one instruction moves, given what the address is a multiple of.
unsigned elementsAtOnce(Type value, unsigned bytes, uint64_t alignment) {
  auto vector = dyn_cast<VectorType>(value);
  return vector ? std::min<uint64_t>(vector.getNumElements(), alignment / bytes) : 1;
}

struct LoadPattern : OpConversionPattern<LoadOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult matchAndRewrite(LoadOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    PtrType pointer = op.getPointer().getType();
    Type type = op.getResult().getType();
    unsigned bytes = pointer.getElementBytes();
    auto vector = dyn_cast<VectorType>(type);
    unsigned total = vector ? vector.getNumElements() : 1;
    unsigned step = elementsAtOnce(type, bytes, op.getAlignmentInBytes());
    Loader loader({rewriter, op.getLoc()}, loads(pointer.getSpace(), op.getIsVolatile()),
                  splitAddress(adaptor.getPointer()));
    SmallVector<Value> registers;
    for (unsigned first = 0; first < total; first += step)
      loader.load({bytes, step}, first * bytes, registers);
    rewriter.replaceOpWithMultiple(op, {registers});
    return success();
  }
};

struct StorePattern : OpConversionPattern<StoreOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult matchAndRewrite(StoreOp op, OneToNOpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    PtrType pointer = op.getPointer().getType();
    ValueRange registers = adaptor.getValue();
    unsigned bytes = pointer.getElementBytes();
    unsigned step = elementsAtOnce(op.getValue().getType(), bytes, op.getAlignmentInBytes());
    Storer storer({rewriter, op.getLoc()}, stores(pointer.getSpace(), op.getIsVolatile()),
                  splitAddress(adaptor.getPointer().front()));
    for (unsigned first = 0; first < registers.size(); first += step)
      storer.store({bytes, step}, first * bytes, registers.slice(first, step));
    rewriter.eraseOp(op);
    return success();
  }
};

} // namespace

void mettle::detail::populateMemoryToPTX(const TypeConverter &converter,
                                         RewritePatternSet &patterns) {
  patterns.add<AllocPattern, DynamicWorkgroupPattern, OffsetPattern, PtrCastPattern,
               SpaceCastPattern, LoadPattern, StorePattern>(converter, patterns.getContext());
}
