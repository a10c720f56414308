//===- ExecutionSet.cpp - Launches whose results are known ----------------===//
//
// Reads records, makes their inputs, runs them and compares hashes.
//
//===----------------------------------------------------------------------===//

#include "Mettle/Emulator/ExecutionSet.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Base64.h"
#include "llvm/Support/Compression.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/SHA256.h"
#include <cmath>
#include <cstring>
#include <lzma.h>

using namespace mettle;
using namespace mettle::emulator;
using numerics::Format;

//===----------------------------------------------------------------------===//
// Lines
//===----------------------------------------------------------------------===//

/// Gives the lines of `text` to `line` but for a last one without an end, which is returned.
static llvm::Expected<llvm::StringRef>
takeLines(llvm::StringRef text, llvm::function_ref<llvm::Error(llvm::StringRef)> line) {
  for (size_t end; (end = text.find('\n')) != llvm::StringRef::npos;
       text = text.drop_front(end + 1))
    if (!text.take_front(end).trim().empty())
      if (llvm::Error error = line(text.take_front(end)))
        return std::move(error);
  return text;
}

llvm::Error mettle::emulator::forEachLine(llvm::StringRef path,
                                          llvm::function_ref<llvm::Error(llvm::StringRef)> line) {
  auto file = llvm::MemoryBuffer::getFile(path, false, false);
  if (!file)
    return llvm::createStringError(path + ": cannot read: " + file.getError().message());
  llvm::StringRef text = (*file)->getBuffer();
  std::string pending;
  auto finish = [&](llvm::StringRef rest) {
    return rest.trim().empty() ? llvm::Error::success() : line(rest);
  };
  if (!path.ends_with(".xz")) {
    llvm::Expected<llvm::StringRef> rest = takeLines(text, line);
    return rest ? finish(*rest) : rest.takeError();
  }
  lzma_stream stream = LZMA_STREAM_INIT;
  if (lzma_stream_decoder(&stream, UINT64_MAX, LZMA_CONCATENATED) != LZMA_OK)
    return llvm::createStringError(path + ": cannot start to decompress");
  struct End {
    lzma_stream &stream;
    ~End() { lzma_end(&stream); }
  } end{stream};
  stream.next_in = text.bytes_begin();
  stream.avail_in = text.size();
  std::vector<uint8_t> chunk(1 << 20);
  for (lzma_ret status = LZMA_OK; status != LZMA_STREAM_END;) {
    stream.next_out = chunk.data();
    stream.avail_out = chunk.size();
    status = lzma_code(&stream, LZMA_FINISH);
    if (status != LZMA_OK && status != LZMA_STREAM_END)
      return llvm::createStringError(path + ": expected a whole file in the xz format");
    pending.append(reinterpret_cast<char *>(chunk.data()), chunk.size() - stream.avail_out);
    llvm::Expected<llvm::StringRef> rest = takeLines(pending, line);
    if (!rest)
      return rest.takeError();
    pending = rest->str();
  }
  return finish(pending);
}

//===----------------------------------------------------------------------===//
// Records
//===----------------------------------------------------------------------===//

namespace {
struct TensorType {
  llvm::StringLiteral name;
  std::optional<Format> format;
  unsigned bytes;
};
} // namespace

static constexpr TensorType tensorTypes[] = {
    {"float16", Format::F16, 2},        {"bfloat16", Format::BF16, 2},
    {"float32", Format::F32, 4},        {"float64", Format::F64, 8},
    {"float8_e4m3fn", Format::E4M3, 1}, {"float8_e5m2", Format::E5M2, 1},
    {"int8", std::nullopt, 1},          {"uint8", std::nullopt, 1},
    {"int16", std::nullopt, 2},         {"int32", std::nullopt, 4},
    {"uint32", std::nullopt, 4},        {"int64", std::nullopt, 8},
    {"bool", std::nullopt, 1},
};

static llvm::Expected<std::vector<uint8_t>> decodeBytes(llvm::StringRef text, uint64_t size) {
  std::vector<char> packed;
  if (llvm::Error error = llvm::decodeBase64(text, packed))
    return std::move(error);
  llvm::SmallVector<uint8_t, 0> bytes;
  if (llvm::Error error = llvm::compression::zlib::decompress(
          llvm::ArrayRef(reinterpret_cast<uint8_t *>(packed.data()), packed.size()), bytes, size))
    return std::move(error);
  if (bytes.size() != size)
    return llvm::createStringError("expected " + llvm::utostr(size) + " bytes of data, found " +
                                   llvm::utostr(bytes.size()));
  return std::vector<uint8_t>(bytes.begin(), bytes.end());
}

