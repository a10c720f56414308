// Every operation whose words follow from its record: upstream's and spirvx's.

include "mlir/Dialect/SPIRV/IR/SPIRVOps.td"
include "Mettle/Dialect/SPIRVX/IR/SPIRVXAtomicOps.td"
include "Mettle/Dialect/SPIRVX/IR/SPIRVXGroupOps.td"
include "Mettle/Dialect/SPIRVX/IR/SPIRVXMathOps.td"
