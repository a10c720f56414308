//===- FunctionOps.cpp - ptx.entry, ptx.func, ptx.call, ptx.ret -===//
//
// Text form and verification of functions and calls.
//
//===----------------------------------------------------------------------===//

#include "Mettle/Dialect/PTX/IR/FunctionOps.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/Interfaces/FunctionImplementation.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/InterleavedRange.h"

using namespace mlir;
using namespace mettle::ptx;

#define GET_OP_CLASSES
#include "Mettle/Dialect/PTX/IR/FunctionOps.cpp.inc"

namespace mettle::ptx::detail {
void registerFunctionOps(PTXDialect &dialect) {
  dialect.addFamily<
#define GET_OP_LIST
#include "Mettle/Dialect/PTX/IR/FunctionOps.cpp.inc"
      >();
}
} // namespace mettle::ptx::detail

template <typename FunctionOp>
static void buildFunction(OpBuilder &builder, OperationState &state, StringRef name,
                          FunctionType type) {
  state.addAttribute(FunctionOp::getSymNameAttrName(state.name), builder.getStringAttr(name));
  state.addAttribute(FunctionOp::getFunctionTypeAttrName(state.name), TypeAttr::get(type));
  state.addRegion();
}

template <typename FunctionOp>
static ParseResult parseFunction(OpAsmParser &parser, OperationState &result) {
  auto buildType = [](Builder &builder, ArrayRef<Type> arguments, ArrayRef<Type> results,
                      function_interface_impl::VariadicFlag,
                      std::string &) { return builder.getFunctionType(arguments, results); };
  return function_interface_impl::parseFunctionOp(
      parser, result, /*allowVariadic=*/false, FunctionOp::getFunctionTypeAttrName(result.name),
      buildType, FunctionOp::getArgAttrsAttrName(result.name),
      FunctionOp::getResAttrsAttrName(result.name));
}

template <typename FunctionOp> static void printFunction(OpAsmPrinter &printer, FunctionOp op) {
  function_interface_impl::printFunctionOp(printer, op, /*isVariadic=*/false,
                                           op.getFunctionTypeAttrName(), op.getArgAttrsAttrName(),
                                           op.getResAttrsAttrName());
}

void EntryOp::build(OpBuilder &builder, OperationState &state, StringRef name, FunctionType type) {
  buildFunction<EntryOp>(builder, state, name, type);
}
ParseResult EntryOp::parse(OpAsmParser &parser, OperationState &result) {
  return parseFunction<EntryOp>(parser, result);
}
void EntryOp::print(OpAsmPrinter &printer) { printFunction(printer, *this); }

void FuncOp::build(OpBuilder &builder, OperationState &state, StringRef name, FunctionType type) {
  buildFunction<FuncOp>(builder, state, name, type);
}
ParseResult FuncOp::parse(OpAsmParser &parser, OperationState &result) {
  return parseFunction<FuncOp>(parser, result);
}
void FuncOp::print(OpAsmPrinter &printer) { printFunction(printer, *this); }

/// Whether a value of `type` in memory loads into `registers`.
static bool loadsInto(ParamType type, Type registers) {
  switch (type) {
  case ParamType::U8:
  case ParamType::S8:
  case ParamType::U16:
  case ParamType::S16:
  case ParamType::B32:
    return isa<B32Type>(registers);
  case ParamType::B16:
    return isa<B16Type>(registers);
  case ParamType::B64:
    return isa<B64Type>(registers);
  }
  llvm_unreachable("every type is listed");
}

/// PTX takes more, a `$` or `%` in front, which is left to names that the emitter makes.
static LogicalResult verifyName(FunctionOpInterface function) {
  StringRef name = function.getName();
  bool isIdentifier =
      llvm::all_of(name, [](char c) { return llvm::isAlnum(c) || c == '_' || c == '$'; }) &&
      !llvm::isDigit(name.front()) && name.front() != '$';
  // entry-c6, func-c3
  if (!isIdentifier || name == "_" || name == "WARP_SZ")
    return function.emitOpError() << "expected a name that is an identifier of PTX, got '" << name
                                  << "'";
  return success();
}

