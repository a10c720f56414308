//===- PTXAsyncInsts.td - Asynchronous copies --------------*- tablegen -*-===//
//
// Copies that go on beside the thread, and what waits for them. Nothing moves across one in IR: when
// its accesses happen is not where it stands.
//
//===----------------------------------------------------------------------===//

#ifndef METTLE_DIALECT_PTX_IR_PTXASYNCINSTS
#define METTLE_DIALECT_PTX_IR_PTXASYNCINSTS

include "Mettle/Dialect/PTX/IR/PTXModifiers.td"

let effects = [Ordering] in {
  foreach n = [4, 8, 16] in {
    let summary = n#" bytes from global to shared memory" in
    def CpAsyncCa#n : PTX_Inst<"cp.async.ca.shared.global [$to+$toOffset], [$from+$fromOffset], "#n#";", (outs),
                               (ins B64:$to, Offset:$toOffset, B64:$from, Offset:$fromOffset), Ampere> {
      let mnemonic = "cp.async.ca.shared.global.b"#n;
    }
    let summary = n#" bytes to shared memory, of which the first size come from global memory and the rest are zero" in
    def CpAsyncCaZfill#n : PTX_Inst<"cp.async.ca.shared.global [$to+$toOffset], [$from+$fromOffset], "#n#", $size;",
                                    (outs), (ins B64:$to, Offset:$toOffset, B64:$from, Offset:$fromOffset, B32:$size),
                                    Ampere> {
      let mnemonic = "cp.async.ca.shared.global.zfill.b"#n;
    }
  }
  let summary = "16 bytes from global to shared memory, past L1" in
  def CpAsyncCg16 : PTX_Inst<"cp.async.cg.shared.global [$to+$toOffset], [$from+$fromOffset], 16;", (outs),
                             (ins B64:$to, Offset:$toOffset, B64:$from, Offset:$fromOffset), Ampere>;
  let summary = "16 bytes to shared memory, of which the first size come from global memory, past L1" in
  def CpAsyncCgZfill16 : PTX_Inst<"cp.async.cg.shared.global [$to+$toOffset], [$from+$fromOffset], 16, $size;", (outs),
                                  (ins B64:$to, Offset:$toOffset, B64:$from, Offset:$fromOffset, B32:$size), Ampere> {
    let mnemonic = "cp.async.cg.shared.global.zfill";
  }
  let summary = "make one group of the thread's copies since the last" in
  def CpAsyncCommitGroup : PTX_Inst<"cp.async.commit_group;", (outs), (ins), Ampere>;
  let summary = "wait until at most pending groups are not done" in
  def CpAsyncWaitGroup : PTX_Inst<"cp.async.wait_group $pending;", (outs), (ins GroupCount:$pending), Ampere>;
  let summary = "wait for all copies of the thread" in
  def CpAsyncWaitAll : PTX_Inst<"cp.async.wait_all;", (outs), (ins), Ampere>;
  let summary = "arrive at the barrier when the thread's copies are done" in
  def CpAsyncMbarrierArrive : PTX_Inst<"cp.async.mbarrier.arrive$noinc.shared.b64 [$barrier+$offset];", (outs),
                                       (ins B64:$barrier, Offset:$offset, NoIncrement:$noinc), Ampere>;

  let summary = "make a barrier that count arrivals complete" in
  def MbarrierInit : PTX_Inst<"mbarrier.init.shared.b64 [$barrier+$offset], $count;", (outs),
                              (ins B64:$barrier, Offset:$offset, B32:$count), Ampere>;
  let summary = "give the barrier's memory back" in
  def MbarrierInval : PTX_Inst<"mbarrier.inval.shared.b64 [$barrier+$offset];", (outs),
                               (ins B64:$barrier, Offset:$offset), Ampere>;
  let summary = "arrive; the phase to wait for" in
  def MbarrierArrive : PTX_Inst<"mbarrier.arrive.shared.b64 $state, [$barrier+$offset];", (outs B64:$state),
                                (ins B64:$barrier, Offset:$offset), Ampere>;
  let summary = "expect that many more bytes, then arrive; the phase to wait for" in
  def MbarrierArriveExpectTx
      : PTX_Inst<"mbarrier.arrive.expect_tx.shared.b64 $state, [$barrier+$offset], $bytes;", (outs B64:$state),
                 (ins B64:$barrier, Offset:$offset, B32:$bytes), PTX_Needs<"8.0", 90>>;
  let summary = "whether the phase is over" in
  def MbarrierTestWait : PTX_Inst<"mbarrier.test_wait.shared.b64 $p, [$barrier+$offset], $state;", (outs Pred:$p),
                                  (ins B64:$barrier, Offset:$offset, B64:$state), Ampere>;
  let summary = "whether the phase of that parity is over" in
  def MbarrierTestWaitParity
      : PTX_Inst<"mbarrier.test_wait.parity.shared.b64 $p, [$barrier+$offset], $parity;", (outs Pred:$p),
                 (ins B64:$barrier, Offset:$offset, B32:$parity), PTX_Needs<"7.1", 80>>;
  let summary = "whether the phase is over, after waiting for some time" in
  def MbarrierTryWait : PTX_Inst<"mbarrier.try_wait.shared.b64 $p, [$barrier+$offset], $state;", (outs Pred:$p),
                                 (ins B64:$barrier, Offset:$offset, B64:$state), Hopper>;
  let summary = "whether the phase of that parity is over, after waiting for some time" in
  def MbarrierTryWaitParity
      : PTX_Inst<"mbarrier.try_wait.parity.shared.b64 $p, [$barrier+$offset], $parity;", (outs Pred:$p),
                 (ins B64:$barrier, Offset:$offset, B32:$parity), Hopper>;

  defvar Bulk = PTX_Needs<"8.0", 90>;
  let summary = "bytes from global to shared memory, counted by the barrier" in
  def CpAsyncBulkGlobalToShared
      : PTX_Inst<"cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [$to+$toOffset], "
                 #"[$from+$fromOffset], $bytes, [$barrier];", (outs),
                 (ins B64:$to, Offset:$toOffset, B64:$from, Offset:$fromOffset, B32:$bytes, B64:$barrier), Bulk>;
  let summary = "bytes from shared to global memory" in
  def CpAsyncBulkSharedToGlobal
      : PTX_Inst<"cp.async.bulk.global.shared::cta.bulk_group [$to+$toOffset], [$from+$fromOffset], $bytes;", (outs),
                 (ins B64:$to, Offset:$toOffset, B64:$from, Offset:$fromOffset, B32:$bytes), Bulk>;
  foreach dimensions = [1, 2, 3, 4, 5] in {
    let summary = "a tile of a tensor to shared memory, counted by the barrier" in
    def CpAsyncBulkTensorLoad#dimensions
        : PTX_Inst<"cp.async.bulk.tensor."#dimensions#"d.shared::cluster.global.tile.mbarrier::complete_tx::bytes "
                   #"[$to], [$map, {$at}], [$barrier];", (outs),
                   (ins B64:$to, B64:$map, List<B32, dimensions>:$at, B64:$barrier), Bulk>;
    let summary = "a tile of a tensor from shared memory" in
    def CpAsyncBulkTensorStore#dimensions
        : PTX_Inst<"cp.async.bulk.tensor."#dimensions#"d.global.shared::cta.tile.bulk_group [$map, {$at}], [$from];",
                   (outs), (ins B64:$map, List<B32, dimensions>:$at, B64:$from), Bulk>;
  }
  let summary = "make one group of the thread's bulk copies since the last" in
  def CpAsyncBulkCommitGroup : PTX_Inst<"cp.async.bulk.commit_group;", (outs), (ins), Bulk>;
  let summary = "wait until at most pending groups are not done, or, with read, have not read their sources" in
  def CpAsyncBulkWaitGroup : PTX_Inst<"cp.async.bulk.wait_group$read $pending;", (outs),
                                      (ins GroupCount:$pending, ReadOnly:$read), Bulk>;
}

#endif // METTLE_DIALECT_PTX_IR_PTXASYNCINSTS
