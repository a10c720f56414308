//===- Decoder.h - From a PTX instruction to ops ----------------*- C++ -*-===//
//
// What the decode function of a family works with: the instruction at hand, slots for its
// operands, ops to append. A family is one file with decode functions and handlers, and rows in
// Families.def that say which opcodes are its own.
//
//===----------------------------------------------------------------------===//

#ifndef METTLE_LIB_EMULATOR_DECODER_H
#define METTLE_LIB_EMULATOR_DECODER_H

#include "Code.h"
#include "Mettle/Assembly/PTX/Diagnostic.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/Twine.h"
#include <map>
#include <tuple>

namespace mettle::emulator {

namespace ptx = assembly::ptx;

class Decoder {
public:
  Decoder(const ptx::Module &module, Code &code, std::vector<ptx::Diagnostic> &errors);

  /// Decodes the entry and the functions it may call. False after errors.
  bool decode(const ptx::Function &entry);

  //===--------------------------------------------------------------------===//
  // The instruction at hand
  //===--------------------------------------------------------------------===//

  const ptx::Module &module;
  const ptx::Function *function = nullptr;
  const ptx::Instruction *instruction = nullptr;
  const ptx::Mnemonic *mnemonic = nullptr;
  llvm::ArrayRef<ptx::Operand> operands;

  bool has(ptx::Modifier modifier) const { return mnemonic->has(modifier); }
  /// The text of the opcode with its modifiers.
  llvm::StringRef text() const { return module.mnemonicText(*mnemonic); }

  /// Says why the instruction cannot be decoded, at its place; returns false.
  bool fail(const llvm::Twine &message);
  /// The same for a form of a known opcode that the emulator does not model.
  bool unsupported();
  /// Something a run should say about this instruction.
  void note(const llvm::Twine &message);

  //===--------------------------------------------------------------------===//
  // Operands
  //===--------------------------------------------------------------------===//

  /// Bits of a register operand, as declared (8 for `.b8`); 0 for any other operand.
  unsigned bitsOf(const ptx::Operand &operand) const;
  /// The slot of an operand that is read as a word of the type's width (8 counts as 16): a
  /// register, of which the low bits are taken if it is wider, a literal (a float one is rounded
  /// to `type` if that is a float type), a special register, the address of a variable or
  /// function. NoSlot after an error, which is reported.
  Slot read(const ptx::Operand &operand, ptx::Type type);
  /// The slot of a register of exactly this width that is written (8 counts as 16); of `_`, one
  /// nobody reads.
  Slot write(const ptx::Operand &operand, unsigned bits);
  /// The slot of a register of any function: where an argument in a register goes.
  Slot registerSlot(const ptx::Function &owner, ptx::RegisterId reg);
  /// The register of a `.reg` parameter, or NoSlot.
  Slot parameterSlot(const ptx::Function &owner, const ptx::Variable &variable);
  /// A predicate that is read; `flip` says whether `!` stands before it.
  Slot readPredicate(const ptx::Operand &operand, bool &flip);
  Slot writePredicate(const ptx::Operand &operand);
  /// The slots of a vector's or a single operand's registers, in order, appended to Code::slots;
  /// gives the index of the first. For a read, literals may stand among them.
  uint32_t readList(const ptx::Operand &operand, ptx::Type type, unsigned &count);
  uint32_t writeList(const ptx::Operand &operand, unsigned bits, unsigned &count);

  /// The instruction reads these registers, though its roles say so, only in some runs of it: they
  /// may be unwritten.
  void readsSometimes(llvm::ArrayRef<Slot> registers) {
    llvm::append_range(optionalReads, registers);
  }

  /// The address an operand names: slot and width of the base (64-bit slot of zeros where it is a
  /// variable or absolute), and the offset to add. `space` is the instruction's; a variable's
  /// address is one in that space (generic where it is Generic).
  struct Address {
    Slot base = NoSlot;
    unsigned bits = 64;
    uint64_t offset = 0;
    /// What is really touched where the text tells: the space of a variable that a generic access
    /// names. Otherwise the instruction's.
    Space space = Space::Generic;
    /// The address is known: a variable's, or absolute.
    bool isLiteral = false;
    uint64_t literal = 0;
  };
  bool address(const ptx::Operand &operand, Space space, Address &result);
  /// The space of the mnemonic (the first one written; none is Generic).
  Space space() const;
  static Space spaceOf(ptx::StateSpace space);

  /// What a register holds for the address of the module's function `index`.
  static uint64_t functionAddress(uint32_t index) { return 0x1000 + uint64_t(index) * 16; }

  /// A slot with this word in every lane.
  Slot constant(uint64_t word, unsigned bits);
  /// A slot with bytes of the entry's parameters in every lane.
  Slot parameter(uint32_t offset, unsigned bits);
  /// The carry flag, of which a kernel has one.
  Slot carry();
  /// A slot of its own for the instruction, of this many bits (1: a predicate).
  Slot temporary(unsigned bits);

  /// The value of a literal operand that must be known when decoding, with what it is for errors.
  bool immediate(const ptx::Operand &operand, llvm::StringRef what, uint64_t &value);

  //===--------------------------------------------------------------------===//
  // Ops
  //===--------------------------------------------------------------------===//

  /// Appends an op with the instruction's guard. The reference holds until the next one.
  Op &emit(Handler run, OpClass opClass);
  /// An op d = f(a, b, c) whose operands stand in this order: the first is written with so many
  /// bits, the others are read with these types. Null after an error.
  Op *emitPlain(Handler run, OpClass opClass, unsigned bits,
                std::initializer_list<ptx::Type> sources);
  /// The immediate of the op just emitted becomes the index of the op at the label; of the first
  /// op of the function, which is then decoded too.
  void branchTo(const ptx::Operand &label);
  void callTo(const ptx::Function &callee);
  /// Has a function decoded that is called by its address.
  void need(const ptx::Function &callee);
  Code &code;

private:
  bool decodeFunction(const ptx::Function &body);
  bool layOut();
  void recordUses(uint32_t firstOp);
  llvm::SmallVector<Slot, 8> optionalReads;
  void findUnwritten(const ptx::Function &body);
  void noteContractions(const ptx::Function &body);
  Slot allocate(uint32_t bytes, uint32_t alignment);
  Slot registerSlot(ptx::RegisterId reg) { return registerSlot(*function, reg); }
  Slot special(const ptx::Operand &operand, unsigned bits);
  Slot splat(uint64_t word, unsigned bits);

  std::vector<ptx::Diagnostic> &errors;
  Slot carrySlot = NoSlot;
  std::vector<const ptx::Function *> pending;
  std::vector<std::pair<uint32_t, uint32_t>> fixups; ///< op, instruction
  std::vector<std::pair<uint32_t, const ptx::Function *>> callFixups;
  std::map<std::pair<uint64_t, unsigned>, Slot> constantSlots;
  std::map<std::pair<const ptx::Function *, uint32_t>, Slot> registerSlots;
  std::map<std::tuple<unsigned, unsigned, unsigned>, Slot> specialSlots;
};

/// Decodes one instruction into ops; false after an error it has reported.
using DecodeFunction = bool (*)(Decoder &decoder);

/// The decode function of an opcode, null if no family has it.
DecodeFunction decodeFunctionOf(ptx::Opcode opcode);

} // namespace mettle::emulator

#endif // METTLE_LIB_EMULATOR_DECODER_H
