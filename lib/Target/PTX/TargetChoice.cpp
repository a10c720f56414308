//===- TargetChoice.cpp - the target that a module is emitted for -===//
//
// Only the set of opcodes matters, so that time does not depend on how often one is used.
//
//===----------------------------------------------------------------------===//

#include "TargetChoice.h"

#include "Mettle/Dialect/PTX/IR/InstOps.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace mettle::ptx;

/// The first use of every opcode.
static llvm::MapVector<Opcode, InstOp> firstUses(Operation *module) {
  llvm::MapVector<Opcode, InstOp> uses;
  module->walk([&](InstOp op) { uses.try_emplace(op.getOpcode(), op); });
  return uses;
}

static bool offers(Architecture architecture, const InstInfo &info) {
  if (architecture.sm < info.minSM)
    return false;
  if (info.features.empty())
    return true;
  SmallVector<StringRef> alternatives;
  StringRef(info.features).split(alternatives, ' ');
  return llvm::any_of(alternatives,
                      [&](StringRef feature) { return architecture.offers(feature); });
}

static std::string spelling(InstOp op) {
  return printMnemonic({op.getOpcode(), uint32_t(op.getModifiers())});
}

static Version minVersion(const InstInfo &info) { return {info.isaMajor, info.isaMinor}; }

/// What an instruction needs, in words.
static std::string needs(const InstInfo &info) {
  std::string text = "PTX " + minVersion(info).str() + " and ";
  if (info.features.empty())
    return text + "sm_" + std::to_string(info.minSM);
  SmallVector<StringRef> alternatives;
  StringRef(info.features).split(alternatives, ' ');
  return text + llvm::join(alternatives, " or ");
}

/// The lowest architecture with every instruction, among those that `spec` has if there is one.
static std::optional<Architecture> lowestArchitecture(const llvm::MapVector<Opcode, InstOp> &uses,
                                                      const TargetSpec &spec) {
  std::optional<Architecture> later;
  for (Architecture candidate : currentArchitectures()) {
    if (!llvm::all_of(uses, [&](auto &use) { return offers(candidate, instInfo(use.first)); }))
      continue;
    if (!spec.version || !(*spec.version < candidate.introduced()))
      return candidate;
    if (!later)
      later = candidate;
  }
  return later;
}

static LogicalResult reportNoArchitecture(Operation *module,
                                          const llvm::MapVector<Opcode, InstOp> &uses) {
  InFlightDiagnostic diagnostic = module->emitError()
                                  << "no architecture has every instruction of the module";
  for (auto &[opcode, op] : uses)
    if (!instInfo(opcode).features.empty())
      diagnostic.attachNote(InstOp(op).getLoc())
          << spelling(op) << " needs " << needs(instInfo(opcode));
  return diagnostic;
}

FailureOr<Target> mettle::ptx::chooseTarget(Operation *module, const TargetSpec &spec) {
  llvm::MapVector<Opcode, InstOp> uses = firstUses(module);

  Version version;
  for (auto &[opcode, op] : uses)
    version = std::max(version, minVersion(instInfo(opcode)));
  if (spec.version)
    version = *spec.version;

  std::optional<Architecture> architecture = spec.architecture;
  if (!architecture)
    architecture = lowestArchitecture(uses, spec);
  if (!architecture)
    return reportNoArchitecture(module, uses);
  if (!spec.version)
    version = std::max(version, architecture->introduced());
  else if (version < architecture->introduced())
    return module->emitError() << "the module needs " << architecture->str() << " and with it PTX "
                               << architecture->introduced().str() << ", but the target is PTX "
                               << version.str();

  bool failed = false;
  for (auto &[opcode, op] : uses) {
    const InstInfo &info = instInfo(opcode);
    if (offers(*architecture, info) && !(version < minVersion(info)))
      continue;
    op.emitError() << spelling(op) << " needs " << needs(info) << ", but the target is PTX "
                   << version.str() << " and " << architecture->str();
    failed = true;
  }
  if (failed)
    return failure();
  return Target{*architecture, version};
}
