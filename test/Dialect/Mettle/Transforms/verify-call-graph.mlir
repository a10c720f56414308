// What a kernel may call.
// RUN: mettle-opt %s --mettle-verify-call-graph --split-input-file --verify-diagnostics

func.func @leaf(%x: f32) -> f32 {
  return %x : f32
}
func.func @twice(%x: f32) -> f32 {
  %a = call @leaf(%x) : (f32) -> f32
  %b = call @leaf(%a) : (f32) -> f32
  return %b : f32
}
mettle.kernel @calls(%x: f32) {
  %a = func.call @twice(%x) : (f32) -> f32
  %b = func.call @leaf(%a) : (f32) -> f32
  mettle.return
}

// What no kernel reaches is not looked at.
func.func @host(%x: f32) -> f32 {
  %a = call @host(%x) : (f32) -> f32
  return %a : f32
}

// -----

func.func @itself() {
  // call_graph-c1
  // expected-error @below {{'func.call' op expected no recursion, but this calls 'itself' while it runs}}
  call @itself() : () -> ()
  return
}
mettle.kernel @k() {
  func.call @itself() : () -> ()
  mettle.return
}

// -----

func.func @a() {
  // expected-note @below {{through this call}}
  call @b() : () -> ()
  return
}
func.func @b() {
  // expected-note @below {{through this call}}
  call @c() : () -> ()
  return
}
func.func @c() {
  // call_graph-c1
  // expected-error @below {{expected no recursion, but this calls 'a' while it runs}}
  call @a() : () -> ()
  return
}
mettle.kernel @k() {
  func.call @a() : () -> ()
  mettle.return
}

// -----

func.func @helper() {
  return
}
mettle.kernel @k() {
  // call_graph-c2
  // expected-error @below {{'func.constant' op expected a function that is called by its name: a kernel has no addresses of functions}}
  %f = func.constant @helper : () -> ()
  // call_graph-c2
  // expected-error @below {{'func.call_indirect' op expected a function that is called by its name}}
  func.call_indirect %f() : () -> ()
  mettle.return
}

// -----

// expected-note @below {{it is declared here}}
func.func private @external(f32) -> f32
mettle.kernel @k(%x: f32) {
  // call_graph-c3
  // expected-error @below {{'func.call' op expected a function with a body in this module}}
  %a = func.call @external(%x) : (f32) -> f32
  mettle.return
}

// -----

mettle.kernel @other() {
  mettle.return
}
mettle.kernel @k() {
  // call_graph-c4: the verifier of func.call takes nothing but a func.func.
  // expected-error @below {{'func.call' op 'other' does not reference a valid function}}
  func.call @other() : () -> ()
  mettle.return
}
