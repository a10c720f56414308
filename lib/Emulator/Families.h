//===- Families.h - The decode functions of the families --------*- C++ -*-===//
//
// Declares what Families.def names, so that a family's file need not.
//
//===----------------------------------------------------------------------===//

#ifndef METTLE_LIB_EMULATOR_FAMILIES_H
#define METTLE_LIB_EMULATOR_FAMILIES_H

#include "Decoder.h"
#include "Execution.h"

namespace mettle::emulator {
#define METTLE_EMULATOR_OPCODE(Enumerator, Function) bool Function(Decoder &decoder);
#include "Families.def"

/// The float forms of opcodes that integers have too.
bool decodeFloatAdd(Decoder &decoder);
bool decodeFloatMul(Decoder &decoder);
bool decodeFloatDiv(Decoder &decoder);
bool decodeFloatMinMax(Decoder &decoder);
bool decodeFloatSign(Decoder &decoder);
} // namespace mettle::emulator

#endif // METTLE_LIB_EMULATOR_FAMILIES_H
