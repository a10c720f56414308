//===- Atomic.cpp - accesses that several work-items may make at once -===//
//
// Work-items run one after another, so an access is whole by itself; what remains are its orders. A
// release begins an interval, whose number the element keeps until the next store; an acquire that
// reads it orders what came before. A work-item whose access sees again what it saw the last time
// may wait for another one, and lets the others run.
//
//===----------------------------------------------------------------------===//

#include "Mettle/Dialect/Mettle/IR/AtomicOps.h"

#include "Floats.h"
#include "Model.h"
#include "Workgroup.h"

using namespace mlir;
using namespace mettle;
using namespace mettle::interpreter;

//===----------------------------------------------------------------------===//
// Orders
//===----------------------------------------------------------------------===//

/// What the orders of an instruction ask, as bits.
enum OrderBits : uint32_t { Acquires = 1, Releases = 2 };

/// Where the bits for failure stand above those for success.
constexpr unsigned failureShift = 2;

static uint32_t orderBits(MemoryOrder order) {
  return (acquires(order) ? Acquires : 0) | (releases(order) ? Releases : 0);
}

/// The element that the pointer in slot `pointer` points at, for an access of these orders; null
/// after a fault.
template <typename Word, AccessKind Kind>
static uint8_t *accessAtomically(const Instruction *at, WorkItem &item, Slot pointer,
                                 uint32_t orders) {
  Allocation &memory = item.resolve(item.frame[pointer + 1]);
  if (memory.space == AddressSpace::Private) {
    item.fault(at) << "accesses private memory atomically, which nobody else sees";
    return nullptr;
  }
  Interval released = orders & Releases ? ++item.group.launch.lastInterval : 0;
  uint8_t *address = item.access<sizeof(Word), Kind>(at, pointer, sizeof(Word));
  if (!address || !memory.history)
    return address;
  uint64_t offset = item.frame[pointer];
  if (orders & Acquires) {
    Interval &acquired = item.acquiredOf(memory);
    acquired = std::max(acquired, memory.history->releasedAt(offset));
  }
  // A release goes on behind updates, and ends at a store that is none.
  if (writes(Kind) && (released || !reads(Kind)))
    memory.history->setReleased(offset, released);
  return address;
}

/// Goes on behind `at`, which saw `value`, at once or after others.
static const Instruction *goOn(const Instruction *at, WorkItem &item, uint64_t offset,
                               uint64_t value) {
  auto &last = item.lastAtomic;
  bool isSame = last.instruction == at && last.offset == offset && last.value == value;
  last = {at, offset, value};
  return isSame ? item.yield(at + 1) : at + 1;
}

//===----------------------------------------------------------------------===//
// Loads and stores
//===----------------------------------------------------------------------===//

/// result = the element at the pointer a; c are the orders.
template <typename Word> static const Instruction *load(const Instruction *at, WorkItem &item) {
  uint64_t offset = item.frame[at->a];
  const uint8_t *address = accessAtomically<Word, AccessKind::AtomicRead>(at, item, at->a, at->c);
  if (!address)
    return nullptr;
  Word value;
  std::memcpy(&value, address, sizeof value);
  item.frame[at->result] = value;
  return goOn(at, item, offset, value);
}

/// The element at the pointer a = slot b; c are the orders.
template <typename Word> static const Instruction *store(const Instruction *at, WorkItem &item) {
  uint8_t *address = accessAtomically<Word, AccessKind::AtomicWrite>(at, item, at->a, at->c);
  if (!address)
    return nullptr;
  auto value = static_cast<Word>(item.frame[at->b]);
  std::memcpy(address, &value, sizeof value);
  return at + 1;
}

/// The handler for the element's width.
static Handler choose(Type element, Handler narrow, Handler wide) {
  return element.getIntOrFloatBitWidth() == 32 ? narrow : wide;
}

static LogicalResult lowerLoad(AtomicLoadOp op, FunctionLowering &lowering) {
  lowering.emit(choose(op.getType(), load<uint32_t>, load<uint64_t>), lowering.slot(op.getResult()),
                lowering.slot(op.getPointer()), 0, orderBits(op.getOrder()));
  return success();
}

static LogicalResult lowerStore(AtomicStoreOp op, FunctionLowering &lowering) {
  lowering.emit(choose(op.getValue().getType(), store<uint32_t>, store<uint64_t>), 0,
                lowering.slot(op.getPointer()), lowering.slot(op.getValue()),
                orderBits(op.getOrder()));
  return success();
}

//===----------------------------------------------------------------------===//
// Updates
//===----------------------------------------------------------------------===//

