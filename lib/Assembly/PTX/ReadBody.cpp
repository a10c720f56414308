//===- ReadBody.cpp - What stands in the body of a function ---------------===//
//
// Blocks and their labels, locations, lists of targets. Instructions are in ReadInstruction.cpp.
//
//===----------------------------------------------------------------------===//

#include "Reader.h"

using namespace mettle::assembly::ptx;

void Reader::readBody(uint32_t function, const char *open) {
  scopes.push_back({open, undo.size(), pending.size()});
  size_t bottom = scopes.size();
  for (;;) {
    if (stopped)
      break;
    cursor.skip();
    if (*cursor.p == '}') {
      ++cursor.p;
      if (scopes.size() == bottom)
        break;
      item(ItemKind::BlockClose, 0);
      closeBlock();
      continue;
    }
    if (cursor.atEnd()) {
      if (cursor.openComment())
        error(cursor.end, "expected '*/' before the end of the file");
      error(cursor.end, "expected '}', found end of file", scopes.back().open,
            scopes.size() == bottom ? "the body starts here" : "the block starts here");
      break;
    }
    bodyStatement();
  }
  while (scopes.size() > bottom)
    closeBlock();
  resolvePending(scopes.back().firstPending);
  endFunction();
  closeBlock();
  Function &record = module.functions[function];
  record.instructions.last = uint32_t(module.instructions.size());
  record.items.last = uint32_t(module.items.size());
  record.variables.last = uint32_t(module.variables.size());
  record.labels.last = uint32_t(module.labels.size());
  item(ItemKind::FunctionEnd, function);
}

void Reader::bodyStatement() {
  const char *start = cursor.p;
  bool good;
  if (*start == '@') {
    good = readGuarded();
  } else if (*start == '.') {
    good = readBodyDirective(start);
  } else if (*start == '{') {
    good = openBlock(start);
  } else if (*start == '#') {
    readLineMarker();
    good = true;
  } else {
    llvm::StringRef name = cursor.name();
    if (name.empty()) {
      good = expected("an instruction, a label or a directive");
    } else {
      const char *behind = cursor.p;
      if (*behind != '.')
        cursor.skip();
      if (*cursor.p == ':' && cursor.p[1] != ':') {
        ++cursor.p;
        readLabel(name, start);
        good = true;
      } else {
        cursor.p = behind;
        good = readInstruction(start, start);
      }
    }
  }
  if (good)
    return;
  // From the statement's start, so that its braces are counted whole.
  cursor.p = start;
  recover();
}

bool Reader::openBlock(const char *open) {
  if (scopes.size() == MaxScopes)
    stopped = true,
    errors.push_back(
        {offsetOf(open), "expected blocks nested at most 256 deep, found a deeper one", ""});
  if (stopped)
    return false;
  cursor.take('{');
  scopes.push_back({open, undo.size(), pending.size()});
  item(ItemKind::BlockOpen, 0);
  return true;
}

/// Ends the innermost scope: labels of it that were used before they stood are resolved, and what
/// its names meant outside is restored.
void Reader::closeBlock() {
  Scope scope = scopes.back();
  if (scope.hasLabels)
    resolvePending(scope.firstPending);
  while (undo.size() > scope.firstUndo) {
    const Undo &entry = undo.back();
    (entry.isRange ? ranges : bindings)[entry.name] = entry.old;
    if (entry.slot != NoSlot) {
      if (entry.oldQuick.prefix)
        quickRanges[entry.slot] = entry.oldQuick;
      else
        --quickRangeCount;
    }
    undo.pop_back();
  }
  scopes.pop_back();
}

void Reader::resolvePending(size_t first) {
  auto depth = uint32_t(scopes.size());
  size_t kept = first;
  for (size_t i = first; i < pending.size(); ++i) {
    Operand &operand = module.operands[pending[i].operand];
    const BindingEntry &entry = bindingOf(operand.index);
    if (entry.kind == Binding::Label && entry.depth == depth) {
      operand.kind = OperandKind::Label;
      operand.index = entry.index;
      operand.bits = 0;
    } else {
      pending[kept++] = pending[i];
    }
  }
  pending.resize(kept);
}

