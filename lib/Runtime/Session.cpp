//===- Session.cpp - One run from the command line ------------------------===//
//
// Everything that can be wrong with a command is found before the run.
//
//===----------------------------------------------------------------------===//

#include "Mettle/Runtime/Session.h"

#include "Mettle/Runtime/Npy.h"
#include "Mettle/Runtime/Report.h"

#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace mettle::runtime {

Expected<Session> Session::prepare(StringRef kernel, ArrayRef<KernelParameter> parameters,
                                   const SessionOptions &options) {
  Session session;
  session.kernelParameters = parameters.vec();
  session.json = options.json;
  if (Error error = session.resolveSaves(options.saves))
    return error;
  session.launch.dynamicShared = options.shared;
  for (auto [extents, option, text] : {std::tuple(&session.launch.grid, "grid", &options.grid),
                                       {&session.launch.block, "block", &options.block}}) {
    Expected<Extents> parsed = parseExtents(option, *text);
    if (!parsed)
      return parsed.takeError();
    *extents = *parsed;
  }
  if (Error error = session.launch.validate())
    return error;
  Expected<std::vector<LaunchArgument>> values =
      parseLaunchArguments(kernel, parameters, options.arguments);
  if (!values)
    return values.takeError();
  session.values = std::move(*values);
  return session;
}

Error Session::resolveSaves(ArrayRef<std::string> texts) {
  for (StringRef text : texts) {
    auto [name, path] = text.split('=');
    auto found = find_if(kernelParameters, [&, name = name](const KernelParameter &parameter) {
      return parameter.name == name && parameter.isPointer;
    });
    if (path.empty() || found == kernelParameters.end())
      return createStringError("expected --save PARAMETER=FILE.npy with an array parameter, got '" +
                               text + "'");
    saves.push_back({size_t(found - kernelParameters.begin()), path.str()});
  }
  return Error::success();
}

void Session::addHidden(std::string name, Buffer buffer) {
  kernelParameters.push_back({std::move(name), buffer.type(), /*isPointer=*/true});
  values.push_back({std::move(buffer)});
  ++hidden;
}

Error Session::finish(raw_ostream &os) const {
  for (const Save &save : saves)
    if (Error error = writeNpy(save.path, std::get<Buffer>(values[save.argument].value)))
      return error;
  std::vector<NamedBuffer> arrays;
  for (auto [parameter, argument] :
       zip_equal(ArrayRef(kernelParameters).drop_back(hidden), ArrayRef(values).drop_back(hidden)))
    if (auto *buffer = std::get_if<Buffer>(&argument.value))
      arrays.push_back({parameter.name, buffer});
  json ? printJSON(os, arrays) : printTable(os, arrays);
  return Error::success();
}

} // namespace mettle::runtime
