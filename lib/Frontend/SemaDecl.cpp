//===- SemaDecl.cpp - declarations, types and who calls whom -===//
//
// Starts at the kernels and follows calls; what no kernel reaches is not looked at.
//
//===----------------------------------------------------------------------===//

#include "Mettle/Frontend/Sema.h"

#include "llvm/ADT/StringExtras.h"

#include "Mettle/Frontend/Flow.h"

#include "llvm/Support/MathExtras.h"

using namespace mettle::frontend;
using llvm::StringRef;

void Sema::analyse() {
  declareNames();
  for (FunctionDecl *candidate : tree.functions)
    if (candidate->isKernel)
      reachedFunctions.push_back(candidate);
  if (reachedFunctions.empty() && !diagnostics.hasErrors())
    diagnostics.error(0, 0, Code::no_kernel);
  // Calls append to the list.
  for (size_t i = 0; i < reachedFunctions.size(); ++i)
    checkFunction(*reachedFunctions[i]);
  checkCallGraph();
  for (FunctionDecl *host : tree.functions)
    if (host->hasBody && host->state == FunctionDecl::Fresh)
      checkUnreached(*host);
  if (diagnostics.hasErrors())
    return;
  for (FunctionDecl *reached : reachedFunctions)
    analyseFlow(tree, *reached, diagnostics);
}

void Sema::declareNames() {
  for (FunctionDecl *declared : tree.functions) {
    FunctionDecl *&slot = functions[declared->name];
    if (slot && slot->hasBody && declared->hasBody) {
      Diagnostic &made = error(declared->range, Code::redefinition, {declared->name->getKey()});
      Diagnostics::note(made, slot->range.begin, slot->range.end, Code::declared_here,
                        {declared->name->getKey()});
    }
    // A definition counts for more than a declaration of it.
    if (!slot || declared->hasBody)
      slot = declared;
  }
  for (RecordDecl *declared : tree.records) {
    auto [slot, fresh] = records.try_emplace(declared->name, declared);
    if (!fresh) {
      Diagnostic &made = error(declared->range, Code::redefinition, {declared->name->getKey()});
      const Range &first = slot->second->range;
      Diagnostics::note(made, first.begin, first.end, Code::declared_here,
                        {declared->name->getKey()});
    }
  }
  for (VarDecl *declared : tree.hostVariables)
    hostVariables[declared->name] = declared;
  for (VarDecl *declared : tree.constants) {
    auto [slot, fresh] = constants.try_emplace(declared->name, declared);
    if (!fresh) {
      Diagnostic &made = error(declared->range, Code::redefinition, {declared->name->getKey()});
      const Range &first = slot->second->range;
      Diagnostics::note(made, first.begin, first.end, Code::declared_here,
                        {declared->name->getKey()});
    }
  }
}

/// Checks a top-level constant when it is first used: those of host code are not judged.
void Sema::checkConstant(VarDecl &constant, const Range &use) {
  if (constant.state == VarDecl::Checked)
    return;
  StringRef name = constant.name->getKey();
  if (constant.state == VarDecl::Checking) {
    error(use, Code::recursive_constant, {name});
    constant.type = get(TypeKind::Error);
    return;
  }
  constant.state = VarDecl::Checking;
  // Its value does not see the names around its use.
  bool outer = std::exchange(atTopLevel, true);
  constant.init = checkValue(constant.init);
  const Type *type = constant.typeSyntax ? resolve(constant.typeSyntax) : constant.init->type;
  atTopLevel = outer;
  constant.state = VarDecl::Checked;
  if (constant.type)
    return; // It needs itself.
  constant.type = type;
  if (type->isError() || constant.init->type->isError()) {
    constant.type = get(TypeKind::Error);
  } else if (!type->isScalar()) {
    error(constant.range, Code::constant_type, {name, type->spelling()});
    constant.type = get(TypeKind::Error);
  } else {
    constant.init = convertTo(constant.init, type, "the constant");
    if (!constant.init->type->isError() && !isConstant(constant.init))
      error(constant.init->range, Code::constant_expected, {"the value of '" + name.str() + "'"});
    constant.constant = constant.init;
  }
}

//===----------------------------------------------------------------------===//
// Functions
//===----------------------------------------------------------------------===//

