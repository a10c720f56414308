//===- Parser.h - tokens to a syntax tree -===//
//
// Recursive descent in two steps. Declarations come first, with the bodies of functions skipped by
// their braces; a body is parsed when it is asked for. So host code may hold anything, and the
// names of records are known before the first expression, which decides what `(name) …` means.
//
//===----------------------------------------------------------------------===//

#ifndef METTLE_FRONTEND_PARSER_H
#define METTLE_FRONTEND_PARSER_H

#include "Mettle/Frontend/AST.h"

#include "llvm/ADT/DenseSet.h"

namespace mettle::frontend {

class Parser {
public:
  Parser(SyntaxTree &tree, std::vector<Token> tokens, Diagnostics &diagnostics)
      : tree(tree), tokens(std::move(tokens)), diagnostics(diagnostics) {}

  /// Fills the tree with the declarations of the file.
  void parseDeclarations();

  /// Parses the body of a function that has one; leaves it null when it holds errors.
  void parseBody(FunctionDecl &function);

  /// The names that the body of a function, parsed or not, calls as functions.
  llvm::SmallVector<Token> callsIn(const FunctionDecl &function) const;

  /// Blocks, parentheses and operators may nest this deep, which bounds the stack of every stage.
  static constexpr unsigned maxNesting = 256;
  /// An expression without parentheses may be this high: the terms of one sum, for example.
  static constexpr unsigned maxHeight = 1000;

private:
  // Tokens.
  const Token &token(unsigned ahead = 0) const {
    return tokens[std::min(at + ahead, tokens.size() - 1)];
  }
  bool is(TokenKind kind) const { return token().kind == kind; }
  bool isName(llvm::StringRef spelling) const;
  Token take() { return tokens[at + 1 < tokens.size() ? at++ : at]; }
  bool accept(TokenKind kind);
  bool acceptName(llvm::StringRef spelling);
  bool expect(TokenKind kind, llvm::StringRef where);
  bool startsLine(const Token &token) const;
  Offset lastEnd() const { return at ? tokens[at - 1].end : 0; }
  Range rangeFrom(Offset begin, Offset caret) const { return {begin, lastEnd(), caret}; }
  std::string found() const;
  Diagnostic *error(const Token &token, Code code,
                    std::initializer_list<llvm::StringRef> places = {});
  void expected(llvm::StringRef what);

  // Declarations: ParseDecl.cpp.
  void parseDeclaration();
  /// The options in parentheses behind `kernel` or `struct`, if there are any.
  bool parseOptions(llvm::StringRef what, llvm::SmallVectorImpl<NamedOption> &options);
  void parseFunction(bool isKernel, bool isExtern);
  bool parseSignature(FunctionDecl &function);
  bool parseParameters(llvm::SmallVectorImpl<VarDecl *> &parameters);
  void parseRecord();
  void parseRecordFields(RecordDecl &record);
  void parseConstant();
  void parseHostVariable();
  bool skipBraces(bool inKernel);
  void skipPast(TokenKind kind);
  bool skipAngles();
  TypeSyntax *parseType();
  TypeSyntax *parseTypeName();
  TypeSyntax *parseFunctionType();

  // Statements: ParseStmt.cpp.
  Stmt *parseStatement();
  BlockStmt *parseBlock(llvm::StringRef where);
  Stmt *parseVariable(Storage storage);
  VarDecl *parseVariableRest(VarDecl &variable);
  Stmt *parseSimple();
  Stmt *parseIf();
  Stmt *parseWhile(Name label);
  Stmt *parseFor(Name label);
  Stmt *parseRangeFor(Name label, Offset begin);
  Stmt *parseJump(Stmt::Kind kind);
  Stmt *parseReturn();
  Stmt *parseBarrier();
  Stmt *parseLoop(Name label);
  Stmt *parseUnrolled();
  Expr *parseCondition();
  bool endStatement();
  void skipStatement();

  // Expressions: ParseExpr.cpp.
  Expr *parseExpr() { return parseBinary(0); }
  Expr *parseBinary(unsigned minimum);
  Expr *parseUnary();
  Expr *parsePostfix();
  Expr *parsePrimary();
  Expr *parseCall(Expr *callee);
  Expr *parseNumber();
  bool atCast() const;
  NameExpr *makeName(const Token &token);
  Expr *finish(Expr *e, Offset begin, Offset caret, std::initializer_list<const Expr *> parts = {});

  /// Counts nesting while it lives; false when the limit is passed, which it reports.
  class Nest {
  public:
    explicit Nest(Parser &parser) : parser(parser) { ++parser.nesting; }
    ~Nest() { --parser.nesting; }
    bool fits();

  private:
    Parser &parser;
  };

  SyntaxTree &tree;
  std::vector<Token> tokens;
  Diagnostics &diagnostics;
  size_t at = 0;
  unsigned nesting = 0;
  bool quiet = false;
  bool failed = false;
  FunctionDecl *function = nullptr;
  llvm::DenseSet<Name> recordNames;
};

} // namespace mettle::frontend

#endif // METTLE_FRONTEND_PARSER_H
