// What a kernel says about its own run: assertions and prints.

#ifndef METTLE_DIALECT_METTLE_IR_CHECKOPS_TD
#define METTLE_DIALECT_METTLE_IR_CHECKOPS_TD

include "Mettle/Dialect/Mettle/IR/MettleBase.td"

// The frontend makes these only where they are asked for. `mettle-lower-checks` turns them into
// accesses of a buffer that every target can be given; the interpreter executes them as they are.
def Mettle_Report : Resource<"::mettle::Report">;

class Mettle_CheckOp<string mnemonic> : Mettle_Op<mnemonic, [MemoryEffects<[MemWrite<Mettle_Report>]>]> {
  let hasVerifier = 1;
}

def Mettle_AssertOp : Mettle_CheckOp<"assert"> {
  let summary = "report a work-item for which a condition does not hold";
  let description = [{
    `mettle.assert %c, "n fits"`. Where the condition is false, the launch fails with an error at
    this operation's line that names the work-item, the kernel and the text, which may be empty.
    Of several, the first to arrive is reported. The interpreter stops there; on a device the
    work-item goes on, so that no barrier is missed, and the error comes when the launch has ended.

    Constraints:
    * `assert-c1`: the text is one line.
  }];
  let arguments = (ins I1:$condition, StrAttr:$text);
  let assemblyFormat = "$condition `,` $text attr-dict";
}

def Mettle_PrintOp : Mettle_CheckOp<"print"> {
  let summary = "show values of a work-item after the launch";
  let description = [{
    `mettle.print "x {} is {}" ["i32", "f32"] (%i, %v : i32, f32)`. Each `{}` of the text is
    replaced by a value, written as its kind says: `bool` (i1), `i8` to `i64` and `u8` to `u64`
    (integers with and without a sign), `f16`, `f32` or `f64`; `{{` and `}}` are braces. What
    work-items print is shown after the launch in the order of workgroups and work-items, x fastest, and
    of one work-item in the order of its prints.

    Constraints:
    * `print-c1`: the text has as many `{}` as there are values, and no other single brace;
    * `print-c2`: there is a kind for each value, and it has the value's type.
  }];
  let arguments = (ins StrAttr:$text, OptionalAttr<StrArrayAttr>:$kinds,
    Variadic<AnyTypeOf<[I1, I8, I16, I32, I64, F16, F32, F64]>>:$values);
  let assemblyFormat = "$text ($kinds^ `(` $values `:` type($values) `)`)? attr-dict";
  let extraClassDeclaration = [{
    /// How many values a text takes; none where a brace stands alone.
    static std::optional<size_t> countPlaces(::llvm::StringRef text);
  }];
}

#endif // METTLE_DIALECT_METTLE_IR_CHECKOPS_TD
