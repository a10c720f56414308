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
    their bits: the results are within 1 ulp of the exact ones, 1.5 ulp for tanh.
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

#endif // METTLE_DIALECT_METTLE_TRANSFORMS_PASSES_TD