static llvm::Error parseTensor(const llvm::json::Object &object, SetParameter &parameter) {
  llvm::StringRef dtype = object.getString("dtype").value_or("");
  const TensorType *type = nullptr;
  for (const TensorType &one : tensorTypes)
    if (one.name == dtype)
      type = &one;
  if (!type)
    return llvm::createStringError("expected the type of a tensor, found '" + dtype + "'");
  parameter.isTensor = true;
  parameter.format = type->format;
  parameter.elementBytes = type->bytes;
  parameter.count = uint64_t(object.getInteger("numel").value_or(0));
  parameter.alignment = uint64_t(object.getInteger("align").value_or(16));
  if (std::optional<int64_t> generator = object.getInteger("rng"))
    parameter.generator = unsigned(*generator);
  if (std::optional<int64_t> output = object.getInteger("output"))
    parameter.output = unsigned(*output);
  if (parameter.count > uint64_t(1) << 36 || !llvm::isPowerOf2_64(parameter.alignment))
    return llvm::createStringError("expected a tensor that fits in memory");
  if (parameter.generator) {
    if (!parameter.format)
      return llvm::createStringError("expected 'data' for a tensor of integers");
    return llvm::Error::success();
  }
  std::optional<llvm::StringRef> data = object.getString("data");
  if (!data)
    data = object.getString("init");
  if (!data)
    return llvm::createStringError("expected 'rng', 'data' or 'init' in a tensor");
  llvm::Expected<std::vector<uint8_t>> bytes =
      decodeBytes(*data, parameter.count * parameter.elementBytes);
  if (!bytes)
    return bytes.takeError();
  parameter.bytes = std::move(*bytes);
  return llvm::Error::success();
}

static llvm::Error parseScalar(const llvm::json::Object &object, SetParameter &parameter) {
  llvm::StringRef type = object.getString("type").value_or("");
  const llvm::json::Value *value = object.get("value");
  std::optional<double> number = value ? value->getAsNumber() : std::nullopt;
  if (!number)
    return llvm::createStringError("expected a value of a scalar");
  uint64_t bits;
  if (type == "fp32" || type == "fp64" || type == "fp16") {
    bits = numerics::fromDouble(type == "fp32"   ? Format::F32
                                : type == "fp64" ? Format::F64
                                                 : Format::F16,
                                *number);
    parameter.elementBytes = type == "fp32" ? 4 : type == "fp64" ? 8 : 2;
  } else if (type.size() > 1 && (type[0] == 'i' || type[0] == 'u')) {
    unsigned width;
    if (type.drop_front().getAsInteger(10, width) || width > 64)
      return llvm::createStringError("expected the type of a scalar, found '" + type + "'");
    bits = uint64_t(value->getAsInteger().value_or(int64_t(*number)));
    parameter.elementBytes = std::max(width / 8, 1u);
  } else {
    return llvm::createStringError("expected the type of a scalar, found '" + type + "'");
  }
  parameter.bytes.resize(parameter.elementBytes);
  memcpy(parameter.bytes.data(), &bits, parameter.elementBytes);
  return llvm::Error::success();
}

llvm::Expected<SetRecord> mettle::emulator::parseSetRecord(llvm::StringRef line) {
  llvm::Expected<llvm::json::Value> value = llvm::json::parse(line);
  if (!value)
    return value.takeError();
  const llvm::json::Object *object = value->getAsObject();
  if (!object)
    return llvm::createStringError("expected a JSON object");
  SetRecord record;
  auto text = [&](llvm::StringRef key) { return object->getString(key).value_or("").str(); };
  auto number = [&](llvm::StringRef key) { return uint32_t(object->getInteger(key).value_or(0)); };
  record.kernel = text("kernel");
  record.ptx = text("ptx");
  record.ptxSHA256 = text("ptx_sha256");
  record.entry = text("entry");
  record.index = number("index");
  record.threads = number("threads");
  record.dynamicShared = number("dynamic_shared");
  record.globalScratch = number("global_scratch");
  record.parameterCount = number("ptx_params");
  const llvm::json::Array *grid = object->getArray("grid"),
                          *parameters = object->getArray("params"),
                          *results = object->getArray("results");
  if (record.kernel.empty() || record.ptx.empty() || record.entry.empty() || !grid || !parameters ||
      !results || grid->empty() || grid->size() > 3)
    return llvm::createStringError(
        "expected 'kernel', 'ptx', 'entry', 'grid', 'params' and 'results'");
  for (unsigned i = 0; i < grid->size(); ++i)
    record.grid[i] = uint32_t((*grid)[i].getAsInteger().value_or(0));
  for (const llvm::json::Value &one : *parameters) {
    const llvm::json::Object *parameter = one.getAsObject();
    if (!parameter)
      return llvm::createStringError("expected an object for each of 'params'");
    SetParameter &into = record.parameters.emplace_back();
    into.name = parameter->getString("name").value_or("").str();
    if (parameter->getString("kind") == "map") {
      llvm::Expected<TensorMap> map = TensorMap::parse(*parameter);
      if (!map)
        return llvm::createStringError("parameter '" + into.name +
                                       "': " + llvm::toString(map.takeError()));
      into.map = *map;
      into.mapOf = parameter->getString("of").value_or("").str();
      continue;
    }
    bool isTensor = parameter->getString("kind") == "tensor";
    if (llvm::Error error =
            isTensor ? parseTensor(*parameter, into) : parseScalar(*parameter, into))
      return llvm::createStringError("parameter '" + into.name +
                                     "': " + llvm::toString(std::move(error)));
  }
  for (const llvm::json::Value &draw : *results) {
    auto &outputs = record.results.emplace_back();
    const llvm::json::Array *list = draw.getAsArray();
    if (!list)
      return llvm::createStringError("expected a list for each draw of 'results'");
    for (const llvm::json::Value &output : *list) {
      const llvm::json::Object *one = output.getAsObject();
      if (!one)
        return llvm::createStringError("expected an object for each output of 'results'");
      SetOutput &into = outputs.emplace_back();
      into.sha256 = one->getString("sha256").value_or("").str();
      into.head = one->getString("head").value_or("").str();
      size_t number = outputs.size() - 1;
      std::optional<llvm::StringRef> data = one->getString("data");
      for (const SetParameter &parameter : record.parameters) {
        if (!data || parameter.output != number)
          continue;
        llvm::Expected<std::vector<uint8_t>> bytes =
            decodeBytes(*data, parameter.count * parameter.elementBytes);
        if (!bytes)
          return bytes.takeError();
        into.bytes = std::move(*bytes);
      }
    }
  }
  return record;
}

