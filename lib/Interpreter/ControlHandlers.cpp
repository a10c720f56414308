//===- ControlHandlers.cpp - instructions that no operation owns -===//
//
// Copies, jumps, calls.
//
//===----------------------------------------------------------------------===//

#include "ControlHandlers.h"

#include "WorkItem.h"
#include <algorithm>

using namespace mettle;
using namespace mettle::interpreter;

const Instruction *interpreter::copyWord(const Instruction *at, WorkItem &item) {
  item.frame[at->result] = item.frame[at->a];
  return at + 1;
}

const Instruction *interpreter::fillZero(const Instruction *at, WorkItem &item) {
  std::fill_n(item.frame + at->result, at->a, 0);
  return at + 1;
}

const Instruction *interpreter::checkPoison(const Instruction *at, WorkItem &item) {
  if (!item.frame[at->a])
    return at + 1;
  item.fault(at) << "computes with a poison value";
  return nullptr;
}

const Instruction *interpreter::jump(const Instruction *at, WorkItem &) {
  return at + static_cast<int64_t>(at->immediate);
}

const Instruction *interpreter::jumpIf(const Instruction *at, WorkItem &item) {
  return item.frame[at->a] ? at + static_cast<int64_t>(at->immediate) : at + 1;
}

const Instruction *interpreter::jumpUnless(const Instruction *at, WorkItem &item) {
  return item.frame[at->a] ? at + 1 : at + static_cast<int64_t>(at->immediate);
}

const Instruction *interpreter::jumpIfEqual(const Instruction *at, WorkItem &item) {
  return item.frame[at->a] == item.frame[at->b] ? at + static_cast<int64_t>(at->immediate) : at + 1;
}

const Instruction *interpreter::call(const Instruction *at, WorkItem &item) {
  return item.enter(at, static_cast<uint32_t>(at->immediate));
}

const Instruction *interpreter::leave(const Instruction *, WorkItem &item) { return item.leave(); }
