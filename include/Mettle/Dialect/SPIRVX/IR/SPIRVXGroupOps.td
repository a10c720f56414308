// Instructions of SPIR-V 1.0 on groups for which upstream's dialect has no operation.

#ifndef METTLE_DIALECT_SPIRVX_IR_SPIRVXGROUPOPS_TD
#define METTLE_DIALECT_SPIRVX_IR_SPIRVXGROUPOPS_TD

include "Mettle/Dialect/SPIRVX/IR/SPIRVXBase.td"

class SPIRVX_GroupVoteOp<string mnemonic, int opcode> : SPIRVX_Op<mnemonic> {
  let spirvOpcode = opcode;
  let capability = "Groups";
  let arguments = (ins SPIRV_ScopeAttr:$execution_scope, SPIRV_Bool:$predicate);
  let results = (outs SPIRV_Bool:$result);
  let assemblyFormat = "$execution_scope $predicate attr-dict `:` type($result)";
}

def SPIRVX_GroupAllOp : SPIRVX_GroupVoteOp<"GroupAll", 261> {
  let summary = "whether the predicate holds in every invocation of the group";
  let description = "`%r = spirvx.GroupAll <Subgroup> %p : i1`. All invocations must be here.";
}

def SPIRVX_GroupAnyOp : SPIRVX_GroupVoteOp<"GroupAny", 262> {
  let summary = "whether the predicate holds in an invocation of the group";
  let description = "`%r = spirvx.GroupAny <Subgroup> %p : i1`. All invocations must be here.";
}

#endif // METTLE_DIALECT_SPIRVX_IR_SPIRVXGROUPOPS_TD
