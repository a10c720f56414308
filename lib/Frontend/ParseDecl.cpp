//===- ParseDecl.cpp - declarations, and the parser's own tools -===//
//
// What belongs to host code is recognised, so that it may stand in the same file, and left alone.
//
//===----------------------------------------------------------------------===//

#include "Mettle/Frontend/Parser.h"

#include "llvm/ADT/ScopeExit.h"

using namespace mettle::frontend;
using llvm::StringRef;

//===----------------------------------------------------------------------===//
// Tokens
//===----------------------------------------------------------------------===//

bool Parser::isName(StringRef spelling) const {
  return is(TokenKind::identifier) && token().name->getKey() == spelling;
}

bool Parser::acceptName(StringRef spelling) {
  if (!isName(spelling))
    return false;
  take();
  return true;
}

bool Parser::accept(TokenKind kind) {
  if (!is(kind))
    return false;
  take();
  return true;
}

bool Parser::expect(TokenKind kind, StringRef where) {
  if (accept(kind))
    return true;
  error(token(), Code::expected_token, {describe(kind), where, found()});
  return false;
}

bool Parser::startsLine(const Token &token) const {
  StringRef before = tree.source.text().take_front(token.begin).rtrim(" \t");
  return before.empty() || before.back() == '\n' || token.is(TokenKind::end_of_file);
}

/// What stands here, for a message: a name or number as it is, anything else by its kind.
std::string Parser::found() const {
  const Token &here = token();
  if (here.is(TokenKind::identifier) || here.is(TokenKind::integer) || here.is(TokenKind::floating))
    return "'" + tree.source.text().slice(here.begin, here.end).str() + "'";
  return describe(here.kind).str();
}

/// Null when messages are off.
Diagnostic *Parser::error(const Token &token, Code code, std::initializer_list<StringRef> places) {
  failed = true;
  return quiet ? nullptr : &diagnostics.error(token.begin, token.end, code, places);
}

void Parser::expected(StringRef what) { error(token(), Code::expected_here, {what, found()}); }

bool Parser::Nest::fits() {
  if (parser.nesting <= maxNesting)
    return true;
  parser.error(parser.token(), Code::nested_too_deep, {std::to_string(maxNesting)});
  // On the way back out, what is left of each level is no news.
  parser.quiet = true;
  return false;
}

//===----------------------------------------------------------------------===//
// Skipping
//===----------------------------------------------------------------------===//

/// Skips `{ … }`. A declaration that starts a line inside means that a brace is missing: it is not
/// skipped. In host code, words that only a kernel may use are refused.
bool Parser::skipBraces(bool inKernel) {
  Token open = take();
  unsigned depth = 1;
  while (depth) {
    const Token &here = token();
    bool declares = here.is(TokenKind::kw_kernel) || here.is(TokenKind::kw_import) ||
                    here.is(TokenKind::kw_export) || here.is(TokenKind::kw_extern) ||
                    here.is(TokenKind::kw_struct) || here.is(TokenKind::kw_fn);
    bool atMargin = !here.begin || tree.source.text()[here.begin - 1] == '\n';
    if (here.is(TokenKind::end_of_file) || (declares && atMargin)) {
      if (Diagnostic *made = error(here, Code::expected_token, {"'}'", "to close a body", found()}))
        Diagnostics::note(*made, open.begin, open.end, Code::opened_here);
      return false;
    }
    if (!inKernel && here.is(TokenKind::kw_barrier) && token(1).is(TokenKind::l_paren))
      error(here, Code::barrier_outside_kernel);
    if (!inKernel && token(1).is(TokenKind::kw_var) &&
        (here.is(TokenKind::kw_workgroup) || here.is(TokenKind::kw_private)))
      error(here, Code::workgroup_outside_kernel,
            {here.is(TokenKind::kw_workgroup) ? "workgroup" : "private"});
    depth += here.is(TokenKind::l_brace) ? 1 : here.is(TokenKind::r_brace) ? -1 : 0;
    take();
  }
  return true;
}

/// Skips past a token outside braces, parentheses and brackets.
void Parser::skipPast(TokenKind kind) {
  unsigned depth = 0;
  while (!is(TokenKind::end_of_file)) {
    Token here = token();
    if (here.is(TokenKind::l_brace)) {
      if (!skipBraces(false))
        return;
      continue;
    }
    take();
    if (here.is(TokenKind::l_paren) || here.is(TokenKind::l_square))
      ++depth;
    else if ((here.is(TokenKind::r_paren) || here.is(TokenKind::r_square)) && depth)
      --depth;
    else if (here.is(kind) && !depth)
      return;
  }
}

