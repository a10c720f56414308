//===- ModuleInfo.cpp - what a SPIR-V binary says of itself ---------------===//
//
// One pass over the instructions. Numbers are from the SPIR-V specification; this library has its
// own, on purpose, and shares none with the encoder.
//
//===----------------------------------------------------------------------===//

#include "Mettle/Runtime/OpenCL/ModuleInfo.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;

namespace mettle::runtime::opencl {

namespace {
enum Opcode : uint16_t {
  OpExtension = 10,
  OpEntryPoint = 15,
  OpExecutionMode = 16,
  OpCapability = 17,
  OpTypeInt = 21,
  OpTypeFloat = 22,
  OpTypePointer = 32,
  OpTypeFunction = 33,
  OpFunction = 54,
  OpFunctionCall = 57,
  OpLoad = 61,
  OpDecorate = 71,
  // Operations of a subgroup: OpGroup*, OpGroupNonUniform*, and those of the extensions of ballot
  // and vote.
  OpGroupAll = 261,
  OpGroupSMax = 271,
  OpGroupNonUniformElect = 333,
  OpGroupNonUniformQuadSwap = 366,
  OpSubgroupBallotKHR = 4421,
  OpSubgroupReadInvocationKHR = 4432,
};

enum ExecutionMode : uint32_t { SubgroupSize = 35 };
enum Decoration : uint32_t { BuiltIn = 11 };
/// SubgroupSize, SubgroupMaxSize, NumSubgroups, NumEnqueuedSubgroups, SubgroupId and
/// SubgroupLocalInvocationId.
constexpr uint32_t firstSubgroupBuiltIn = 36, lastSubgroupBuiltIn = 41;

enum StorageClass : uint32_t { Workgroup = 4, CrossWorkgroup = 5 };

constexpr uint32_t magicNumber = 0x07230203;
constexpr size_t headerWords = 5;

/// One instruction: its operands, without the word of the opcode.
struct Instruction {
  uint16_t opcode;
  ArrayRef<uint32_t> operands;
  size_t position;
};

class Reader {
public:
  explicit Reader(ArrayRef<uint32_t> words) : words(words) {}

  Expected<ModuleInfo> read();

private:
  Error readHeader();
  Error readInstruction(const Instruction &instruction);
  Error addKernels();
  void noteUse(const Instruction &instruction);
  bool reachesSubgroups(uint32_t function) const;
  Expected<ParameterInfo> parameter(StringRef kernel, size_t index, uint32_t type) const;

