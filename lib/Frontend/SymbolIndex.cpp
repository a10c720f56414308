//===- SymbolIndex.cpp - what stands where in a kernel file ---------------===//
//
// One walk over the declarations and the checked bodies. What a pointer points into is the join
// over all instances of its function, as the kernels of this file call it.
//
//===----------------------------------------------------------------------===//

#include "Mettle/Frontend/SymbolIndex.h"

#include "Mettle/Frontend/Sema.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mettle::frontend;
using llvm::StringRef;

//===----------------------------------------------------------------------===//
// Declarations in words
//===----------------------------------------------------------------------===//

static std::string spellingOf(const Type *type) {
  return type && !type->isError() ? type->spelling() : "?";
}

static std::string signatureOf(const FunctionDecl &function) {
  std::string text = function.isKernel ? "kernel " : "fn ";
  text += function.name->getKey();
  text += "(";
  StringRef separator = "";
  for (const VarDecl *parameter : function.parameters) {
    text += separator;
    text += parameter->name->getKey();
    text += ": " + spellingOf(parameter->type);
    separator = ", ";
  }
  text += ")";
  if (function.result && !function.result->is(TypeKind::Void))
    text += " -> " + spellingOf(function.result);
  return text;
}

static StringRef wordsFor(Space space) {
  switch (space) {
  case Space::Unknown:
    return "";
  case Space::Global:
    return "points into global memory";
  case Space::Workgroup:
    return "points into workgroup memory";
  case Space::Private:
    return "points into private memory";
  case Space::Generic:
    return "points into more than one memory: a generic pointer";
  }
  llvm_unreachable("every space has words");
}

static std::string textOf(const VarDecl &variable, Space space) {
  std::string text;
  if (variable.storage != Storage::Automatic)
    text = variable.storage == Storage::Workgroup ? "workgroup " : "private ";
  text += variable.isConst ? "const " : variable.isParameter ? "" : "var ";
  text += variable.name->getKey();
  text += ": " + spellingOf(variable.type);
  if (variable.isParameter)
    text += "\nparameter";
  if (space != Space::Unknown)
    text += "\n" + wordsFor(space).str();
  if (variable.storage == Storage::Workgroup)
    text += "\none for all work-items of a workgroup";
  else if (variable.inMemory)
    text += "\nin private memory of each work-item";
  return text;
}

static std::string textOf(const RecordDecl &record) {
  std::string text = "struct " + record.name->getKey().str();
  if (record.state == RecordDecl::Complete)
    text += "\n" + std::to_string(record.size) + " bytes, aligned to " +
            std::to_string(record.alignment);
  return text;
}

static std::string textOf(const RecordDecl &record, const Field &field) {
  std::string text = field.name->getKey().str() + ": " + spellingOf(field.type) + "\nfield of " +
                     record.name->getKey().str();
  if (record.state == RecordDecl::Complete)
    text += " at byte " + std::to_string(field.offset);
  return text;
}

static std::string textOf(const BuiltinIndexExpr &index) {
  static constexpr const char *names[] = {"thread", "block", "block_dim", "grid_dim"};
  static constexpr const char *meanings[] = {"index of the work-item in its workgroup",
                                             "index of the workgroup in the grid",
                                             "work-items of a workgroup", "workgroups of the grid"};
  auto source = unsigned(index.source);
  return std::string(names[source]) + "." + "xyz"[index.axis] + ": int32\n" + meanings[source];
}

