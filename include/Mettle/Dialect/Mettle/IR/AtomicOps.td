// Accesses that several work-items may make at the same time.

#ifndef METTLE_DIALECT_METTLE_IR_ATOMICOPS_TD
#define METTLE_DIALECT_METTLE_IR_ATOMICOPS_TD

include "Mettle/Dialect/Mettle/IR/MettleBase.td"

// Orders are those of C++, among the work-items of the scope: those of the workgroup, or of all
// launches on the device. An acquire or a release orders accesses to the memory that its object is
// in, global or workgroup; a target may order more. The address is a multiple of the element's
// size. Whatever the order, every operation claims to read and write both memories, so that no
// upstream pass moves an access across: it may publish, or await, any of them.

class Mettle_ElementOf<string value> : TypesMatchWith<"the " # value # " has the type of the pointer's element",
  "pointer", value, "::llvm::cast<::mettle::PtrType>($_self).getElementType()">;

class Mettle_AtomicOp<string mnemonic, list<Trait> traits = []> : Mettle_Op<mnemonic, [MemoryEffects<[
    MemRead<Mettle_GlobalMemory>, MemWrite<Mettle_GlobalMemory>,
    MemRead<Mettle_WorkgroupMemory>, MemWrite<Mettle_WorkgroupMemory>]>] # traits> {
  let hasVerifier = 1;
}

def Mettle_AtomicLoadOp : Mettle_AtomicOp<"atomic_load", [Mettle_ElementOf<"result">]> {
  let summary = "read an element that others may write at the same time";
  let description = [{
    `%v = mettle.atomic_load acquire device %p : !mettle.ptr<i32, global>`.

    Constraints:
    * `atomic_load-c1`: the element is i32 or i64;
    * `atomic_load-c2`: the pointer is not into private memory;
    * `atomic_load-c3`: the scope is workgroup where the memory is the workgroup's;
    * `atomic_load-c4`: the order is relaxed, acquire or seq_cst.
  }];
  let arguments = (ins Mettle_MemoryOrderAttr:$order, Mettle_MemoryScopeAttr:$scope, Mettle_PtrType:$pointer);
  let results = (outs Mettle_Storable:$result);
  let assemblyFormat = "`` $order `` $scope $pointer attr-dict `:` qualified(type($pointer))";
}

def Mettle_AtomicStoreOp : Mettle_AtomicOp<"atomic_store", [Mettle_ElementOf<"value">]> {
  let summary = "write an element that others may access at the same time";
  let description = [{
    `mettle.atomic_store release device %v, %p : !mettle.ptr<i32, global>`.

    Constraints:
    * `atomic_store-c1`: the element is i32 or i64;
    * `atomic_store-c2`: the pointer is not into private memory;
    * `atomic_store-c3`: the scope is workgroup where the memory is the workgroup's;
    * `atomic_store-c4`: the order is relaxed, release or seq_cst.
  }];
  let arguments = (ins Mettle_MemoryOrderAttr:$order, Mettle_MemoryScopeAttr:$scope, Mettle_Storable:$value,
    Mettle_PtrType:$pointer);
  let assemblyFormat = "`` $order `` $scope $value `,` $pointer attr-dict `:` qualified(type($pointer))";
}

def Mettle_AtomicRMWOp : Mettle_AtomicOp<"atomic_rmw", [Mettle_ElementOf<"value">, Mettle_ElementOf<"result">]> {
  let summary = "replace an element by a function of it; the result is the old value";
  let description = [{
    `%old = mettle.atomic_rmw add acq_rel device %p, %v : !mettle.ptr<i32, global>`.
    Sums and differences are modulo 2^width; `exchange` stores the value.

    A sum of floats depends on the order in which the updates arrive, so it says that it
    is unordered: `mettle.atomic_rmw fadd relaxed device %p, %v unordered :
    !mettle.ptr<f32, global>`. Each update is rounded to nearest, ties to even. PTX takes
    subnormal f32 in global memory for zeros there.

    Constraints:
    * `atomic_rmw-c1`: the element is i32 or i64, for fadd f32 or f64;
    * `atomic_rmw-c2`: the pointer is not into private memory;
    * `atomic_rmw-c3`: the scope is workgroup where the memory is the workgroup's;
    * `atomic_rmw-c4`: fadd is unordered, and nothing else is.
  }];
  let arguments = (ins Mettle_AtomicKindAttr:$kind, Mettle_MemoryOrderAttr:$order, Mettle_MemoryScopeAttr:$scope,
    Mettle_PtrType:$pointer, Mettle_Storable:$value, UnitAttr:$unordered);
  let results = (outs Mettle_Storable:$result);
  let assemblyFormat = [{
    `` $kind `` $order `` $scope $pointer `,` $value (`unordered` $unordered^)? attr-dict
    `:` qualified(type($pointer))
  }];
}

def Mettle_AtomicCmpXchgOp : Mettle_AtomicOp<"atomic_cmpxchg",
    [Mettle_ElementOf<"expected">, Mettle_ElementOf<"desired">, Mettle_ElementOf<"result">]> {
  let summary = "replace an element that is as expected; the result is the old value";
  let description = [{
    `%old = mettle.atomic_cmpxchg acq_rel acquire device %p, %expected, %desired :
    !mettle.ptr<i32, global>`. The orders are those of an exchange that takes place and of
    one that does not. It takes place whenever the old value is the expected one.

    Constraints:
    * `atomic_cmpxchg-c1`: the element is i32 or i64;
    * `atomic_cmpxchg-c2`: the pointer is not into private memory;
    * `atomic_cmpxchg-c3`: the scope is workgroup where the memory is the workgroup's;
    * `atomic_cmpxchg-c4`: the failure order is neither release nor acq_rel;
    * `atomic_cmpxchg-c5`: the failure order is not stronger than that of success: acquire
      needs acquire, acq_rel or seq_cst, and seq_cst needs seq_cst.
  }];
  let arguments = (ins Mettle_MemoryOrderAttr:$success_order, Mettle_MemoryOrderAttr:$failure_order,
    Mettle_MemoryScopeAttr:$scope, Mettle_PtrType:$pointer, Mettle_Storable:$expected, Mettle_Storable:$desired);
  let results = (outs Mettle_Storable:$result);
  let assemblyFormat = [{
    `` $success_order `` $failure_order `` $scope $pointer `,` $expected `,` $desired attr-dict
    `:` qualified(type($pointer))
  }];
}

#endif // METTLE_DIALECT_METTLE_IR_ATOMICOPS_TD
