//===- Launch.cpp - What a kernel is launched with ------------------------===//
//
// Parsing of extents and arguments, each with one line for every way to be wrong.
//
//===----------------------------------------------------------------------===//

#include "Mettle/Runtime/Launch.h"

#include "Mettle/Runtime/Fill.h"
#include "Mettle/Runtime/Npy.h"

#include "llvm/ADT/StringExtras.h"

using namespace llvm;

namespace mettle::runtime {

namespace {

struct ExtentLimit {
  StringLiteral name;
  uint64_t highest;
};

} // namespace

static constexpr ExtentLimit gridLimits[] = {
    {"grid.x", (uint64_t(1) << 31) - 1}, {"grid.y", 65535}, {"grid.z", 65535}};
static constexpr ExtentLimit blockLimits[] = {
    {"block.x", 1024}, {"block.y", 1024}, {"block.z", 64}};
static constexpr uint64_t maxThreads = 1024;
/// What sm_90 and later can give to one workgroup; a device's own limit may be
/// lower, and is checked when the device is known.
static constexpr uint64_t maxShared = 227 * 1024;

static Error checkExtents(const Extents &extents, ArrayRef<ExtentLimit> limits) {
  for (auto [extent, limit] : zip_equal(extents, limits))
    if (extent < 1 || extent > limit.highest)
      return createStringError("expected " + limit.name + " from 1 to " + Twine(limit.highest) +
                               ", found " + Twine(extent));
  return Error::success();
}

Error LaunchConfig::validate() const {
  if (Error error = checkExtents(grid, gridLimits))
    return error;
  if (Error error = checkExtents(block, blockLimits))
    return error;
  uint64_t threads = block[0] * block[1] * block[2];
  if (threads > maxThreads)
    return createStringError("expected at most " + Twine(maxThreads) +
                             " threads in a block, found " + Twine(block[0]) + " * " +
                             Twine(block[1]) + " * " + Twine(block[2]) + " = " + Twine(threads));
  if (dynamicShared > maxShared)
    return createStringError("expected at most " + Twine(maxShared) +
                             " bytes of dynamic workgroup memory, found " + Twine(dynamicShared));
  return Error::success();
}

Expected<Extents> parseExtents(StringRef option, StringRef text) {
  Extents extents{1, 1, 1};
  SmallVector<StringRef> parts;
  text.split(parts, ',');
  bool valid = parts.size() <= extents.size();
  for (size_t i = 0; valid && i != parts.size(); ++i)
    valid = !parts[i].getAsInteger(10, extents[i]);
  if (!valid)
    return createStringError("expected X, X,Y or X,Y,Z for " + option + ", found '" + text + "'");
  return extents;
}

/// Whether an array of `type` may be passed for `parameter`.
static bool accepts(const KernelParameter &parameter, ElementType type) {
  if (type == parameter.element)
    return true;
  const ElementRecord &wanted = recordOf(parameter.element);
  const ElementRecord &given = recordOf(type);
  auto isInteger = [](const ElementRecord &record) {
    return record.kind == ElementKind::Signed || record.kind == ElementKind::Unsigned;
  };
  return parameter.signless && isInteger(wanted) && isInteger(given) && wanted.bytes == given.bytes;
}

static Expected<Buffer> parseArray(StringRef text, const KernelParameter &parameter) {
  StringRef wanted = recordOf(parameter.element).name;
  auto isForeign = [&](ElementType type) {
    return createStringError("expected elements of type " + wanted + ", found " +
                             recordOf(type).name);
  };
  StringRef path = text;
  if (path.consume_front("@")) {
    Expected<Buffer> buffer = readNpy(path);
    if (buffer && !accepts(parameter, buffer->type()))
      return isForeign(buffer->type());
    return buffer;
  }

  auto [array, contents] = text.split('=');
  auto [typeName, extentList] = array.split('[');
  std::optional<ElementType> type = elementNamed(typeName);
  SmallVector<uint64_t, 4> shape;
  bool valid = type && extentList.consume_back("]") && text.contains('=');
  if (valid) {
    SmallVector<StringRef> parts;
    extentList.split(parts, ',');
    for (StringRef part : parts) {
      shape.push_back(0);
      valid &= !part.getAsInteger(10, shape.back()) && shape.back() > 0;
    }
  }
  if (!valid)
    return createStringError("expected an array such as " + wanted + "[1024]=zeros, found '" +
                             text + "'");
  if (!accepts(parameter, *type))
    return isForeign(*type);
  if (contents.consume_front("@"))
    return readNpy(contents, *type, shape);
  return filledBuffer(*type, shape, contents);
}

Expected<LaunchArgument> parseLaunchArgument(StringRef text, const KernelParameter &parameter,
                                             size_t position) {
  auto located = [&](Error error) {
    std::string name = parameter.name.empty() ? "" : " ('" + parameter.name + "')";
    return createStringError("argument " + Twine(position) + name + ": " +
                             toString(std::move(error)));
  };
  if (parameter.isPointer) {
    Expected<Buffer> buffer = parseArray(text, parameter);
    if (!buffer)
      return located(buffer.takeError());
    return LaunchArgument{std::move(*buffer)};
  }
  Expected<uint64_t> bits = parseElement(parameter.element, text, parameter.signless);
  if (!bits)
    return located(bits.takeError());
  return LaunchArgument{Scalar{parameter.element, *bits}};
}

Expected<std::vector<LaunchArgument>> parseLaunchArguments(StringRef kernel,
                                                           ArrayRef<KernelParameter> parameters,
                                                           ArrayRef<std::string> texts) {
  if (parameters.size() != texts.size()) {
    std::string names;
    for (const KernelParameter &parameter : parameters)
      names += (names.empty() ? " (" : ", ") + parameter.name;
    if (!names.empty())
      names += ")";
    return createStringError("kernel '" + kernel + "': expected " + Twine(parameters.size()) +
                             " arguments" + names + ", found " + Twine(texts.size()));
  }
  std::vector<LaunchArgument> arguments;
  for (auto [position, text] : enumerate(texts)) {
    Expected<LaunchArgument> argument =
        parseLaunchArgument(text, parameters[position], position + 1);
    if (!argument)
      return argument.takeError();
    arguments.push_back(std::move(*argument));
  }
  return arguments;
}

} // namespace mettle::runtime
