//===- ToSPIRV.cpp - translations to SPIR-V ---------------------------------===//
//
// Kernels, or a module converted before, to a binary; and to the module that upstream's serializer
// takes, by which tests judge our encoder.
//
//===----------------------------------------------------------------------===//

#include "Translations.h"

#include "Mettle/Dialect/SPIRVX/IR/SPIRVXModuleOps.h"
#include "Mettle/Pipelines/CompileToSPIRV.h"
#include "Mettle/Pipelines/Registration.h"
#include "Mettle/Target/SPIRV/TranslateToSPIRV.h"
#include "mlir/Dialect/SPIRV/IR/SPIRVOps.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Tools/mlir-translate/Translation.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;
using namespace mettle;

static llvm::cl::opt<SPIRVVersion>
    version("spirv-version", llvm::cl::desc("Version of SPIR-V to write"),
            llvm::cl::values(clEnumValN(SPIRVVersion::V1_0, "1.0", "for OpenCL 2.0"),
                             clEnumValN(SPIRVVersion::V1_4, "1.4", "for OpenCL 2.1 and later")),
            llvm::cl::init(SPIRVVersion::V1_4));

static llvm::cl::opt<bool> debugInfo("spirv-debug-info",
                                     llvm::cl::desc("Write names and source lines"));

static llvm::cl::opt<bool> optimize("spirv-optimize",
                                    llvm::cl::desc("Optimize before the conversion"));

static SPIRVCompileOptions compileOptions() {
  SPIRVCompileOptions options;
  options.version = version;
  options.optimize = optimize;
  options.debugInfo = debugInfo;
  return options;
}

static LogicalResult writeBinary(mlir::ModuleOp module, raw_ostream &os) {
  SmallVector<uint32_t, 0> words;
  if (failed(compileToSPIRV(module, compileOptions(), words)))
    return failure();
  os.write(reinterpret_cast<const char *>(words.data()), words.size() * sizeof(uint32_t));
  return success();
}

static LogicalResult writeUpstreamModule(mlir::ModuleOp module, raw_ostream &os) {
  if (failed(convertToSPIRV(module, compileOptions())))
    return failure();
  FailureOr<spirvx::ModuleOp> ours = findSPIRVModule(module);
  if (failed(ours))
    return failure();
  FailureOr<OwningOpRef<spirv::ModuleOp>> theirs = buildUpstreamModule(*ours);
  if (failed(theirs))
    return failure();
  (*theirs)->print(os);
  os << '\n';
  return success();
}

void mettle::registerToSPIRV() {
  TranslateFromMLIRRegistration binary("mettle-to-spirv", "kernels to a SPIR-V binary for OpenCL",
                                       writeBinary, registerDialects);
  TranslateFromMLIRRegistration upstream("mettle-to-upstream-spirv",
                                         "kernels to a spirv.module for upstream's serializer",
                                         writeUpstreamModule, registerDialects);
}
