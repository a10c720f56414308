// Storage, addresses, and the accesses through them.

#ifndef METTLE_DIALECT_METTLE_IR_MEMORYOPS_TD
#define METTLE_DIALECT_METTLE_IR_MEMORYOPS_TD

include "Mettle/Dialect/Mettle/IR/MettleBase.td"
include "mlir/Interfaces/InferTypeOpInterface.td"

def Mettle_AllocOp : Mettle_Op<"alloc", [DeclareOpInterfaceMethods<MemoryEffectsOpInterface>]> {
  let summary = "an array of static extent in workgroup or private memory";
  let description = [{
    `%tile = mettle.alloc[256] : !mettle.ptr<f32, workgroup>` is a pointer to the
    first of 256 uninitialised elements, one array for the workgroup or, in private
    memory, one for each work-item. It lives until the kernel ends. The address is a
    multiple of 32 bytes, whatever the element.

    Constraints:
    * `alloc-c1`: the pointer is into workgroup or private memory;
    * `alloc-c2`: the extent is at least 1 and the array at most 2^31 - 1 bytes;
    * `alloc-c3`: it stands in the entry block of a `mettle.kernel`.
  }];
  let arguments = (ins I64Attr:$extent);
  let results = (outs Mettle_PtrType:$result);
  let assemblyFormat = "`` `[` $extent `]` attr-dict `:` qualified(type($result))";
  let hasVerifier = 1;
  let extraClassDeclaration = [{
    /// The alignment of every allocation in bytes.
    static constexpr unsigned alignment = 32;
    /// Size of the whole array in bytes.
    uint64_t getSizeInBytes();
  }];
}

def Mettle_DynamicWorkgroupOp : Mettle_Op<"dynamic_workgroup", [Pure]> {
  let summary = "a view of the workgroup memory whose size the launch gives";
  let description = [{
    `%view = mettle.dynamic_workgroup : !mettle.ptr<i32, workgroup>`. All views of
    a kernel alias one base, which is a multiple of 32 bytes; the launch states the
    size in bytes and the kernel sees no bound.

    Constraints:
    * `dynamic_workgroup-c1`: the pointer is into workgroup memory;
    * `dynamic_workgroup-c2`: it stands in a `mettle.kernel`.
  }];
  let results = (outs Mettle_PtrType:$result);
  let assemblyFormat = "attr-dict `:` qualified(type($result))";
  let hasVerifier = 1;
}

def Mettle_OffsetOp : Mettle_Op<"offset", [Pure, TypesMatchWith<"the result has the base's type", "base", "result", "$_self">]> {
  let summary = "the address of an element counted from another";
  let description = [{
    `%q = mettle.offset %p[%i] : !mettle.ptr<f32, global>` is the address of element
    `%i`, a signed 64-bit count of elements, so it is never computed in 32 bits.
  }];
  let arguments = (ins Mettle_PtrType:$base, I64:$index);
  let results = (outs Mettle_PtrType:$result);
  let assemblyFormat = "$base `[` $index `]` attr-dict `:` qualified(type($base))";
  let hasFolder = 1;
  let hasCanonicalizer = 1;
}

def Mettle_LoadOp : Mettle_Op<"load", [DeclareOpInterfaceMethods<MemoryEffectsOpInterface>]> {
  let summary = "read an element or a vector of consecutive elements";
  let description = [{
    `%v = mettle.load %p : !mettle.ptr<f32, global> -> vector<4xf32>`. Element `k` of
    a vector is element `k` from the address. The address is a multiple of
    `alignment` bytes, by default of the size of what is read; anything else is
    undefined and the interpreter reports it. A volatile access is neither removed
    nor merged.

    Constraints:
    * `load-c1`: the value is the pointer's element or a vector of it;
    * `load-c2`: at most 16 bytes are read;
    * `load-c3`: the alignment is a power of two, no smaller than an element and no
      larger than what is read.
  }];
  let arguments = (ins Mettle_PtrType:$pointer, OptionalAttr<I64Attr>:$alignment, UnitAttr:$is_volatile);
  let results = (outs Mettle_Storable:$result);
  let assemblyFormat = [{
    (`volatile` $is_volatile^)? $pointer (`align` $alignment^)? attr-dict
    `:` qualified(type($pointer)) `->` type($result)
  }];
  let builders = [OpBuilder<(ins "::mlir::Value":$pointer)>];
  let hasVerifier = 1;
  let extraClassDeclaration = [{
    /// Guaranteed alignment of the address in bytes, stated or natural.
    uint64_t getAlignmentInBytes();
  }];
}

def Mettle_StoreOp : Mettle_Op<"store", [DeclareOpInterfaceMethods<MemoryEffectsOpInterface>]> {
  let summary = "write an element or a vector of consecutive elements";
  let description = [{
    `mettle.store %v, %p : f32, !mettle.ptr<f32, global>`; alignment, order of
    elements and `volatile` as for `mettle.load`.

    Constraints:
    * `store-c1`: the value is the pointer's element or a vector of it;
    * `store-c2`: at most 16 bytes are written;
    * `store-c3`: the alignment is a power of two, no smaller than an element and no
      larger than what is written.
  }];
  let arguments = (ins Mettle_Storable:$value, Mettle_PtrType:$pointer, OptionalAttr<I64Attr>:$alignment,
    UnitAttr:$is_volatile);
  let assemblyFormat = [{
    (`volatile` $is_volatile^)? $value `,` $pointer (`align` $alignment^)? attr-dict
    `:` type($value) `,` qualified(type($pointer))
  }];
  let builders = [OpBuilder<(ins "::mlir::Value":$value, "::mlir::Value":$pointer)>];
  let hasVerifier = 1;
  let extraClassDeclaration = [{
    /// Guaranteed alignment of the address in bytes, stated or natural.
    uint64_t getAlignmentInBytes();
  }];
}

def Mettle_PtrCastOp : Mettle_Op<"ptr_cast", [Pure]> {
  let summary = "the same address seen as a pointer to another element type";
  let description = [{
    `%b = mettle.ptr_cast %p : !mettle.ptr<f32, global> to !mettle.ptr<i8, global>`.

    Constraints:
    * `ptr_cast-c1`: both pointers are into the same space.
  }];
  let arguments = (ins Mettle_PtrType:$source);
  let results = (outs Mettle_PtrType:$result);
  let assemblyFormat = "$source attr-dict `:` qualified(type($source)) `to` qualified(type($result))";
  let hasFolder = 1;
  let hasVerifier = 1;
}

def Mettle_SpaceCastOp : Mettle_Op<"space_cast", [Pure]> {
  let summary = "the same address seen as generic, or a generic one in its own space";
  let description = [{
    `%g = mettle.space_cast %p : !mettle.ptr<f32, workgroup> to !mettle.ptr<f32, generic>`.
    From generic, the memory pointed at is in the named space; anything else is
    undefined and the interpreter reports it.

    Constraints:
    * `space_cast-c1`: both pointers have the same element type;
    * `space_cast-c2`: exactly one of the two is generic.
  }];
  let arguments = (ins Mettle_PtrType:$source);
  let results = (outs Mettle_PtrType:$result);
  let assemblyFormat = "$source attr-dict `:` qualified(type($source)) `to` qualified(type($result))";
  let hasFolder = 1;
  let hasVerifier = 1;
}

#endif // METTLE_DIALECT_METTLE_IR_MEMORYOPS_TD
