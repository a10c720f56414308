//===- TensorStep.cpp - Tensor maps and bulk copies of the symbolic thread -===//
//
// A tensor copy is a store to shared memory, or a load and a store to global memory, of as many
// pieces of 16 bytes as its box has. Bits of the piece's number take the place of the thread's, so
// that all that resolves exchanges between threads resolves those with the copy engine as well.
//
//===----------------------------------------------------------------------===//

#include "Machine.h"
#include "Mettle/Numerics/SharedMatrix.h"
#include "llvm/ADT/StringSwitch.h"

using namespace mettle::checker;
using namespace mettle::assembly::ptx;

static constexpr unsigned PieceBytes = 16;

/// Whether an address is a multiple of a power of two whatever its atoms are; parameters and shared
/// memory start at one.
bool Machine::isAligned(FormId address, int64_t to) const {
  bool result = forms.constantOf(address) % to == 0;
  for (const Part &part : forms.parts(address))
    result &= part.coef % to == 0 || forms.atom(part.atom).kind == Atom::Pointer;
  return result;
}

//===----------------------------------------------------------------------===//
// Making maps
//===----------------------------------------------------------------------===//

/// The writes to the map's own bytes, so that a load of them, or a race, is seen.
void Machine::touchMap(Event::Kind kind, FormId address, PredId when) {
  for (unsigned at = 0; at < TensorMap::Bytes; at += PieceBytes) {
    Event &e = event(kind);
    e.address = forms.addConstant(address, at);
    e.bytes = PieceBytes;
    e.pred = when;
    if (kind == Event::SharedStore)
      e.value = terms.unknown("the bytes of a tensor map", this->at, PieceBytes);
  }
}

void Machine::replaceField() {
  std::optional<Issuers> who = issuers();
  llvm::SmallVector<llvm::StringRef, 8> words;
  std::string name = text(*mnemonic);
  llvm::StringRef(name).split(words, '.');
  FormId address = addressOf(op(0));
  if (!who || who->isElected || who->threads.size() != 1 || who->when != Terms::truePred ||
      currentLoop != ~0u || words.size() < 5 || words[2] != "tile" ||
      (words[4] != "shared::cta" && words[4] != "shared") || forms.bitsOf(address))
    return fail("a tensor map that is made in a way the checker does not follow");
  bool hasOrdinal = instruction->operandCount == 3;
  uint64_t ordinal = hasOrdinal && op(1).is(OperandKind::Integer) ? op(1).bits : 0;
  unsigned bytes = mnemonic->types[mnemonic->typeCount - 1] == Type::B64 ? 8 : 4;
  const Operand &given = op(instruction->operandCount - 1);
  Value value = read(given);
  if (value.kind == Value::Data && terms.isConstant(value.id))
    value = integer(form(value, 8 * bytes));
  if (value.kind != Value::Integer || forms.bitsOf(value.id) || forms.blocksOf(value.id) ||
      forms.loopsOf(value.id) || ordinal >= TensorMap::MaxRank)
    return fail("a field of a tensor map that is not one for the launch");
  FormId field = asUnsigned(value.id, 8 * bytes);
  std::optional<int64_t> number;
  if (forms.isConstant(field))
    number = forms.constantOf(field);
  TensorMap &map = maps[address];
  if (!map.address && !map.rank)
    touchMap(Event::SharedStore, address, terms.both(path, guard));
  map.warp = who->threads[0] / 32;
  map.isFenced = map.isReady = false;
  if (words[3] == "global_address")
    map.address = value.id;
  else if (words[3] == "global_dim")
    map.dims[ordinal] = field;
  else if (words[3] == "global_stride")
    map.strides[ordinal] = field;
  else if (words[3] == "element_stride")
    map.elementStrides[ordinal] = field;
  else if (!number)
    return fail("a field of a tensor map that is not one for the launch");
  else if (words[3] == "rank")
    map.rank = number;
  else if (words[3] == "box_dim")
    map.box[ordinal] = number;
  else if (words[3] == "elemtype")
    map.element = number;
  else if (words[3] == "interleave_layout")
    map.interleave = number;
  else if (words[3] == "swizzle_mode")
    map.swizzle = number;
  else if (words[3] == "fill_mode")
    map.fill = number;
  else
    return fail("a field of a tensor map that the checker does not model");
}

