//===- Sema.h - names, types and the rules of the language -===//
//
// Looks at kernels and at what they reach, and at nothing else: host code in the same file is never
// judged. Afterwards every expression has a type, implicit conversions are nodes of the tree, and
// names point at what they mean.
//
//===----------------------------------------------------------------------===//

#ifndef METTLE_FRONTEND_SEMA_H
#define METTLE_FRONTEND_SEMA_H

#include "Mettle/Frontend/Parser.h"

#include "llvm/ADT/APSInt.h"
#include "llvm/ADT/ScopedHashTable.h"

#include <optional>

namespace mettle::frontend {

class Sema {
public:
  Sema(SyntaxTree &tree, Parser &parser, Diagnostics &diagnostics)
      : tree(tree), parser(parser), diagnostics(diagnostics) {}

  /// Analyses the file, parsing bodies as they are reached.
  void analyse();

  /// The kernels, then the helpers they reach, in the order of the file and of discovery.
  llvm::ArrayRef<FunctionDecl *> reached() const { return reachedFunctions; }

  /// Calls may nest this deep, which bounds the stack of the stages that follow them.
  static constexpr unsigned maxCallDepth = 256;

  /// A record that a kernel takes has at most this many scalars: every OpenCL device takes a
  /// kilobyte of arguments.
  static constexpr unsigned maxPassedParts = 128;

  /// What an access can use at once, and less than every array's own alignment.
  static constexpr unsigned maxRecordAlignment = 16;

private:
  using Scope = llvm::ScopedHashTableScope<Name, VarDecl *>;

  /// At the caret of the range, over all of it when it starts there.
  Diagnostic &error(const Range &range, Code code,
                    std::initializer_list<llvm::StringRef> places = {}) {
    return diagnostics.error(range.at, range.at == range.begin ? range.end : range.at, code,
                             places);
  }

  // Declarations: SemaDecl.cpp.
  void declareNames();
  void checkConstant(VarDecl &constant, const Range &use);
  void checkSignature(FunctionDecl &function);
  void checkKernelSignature(FunctionDecl &function);
  void checkKernelOptions(FunctionDecl &kernel);
  bool checkRecordOptions(RecordDecl &record);
  std::optional<llvm::APSInt> checkOption(const NamedOption &option, llvm::StringRef what);
  void checkFunction(FunctionDecl &function);
  void checkCallGraph();
  const Type *resolve(TypeSyntax *syntax);
  const Type *resolveArray(TypeSyntax *syntax);
  bool complete(RecordDecl &record, const Range &use);
  void declare(VarDecl &variable);
  VarDecl *lookup(Name name) const { return atTopLevel ? nullptr : scope.lookup(name); }

  // Statements: SemaStmt.cpp.
  void checkBlock(BlockStmt &block);
  void checkStmt(Stmt &statement);
  void checkVariable(VarDecl &variable);
  void checkStorage(VarDecl &variable);
  void checkAssign(AssignStmt &statement);
  void checkLoop(WhileStmt &loop);
  void checkJump(JumpStmt &jump);
  void checkReturn(ReturnStmt &statement);
  Expr *checkCondition(Expr *e);

  // Expressions: SemaExpr.cpp.
  Expr *check(Expr *e);
  Expr *checkValue(Expr *e);
  Expr *checkName(NameExpr &e);
  Expr *checkMember(MemberExpr &e);
  Expr *checkIndex(IndexExpr &e);
  Expr *checkUnary(UnaryExpr &e);
  Expr *checkAddressOf(UnaryExpr &e);
  Expr *checkBinary(BinaryExpr &e);
  Expr *checkOperands(BinaryExpr &e);
  Expr *checkPointerArithmetic(BinaryExpr &e);
  Expr *checkCast(CastExpr &e);
  Expr *fail(Expr *e);
  bool keepInMemory(VarDecl &variable, const Range &use);
  VarDecl *rootVariable(Expr *e);

