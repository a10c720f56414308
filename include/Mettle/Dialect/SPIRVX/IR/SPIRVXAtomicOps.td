// Atomic instructions for which upstream's dialect has no operation.

#ifndef METTLE_DIALECT_SPIRVX_IR_SPIRVXATOMICOPS_TD
#define METTLE_DIALECT_SPIRVX_IR_SPIRVXATOMICOPS_TD

include "Mettle/Dialect/SPIRVX/IR/SPIRVXBase.td"

class SPIRVX_Pointee<string value> : TypesMatchWith<"the " # value # " has the type pointed at", "pointer", value,
  "::llvm::cast<::mlir::spirv::PointerType>($_self).getPointeeType()">;

def SPIRVX_AtomicLoadOp : SPIRVX_Op<"AtomicLoad", [SPIRVX_Pointee<"result">]> {
  let summary = "load an integer that others may store at the same time";
  let description = "`%r = spirvx.AtomicLoad <Device> <Acquire|CrossWorkgroupMemory> %p : !spirv.ptr<i32, CrossWorkgroup>`.";
  let spirvOpcode = 227;
  let arguments = (ins SPIRV_AnyPtr:$pointer, SPIRV_ScopeAttr:$memory_scope, SPIRV_MemorySemanticsAttr:$semantics);
  let results = (outs SPIRV_Integer:$result);
  let assemblyFormat = "$memory_scope $semantics $pointer attr-dict `:` type($pointer)";
}

def SPIRVX_AtomicStoreOp : SPIRVX_Op<"AtomicStore", [SPIRVX_Pointee<"value">]> {
  let summary = "store an integer that others may access at the same time";
  let description = "`spirvx.AtomicStore <Device> <Release|CrossWorkgroupMemory> %p, %v : !spirv.ptr<i32, CrossWorkgroup>`.";
  let spirvOpcode = 228;
  let arguments = (ins SPIRV_AnyPtr:$pointer, SPIRV_ScopeAttr:$memory_scope, SPIRV_MemorySemanticsAttr:$semantics,
    SPIRV_Integer:$value);
  let assemblyFormat = "$memory_scope $semantics $pointer `,` $value attr-dict `:` type($pointer)";
}

#endif // METTLE_DIALECT_SPIRVX_IR_SPIRVXATOMICOPS_TD
