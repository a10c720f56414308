//===- VectorOps.cpp - mettle.pack and mettle.unpack -===//
//
// Each names the vector's type alone: the elements' follow.
//
//===----------------------------------------------------------------------===//

#include "Mettle/Dialect/Mettle/IR/VectorOps.h"

#include "mlir/IR/Builders.h"

using namespace mlir;
using namespace mettle;

#define GET_OP_CLASSES
#include "Mettle/Dialect/Mettle/IR/VectorOps.cpp.inc"

namespace mettle::detail {
void registerVectorOps(MettleDialect &dialect) {
  dialect.addFamily<
#define GET_OP_LIST
#include "Mettle/Dialect/Mettle/IR/VectorOps.cpp.inc"
      >();
}
} // namespace mettle::detail

/// Whether the types are those of a vector's elements.
static LogicalResult verifyElements(Operation *op, TypeRange types, Type of, StringRef what) {
  auto vector = dyn_cast<VectorType>(of);
  if (!vector)
    return op->emitOpError() << "expected a vector, got " << of;
  if (types.size() != static_cast<size_t>(vector.getNumElements()))
    return op->emitOpError() << "expected " << vector.getNumElements() << ' ' << what
                             << ", one for each element of " << of << ", got " << types.size();
  for (Type type : types)
    if (type != vector.getElementType())
      return op->emitOpError() << "expected " << what << " of type " << vector.getElementType()
                               << ", got " << type;
  return success();
}

// pack-c1
LogicalResult PackOp::verify() {
  return verifyElements(*this, getElements().getTypes(), getVector().getType(), "operands");
}

// unpack-c1
LogicalResult UnpackOp::verify() {
  return verifyElements(*this, getElements().getTypes(), getVector().getType(), "results");
}

void UnpackOp::build(OpBuilder &, OperationState &state, Value vector) {
  auto type = cast<VectorType>(vector.getType());
  state.addOperands(vector);
  state.addTypes(SmallVector<Type>(type.getNumElements(), type.getElementType()));
}

/// A vector's type, and that of each of its elements.
static ParseResult parseVectorType(OpAsmParser &parser, VectorType &type,
                                   SmallVectorImpl<Type> &elements) {
  if (parser.parseColonType(type))
    return failure();
  if (!type.isScalable() && type.getRank() == 1)
    elements.assign(type.getNumElements(), type.getElementType());
  return success();
}

ParseResult PackOp::parse(OpAsmParser &parser, OperationState &result) {
  SmallVector<OpAsmParser::UnresolvedOperand> operands;
  VectorType type;
  SmallVector<Type> elements;
  SMLoc start = parser.getCurrentLocation();
  if (parser.parseOperandList(operands) || parser.parseOptionalAttrDict(result.attributes) ||
      parseVectorType(parser, type, elements))
    return failure();
  result.addTypes(type);
  return parser.resolveOperands(operands, elements, start, result.operands);
}

void PackOp::print(OpAsmPrinter &printer) {
  printer << ' ';
  printer.printOperands(getElements());
  printer.printOptionalAttrDict((*this)->getAttrs());
  printer << " : " << getVector().getType();
}

ParseResult UnpackOp::parse(OpAsmParser &parser, OperationState &result) {
  OpAsmParser::UnresolvedOperand operand;
  VectorType type;
  SmallVector<Type> elements;
  if (parser.parseOperand(operand) || parser.parseOptionalAttrDict(result.attributes) ||
      parseVectorType(parser, type, elements))
    return failure();
  result.addTypes(elements);
  return parser.resolveOperand(operand, type, result.operands);
}

void UnpackOp::print(OpAsmPrinter &printer) {
  printer << ' ' << getVector();
  printer.printOptionalAttrDict((*this)->getAttrs());
  printer << " : " << getVector().getType();
}