void Machine::copyMap() {
  std::optional<Issuers> who = issuers(/*byWarps=*/true);
  FormId to = addressOf(op(0)), from = addressOf(op(1));
  auto map = maps.find(from);
  bool isWhole = op(2).is(OperandKind::Integer) && op(2).bits == TensorMap::Bytes;
  if (!who || map == maps.end() || !isWhole || currentLoop != ~0u || forms.bitsOf(to) ||
      who->threads.size() != 1 || who->threads[0] / 32 != map->second.warp)
    return fail("a tensor map that is made in a way the checker does not follow");
  std::optional<uint32_t> parameter;
  for (const Part &part : forms.parts(to))
    if (forms.atom(part.atom).kind == Atom::Pointer && part.coef == 1)
      parameter = uint32_t(forms.atom(part.atom).data);
  if (!parameter || !isAligned(to, TensorMap::Bytes))
    return fail("a tensor map that is not written to the memory of a parameter");
  program.mapParameters |= uint64_t(1) << (*parameter & 63);
  touchMap(Event::SharedLoad, from, terms.both(path, guard));
  TensorMap made = map->second;
  maps.erase(map);
  made.isFenced = made.isReady = false;
  maps[to] = made;
}

/// fence.proxy.tensormap: the map may be used by the warps that acquired it, after a barrier by
/// all.
void Machine::fence() {
  if (!mnemonic->has(Modifier::TensormapGeneric) || !mnemonic->has(Modifier::Acquire))
    return;
  auto map = maps.find(addressOf(op(0)));
  if (map != maps.end() && issuers(/*byWarps=*/true))
    map->second.isFenced = true;
}

//===----------------------------------------------------------------------===//
// Copies
//===----------------------------------------------------------------------===//

namespace {
/// A piece of a box over the bits of its number.
struct Piece {
  FormId linear = 0; ///< Bytes from the box's start in shared memory, before the swizzle.
  std::array<FormId, TensorMap::MaxRank> at = {}; ///< Elements from the box's start.
};
} // namespace

/// Bytes of an element that a copy moves as it is; 0 of the types that it converts.
static unsigned elementBytes(int64_t type) {
  constexpr unsigned bytes[] = {1, 2, 4, 4, 8, 8, 2, 4, 0, 8, 2};
  return type >= 0 && type < int64_t(std::size(bytes)) ? bytes[type] : 0;
}

static bool isPowerOfTwo(int64_t n) { return n > 0 && (n & (n - 1)) == 0; }

/// What a copy needs of its map, or why it cannot be followed.
const char *Machine::faultOf(const TensorMap &map, unsigned rank) const {
  if (!map.isReady)
    return "a tensor map that is used before it has been made visible";
  if (!map.address || !map.rank || !map.element || !map.swizzle || !map.fill || !map.interleave)
    return "a tensor map whose fields are not all known";
  if (*map.rank + 1 != int64_t(rank) || rank > TensorMap::MaxRank)
    return "a tensor map of another rank";
  unsigned bytes = elementBytes(*map.element);
  if (!bytes || *map.interleave != 0 || *map.swizzle < 0 || *map.swizzle > 3 || *map.fill != 0)
    return "a form of tensor map that the checker does not model";
  for (unsigned d = 0; d < rank; ++d) {
    if (!map.dims[d] || !map.box[d] || !map.elementStrides[d] || (d && !map.strides[d - 1]))
      return "a tensor map whose fields are not all known";
    bool isPlain =
        forms.isConstant(*map.elementStrides[d]) && forms.constantOf(*map.elementStrides[d]) == 1;
    if (!isPlain || !isPowerOfTwo(*map.box[d]))
      return "a form of tensor map that the checker does not model";
  }
  int64_t row = *map.box[0] * bytes;
  for (unsigned d = 0; d + 1 < rank; ++d)
    if (!isAligned(*map.strides[d], PieceBytes))
      return "a tensor map whose strides are not multiples of 16 bytes";
  if (!isAligned(*map.address, PieceBytes))
    return "a tensor map whose address is not a multiple of 16";
  if (row % PieceBytes || (*map.swizzle && row > int64_t(PieceBytes) << *map.swizzle))
    return "a form of tensor map that the checker does not model";
  return nullptr;
}

/// The pieces of a box: `free` bits of the number as variables, those above them fixed.
static Piece pieceOf(Forms &forms, const TensorMap &map, unsigned rank, unsigned free,
                     uint64_t above) {
  Piece piece;
  unsigned bytes = elementBytes(*map.element), bit = 0;
  auto take = [&](int64_t weight) {
    FormId part = bit < free ? forms.parity(uint64_t(1) << bit, false, weight)
                             : forms.constant(above >> (bit - free) & 1 ? weight : 0);
    ++bit;
    return part;
  };
  int64_t inRow = *map.box[0] * bytes,
          pitch = *map.swizzle ? int64_t(PieceBytes) << *map.swizzle : inRow;
  for (int64_t at = PieceBytes; at < inRow; at *= 2) {
    FormId part = take(at);
    piece.linear = forms.add(piece.linear, part);
    piece.at[0] =
        forms.add(piece.at[0], forms.isConstant(part)
                                   ? forms.constant(forms.constantOf(part) / bytes)
                                   : forms.parity(uint64_t(1) << (bit - 1), false, at / bytes));
  }
  int64_t rows = pitch;
  for (unsigned d = 1; d < rank; ++d) {
    for (int64_t at = 1; at < *map.box[d]; at *= 2) {
      FormId part = take(1);
      piece.linear = forms.add(piece.linear, forms.scale(part, rows * at));
      piece.at[d] = forms.add(piece.at[d], forms.scale(part, at));
    }
    rows *= *map.box[d];
  }
  return piece;
}

