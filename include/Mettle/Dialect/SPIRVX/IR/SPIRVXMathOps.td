// Instructions of OpenCL.std for which upstream's dialect has no operation.

#ifndef METTLE_DIALECT_SPIRVX_IR_SPIRVXMATHOPS_TD
#define METTLE_DIALECT_SPIRVX_IR_SPIRVXMATHOPS_TD

include "Mettle/Dialect/SPIRVX/IR/SPIRVXBase.td"

class SPIRVX_CLUnaryOp<string mnemonic, int number, Type element> : SPIRVX_CLOp<mnemonic, number, [SameOperandsAndResultType]> {
  let arguments = (ins SPIRV_ScalarOrVectorOf<element>:$operand);
  let results = (outs SPIRV_ScalarOrVectorOf<element>:$result);
  let assemblyFormat = "$operand attr-dict `:` type($result)";
}

class SPIRVX_CLBinaryOp<string mnemonic, int number, Type element> : SPIRVX_CLOp<mnemonic, number, [SameOperandsAndResultType]> {
  let arguments = (ins SPIRV_ScalarOrVectorOf<element>:$lhs, SPIRV_ScalarOrVectorOf<element>:$rhs);
  let results = (outs SPIRV_ScalarOrVectorOf<element>:$result);
  let assemblyFormat = "$lhs `,` $rhs attr-dict `:` type($result)";
}

def SPIRVX_CLTruncOp : SPIRVX_CLUnaryOp<"trunc", 66, SPIRV_Float> {
  let summary = "round to an integral value toward zero";
  let description = "`%r = spirvx.CL.trunc %x : f32`.";
}

def SPIRVX_CLCopySignOp : SPIRVX_CLBinaryOp<"copysign", 13, SPIRV_Float> {
  let summary = "the first operand with the sign of the second";
  let description = "`%r = spirvx.CL.copysign %x, %sign : f32`.";
}

def SPIRVX_CLClzOp : SPIRVX_CLUnaryOp<"clz", 151, SPIRV_Integer> {
  let summary = "number of leading zero bits";
  let description = "The width for zero: `%r = spirvx.CL.clz %x : i32`.";
}

def SPIRVX_CLCtzOp : SPIRVX_CLUnaryOp<"ctz", 152, SPIRV_Integer> {
  let summary = "number of trailing zero bits";
  let description = "The width for zero: `%r = spirvx.CL.ctz %x : i32`.";
}

def SPIRVX_CLSMulHiOp : SPIRVX_CLBinaryOp<"s_mul_hi", 160, SPIRV_Integer> {
  let summary = "high half of the product of two signed integers";
  let description = "`%r = spirvx.CL.s_mul_hi %a, %b : i32`.";
}

def SPIRVX_CLUMulHiOp : SPIRVX_CLBinaryOp<"u_mul_hi", 203, SPIRV_Integer> {
  let summary = "high half of the product of two unsigned integers";
  let description = "`%r = spirvx.CL.u_mul_hi %a, %b : i32`.";
}

#endif // METTLE_DIALECT_SPIRVX_IR_SPIRVXMATHOPS_TD
