// Where the work-items of a workgroup wait for each other.

#ifndef METTLE_DIALECT_METTLE_IR_BARRIEROPS_TD
#define METTLE_DIALECT_METTLE_IR_BARRIEROPS_TD

include "Mettle/Dialect/Mettle/IR/MettleBase.td"

def Mettle_BarrierOp : Mettle_Op<"barrier", [MemoryEffects<[
    MemRead<Mettle_GlobalMemory>, MemWrite<Mettle_GlobalMemory>,
    MemRead<Mettle_WorkgroupMemory>, MemWrite<Mettle_WorkgroupMemory>,
    MemRead<Mettle_Convergence>, MemWrite<Mettle_Convergence>]>]> {
  let summary = "wait until every work-item of the workgroup is here";
  let description = [{
    `mettle.barrier workgroup | global, acq_rel`. Accesses to the named memory that a
    work-item made before are ordered, as the memory order says, before those that
    any work-item of the workgroup makes after. Every live work-item of the workgroup
    must arrive; the interpreter reports one that does not.

    It declares effects on both memories whatever it orders, so that no upstream pass
    moves an access across.

    Constraints:
    * `barrier-c1`: at least one region is named;
    * `barrier-c2`: the order is acquire, release, acq_rel or seq_cst.
  }];
  let arguments = (ins Mettle_MemoryRegionAttr:$regions, Mettle_MemoryOrderAttr:$order);
  let assemblyFormat = "`` $regions `,` `` $order attr-dict";
  let hasVerifier = 1;
}

#endif // METTLE_DIALECT_METTLE_IR_BARRIEROPS_TD