/// What no label resolved is an error, unless the opcode is one whose grammar is not known.
void Reader::endFunction() {
  for (const Pending &use : pending) {
    const Operand &operand = module.operands[use.operand];
    if (use.instruction != None && module.instructions[use.instruction].opcode == Opcode::Opaque)
      continue;
    error(cursor.begin + operand.spelling, "'" + module.name(operand.index) + "' is not declared");
  }
  pending.clear();
  hasNamedRegisters = false;
}

void Reader::readLabel(llvm::StringRef name, const char *start) {
  cursor.skip();
  Label label;
  label.name = module.names.intern(name);
  label.offset = offsetOf(start);
  label.target = uint32_t(module.instructions.size());
  auto index = uint32_t(module.labels.size());
  module.labels.push_back(label);
  scopes.back().hasLabels = true;
  item(ItemKind::Label, index);
  bind(label.name, Binding::Label, index, start);
}

bool Reader::readBodyDirective(const char *start) {
  llvm::StringRef name = cursor.dotted();
  cursor.skip();
  if (name == "loc")
    return readLocation();
  if (name == "reg")
    return readRegisters();
  StateSpace space = spaceNamed(name);
  if (space == StateSpace::Local || space == StateSpace::Shared || space == StateSpace::Param ||
      space == StateSpace::Global || space == StateSpace::Const)
    return readVariable(Linkage::None, space);
  if (name == "pragma")
    return readPragma();
  if (name == "branchtargets")
    return readTable(LabelKind::BranchTargets);
  if (name == "calltargets")
    return readTable(LabelKind::CallTargets);
  if (name == "callprototype")
    return readPrototype();
  if (name == "file")
    return readFile();
  cursor.p = start;
  return expected("an instruction, a label or a directive of a body");
}

bool Reader::readLocation() {
  Location location;
  const char *start = cursor.p;
  if (!readNumber(location.file, "a file number") || !readNumber(location.line, "a line number") ||
      !readNumber(location.column, "a column number"))
    return false;
  location.text = sliceFrom(start);
  while (cursor.take(',')) {
    const char *at = cursor.p;
    llvm::StringRef what = cursor.name();
    cursor.skip();
    if (what == "function_name") {
      llvm::StringRef name = cursor.name();
      if (name.empty())
        return expected("a label after 'function_name'");
      location.functionName = module.names.intern(name);
      cursor.skip();
      if (cursor.take('+') && !readNumber(location.functionOffset, "an offset"))
        return false;
    } else if (what == "inlined_at") {
      if (!readNumber(location.inlinedFile, "a file number") ||
          !readNumber(location.inlinedLine, "a line number") ||
          !readNumber(location.inlinedColumn, "a column number"))
        return false;
    } else {
      cursor.p = at;
      return expected("'function_name' or 'inlined_at'");
    }
    location.text = sliceFrom(start);
  }
  currentLocation = uint32_t(module.locations.size());
  item(ItemKind::Location, currentLocation);
  module.locations.push_back(location);
  return true;
}

bool Reader::readTable(LabelKind kind) {
  const char *start = cursor.p;
  if (module.items.empty() || module.items.back().kind != ItemKind::Label)
    return error(start, "expected a label before the directive");
  uint32_t label = module.items.back().index;
  llvm::SmallVector<Operand, 8> targets;
  do {
    const char *at = cursor.p;
    llvm::StringRef name = cursor.name();
    if (name.empty())
      return expected(kind == LabelKind::BranchTargets ? "a label" : "a function");
    Operand &target = targets.emplace_back();
    if (!resolve(name, target))
      target.spelling = offsetOf(at);
    else if (!target.is(kind == LabelKind::BranchTargets ? OperandKind::Label
                                                         : OperandKind::Function))
      return error(at, "'" + name + "' is not a " +
                           (kind == LabelKind::BranchTargets ? "label" : "function"));
    cursor.skip();
  } while (cursor.take(','));

  CodeTable table{uint32_t(module.operands.size()), uint32_t(targets.size())};
  auto index = uint32_t(module.codeTables.size());
  for (const Operand &target : targets) {
    if (target.is(OperandKind::Name))
      pending.push_back({uint32_t(module.operands.size()), None});
    module.operands.push_back(target);
  }
  module.codeTables.push_back(table);
  item(kind == LabelKind::BranchTargets ? ItemKind::BranchTargets : ItemKind::CallTargets, index);
  module.labels[label].kind = kind;
  module.labels[label].target = index;
  return cursor.take(';') || expected("',' or ';' after a target");
}
