//===- Globals.cpp - types and constants as words -------------------------===//
//
// SPIR-V wants each type once and before its use; constants likewise share an id.
//
//===----------------------------------------------------------------------===//

#include "ModuleEncoder.h"

#include "Mettle/Dialect/SPIRVX/IR/SPIRVXModuleOps.h"
#include "mlir/Dialect/SPIRV/IR/SPIRVTypes.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinAttributes.h"

using namespace mlir;
using namespace mettle::spirvx;
using spirv::Opcode;

//===----------------------------------------------------------------------===//
// Types
//===----------------------------------------------------------------------===//

LogicalResult ModuleEncoder::appendTypeOperands(Type type, Operation *op, Opcode &opcode,
                                                SmallVectorImpl<uint32_t> &operands) {
  auto append = [&](Type component) {
    operands.push_back(typeId(component, op));
    return operands.back() != 0;
  };
  auto unless = [&](bool isUnknown) -> LogicalResult {
    if (isUnknown)
      return op->emitOpError() << "expected a type that OpenCL kernels have, got " << type;
    return success();
  };
  if (isa<NoneType>(type)) {
    opcode = Opcode::OpTypeVoid;
    return success();
  }
  if (type.isInteger(1)) {
    opcode = Opcode::OpTypeBool;
    return success();
  }
  if (auto integer = dyn_cast<IntegerType>(type)) {
    // OpenCL has no signed types: the signedness word is 0.
    opcode = Opcode::OpTypeInt;
    operands.append({integer.getWidth(), 0});
    return unless(!integer.isSignless());
  }
  if (auto number = dyn_cast<FloatType>(type)) {
    opcode = Opcode::OpTypeFloat;
    operands.push_back(number.getWidth());
    return unless(!isa<Float16Type, Float32Type, Float64Type>(type));
  }
  if (auto vector = dyn_cast<VectorType>(type)) {
    opcode = Opcode::OpTypeVector;
    bool isKnown = append(vector.getElementType());
    operands.push_back(vector.getNumElements());
    return success(isKnown);
  }
  if (auto array = dyn_cast<spirv::ArrayType>(type); array && array.getArrayStride() == 0) {
    opcode = Opcode::OpTypeArray;
    bool isKnown = append(array.getElementType());
    operands.push_back(i32ConstantId(array.getNumElements(), op));
    return success(isKnown);
  }
  if (auto structure = dyn_cast<spirv::StructType>(type);
      structure && !structure.isIdentified() && !structure.hasOffset()) {
    opcode = Opcode::OpTypeStruct;
    return success(llvm::all_of(structure.getElementTypes(), append));
  }
  if (auto pointer = dyn_cast<spirv::PointerType>(type)) {
    opcode = Opcode::OpTypePointer;
    operands.push_back(static_cast<uint32_t>(pointer.getStorageClass()));
    return success(append(pointer.getPointeeType()));
  }
  if (auto function = dyn_cast<FunctionType>(type)) {
    opcode = Opcode::OpTypeFunction;
    Type result =
        function.getNumResults() ? function.getResult(0) : NoneType::get(type.getContext());
    return success(append(result) && llvm::all_of(function.getInputs(), append));
  }
  return unless(true);
}

uint32_t ModuleEncoder::typeId(Type type, Operation *op) {
  if (uint32_t id = types.lookup(type))
    return id;
  Opcode opcode = Opcode::OpNop;
  SmallVector<uint32_t> operands{0};
  if (failed(appendTypeOperands(type, op, opcode, operands)))
    return 0;
  operands.front() = newId();
  appendInstruction(opcode, operands, sections.globals);
  return types[type] = operands.front();
}

//===----------------------------------------------------------------------===//
// Constants
//===----------------------------------------------------------------------===//

/// Appends the words of a number, lowest first; a narrow one fills a word with zeros.
static void appendBits(const APInt &bits, SmallVectorImpl<uint32_t> &operands) {
  uint64_t value = bits.getZExtValue();
  operands.push_back(static_cast<uint32_t>(value));
  if (bits.getBitWidth() > 32)
    operands.push_back(static_cast<uint32_t>(value >> 32));
}

uint32_t ModuleEncoder::compositeId(ArrayRef<Attribute> elements,
                                    function_ref<Type(unsigned)> elementType, Type type,
                                    Operation *op) {
  SmallVector<uint32_t> operands{typeId(type, op), 0};
  for (auto [index, element] : llvm::enumerate(elements)) {
    operands.push_back(constantId(element, elementType(index), op));
    if (!operands.back())
      return 0;
  }
  if (!operands.front())
    return 0;
  operands[1] = newId();
  appendInstruction(Opcode::OpConstantComposite, operands, sections.globals);
  return operands[1];
}

uint32_t ModuleEncoder::constantId(Attribute value, Type type, Operation *op) {
  if (uint32_t id = constants.lookup({value, type}))
    return id;
  uint32_t id = 0;
  if (auto dense = dyn_cast<DenseElementsAttr>(value)) {
    Type element = dense.getElementType();
    id = compositeId(
        llvm::to_vector(dense.getValues<Attribute>()), [&](unsigned) { return element; }, type, op);
  } else if (auto array = dyn_cast<ArrayAttr>(value); array && isa<spirv::CompositeType>(type)) {
    auto composite = cast<spirv::CompositeType>(type);
    id = compositeId(
        array.getValue(), [&](unsigned index) { return composite.getElementType(index); }, type,
        op);
  } else if (isa<IntegerAttr, FloatAttr>(value)) {
    SmallVector<uint32_t> operands{typeId(type, op), newId()};
    if (!operands.front())
      return 0;
    Opcode opcode = Opcode::OpConstant;
    auto integer = dyn_cast<IntegerAttr>(value);
    if (type.isInteger(1))
      opcode = integer.getValue().isZero() ? Opcode::OpConstantFalse : Opcode::OpConstantTrue;
    else
      appendBits(integer ? integer.getValue() : cast<FloatAttr>(value).getValue().bitcastToAPInt(),
                 operands);
    appendInstruction(opcode, operands, sections.globals);
    id = operands[1];
  } else {
    op->emitOpError() << "expected a constant of numbers, got " << value;
  }
  return constants[{value, type}] = id;
}

uint32_t ModuleEncoder::i32ConstantId(uint32_t value, Operation *op) {
  Builder builder(op->getContext());
  return constantId(builder.getI32IntegerAttr(static_cast<int32_t>(value)), builder.getI32Type(),
                    op);
}

uint32_t ModuleEncoder::undefId(Type type, Operation *op) {
  if (uint32_t id = undefs.lookup(type))
    return id;
  uint32_t typeOfUndef = typeId(type, op);
  if (!typeOfUndef)
    return 0;
  uint32_t id = newId();
  appendInstruction(Opcode::OpUndef, {typeOfUndef, id}, sections.globals);
  return undefs[type] = id;
}