/// Of a call of what the language declares.
static std::string textOfBuiltin(StringRef name) {
#define METTLE_MATH(kind, spelling, arity, type)                                                   \
  if (name == spelling) {                                                                          \
    std::string number = StringRef(#type).lower();                                                 \
    static constexpr StringRef operands[] = {"x", "y", "z"};                                       \
    std::string text = "fn " + name.str() + "(";                                                   \
    for (unsigned i = 0; i < arity; ++i)                                                           \
      text += (i ? ", " : "") + operands[i].str() + ": " + number;                                 \
    return text + ") -> " + number + "\nbuilt in";                                                 \
  }
#include "Mettle/Frontend/Builtins.def"
  return name.str() + "\nbuilt in";
}

//===----------------------------------------------------------------------===//
// The walk
//===----------------------------------------------------------------------===//

namespace {
class Indexer {
public:
  Indexer(SyntaxTree &tree, llvm::ArrayRef<FunctionDecl *> reached, bool spacesAreKnown,
          std::vector<Occurrence> &occurrences)
      : tree(tree), reached(reached), occurrences(occurrences) {
    if (spacesAreKnown)
      instantiate();
  }

  void run() {
    for (const RecordDecl *record : tree.records)
      visit(*record);
    for (VarDecl *constant : tree.constants) {
      declaration(*constant);
      visit(constant->init);
    }
    for (FunctionDecl *function : tree.functions)
      visit(*function);
  }

private:
  /// The instances of every function, found from the kernels along their calls.
  void instantiate() {
    std::vector<Instance *> queue;
    auto enqueue = [&](Instance *instance) {
      auto &known = instances[instance->function];
      if (llvm::is_contained(known, instance))
        return;
      known.push_back(instance);
      queue.push_back(instance);
    };
    for (const FunctionDecl *function : reached)
      if (function->isKernel)
        enqueue(&spaces.kernel(*function));
    for (size_t i = 0; i < queue.size(); ++i)
      for (const CallExpr *call : queue[i]->function->calls)
        if (call->function)
          if (Instance *callee = spaces.callee(*call, *queue[i]))
            enqueue(callee);
  }

  /// Where a pointer variable of the function being walked points.
  Space spaceOf(const VarDecl &variable) {
    Space joined = Space::Unknown;
    if (!variable.type || !variable.type->isPointer() || variable.inMemory)
      return joined;
    for (const Instance *instance : instances[function])
      if (variable.index < instance->slots.size())
        joined = join(joined, instance->slots[variable.index]);
    return joined;
  }

  void add(Offset begin, Offset end, std::string text, std::optional<Range> definition) {
    if (begin < end)
      occurrences.push_back({begin, end, std::move(text), definition});
  }
  void add(const Range &range, std::string text, std::optional<Range> definition) {
    add(range.begin, range.end, std::move(text), definition);
  }

  // Declarations.

  void declaration(const VarDecl &variable) {
    add(variable.range, textOf(variable, spaceOf(variable)), variable.range);
    visit(variable.typeSyntax);
  }

  void visit(const RecordDecl &record) {
    add(record.range, textOf(record), record.range);
    for (const Field &field : record.fields) {
      add(field.range, textOf(record, field), field.range);
      visit(field.typeSyntax);
    }
  }

  void visit(const FunctionDecl &declared) {
    function = &declared;
    add(declared.range, signatureOf(declared), declared.range);
    for (const VarDecl *parameter : declared.parameters)
      declaration(*parameter);
    visit(declared.resultSyntax);
    if (declared.state == FunctionDecl::Checked && declared.body)
      visit(declared.body);
    function = nullptr;
  }

  void visit(const TypeSyntax *syntax) {
    for (; syntax; syntax = syntax->element) {
      if (syntax->kind == TypeSyntax::Named)
        for (const RecordDecl *record : tree.records)
          if (record->name == syntax->name)
            add(syntax->range, textOf(*record), record->range);
      visit(syntax->extent);
    }
  }

  // Statements.

  void visit(const Stmt *statement) {
    if (!statement)
      return;
    llvm::TypeSwitch<const Stmt *>(statement)
        .Case([&](const BlockStmt *s) {
          for (const Stmt *part : s->statements)
            visit(part);
        })
        .Case([&](const VarStmt *s) {
          declaration(*s->variable);
          visit(s->variable->init);
        })
        .Case([&](const AssignStmt *s) {
          visit(s->target);
          visit(s->value);
        })
        .Case([&](const ExprStmt *s) { visit(s->expression); })
        .Case([&](const IfStmt *s) {
          visit(s->condition);
          visit(s->thenBlock);
          visit(s->elseStmt);
        })
        .Case([&](const WhileStmt *s) {
          visit(s->unroll);
          visit(s->condition);
          visit(s->body);
          visit(s->step);
        })
        .Case([&](const ReturnStmt *s) { visit(s->value); })
        .Default([](const Stmt *) {});
  }

  // Expressions.

  void visit(const Expr *expression) {
    if (!expression)
      return;
    llvm::TypeSwitch<const Expr *>(expression)
        .Case([&](const NameExpr *e) {
          if (e->variable)
            add(e->range, textOf(*e->variable, spaceOf(*e->variable)), e->variable->range);
          else if (e->function)
            add(e->range, signatureOf(*e->function), e->function->range);
        })
        .Case([&](const MemberExpr *e) { visitMember(*e); })
        .Case([&](const IndexExpr *e) {
          visit(e->base);
          visit(e->index);
        })
        .Case([&](const UnaryExpr *e) { visit(e->operand); })
        .Case([&](const BinaryExpr *e) {
          visit(e->lhs);
          visit(e->rhs);
        })
        .Case([&](const CastExpr *e) {
          visit(e->target);
          visit(e->operand);
        })
        .Case([&](const CallExpr *e) { visitCall(*e); })
        .Case<ConvertExpr, DecayExpr>([&](auto *e) { visit(e->operand); })
        .Case([&](const BuiltinIndexExpr *e) { add(e->range, textOf(*e), std::nullopt); })
        .Default([](const Expr *) {});
  }

  void visitMember(const MemberExpr &e) {
    visit(e.base);
    const Type *type = e.base->type;
    if (type && type->isPointer())
      type = type->element();
    if (!type || !type->isRecord() || e.fieldIndex >= type->record()->fields.size())
      return;
    const Field &field = type->record()->fields[e.fieldIndex];
    add(e.field.begin, e.field.end, textOf(*type->record(), field), field.range);
  }

  void visitCall(const CallExpr &e) {
    if (auto *callee = llvm::dyn_cast_or_null<NameExpr>(e.callee)) {
      if (e.function)
        add(callee->range, signatureOf(*e.function), e.function->range);
      else if (e.type && !e.type->isError())
        add(callee->range, textOfBuiltin(callee->name->getKey()), std::nullopt);
    }
    for (const Argument &argument : e.arguments)
      visit(argument.value);
  }

  SyntaxTree &tree;
  llvm::ArrayRef<FunctionDecl *> reached;
  std::vector<Occurrence> &occurrences;
  AddressSpaces spaces;
  llvm::DenseMap<const FunctionDecl *, std::vector<Instance *>> instances;
  const FunctionDecl *function = nullptr;
};
} // namespace

//===----------------------------------------------------------------------===//
// The file
//===----------------------------------------------------------------------===//

struct AnalysedFile::Stages {
  std::string text;
  Source source;
  Diagnostics diagnostics;
  SyntaxTree tree;
  Parser parser;
  Sema sema;

  Stages(StringRef name, StringRef contents)
      : text(contents), source(name, text), diagnostics(source), tree(source),
        parser(tree, lex(source, tree.names, diagnostics), diagnostics),
        sema(tree, parser, diagnostics) {}
};

AnalysedFile::AnalysedFile(StringRef name, StringRef text) {
  bool fits = Source::fits(text);
  stages = std::make_unique<Stages>(name, fits ? text : StringRef());
  if (!fits)
    stages->diagnostics.error(0, 0, Code::file_too_large);
  stages->parser.parseDeclarations();
  stages->sema.analyse();
  SyntaxTree &tree = stages->tree;
  Indexer(tree, stages->sema.reached(), !stages->diagnostics.hasErrors(), occurrences).run();
  llvm::sort(occurrences, [](const Occurrence &a, const Occurrence &b) {
    return std::pair(a.begin, a.end) < std::pair(b.begin, b.end);
  });
  // A compound assignment names its target twice in the tree.
  occurrences.erase(
      std::unique(occurrences.begin(), occurrences.end(),
                  [](const Occurrence &a, const Occurrence &b) { return b.begin < a.end; }),
      occurrences.end());

  for (const RecordDecl *record : tree.records)
    outline.push_back({Declaration::Record, record->name->getKey(), record->range, "struct"});
  for (const VarDecl *constant : tree.constants)
    outline.push_back({Declaration::Constant, constant->name->getKey(), constant->range,
                       spellingOf(constant->type)});
  for (const FunctionDecl *function : tree.functions)
    outline.push_back({function->isKernel ? Declaration::Kernel : Declaration::Function,
                       function->name->getKey(), function->range, signatureOf(*function)});
  llvm::sort(outline, [](const Declaration &a, const Declaration &b) {
    return a.range.begin < b.range.begin;
  });
  stages->diagnostics.flush(
      [&](const Source &, const Diagnostic &diagnostic) { messages.push_back(diagnostic); });
}

AnalysedFile::~AnalysedFile() = default;

const Source &AnalysedFile::source() const { return stages->source; }

const Occurrence *AnalysedFile::at(Offset offset) const {
  auto after = llvm::upper_bound(
      occurrences, offset, [](Offset at, const Occurrence &other) { return at < other.begin; });
  if (after == occurrences.begin())
    return nullptr;
  const Occurrence &found = *std::prev(after);
  return offset <= found.end ? &found : nullptr;
}