//===----------------------------------------------------------------------===//
// Inputs and outputs
//===----------------------------------------------------------------------===//

static uint64_t splitMix(uint64_t x) {
  uint64_t z = x + 0x9E3779B97F4A7C15;
  z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9;
  z = (z ^ (z >> 27)) * 0x94D049BB133111EB;
  return z ^ (z >> 31);
}

static float drawn(uint64_t draw, uint64_t generator, uint64_t i) {
  uint64_t u = splitMix(draw << 56 | generator << 48 | i);
  float v = float(int64_t(u >> 40) - (int64_t(1) << 23)) * 0x1p-23f;
  auto special = [&](uint64_t selector) {
    static constexpr uint32_t words[] = {0x7f800000, 0xff800000, 0x7fc00000};
    float value;
    memcpy(&value, &words[selector], 4);
    return value;
  };
  switch (draw) {
  case 1:
    return std::ldexp(v, int((u >> 8) & 15) - 8);
  case 2:
    switch (splitMix(uint64_t(2) << 56 | generator << 48 | uint64_t(1) << 47 | i >> 10) & 3) {
    case 1:
      return 0.0f;
    case 0:
      return -0.0f;
    case 2:
      return (u & 3) == 0 ? -0.0f : (u & 3) == 1 ? 0.0f : v;
    default:
      return v;
    }
  case 3:
    return std::ldexp(v, int((u >> 8) & 63) - 20);
  case 4:
    return (u & 255) < 3 ? special(u & 255) : (u & 255) == 3 ? -0.0f : v;
  case 5:
    return (u & 65535) < 3 ? special(u & 65535) : (u & 7) == 3 ? -0.0f : v;
  default:
    return v;
  }
}

std::vector<uint8_t> mettle::emulator::generatedInput(Format format, uint64_t count,
                                                      unsigned generator, unsigned draw) {
  unsigned bytes = (numerics::info(format).bits + 7) / 8;
  std::vector<uint8_t> result(count * bytes);
  for (uint64_t i = 0; i < count; ++i) {
    float value = drawn(draw, generator, i);
    uint64_t word;
    if (format == Format::F32)
      word = __builtin_bit_cast(uint32_t, value);
    else if (value != value && format == Format::F16)
      word = 0x7e00; // the host's conversion keeps the payload's top bits
    else if (value != value && format == Format::BF16)
      word = 0x7fc0;
    else if (value != value && format == Format::F64)
      word = 0x7ff8000000000000;
    else
      word = numerics::fromDouble(format, value);
    memcpy(result.data() + i * bytes, &word, bytes);
  }
  return result;
}

SetOutput mettle::emulator::outputOf(llvm::ArrayRef<uint8_t> bytes) {
  llvm::SHA256 hash;
  hash.update(bytes);
  return {
      llvm::toHex(hash.final(), true).substr(0, 32), llvm::toHex(bytes.take_front(32), true), {}};
}

//===----------------------------------------------------------------------===//
// Runs
//===----------------------------------------------------------------------===//

