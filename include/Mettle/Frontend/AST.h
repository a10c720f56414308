//===- AST.h - the syntax tree of a kernel file -===//
//
// The parser makes the tree, semantic analysis writes types and resolved names into it, lowering
// reads it. Every node lives in the arena of its SyntaxTree, is trivially destructible and holds
// positions as byte offsets.
//
//===----------------------------------------------------------------------===//

#ifndef METTLE_FRONTEND_AST_H
#define METTLE_FRONTEND_AST_H

#include "Mettle/Frontend/Lexer.h"
#include "Mettle/Frontend/Types.h"

#include "llvm/Support/Casting.h"

namespace mettle::frontend {

struct Expr;
struct FunctionDecl;
struct Stmt;
struct VarDecl;

/// Half-open range of bytes; `at` is where a message puts its caret, an operator for example.
struct Range {
  Offset begin = 0, end = 0, at = 0;
};

//===----------------------------------------------------------------------===//
// Types as written
//===----------------------------------------------------------------------===//

struct TypeSyntax {
  enum Kind : uint8_t { Builtin, Named, Pointer, Array, Function } kind;
  TypeKind builtin = TypeKind::Error;
  Range range;
  Name name = nullptr;
  TypeSyntax *element = nullptr;
  /// Of an array; a constant expression.
  Expr *extent = nullptr;
};

//===----------------------------------------------------------------------===//
// Expressions
//===----------------------------------------------------------------------===//

struct Expr {
  enum Kind : uint8_t {
    IntLiteral,
    FloatLiteral,
    BoolLiteral,
    StringLiteral,
    NameRef,
    Member,
    Index,
    Unary,
    Binary,
    Cast,
    Call,
    // Made by semantic analysis.
    Convert,
    Decay,
    BuiltinIndex,
    Loaded,
  };