void Sema::checkSignature(FunctionDecl &checked) {
  if (checked.signatureChecked)
    return;
  checked.signatureChecked = true;
  for (VarDecl *parameter : checked.parameters)
    parameter->type = resolve(parameter->typeSyntax);
  checked.result = checked.resultSyntax ? resolve(checked.resultSyntax) : get(TypeKind::Void);
  if (checked.isKernel)
    return checkKernelSignature(checked);
  auto travels = [](const Type *type) {
    return type->isScalar() || type->isPointer() || type->isError();
  };
  for (VarDecl *parameter : checked.parameters) {
    const Type *type = parameter->type;
    bool hasArray = type->isRecord() && type->record()->hasArray;
    if (travels(type) || (type->isRecord() && !hasArray))
      continue;
    error(parameter->range, Code::function_abi,
          {parameter->name->getKey(), "a scalar, a pointer or a record of them",
           type->spelling() + (hasArray ? ", which has an array" : "")});
    parameter->type = get(TypeKind::Error);
  }
  if (!travels(checked.result) && !checked.result->is(TypeKind::Void))
    error(checked.resultSyntax->range, Code::function_result, {checked.result->spelling()});
}

/// The value of an option, a number; none after an error.
std::optional<llvm::APSInt> Sema::checkOption(const NamedOption &option, StringRef what) {
  Expr *value = checkValue(option.value);
  if (value->type->isError())
    return std::nullopt;
  auto number = value->type->isIntegral() ? fold(value) : std::nullopt;
  if (!number)
    error(value->range, Code::constant_expected, {what});
  return number;
}

static bool isWithin(const llvm::APSInt &number, unsigned limit) {
  return number.isStrictlyPositive() && number.getActiveBits() <= 32 &&
         number.getZExtValue() <= limit;
}

void Sema::checkKernelOptions(FunctionDecl &kernel) {
  constexpr unsigned largestSubgroup = 64, largestBlock = 1024;
  static constexpr StringRef axes[] = {"block", "block_y", "block_z"};
  for (const NamedOption &option : kernel.options) {
    StringRef name = option.name.name->getKey();
    const Range &range = option.value->range;
    const StringRef *axis = llvm::find(axes, name);
    if (name == "subgroup") {
      auto size = checkOption(option, "the subgroup size");
      if (size && isWithin(*size, largestSubgroup) && llvm::isPowerOf2_64(size->getZExtValue()))
        kernel.subgroupSize = size->getZExtValue();
      else if (size)
        error(range, Code::kernel_subgroup_size, {llvm::toString(*size, 10)});
    } else if (axis != std::end(axes)) {
      auto extent = checkOption(option, "the extent of a block");
      if (extent && isWithin(*extent, largestBlock))
        kernel.blockSize[axis - axes] = extent->getZExtValue();
      else if (extent)
        error(range, Code::kernel_block_size, {llvm::toString(*extent, 10) + " along an axis"});
    } else {
      error({option.name.begin, option.name.end, option.name.begin}, Code::kernel_option, {name});
    }
  }
  unsigned items = 1;
  bool isFixed = llvm::any_of(kernel.blockSize, [](unsigned extent) { return extent != 0; });
  for (unsigned &extent : kernel.blockSize) {
    extent = isFixed && !extent ? 1 : extent;
    items *= isFixed ? std::min(extent, largestBlock) : 1;
  }
  if (items > largestBlock)
    error(kernel.range, Code::kernel_block_size, {std::to_string(items)});
}

bool Sema::checkRecordOptions(RecordDecl &record) {
  bool good = true;
  for (const NamedOption &option : record.options) {
    if (option.name.name->getKey() != "align") {
      error({option.name.begin, option.name.end, option.name.begin}, Code::record_option,
            {option.name.name->getKey()});
      good = false;
      continue;
    }
    auto bytes = checkOption(option, "the alignment of a record");
    if (bytes && isWithin(*bytes, maxRecordAlignment) &&
        llvm::isPowerOf2_64(bytes->getZExtValue()) && bytes->getZExtValue() >= record.alignment) {
      record.alignment = bytes->getZExtValue();
      continue;
    }
    if (bytes)
      error(option.value->range, Code::record_alignment,
            {std::to_string(record.alignment), std::to_string(maxRecordAlignment),
             llvm::toString(*bytes, 10)});
    good = false;
  }
  return good;
}