/// Skips `< … >`, the parameters of generic host code; false when none stand here.
bool Parser::skipAngles() {
  if (!accept(TokenKind::less))
    return false;
  for (unsigned depth = 1; depth && !is(TokenKind::end_of_file) && !is(TokenKind::l_brace);) {
    Token here = take();
    depth += here.is(TokenKind::less) ? 1 : here.is(TokenKind::greater) ? -1 : 0;
    if (here.is(TokenKind::greater_greater))
      depth -= std::min(depth, 2u);
  }
  return true;
}

//===----------------------------------------------------------------------===//
// Declarations
//===----------------------------------------------------------------------===//

void Parser::parseDeclarations() {
  // Records may be used before they are declared.
  for (size_t i = 0; i + 1 < tokens.size(); ++i) {
    if (!tokens[i].is(TokenKind::kw_struct))
      continue;
    size_t name = i + 1;
    // Options have no parentheses of their own that a name could follow.
    if (tokens[name].is(TokenKind::l_paren))
      while (name + 1 < tokens.size() && !tokens[name++].is(TokenKind::r_paren))
        ;
    if (tokens[name].is(TokenKind::identifier))
      recordNames.insert(tokens[name].name);
  }
  while (!is(TokenKind::end_of_file)) {
    size_t before = at;
    parseDeclaration();
    if (at == before)
      take();
  }
}

void Parser::parseDeclaration() {
  Token first = token();
  quiet = false;
  switch (first.kind) {
  case TokenKind::semicolon:
  case TokenKind::kw_export:
    take();
    return;
  case TokenKind::kw_import:
    return skipPast(TokenKind::semicolon);
  case TokenKind::at:
    // A decorator of a host function.
    take();
    take();
    accept(TokenKind::bang);
    return;
  case TokenKind::kw_kernel:
    take();
    return parseFunction(/*isKernel=*/true, /*isExtern=*/false);
  case TokenKind::kw_fn:
    take();
    return parseFunction(/*isKernel=*/false, /*isExtern=*/false);
  case TokenKind::kw_extern:
    take();
    if (accept(TokenKind::kw_fn) || acceptName("function"))
      return parseFunction(/*isKernel=*/false, /*isExtern=*/true);
    return skipPast(TokenKind::semicolon);
  case TokenKind::kw_struct:
    return parseRecord();
  case TokenKind::kw_const:
    return parseConstant();
  case TokenKind::kw_var:
    return parseHostVariable();
  case TokenKind::kw_enum:
    take();
    while (!is(TokenKind::l_brace) && !is(TokenKind::end_of_file))
      take();
    if (is(TokenKind::l_brace))
      skipBraces(/*inKernel=*/false);
    return;
  case TokenKind::kw_workgroup:
  case TokenKind::kw_private:
    error(first, Code::workgroup_outside_kernel,
          {first.is(TokenKind::kw_workgroup) ? "workgroup" : "private"});
    return skipPast(TokenKind::semicolon);
  case TokenKind::identifier:
    if (acceptName("function") || acceptName("func"))
      return parseFunction(/*isKernel=*/false, /*isExtern=*/false);
    if (isName("trait") || isName("impl")) {
      while (!is(TokenKind::l_brace) && !is(TokenKind::end_of_file))
        take();
      if (is(TokenKind::l_brace))
        skipBraces(/*inKernel=*/false);
      return;
    }
    [[fallthrough]];
  default:
    expected("a declaration");
    // To the next line that starts one.
    do {
      if (is(TokenKind::l_brace)) {
        if (!skipBraces(/*inKernel=*/true))
          return;
      } else {
        take();
      }
    } while (
        !is(TokenKind::end_of_file) &&
        !(startsLine(token()) && token().kind >= TokenKind::kw_asm && !is(TokenKind::kw_barrier)));
  }
}

