//===- Math.cpp - operations of math with one exact result ----------------===//
//
// Each is an instruction of OpenCL.std whose result the OpenCL specification fixes, but for the
// square root, which the runtime probes on its device.
//
//===----------------------------------------------------------------------===//

#include "Patterns.h"

#include "Mettle/Dialect/SPIRVX/IR/SPIRVXMathOps.h"
#include "mlir/Dialect/Math/IR/Math.h"

using namespace mlir;
using namespace mettle;
using namespace mettle::tospirv;

void mettle::tospirv::populateMathPatterns(const SPIRVTypeConverter &types,
                                           RewritePatternSet &patterns) {
  patterns.add<
      OneInstruction<math::AbsFOp, spirv::CLFAbsOp>, OneInstruction<math::AbsIOp, spirv::CLSAbsOp>,
      OneInstruction<math::CeilOp, spirv::CLCeilOp>,
      OneInstruction<math::CopySignOp, spirvx::CLCopySignOp>,
      OneInstruction<math::CountLeadingZerosOp, spirvx::CLClzOp>,
      OneInstruction<math::CountTrailingZerosOp, spirvx::CLCtzOp>,
      OneInstruction<math::CtPopOp, spirv::BitCountOp>,
      OneInstruction<math::FloorOp, spirv::CLFloorOp>, OneInstruction<math::FmaOp, spirv::CLFmaOp>,
      OneInstruction<math::RoundEvenOp, spirv::CLRintOp>,
      OneInstruction<math::SqrtOp, spirv::CLSqrtOp>,
      OneInstruction<math::TruncOp, spirvx::CLTruncOp>>(types, patterns.getContext());
}