/// What differs in an output: the first word among those that the set shows, else its hash.
static std::string difference(const SetParameter &parameter, const SetOutput &expected,
                              llvm::ArrayRef<uint8_t> found, llvm::StringRef foundHash) {
  size_t size = parameter.elementBytes, shown = expected.head.size() / 2, first = SIZE_MAX;
  std::string head;
  llvm::ArrayRef<uint8_t> want(expected.bytes);
  if (want.empty() && llvm::tryGetFromHex(expected.head, head))
    want = llvm::ArrayRef(reinterpret_cast<const uint8_t *>(head.data()), head.size());
  uint64_t count = 0;
  for (size_t i = 0; (i + 1) * size <= std::min(want.size(), found.size()); ++i)
    if (want.slice(i * size, size) != found.slice(i * size, size)) {
      first = std::min(first, i);
      ++count;
    }
  if (first == SIZE_MAX)
    return "output '" + parameter.name + "': expected sha256 " + expected.sha256 + ", found " +
           foundHash.str() + " (the first " + llvm::utostr(shown) + " bytes are equal)";
  auto word = [&](llvm::ArrayRef<uint8_t> bytes) { // little endian
    std::vector<uint8_t> digits(bytes.rbegin() + (bytes.size() - (first + 1) * size),
                                bytes.rbegin() + (bytes.size() - first * size));
    return "0x" + llvm::toHex(digits, true);
  };
  std::string text = "output '" + parameter.name + "' element " + llvm::utostr(first) +
                     ": expected " + word(want) + ", found " + word(found);
  if (!expected.bytes.empty())
    text += " (" + llvm::utostr(count) + " of " + llvm::utostr(parameter.count) + " differ)";
  return text;
}

ReplayResult mettle::emulator::replay(const SetRecord &record, const Kernel &kernel, unsigned draw,
                                      const RunOptions &options) {
  ReplayResult result;
  // Triton's entries have two more parameters, for scratch memory.
  if (kernel.parameters().size() != record.parameterCount ||
      record.parameterCount < record.parameters.size() + (record.globalScratch ? 1 : 0)) {
    result.messages.push_back("expected an entry with " + llvm::utostr(record.parameterCount) +
                              " parameters, found " + llvm::utostr(kernel.parameters().size()));
    return result;
  }
  if (draw >= record.results.size()) {
    result.messages.push_back("expected one of " + llvm::utostr(record.results.size()) + " draws");
    return result;
  }
  GlobalMemory memory;
  Launch launch;
  launch.grid = record.grid;
  launch.block = {record.threads, 1, 1};
  launch.dynamicShared = record.dynamicShared;
  launch.parameters.resize(kernel.parameterBytes());
  std::vector<std::vector<uint8_t>> buffers(record.parameters.size());
  std::vector<uint64_t> addresses(record.parameters.size());
  for (size_t i = 0; i < record.parameters.size(); ++i) {
    const SetParameter &parameter = record.parameters[i];
    uint8_t *to = launch.parameters.data() + kernel.parameters()[i].offset;
    if (parameter.map) {
      TensorMap map = *parameter.map;
      for (size_t j = 0; j < i; ++j)
        if (record.parameters[j].name == parameter.mapOf)
          map.address = addresses[j];
      if (kernel.parameters()[i].bytes == TensorMap::Bytes)
        map.encode(to);
      continue;
    }
    if (!parameter.isTensor) {
      memcpy(to, parameter.bytes.data(),
             std::min<size_t>(parameter.bytes.size(), kernel.parameters()[i].bytes));
      continue;
    }
    buffers[i] = parameter.generator ? generatedInput(*parameter.format, parameter.count,
                                                      *parameter.generator, draw)
                                     : parameter.bytes;
    addresses[i] = memory.map(buffers[i], parameter.name, parameter.alignment);
    memcpy(to, &addresses[i], 8);
  }
  uint64_t blocks = uint64_t(record.grid[0]) * record.grid[1] * record.grid[2];
  if (record.globalScratch) {
    uint64_t address = memory.allocate(record.globalScratch * blocks, "scratch");
    memcpy(launch.parameters.data() + kernel.parameters()[record.parameters.size()].offset,
           &address, 8);
  }
  result.fault = run(kernel, launch, memory, options, &result.counts);
  if (result.fault) {
    result.messages.push_back(result.fault->message);
    return result;
  }
  for (size_t i = 0; i < record.parameters.size(); ++i) {
    const SetParameter &parameter = record.parameters[i];
    if (!parameter.output)
      continue;
    if (*parameter.output >= record.results[draw].size()) {
      result.messages.push_back("expected a result for output '" + parameter.name + "'");
      return result;
    }
    const SetOutput &expected = record.results[draw][*parameter.output];
    SetOutput found = outputOf(buffers[i]);
    if (found.sha256 != expected.sha256)
      result.messages.push_back(difference(parameter, expected, buffers[i], found.sha256));
  }
  result.matched = result.messages.empty();
  return result;
}