void Parser::parseFunction(bool isKernel, bool isExtern) {
  auto *made = tree.make<FunctionDecl>();
  made->isKernel = isKernel;
  made->isExtern = isExtern;
  llvm::SmallVector<NamedOption> options;
  if (isKernel && !parseOptions("kernel", options))
    return;
  made->options = tree.copy(options);
  Token name = token();
  if (!expect(TokenKind::identifier, isKernel ? "to name the kernel" : "to name the function"))
    return;
  made->name = name.name;
  made->range = {name.begin, name.end, name.begin};
  if (skipAngles())
    made->hostOnly = "a generic function";
  // What a host function takes and returns is its own affair until a kernel calls it.
  bool readable;
  {
    auto restore = llvm::scope_exit([this, before = quiet] { quiet = before; });
    quiet = !isKernel;
    bool failedBefore = failed;
    readable = parseSignature(*made);
    failed = failedBefore || (failed && isKernel);
  }
  if (!readable) {
    if (isKernel)
      made->faulty = true;
    else if (made->hostOnly.empty())
      made->hostOnly = "a function with a signature of host code";
    while (!is(TokenKind::l_brace) && !is(TokenKind::semicolon) && !is(TokenKind::end_of_file))
      take();
  }
  if (isExtern && accept(TokenKind::equal)) {
    Token link = token();
    if (expect(TokenKind::string, "to name the external function"))
      made->linkName = tree.source.text().slice(link.begin + 1, link.end - 1);
  }
  if (is(TokenKind::l_brace) && !isExtern) {
    made->bodyToken = at;
    made->hasBody = true;
    made->faulty |= !skipBraces(isKernel);
  } else if (!expect(TokenKind::semicolon,
                     isExtern ? "to end the declaration" : "or a body after the signature")) {
    return;
  }
  if (isKernel && !made->hasBody) {
    error(name, Code::kernel_without_body, {name.name->getKey()});
    return;
  }
  tree.functions.push_back(made);
}

/// `(subgroup = 32)`, if it stands here.
bool Parser::parseOptions(llvm::StringRef what, llvm::SmallVectorImpl<NamedOption> &options) {
  if (!accept(TokenKind::l_paren))
    return true;
  do {
    NamedOption option;
    option.name = token();
    if (!expect(TokenKind::identifier, "to name an option of the " + what.str()) ||
        !expect(TokenKind::equal, "between an option and its value") ||
        !(option.value = parseExpr()))
      return false;
    options.push_back(option);
  } while (accept(TokenKind::comma));
  return expect(TokenKind::r_paren, "after the options of the " + what.str());
}

bool Parser::parseSignature(FunctionDecl &made) {
  if (!expect(TokenKind::l_paren, "before the parameters"))
    return false;
  llvm::SmallVector<VarDecl *> parameters;
  if (!parseParameters(parameters))
    return false;
  made.parameters = tree.copy(parameters);
  if (accept(TokenKind::arrow) || accept(TokenKind::colon))
    return (made.resultSyntax = parseType());
  return true;
}

bool Parser::parseParameters(llvm::SmallVectorImpl<VarDecl *> &parameters) {
  if (accept(TokenKind::r_paren))
    return true;
  do {
    Token name = token();
    if (!expect(TokenKind::identifier, "to name a parameter") ||
        !expect(TokenKind::colon, "between a parameter and its type"))
      return false;
    auto *parameter = tree.make<VarDecl>();
    parameter->name = name.name;
    parameter->range = {name.begin, name.end, name.begin};
    parameter->isParameter = true;
    if (!(parameter->typeSyntax = parseType()))
      return false;
    parameters.push_back(parameter);
  } while (accept(TokenKind::comma));
  return expect(TokenKind::r_paren, "after the parameters");
}

void Parser::parseRecord() {
  take();
  llvm::SmallVector<NamedOption> options;
  if (!parseOptions("record", options))
    return;
  Token name = token();
  if (!expect(TokenKind::identifier, "to name the record"))
    return;
  auto *made = tree.make<RecordDecl>();
  made->name = name.name;
  made->range = {name.begin, name.end, name.begin};
  made->options = tree.copy(options);
  if (skipAngles())
    made->hostOnly = "it is generic";
  if (!is(TokenKind::l_brace)) {
    expected("'{' before the fields of a record");
    return;
  }
  size_t open = at;
  if (!skipBraces(/*inKernel=*/false))
    return;
  size_t end = at;
  if (made->hostOnly.empty()) {
    auto restore = llvm::scope_exit(
        [this, before = std::make_pair(quiet, failed)] { std::tie(quiet, failed) = before; });
    quiet = true;
    at = open + 1;
    parseRecordFields(*made);
  }
  at = end;
  tree.records.push_back(made);
}

void Parser::parseRecordFields(RecordDecl &record) {
  llvm::SmallVector<Field> fields;
  while (!accept(TokenKind::r_brace)) {
    Token name = token();
    Field field;
    if (!accept(TokenKind::identifier) || !accept(TokenKind::colon) ||
        !(field.typeSyntax = parseType())) {
      record.hostOnly = "it has members of host code";
      return;
    }
    field.name = name.name;
    field.range = {name.begin, name.end, name.begin};
    fields.push_back(field);
    // A semicolon, a comma or nothing: all are seen between fields.
    if (!accept(TokenKind::semicolon))
      accept(TokenKind::comma);
  }
  record.fields = tree.copy(fields);
}

