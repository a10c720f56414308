//===- ReadFunction.cpp - Headers of functions ----------------------------===//
//
// Names, parameters and directives of functions and prototypes.
//
//===----------------------------------------------------------------------===//

#include "Reader.h"

using namespace mettle::assembly::ptx;

bool Reader::readFunction(Linkage linkage, bool isEntry) {
  auto index = uint32_t(module.functions.size());
  Function function;
  function.linkage = linkage;
  function.isEntry = isEntry;
  // Registers of parameters are numbered in the function they belong to.
  module.functions.push_back(function);
  currentFunction = index;
  currentLocation = 0;
  item(ItemKind::Function, index);
  function.registers.first = uint32_t(module.registers.size());
  scopes.push_back({cursor.p, undo.size(), pending.size()});

  auto header = [&] {
    if (takeDirective("attribute") && !readAttributes(function.attributes))
      return false;
    if (*cursor.p == '(' && !isEntry) {
      function.hasReturnList = true;
      if (!readParameters(function.returns, /*prototype=*/false))
        return false;
    }
    const char *at = cursor.p;
    llvm::StringRef name = cursor.name();
    if (name.empty())
      return expected("a function name");
    function.name = module.names.intern(name);
    function.offset = offsetOf(at);
    cursor.skip();
    if (*cursor.p == '(') {
      function.hasParameterList = true;
      if (!readParameters(function.parameters, /*prototype=*/false))
        return false;
    }
    if (!readDirectives(function))
      return false;
    // The function's own name belongs to the module, whose scope is the outermost.
    BindingEntry &entry = bindingOf(function.name);
    if (entry.kind == Binding::Function) {
      const Function &earlier = module.functions[entry.index];
      if (earlier.hasBody && *cursor.p == '{')
        return error(at, "'" + name + "' already has a body", cursor.begin + earlier.offset,
                     "the first is here");
    } else if (entry.kind != Binding::None) {
      return error(at, "'" + name + "' is already declared in this scope");
    }
    entry = {Binding::Function, 0, index};
    return true;
  };
  bool good = header();
  function.registerCount = module.functions[index].registerCount;
  function.hasBody = good && *cursor.p == '{';
  function.instructions.first = function.instructions.last = uint32_t(module.instructions.size());
  function.items.first = function.items.last = uint32_t(module.items.size());
  function.variables.first = function.variables.last = uint32_t(module.variables.size());
  function.labels.first = function.labels.last = uint32_t(module.labels.size());
  module.functions[index] = function;

  if (function.hasBody) {
    const char *open = cursor.p;
    cursor.take('{');
    readBody(index, open);
  } else if (good && !cursor.take(';')) {
    good = expected("'{' or ';' after the header of a function");
  }
  module.functions[index].registers.last = uint32_t(module.registers.size());
  closeBlock();
  currentFunction = None;
  return good;
}

/// Reads a parenthesised parameter list.
bool Reader::readParameters(Range &range, bool prototype) {
  cursor.take('(');
  range.first = range.last = uint32_t(module.variables.size());
  if (*cursor.p != ')')
    do
      if (!readParameter(prototype))
        return false;
    while (cursor.take(','));
  range.last = uint32_t(module.variables.size());
  return cursor.take(')') || expected("',' or ')' in a parameter list");
}

bool Reader::readParameter(bool prototype) {
  Variable variable;
  variable.function = prototype ? None : currentFunction;
  const char *start = cursor.p;
  llvm::StringRef space = cursor.dotted();
  variable.isRegister = space == "reg";
  variable.space = variable.isRegister ? StateSpace::Reg : StateSpace::Param;
  if (!variable.isRegister && space != "param") {
    cursor.p = start;
    return expected("'.param' or '.reg'");
  }
  cursor.skip();
  if (takeDirective("align") && !readAlignment(variable.alignment, variable.alignmentText))
    return false;
  if (!readTypeAndVector(variable.type, variable.vectorWidth))
    return false;

  // `.ptr .global .align 16` says where a pointer points to.
  if (takeDirective("ptr")) {
    variable.isPointer = true;
    variable.pointeeAlignment = 4;
    if (start = cursor.p; *start == '.' && !cursor.at(".align")) {
      variable.pointee = spaceNamed(cursor.dotted());
      if (variable.pointee == StateSpace::None) {
        cursor.p = start;
        return expected("a state space, '.align' or a parameter name after '.ptr'");
      }
      cursor.skip();
    }
    if (takeDirective("align") &&
        !readAlignment(variable.pointeeAlignment, variable.pointeeAlignmentText))
      return false;
  }

  start = cursor.p;
  if (!readDeclarator(variable))
    return false;
  auto index = uint32_t(module.variables.size());
  module.variables.push_back(variable);
  if (prototype)
    return true;
  if (!variable.isRegister)
    return bind(variable.name, Binding::Variable, index, start);
  RegisterDeclaration declaration;
  declaration.name = variable.name;
  declaration.type = variable.type;
  declaration.vectorWidth = variable.vectorWidth;
  declaration.offset = variable.offset;
  if (!numberRegisters(declaration, start))
    return false;
  module.registers.push_back(declaration);
  return bind(variable.name, Binding::Register, uint32_t(module.registers.size() - 1), start);
}

