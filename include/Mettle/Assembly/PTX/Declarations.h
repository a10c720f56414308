//===- Declarations.h - What a module declares ------------------*- C++ -*-===//
//
// Variables, registers, functions, labels, source locations and the directives between the
// instructions. Tables of plain records; names and ranges are indices into the module.
//
//===----------------------------------------------------------------------===//

#ifndef METTLE_ASSEMBLY_PTX_DECLARATIONS_H
#define METTLE_ASSEMBLY_PTX_DECLARATIONS_H

#include "Mettle/Assembly/PTX/Instruction.h"

namespace mettle::assembly::ptx {

/// A piece of the module's text.
struct Slice {
  uint32_t offset = 0, length = 0;
  bool empty() const { return length == 0; }
};

enum class Linkage : uint8_t { None, Visible, Extern, Weak, Common };

/// A variable of any space but .reg: global, shared, local, constant, a parameter.
struct Variable {
  NameId name = None; ///< `_` of a prototype's parameter is None
  /// The function it belongs to, or None at module scope.
  uint32_t function = None;
  StateSpace space = StateSpace::None;
  Type type = Type::None;
  uint8_t vectorWidth = 1;
  Linkage linkage = Linkage::None;
  /// What `.ptr` says of a pointer parameter: the space it points to (None: generic).
  StateSpace pointee = StateSpace::None;
  bool isPointer = false;
  bool isRegister = false; ///< a `.reg` parameter of a function
  bool continues = false;  ///< follows a comma in the declaration of the one before
  bool isArray = false;
  /// Alignment in bytes, written or that of the type; of what `.ptr` points to, if isPointer.
  uint32_t alignment = 0;
  uint32_t pointeeAlignment = 0;
  /// Bytes it takes; 0 for an array of open extent without initialiser.
  uint64_t size = 0;
  /// The written extents, `[2][3]`; empty brackets are an extent of 0.
  uint32_t firstExtent = 0, extentCount = 0;
  /// The numbers after `.align` and the extents with their brackets, as written.
  Slice alignmentText, pointeeAlignmentText, extentText;
  Slice attributes;    ///< what stands between `.attribute(` and `)`
  Slice initializer;   ///< what follows `=`, unread; see Initializer.h
  uint32_t offset = 0; ///< where the name stands in the text
};

/// A `.reg` declarator: one register or a range `%r<129>`, of a class and type.
struct RegisterDeclaration {
  NameId name = None; ///< for a range, its prefix
  Type type = Type::None;
  RegisterClass cls = RegisterClass::Pred;
  uint8_t vectorWidth = 1;
  bool isRange = false;
  bool continues = false;
  uint32_t first = 0; ///< number of its first register
  uint32_t count = 1; ///< the number in the angle brackets; each takes vectorWidth numbers
  Slice countText;    ///< that number as written
  uint32_t offset = 0;
};

/// A directive with numbers: .maxntid 128, 1, 1.
struct FunctionDirective {
  NameId name = None;
  std::array<uint32_t, 3> values = {};
  uint8_t valueCount = 0;
  Slice text; ///< the directive's arguments as written
};

/// A half-open range of indices.
struct Range {
  uint32_t first = 0, last = 0;
  uint32_t size() const { return last - first; }
};

/// A .entry or .func: a body's instructions are contiguous in the module.
struct Function {
  NameId name = None;
  bool isEntry = false;
  bool hasBody = false;
  bool hasParameterList = false; ///< parentheses are written
  bool hasReturnList = false;
  Linkage linkage = Linkage::None;
  Slice attributes;
  Range returns, parameters; ///< variables
  Range directives;
  Range instructions;
  Range items;     ///< the module's items from the opening brace to the closing one
  Range registers; ///< register declarations
  Range variables; ///< those declared in its body
  Range labels;
  /// Registers of each class.
  std::array<uint32_t, NumRegisterClasses> registerCount = {};
  uint32_t offset = 0; ///< where the name stands
};

/// What a label stands before.
enum class LabelKind : uint8_t { Code, BranchTargets, CallTargets, Prototype };

struct Label {
  NameId name = None;
  LabelKind kind = LabelKind::Code;
  /// Code: the index of the instruction that follows. Else: index of a CodeTable or Prototype.
  uint32_t target = 0;
  uint32_t offset = 0;
};

/// The list of a `.branchtargets` (labels) or `.calltargets` (functions).
struct CodeTable {
  uint32_t firstOperand = 0, count = 0; ///< Label or Function operands of the module
};

/// A `.callprototype`: a function without a name of its own. Its name is `_` in practice.
using Prototype = Function;

/// A `.file`.
struct SourceFile {
  uint32_t number = 0;
  Slice path; ///< with its quotes
  Slice text; ///< the whole directive but for its name: number, path, timestamp and size
};

/// A `.loc`: the source line of the instructions up to the next one or the end of the function.
struct Location {
  uint32_t file = 0, line = 0, column = 0;
  /// `function_name label[+offset]` and `inlined_at file line column`, or None.
  NameId functionName = None;
  uint32_t functionOffset = 0;
  uint32_t inlinedFile = None, inlinedLine = 0, inlinedColumn = 0;
  Slice text; ///< the whole directive but for its name
};

/// A `.section`: DWARF data, kept unread; see Section.h.
struct Section {
  Slice name, body;
};

struct Alias {
  NameId alias = None, aliasee = None;
};

enum class ItemKind : uint8_t {
  Version,
  Target,
  AddressSize,
  LineMarker,  ///< `# 1 "a.cu"`; index: text
  Dwarf,       ///< `@@DWARF ...`; index: text
  Pragma,      ///< index: text
  File,        ///< index: file
  Section,     ///< index: section
  Alias,       ///< index: alias
  Variable,    ///< index: variable; those that continue a declaration have no item
  Function,    ///< index: function; its header
  FunctionEnd, ///< index: function
  BlockOpen,   ///< a `{` within a body
  BlockClose,
  Registers,     ///< index: register declaration
  Label,         ///< index: label
  BranchTargets, ///< index: code table
  CallTargets,   ///< index: code table
  Prototype,     ///< index: prototype
  Location,      ///< index: location
};

/// Whatever stands between instructions, in text order.
struct Item {
  /// The instruction it stands before.
  uint32_t position = 0;
  ItemKind kind = ItemKind::Version;
  uint32_t index = 0;
};
static_assert(sizeof(Item) == 12);

} // namespace mettle::assembly::ptx

#endif // METTLE_ASSEMBLY_PTX_DECLARATIONS_H
