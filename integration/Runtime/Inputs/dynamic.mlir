// Reverses the words of a workgroup through its dynamic memory.
mettle.kernel @reverse(%data: !mettle.ptr<i32, global>, %n: i32) {
  %tile = mettle.dynamic_workgroup : !mettle.ptr<i32, workgroup>
  %t = mettle.thread_id x
  %c1 = arith.constant 1 : i32
  %last = arith.subi %n, %c1 : i32
  %r = arith.subi %last, %t : i32
  %i = arith.extui %t : i32 to i64
  %j = arith.extui %r : i32 to i64
  %from = mettle.offset %data[%i] : !mettle.ptr<i32, global>
  %v = mettle.load %from : !mettle.ptr<i32, global> -> i32
  %to = mettle.offset %tile[%j] : !mettle.ptr<i32, workgroup>
  mettle.store %v, %to : i32, !mettle.ptr<i32, workgroup>
  mettle.barrier workgroup, acq_rel
  %back = mettle.offset %tile[%i] : !mettle.ptr<i32, workgroup>
  %w = mettle.load %back : !mettle.ptr<i32, workgroup> -> i32
  mettle.store %w, %from : i32, !mettle.ptr<i32, global>
  mettle.return
}