void Sema::checkKernelSignature(FunctionDecl &kernel) {
  checkKernelOptions(kernel);
  for (VarDecl *parameter : kernel.parameters) {
    const Type *type = parameter->type;
    if (type->isScalar() || type->isPointer() || type->isError())
      continue;
    std::string found = type->spelling();
    const RecordDecl *record = type->record();
    uint64_t parts = countPassedParts(type);
    if (record && record->hasArray && record->hasPointer)
      found += ", which has an array and a pointer";
    else if (record && parts > maxPassedParts)
      found += ", which has " + std::to_string(parts) + " scalars, more than " +
               std::to_string(maxPassedParts);
    else if (record)
      continue;
    error(parameter->range, Code::kernel_abi, {parameter->name->getKey(), found});
    parameter->type = get(TypeKind::Error);
  }
  if (!kernel.result->is(TypeKind::Void) && !kernel.result->isError())
    error(kernel.resultSyntax->range, Code::kernel_return,
          {kernel.name->getKey(), kernel.result->spelling()});
}

void Sema::checkFunction(FunctionDecl &checked) {
  if (checked.faulty)
    return;
  checkSignature(checked);
  parser.parseBody(checked);
  if (checked.body) {
    function = &checked;
    calls.clear();
    Scope parameters(scope);
    ++scopeDepth;
    for (VarDecl *parameter : checked.parameters) {
      declare(*parameter);
      // An index chooses among the elements of an array: they have addresses.
      const RecordDecl *record = parameter->type->record();
      if (checked.isKernel && record && record->hasArray)
        keepInMemory(*parameter, parameter->range);
    }
    checkBlock(*checked.body);
    --scopeDepth;
    checked.calls = tree.copy(calls);
  }
  checked.state = FunctionDecl::Checked;
}

/// Refuses recursion and chains of calls that are too long, with a stack of its own.
void Sema::checkCallGraph() {
  struct Frame {
    FunctionDecl *function;
    size_t next;
  };
  enum State : uint8_t { Unseen, Open, Done };
  llvm::DenseMap<FunctionDecl *, State> states;
  for (FunctionDecl *root : reachedFunctions) {
    if (states.lookup(root) != Unseen)
      continue;
    llvm::SmallVector<Frame> stack{{root, 0}};
    states[root] = Open;
    while (!stack.empty()) {
      Frame &frame = stack.back();
      FunctionDecl *caller = frame.function;
      if (frame.next == caller->calls.size()) {
        states[caller] = Done;
        for (CallExpr *call : caller->calls)
          caller->callDepth = std::max(caller->callDepth, call->function->callDepth + 1);
        if (caller->callDepth == maxCallDepth)
          error(caller->range, Code::nested_too_deep, {std::to_string(maxCallDepth)});
        stack.pop_back();
        continue;
      }
      CallExpr *call = caller->calls[frame.next++];
      State &state = states[call->function];
      if (state == Open) {
        StringRef name = call->function->name->getKey();
        std::string how = call->function == caller
                              ? "'" + name.str() + "' calls itself"
                              : "'" + name.str() + "' is reached from itself through '" +
                                    caller->name->getKey().str() + "'";
        error(call->range, Code::recursive_device_call, {how});
      } else if (state == Unseen) {
        state = Open;
        stack.push_back({call->function, 0});
      }
    }
  }
}

//===----------------------------------------------------------------------===//
// Types
//===----------------------------------------------------------------------===//

const Type *Sema::resolve(TypeSyntax *syntax) {
  switch (syntax->kind) {
  case TypeSyntax::Builtin:
    return get(syntax->builtin);
  case TypeSyntax::Named: {
    StringRef name = syntax->name->getKey();
    if (RecordDecl *record = records.lookup(syntax->name))
      return complete(*record, syntax->range) ? tree.types.recordOf(record) : get(TypeKind::Error);
    if (name == "cstring")
      return tree.types.pointerTo(get(TypeKind::UInt8));
    error(syntax->range, Code::unknown_type, {name});
    return get(TypeKind::Error);
  }
  case TypeSyntax::Function:
    error(syntax->range, Code::indirect_device_call, {"a function type"});
    return get(TypeKind::Error);
  case TypeSyntax::Pointer: {
    const Type *element = resolve(syntax->element);
    if (element->isError())
      return element;
    bool pointee = element->isScalar() || (element->isRecord() && !element->record()->hasPointer);
    if (!pointee) {
      error(syntax->range, Code::pointer_element, {element->spelling()});
      return get(TypeKind::Error);
    }
    return tree.types.pointerTo(element);
  }
  case TypeSyntax::Array:
    return resolveArray(syntax);
  }
  llvm_unreachable("every kind of type is resolved");
}

