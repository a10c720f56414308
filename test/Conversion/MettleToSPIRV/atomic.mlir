// Scope and semantics of each operation; every order, scope and memory is in integration/Atomic.
// RUN: mettle-opt %s --split-input-file --convert-mettle-to-spirv --verify-diagnostics | FileCheck %s

// CHECK-LABEL: spirv.func @atomics
mettle.kernel @atomics(%p: !mettle.ptr<i32, global>, %q: !mettle.ptr<i64, global>, %f: !mettle.ptr<f32, global>, %v: i32, %w: i64, %x: f32) {
  %s = mettle.alloc[4] : !mettle.ptr<i64, workgroup>
  // CHECK: spirvx.AtomicLoad <Device> <Acquire|CrossWorkgroupMemory> %{{.*}} : !spirv.ptr<i32, CrossWorkgroup>
  %0 = mettle.atomic_load acquire device %p : !mettle.ptr<i32, global>
  // CHECK: spirvx.AtomicStore <Workgroup> <Release|WorkgroupMemory> %{{.*}}, %{{.*}} : !spirv.ptr<i64, Workgroup>
  mettle.atomic_store release workgroup %w, %s : !mettle.ptr<i64, workgroup>
  // CHECK: spirv.AtomicSMin <Device> <None>
  %1 = mettle.atomic_rmw smin relaxed device %q, %w : !mettle.ptr<i64, global>
  // CHECK: spirv.EXT.AtomicFAdd <Device> <SequentiallyConsistent|CrossWorkgroupMemory>
  %2 = mettle.atomic_rmw fadd seq_cst device %f, %x unordered : !mettle.ptr<f32, global>
  // CHECK: spirv.AtomicCompareExchange <Device> <AcquireRelease|CrossWorkgroupMemory> <Acquire|CrossWorkgroupMemory> %{{.*}}, %[[DESIRED:.*]], %[[EXPECTED:.*]] :
  %3 = mettle.atomic_cmpxchg acq_rel acquire device %p, %v, %0 : !mettle.ptr<i32, global>
  mettle.return
}

// -----

// A generic pointer that was made in sight is one of its own memory.
// CHECK-LABEL: spirv.func @resolved
mettle.kernel @resolved(%p: !mettle.ptr<i32, global>, %i: i64) {
  %s = mettle.alloc[4] : !mettle.ptr<i32, workgroup>
  %g = mettle.space_cast %p : !mettle.ptr<i32, global> to !mettle.ptr<i32, generic>
  %h = mettle.space_cast %s : !mettle.ptr<i32, workgroup> to !mettle.ptr<i32, generic>
  %q = mettle.offset %g[%i] : !mettle.ptr<i32, generic>
  // CHECK: spirvx.AtomicLoad <Device> <Acquire|CrossWorkgroupMemory> %{{.*}} : !spirv.ptr<i32, CrossWorkgroup>
  %0 = mettle.atomic_load acquire device %q : !mettle.ptr<i32, generic>
  // CHECK: spirvx.AtomicLoad <Workgroup> <Acquire|WorkgroupMemory> %{{.*}} : !spirv.ptr<i32, Workgroup>
  %1 = mettle.atomic_load acquire device %h : !mettle.ptr<i32, generic>
  mettle.return
}

// -----

mettle.kernel @generic(%p: !mettle.ptr<i32, global>, %n: i32) {
  %c = arith.cmpi eq, %n, %n : i32
  %s = mettle.alloc[4] : !mettle.ptr<i32, workgroup>
  %g = mettle.space_cast %p : !mettle.ptr<i32, global> to !mettle.ptr<i32, generic>
  %h = mettle.space_cast %s : !mettle.ptr<i32, workgroup> to !mettle.ptr<i32, generic>
  %q = arith.select %c, %g, %h : !mettle.ptr<i32, generic>
  // convert_mettle_to_spirv-c6
  // expected-error @below {{expected a pointer whose memory is known, global or workgroup, got generic: SPIR-V names the memory that an atomic orders}}
  %0 = mettle.atomic_load acquire device %q : !mettle.ptr<i32, generic>
  mettle.return
}

// -----

mettle.kernel @private() {
  %s = mettle.alloc[4] : !mettle.ptr<i32, private>
  %g = mettle.space_cast %s : !mettle.ptr<i32, private> to !mettle.ptr<i32, generic>
  // convert_mettle_to_spirv-c6
  // expected-error @below {{expected a pointer whose memory is known, global or workgroup, got private}}
  %0 = mettle.atomic_load acquire device %g : !mettle.ptr<i32, generic>
  mettle.return
}
