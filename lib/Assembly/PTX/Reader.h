//===- Reader.h - The recursive-descent reader ------------------*- C++ -*-===//
//
// One pass over the text into a Module. The grammar is LL(1) but for labels, which one more byte
// tells from opcodes. Nothing here recurses with the input: blocks are a stack of scopes, operands
// nest to a fixed depth, expressions to 64.
//
//===----------------------------------------------------------------------===//

#ifndef METTLE_LIB_ASSEMBLY_PTX_READER_H
#define METTLE_LIB_ASSEMBLY_PTX_READER_H

#include "Cursor.h"
#include "Mettle/Assembly/PTX/Parser.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/Twine.h"

namespace mettle::assembly::ptx {

class Reader {
public:
  Reader(llvm::StringRef text, Module &module, std::vector<Diagnostic> &errors,
         const ParseOptions &options);

  void run();

private:
  // Diagnostics (Reader.cpp). Each returns false, so that a caller can return it.
  bool error(const char *at, const llvm::Twine &message);
  bool error(const char *at, const llvm::Twine &message, const char *other,
             const llvm::Twine &note);
  bool expected(const llvm::Twine &what);
  /// After an error: passes the rest of the statement, up to and including its semicolon, or up
  /// to a brace.
  void recover();
  /// What stands at `at`, quoted for a message.
  static std::string found(const char *at, const char *end);

  // Module scope (ReadModule.cpp).
  bool header();
  bool readVersion();
  bool readTarget();
  bool readAddressSize();
  void moduleStatement();
  bool readPragma();
  bool readFile();
  bool readSection();
  bool readAlias();
  bool lineMarker();
  void readLineMarker();
  bool readDwarfLine();

  // Declarations (ReadDeclaration.cpp).
  bool readVariable(Linkage linkage, StateSpace space);
  bool readDeclarator(Variable &variable);
  bool readRegisters();
  bool readRegister(RegisterDeclaration &declaration);
  bool takeDirective(llvm::StringRef name);
  bool readAlignment(uint32_t &alignment, Slice &text);
  bool readTypeAndVector(Type &type, uint8_t &vectorWidth);
  bool readAttributes(Slice &attributes);
  bool skipInitializer(Slice &initializer);
  bool readNumber(uint64_t &value, llvm::StringRef what);
  bool readNumber(uint32_t &value, llvm::StringRef what);

  // Functions (ReadFunction.cpp).
  bool readFunction(Linkage linkage, bool isEntry);
  bool readParameters(Range &range, bool prototype);
  bool readParameter(bool prototype);
  bool readDirectives(Function &function);
  bool readPrototype();

  // Bodies (ReadBody.cpp).
  void readBody(uint32_t function, const char *open);
  void bodyStatement();
  void readLabel(llvm::StringRef name, const char *start);
  bool readBodyDirective(const char *start);
  bool readLocation();
  bool readTable(LabelKind kind);
  bool openBlock(const char *open);
  void closeBlock();
  void resolvePending(size_t first);
  void endFunction();

  // Names (ReadName.cpp).
  enum class Binding : uint8_t { None, Variable, Register, Function, Label, Special };
  struct BindingEntry {
    Binding kind = Binding::None;
    /// Depth of the scope that declares it; 0 is the module.
    uint32_t depth = 0;
    uint32_t index = 0;
  };
  BindingEntry &bindingOf(NameId name);
  bool bind(NameId name, Binding kind, uint32_t index, const char *at);
  bool bindRange(uint32_t declaration, const char *at);
  bool numberRegisters(RegisterDeclaration &declaration, const char *at);
  /// The range register `name` stands for, e.g. %r12 of %r<129>.
  bool rangeRegister(llvm::StringRef name, RegisterId &reg, uint8_t &width, uint32_t &depth);
  bool resolve(llvm::StringRef name, Operand &operand);

  // Instructions (ReadInstruction.cpp).
  bool readInstruction(const char *start, const char *mnemonicStart);
  bool readGuarded();
  uint32_t internMnemonic(llvm::StringRef text);
  void decodeMnemonic(llvm::StringRef text, Mnemonic &mnemonic);

  // Operands (ReadOperand.cpp).
  bool readOperand(Operand &operand);
  bool readSimple(Operand &operand);
  bool readRegisterOrName(Operand &operand);
  bool readSelector(Operand &operand);
  bool readImmediate(Operand &operand);
  bool readVector(Operand &operand);
  bool readList(Operand &operand);
  bool readAddress(Operand &operand);
  bool readOffset(Operand &operand);
  bool readIndex(Operand &operand);
  bool group(Operand &operand, OperandKind kind, llvm::ArrayRef<Operand> elements);

  uint32_t offsetOf(const char *at) const { return uint32_t(at - cursor.begin); }
  Slice sliceOf(const char *start, const char *stop) const {
    return {offsetOf(start), uint32_t(stop - start)};
  }
  Slice sliceOf(llvm::StringRef piece) const {
    return {offsetOf(piece.begin()), uint32_t(piece.size())};
  }
  /// From `start` to here, without the space that was passed.
  Slice sliceFrom(const char *start) const { return sliceOf(cursor.since(start).rtrim()); }
  void item(ItemKind kind, uint32_t index) {
    module.items.push_back({uint32_t(module.instructions.size()), kind, index});
  }

  Cursor cursor;
  Module &module;
  std::vector<Diagnostic> &errors;
  const ParseOptions &options;
  unsigned errorCount = 0;
  /// Reading ends: too many errors, or one after which nothing can be told.
  bool stopped = false;
  bool sawAddressSize = false;

  /// Indexed by NameId.
  std::vector<BindingEntry> bindings;
  /// Indexed by the NameId of a prefix: the register range it names in the innermost scope.
  std::vector<BindingEntry> ranges;
  /// Register ranges whose prefix is short, for the common case of a %r12.
  struct QuickRange {
    uint64_t prefix;
    uint32_t count;
    uint32_t first; ///< raw RegisterId
  };

  /// Indexed by declaration: the range of the same prefix it hides, for the numbers it lacks.
  std::vector<BindingEntry> outerRanges;

  struct Undo {
    NameId name;
    bool isRange;
    BindingEntry old;
    /// For a range: the quick range it replaced, NoSlot if it got none.
    unsigned slot;
    QuickRange oldQuick;
  };
  static constexpr unsigned NoSlot = ~0u;
  std::vector<Undo> undo;

  struct Scope {
    const char *open;
    size_t firstUndo;
    size_t firstPending;
    bool hasLabels = false;
  };
  llvm::SmallVector<Scope, 16> scopes;
  static constexpr unsigned MaxScopes = 256;

  static constexpr unsigned MaxQuickRanges = 8;
  QuickRange quickRanges[MaxQuickRanges];
  unsigned quickRangeCount = 0;
  /// Single registers named %... in the function: then a %r12 may be one, and is looked up by name.
  bool hasNamedRegisters = false;

  /// Identifiers of operands that nothing had declared when they were read: labels further down.
  struct Pending {
    uint32_t operand;
    uint32_t instruction;
  };
  std::vector<Pending> pending;
  /// Set by readSimple when it leaves an undeclared name.
  bool sawName = false;
  NameTable mnemonicTexts;
  uint32_t currentFunction = None;
  uint32_t currentLocation = 0;
  Opcode currentOpcode = Opcode::Opaque;
};

} // namespace mettle::assembly::ptx

#endif // METTLE_LIB_ASSEMBLY_PTX_READER_H
