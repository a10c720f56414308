// An atomic on memory that nobody else sees is refused whatever the target.
// RUN: mettle-opt %s --mettle-infer-address-spaces --verify-diagnostics

mettle.kernel @own(%n: i32) {
  %own = mettle.alloc[8] : !mettle.ptr<i32, private>
  %g = mettle.space_cast %own : !mettle.ptr<i32, private> to !mettle.ptr<i32, generic>
  // infer_address_spaces-c2
  // expected-error @below {{'mettle.atomic_rmw' op expected a pointer into global or workgroup memory, got one into private memory, which nobody else sees}}
  %old = mettle.atomic_rmw add relaxed device %g, %n : !mettle.ptr<i32, generic>
  mettle.return
}
