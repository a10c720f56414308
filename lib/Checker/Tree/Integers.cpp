//===- Integers.cpp - Integer operations on constants ---------------------===//
//
// Compilers keep conditions as bits of a register. Where the conditions are decided those bits are
// constants, and what is made of them is a number.
//
//===----------------------------------------------------------------------===//

#include "Mettle/Checker/Tree/Evaluate.h"
#include "llvm/ADT/StringSwitch.h"

using namespace mettle::checker;

/// The width of a type's name such as b16, u32 or s64; 0 of any other.
static unsigned widthOf(llvm::StringRef type) {
  return llvm::StringSwitch<unsigned>(type)
      .Cases({"b16", "u16", "s16"}, 16)
      .Cases({"b32", "u32", "s32"}, 32)
      .Cases({"b64", "u64", "s64"}, 64)
      .Default(0);
}

static int64_t asSigned(uint64_t value, unsigned width) {
  return width == 64 ? int64_t(value) : int64_t(value << (64 - width)) >> (64 - width);
}

std::optional<uint64_t> mettle::checker::foldInteger(llvm::StringRef name,
                                                     llvm::ArrayRef<uint64_t> args) {
  auto [operation, type] = name.rsplit('.');
  unsigned width = widthOf(type);
  if (!width || args.empty())
    return std::nullopt;
  uint64_t mask = width == 64 ? ~uint64_t(0) : (uint64_t(1) << width) - 1;
  bool isSigned = type.starts_with("s");
  uint64_t a = args[0] & mask;
  if (operation == "not" && args.size() == 1)
    return ~a & mask;
  if (args.size() != 2)
    return std::nullopt;
  uint64_t b = args[1] & mask, count = args[1] & 0xffffffff;
  if (operation == "and")
    return a & b;
  if (operation == "or")
    return a | b;
  if (operation == "xor")
    return a ^ b;
  if (operation == "shl")
    return count >= width ? 0 : (a << count) & mask;
  if (operation == "shr" && !isSigned)
    return count >= width ? 0 : a >> count;
  if (operation == "shr")
    return uint64_t(asSigned(a, width) >> std::min<uint64_t>(count, width - 1)) & mask;
  if (operation == "add")
    return (a + b) & mask;
  if (operation == "sub")
    return (a - b) & mask;
  return std::nullopt;
}

std::optional<bool> mettle::checker::foldComparison(llvm::StringRef name, uint64_t a, uint64_t b) {
  if (!name.consume_front("setp."))
    return std::nullopt;
  auto [relation, type] = name.split('.');
  unsigned width = widthOf(type);
  if (!width)
    return std::nullopt;
  uint64_t mask = width == 64 ? ~uint64_t(0) : (uint64_t(1) << width) - 1;
  a &= mask;
  b &= mask;
  if (relation == "eq")
    return a == b;
  if (relation == "ne")
    return a != b;
  if (type.starts_with("b"))
    return std::nullopt;
  bool isSigned = type.starts_with("s");
  bool less = isSigned ? asSigned(a, width) < asSigned(b, width) : a < b;
  if (relation == "lt")
    return less;
  if (relation == "le")
    return less || a == b;
  if (relation == "gt")
    return !less && a != b;
  if (relation == "ge")
    return !less;
  return std::nullopt;
}