  Kind kind;
  /// A literal, or arithmetic on literals: takes its type from what it meets.
  bool untyped = false;
  /// Height of the tree below, which bounds the recursion of every later stage.
  uint16_t height = 1;
  Range range;
  const Type *type = nullptr;

protected:
  explicit Expr(Kind kind) : kind(kind) {}
};

template <Expr::Kind K> struct ExprOf : Expr {
  ExprOf() : Expr(K) {}
  static bool classof(const Expr *e) { return e->kind == K; }
};

struct IntLiteralExpr : ExprOf<Expr::IntLiteral> {
  uint64_t value = 0;
};

/// The digits stay text until the type is known: they are rounded once.
struct FloatLiteralExpr : ExprOf<Expr::FloatLiteral> {
  llvm::StringRef text;
};

struct BoolLiteralExpr : ExprOf<Expr::BoolLiteral> {
  bool value = false;
};

struct StringLiteralExpr : ExprOf<Expr::StringLiteral> {};

struct NameExpr : ExprOf<Expr::NameRef> {
  Name name = nullptr;
  /// Null for a function.
  VarDecl *variable = nullptr;
  FunctionDecl *function = nullptr;
};

struct MemberExpr : ExprOf<Expr::Member> {
  Expr *base = nullptr;
  bool arrow = false;
  Token field;
  unsigned fieldIndex = 0;
};

struct IndexExpr : ExprOf<Expr::Index> {
  Expr *base = nullptr, *index = nullptr;
};

enum class UnaryOp : uint8_t { Negate, Not, Complement, Dereference, AddressOf };

struct UnaryExpr : ExprOf<Expr::Unary> {
  UnaryOp op = UnaryOp::Negate;
  Expr *operand = nullptr;
};

enum class BinaryOp : uint8_t {
  Mul,
  Div,
  Rem,
  Add,
  Sub,
  Shl,
  Shr,
  Less,
  LessEqual,
  Greater,
  GreaterEqual,
  Equal,
  NotEqual,
  BitAnd,
  BitXor,
  BitOr,
  LogicalAnd,
  LogicalOr,
};

inline bool isComparison(BinaryOp op) { return op >= BinaryOp::Less && op <= BinaryOp::NotEqual; }
inline bool isLogical(BinaryOp op) { return op >= BinaryOp::LogicalAnd; }
inline bool isShift(BinaryOp op) { return op == BinaryOp::Shl || op == BinaryOp::Shr; }
inline bool takesIntegersOnly(BinaryOp op) {
  return isShift(op) || op == BinaryOp::BitAnd || op == BinaryOp::BitOr || op == BinaryOp::BitXor ||
         op == BinaryOp::Rem;
}

/// As written in source.
llvm::StringRef spelling(BinaryOp op);

struct BinaryExpr : ExprOf<Expr::Binary> {
  BinaryOp op = BinaryOp::Add;
  Expr *lhs = nullptr, *rhs = nullptr;
};

struct CastExpr : ExprOf<Expr::Cast> {
  TypeSyntax *target = nullptr;
  Expr *operand = nullptr;
};

/// An argument `value` or `name: value`.
struct Argument {
  Token name;
  Expr *value = nullptr;
};

enum class BuiltinFunction : uint8_t {
#define METTLE_BUILTIN(kind, spelling) kind,
#include "Mettle/Frontend/Builtins.def"
};

/// Whether a built-in is a function of its arguments alone.
bool isArithmetic(BuiltinFunction builtin);
/// Whether it is an assertion or a print.
bool isCheck(BuiltinFunction builtin);
/// Whether it is an atomic access.
bool isAtomic(BuiltinFunction builtin);

/// The order in which a sum of floats over a subgroup is rounded.
enum class FoldOrder : uint8_t { InnerTree, Sequential, Unordered };

/// In the order of strength that the dialect has.
enum class MemoryOrder : uint8_t { Relaxed, Acquire, Release, AcqRel, SeqCst };

/// What the options of an atomic operation say.
struct AtomicOptions {
  MemoryOrder order = MemoryOrder::SeqCst, failureOrder = MemoryOrder::SeqCst;
  /// Where nothing is said, what follows from the memory of the pointer.
  enum Scope : uint8_t { InferredScope, WorkgroupScope, DeviceScope } scope = InferredScope;
  enum Space : uint8_t { InferredSpace, GlobalSpace, WorkgroupSpace } space = InferredSpace;
};

/// What the constants of a call say about an asynchronous copy, or a wait.
struct AsyncCopy {
  uint64_t elements = 0, elementBytes = 0, transaction = 4;
  /// Whether `cache: global` is given.
  bool pastL1 = false;
  /// Groups that a wait leaves.
  uint64_t pending = 0;
};

struct CallExpr : ExprOf<Expr::Call> {
  Expr *callee = nullptr;
  /// After analysis of a built-in the positional ones; what its options say is in the fields below.
  llvm::ArrayRef<Argument> arguments;
  /// Exactly one of the two is meaningful after analysis: a helper, or a built-in if it is null.
  FunctionDecl *function = nullptr;
  BuiltinFunction builtin{};
  FoldOrder foldOrder = FoldOrder::InnerTree;
  AtomicOptions atomic;
  const AsyncCopy *asyncCopy = nullptr;
  /// Of an assertion or a print, whose arguments are then the condition or the values alone.
  llvm::StringRef text;
};

/// An implicit conversion to `type` between scalars.
struct ConvertExpr : ExprOf<Expr::Convert> {
  Expr *operand = nullptr;
};

/// An array used as a pointer to its first element.
struct DecayExpr : ExprOf<Expr::Decay> {
  Expr *operand = nullptr;
};

/// The value of the target of a compound assignment before it; the target's place is found once.
struct LoadedExpr : ExprOf<Expr::Loaded> {};

enum class IndexSource : uint8_t { Thread, Block, BlockDim, GridDim };

/// `thread.x` and its kind, or the older `gpu_tid_x()`.
struct BuiltinIndexExpr : ExprOf<Expr::BuiltinIndex> {
  IndexSource source = IndexSource::Thread;
  uint8_t axis = 0;
};

//===----------------------------------------------------------------------===//
// Statements
//===----------------------------------------------------------------------===//

/// The variables that a function keeps in registers are numbered: a scalar or pointer takes one
/// slot, a record one for each of its scalar leaves, and each way to leave a statement early (the
/// break and continue of a loop, the return of the function) one more that holds a flag.
using Slot = unsigned;

struct Stmt {
  enum Kind : uint8_t {
    Block,
    Var,
    Assign,
    Expression,
    If,
    While,
    Break,
    Continue,
    Return,
    Barrier
  };
  Kind kind;
  /// Whether control can reach the statement after this one.
  bool fallsThrough = true;
  Range range;
  /// Flags of the jumps that leave this statement.
  llvm::ArrayRef<Slot> exits;

protected:
  explicit Stmt(Kind kind) : kind(kind) {}
};

template <Stmt::Kind K> struct StmtOf : Stmt {
  StmtOf() : Stmt(K) {}
  static bool classof(const Stmt *s) { return s->kind == K; }
};

struct BlockStmt : StmtOf<Stmt::Block> {
  llvm::ArrayRef<Stmt *> statements;
};

struct VarStmt : StmtOf<Stmt::Var> {
  VarDecl *variable = nullptr;
};

struct AssignStmt : StmtOf<Stmt::Assign> {
  Expr *target = nullptr, *value = nullptr;
  /// For `target op= value`; analysis replaces value by the whole right side, in which a LoadedExpr
  /// stands for the target.
  bool compound = false;
  BinaryOp op = BinaryOp::Add;
};

struct ExprStmt : StmtOf<Stmt::Expression> {
  Expr *expression = nullptr;
};

struct IfStmt : StmtOf<Stmt::If> {
  Expr *condition = nullptr;
  BlockStmt *thenBlock = nullptr;
  /// A block, or another if; null when there is none.
  Stmt *elseStmt = nullptr;
};

/// `while`, and `for`, which has a step. The initializer of a `for` stands before it in a block of
/// their own.
struct WhileStmt : StmtOf<Stmt::While> {
  Name label = nullptr;
  /// Null: always true.
  Expr *condition = nullptr;
  BlockStmt *body = nullptr;
  Stmt *step = nullptr;
  /// Of `@unroll`, and its value; null and 0 where nothing is said.
  Expr *unroll = nullptr;
  unsigned unrollFactor = 0;
  // From flow analysis.
  Slot breakFlag = 0, continueFlag = 0;
  bool breaks = false;
  /// Slots declared outside the loop that its rounds set, in order.
  llvm::ArrayRef<Slot> assigned;
};

struct JumpStmt : Stmt {
  explicit JumpStmt(Kind kind) : Stmt(kind) {}
  Token label;
  WhileStmt *target = nullptr;
  static bool classof(const Stmt *s) { return s->kind == Stmt::Break || s->kind == Stmt::Continue; }
};

struct ReturnStmt : StmtOf<Stmt::Return> {
  Expr *value = nullptr;
};

struct BarrierStmt : StmtOf<Stmt::Barrier> {
  bool workgroup = false, global = false;
  MemoryOrder order = MemoryOrder::SeqCst;
};

//===----------------------------------------------------------------------===//
// Declarations
//===----------------------------------------------------------------------===//

enum class Storage : uint8_t { Automatic, Workgroup, Private };

struct VarDecl {
  Name name = nullptr;
  Range range;
  TypeSyntax *typeSyntax = nullptr;
  Expr *init = nullptr;
  Storage storage = Storage::Automatic;
  bool isConst = false, isParameter = false, isLoopVariable = false;
  const Type *type = nullptr;
  /// Its address is taken, or it is an array: lives in memory.
  bool inMemory = false;
  /// Depth of the scope it is declared in.
  unsigned scopeDepth = 0;
  /// Number among the variables in memory of its function, or first slot of those in registers.
  unsigned index = 0;
  /// Of a top-level constant: its value, once it is checked, which its first use does.
  Expr *constant = nullptr;
  enum State : uint8_t { Fresh, Checking, Checked } state = Fresh;
};

struct Field {
  Name name = nullptr;
  Range range;
  TypeSyntax *typeSyntax = nullptr;
  const Type *type = nullptr;
  uint64_t offset = 0;
  /// Number of the first scalar leaf.
  unsigned firstLeaf = 0;
};

/// `name = value` between `kernel` or `struct` and its name.
struct NamedOption {
  Token name;
  Expr *value = nullptr;
};

struct RecordDecl {
  Name name = nullptr;
  Range range;
  llvm::ArrayRef<NamedOption> options;
  llvm::MutableArrayRef<Field> fields;
  /// What a kernel cannot have, for host code's records; empty for others.
  llvm::StringRef hostOnly;
  enum State : uint8_t { Fresh, Resolving, Complete, Faulty } state = Fresh;
  uint64_t size = 0, alignment = 1;
  unsigned leaves = 0;
  bool hasArray = false, hasPointer = false;
};

/// An assignment of a pointer, from which the space of its target is inferred: of an expression, or
/// when that is null of another slot, in the copy of a record.
struct PointerFlow {
  Slot target = 0;
  const Expr *value = nullptr;
  Slot source = 0;
};

struct FunctionDecl {
  Name name = nullptr;
  Range range;
  bool isKernel = false, isExtern = false;
  /// Its declaration holds an error, which is reported.
  bool faulty = false;
  /// What a kernel cannot have, for host code's functions; empty for others.
  llvm::StringRef hostOnly;
  llvm::StringRef linkName;
  llvm::ArrayRef<NamedOption> options;
  /// Of a kernel that fixes it; 0 for others.
  unsigned subgroupSize = 0;
  /// Likewise of its workgroups, along x, y and z; 0 along an axis that no option names.
  unsigned blockSize[3] = {};
  llvm::ArrayRef<VarDecl *> parameters;
  TypeSyntax *resultSyntax = nullptr;
  const Type *result = nullptr;
  /// First token of the body, the brace, while it is not parsed.
  unsigned bodyToken = 0;
  bool hasBody = false;
  BlockStmt *body = nullptr;

