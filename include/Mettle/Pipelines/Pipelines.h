//===- Pipelines.h - the roads from source to a target -===//
//
// Which passes run, in one place: the drivers, the C API and tests build them from here.
//
//===----------------------------------------------------------------------===//

#ifndef METTLE_PIPELINES_PIPELINES_H
#define METTLE_PIPELINES_PIPELINES_H

namespace mlir {
class OpPassManager;
} // namespace mlir

namespace mettle {
namespace ptx {
struct TargetSpec;
} // namespace ptx

/// What every module goes through before a target: the strict-float check and, when optimizing,
/// upstream's inliner, canonicalizer (which never simplifies regions aggressively: it would merge
/// divergent collectives), CSE, SCCP, integer-range folds and loop-invariant code motion, then our
/// asynchronous staging. None of them changes the bits a kernel writes; which NaN it writes is not
/// part of them. With `explain` our passes say in remarks what they did and what they left and why.
void buildNeutralPipeline(mlir::OpPassManager &manager, bool optimize, bool explain = false);

/// From neutral IR to the ptx dialect, for a target of which nothing else need be fixed.
void buildPTXPipeline(mlir::OpPassManager &manager, const ptx::TargetSpec &target, bool optimize);

} // namespace mettle

#endif // METTLE_PIPELINES_PIPELINES_H
