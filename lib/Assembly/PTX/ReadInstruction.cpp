//===- ReadInstruction.cpp - One instruction ------------------------------===//
//
// Guard, opcode with its modifiers, operands, semicolon.
//
//===----------------------------------------------------------------------===//

#include "Reader.h"
#include "llvm/ADT/StringExtras.h"

using namespace mettle::assembly::ptx;

/// Reads `@p` or `@!p`; the cursor stands at the `@`.
bool Reader::readGuarded() {
  const char *start = cursor.p;
  cursor.take('@');
  bool negated = cursor.take('!');
  const char *at = cursor.p;
  Operand guard;
  if (!isClass(*at, NameStart) || !readRegisterOrName(guard)) {
    cursor.p = at;
    return expected("a predicate register after '@'");
  }
  if (!guard.is(OperandKind::Register) || guard.reg().cls() != RegisterClass::Pred) {
    return error(at, "expected a predicate register after '@', found " + found(at, cursor.end));
  }
  cursor.skip();
  const char *mnemonic = cursor.p;
  if (cursor.name().empty())
    return expected("an instruction after its guard");
  auto index = module.instructions.size();
  if (!readInstruction(start, mnemonic))
    return false;
  module.instructions[index].guard = guard.reg().number();
  module.instructions[index].guardNegated = negated;
  return true;
}

/// Reads an instruction whose opcode starts at `mnemonicStart`; the cursor is behind the opcode's
/// first name.
bool Reader::readInstruction(const char *start, const char *mnemonicStart) {
  const char *mnemonicEnd;
  for (;;) {
    while (*cursor.p == '.' && isClass(cursor.p[1], Suffix)) {
      ++cursor.p;
      cursor.suffix();
    }
    mnemonicEnd = cursor.p;
    cursor.skip();
    // A modifier may stand apart from what precedes it.
    if (*cursor.p != '.')
      break;
    if (!isClass(cursor.p[1], Suffix))
      return expected("a modifier");
  }
  uint32_t mnemonic = internMnemonic({mnemonicStart, size_t(mnemonicEnd - mnemonicStart)});
  currentOpcode = module.mnemonics[mnemonic].opcode;
  const OpcodeInfo &row = opcodeInfo(currentOpcode);
  auto operandsFrom = uint32_t(module.operands.size());
  sawName = false;

  llvm::SmallVector<Operand, 8> operands;
  bool leadingList = false;
  if (*cursor.p != ';') {
    if (*cursor.p == '(' && row.flow == Flow::Call) {
      leadingList = true;
      if (!readList(operands.emplace_back()))
        return false;
      if (!cursor.take(','))
        return expected("',' after a list of return values");
    }
    for (;;) {
      if (!readOperand(operands.emplace_back()))
        return false;
      if (*cursor.p == ';')
        break;
      if (!cursor.take(','))
        return expected("',' or ';' after an operand");
    }
  }

  size_t count = operands.size() - leadingList;
  if (count < row.fewest || count > row.most) {
    bool exact = row.fewest == row.most;
    unsigned bound = count < row.fewest ? row.fewest : row.most;
    return error(mnemonicStart, llvm::Twine("expected ") +
                                    (exact                ? ""
                                     : count < row.fewest ? "at least "
                                                          : "at most ") +
                                    llvm::Twine(bound) + " operands of '" + row.name + "', found " +
                                    llvm::Twine(count));
  }
  if (operands.size() > UINT16_MAX)
    return error(mnemonicStart,
                 "expected at most 65535 operands, found " + llvm::Twine(operands.size()));
  cursor.take(';');

  auto index = uint32_t(module.instructions.size());
  auto first = uint32_t(module.operands.size());
  module.operands.insert(module.operands.end(), operands.begin(), operands.end());
  module.instructions.push_back({mnemonic, currentOpcode, uint16_t(operands.size()), first,
                                 Instruction::NoGuard, 0, offsetOf(start), currentLocation});
  if (sawName) {
    for (uint32_t at = operandsFrom; at < module.operands.size(); ++at)
      if (module.operands[at].is(OperandKind::Name))
        pending.push_back({at, index});
  }
  return true;
}

uint32_t Reader::internMnemonic(llvm::StringRef text) {
  uint32_t id = mnemonicTexts.intern(text);
  if (id == module.mnemonics.size()) {
    module.mnemonics.emplace_back();
    decodeMnemonic(text, module.mnemonics.back());
    Opcode opcode = module.mnemonics.back().opcode;
    if (options.checkTarget && !targetHas(opcode, module.target)) {
      std::string target = "sm_" + llvm::utostr(module.target.number);
      if (module.target.suffix)
        target += module.target.suffix;
      llvm::SmallVector<llvm::StringRef, 4> alternatives;
      opcodeInfo(opcode).targets.split(alternatives, ' ');
      std::string wanted = "sm_" + llvm::join(alternatives, ", sm_");
      if (alternatives.size() == 1 && llvm::isDigit(wanted.back()))
        wanted += " or later";
      error(text.begin(), "'" + opcodeInfo(opcode).name + "' needs target " + wanted +
                              ", but the module's is " + target);
    }
  }
  return id;
}

/// `m64n128k16` as three numbers.
static bool readShape(llvm::StringRef part, MatrixShape &shape) {
  return part.consume_front("m") && !part.consumeInteger(10, shape.m) && part.consume_front("n") &&
         !part.consumeInteger(10, shape.n) &&
         (part.empty() || (part.consume_front("k") && !part.getAsInteger(10, shape.k)));
}

void Reader::decodeMnemonic(llvm::StringRef text, Mnemonic &mnemonic) {
  mnemonic.textOffset = offsetOf(text.begin());
  mnemonic.textLength = uint32_t(text.size());

  llvm::SmallVector<llvm::StringRef, 16> parts;
  Cursor part(module.text);
  part.p = text.begin();
  parts.push_back(part.name());
  while (part.p < text.end()) {
    part.skip();
    parts.push_back(part.dotted());
  }

  // Spaces may stand between the parts, so the opcode is looked up in what is left without them.
  std::string joined = llvm::join(parts, ".");
  size_t length;
  mnemonic.opcode = opcodeOf(joined, length);
  size_t opcodeParts = 1 + llvm::StringRef(joined).take_front(length).count('.');

  mnemonic.firstModifier = uint32_t(module.modifiers.size());
  for (llvm::StringRef name : llvm::ArrayRef(parts).drop_front(opcodeParts)) {
    std::optional<Modifier> known = modifierNamed(name);
    if (!known) {
      module.modifiers.push_back(
          Modifier(uint32_t(Modifier::FirstName) + module.names.intern(name)));
      MatrixShape shape;
      if (readShape(name, shape))
        mnemonic.shape = shape;
      continue;
    }
    module.modifiers.push_back(*known);
    mnemonic.known.set(uint32_t(*known));
    if (Type type = modifierType(*known); type != Type::None) {
      if (mnemonic.typeCount < mnemonic.types.size())
        mnemonic.types[mnemonic.typeCount++] = type;
    } else if (StateSpace space = modifierSpace(*known); space != StateSpace::None) {
      if (mnemonic.space == StateSpace::None)
        mnemonic.space = space;
    } else if (*known == Modifier::V2) {
      mnemonic.vectorWidth = 2;
    } else if (*known == Modifier::V4) {
      mnemonic.vectorWidth = 4;
    } else if (*known == Modifier::V8) {
      mnemonic.vectorWidth = 8;
    }
  }
  mnemonic.modifierCount = uint32_t(module.modifiers.size()) - mnemonic.firstModifier;
}
