// Round trip and folds of mettle.dot4.
// RUN: mettle-opt %s | mettle-opt | FileCheck %s
// RUN: mettle-opt %s --canonicalize | FileCheck %s --check-prefix=FOLD

// CHECK-LABEL: func.func @dots
func.func @dots(%a: i32, %b: i32, %c: i32) -> (i32, i32) {
  // CHECK: mettle.dot4 %{{.*}}, %{{.*}}, %{{.*}} : i32
  %s = mettle.dot4 %a, %b, %c : i32
  // CHECK: mettle.dot4 unsigned %{{.*}}, %{{.*}}, %{{.*}} : i32
  %u = mettle.dot4 unsigned %a, %b, %c : i32
  return %s, %u : i32, i32
}

// FOLD-LABEL: func.func @folds
// FOLD-SAME: %[[C:.*]]: i32
func.func @folds(%c: i32) -> (i32, i32, i32, i32) {
  // The bytes from the lowest: 255, 128, 3, 4 and 2, 128, 0, 127.
  %a = arith.constant 0x040380FF : i32
  %b = arith.constant 0x7F008002 : i32
  %ten = arith.constant 10 : i32
  %zero = arith.constant 0 : i32
  // -1 * 2 + -128 * -128 + 3 * 0 + 4 * 127 + 10
  // FOLD-DAG: %[[S:.*]] = arith.constant 16900 : i32
  %s = mettle.dot4 %a, %b, %ten : i32
  // 255 * 2 + 128 * 128 + 3 * 0 + 4 * 127 + 10
  // FOLD-DAG: %[[U:.*]] = arith.constant 17412 : i32
  %u = mettle.dot4 unsigned %a, %b, %ten : i32
  %z = mettle.dot4 %a, %zero, %c : i32
  %y = mettle.dot4 unsigned %zero, %c, %c : i32
  // FOLD: return %[[S]], %[[U]], %[[C]], %[[C]]
  return %s, %u, %z, %y : i32, i32, i32, i32
}
