//===- AST.cpp - questions about the syntax tree -===//
//
// The few that more than one stage asks.
//
//===----------------------------------------------------------------------===//

#include "Mettle/Frontend/AST.h"

using namespace mettle::frontend;

llvm::StringRef mettle::frontend::spelling(BinaryOp op) {
  static constexpr llvm::StringRef spellings[] = {"*",  "/", "%",  "+", "-",  "<<",
                                                  ">>", "<", "<=", ">", ">=", "==",
                                                  "!=", "&", "^",  "|", "&&", "||"};
  return spellings[static_cast<unsigned>(op)];
}

bool mettle::frontend::isArithmetic(BuiltinFunction builtin) {
  switch (builtin) {
#define METTLE_MATH(kind, spelling, arity, type) case BuiltinFunction::kind:
#define METTLE_BITCAST(kind, spelling, from, to) case BuiltinFunction::kind:
#include "Mettle/Frontend/Builtins.def"
  case BuiltinFunction::HalfToFloat:
  case BuiltinFunction::FloatToHalf:
    return true;
  default:
    return false;
  }
}

bool mettle::frontend::isCheck(BuiltinFunction builtin) {
  return builtin == BuiltinFunction::Assert || builtin == BuiltinFunction::Print;
}

bool mettle::frontend::isAtomic(BuiltinFunction builtin) {
  switch (builtin) {
#define METTLE_ATOMIC(kind, spelling) case BuiltinFunction::kind:
#include "Mettle/Frontend/Builtins.def"
    return true;
  default:
    return false;
  }
}

SlotRange mettle::frontend::slotsOf(const Expr *e) {
  if (auto *name = llvm::dyn_cast<NameExpr>(e)) {
    VarDecl *variable = name->variable;
    if (!variable || variable->inMemory || variable->constant || !variable->type ||
        variable->type->isError())
      return {};
    return {variable->index, leafCount(variable->type), variable};
  }
  auto *member = llvm::dyn_cast<MemberExpr>(e);
  if (!member || member->arrow || !member->base->type->isRecord())
    return {};
  SlotRange base = slotsOf(member->base);
  if (!base.count)
    return {};
  const Field &field = member->base->type->record()->fields[member->fieldIndex];
  return {base.first + field.firstLeaf, leafCount(field.type), base.variable};
}

unsigned mettle::frontend::leafCount(const Type *type) {
  return type->isRecord() ? type->record()->leaves : 1;
}

void mettle::frontend::appendLeafTypes(const Type *type,
                                       llvm::SmallVectorImpl<const Type *> &leaves) {
  if (!type->isRecord())
    return leaves.push_back(type);
  for (const Field &field : type->record()->fields)
    appendLeafTypes(field.type, leaves);
}

static void appendMemoryParts(const Type *type, uint64_t offset,
                              llvm::SmallVectorImpl<MemoryPart> &parts) {
  if (!type->isRecord())
    return parts.push_back({type, offset});
  for (const Field &field : type->record()->fields)
    appendMemoryParts(field.type, offset + field.offset, parts);
}

llvm::SmallVector<MemoryPart> mettle::frontend::memoryParts(const Type *record) {
  llvm::SmallVector<MemoryPart> parts;
  appendMemoryParts(record, 0, parts);
  return parts;
}

static void appendParts(const Type *type, const std::string &path,
                        llvm::SmallVectorImpl<PassedPart> &parts) {
  if (type->isRecord()) {
    for (const Field &field : type->record()->fields)
      appendParts(field.type, path + "." + field.name->getKey().str(), parts);
  } else if (type->isArray()) {
    for (uint64_t i = 0; i < type->extent(); ++i)
      parts.push_back({type->element(), path + "[" + std::to_string(i) + "]"});
  } else {
    parts.push_back({type, path});
  }
}

llvm::SmallVector<PassedPart> mettle::frontend::passedParts(const Type *type) {
  llvm::SmallVector<PassedPart> parts;
  appendParts(type, "", parts);
  return parts;
}

uint64_t mettle::frontend::countPassedParts(const Type *type) {
  if (type->isArray())
    return type->extent();
  if (!type->isRecord())
    return 1;
  uint64_t count = 0;
  for (const Field &field : type->record()->fields)
    count += countPassedParts(field.type);
  return count;
}