/// The directives between a function's header and its body. Those with numbers take up to three.
bool Reader::readDirectives(Function &function) {
  function.directives.first = function.directives.last = uint32_t(module.directives.size());
  struct Row {
    llvm::StringLiteral name;
    unsigned most;
  };
  static constexpr Row rows[] = {
      {"maxnreg", 1},         {"maxntid", 3},        {"reqntid", 3},
      {"minnctapersm", 1},    {"maxnctapersm", 1},   {"reqnctapercluster", 3},
      {"explicitcluster", 0}, {"maxclusterrank", 1}, {"blocksareclusters", 0},
      {"noreturn", 0},        {"abi_preserve", 1},   {"abi_preserve_control", 1},
      {"local_maxnreg", 1},   {"unified", 2},
  };
  while (*cursor.p == '.') {
    const char *start = cursor.p;
    llvm::StringRef name = cursor.dotted();
    cursor.skip();
    FunctionDirective directive;
    directive.name = module.names.intern(name);
    const char *arguments = cursor.p, *stop = arguments;
    if (name == "pragma") {
      do {
        if (cursor.string().empty())
          return expected("a string");
        stop = cursor.p;
        cursor.skip();
      } while (cursor.take(','));
      if (*cursor.p == ';')
        stop = cursor.p + 1;
      if (!cursor.take(';'))
        return expected("';' after '.pragma'");
    } else {
      const Row *row = nullptr;
      for (const Row &candidate : rows)
        if (candidate.name == name)
          row = &candidate;
      if (!row) {
        cursor.p = start;
        return expected("a directive of a function, '{' or ';'");
      }
      if (row->most)
        do {
          if (directive.valueCount == row->most)
            return error(cursor.p, "expected at most " + llvm::Twine(row->most) +
                                       " numbers after '." + name + "'");
          if (!readNumber(directive.values[directive.valueCount++], "a number"))
            return false;
          stop = cursor.p;
        } while (cursor.take(','));
    }
    directive.text = sliceOf(llvm::StringRef(arguments, size_t(stop - arguments)).rtrim());
    module.directives.push_back(directive);
    function.directives.last = uint32_t(module.directives.size());
  }
  return true;
}

bool Reader::readPrototype() {
  if (module.items.empty() || module.items.back().kind != ItemKind::Label)
    return error(cursor.p, "expected a label before the directive");
  uint32_t label = module.items.back().index;
  Prototype prototype;
  prototype.offset = offsetOf(cursor.p);
  if (*cursor.p == '(') {
    prototype.hasReturnList = true;
    if (!readParameters(prototype.returns, /*prototype=*/true))
      return false;
  }
  llvm::StringRef name = cursor.name();
  if (name.empty())
    return expected("'_' or a name in a prototype");
  prototype.name = module.names.intern(name);
  cursor.skip();
  if (*cursor.p == '(') {
    prototype.hasParameterList = true;
    if (!readParameters(prototype.parameters, /*prototype=*/true))
      return false;
  }
  if (!readDirectives(prototype))
    return false;
  auto index = uint32_t(module.prototypes.size());
  module.prototypes.push_back(prototype);
  item(ItemKind::Prototype, index);
  module.labels[label].kind = LabelKind::Prototype;
  module.labels[label].target = index;
  return cursor.take(';') || expected("';' after a prototype");
}
