//===- Integers.h - integers in slots -===//
//
// A slot holds an integer of up to 64 bits zero-extended. Instructions carry the width.
//
//===----------------------------------------------------------------------===//

#ifndef METTLE_LIB_INTERPRETER_INTEGERS_H
#define METTLE_LIB_INTERPRETER_INTEGERS_H

#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/TypeUtilities.h"
#include <cstdint>

namespace mettle::interpreter {

/// The low `width` bits.
constexpr uint64_t zeroExtend(uint64_t bits, unsigned width) {
  return bits & (~uint64_t(0) >> (64 - width));
}

/// The low `width` bits as a signed number.
constexpr int64_t signExtend(uint64_t bits, unsigned width) {
  return static_cast<int64_t>(bits << (64 - width)) >> (64 - width);
}

constexpr int64_t smallestSigned(unsigned width) {
  return signExtend(uint64_t(1) << (width - 1), width);
}

/// Width of an integer, index (64 bits) or float, or of a vector's element.
inline unsigned widthOf(mlir::Type type) {
  mlir::Type element = mlir::getElementTypeOrSelf(type);
  return element.isIndex() ? 64 : element.getIntOrFloatBitWidth();
}

} // namespace mettle::interpreter

#endif // METTLE_LIB_INTERPRETER_INTEGERS_H
