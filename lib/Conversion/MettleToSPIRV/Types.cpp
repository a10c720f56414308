//===- Types.cpp - types and constants as SPIR-V has them -----------------===//
//
// What every family needs: which type becomes which, constants of a given bit pattern, and the
// variables of built-ins.
//
//===----------------------------------------------------------------------===//

#include "Patterns.h"
#include "Prepare.h"

#include "Mettle/Dialect/Mettle/IR/MettleDialect.h"
#include "mlir/IR/SymbolTable.h"

using namespace mlir;
using namespace mettle;
using namespace mettle::tospirv;

static spirv::StorageClass storageOf(AddressSpace space) {
  switch (space) {
  case AddressSpace::Generic:
    return spirv::StorageClass::Generic;
  case AddressSpace::Global:
    return spirv::StorageClass::CrossWorkgroup;
  case AddressSpace::Workgroup:
    return spirv::StorageClass::Workgroup;
  case AddressSpace::Private:
    return spirv::StorageClass::Function;
  }
  llvm_unreachable("an address space");
}

SPIRVTypeConverter::SPIRVTypeConverter(spirv::Version version)
    : targetVersion(version), hasFloat16(tospirv::hasFloat16(version)) {
  addConversion([](IntegerType type) -> std::optional<Type> {
    if (type.isSignless() && llvm::is_contained({1u, 8u, 16u, 32u, 64u}, type.getWidth()))
      return type;
    return std::nullopt;
  });
  addConversion([this](FloatType type) -> std::optional<Type> {
    if (isHeldAsBits(type))
      return IntegerType::get(type.getContext(), 16);
    if (type.isF16() || type.isF32() || type.isF64())
      return type;
    return std::nullopt;
  });
  addConversion([](IndexType type) { return IntegerType::get(type.getContext(), 64); });
  addConversion([this](VectorType type) -> std::optional<Type> {
    Type element = convertType(type.getElementType());
    if (!element || type.getRank() != 1 || type.isScalable() ||
        !llvm::is_contained({2, 3, 4, 8, 16}, type.getNumElements()))
      return std::nullopt;
    return VectorType::get(type.getShape(), element);
  });
  addConversion([this](PtrType type) -> std::optional<Type> {
    return spirv::PointerType::get(convertType(type.getElementType()), storageOf(type.getSpace()));
  });
}

Value mettle::tospirv::splatConstant(OpBuilder &builder, Location loc, Type type,
                                     const APInt &bits) {
  Type element = getElementTypeOrSelf(type);
  TypedAttr value;
  if (auto number = dyn_cast<FloatType>(element))
    value = FloatAttr::get(element, APFloat(number.getFloatSemantics(), bits));
  else
    value = IntegerAttr::get(element, bits);
  if (auto vector = dyn_cast<VectorType>(type))
    value = SplatElementsAttr::get(vector, value);
  return spirv::ConstantOp::create(builder, loc, type, value);
}

Type mettle::tospirv::bitsOf(Type type) {
  unsigned width = getElementTypeOrSelf(type).getIntOrFloatBitWidth();
  return withElement(type, IntegerType::get(type.getContext(), width));
}

spirv::GlobalVariableOp mettle::tospirv::builtInVariable(OpBuilder &builder, Operation *user,
                                                         spirv::BuiltIn builtIn, Type type) {
  auto module = user->getParentOfType<ModuleOp>();
  std::string name = ("builtin." + spirv::stringifyBuiltIn(builtIn)).str();
  if (auto variable = module.lookupSymbol<spirv::GlobalVariableOp>(name))
    return variable;
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(module.getBody());
  return spirv::GlobalVariableOp::create(builder, module.getLoc(),
                                         spirv::PointerType::get(type, spirv::StorageClass::Input),
                                         name, builtIn);
}