static FormId swizzledAddress(Forms &forms, FormId address, int64_t swizzle) {
  if (swizzle == 0)
    return address;
  FormId mask = forms.constant(((int64_t(1) << swizzle) - 1) << 4);
  FormId moved = forms.apply(IntOp::And, 32,
                             {forms.apply(IntOp::ShrU, 32, {address, forms.constant(3)}), mask});
  return forms.apply(IntOp::Xor, 32, {address, moved});
}

static FormId times(Forms &forms, FormId a, FormId b) {
  if (forms.isConstant(a))
    std::swap(a, b);
  if (forms.isConstant(b))
    return forms.scale(a, forms.constantOf(b));
  return forms.opaque(IntOp::Mul, 64, {a, b});
}

/// 0 <= coordinate < extent.
static PredId isWithin(Terms &terms, FormId coordinate, FormId extent) {
  return terms.both(terms.negate(terms.less(coordinate)),
                    terms.less(terms.forms.sub(coordinate, extent)));
}

/// The mbarrier, the uniform condition, and the place of one issuer's box.
struct Machine::BoxCopy {
  const TensorMap *map;
  unsigned rank;
  std::array<FormId, TensorMap::MaxRank> start = {};
  FormId shared = 0, phase = 0;
  PredId when = Terms::truePred;
  bool toShared = false;
};

void Machine::copyBox(const BoxCopy &copy) {
  const TensorMap &map = *copy.map;
  unsigned bytes = elementBytes(*map.element), perPiece = PieceBytes / bytes, bits = 0;
  int64_t size = bytes;
  for (unsigned d = 0; d < copy.rank; ++d)
    size *= *map.box[d];
  while (int64_t(PieceBytes) << bits < size)
    ++bits;
  unsigned free = std::min(bits, NumThreadBits);
  for (uint64_t above = 0; above < uint64_t(1) << (bits - free); ++above) {
    Piece piece = pieceOf(forms, map, copy.rank, free, above);
    FormId global = *map.address;
    PredId inRows = copy.when;
    std::array<FormId, TensorMap::MaxRank> at;
    for (unsigned d = 0; d < copy.rank; ++d) {
      at[d] = forms.add(copy.start[d], piece.at[d]);
      global = forms.add(global, d == 0 ? forms.scale(at[d], bytes)
                                        : times(forms, at[d], *map.strides[d - 1]));
      if (d)
        inRows = terms.both(inRows, isWithin(terms, at[d], *map.dims[d]));
    }
    FormId shared = swizzledAddress(forms, forms.add(copy.shared, piece.linear), *map.swizzle);
    // A piece is within a row or not, as a whole, where the row's end lets it be.
    bool isWhole = isAligned(*map.dims[0], perPiece);
    auto prepare = [&](Event &e) {
      e.isByEngine = true;
      e.pieceBits = (uint64_t(1) << free) - 1;
      e.over = copy.toShared ? Event::Phase : Event::BulkGroup;
      e.address = shared;
      e.bytes = PieceBytes;
    };
    if (copy.toShared) {
      llvm::SmallVector<TermId, 8> parts;
      for (unsigned i = 0; i < perPiece; i += isWhole ? perPiece : 1) {
        Term load;
        load.kind = Term::Load;
        load.bytes = uint8_t(isWhole ? PieceBytes : bytes);
        load.form = forms.addConstant(global, int64_t(i) * bytes);
        load.instruction = this->at;
        PredId inside = isWithin(terms, forms.addConstant(at[0], i), *map.dims[0]);
        for (unsigned d = 1; d < copy.rank; ++d)
          inside = terms.both(inside, isWithin(terms, at[d], *map.dims[d]));
        unsigned loaded = load.bytes;
        parts.push_back(
            terms.select(inside, terms.intern(std::move(load)), terms.constant(0, loaded)));
      }
      TermId value = terms.concat(parts);
      Event &e = event(Event::SharedStore);
      prepare(e);
      e.value = value;
      e.pred = copy.when;
      e.phase = copy.phase;
      e.amount = uint32_t(size >> (bits - free));
      continue;
    }
    Term load;
    load.kind = Term::SharedLoad;
    load.bytes = PieceBytes;
    load.form = shared;
    load.data = program.events.size();
    load.instruction = this->at;
    load.bits = (uint64_t(1) << NumThreadBits) - 1;
    TermId value = terms.intern(std::move(load));
    Event &read = event(Event::SharedLoad);
    prepare(read);
    read.pred = copy.when;
    for (unsigned i = 0; i < perPiece; i += isWhole ? perPiece : 1) {
      unsigned stored = isWhole ? PieceBytes : bytes;
      TermId part = terms.extract(value, i * bytes, stored);
      Event &e = event(Event::GlobalStore);
      prepare(e);
      e.address = forms.addConstant(global, int64_t(i) * bytes);
      e.bytes = uint8_t(stored);
      e.value = part;
      e.pred = terms.both(inRows, isWithin(terms, forms.addConstant(at[0], i), *map.dims[0]));
    }
  }
}

