// The pointer type and the type constraints that operations share.

#ifndef METTLE_DIALECT_METTLE_IR_METTLETYPES_TD
#define METTLE_DIALECT_METTLE_IR_METTLETYPES_TD

include "Mettle/Dialect/Mettle/IR/MettleAttrs.td"
include "mlir/IR/CommonTypeConstraints.td"

def Mettle_PtrType : TypeDef<Mettle_Dialect, "Ptr"> {
  let mnemonic = "ptr";
  let summary = "a typed pointer into one memory space";
  let description = [{
    `!mettle.ptr<f32, global>` points at elements of type `f32` in global memory.

    | space | what lives there | who shares it |
    |---|---|---|
    | `global` | buffers given at launch | every work-item of the launch |
    | `workgroup` | `mettle.alloc`, `mettle.dynamic_workgroup` | the workgroup |
    | `private` | `mettle.alloc` | nobody |
    | `generic` | any of the three | as the memory pointed at |

    Signedness belongs to operations, so integers are signless. An element of one
    bit has no address: a boolean in memory is an `i8` that is 0 or 1.

    Constraints:
    * `ptr-c1`: the element is i8, i16, i32, i64, f16, bf16, f32 or f64.
  }];
  let parameters = (ins "::mlir::Type":$elementType, EnumParameter<Mettle_AddressSpace>:$space);
  let assemblyFormat = "`<` $elementType `,` $space `>`";
  let genVerifyDecl = 1;
  let builders = [
    TypeBuilderWithInferredContext<(ins "::mlir::Type":$elementType, "::mettle::AddressSpace":$space), [{
      return $_get(elementType.getContext(), elementType, space);
    }]>,
  ];
  let extraClassDeclaration = [{
    /// Whether a value of this type can be the element of a pointer (ptr-c1).
    static bool isElementType(::mlir::Type type);
    /// Size of one element in bytes, which is also its natural alignment.
    unsigned getElementBytes() const;
  }];
}

/// What a register holds of memory: an element, or a short vector of them.
def Mettle_Storable : AnyTypeOf<[
  AnyTypeOf<[I8, I16, I32, I64, F16, BF16, F32, F64]>,
  VectorOfLengthAndType<[2, 4, 8, 16], [I8, I16, I32, I64, F16, BF16, F32, F64]>,
], "an element type of a pointer or a vector of 2, 4, 8 or 16 of them">;

#endif // METTLE_DIALECT_METTLE_IR_METTLETYPES_TD