const Type *Sema::resolveArray(TypeSyntax *syntax) {
  const Type *element = resolve(syntax->element);
  syntax->extent = checkValue(syntax->extent);
  if (element->isError() || syntax->extent->type->isError())
    return get(TypeKind::Error);
  if (!element->isScalar()) {
    error(syntax->range, Code::array_element, {element->spelling()});
    return get(TypeKind::Error);
  }
  auto extent = syntax->extent->type->isIntegral() ? fold(syntax->extent) : std::nullopt;
  if (!extent) {
    error(syntax->extent->range, Code::constant_expected, {"the extent of an array"});
    return get(TypeKind::Error);
  }
  // One array, and with it a workgroup's memory, stays below 2 GiB.
  int64_t limit = INT32_MAX / static_cast<int64_t>(element->size());
  if (extent->getSignificantBits() > 64 || extent->getExtValue() < 1 ||
      extent->getExtValue() > limit) {
    error(syntax->extent->range, Code::array_extent,
          {std::to_string(limit), llvm::toString(*extent, 10)});
    return get(TypeKind::Error);
  }
  return tree.types.arrayOf(element, extent->getExtValue());
}

/// Resolves the fields of a record and lays them out; false, after a message, when it has no
/// layout.
bool Sema::complete(RecordDecl &record, const Range &use) {
  StringRef name = record.name->getKey();
  if (!record.hostOnly.empty()) {
    Diagnostic &made = error(use, Code::host_record, {name, record.hostOnly});
    Diagnostics::note(made, record.range.begin, record.range.end, Code::declared_here, {name});
    return false;
  }
  if (record.state == RecordDecl::Resolving) {
    error(use, Code::recursive_record, {name});
    return false;
  }
  if (record.state != RecordDecl::Fresh)
    return record.state == RecordDecl::Complete;
  record.state = RecordDecl::Resolving;
  bool faulty = false;
  if (++recordDepth > Parser::maxNesting) {
    error(use, Code::nested_too_deep, {std::to_string(Parser::maxNesting)});
    faulty = true;
  }
  llvm::DenseMap<Name, const Field *> seen;
  for (Field &field : record.fields) {
    field.type = faulty ? get(TypeKind::Error) : resolve(field.typeSyntax);
    if (auto [first, fresh] = seen.try_emplace(field.name, &field); !fresh) {
      error(field.range, Code::redefinition, {field.name->getKey()});
      faulty = true;
    }
    if (field.type->isError() || field.type->is(TypeKind::Void)) {
      faulty = true;
      continue;
    }
    record.alignment = std::max(record.alignment, field.type->alignment());
    field.offset = llvm::alignTo(record.size, field.type->alignment());
    record.size = field.offset + field.type->size();
    const RecordDecl *inner = field.type->record();
    record.hasArray |= field.type->isArray() || (inner && inner->hasArray);
    record.hasPointer |= field.type->isPointer() || (inner && inner->hasPointer);
    field.firstLeaf = record.leaves;
    record.leaves += leafCount(field.type);
  }
  --recordDepth;
  faulty |= !checkRecordOptions(record);
  record.size = llvm::alignTo(record.size, record.alignment);
  if (!faulty && record.fields.empty()) {
    error(record.range, Code::empty_record, {name});
    faulty = true;
  }
  if (!faulty && record.size > INT32_MAX) {
    error(record.range, Code::record_size, {name});
    faulty = true;
  }
  record.state = faulty ? RecordDecl::Faulty : RecordDecl::Complete;
  return !faulty;
}

/// Brings a variable into scope.
void Sema::declare(VarDecl &variable) {
  variable.scopeDepth = scopeDepth;
  VarDecl *earlier = scope.lookup(variable.name);
  if (earlier && earlier->scopeDepth == scopeDepth) {
    StringRef name = variable.name->getKey();
    Diagnostic &made = error(variable.range, Code::redefinition, {name});
    Diagnostics::note(made, earlier->range.begin, earlier->range.end, Code::declared_here, {name});
  }
  scope.insert(variable.name, &variable);
}