void Machine::copyTensor() {
  std::string name = text(*mnemonic);
  llvm::StringRef spelled = name;
  bool toShared = op(1).is(OperandKind::Bracket);
  unsigned wanted = (toShared ? 3 : 2) + mnemonic->has(Modifier::L2CacheHint);
  if (spelled.contains("im2col") || spelled.contains("multicast") ||
      spelled.contains("cta_group") || spelled.contains("tile::") ||
      instruction->operandCount != wanted || !op(toShared ? 1 : 0).is(OperandKind::Bracket))
    return fail("a form of " + name + " that the checker does not model");
  llvm::ArrayRef<Operand> source = module.elements(op(toShared ? 1 : 0));
  if (source.size() != 2 || !source[1].is(OperandKind::Vector))
    return fail("a form of " + name + " that the checker does not model");
  llvm::ArrayRef<Operand> coordinates = module.elements(source[1]);
  FormId mapAddress =
      source[0].is(OperandKind::Register) ? formOf(source[0], 64) : addressOf(source[0]);
  if (program.failure)
    return;
  auto found = maps.find(mapAddress);
  if (found == maps.end())
    return fail("the launch fact that is missing is a tensor map: it is not made by this kernel");
  TensorMap map = found->second;
  if (const char *fault = faultOf(map, unsigned(coordinates.size())))
    return fail(fault);
  std::optional<Issuers> who = issuers();
  if (!who)
    return fail("a tensor copy under a condition that the checker does not follow");
  FormId shared = addressOf(op(toShared ? 0 : 1)), phase = toShared ? addressOf(op(2)) : FormId(0);
  for (uint32_t thread : who->threads) {
    BoxCopy copy;
    copy.map = &map;
    copy.rank = unsigned(coordinates.size());
    copy.when = who->when;
    copy.toShared = toShared;
    std::optional<FormId> to = asThread(shared, *who, thread), at = asThread(phase, *who, thread);
    bool isKnown = to && at;
    for (unsigned d = 0; isKnown && d < copy.rank; ++d) {
      isKnown =
          read(coordinates[d]).kind == Value::Integer || coordinates[d].is(OperandKind::Integer);
      std::optional<FormId> start =
          asThread(asSigned(formOf(coordinates[d], 32), 32), *who, thread);
      isKnown &= start.has_value();
      copy.start[d] = start.value_or(0);
    }
    unsigned perPiece = PieceBytes / elementBytes(*map.element);
    // What a loop carries has a place only when its inductions are known.
    bool isPlaced = isTrial || (isKnown && isAligned(*to, TensorMap::Bytes) &&
                                isAligned(copy.start[0], perPiece));
    if (!isKnown || !isPlaced)
      return fail("a tensor copy whose place the checker does not follow");
    copy.shared = *to;
    copy.phase = *at;
    copyBox(copy);
  }
}

bool Machine::stepTensor() {
  switch (instruction->opcode) {
  case Opcode::TensormapReplace:
    replaceField();
    return true;
  case Opcode::TensormapCpFenceProxy:
    copyMap();
    return true;
  case Opcode::CpAsyncBulkTensor:
    copyTensor();
    return true;
  case Opcode::CpAsyncBulkCommitGroup:
  case Opcode::CpAsyncBulkWaitGroup: {
    // One that not all threads come to closes nothing and waits for nothing here.
    if (path != Terms::truePred || guard != Terms::truePred)
      return true;
    bool isCommit = instruction->opcode == Opcode::CpAsyncBulkCommitGroup;
    Event &e = event(isCommit ? Event::BulkCommit : Event::BulkWait);
    e.count = isCommit ? 0 : uint32_t(op(0).bits);
    return true;
  }
  default:
    return false;
  }
}
