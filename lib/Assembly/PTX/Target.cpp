//===- Target.cpp - Architectures -----------------------------------------===//
//
// Names of the rows of Targets.def.
//
//===----------------------------------------------------------------------===//

#include "Mettle/Assembly/PTX/Target.h"

using namespace mettle::assembly::ptx;

static constexpr TargetInfo rows[] = {
#define METTLE_PTX_TARGET(Name, Number, Suffix, Major, Minor)                                      \
  {Name, {Number, Suffix}, {Major, Minor}},
#include "Mettle/Assembly/PTX/Targets.def"
};

llvm::ArrayRef<TargetInfo> mettle::assembly::ptx::targetTable() { return rows; }

const TargetInfo *mettle::assembly::ptx::targetNamed(llvm::StringRef name) {
  for (const TargetInfo &row : rows)
    if (row.name == name)
      return &row;
  return nullptr;
}

std::optional<Target> mettle::assembly::ptx::parseTarget(llvm::StringRef name) {
  Target target;
  if (!name.consume_front("sm_") || name.consumeInteger(10, target.number))
    return std::nullopt;
  if (name == "a" || name == "f")
    target.suffix = name[0];
  else if (!name.empty())
    return std::nullopt;
  return target;
}
