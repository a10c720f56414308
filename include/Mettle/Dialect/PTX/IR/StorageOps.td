// Memory that a function or a launch brings along.

#ifndef METTLE_DIALECT_PTX_IR_STORAGEOPS_TD
#define METTLE_DIALECT_PTX_IR_STORAGEOPS_TD

include "Mettle/Dialect/PTX/IR/PTXBase.td"

class PTX_StorageOp<string mnemonic, list<Trait> traits> : PTX_Op<mnemonic, traits> {
  let arguments = (ins I64Attr:$size, I64Attr:$alignment);
  let results = (outs PTX_B64:$address);
  let assemblyFormat = "$size `align` $alignment attr-dict";
  let hasVerifier = 1;
  let builders = [OpBuilder<(ins "int64_t":$size, "int64_t":$alignment), [{
    build($_builder, $_state, B64Type::get($_builder.getContext()), $_builder.getI64IntegerAttr(size),
          $_builder.getI64IntegerAttr(alignment));
  }]>];
}

def PTX_SharedOp : PTX_StorageOp<"shared", [DeclareOpInterfaceMethods<MemoryEffectsOpInterface>]> {
  let summary = "static shared memory of a function";
  let description = [{
    `size` bytes that the block has in common, and their address in the shared
    space. The same operation gives the same bytes whenever it runs.

    Constraints:
    * `shared-c1`: the size is above zero;
    * `shared-c2`: the alignment is a power of two up to 1024.
  }];
}

def PTX_LocalOp : PTX_StorageOp<"local", [DeclareOpInterfaceMethods<MemoryEffectsOpInterface>]> {
  let summary = "local memory of a function";
  let description = [{
    `size` bytes of the thread's own, and their address in the local space.

    Constraints:
    * `local-c1`: the size is above zero;
    * `local-c2`: the alignment is a power of two up to 1024.
  }];
}

def PTX_DynamicSharedOp : PTX_Op<"dynamic_shared", [Pure]> {
  let summary = "the shared memory whose size the launch gives";
  let description = [{
    Its address in the shared space: the same for every such operation of a module,
    aligned to the largest alignment that one of them asks for.

    Constraints:
    * `dynamic_shared-c1`: the alignment is a power of two up to 1024.
  }];
  let arguments = (ins I64Attr:$alignment);
  let results = (outs PTX_B64:$address);
  let assemblyFormat = "`align` $alignment attr-dict";
  let hasVerifier = 1;
  let builders = [OpBuilder<(ins "int64_t":$alignment), [{
    build($_builder, $_state, B64Type::get($_builder.getContext()), $_builder.getI64IntegerAttr(alignment));
  }]>];
}

#endif // METTLE_DIALECT_PTX_IR_STORAGEOPS_TD
