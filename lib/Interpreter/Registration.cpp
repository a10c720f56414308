//===- Registration.cpp - the models of every family -===//
//
// Attaches what the families' sources define; CMakeLists.txt lists the families.
//
//===----------------------------------------------------------------------===//

#include "Mettle/Interpreter/InterpretableOpInterface.h"

// Each is defined in the family's own source.
namespace mettle::interpreter::detail {
#define METTLE_FAMILY(NAME) void register##NAME##Models(mlir::DialectRegistry &registry);
#include "InterpreterFamilies.inc"
} // namespace mettle::interpreter::detail

void mettle::interpreter::registerModels(mlir::DialectRegistry &registry) {
#define METTLE_FAMILY(NAME) detail::register##NAME##Models(registry);
#include "InterpreterFamilies.inc"
}
