//===- InstEnums.h - modifiers, register classes and memories -===//
//
// The enumerations that builders take and that types and effects are made of. The opcodes are not
// among them: a new instruction rebuilds only what reads the table.
//
//===----------------------------------------------------------------------===//

#ifndef METTLE_DIALECT_PTX_IR_INSTENUMS_H
#define METTLE_DIALECT_PTX_IR_INSTENUMS_H

#include <cstdint>

#include "Mettle/Dialect/PTX/IR/PTXInstEnums.h.inc"

#endif // METTLE_DIALECT_PTX_IR_INSTENUMS_H
