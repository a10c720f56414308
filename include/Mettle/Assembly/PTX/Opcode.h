//===- Opcode.h - Opcodes and what they do to their operands ----*- C++ -*-===//
//
// The opcodes of Opcodes.def as an enum, and the facts of each row.
//
//===----------------------------------------------------------------------===//

#ifndef METTLE_ASSEMBLY_PTX_OPCODE_H
#define METTLE_ASSEMBLY_PTX_OPCODE_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include <cstdint>

namespace mettle::assembly::ptx {

struct Target;

enum class Opcode : uint16_t {
  /// An opcode that Opcodes.def does not have. Its roles are guessed from the syntax alone.
  Opaque,
#define METTLE_PTX_OPCODE(Enumerator, Group, Name, Roles, Flow, Targets, Example) Enumerator,
#define METTLE_PTX_OPCODE_ALIAS(Enumerator, Name)
#include "Mettle/Assembly/PTX/Opcodes.def"
};

/// Where control may go after an instruction. A guarded one may also fall through.
enum class Flow : uint8_t { Next, Branch, IndexedBranch, Call, Return, Exit, Trap };

enum class OpcodeGroup : uint8_t {
  Opaque,
  Integer,
  Float,
  Compare,
  Logic,
  Move,
  Async,
  Texture,
  Control,
  Sync,
  Warp,
  Matrix,
  Stack,
  Video,
  Other,
};

/// What an instruction does with one operand.
enum class Role : uint8_t {
  Write,     ///< registers are written; an address is stored to
  Read,      ///< registers are read; an address is loaded from
  ReadWrite, ///< registers are read and written
  Update,    ///< an address is loaded from and stored to; a register is read
  Place,     ///< an address is named but its memory is left alone; a register is read
  Code,      ///< a label, function, target list or prototype; a register is read
};

/// One row of Opcodes.def.
struct OpcodeInfo {
  llvm::StringLiteral enumerator;
  llvm::StringLiteral name;
  llvm::StringLiteral roles;
  llvm::StringLiteral targets;
  llvm::StringLiteral example;
  OpcodeGroup group;
  Flow flow;
  /// Fewest and most operands, a leading return list not counted; most is 255 for any number.
  uint8_t fewest, most;
  /// A parenthesised list of written operands may come first.
  bool returns;
};

const OpcodeInfo &opcodeInfo(Opcode opcode);

/// Every row, Opcode::Opaque first: index with the enum's value.
llvm::ArrayRef<OpcodeInfo> opcodeTable();

/// The opcode whose spelling is the longest dotted prefix of `text` (`cp.async.bulk.tensor` for
/// `cp.async.bulk.tensor.2d.global...`), or Opcode::Opaque. `length` gets the length of that
/// prefix; for an opaque opcode, that of the text up to the first dot.
Opcode opcodeOf(llvm::StringRef text, size_t &length);

/// The role of operand `index` of an instruction with `count` operands. `leadingList` says whether
/// operand 0 is a parenthesised list, `leadingAddress` whether it is an address; the latter decides
/// the guess for an opaque opcode: an address may be loaded from and stored to, any other first
/// operand is written if another follows it, the rest is read.
Role roleOf(Opcode opcode, unsigned index, unsigned count, bool leadingList, bool leadingAddress);

/// Whether a module with this target may hold the opcode, as far as the opcode alone decides it.
bool targetHas(Opcode opcode, const Target &target);

llvm::StringRef groupName(OpcodeGroup group);

} // namespace mettle::assembly::ptx

#endif // METTLE_ASSEMBLY_PTX_OPCODE_H
