//===- SPIRVXModuleOps.cpp - spirvx.module --------------------------------===//
//
// Text form and verification of the module.
//
//===----------------------------------------------------------------------===//

#include "Mettle/Dialect/SPIRVX/IR/SPIRVXModuleOps.h"

#include "mlir/Dialect/SPIRV/IR/SPIRVDialect.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/OpImplementation.h"

using namespace mlir;
using namespace mettle::spirvx;

#define GET_OP_CLASSES
#include "Mettle/Dialect/SPIRVX/IR/SPIRVXModuleOps.cpp.inc"

namespace mettle::spirvx::detail {
void registerModuleOps(SPIRVXDialect &dialect) {
  dialect.addFamily<
#define GET_OP_LIST
#include "Mettle/Dialect/SPIRVX/IR/SPIRVXModuleOps.cpp.inc"
      >();
}
} // namespace mettle::spirvx::detail

void mettle::spirvx::ModuleOp::build(OpBuilder &builder, OperationState &state,
                                     spirv::Version version) {
  state.addAttribute(getVersionAttrName(state.name),
                     spirv::VersionAttr::get(builder.getContext(), version));
  state.addRegion()->emplaceBlock();
}

ParseResult mettle::spirvx::ModuleOp::parse(OpAsmParser &parser, OperationState &result) {
  StringRef keyword;
  SMLoc where = parser.getCurrentLocation();
  if (parser.parseKeyword(&keyword))
    return failure();
  std::optional<spirv::Version> version = spirv::symbolizeVersion(keyword);
  if (!version)
    return parser.emitError(where)
           << "expected a version of SPIR-V such as v1.4, got '" << keyword << "'";
  result.addAttribute(getVersionAttrName(result.name),
                      spirv::VersionAttr::get(parser.getContext(), *version));
  Region *body = result.addRegion();
  if (parser.parseOptionalAttrDictWithKeyword(result.attributes) || parser.parseRegion(*body))
    return failure();
  if (body->empty())
    body->emplaceBlock();
  return success();
}

void mettle::spirvx::ModuleOp::print(OpAsmPrinter &printer) {
  printer << ' ' << spirv::stringifyVersion(getVersion());
  printer.printOptionalAttrDictWithKeyword((*this)->getAttrs(), {getVersionAttrName()});
  printer << ' ';
  printer.printRegion(getBody(), /*printEntryBlockArgs=*/false, /*printBlockTerminators=*/false);
}

LogicalResult mettle::spirvx::ModuleOp::verifyRegions() {
  // module-c1
  if (getVersion() != spirv::Version::V_1_0 && getVersion() != spirv::Version::V_1_4)
    return emitOpError() << "expected the version v1.0 or v1.4, got "
                         << spirv::stringifyVersion(getVersion());
  // module-c2
  Operation *foreign = nullptr;
  getBody().walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (isa_and_present<spirv::SPIRVDialect, SPIRVXDialect>(op->getDialect()))
      return WalkResult::advance();
    foreign = op;
    return WalkResult::interrupt();
  });
  if (foreign) {
    InFlightDiagnostic diagnostic = foreign->emitOpError()
                                    << "expected an operation of the dialect spirv or spirvx";
    diagnostic.attachNote(getLoc()) << "the module is here";
    return diagnostic;
  }
  return success();
}