LogicalResult EntryOp::verifyType() {
  if (failed(verifyName(*this)))
    return failure();
  for (auto [index, type] : llvm::enumerate(getArgumentTypes())) {
    // entry-c1
    if (!isa<B16Type, B32Type, B64Type>(type))
      return emitOpError() << "expected argument #" << index
                           << " to be !ptx.b16, !ptx.b32 or !ptx.b64, got " << type;
    auto param = getArgAttrOfType<ParamAttr>(index, "ptx.param");
    if (!param)
      continue;
    // entry-c4
    if (param.getType() && !loadsInto(*param.getType(), type))
      return emitOpError() << "expected argument #" << index << " to be the register that "
                           << stringifyParamType(*param.getType()) << " loads into, got " << type;
    // entry-c5
    if (param.getPointer() && !isa<B64Type>(type))
      return emitOpError() << "expected argument #" << index
                           << " to be !ptx.b64, since it is a pointer, got " << type;
  }
  // entry-c7
  std::optional<ArrayRef<int32_t>> threads = getRequiredThreads();
  if (threads &&
      (threads->size() != 3 || llvm::any_of(*threads, [](int32_t extent) { return extent < 1; })))
    return emitOpError() << "expected three numbers of required threads, each at least 1, got "
                         << llvm::interleaved_array(*threads);
  // entry-c2
  if (!getResultTypes().empty())
    return emitOpError() << "expected no results, got " << getResultTypes().size();
  return success();
}

LogicalResult EntryOp::verifyBody() {
  // entry-c3
  if (isExternal())
    return emitOpError() << "expected a body, got a declaration";
  return FunctionOpInterface::Trait<EntryOp>::verifyBody();
}

LogicalResult FuncOp::verifyType() {
  if (failed(verifyName(*this)))
    return failure();
  for (auto [what, types] :
       {std::pair("argument", getArgumentTypes()), std::pair("result", getResultTypes())})
    for (auto [index, type] : llvm::enumerate(types))
      // func-c1
      if (!isa<B32Type, B64Type>(type))
        return emitOpError() << "expected " << what << " #" << index
                             << " to be !ptx.b32 or !ptx.b64, got " << type;
  return success();
}

LogicalResult FuncOp::verifyBody() {
  // func-c2
  if (isExternal())
    return emitOpError() << "expected a body, got a declaration";
  return FunctionOpInterface::Trait<FuncOp>::verifyBody();
}

LogicalResult CallOp::verifySymbolUses(SymbolTableCollection &symbols) {
  auto callee = symbols.lookupNearestSymbolFrom<FuncOp>(*this, getCalleeAttr());
  // call-c1
  if (!callee)
    return emitOpError() << "expected a ptx.func of the module as callee, got " << getCalleeAttr();
  auto type = FunctionType::get(getContext(), getOperandTypes(), getResultTypes());
  // call-c2
  if (type != callee.getFunctionType()) {
    InFlightDiagnostic diagnostic = emitOpError() << "expected the callee's type "
                                                  << callee.getFunctionType() << ", got " << type;
    diagnostic.attachNote(callee.getLoc()) << "the callee is here";
    return diagnostic;
  }
  return success();
}

LogicalResult RetOp::verify() {
  auto function = (*this)->getParentOfType<FunctionOpInterface>();
  if (!function)
    return success();
  // ret-c1
  if (TypeRange(function.getResultTypes()) != TypeRange(getOperandTypes()))
    return emitOpError() << "expected the function's " << function.getNumResults()
                         << " results and their types (" << function.getResultTypes() << "), got ("
                         << getOperandTypes() << ')';
  return success();
}