  enum State : uint8_t { Fresh, Reached, Checked } state = Fresh;
  bool signatureChecked = false;
  /// Length of the longest chain of calls from here.
  unsigned callDepth = 0;
  llvm::ArrayRef<CallExpr *> calls;
  // From flow analysis.
  unsigned slots = 0;
  Slot returnFlag = 0, returnValue = 0;
  llvm::ArrayRef<VarDecl *> memoryVariables;
  llvm::ArrayRef<VarDecl *> registerVariables;
  llvm::ArrayRef<PointerFlow> pointerFlows;
  llvm::ArrayRef<const Expr *> returnedPointers;
};

//===----------------------------------------------------------------------===//
// The tree
//===----------------------------------------------------------------------===//

/// The declarations of one file, and the arena of its nodes.
class SyntaxTree {
public:
  explicit SyntaxTree(const Source &source) : source(source) {}

  template <typename T, typename... Args> T *make(Args &&...args) {
    static_assert(std::is_trivially_destructible_v<T>);
    return new (arena.Allocate<T>()) T(std::forward<Args>(args)...);
  }

  template <typename Container> auto copy(const Container &values) {
    using T = std::remove_cv_t<std::remove_reference_t<decltype(*values.begin())>>;
    T *data = arena.Allocate<T>(values.size());
    std::uninitialized_copy(values.begin(), values.end(), data);
    return llvm::MutableArrayRef<T>(data, values.size());
  }

