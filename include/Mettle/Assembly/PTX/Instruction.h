//===- Instruction.h - Decoded instructions and operands --------*- C++ -*-===//
//
// The arrays a checker or an emulator walks: 24 bytes an instruction, 16 an operand, and one
// mnemonic record for every different opcode text of a module, decoded once.
//
//===----------------------------------------------------------------------===//

#ifndef METTLE_ASSEMBLY_PTX_INSTRUCTION_H
#define METTLE_ASSEMBLY_PTX_INSTRUCTION_H

#include "Mettle/Assembly/PTX/Modifier.h"
#include "Mettle/Assembly/PTX/Opcode.h"
#include "Mettle/Assembly/PTX/SpecialRegister.h"
#include "llvm/ADT/ArrayRef.h"
#include <array>
#include <bitset>

namespace mettle::assembly::ptx {

/// Index of an identifier in its module's NameTable.
using NameId = uint32_t;

/// The index that stands for "none" wherever an index may be absent.
inline constexpr uint32_t None = ~0u;

/// Registers are numbered densely from 0 within their function and class.
enum class RegisterClass : uint8_t { Pred, B8, B16, B32, B64, B128 };
inline constexpr unsigned NumRegisterClasses = 6;

/// A register: its class and its number in one word.
class RegisterId {
public:
  static constexpr unsigned ClassShift = 29;
  static constexpr uint32_t MaxNumber = (1u << ClassShift) - 1;

  constexpr RegisterId() = default;
  constexpr explicit RegisterId(uint32_t raw) : bits(raw) {}
  constexpr RegisterId(RegisterClass cls, uint32_t number)
      : bits(uint32_t(cls) << ClassShift | number) {}

  constexpr RegisterClass cls() const { return RegisterClass(bits >> ClassShift); }
  constexpr uint32_t number() const { return bits & MaxNumber; }
  constexpr uint32_t raw() const { return bits; }
  constexpr bool operator==(RegisterId other) const { return bits == other.bits; }
  constexpr bool operator!=(RegisterId other) const { return bits != other.bits; }

private:
  uint32_t bits = 0;
};

enum class OperandKind : uint8_t {
  Register, ///< index: RegisterId; count: registers it spans (2 or 4 for a whole vector register)
  Special,  ///< index: SpecialRegister; count: component, number, or 0xffff for all of a vector
  Integer,  ///< bits: the value, two's complement
  Float32,  ///< bits: the word of a 0f literal
  Float64,  ///< bits: the word of a 0d literal, or of a decimal one rounded to nearest even
  Symbol,   ///< index: variable; offset
  Function, ///< index: function
  Label,    ///< index: label
  Address,  ///< [base + offset]; see Base
  Vector,   ///< {a, b}: index, count: its operands
  Pair,     ///< a|b: index, count: its two operands
  List,     ///< (a, b) of a call: index, count: its operands
  Bracket,  ///< [a, {b, c}] of textures and tensor maps: index, count: its operands
  Element,  ///< a[%r1] or a[%r1+2]: index, count: Symbol, Register and, if written, Integer
  Sink,     ///< _
  Name,     ///< index: NameId; an identifier of an opaque instruction that nothing declares
};

/// What an Address starts from.
enum class Base : uint8_t {
  Register, ///< index: RegisterId; offset
  Symbol,   ///< index: variable; offset
  Absolute, ///< bits: the whole address
};

/// Bits of Operand::flags.
enum OperandFlag : uint8_t {
  Negated = 1,    ///< `!p`
  Minus = 2,      ///< `-r`, which video instructions take
  Spelled = 4,    ///< the literal or offset is not written as decimal: `spelling` says where it is
  Offset = 8,     ///< an offset is written, if only `+0`
  Component = 16, ///< `.x` of a vector register, `.b0` or `.h1` of a video operand is written
  Unified = 32,   ///< `.unified` follows the address
  Indexed = 64,   ///< `a[2]`: offset is in bytes, spelling says where the bracket is
};

/// The selectors a register operand may carry: components of a vector register and parts of a
/// video operand. Rows 0 to 7 are components 0 to 3 in both spellings.
inline constexpr llvm::StringLiteral selectorNames[] = {
    "x",    "y",   "z",   "w",    "r",   "g",    "b",    "a",    "b0",  "b1",  "b2",
    "b3",   "h0",  "h1",  "h00",  "h01", "h02",  "h03",  "h10",  "h11", "h12", "h13",
    "h20",  "h21", "h22", "h23",  "h30", "h31",  "h32",  "h33",  "b10", "b20", "b21",
    "b210", "b30", "b31", "b310", "b32", "b320", "b321", "b3210"};
inline constexpr unsigned NumComponentSelectors = 8;

/// One operand. Which members mean something depends on the kind; see OperandKind.
struct Operand {
  OperandKind kind = OperandKind::Sink;
  uint8_t flags = 0;
  /// A Register's span, a Special's component, or the number of sub-operands; for an Address, its
  /// Base in the low byte; for a Register with a selector such as `.b0`, the selector's row in
  /// selectorNames, which an Address has in the high byte.
  uint16_t count = 0;
  uint32_t index = 0;
  union {
    /// A literal's or an absolute address's bits.
    uint64_t bits = 0;
    struct {
      /// Bytes after the symbol or the base register.
      int32_t offset;
      /// Where in the text the offset is, if Spelled. (For a literal, `index` says where it is.)
      uint32_t spelling;
    };
  };

