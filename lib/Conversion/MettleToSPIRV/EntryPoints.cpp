//===- EntryPoints.cpp - after the patterns -------------------------------===//
//
// The interface of an entry point lists the module's variables that it reaches, through callees
// too: before SPIR-V 1.4 those of storage class Input and Output, from 1.4 on all.
//
//===----------------------------------------------------------------------===//

#include "Prepare.h"

#include "Mettle/Dialect/SPIRVX/IR/SPIRVXModuleOps.h"
#include "mlir/Dialect/SPIRV/IR/SPIRVOps.h"
#include "mlir/IR/Builders.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace mettle;

/// Names of the variables that `entry` reaches, in the order of the first use.
static llvm::SetVector<Attribute> reachedVariables(const SymbolTable &symbols,
                                                   spirv::FuncOp entry) {
  llvm::SetVector<Attribute> variables;
  llvm::SetVector<Operation *> functions;
  functions.insert(entry);
  for (size_t index = 0; index < functions.size(); ++index)
    functions[index]->walk([&](Operation *op) {
      if (auto address = dyn_cast<spirv::AddressOfOp>(op))
        variables.insert(address.getVariableAttr());
      else if (auto call = dyn_cast<spirv::FunctionCallOp>(op))
        functions.insert(symbols.lookup(call.getCallee()));
    });
  return variables;
}

void mettle::tospirv::wrapModule(ModuleOp module, spirv::Version version) {
  OpBuilder builder(module.getContext());
  auto wrapped = spirvx::ModuleOp::create(builder, module.getLoc(), version);
  Block &body = wrapped.getBody().front();
  body.getOperations().splice(body.end(), module.getBody()->getOperations());
  module.push_back(wrapped);

  SymbolTable symbols(wrapped);
  for (auto entry : body.getOps<spirv::EntryPointOp>()) {
    SmallVector<Attribute> interface;
    for (Attribute name : reachedVariables(symbols, symbols.lookup<spirv::FuncOp>(entry.getFn()))) {
      auto variable =
          symbols.lookup<spirv::GlobalVariableOp>(cast<FlatSymbolRefAttr>(name).getValue());
      auto storage = cast<spirv::PointerType>(variable.getType()).getStorageClass();
      if (version >= spirv::Version::V_1_4 || storage == spirv::StorageClass::Input)
        interface.push_back(name);
    }
    entry.setInterfaceAttr(builder.getArrayAttr(interface));
  }
}
