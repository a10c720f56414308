//===- Delivery.cpp - Copies that nobody has waited for yet ---------------===//
//
// Queues of copies, by thread and by mbarrier. Turns rise along a queue.
//
//===----------------------------------------------------------------------===//

#include "Delivery.h"
#include "Race.h"
#include <algorithm>

using namespace mettle::emulator;

void Deliveries::start(unsigned threads) {
  groups.assign(threads, {});
  barriers.clear();
}

static Stamp pendingStamp(const Execution &x, unsigned lane) {
  return PendingStamps + x.warpIndex * NumLanes + lane;
}

void Deliveries::issue(Execution &x, unsigned lane, uint64_t address, uint32_t bytes) {
  Queue &queue = groups[x.warpIndex * NumLanes + lane];
  queue.copies.push_back({queue.turn, bytes, address});
  stampShared(x, address, bytes, pendingStamp(x, lane), /*onlyPending=*/false);
}

void Deliveries::commit(Execution &x, unsigned lane) {
  ++groups[x.warpIndex * NumLanes + lane].turn;
}

/// Copies of turns below `before` are there.
void Deliveries::deliver(Execution &x, unsigned lane, Queue &queue, uint64_t before) {
  // As what the async proxy wrote: see checkStamps.
  Stamp own = x.interval << IntervalShift | StampFlag | lane;
  size_t count = 0;
  for (const Copy &copy : queue.copies) {
    if (copy.turn >= before)
      break;
    stampShared(x, copy.address, copy.bytes, own, /*onlyPending=*/true);
    ++count;
  }
  queue.copies.erase(queue.copies.begin(), queue.copies.begin() + count);
}

void Deliveries::waitGroups(Execution &x, unsigned lane, uint64_t left) {
  Queue &queue = groups[x.warpIndex * NumLanes + lane];
  deliver(x, lane, queue, queue.turn - std::min<uint64_t>(left, queue.turn));
}

void Deliveries::waitAll(Execution &x, unsigned lane) {
  Queue &queue = groups[x.warpIndex * NumLanes + lane];
  deliver(x, lane, queue, uint64_t(queue.turn) + 1);
}

void Deliveries::issueBulk(Execution &x, unsigned lane, uint64_t barrier, uint64_t address,
                           uint32_t bytes) {
  Queue &queue = barriers[barrier];
  queue.copies.push_back({queue.turn, bytes, address});
  stampShared(x, address, bytes, pendingStamp(x, lane), /*onlyPending=*/false);
}

void Deliveries::endPhase(uint64_t barrier) { ++barriers[barrier].turn; }

void Deliveries::waitPhase(Execution &x, unsigned lane, uint64_t barrier) {
  auto found = barriers.find(barrier);
  if (found == barriers.end() || found->second.copies.empty() ||
      found->second.copies.front().turn >= found->second.turn)
    return;
  deliver(x, lane, found->second, found->second.turn);
  // Whoever finds the phase over later has them too.
  x.release(Space::Shared, barrier);
}