  bool is(OperandKind other) const { return kind == other; }
  bool has(OperandFlag flag) const { return flags & flag; }
  RegisterId reg() const { return RegisterId(index); }
  Base base() const { return Base(count & 0xff); }
  /// Whether `index` and `count` name further operands of the module.
  bool isGroup() const {
    return kind == OperandKind::Vector || kind == OperandKind::Pair || kind == OperandKind::List ||
           kind == OperandKind::Bracket || kind == OperandKind::Element;
  }
};
static_assert(sizeof(Operand) == 16);

/// One instruction.
struct Instruction {
  /// Index of its mnemonic in the module.
  uint32_t mnemonic;
  Opcode opcode;
  uint16_t operandCount;
  uint32_t firstOperand;
  /// Number of the guarding predicate register, or NoGuard.
  uint32_t guard : 31;
  uint32_t guardNegated : 1;
  /// Byte offset in the text of the opcode, or of the guard if there is one.
  uint32_t offset;
  /// Index of the `.loc` in force, 0 when there is none.
  uint32_t location;

  static constexpr uint32_t NoGuard = (1u << 31) - 1;
  bool guarded() const { return guard != NoGuard; }
  RegisterId guardRegister() const { return RegisterId(RegisterClass::Pred, guard); }
};
static_assert(sizeof(Instruction) == 24);

/// The `.m16n8k16` of a matrix instruction; zeros when there is none.
struct MatrixShape {
  uint16_t m = 0, n = 0, k = 0;
};

/// An opcode text such as `ld.global.v4.b32`, decoded. Every different text is decoded once.
struct Mnemonic {
  Opcode opcode = Opcode::Opaque;
  /// The first state space among the modifiers; None means generic where memory is meant.
  StateSpace space = StateSpace::None;
  /// 2, 4 or 8 for `.v2`, `.v4`, `.v8`; else 1.
  uint8_t vectorWidth = 1;
  uint8_t typeCount = 0;
  /// The type modifiers in text order; further ones are in the modifier list only.
  std::array<Type, 5> types = {};
  MatrixShape shape;
  uint32_t textOffset = 0, textLength = 0;
  uint32_t firstModifier = 0, modifierCount = 0;
  /// Which of the modifiers below Modifier::FirstName occur.
  std::bitset<uint32_t(Modifier::FirstName)> known;

  bool has(Modifier modifier) const { return known.test(uint32_t(modifier)); }
  /// The first type, that of the result for most instructions.
  Type type() const { return types[0]; }
};

} // namespace mettle::assembly::ptx

#endif // METTLE_ASSEMBLY_PTX_INSTRUCTION_H
