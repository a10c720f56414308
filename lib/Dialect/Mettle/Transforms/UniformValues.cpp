//===- UniformValues.cpp - for whom values are the same -===//
//
// The analysis of the verifier, asked for values.
//
//===----------------------------------------------------------------------===//

#include "Mettle/Dialect/Mettle/Transforms/UniformValues.h"

#include "Uniformity.h"

using namespace mlir;
using namespace mettle;

static Sameness samenessOf(Rank rank) {
  switch (rank) {
  case Rank::Unknown:
    return Sameness::Never;
  case Rank::Workgroup:
    return Sameness::Workgroup;
  case Rank::Subgroup:
    return Sameness::Subgroup;
  case Rank::Varying:
    return Sameness::Varying;
  }
  llvm_unreachable("every rank is listed");
}

std::optional<std::vector<Sameness>> mettle::samenessOf(ModuleOp module, ArrayRef<Value> values) {
  Uniformity uniformity(module);
  if (failed(uniformity.run()))
    return std::nullopt;
  std::vector<Sameness> found;
  for (Value value : values)
    found.push_back(::samenessOf(uniformity.rankOf(value)));
  return found;
}