  // Calls: SemaCall.cpp.
  Expr *checkCall(CallExpr &e);
  Expr *checkHelperCall(CallExpr &e, FunctionDecl &callee);
  Expr *checkBuiltinCall(CallExpr &e, llvm::StringRef name, const FunctionDecl *declaration);
  Expr *checkMathCall(CallExpr &e, BuiltinFunction builtin, unsigned arity, const Type *type,
                      const Type *result, const FunctionDecl *declaration);
  Expr *checkHalfCall(CallExpr &e, BuiltinFunction builtin, const FunctionDecl *declaration);
  Expr *checkSubgroupCall(CallExpr &e, llvm::StringRef name, BuiltinFunction builtin,
                          const FunctionDecl *declaration);
  Expr *checkAsyncCall(CallExpr &e, llvm::StringRef name, BuiltinFunction builtin,
                       const FunctionDecl *declaration);
  bool checkWait(AsyncCopy &copy, Expr *value);
  bool checkCopy(AsyncCopy &copy, llvm::MutableArrayRef<Argument> arguments);
  bool checkTransaction(AsyncCopy &copy, const Argument &option);
  bool checkCacheHint(AsyncCopy &copy, const Argument &option);
  std::optional<uint64_t> foldOption(Expr *value, uint64_t least, uint64_t most, Code code);
  bool checkFoldOrder(CallExpr &e, const Argument &option, bool isFloat);
  // Atomics: SemaAtomic.cpp.
  Expr *checkAtomicCall(CallExpr &e, llvm::StringRef name, BuiltinFunction builtin,
                        const FunctionDecl *declaration);
  bool checkAtomicOption(CallExpr &e, const Argument &option);
  bool checkAtomicOrders(CallExpr &e, const Argument *order, const Argument *failure);
  bool checkAtomicElement(CallExpr &e, llvm::StringRef name, Expr *pointer, const Argument *sums);

  // Assertions and prints: SemaCheck.cpp.
  Expr *checkCheckCall(CallExpr &e, llvm::StringRef name, BuiltinFunction builtin,
                       const FunctionDecl *declaration);
  std::optional<std::string> checkText(llvm::StringRef name, const Expr *literal, bool isLine);
  bool checkCheckedValue(llvm::StringRef name, Argument &argument, bool isCondition);
  bool checkPlaces(const Range &range, llvm::StringRef text, size_t values);

  bool checkArity(CallExpr &e, llvm::StringRef name, size_t arity);
  bool checkDeclaration(const FunctionDecl *declaration, llvm::ArrayRef<const Type *> parameters,
                        const Type *result);

  void checkUnreached(const FunctionDecl &host);

  // Conversions: SemaConvert.cpp.
  Expr *convert(Expr *e, const Type *to);
  Expr *convertTo(Expr *e, const Type *to, llvm::StringRef what);
  Expr *retype(Expr *e, const Type *to);
  Expr *promote(Expr *e);
  const Type *promoted(const Type *type) const;
  const Type *common(const Type *a, const Type *b) const;
  std::optional<llvm::APSInt> fold(const Expr *e) const;
  static bool isConstant(const Expr *e);
  const Type *get(TypeKind kind) const { return tree.types.get(kind); }

  SyntaxTree &tree;
  Parser &parser;
  Diagnostics &diagnostics;

  llvm::DenseMap<Name, FunctionDecl *> functions;
  llvm::DenseMap<Name, RecordDecl *> records;
  llvm::DenseMap<Name, VarDecl *> constants;
  llvm::DenseMap<Name, VarDecl *> hostVariables;
  llvm::SmallVector<FunctionDecl *> reachedFunctions;

  // Of the function being checked.
  FunctionDecl *function = nullptr;
  llvm::ScopedHashTable<Name, VarDecl *> scope;
  unsigned scopeDepth = 0;
  /// Names of functions are out of sight: the value of a top-level constant is being checked.
  bool atTopLevel = false;
  llvm::SmallVector<WhileStmt *> loops;
  llvm::SmallVector<CallExpr *> calls;
  unsigned recordDepth = 0;
};

} // namespace mettle::frontend

#endif // METTLE_FRONTEND_SEMA_H
