// Passes over the neutral dialects.

#ifndef METTLE_DIALECT_METTLE_TRANSFORMS_PASSES_TD
#define METTLE_DIALECT_METTLE_TRANSFORMS_PASSES_TD

include "mlir/Pass/PassBase.td"

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
      the integer ones): an approximation has no stated bits;
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
