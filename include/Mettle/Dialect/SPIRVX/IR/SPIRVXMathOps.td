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

def SPIRVX_CLNativeCosOp : SPIRVX_CLUnaryOp<"native_cos", 81, SPIRV_Float32> {
  let summary = "cosine, as the device approximates it";
  let description = "`%r = spirvx.CL.native_cos %x : f32`.";
}

def SPIRVX_CLNativeExpOp : SPIRVX_CLUnaryOp<"native_exp", 83, SPIRV_Float32> {
  let summary = "exponential, as the device approximates it";
  let description = "`%r = spirvx.CL.native_exp %x : f32`.";
}

def SPIRVX_CLNativeLogOp : SPIRVX_CLUnaryOp<"native_log", 86, SPIRV_Float32> {
  let summary = "natural logarithm, as the device approximates it";
  let description = "`%r = spirvx.CL.native_log %x : f32`.";
}

def SPIRVX_CLNativeRsqrtOp : SPIRVX_CLUnaryOp<"native_rsqrt", 91, SPIRV_Float32> {
  let summary = "reciprocal square root, as the device approximates it";
  let description = "`%r = spirvx.CL.native_rsqrt %x : f32`.";
}

def SPIRVX_CLNativeSinOp : SPIRVX_CLUnaryOp<"native_sin", 92, SPIRV_Float32> {
  let summary = "sine, as the device approximates it";
  let description = "`%r = spirvx.CL.native_sin %x : f32`.";
}

#endif // METTLE_DIALECT_SPIRVX_IR_SPIRVXMATHOPS_TD