  const Source &source;
  NameTable names;
  TypeTable types;
  std::vector<FunctionDecl *> functions;
  std::vector<RecordDecl *> records;
  std::vector<VarDecl *> constants;
  /// Top-level `var`: memory of the host.
  std::vector<VarDecl *> hostVariables;

private:
  llvm::BumpPtrAllocator arena;
};

/// The slots of a variable, or of a part of a record variable, that is in registers; `count` is 0
/// when the expression is not such a place.
struct SlotRange {
  Slot first = 0;
  unsigned count = 0;
  const VarDecl *variable = nullptr;
};
SlotRange slotsOf(const Expr *e);

/// Number of slots a value of a type takes.
unsigned leafCount(const Type *type);

/// The scalar or pointer type of each leaf of a type, in order.
void appendLeafTypes(const Type *type, llvm::SmallVectorImpl<const Type *> &leaves);

/// A scalar of a record without arrays, and where it lies, in bytes from the record's start.
struct MemoryPart {
  const Type *type;
  uint64_t offset;
};
/// The scalars of such a record, in the order of memory.
llvm::SmallVector<MemoryPart> memoryParts(const Type *record);

/// A scalar or pointer that travels for a parameter: the parameter itself, or a part of a record,
/// of whose arrays each element is one. `path` is how source writes it behind the parameter's name.
struct PassedPart {
  const Type *type;
  std::string path;
};
/// The parts of a parameter of a type, in the order of memory.
llvm::SmallVector<PassedPart> passedParts(const Type *type);
/// How many there are.
uint64_t countPassedParts(const Type *type);

} // namespace mettle::frontend

#endif // METTLE_FRONTEND_AST_H
