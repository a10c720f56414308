//===- EmulatePTX.cpp - PTX and the runtime's arguments -------------------===//
//
// Maps arrays into the emulator's memory, lays out parameters, and words what is wrong.
//
//===----------------------------------------------------------------------===//

#include "Mettle/Pipelines/EmulatePTX.h"

#include "Mettle/Support/LocatedError.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/raw_ostream.h"

#include <cstring>

using namespace mettle;
using namespace llvm;
using assembly::ptx::Diagnostic;
using runtime::ElementType;
using runtime::KernelParameter;

/// The first complaint, with its place.
static Error complaint(StringRef path, StringRef text, ArrayRef<Diagnostic> errors) {
  std::string shown;
  raw_string_ostream stream(shown);
  assembly::ptx::printDiagnostic(stream, path, text, errors.front());
  return make_error<LocatedError>(StringRef(shown).rtrim().str());
}

Expected<PTXKernel> PTXKernel::read(std::string path, std::string text, StringRef entry) {
  PTXKernel result;
  result.name = std::move(path);
  result.contents = std::make_unique<std::string>(std::move(text));
  std::vector<Diagnostic> errors;
  result.program = emulator::Program::read(*result.contents, errors);
  if (!result.program)
    return complaint(result.name, *result.contents, errors);
  std::vector<StringRef> entries = result.program->entries();
  if (entries.empty())
    return createStringError(result.name + ": expected an entry, found none");
  if (entry.empty() && entries.size() == 1)
    entry = entries.front();
  if (!is_contained(entries, entry)) {
    std::string names = join(entries, ", ");
    return entry.empty()
               ? createStringError("expected --kernel with one of: " + names)
               : createStringError(result.name + " has no entry '" + entry + "'; it has: " + names);
  }
  result.decoded = result.program->kernel(entry, errors);
  if (!result.decoded)
    return complaint(result.name, *result.contents, errors);
  return result;
}

/// The runtime's type of a parameter that is a number.
static std::optional<ElementType> elementOf(assembly::ptx::Type type) {
  using assembly::ptx::TypeKind;
  TypeKind kind = typeKind(type);
  unsigned bits = typeBits(type);
  if (kind == TypeKind::Float)
    return bits == 16   ? std::optional(ElementType::F16)
           : bits == 32 ? std::optional(ElementType::F32)
           : bits == 64 ? std::optional(ElementType::F64)
                        : std::nullopt;
  if (kind != TypeKind::Bits && kind != TypeKind::Signed && kind != TypeKind::Unsigned)
    return std::nullopt;
  return bits == 8    ? std::optional(ElementType::I8)
         : bits == 16 ? std::optional(ElementType::I16)
         : bits == 32 ? std::optional(ElementType::I32)
         : bits == 64 ? std::optional(ElementType::I64)
                      : std::nullopt;
}

Error PTXKernel::takeTensorMaps(std::vector<std::string> &texts) {
  ArrayRef<emulator::Parameter> all = decoded->parameters();
  for (auto [position, text] : enumerate(texts)) {
    StringRef fields = text;
    if (!fields.consume_front("map="))
      continue;
    auto fail = [&](const Twine &message) {
      return createStringError("argument " + Twine(position + 1) + ": " + message);
    };
    Expected<json::Value> value = json::parse(fields);
    if (!value)
      return fail(toString(value.takeError()));
    const json::Object *object = value->getAsObject();
    if (!object)
      return fail("expected the fields of a tensor map, found '" + fields + "'");
    Expected<emulator::TensorMap> map = emulator::TensorMap::parse(*object);
    if (!map)
      return fail(toString(map.takeError()));
    std::optional<StringRef> of = object->getString("of");
    const auto *array = find_if(all, [&](const emulator::Parameter &p) { return p.name == of; });
    if (array == all.end() || size_t(array - all.begin()) == position)
      return fail("expected the parameter that a tensor map is 'of'");
    if (position < all.size() && all[position].bytes != emulator::TensorMap::Bytes &&
        all[position].bytes != 8)
      return fail("expected parameter '" + all[position].name + "' to take 128 bytes or a pointer");
    maps.push_back({position, size_t(array - all.begin()), *map});
    text = "i8[128]=zeros";
  }
  return Error::success();
}

