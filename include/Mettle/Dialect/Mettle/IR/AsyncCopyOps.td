// Copies into workgroup memory that go on beside the work-item, and what waits for them.

#ifndef METTLE_DIALECT_METTLE_IR_ASYNCCOPYOPS_TD
#define METTLE_DIALECT_METTLE_IR_ASYNCCOPYOPS_TD

include "Mettle/Dialect/Mettle/IR/MettleBase.td"

// A work-item's copies since its last commit become a group when it commits. A wait is for groups,
// the oldest first. `mettle-verify-async-copies` has the rules that concern whole functions.

def Mettle_AsyncGroups : Resource<"::mettle::AsyncGroups">;

def Mettle_AsyncCopyOp : Mettle_Op<"async_copy", [MemoryEffects<[
    MemRead<Mettle_GlobalMemory>, MemWrite<Mettle_WorkgroupMemory>, MemWrite<Mettle_AsyncGroups>]>]> {
  let summary = "begin to copy elements from global to workgroup memory";
  let description = [{
    `mettle.async_copy[4] %to, %from transaction 16 cache global :
    !mettle.ptr<i32, workgroup>, !mettle.ptr<i32, global>` copies 4 elements for the
    work-item that is here, 16 bytes at a time. All bits are kept. Both addresses are
    multiples of the transaction and of an element's size; anything else is undefined
    and the interpreter reports it.

    Until the work-item has waited for the copy's group nobody may touch the target or
    write to the source; then the copy is as if done by that work-item, so a barrier makes
    it visible to the others. The interpreter reports who does not keep to this.

    `cache` says where what is read may be kept: `all`, the default, or `global` for the
    cache that all workgroups share. It is a hint.

    Constraints:
    * `async_copy-c1`: the target is in workgroup memory and the source in global memory;
    * `async_copy-c2`: both have the same elements;
    * `async_copy-c3`: a transaction is 4, 8 or 16 bytes;
    * `async_copy-c4`: the span is at least one transaction, a multiple of it, and at most
      65536 bytes.
  }];
  let arguments = (ins I64Attr:$count, Mettle_PtrType:$target, Mettle_PtrType:$source, I64Attr:$transaction,
    DefaultValuedAttr<Mettle_CacheHintAttr, "::mettle::CacheHint::All">:$cache);
  let assemblyFormat = [{
    `` `[` $count `]` $target `,` $source `transaction` $transaction (`cache` $cache^)? attr-dict
    `:` qualified(type($target)) `,` qualified(type($source))
  }];
  let hasVerifier = 1;
  let extraClassDeclaration = [{
    static constexpr uint64_t maxSpan = 65536;
    /// Bytes that are copied.
    uint64_t getSpan();
    /// What both addresses are a multiple of, in bytes.
    uint64_t getAlignmentInBytes();
  }];
}

def Mettle_AsyncCommitOp : Mettle_Op<"async_commit", [MemoryEffects<[MemWrite<Mettle_AsyncGroups>]>]> {
  let summary = "make one group of the work-item's copies since its last commit";
  let description = "`mettle.async_commit`. The group may be empty; it counts like any other.";
  let assemblyFormat = "attr-dict";
}

def Mettle_AsyncWaitOp : Mettle_Op<"async_wait", [MemoryEffects<[
    MemRead<Mettle_GlobalMemory>, MemWrite<Mettle_GlobalMemory>,
    MemRead<Mettle_WorkgroupMemory>, MemWrite<Mettle_WorkgroupMemory>,
    MemWrite<Mettle_AsyncGroups>]>]> {
  let summary = "wait until few of the work-item's groups are outstanding";
  let description = [{
    `mettle.async_wait 1` ends when all groups of the work-item but the newest one are done.
    It orders memory for the work-item that waits and for nobody else. It declares effects on both
    memories, so that no pass moves an access to either across.

    Constraints:
    * `async_wait-c1`: from 0 to 7 groups may remain.
  }];
  let arguments = (ins I64Attr:$pending);
  let assemblyFormat = "$pending attr-dict";
  let hasVerifier = 1;
  let extraClassDeclaration = [{
    /// The most groups that a wait leaves.
    static constexpr uint64_t maxPending = 7;
  }];
}

#endif // METTLE_DIALECT_METTLE_IR_ASYNCCOPYOPS_TD
