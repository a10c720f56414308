//===- Sameness.cpp - for whom variables are the same ---------------------===//
//
// Compiles the file and asks the analysis that barriers and collectives are verified with.
//
//===----------------------------------------------------------------------===//

#include "Sameness.h"

#include "Mettle/Dialect/Mettle/Transforms/UniformValues.h"

using namespace mettle;
using namespace mettle::lsp;

static llvm::StringRef wordsFor(Sameness sameness) {
  switch (sameness) {
  case Sameness::Never:
    return "";
  case Sameness::Workgroup:
    return "the same in the whole workgroup";
  case Sameness::Subgroup:
    return "the same in each subgroup";
  case Sameness::Varying:
    return "may differ between work-items";
  }
  llvm_unreachable("every sameness has words");
}

llvm::DenseMap<frontend::Offset, llvm::StringRef>
mettle::lsp::samenessOfVariables(mlir::MLIRContext &context, llvm::StringRef name,
                                 llvm::StringRef text) {
  llvm::DenseMap<frontend::Offset, llvm::StringRef> words;
  frontend::VariableValues taken;
  mlir::OwningOpRef<mlir::ModuleOp> module = frontend::importMettleSource(
      name, text, &context, {}, [](const frontend::Source &, const frontend::Diagnostic &) {},
      &taken);
  if (!module)
    return words;
  auto values = llvm::to_vector(llvm::make_second_range(taken));
  std::optional<std::vector<Sameness>> found = samenessOf(*module, values);
  if (!found)
    return words;
  // A variable is what its least uniform value is.
  llvm::DenseMap<frontend::Offset, Sameness> worst;
  for (auto [entry, sameness] : llvm::zip_equal(taken, *found))
    worst[entry.first] = std::max(worst.lookup(entry.first), sameness);
  for (auto [place, sameness] : worst)
    words[place] = wordsFor(sameness);
  return words;
}
