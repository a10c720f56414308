// Passes over the neutral dialects.

#ifndef METTLE_DIALECT_METTLE_TRANSFORMS_PASSES_TD
#define METTLE_DIALECT_METTLE_TRANSFORMS_PASSES_TD

include "mlir/Pass/PassBase.td"

def ExpandMath : Pass<"mettle-expand-math"> {
  let summary = "replace elementary functions on f32 by sequences of exact operations";
  let description = [{
    Why: the approximate instructions of targets differ, and `expf` is to return the
    same bits on all of them.

    Replaces `math.exp`, `exp2`, `log`, `log2`, `sin`, `cos`, `rsqrt`, `tanh`, `erf`
    and `powf` on f32, where they carry no fastmath flag, by operations that round
    correctly everywhere (`include/Mettle/Math`). It is what gives these operations
    their bits: the results are within 1 ulp of the exact ones, 1.1 for erf and 1.5 for tanh.
    Needs nothing; keeps the order of everything else.

    Before:
    ```mlir
    %e = math.rsqrt %x : f32
    ```
    After:
    ```mlir
    %root = math.sqrt %scaled : f32
    %inverse = arith.divf %one, %root : f32
    ...
    ```
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::math::MathDialect",
                           "::mlir::scf::SCFDialect"];
}

def WarnSubgroupSize : Pass<"mettle-warn-subgroup-size", "::mlir::ModuleOp"> {
  let summary = "warn of kernels whose results depend on a subgroup size that they do not fix";
  let description = [{
    Why: without `kernel(subgroup = 32)` the size is the target's, so a sum of floats over
    a subgroup, or a loop that strides by its size, may give other bits elsewhere.

    Needs loops in `scf`; changes nothing. One warning a kernel, at the first such place in
    it or in what it calls: a reduction or scan of floats that is not `unordered`, or a
    `mettle.subgroup_size` from which values flow into the bounds or the condition of a
    loop. It does not follow branches, memory or arguments of calls.

    Before and after are equal:
    ```mlir
    %s = mettle.subgroup_reduce add inner_tree %v : f32  // warned of
    ```
  }];
}

def LowerChecks : Pass<"mettle-lower-checks", "::mlir::ModuleOp"> {
  let summary = "turn assertions and prints into accesses of a buffer";
  let description = [{
    Why: no target's own printf or trap leaves the same message on all of them, or anything once the
    kernel is gone.

    Needs to run before a target's passes. Every kernel that holds `mettle.assert` or
    `mettle.print`, or calls a function that does, gets one more argument behind its own, a pointer to the
    words that `include/Mettle/Support/CheckBuffer.h` describes; so do the helpers on the way. Kernels
    without are not touched. Keeps the bits of everything else, and who meets whom: a work-item whose
    assertion fails goes on.

    * `lower_checks-c1`: the values of one print take at most 57 words of 32 bits.

    Before:
    ```mlir
    mettle.kernel @k(%n: i32) {
      mettle.assert %c, "n is even"
    ```
    After:
    ```mlir
    mettle.kernel @k(%n: i32, %checks: !mettle.ptr<i32, global>) {
      scf.if %fails {
        %old = mettle.atomic_cmpxchg relaxed relaxed device %checks, %zero, %one
        ...
    ```
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mettle::MettleDialect",
                           "::mlir::scf::SCFDialect"];
}

def VerifyStrictFloat : Pass<"mettle-verify-strict-float"> {
  let summary = "refuse floating-point operations whose bits are not stated";
  let description = [{
    Why: on every target the same program returns the same bits, so every rounding
    is named and nothing may be reassociated, contracted or approximated.

    Needs nothing, changes nothing, keeps bits and order. Each operation inside a
    `mettle.kernel` or `func.func` is checked:
    * `strict_float-c1`: no fastmath flag is set;
    * `strict_float-c2`: `arith.truncf` names its rounding mode, and not
      `to_nearest_away`, which no target has;
    * `strict_float-c3`: of `math`, only operations with one exact result stand
      (`absf`, `copysign`, `fma`, `sqrt`, `floor`, `ceil`, `trunc`, `roundeven`, and
      the integer ones): an approximation has no stated bits. Where
      `mettle-expand-math` ran before, none is left that it has a sequence for;
    * `strict_float-c4`: no `arith.maxnumf`, `arith.minnumf`, whose result for zeros
      of different sign is unspecified, and no `arith.remf`;
    * `strict_float-c5`: the float type is f16, bf16, f32 or f64.

    Before and after are equal:
    ```mlir
    %s = arith.addf %a, %b : f32
    ```
    while `arith.addf %a, %b fastmath<contract> : f32` is an error.
  }];
}

def VerifyCallGraph : Pass<"mettle-verify-call-graph", "::mlir::ModuleOp"> {
  let summary = "refuse calls that a kernel cannot make";
  let description = [{
    Why: no target has a stack that grows with the data, or code that is somewhere else; and
    what is known of a helper is known from all its calls.

    Needs nothing, changes nothing, keeps bits and order. Checked is what a
    `mettle.kernel` reaches:
    * `call_graph-c1`: no function calls itself, directly or through others;
    * `call_graph-c2`: calls name their function;
    * `call_graph-c3`: which is in the module and has a body;
    * `call_graph-c4`: and is no kernel.

    Before and after are equal:
    ```mlir
    %r = func.call @helper(%x) : (f32) -> f32
    ```
    while `func.call_indirect` is an error.
  }];
}

def InferAddressSpaces : Pass<"mettle-infer-address-spaces", "::mlir::ModuleOp"> {
  let summary = "give accesses through generic pointers the memory that they can only be to";
  let description = [{
    Why: an access that names its memory is faster, disturbs fewer others, and an atomic on
    SPIR-V must name it.

    Needs a module that `mettle-verify-call-graph` takes; keeps bits and order. A generic
    pointer is followed back through casts, offsets, choices, loops and calls to the
    pointers that it was made from; where they are all into one memory, loads, stores and
    atomics through it cast it to that memory. An atomic on workgroup memory gets its scope.

    * `infer_address_spaces-c1`: with `refuse-mixed-atomics`, for targets that need to know,
      the pointer of an atomic is into one memory;
    * `infer_address_spaces-c2`: which is not a work-item's own.

    Before:
    ```mlir
    %g = mettle.space_cast %p : !mettle.ptr<i32, global> to !mettle.ptr<i32, generic>
    %v = mettle.load %g : !mettle.ptr<i32, generic> -> i32
    ```
    After:
    ```mlir
    %g = mettle.space_cast %p : !mettle.ptr<i32, global> to !mettle.ptr<i32, generic>
    %q = mettle.space_cast %g : !mettle.ptr<i32, generic> to !mettle.ptr<i32, global>
    %v = mettle.load %q : !mettle.ptr<i32, global> -> i32
    ```
  }];
  let options = [
    Option<"refuseMixedAtomics", "refuse-mixed-atomics", "bool", "false",
           "Refuse atomics on pointers into several memories">,
  ];
  let statistics = [Statistic<"numResolved", "resolved", "accesses whose memory was found">];
  let dependentDialects = ["::mettle::MettleDialect"];
}

def VerifyUniformity : Pass<"mettle-verify-uniformity", "::mlir::ModuleOp"> {
  let summary = "refuse barriers and collectives that not all of their work-items may reach";
  let description = [{
    Why: who waits for a work-item that never comes waits forever, and what a shuffle reads
    from a lane that is elsewhere is undefined.

    Needs a module that `mettle-verify-call-graph` takes; changes nothing, keeps bits and
    order. Values are the same in a workgroup, in a subgroup, or for nobody. The ids and
    extents of workgroups, a subgroup's size, kernel arguments and constants are the
    workgroup's; the results of a broadcast, a reduction, a vote and, for one word, a
    ballot are the subgroup's; indices of work-items and lanes, shuffles, scans and whatever
    is read from memory are nobody's. What is computed is as uniform as its operands, what
    comes out of an if or a loop also only as its condition, and a helper's parameters as
    the arguments of all its calls together.
    * `uniformity-c1`: conditions on the way to a barrier are the same in the workgroup;
    * `uniformity-c2`: conditions on the way to a collective of a subgroup are the same in
      the subgroup, except for one that leaves those who do not pass it nothing to meet at
      but the end of the kernel;
    * `uniformity-c3`: the lane of a broadcast is the same in the subgroup.

    Notes lead back from the condition to where it stops being uniform. Paths that constants
    exclude do not count.

    Before and after are equal:
    ```mlir
    scf.if %argument_is_positive {
      mettle.barrier workgroup, acq_rel
    }
    ```
    while the same under `mettle.thread_id x` is an error.
  }];
  let options = [
    Option<"countWork", "count-work", "bool", "false",
           "Say in a remark how often a value or a condition was looked at">,
  ];
}

def VerifyAsyncCopies : Pass<"mettle-verify-async-copies", "::mlir::ModuleOp"> {
  let summary = "refuse asynchronous copies that may be left without a commit or a wait";
  let description = [{
    Why: what is still under way when a work-item ends writes to memory that is given to
    another workgroup by then.

    Needs nothing, changes nothing, keeps bits and order. A data-flow analysis follows
    copies and groups through branches and loops of each `mettle.kernel` and `func.func`;
    a path counts if its conditions are not constant.
    * `async_copies-c1`: every path from a copy to an exit commits it;
    * `async_copies-c2`: every path from a commit to an exit waits for its group;
    * `async_copies-c3`: at most 8 groups are outstanding: 7 that a wait may leave, and one;
    * `async_copies-c4`: nothing is under way where a function is called that copies
      asynchronously, itself or through others;
    * `async_copies-c5`: a target at a known byte of an array is as aligned as the copy
      needs;
    * `async_copies-c6`: and lies inside that array.

    Before and after are equal:
    ```mlir
    mettle.async_copy[4] %to, %from transaction 16 : !mettle.ptr<i32, workgroup>, !mettle.ptr<i32, global>
    mettle.async_commit
    mettle.async_wait 0
    ```
    while the same without the wait is an error.
  }];
}

def StageAsyncCopies : Pass<"mettle-stage-async-copies"> {
  let summary = "make asynchronous copies of loads that are only stored to workgroup memory";
  let description = [{
    Why: a copy needs no register and no work-item waits for it until the barrier, so what
    stands between goes on beside it.

    Needs nothing; `canonicalize` and `cse` before it leave fewer values with a second use. Keeps
    bits, and the order that a correct program sees. A load from global memory and a store of
    its value become a copy where the store stands if
    * the load is used by nothing else and both stand in one block, neither volatile;
    * at least 4 bytes are moved, at addresses that are a multiple of 4;
    * a barrier follows in the block that orders workgroup memory, acq_rel or seq_cst;
    * until that barrier nothing after the load may write global memory, and nothing after
      the store may touch the bytes stored, which no other copy may store to either;
    * the function has no asynchronous copies of its own.

    All copies before a barrier are one group, committed behind the last of them and waited
    for before the barrier. With `remarks` each copy, and each load and store that stays
    and why, is a remark; the code in brackets is stable.

    Before:
    ```mlir
    %v = mettle.load %from : !mettle.ptr<f32, global> -> f32
    mettle.store %v, %to : f32, !mettle.ptr<f32, workgroup>
    %a = arith.addi %x, %y : i32
    mettle.barrier workgroup, acq_rel
    ```
    After:
    ```mlir
    mettle.async_copy[1] %to, %from transaction 4 : !mettle.ptr<f32, workgroup>, !mettle.ptr<f32, global>
    mettle.async_commit
    %a = arith.addi %x, %y : i32
    mettle.async_wait 0
    mettle.barrier workgroup, acq_rel
    ```
  }];
  let options = [
    Option<"remarks", "remarks", "bool", "false", "Say what is staged, and what not and why">,
  ];
  let statistics = [
    Statistic<"numPromoted", "promoted", "loads and stores that became copies">,
    Statistic<"numRefused", "refused", "loads and stores that stayed">,
  ];
  let dependentDialects = ["::mettle::MettleDialect"];
}

def ForwardLoads : Pass<"mettle-forward-loads"> {
  let summary = "use what was loaded before a branch or loop in place of loading it again inside";
  let description = [{
    Why: `cse` merges the loads of one block alone, and a branch that loads is not the
    choice between two values that it could be.

    Needs nothing. Keeps bits, and the order that a correct program sees: a load goes if one
    from the same pointer stands before the operation that holds it, neither is volatile, and
    nothing from there to that operation's end may write memory.

    Before:
    ```mlir
    %a = mettle.load %p : !mettle.ptr<f32, global> -> f32
    %r = scf.if %c -> (f32) {
      %b = mettle.load %p : !mettle.ptr<f32, global> -> f32
      scf.yield %b : f32
    } else {
      scf.yield %x : f32
    }
    ```
    After:
    ```mlir
    %a = mettle.load %p : !mettle.ptr<f32, global> -> f32
    %r = scf.if %c -> (f32) {
      scf.yield %a : f32
    } else {
      scf.yield %x : f32
    }
    ```
  }];
  let statistics = [Statistic<"numForwarded", "forwarded", "loads that went">];
}

def UnrollLoops : Pass<"mettle-unroll-loops"> {
  let summary = "do several rounds of a loop a trip, so that their loads wait together";
  let description = [{
    Why: a sum over memory waits for one load a round. Of several rounds in one block, all
    loads are on their way before the first addition needs one; ptxas moves them there, but
    does not unroll itself.

    Needs `canonicalize` before it, which brings loops into the form it knows, and after it,
    which folds the steps. Keeps bits and order: the rounds do the same operations in the
    same order. A loop is unrolled if
    * it compares a count with a bound that is the same in all rounds (<, or > downwards,
      signed or not) and steps by a constant;
    * work-items do not meet in it, it calls no function and holds no loop;
    * it loads from memory, and a trip is no longer than 256 operations;
    * or `mettle.unroll` says how many rounds a trip has; 1 leaves it as it is.

    A new loop does 4 rounds a trip, or fewer of long ones, while the count is below
    bound - 3 * step, or nowhere if that difference wraps; the old loop does what is left. That
    holds for all bounds and counts, those that wrap too. With `remarks` each loop is a
    remark; the code in brackets is stable.

    Before:
    ```mlir
    %r:2 = scf.while (%s = %x, %i = %c0) : (f32, i32) -> (f32, i32) {
      %more = arith.cmpi slt, %i, %n : i32
      scf.condition(%more) %s, %i : f32, i32
    } do {
    ^bb0(%s: f32, %i: i32):
      // rest of a round
      %j = arith.addi %i, %c1 : i32
      scf.yield %t, %j : f32, i32
    }
    ```
    After, the same behind
    ```mlir
    %limit = arith.select %fits, %n_minus_3, %smallest : i32
    %q:2 = scf.while (%s = %x, %i = %c0) : (f32, i32) -> (f32, i32) {
      %more = arith.cmpi slt, %i, %limit : i32
      scf.condition(%more) %s, %i : f32, i32
    } do {
      // four rounds
    }
    ```
    and with %q for %x and %c0.
  }];
  let options = [
    Option<"remarks", "remarks", "bool", "false", "Say which loops are unrolled, and why others are not">,
  ];
  let statistics = [
    Statistic<"numUnrolled", "unrolled", "loops that do several rounds a trip">,
    Statistic<"numRefused", "refused", "loops that stayed">,
  ];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::scf::SCFDialect"];
}

def ExpandAsyncCopies : Pass<"mettle-expand-async-copies"> {
  let summary = "replace asynchronous copies by loads and stores, or long ones by loops of short ones";
  let description = [{
    Why: SPIR-V and GPUs before sm_80 have none, and elsewhere an instruction moves 16 bytes
    at most while a copy has up to 65536.

    With `replay` a copy becomes loads and stores of its transactions, and commits and waits
    vanish: the work-item goes on when the bytes are there, and a barrier publishes them as
    before. Without it, a copy of more than 16 transactions becomes a loop over single ones.
    Needs nothing. Keeps bits, and the order that a correct program sees.

    Before:
    ```mlir
    mettle.async_copy[4] %to, %from transaction 16 : !mettle.ptr<i32, workgroup>, !mettle.ptr<i32, global>
    ```
    After, with `replay`:
    ```mlir
    %v = mettle.load %from : !mettle.ptr<i32, global> -> vector<4xi32>
    mettle.store %v, %to : vector<4xi32>, !mettle.ptr<i32, workgroup>
    ```
  }];
  let options = [
    Option<"replay", "replay", "bool", "false", "Copy at once with loads and stores: the target has no such copies">,
  ];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::scf::SCFDialect"];
}

def ExpandSubgroup : Pass<"mettle-expand-subgroup", "::mlir::ModuleOp"> {
  let summary = "build folds over a subgroup, and shuffles that may miss, from shuffles that hit";
  let description = [{
    Why: no target's own reduction states the order in which it rounds, and what a shuffle
    returns for an absent lane differs. Built from the same few operations, the result is
    the same everywhere, and the interpreter can run it before and after.

    Needs nothing. Keeps bits and order; a sum that is `unordered` becomes the inner tree.
    What is left are `mettle.subgroup_shuffle` with `present`, `subgroup_broadcast`,
    ballots and votes.

    * The size is a constant where the target or a kernel fixes it.
    * A lane's number and a ballot of the lanes that are there say which lane of the
      neighbouring subtree holds its sum; if there is none, the partner passes through.
      Where all lanes are there, a test of the ballot leads to plain shuffles.
    * A prefix adds, in step k, the sum of the block of 2^k lanes to the left, which its
      last lane that is there holds: that is the inner tree of the lanes before.
    * A sequential sum takes the lanes of the ballot one after another.
    * The smallest of floats is that of integers that are ordered alike, with NaN beyond
      all.

    Options: `size`, the target's number of lanes, 0 if only the device knows it;
    `keep-integer-folds` leaves those of integers to the target.

    Constraints:
    * `expand_subgroup-c1`: a kernel fixes no other subgroup size than the target's.

    Before:
    ```mlir
    %r = mettle.subgroup_shuffle up %v, %n : f32
    ```
    After:
    ```mlir
    %id = mettle.subgroup_local_id
    %lane = arith.subi %id, %least : i32
    %bits = mettle.subgroup_ballot %true, %word
    ...
    %r = mettle.subgroup_shuffle idx %v, %source present : f32
    ```
  }];
  let options = [
    Option<"size", "size", "unsigned", "0", "Lanes of the target's subgroups; 0: known to the device alone">,
    Option<"keepIntegerFolds", "keep-integer-folds", "bool", "false", "Leave folds of integers as they are">,
  ];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::math::MathDialect", "::mlir::scf::SCFDialect", "::mettle::MettleDialect",
  ];
}

#endif // METTLE_DIALECT_METTLE_TRANSFORMS_PASSES_TD
