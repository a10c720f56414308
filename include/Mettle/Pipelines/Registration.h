//===- Registration.h - the dialects and passes that the tools share -===//
//
// One list for every tool, and only what is used: registering all of upstream costs a tool 30 ms
// at each start.
//
//===----------------------------------------------------------------------===//

#ifndef METTLE_PIPELINES_REGISTRATION_H
#define METTLE_PIPELINES_REGISTRATION_H

namespace mlir {
class DialectRegistry;
} // namespace mlir

namespace mettle {

/// Adds Mettle's dialects, those of upstream it builds on, and the extensions that its passes need.
void registerDialects(mlir::DialectRegistry &registry);

/// Registers every Mettle pass and the upstream passes that pipelines and tests use.
void registerPasses();

} // namespace mettle

#endif // METTLE_PIPELINES_REGISTRATION_H
