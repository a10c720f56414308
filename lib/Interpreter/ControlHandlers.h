//===- ControlHandlers.h - instructions that no operation owns -===//
//
// Copies, jumps, calls: what the lowering of any operation may need.
//
//===----------------------------------------------------------------------===//

#ifndef METTLE_LIB_INTERPRETER_CONTROLHANDLERS_H
#define METTLE_LIB_INTERPRETER_CONTROLHANDLERS_H

#include "Program.h"

namespace mettle::interpreter {

/// result = a
const Instruction *copyWord(const Instruction *at, WorkItem &item);
/// The `a` slots from `result` on = 0
const Instruction *fillZero(const Instruction *at, WorkItem &item);
/// A fault if `a` is not 0.
const Instruction *checkPoison(const Instruction *at, WorkItem &item);
/// To the instruction at the distance `immediate`.
const Instruction *jump(const Instruction *at, WorkItem &item);
/// The same if `a` is not 0.
const Instruction *jumpIf(const Instruction *at, WorkItem &item);
/// The same if `a` is 0.
const Instruction *jumpUnless(const Instruction *at, WorkItem &item);
/// The same if `a` and `b` are equal.
const Instruction *jumpIfEqual(const Instruction *at, WorkItem &item);
/// Enters function `immediate`.
const Instruction *call(const Instruction *at, WorkItem &item);
/// Leaves the running function.
const Instruction *leave(const Instruction *at, WorkItem &item);

} // namespace mettle::interpreter

#endif // METTLE_LIB_INTERPRETER_CONTROLHANDLERS_H