/// A constant of host code may have any type and value; like a host variable it is known by name.
void Parser::parseConstant() {
  take();
  auto *made = tree.make<VarDecl>();
  made->isConst = true;
  Token name = token();
  if (!expect(TokenKind::identifier, "to name the constant"))
    return skipPast(TokenKind::semicolon);
  made->name = name.name;
  made->range = {name.begin, name.end, name.begin};
  quiet = true;
  bool readable = (!accept(TokenKind::colon) || (made->typeSyntax = parseType())) &&
                  accept(TokenKind::equal) && (made->init = parseExpr()) &&
                  is(TokenKind::semicolon);
  quiet = false;
  (readable ? tree.constants : tree.hostVariables).push_back(made);
  skipPast(TokenKind::semicolon);
}

void Parser::parseHostVariable() {
  take();
  auto *made = tree.make<VarDecl>();
  made->name = token().name;
  made->range = {token().begin, token().end, token().begin};
  if (made->name)
    tree.hostVariables.push_back(made);
  skipPast(TokenKind::semicolon);
}

void Parser::parseBody(FunctionDecl &owner) {
  function = &owner;
  at = owner.bodyToken;
  failed = quiet = false;
  nesting = 0;
  owner.body = parseBlock("to open the body");
  if (failed)
    owner.body = nullptr;
}

llvm::SmallVector<Token> Parser::callsIn(const FunctionDecl &owner) const {
  llvm::SmallVector<Token> calls;
  unsigned depth = 0;
  for (size_t i = owner.bodyToken; i + 1 < tokens.size(); ++i) {
    depth += tokens[i].is(TokenKind::l_brace) ? 1 : tokens[i].is(TokenKind::r_brace) ? -1 : 0;
    if (!depth)
      break;
    bool isMember = tokens[i - 1].is(TokenKind::dot) || tokens[i - 1].is(TokenKind::arrow);
    if (tokens[i].is(TokenKind::identifier) && tokens[i + 1].is(TokenKind::l_paren) && !isMember)
      calls.push_back(tokens[i]);
  }
  return calls;
}

//===----------------------------------------------------------------------===//
// Types
//===----------------------------------------------------------------------===//

/// `fn(…) -> T` or, of a closure, `Fn(…) -> T`.
TypeSyntax *Parser::parseFunctionType() {
  auto *made = tree.make<TypeSyntax>();
  made->kind = TypeSyntax::Function;
  Token first = take();
  if (!expect(TokenKind::l_paren, "after the word of a function type"))
    return nullptr;
  for (unsigned depth = 1; depth && !is(TokenKind::end_of_file);) {
    Token here = take();
    depth += here.is(TokenKind::l_paren) ? 1 : here.is(TokenKind::r_paren) ? -1 : 0;
  }
  if (accept(TokenKind::arrow) && !parseType())
    return nullptr;
  made->range = rangeFrom(first.begin, first.begin);
  return made;
}

TypeSyntax *Parser::parseTypeName() {
  auto *made = tree.make<TypeSyntax>();
  Token first = token();
  made->kind = TypeSyntax::Builtin;
  switch (first.kind) {
#define METTLE_SCALAR(kind, spelling, bits, numberClass)                                           \
  case TokenKind::kw_##spelling:                                                                   \
    made->builtin = TypeKind::kind;                                                                \
    break;
#include "Mettle/Frontend/Scalars.def"
  case TokenKind::kw_string:
    error(first, Code::host_construct, {describe(first.kind)});
    return nullptr;
  case TokenKind::identifier:
    if (isName("void")) {
      made->builtin = TypeKind::Void;
    } else if (isName("Fn")) {
      return parseFunctionType();
    } else {
      made->kind = TypeSyntax::Named;
      made->name = first.name;
    }
    break;
  case TokenKind::kw_fn:
    return parseFunctionType();
  default:
    expected("a type");
    return nullptr;
  }
  take();
  made->range = rangeFrom(first.begin, first.begin);
  return made;
}

TypeSyntax *Parser::parseType() {
  Nest nest(*this);
  if (!nest.fits())
    return nullptr;
  TypeSyntax *type = parseTypeName();
  unsigned levels = 0;
  while (type) {
    Offset begin = type->range.begin;
    auto *outer = tree.make<TypeSyntax>();
    outer->element = type;
    if (accept(TokenKind::star)) {
      outer->kind = TypeSyntax::Pointer;
    } else if (accept(TokenKind::l_square)) {
      outer->kind = TypeSyntax::Array;
      if (!(outer->extent = parseExpr()) ||
          !expect(TokenKind::r_square, "after the extent of an array"))
        return nullptr;
    } else {
      return type;
    }
    outer->range = rangeFrom(begin, begin);
    if (++levels > maxNesting) {
      error(token(), Code::nested_too_deep, {std::to_string(maxNesting)});
      return nullptr;
    }
    type = outer;
  }
  return nullptr;
}
