//===- PTXBarrierInsts.td - Barriers and fences ------------*- tablegen -*-===//
//
// What threads wait at together, and what orders their accesses. A barrier reads and writes both
// the memory it orders and the convergence of threads; a fence orders one thread's own accesses.
//
//===----------------------------------------------------------------------===//

#ifndef METTLE_DIALECT_PTX_IR_PTXBARRIERINSTS
#define METTLE_DIALECT_PTX_IR_PTXBARRIERINSTS

include "Mettle/Dialect/PTX/IR/PTXModifiers.td"

let effects = [Ordering, Waiting] in {
  let summary = "wait until every thread of the block is here" in
  def BarSync : PTX_Inst<"bar.sync $id;", (outs), (ins BarrierId:$id)>;
  let summary = "wait until count threads of the block, whole warps, are here" in
  def BarSyncCount : PTX_Inst<"bar.sync $id, $count;", (outs), (ins BarrierId:$id, B32:$count), Fermi> {
    let mnemonic = "bar.sync.count";
  }
  let summary = "count as arrived without waiting" in
  def BarArriveCount : PTX_Inst<"bar.arrive $id, $count;", (outs), (ins BarrierId:$id, B32:$count),
                                Fermi> {
    let mnemonic = "bar.arrive.count";
  }
  let summary = "number of threads whose predicate is true" in
  def BarRedPopc : PTX_Inst<"bar.red.popc.u32 $d, $id, $p;", (outs B32:$d), (ins BarrierId:$id, Pred:$p),
                            Fermi>;
  foreach op = ["and", "or"] in
    let summary = "whether "#!if(!eq(op, "and"), "all threads' predicates are", "any thread's predicate is")#" true" in
    def BarRed#!toupper(!substr(op, 0, 1))#!substr(op, 1)
        : PTX_Inst<"bar.red."#op#".pred $d, $id, $p;", (outs Pred:$d), (ins BarrierId:$id, Pred:$p),
                   Fermi>;
  let summary = "wait at a barrier whose number is computed; every thread of a warp need not be here at once" in
  def BarrierSync : PTX_Inst<"barrier.sync $id, $count;", (outs), (ins B32:$id, B32:$count), Volta>;
  let summary = "count as arrived at a barrier whose number is computed" in
  def BarrierArrive : PTX_Inst<"barrier.arrive $id, $count;", (outs), (ins B32:$id, B32:$count), Volta>;
  let summary = "wait until the threads of mask are here, within a warp" in
  def BarWarpSync : PTX_Inst<"bar.warp.sync $mask;", (outs), (ins B32:$mask), Volta>;

  let summary = "count as arrived at the barrier of the cluster" in {
    def BarrierClusterArrive : PTX_Inst<"barrier.cluster.arrive$order$aligned;", (outs),
                                        (ins ArriveOrder:$order, Aligned:$aligned), PTX_Needs<"8.0", 90>>;
  }
  let summary = "wait until every thread of the cluster has arrived" in
  def BarrierClusterWait : PTX_Inst<"barrier.cluster.wait$acquire$aligned;", (outs),
                                    (ins Acquire:$acquire, Aligned:$aligned), PTX_Needs<"8.0", 90>>;
}

let effects = [Ordering] in {
  let summary = "order accesses before and after, as sequential consistency or acquire and release do" in
  def Fence : PTX_Inst<"fence$order$scope;", (outs), (ins FenceOrder:$order, Scope:$scope), PTX_Needs<"6.0", 70>>;
  let summary = "order accesses before and after within the cluster" in
  def FenceCluster : PTX_Inst<"fence$order.cluster;", (outs), (ins FenceOrder:$order), Hopper>;
  let summary = "order accesses before and after" in
  def Membar : PTX_Inst<"membar$level;", (outs), (ins MembarLevel:$level), Fermi>;
  let summary = "order generic accesses with those of the asynchronous proxy" in
  foreach space = ["", ".global", ".shared::cta", ".shared::cluster"] in
    def FenceProxyAsync#!cond(!empty(space): "", !eq(space, ".global"): "Global",
                              !eq(space, ".shared::cta"): "Shared", true: "SharedCluster")
        : PTX_Inst<"fence.proxy.async"#space#";", (outs), (ins), PTX_Needs<"8.0", 90>>;
}

#endif // METTLE_DIALECT_PTX_IR_PTXBARRIERINSTS
