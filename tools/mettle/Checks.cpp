//===- Checks.cpp - the assertions and prints of a launch -===//
//
// The same lines for every device: a failed assertion is an error at its place in source, and what
// was printed follows on the standard error.
//
//===----------------------------------------------------------------------===//

#include "Driver.h"

#include "Mettle/Dialect/Mettle/Transforms/CheckSites.h"
#include "Mettle/Runtime/Session.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;
using namespace mettle;
using namespace mettle::driver;

LaunchChecks::LaunchChecks(KernelOp kernel) : kernel(kernel.getSymName()) {
  auto module = kernel->getParentOfType<ModuleOp>();
  for (const CheckSite &site : collectCheckSites(module)) {
    locations.push_back(site.location);
    runtime::CheckSite &made = sites.emplace_back();
    made.isPrint = site.isPrint;
    made.text = site.text;
    for (StringRef kind : site.kinds)
      made.kinds.push_back(*runtime::elementNamed(kind));
  }
  takesBuffer =
      functionsWithChecks(module).contains(cast<FunctionOpInterface>(kernel.getOperation()));
}

llvm::Error LaunchChecks::giveBuffer(runtime::Session &session) {
  if (!takesBuffer)
    return llvm::Error::success();
  llvm::Expected<runtime::Buffer> buffer = runtime::makeCheckBuffer();
  if (!buffer)
    return buffer.takeError();
  session.addHidden("checks", std::move(*buffer));
  hasBuffer = true;
  return llvm::Error::success();
}

llvm::Expected<runtime::CheckResults> LaunchChecks::results(runtime::Session &session) const {
  if (!hasBuffer)
    return runtime::CheckResults{{}, prints, 0};
  return runtime::readCheckBuffer(std::get<runtime::Buffer>(session.arguments().back().value),
                                  sites);
}

bool LaunchChecks::hasFailed(runtime::Session &session) const {
  llvm::Expected<runtime::CheckResults> found = results(session);
  if (found)
    return found->failed.has_value();
  llvm::consumeError(found.takeError());
  return false;
}

void LaunchChecks::take(const interpreter::Print &print) {
  SmallVector<runtime::ElementType> kinds;
  for (StringRef kind : print.kinds)
    kinds.push_back(*runtime::elementNamed(kind));
  runtime::Printed &made = prints.emplace_back();
  llvm::copy(print.workgroup, made.workgroup.begin());
  llvm::copy(print.workItem, made.workItem.begin());
  made.text = runtime::formatPrint(print.text, kinds, print.values);
}

static std::string describe(const runtime::Extents &index) {
  std::string text = "(";
  for (uint64_t at : index)
    text += (text.size() > 1 ? ", " : "") + std::to_string(at);
  return text + ")";
}

LogicalResult LaunchChecks::finish(runtime::Session &session) {
  llvm::Expected<runtime::CheckResults> found = results(session);
  if (!found)
    return reported(found.takeError());
  if (const auto &failed = found->failed) {
    const std::string &text = sites[failed->site].text;
    // As the interpreter says it.
    emitError(locations[failed->site])
        << "work-item " << describe(failed->workItem) << " of workgroup "
        << describe(failed->workgroup) << " fails an assertion of kernel '" << kernel << "'"
        << (text.empty() ? "" : ": ") << text;
  }
  runtime::sortPrints(found->prints);
  for (const runtime::Printed &print : found->prints)
    llvm::errs() << print.text << '\n';
  if (found->lost)
    llvm::errs() << "mettle: warning: " << found->lost
                 << " prints found no room in the buffer and are lost\n";
  return success(!found->failed);
}
