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
  // IR keeps a bool in a byte.
  if (parameter.signless && parameter.element == ElementType::I8 &&
      (text == "true" || text == "false"))
    return LaunchArgument{Scalar{parameter.element, text == "true"}};
  Expected<uint64_t> bits = parseElement(parameter.element, text, parameter.signless);
  if (!bits)
    return located(bits.takeError());
  return LaunchArgument{Scalar{parameter.element, *bits}};
}

/// The name of the source's parameter that a parameter is, or is a part of.
static StringRef sourceName(const KernelParameter &parameter) {
  StringRef name = parameter.name;
  return name.take_until([](char c) { return c == '.' || c == '['; });
}

static bool isPart(const KernelParameter &parameter) {
  return sourceName(parameter).size() != parameter.name.size();
}

/// Takes the parameters that one argument is for: one, or the parts of a record.
static ArrayRef<KernelParameter> takeParameter(ArrayRef<KernelParameter> &parameters) {
  size_t count = 1;
  if (isPart(parameters.front()))
    while (count != parameters.size() && isPart(parameters[count]) &&
           sourceName(parameters[count]) == sourceName(parameters.front()))
      ++count;
  ArrayRef<KernelParameter> taken = parameters.take_front(count);
  parameters = parameters.drop_front(count);
  return taken;
}

/// Splits `{a, {b, c}}` at its commas into a, b, c; those in brackets belong to an array. Inner
/// braces group and mean nothing else. False where braces do not match.
static bool splitRecord(StringRef text, SmallVectorImpl<StringRef> &parts) {
  int depth = 0, brackets = 0;
  size_t start = 0;
  auto finish = [&](size_t end) {
    if (StringRef part = text.slice(start, end).trim(); !part.empty())
      parts.push_back(part);
    start = end + 1;
  };
  for (auto [i, c] : enumerate(text)) {
    brackets += c == '[' ? 1 : c == ']' ? -1 : 0;
    if (brackets || (c != '{' && c != '}' && c != ','))
      continue;
    finish(i);
    depth += c == '{' ? 1 : c == '}' ? -1 : 0;
    if (depth < 0 || (!depth && i + 1 != text.size()))
      return false;
  }
  return !depth && !brackets && text.starts_with("{");
}

/// Reads the argument of one parameter of the source.
static Error parseArgument(StringRef text, ArrayRef<KernelParameter> parameters, size_t position,
                           std::vector<LaunchArgument> &arguments) {
  SmallVector<StringRef> parts{text};
  if (isPart(parameters.front())) {
    parts.clear();
    StringRef name = sourceName(parameters.front());
    if (!splitRecord(text, parts))
      return createStringError("argument " + Twine(position) + " ('" + name +
                               "'): expected a record such as {" + parameters.front().name +
                               ", ...}, found '" + text + "'");
    if (parts.size() != parameters.size())
      return createStringError("argument " + Twine(position) + " ('" + name + "'): expected " +
                               Twine(parameters.size()) + " values in braces, found " +
                               Twine(parts.size()));
  }
  for (auto [part, parameter] : zip_equal(parts, parameters)) {
    Expected<LaunchArgument> argument = parseLaunchArgument(part, parameter, position);
    if (!argument)
      return argument.takeError();
    arguments.push_back(std::move(*argument));
  }
  return Error::success();
}

Expected<std::vector<LaunchArgument>> parseLaunchArguments(StringRef kernel,
                                                           ArrayRef<KernelParameter> parameters,
                                                           ArrayRef<std::string> texts) {
  SmallVector<ArrayRef<KernelParameter>> taken;
  while (!parameters.empty())
    taken.push_back(takeParameter(parameters));
  if (taken.size() != texts.size()) {
    std::string names;
    for (ArrayRef<KernelParameter> parameter : taken)
      names += (names.empty() ? " (" : ", ") + sourceName(parameter.front()).str();
    if (!names.empty())
      names += ")";
    return createStringError("kernel '" + kernel + "': expected " + Twine(taken.size()) +
                             " arguments" + names + ", found " + Twine(texts.size()));
  }
  std::vector<LaunchArgument> arguments;
  for (auto [position, text] : enumerate(texts))
    if (Error error = parseArgument(text, taken[position], position + 1, arguments))
      return error;
  return arguments;
}

} // namespace mettle::runtime