Expected<std::vector<KernelParameter>> PTXKernel::parameters(ArrayRef<std::string> texts) const {
  std::vector<KernelParameter> result;
  for (auto [position, parameter] : enumerate(decoded->parameters())) {
    StringRef text = position < texts.size() ? StringRef(texts[position]) : StringRef();
    bool isArray = text.contains('[') || text.starts_with("@");
    if (any_of(maps, [at = position](const MapArgument &map) { return map.position == at; })) {
      result.push_back({parameter.name, ElementType::I8, /*isPointer=*/true, /*signless=*/true});
      continue;
    }
    std::optional<ElementType> element = elementOf(parameter.type);
    if (parameter.isArray || !element)
      return createStringError("no argument can be given for parameter '" + parameter.name +
                               "': it is a structure of " + Twine(parameter.bytes) + " bytes");
    if (isArray && parameter.bytes != 8)
      return createStringError("parameter '" + parameter.name + "' takes a number of " +
                               Twine(parameter.bytes * 8) + " bits, found the array '" + text +
                               "'");
    if (isArray) {
      std::optional<ElementType> named = runtime::elementNamed(text.split('[').first);
      if (!named)
        return createStringError("expected an array such as f32[1024]=zeros for '" +
                                 parameter.name + "', found '" + text + "'");
      element = named;
    }
    result.push_back({parameter.name, *element, isArray, /*signless=*/true});
  }
  return result;
}

void PTXKernel::printNotes(raw_ostream &os) const {
  // A message once, at its first place.
  MapVector<StringRef, std::pair<uint32_t, size_t>> places;
  for (const auto &[offset, message] : decoded->notes())
    ++places.insert({message, {offset, 0}}).first->second.second;
  for (const auto &[message, place] : places) {
    StringRef before = StringRef(*contents).take_front(place.first);
    os << name << ':' << before.count('\n') + 1 << ": note: " << message;
    if (place.second > 1)
      os << " (" << place.second << " such places)";
    os << '\n';
  }
}

Error PTXKernel::run(const runtime::LaunchConfig &config, ArrayRef<KernelParameter> parameters,
                     MutableArrayRef<runtime::LaunchArgument> arguments,
                     const emulator::RunOptions &options) const {
  emulator::Launch launch;
  copy(config.grid, launch.grid.begin());
  copy(config.block, launch.block.begin());
  launch.dynamicShared = uint32_t(config.dynamicShared);
  launch.parameters.resize(decoded->parameterBytes());
  if (decoded->parameters().size() != arguments.size())
    return createStringError("entry '" + decoded->name() + "': expected " +
                             Twine(decoded->parameters().size()) + " arguments, found " +
                             Twine(arguments.size()));
  emulator::GlobalMemory memory;
  std::vector<uint64_t> words;
  for (auto [parameter, argument] : zip_equal(parameters, arguments)) {
    auto *buffer = std::get_if<runtime::Buffer>(&argument.value);
    words.push_back(buffer ? memory.map(buffer->data(), parameter.name)
                           : std::get<runtime::Scalar>(argument.value).bits);
  }
  std::vector<bool> isByValue(arguments.size());
  for (const MapArgument &argument : maps) {
    if (!std::holds_alternative<runtime::Buffer>(arguments[argument.of].value))
      return createStringError("expected an array for parameter '" +
                               decoded->parameters()[argument.of].name +
                               "', which a tensor map is of");
    emulator::TensorMap map = argument.map;
    map.address = words[argument.of];
    auto &bytes = std::get<runtime::Buffer>(arguments[argument.position].value);
    map.encode(bytes.data().data());
    const emulator::Parameter &place = decoded->parameters()[argument.position];
    isByValue[argument.position] = place.bytes == emulator::TensorMap::Bytes;
    if (isByValue[argument.position])
      map.encode(&launch.parameters[place.offset]);
  }
  for (auto [position, place] : enumerate(decoded->parameters())) {
    if (isByValue[position])
      continue;
    uint64_t word = words[position];
    if (place.bytes > sizeof(word))
      return createStringError("parameter '" + place.name + "': expected at most 8 bytes, found " +
                               Twine(place.bytes));
    memcpy(&launch.parameters[place.offset], &word, place.bytes);
  }
  if (std::optional<emulator::Fault> fault = emulator::run(*decoded, launch, memory, options)) {
    std::string shown;
    raw_string_ostream stream(shown);
    emulator::printFault(stream, name, *contents, *fault);
    return make_error<LocatedError>(StringRef(shown).rtrim().str());
  }
  return Error::success();
}
