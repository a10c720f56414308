// Folds and canonicalisation of addresses.
// RUN: mettle-opt %s --canonicalize | FileCheck %s

// CHECK-LABEL: func.func @offset_zero
// CHECK-SAME: (%[[P:.*]]: !mettle.ptr<f32, global>)
func.func @offset_zero(%p: !mettle.ptr<f32, global>) -> !mettle.ptr<f32, global> {
  %zero = arith.constant 0 : i64
  %q = mettle.offset %p[%zero] : !mettle.ptr<f32, global>
  // CHECK-NEXT: return %[[P]]
  return %q : !mettle.ptr<f32, global>
}

// CHECK-LABEL: func.func @offset_chain
// CHECK-SAME: (%[[P:.*]]: !mettle.ptr<f32, global>)
func.func @offset_chain(%p: !mettle.ptr<f32, global>) -> !mettle.ptr<f32, global> {
  // CHECK-NEXT: %[[SUM:.*]] = arith.constant 600000005 : i64
  // CHECK-NEXT: %[[Q:.*]] = mettle.offset %[[P]][%[[SUM]]]
  // CHECK-NEXT: return %[[Q]]
  %a = arith.constant 600000000 : i64
  %b = arith.constant 5 : i64
  %q = mettle.offset %p[%a] : !mettle.ptr<f32, global>
  %r = mettle.offset %q[%b] : !mettle.ptr<f32, global>
  return %r : !mettle.ptr<f32, global>
}

// An offset that is not constant stays.
// CHECK-LABEL: func.func @offset_variable
func.func @offset_variable(%p: !mettle.ptr<f32, global>, %i: i64) -> !mettle.ptr<f32, global> {
  %b = arith.constant 5 : i64
  // CHECK-COUNT-2: mettle.offset
  %q = mettle.offset %p[%i] : !mettle.ptr<f32, global>
  %r = mettle.offset %q[%b] : !mettle.ptr<f32, global>
  return %r : !mettle.ptr<f32, global>
}

// CHECK-LABEL: func.func @ptr_cast_chain
// CHECK-SAME: (%[[P:.*]]: !mettle.ptr<f32, global>)
func.func @ptr_cast_chain(%p: !mettle.ptr<f32, global>)
    -> (!mettle.ptr<f32, global>, !mettle.ptr<i16, global>, !mettle.ptr<f32, global>) {
  %same = mettle.ptr_cast %p : !mettle.ptr<f32, global> to !mettle.ptr<f32, global>
  %bytes = mettle.ptr_cast %p : !mettle.ptr<f32, global> to !mettle.ptr<i8, global>
  // CHECK-NEXT: %[[SHORT:.*]] = mettle.ptr_cast %[[P]] : !mettle.ptr<f32, global> to !mettle.ptr<i16, global>
  %short = mettle.ptr_cast %bytes : !mettle.ptr<i8, global> to !mettle.ptr<i16, global>
  %back = mettle.ptr_cast %short : !mettle.ptr<i16, global> to !mettle.ptr<f32, global>
  // CHECK-NEXT: return %[[P]], %[[SHORT]], %[[P]]
  return %same, %short, %back : !mettle.ptr<f32, global>, !mettle.ptr<i16, global>, !mettle.ptr<f32, global>
}

// CHECK-LABEL: func.func @space_cast_back
// CHECK-SAME: (%[[P:.*]]: !mettle.ptr<f32, workgroup>)
func.func @space_cast_back(%p: !mettle.ptr<f32, workgroup>) -> !mettle.ptr<f32, workgroup> {
  %g = mettle.space_cast %p : !mettle.ptr<f32, workgroup> to !mettle.ptr<f32, generic>
  %w = mettle.space_cast %g : !mettle.ptr<f32, generic> to !mettle.ptr<f32, workgroup>
  // CHECK-NEXT: return %[[P]]
  return %w : !mettle.ptr<f32, workgroup>
}
