// What the encoder refuses, each at its operation.
// RUN: mettle-translate --mettle-to-spirv --split-input-file --verify-diagnostics %s -o /dev/null

// expected-error @below {{expected one 'spirvx.module', got 2}}
module {
  spirvx.module v1.0 {
  }
  spirvx.module v1.4 {
  }
}

// -----

spirvx.module v1.4 {
  // expected-error @below {{expected a body, got a declaration}}
  spirv.func @declared() "None" attributes {linkage_attributes = #spirv.linkage_attributes<linkage_name = "f", linkage_type = <Import>>}
}

// -----

spirvx.module v1.4 {
  // expected-error @below {{expected no initializer}}
  spirv.GlobalVariable @later initializer(@first) : !spirv.ptr<f32, Workgroup>
  spirv.SpecConstant @first = 1.0 : f32
}

// -----

spirvx.module v1.4 {
  // expected-error @below {{expected the name of a built-in, got 'Nonsense'}}
  spirv.GlobalVariable @id built_in("Nonsense") : !spirv.ptr<vector<3xi64>, Input>
}

// -----

spirvx.module v1.4 {
  // expected-error @below {{expected a function, a global variable, an entry point or an execution mode in a module for OpenCL}}
  spirv.SpecConstant @sc = 42 : i32
}

// -----

spirvx.module v1.4 {
  spirv.func @f(%x: f32) -> f32 "None" {
    // expected-error @below {{needs the capability Shader, which no OpenCL kernel can have}}
    %0 = spirv.GL.Sin %x : f32
    spirv.ReturnValue %0 : f32
  }
}

// -----

spirvx.module v1.0 {
  spirv.func @f(%x: i32) -> i32 "None" {
    // expected-error @below {{needs SPIR-V v1.3 with the capability GroupNonUniform}}
    %0 = spirv.GroupNonUniformIAdd <Subgroup> <Reduce> %x : i32 -> i32
    spirv.ReturnValue %0 : i32
  }
}

// -----

spirvx.module v1.4 {
  // expected-error @below {{expected a type that OpenCL kernels have, got 'si32'}}
  spirv.func @f(%x: si32) "None" {
    spirv.Return
  }
}

// -----

spirvx.module v1.4 {
  spirv.func @f(%x: f32) -> f32 "None" {
    // expected-error @below {{expected the attribute 'note' to be a decoration of an OpenCL kernel, got "x"}}
    %0 = spirv.FNegate %x {note = "x"} : f32
    spirv.ReturnValue %0 : f32
  }
}

// -----

spirvx.module v1.4 {
  spirv.func @f(%c: i1, %x: i32, %y: i32) -> i32 "None" {
    // expected-error @below {{expected no two edges to one block with arguments}}
    spirv.BranchConditional %c, ^bb1(%x : i32), ^bb1(%y : i32)
  ^bb1(%v: i32):
    spirv.ReturnValue %v : i32
  }
}
