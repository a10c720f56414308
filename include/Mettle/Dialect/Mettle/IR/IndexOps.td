// Where in the launch a work-item is.

#ifndef METTLE_DIALECT_METTLE_IR_INDEXOPS_TD
#define METTLE_DIALECT_METTLE_IR_INDEXOPS_TD

include "Mettle/Dialect/Mettle/IR/MettleBase.td"
include "mlir/Interfaces/InferIntRangeInterface.td"
include "mlir/Interfaces/InferTypeOpInterface.td"

class Mettle_IndexOp<string mnemonic, string what> : Mettle_Op<mnemonic, [
    Pure, DeclareOpInterfaceMethods<InferIntRangeInterface, ["inferResultRanges"]>]> {
  let summary = what # " along one axis";
  let arguments = (ins Mettle_DimensionAttr:$dimension);
  let results = (outs I32:$result);
  let assemblyFormat = "`` $dimension attr-dict";
}

def Mettle_ThreadIdOp : Mettle_IndexOp<"thread_id", "index of the work-item in its workgroup"> {
  let description = "From 0 to the workgroup's extent less one: `%i = mettle.thread_id x`.";
}

def Mettle_BlockIdOp : Mettle_IndexOp<"block_id", "index of the workgroup in the launch"> {
  let description = "From 0 to the launch's extent less one: `%i = mettle.block_id x`.";
}

def Mettle_BlockDimOp : Mettle_IndexOp<"block_dim", "number of work-items in a workgroup"> {
  let description = "At least 1, the same for every workgroup: `%n = mettle.block_dim x`.";
  let hasFolder = 1;
}

def Mettle_GridDimOp : Mettle_IndexOp<"grid_dim", "number of workgroups in the launch"> {
  let description = "At least 1: `%n = mettle.grid_dim x`.";
}

#endif // METTLE_DIALECT_METTLE_IR_INDEXOPS_TD
