// What Probe.cpp asks of f64: divide, square root, fused multiply-add, product, sum, and a product then
// a sum. Result k of element i is out[6 * i + k]. ProbeF64.inc holds its words for SPIR-V 1.0, which
// every device that takes SPIR-V takes; test/Runtime/OpenCL/probe-words.test keeps the two together.
mettle.kernel @probe(%a: !mettle.ptr<f64, global>, %b: !mettle.ptr<f64, global>, %c: !mettle.ptr<f64, global>,
                     %out: !mettle.ptr<f64, global>) {
  %group = mettle.block_id x
  %size = mettle.block_dim x
  %item = mettle.thread_id x
  %first = arith.muli %group, %size : i32
  %index = arith.addi %first, %item : i32
  %i = arith.extui %index : i32 to i64
  %pa = mettle.offset %a[%i] : !mettle.ptr<f64, global>
  %pb = mettle.offset %b[%i] : !mettle.ptr<f64, global>
  %pc = mettle.offset %c[%i] : !mettle.ptr<f64, global>
  %x = mettle.load %pa : !mettle.ptr<f64, global> -> f64
  %y = mettle.load %pb : !mettle.ptr<f64, global> -> f64
  %z = mettle.load %pc : !mettle.ptr<f64, global> -> f64
  %divide = arith.divf %x, %y : f64
  %root = math.sqrt %x : f64
  %fused = math.fma %x, %y, %z : f64
  %product = arith.mulf %x, %y : f64
  %sum = arith.addf %x, %y : f64
  %twice = arith.addf %product, %z : f64
  %six = arith.constant 6 : i64
  %base = arith.muli %i, %six : i64
  %o0 = mettle.offset %out[%base] : !mettle.ptr<f64, global>
  mettle.store %divide, %o0 : f64, !mettle.ptr<f64, global>
  %one = arith.constant 1 : i64
  %o1 = mettle.offset %o0[%one] : !mettle.ptr<f64, global>
  mettle.store %root, %o1 : f64, !mettle.ptr<f64, global>
  %o2 = mettle.offset %o1[%one] : !mettle.ptr<f64, global>
  mettle.store %fused, %o2 : f64, !mettle.ptr<f64, global>
  %o3 = mettle.offset %o2[%one] : !mettle.ptr<f64, global>
  mettle.store %product, %o3 : f64, !mettle.ptr<f64, global>
  %o4 = mettle.offset %o3[%one] : !mettle.ptr<f64, global>
  mettle.store %sum, %o4 : f64, !mettle.ptr<f64, global>
  %o5 = mettle.offset %o4[%one] : !mettle.ptr<f64, global>
  mettle.store %twice, %o5 : f64, !mettle.ptr<f64, global>
  mettle.return
}