template <AtomicKind kind, typename Word> static Word combine(Word old, Word value) {
  using Signed = std::make_signed_t<Word>;
  auto signedOld = static_cast<Signed>(old), signedValue = static_cast<Signed>(value);
  using Float = std::conditional_t<sizeof(Word) == 4, F32, F64>;
  switch (kind) {
  case AtomicKind::Add:
    return old + value;
  case AtomicKind::Sub:
    return old - value;
  case AtomicKind::SMin:
    return signedOld < signedValue ? old : value;
  case AtomicKind::SMax:
    return signedOld < signedValue ? value : old;
  case AtomicKind::UMin:
    return std::min(old, value);
  case AtomicKind::UMax:
    return std::max(old, value);
  case AtomicKind::And:
    return old & value;
  case AtomicKind::Or:
    return old | value;
  case AtomicKind::Xor:
    return old ^ value;
  case AtomicKind::Exchange:
    return value;
  case AtomicKind::FAdd:
    return static_cast<Word>(Float::write(Float::read(old) + Float::read(value)));
  }
  llvm_unreachable("every kind is listed");
}

/// result = the element at the pointer a, which becomes a function of it and slot b; c are the
/// orders.
template <AtomicKind kind, typename Word>
static const Instruction *update(const Instruction *at, WorkItem &item) {
  uint64_t offset = item.frame[at->a];
  auto value = static_cast<Word>(item.frame[at->b]);
  uint8_t *address = accessAtomically<Word, AccessKind::AtomicUpdate>(at, item, at->a, at->c);
  if (!address)
    return nullptr;
  Word old;
  std::memcpy(&old, address, sizeof old);
  Word made = combine<kind, Word>(old, value);
  std::memcpy(address, &made, sizeof made);
  item.frame[at->result] = old;
  return goOn(at, item, offset, old);
}

template <AtomicKind... kinds> static Handler updateHandler(AtomicKind kind, Type element) {
  static constexpr Handler narrow[] = {update<kinds, uint32_t>...},
                           wide[] = {update<kinds, uint64_t>...};
  return choose(element, narrow[static_cast<unsigned>(kind)], wide[static_cast<unsigned>(kind)]);
}

static LogicalResult lowerUpdate(AtomicRMWOp op, FunctionLowering &lowering) {
  Handler handler =
      updateHandler<AtomicKind::Add, AtomicKind::Sub, AtomicKind::SMin, AtomicKind::SMax,
                    AtomicKind::UMin, AtomicKind::UMax, AtomicKind::And, AtomicKind::Or,
                    AtomicKind::Xor, AtomicKind::Exchange, AtomicKind::FAdd>(op.getKind(),
                                                                             op.getType());
  lowering.emit(handler, lowering.slot(op.getResult()), lowering.slot(op.getPointer()),
                lowering.slot(op.getValue()), orderBits(op.getOrder()));
  return success();
}

/// result = the element at the pointer a, which becomes slot c if it is slot b. The low bits
/// of the immediate are the orders of success, those above the orders of failure.
template <typename Word> static const Instruction *exchange(const Instruction *at, WorkItem &item) {
  uint64_t offset = item.frame[at->a];
  auto expected = static_cast<Word>(item.frame[at->b]);
  auto desired = static_cast<Word>(item.frame[at->c]);
  // The pointer is looked at before it is judged: which access it is depends on the element.
  const Allocation &memory = item.resolve(item.frame[at->a + 1]);
  bool fits = offset <= memory.bytes && memory.bytes - offset >= sizeof(Word);
  Word old = 0;
  if (fits)
    std::memcpy(&old, memory.data + offset, sizeof old);
  bool succeeds = fits && old == expected;
  uint8_t *address =
      succeeds ? accessAtomically<Word, AccessKind::AtomicUpdate>(
                     at, item, at->a, at->immediate & (Acquires | Releases))
               : accessAtomically<Word, AccessKind::AtomicRead>(
                     at, item, at->a, static_cast<uint32_t>(at->immediate >> failureShift));
  if (!address)
    return nullptr;
  if (succeeds)
    std::memcpy(address, &desired, sizeof desired);
  item.frame[at->result] = old;
  return goOn(at, item, offset, old);
}

static LogicalResult lowerExchange(AtomicCmpXchgOp op, FunctionLowering &lowering) {
  lowering.emit(choose(op.getType(), exchange<uint32_t>, exchange<uint64_t>),
                lowering.slot(op.getResult()), lowering.slot(op.getPointer()),
                lowering.slot(op.getExpected()), lowering.slot(op.getDesired()),
                orderBits(op.getSuccessOrder()) | orderBits(op.getFailureOrder()) << failureShift);
  return success();
}

namespace mettle::interpreter::detail {
void registerAtomicModels(DialectRegistry &registry) {
  registry.addExtension(+[](MLIRContext *context, MettleDialect *) {
    attachModels<lowerLoad, lowerStore, lowerUpdate, lowerExchange>(context);
  });
}
} // namespace mettle::interpreter::detail