  ArrayRef<uint32_t> words;
  ModuleInfo info;
  /// By id.
  DenseMap<uint32_t, ParameterInfo> types;
  DenseMap<uint32_t, ArrayRef<uint32_t>> functionTypes;
  DenseMap<uint32_t, uint32_t> functions;
  /// That entries fix.
  DenseMap<uint32_t, uint32_t> subgroupSizes;
  std::vector<std::pair<uint32_t, std::string>> entries;
  /// Variables that say something of a subgroup, and functions that use one or its operations.
  DenseSet<uint32_t> subgroupVariables, subgroupFunctions;
  /// What each function calls.
  DenseMap<uint32_t, SmallVector<uint32_t>> calls;
  /// The function that is being read.
  uint32_t current = 0;
};
} // namespace

static std::string readString(ArrayRef<uint32_t> words) {
  std::string text;
  for (uint32_t word : words)
    for (unsigned shift = 0; shift != 32; shift += 8) {
      char c = static_cast<char>(word >> shift & 0xff);
      if (!c)
        return text;
      text += c;
    }
  return text;
}

static Error malformed(size_t position, const Twine &what) {
  return createStringError("expected a SPIR-V module, got " + what + " at word " + Twine(position));
}

Error Reader::readHeader() {
  if (words.size() < headerWords)
    return malformed(words.size(), "the end");
  if (words[0] != magicNumber)
    return malformed(0, "the number 0x" + utohexstr(words[0], /*LowerCase=*/true));
  info.major = words[1] >> 16 & 0xff;
  info.minor = words[1] >> 8 & 0xff;
  return Error::success();
}

Error Reader::readInstruction(const Instruction &instruction) {
  ArrayRef<uint32_t> operands = instruction.operands;
  size_t least = 0;
  switch (instruction.opcode) {
  case OpExtension:
  case OpCapability:
  case OpDecorate:
    least = 1;
    break;
  case OpExecutionMode:
  case OpTypeFloat:
  case OpTypeFunction:
    least = 2;
    break;
  case OpEntryPoint:
  case OpTypeInt:
  case OpTypePointer:
  case OpFunctionCall:
  case OpLoad:
    least = 3;
    break;
  case OpFunction:
    least = 4;
    break;
  }
  if (operands.size() < least)
    return malformed(instruction.position, "an instruction that is too short");

  switch (instruction.opcode) {
  case OpExtension:
    info.extensions.push_back(readString(operands));
    break;
  case OpCapability:
    info.capabilities.push_back(operands[0]);
    break;
  case OpEntryPoint:
    entries.emplace_back(operands[1], readString(operands.drop_front(2)));
    break;
  case OpExecutionMode:
    if (operands[1] == SubgroupSize && operands.size() == 3)
      subgroupSizes[operands[0]] = operands[2];
    break;
  case OpTypeInt:
  case OpTypeFloat:
    types[operands[0]] = {ParameterInfo::Kind::Scalar, operands[1] / 8};
    break;
  case OpTypePointer:
    if (operands[1] == Workgroup)
      types[operands[0]] = {ParameterInfo::Kind::Workgroup, 0};
    else if (operands[1] == CrossWorkgroup)
      types[operands[0]] = {ParameterInfo::Kind::Global, 0};
    break;
  case OpTypeFunction:
    functionTypes[operands[0]] = operands.drop_front(2);
    break;
  case OpFunction:
    functions[operands[1]] = operands[3];
    current = operands[1];
    break;
  }
  noteUse(instruction);
  return Error::success();
}

void Reader::noteUse(const Instruction &instruction) {
  ArrayRef<uint32_t> operands = instruction.operands;
  auto isBetween = [&](uint16_t first, uint16_t last) {
    return first <= instruction.opcode && instruction.opcode <= last;
  };
  if (instruction.opcode == OpDecorate && operands.size() == 3 && operands[1] == BuiltIn &&
      firstSubgroupBuiltIn <= operands[2] && operands[2] <= lastSubgroupBuiltIn)
    subgroupVariables.insert(operands[0]);
  else if (instruction.opcode == OpFunctionCall)
    calls[current].push_back(operands[2]);
  else if ((instruction.opcode == OpLoad && subgroupVariables.contains(operands[2])) ||
           isBetween(OpGroupAll, OpGroupSMax) ||
           isBetween(OpGroupNonUniformElect, OpGroupNonUniformQuadSwap) ||
           isBetween(OpSubgroupBallotKHR, OpSubgroupReadInvocationKHR))
    subgroupFunctions.insert(current);
}

bool Reader::reachesSubgroups(uint32_t function) const {
  DenseSet<uint32_t> seen{function};
  SmallVector<uint32_t> open{function};
  while (!open.empty()) {
    uint32_t next = open.pop_back_val();
    if (subgroupFunctions.contains(next))
      return true;
    for (uint32_t callee : calls.lookup(next))
      if (seen.insert(callee).second)
        open.push_back(callee);
  }
  return false;
}

Expected<ParameterInfo> Reader::parameter(StringRef kernel, size_t index, uint32_t type) const {
  auto found = types.find(type);
  if (found == types.end())
    return createStringError("expected argument " + Twine(index + 1) + " of kernel '" + kernel +
                             "' to be a number or a pointer to global or workgroup memory");
  return found->second;
}

Error Reader::addKernels() {
  for (auto &[id, name] : entries) {
    KernelInfo kernel;
    kernel.name = name;
    auto function = functions.find(id);
    auto type =
        function == functions.end() ? functionTypes.end() : functionTypes.find(function->second);
    if (type == functionTypes.end())
      return createStringError("expected the function of kernel '" + name +
                               "' in the SPIR-V module, got none");
    for (auto [index, parameterType] : enumerate(type->second)) {
      Expected<ParameterInfo> read = parameter(name, index, parameterType);
      if (!read)
        return read.takeError();
      kernel.parameters.push_back(*read);
    }
    kernel.usesSubgroups = reachesSubgroups(id);
    kernel.subgroupSize = subgroupSizes.lookup(id);
    info.kernels.push_back(std::move(kernel));
  }
  return Error::success();
}

Expected<ModuleInfo> Reader::read() {
  if (Error error = readHeader())
    return error;
  for (size_t at = headerWords; at < words.size();) {
    size_t count = words[at] >> 16;
    if (count == 0 || count > words.size() - at)
      return malformed(at, "an instruction of " + Twine(count) + " words");
    Instruction instruction{static_cast<uint16_t>(words[at]), words.slice(at + 1, count - 1), at};
    if (Error error = readInstruction(instruction))
      return error;
    at += count;
  }
  if (Error error = addKernels())
    return error;
  return std::move(info);
}

Expected<ModuleInfo> ModuleInfo::read(ArrayRef<uint32_t> words) { return Reader(words).read(); }

Expected<const KernelInfo *> ModuleInfo::kernel(StringRef name) const {
  for (const KernelInfo &kernel : kernels)
    if (kernel.name == name)
      return &kernel;
  std::string all = join(map_range(kernels, [](const KernelInfo &k) { return k.name; }), ", ");
  return createStringError("expected one of the kernels " + all + ", got '" + name + "'");
}

} // namespace mettle::runtime::opencl
