//===- Opcode.cpp - Opcodes and what they do to their operands ------------===//
//
// Everything derived from the rows of Opcodes.def.
//
//===----------------------------------------------------------------------===//

#include "Mettle/Assembly/PTX/Opcode.h"
#include "Mettle/Assembly/PTX/Target.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringMap.h"
#include <string_view>

using namespace mettle::assembly::ptx;

static constexpr bool returnsList(std::string_view roles) {
  return !roles.empty() && roles[0] == '(';
}

static constexpr uint8_t operandCount(std::string_view roles, bool fewest) {
  unsigned count = 0;
  for (char c : roles) {
    if (c == '?' && fewest)
      break;
    if (c == '*')
      return fewest ? count : 255;
    if (c != '(' && c != '?')
      ++count;
  }
  return uint8_t(count);
}

static constexpr OpcodeInfo rows[] = {
    {"Opaque", "", "*", "", "", OpcodeGroup::Opaque, Flow::Next, 0, 255, false},
#define METTLE_PTX_OPCODE(Enumerator, Group, Name, Roles, FlowKind, Targets, Example)              \
  {#Enumerator,                                                                                    \
   Name,                                                                                           \
   Roles,                                                                                          \
   Targets,                                                                                        \
   Example,                                                                                        \
   OpcodeGroup::Group,                                                                             \
   Flow::FlowKind,                                                                                 \
   operandCount(Roles, true),                                                                      \
   operandCount(Roles, false),                                                                     \
   returnsList(Roles)},
#define METTLE_PTX_OPCODE_ALIAS(Enumerator, Name)
#include "Mettle/Assembly/PTX/Opcodes.def"
};

const OpcodeInfo &mettle::assembly::ptx::opcodeInfo(Opcode opcode) { return rows[size_t(opcode)]; }

llvm::ArrayRef<OpcodeInfo> mettle::assembly::ptx::opcodeTable() { return rows; }

Opcode mettle::assembly::ptx::opcodeOf(llvm::StringRef text, size_t &length) {
  static const llvm::StringMap<Opcode> map = [] {
    llvm::StringMap<Opcode> spellings;
    for (size_t i = 1; i < std::size(rows); ++i)
      spellings.try_emplace(rows[i].name, Opcode(i));
#define METTLE_PTX_OPCODE(Enumerator, Group, Name, Roles, FlowKind, Targets, Example)
#define METTLE_PTX_OPCODE_ALIAS(Enumerator, Name) spellings.try_emplace(Name, Opcode::Enumerator);
#include "Mettle/Assembly/PTX/Opcodes.def"
    return spellings;
  }();
  // No spelling has more than five parts, so only that many prefixes can match.
  constexpr unsigned mostParts = 5;
  llvm::SmallVector<size_t, mostParts> ends;
  for (size_t dot = text.find('.'); ends.size() < mostParts; dot = text.find('.', dot + 1)) {
    ends.push_back(std::min(dot, text.size()));
    if (dot == llvm::StringRef::npos)
      break;
  }
  for (size_t end : llvm::reverse(ends)) {
    auto found = map.find(text.take_front(end));
    if (found != map.end()) {
      length = end;
      return found->second;
    }
  }
  length = ends.front();
  return Opcode::Opaque;
}

Role mettle::assembly::ptx::roleOf(Opcode opcode, unsigned index, unsigned count, bool leadingList,
                                   bool leadingAddress) {
  if (opcode == Opcode::Opaque) {
    if (index == 0 && leadingAddress)
      return Role::Update;
    return index == 0 && count > 1 ? Role::Write : Role::Read;
  }
  const OpcodeInfo &row = rows[size_t(opcode)];
  if (row.returns && leadingList) {
    if (index == 0)
      return Role::Write;
    --index;
  }
  unsigned at = 0;
  for (char c : row.roles) {
    if (c == '(' || c == '?')
      continue;
    if (at++ != index)
      continue;
    switch (c) {
    case 'w':
      return Role::Write;
    case 'x':
      return Role::ReadWrite;
    case 'u':
      return Role::Update;
    case 'p':
      return Role::Place;
    case 'c':
      return Role::Code;
    default:
      return Role::Read;
    }
  }
  return Role::Read;
}

bool mettle::assembly::ptx::targetHas(Opcode opcode, const Target &target) {
  llvm::StringRef targets = rows[size_t(opcode)].targets;
  if (targets.empty())
    return true;
  llvm::SmallVector<llvm::StringRef, 8> alternatives;
  targets.split(alternatives, ' ');
  for (llvm::StringRef alternative : alternatives) {
    unsigned number;
    alternative.consumeInteger(10, number);
    if (alternative.empty() && target.number >= number)
      return true;
    if (alternative == "a" && target.number == number && target.suffix == 'a')
      return true;
    if (alternative == "f" && target.number == number && target.suffix)
      return true;
  }
  return false;
}

llvm::StringRef mettle::assembly::ptx::groupName(OpcodeGroup group) {
  static constexpr llvm::StringLiteral names[] = {
      "opaque",        "integer",    "floating point", "comparison",   "logic",
      "data movement", "async copy", "texture",        "control flow", "synchronisation",
      "warp",          "matrix",     "stack",          "video",        "other"};
  return names[size_t(group)];
}
