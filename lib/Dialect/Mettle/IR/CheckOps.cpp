//===- CheckOps.cpp - mettle.assert and mettle.print -===//
//
// Verification of assertions and prints.
//
//===----------------------------------------------------------------------===//

#include "Mettle/Dialect/Mettle/IR/CheckOps.h"

#include "mlir/IR/Builders.h"

using namespace mlir;
using namespace mettle;

#define GET_OP_CLASSES
#include "Mettle/Dialect/Mettle/IR/CheckOps.cpp.inc"

namespace mettle::detail {
void registerCheckOps(MettleDialect &dialect) {
  dialect.addFamily<
#define GET_OP_LIST
#include "Mettle/Dialect/Mettle/IR/CheckOps.cpp.inc"
      >();
}
} // namespace mettle::detail

LogicalResult AssertOp::verify() {
  // assert-c1
  if (getText().contains('\n'))
    return emitOpError() << "expected a text of one line";
  return success();
}

std::optional<size_t> PrintOp::countPlaces(StringRef text) {
  size_t places = 0;
  for (; !text.empty(); text = text.drop_front()) {
    if (text.front() != '{' && text.front() != '}')
      continue;
    if (text.starts_with("{}"))
      ++places;
    else if (!text.starts_with("{{") && !text.starts_with("}}"))
      return std::nullopt;
    text = text.drop_front();
  }
  return places;
}

/// The type of the values that a kind is for; null where there is no such kind.
static Type typeOfKind(StringRef kind, MLIRContext *context) {
  Builder builder(context);
  static constexpr StringRef widths[] = {"8", "16", "32", "64"};
  StringRef width = kind.drop_front(!kind.empty());
  if (kind == "bool")
    return builder.getI1Type();
  if (kind == "f16")
    return builder.getF16Type();
  if (kind == "f32")
    return builder.getF32Type();
  if (kind == "f64")
    return builder.getF64Type();
  unsigned bits = 0;
  if ((kind.starts_with("i") || kind.starts_with("u")) && llvm::is_contained(widths, width) &&
      !width.getAsInteger(10, bits))
    return builder.getIntegerType(bits);
  return Type();
}

LogicalResult PrintOp::verify() {
  // print-c1
  std::optional<size_t> places = countPlaces(getText());
  if (!places)
    return emitOpError() << "expected '{}', '{{' or '}}' where a brace stands";
  if (*places != getValues().size())
    return emitOpError() << "expected " << *places << " values, one for each '{}', got "
                         << getValues().size();
  // print-c2
  size_t count = getKinds() ? getKinds()->size() : 0;
  if (count != getValues().size())
    return emitOpError() << "expected a kind for each of " << getValues().size() << " values, got "
                         << count;
  if (!count)
    return success();
  for (auto [number, kind, value] :
       llvm::enumerate(getKinds()->getAsValueRange<StringAttr>(), getValues()))
    if (Type type = typeOfKind(kind, getContext()); type != value.getType()) {
      InFlightDiagnostic diagnostic = emitOpError() << "expected value #" << number << " of kind '";
      return type ? diagnostic << kind << "' to be " << type << ", got " << value.getType()
                  : diagnostic << kind
                               << "' to have one of the kinds bool, i8 to i64, u8 to u64 "
                                  "and f16 to f64";
    }
  return success();
}
