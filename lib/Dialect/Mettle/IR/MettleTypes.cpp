//===- MettleTypes.cpp - the pointer type -===//
//
// Verifies and registers !mettle.ptr.
//
//===----------------------------------------------------------------------===//

#include "Mettle/Dialect/Mettle/IR/MettleDialect.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/DialectImplementation.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mettle;

#define GET_TYPEDEF_CLASSES
#include "Mettle/Dialect/Mettle/IR/MettleTypes.cpp.inc"

bool PtrType::isElementType(Type type) {
  return type.isSignlessInteger(8) || type.isSignlessInteger(16) || type.isSignlessInteger(32) ||
         type.isSignlessInteger(64) || type.isF16() || type.isBF16() || type.isF32() ||
         type.isF64();
}

unsigned PtrType::getElementBytes() const { return getElementType().getIntOrFloatBitWidth() / 8; }

LogicalResult PtrType::verify(function_ref<InFlightDiagnostic()> emitError, Type elementType,
                              AddressSpace) {
  // ptr-c1
  if (!isElementType(elementType))
    return emitError() << "expected an element type i8, i16, i32, i64, f16, bf16, f32 or f64, got "
                       << elementType;
  return success();
}

void MettleDialect::registerTypes() {
  addTypes<
#define GET_TYPEDEF_LIST
#include "Mettle/Dialect/Mettle/IR/MettleTypes.cpp.inc"
      >();
}
