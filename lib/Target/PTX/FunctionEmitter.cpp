//===- FunctionEmitter.cpp - the text of one function -===//
//
// The body is written first, since it decides how many registers there are, then what stands
// before it. Every operation is looked at once.
//
//===----------------------------------------------------------------------===//

#include "FunctionEmitter.h"

#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/InterleavedRange.h"

using namespace mlir;
using namespace mettle::ptx;

/// Where a function with several results leaves them: one after the other, eight bytes each.
static constexpr unsigned resultStride = 8;

static StringRef typeName(Type type) { return registerClassInfo(registerClassOf(type)).type; }

unsigned FunctionEmitter::makeRegister(RegisterClass registerClass, bool isParameter) {
  unsigned number = isParameter ? allRegisters.size() : classSizes[unsigned(registerClass)]++;
  allRegisters.push_back({registerClass, number, isParameter});
  return allRegisters.size() - 1;
}

void FunctionEmitter::numberRegisters() {
  Region &region = function.getFunctionBody();
  bool hasParameters = isa<FuncOp>(function);
  for (auto [number, block] : llvm::enumerate(region)) {
    labels[&block] = number;
    bool isParameter = hasParameters && number == 0;
    for (BlockArgument argument : block.getArguments())
      registers[argument] = makeRegister(registerClassOf(argument.getType()), isParameter);
    for (Operation &op : block)
      for (Value result : op.getResults())
        // What another dialect returns has no register; its operation is refused where it stands.
        if (isa<PredType, B16Type, B32Type, B64Type>(result.getType()))
          registers[result] = makeRegister(registerClassOf(result.getType()));
  }
}

void FunctionEmitter::emitRegister(unsigned id) {
  Register &reg = allRegisters[id];
  body << registerClassInfo(reg.registerClass).prefix << (reg.isParameter ? "a" : "") << reg.number;
}

void FunctionEmitter::emitRegisterList(ValueRange values) {
  llvm::interleave(values, body, [&](Value value) { emitRegister(value); }, ", ");
}

void FunctionEmitter::emitLocation(Location loc) {
  if (!files)
    return;
  SourceFiles::Position position = files->find(loc);
  if (!position.file || position == lastPosition)
    return;
  lastPosition = position;
  body << "\t.loc " << position.file << ' ' << position.line << ' ' << position.column << '\n';
}

//===----------------------------------------------------------------------===//
// Instructions
//===----------------------------------------------------------------------===//

void FunctionEmitter::emit(InstOp op) {
  const InstInfo &info = op.getInfo();
  body << '\t';
  StringRef format = info.format;
  while (!format.empty()) {
    FormatPiece piece = takePiece(format);
    switch (piece.kind) {
    case FormatPiece::Text:
      body << piece.text;
      break;
    case FormatPiece::Result:
      emitRegister(op->getResult(piece.index));
      break;
    case FormatPiece::Operand:
      emitRegister(op->getOperand(piece.index));
      break;
    case FormatPiece::Modifier:
      if (StringRef suffix = modifierSuffix(info, op.getModifiers(), piece.index); !suffix.empty())
        body << '.' << suffix;
      break;
    case FormatPiece::Immediate:
      emitImmediate(op, piece.index);
      break;
    }
  }
  body << '\n';
}

void FunctionEmitter::emitImmediate(InstOp op, unsigned index) {
  int64_t value = op.getImmediateValues()[index];
  switch (op.getInfo().immediate(index).style) {
  case ImmediateStyle::Decimal:
    body << value;
    break;
  case ImmediateStyle::Hex:
    body << llvm::format("0x%04X", unsigned(value));
    break;
  case ImmediateStyle::F32:
    body << llvm::format("0f%08X", unsigned(value));
    break;
  case ImmediateStyle::F64:
    body << llvm::format("0d%016llX", static_cast<unsigned long long>(value));
    break;
  }
}

//===----------------------------------------------------------------------===//
// Branches
//===----------------------------------------------------------------------===//

SmallVector<Copy> FunctionEmitter::copiesOf(Block *target, ValueRange arguments) {
  SmallVector<Copy> copies;
  for (auto [destination, source] : llvm::zip_equal(target->getArguments(), arguments))
    if (!destination.use_empty())
      copies.push_back({registers.lookup(destination), registers.lookup(source)});
  return sequentialize(copies, [&](unsigned destination) {
    return makeRegister(allRegisters[destination].registerClass);
  });
}

void FunctionEmitter::emitCopies(ArrayRef<Copy> copies) {
  for (Copy copy : copies) {
    body << "\tmov." << registerClassInfo(allRegisters[copy.source].registerClass).type << ' ';
    emitRegister(copy.destination);
    body << ", ";
    emitRegister(copy.source);
    body << ";\n";
  }
}

void FunctionEmitter::emitJump(Block *target, Block *next) {
  if (target == next)
    return;
  body << "\tbra ";
  emitLabel(target);
  body << ";\n";
}

void FunctionEmitter::emit(BraOp op, Block *next) {
  emitCopies(copiesOf(op.getDest(), op.getDestOperands()));
  emitJump(op.getDest(), next);
}

void FunctionEmitter::emit(CondBraOp op, Block *next) {
  Block *whenTrue = op.getTrueDest(), *whenFalse = op.getFalseDest();
  SmallVector<Copy> trueCopies = copiesOf(whenTrue, op.getTrueOperands());
  SmallVector<Copy> falseCopies = copiesOf(whenFalse, op.getFalseOperands());

  // One edge leaves by the predicated branch, the other falls through to its copies. An edge with
  // copies cannot leave unless its copies get a place of their own.
  bool trueFallsThrough = !trueCopies.empty() || (falseCopies.empty() && whenTrue == next);
  bool needsSplit = trueFallsThrough && !falseCopies.empty();
  body << "\t@" << (trueFallsThrough ? "!" : "");
  emitRegister(op.getCondition());
  body << " bra ";
  if (needsSplit)
    body << "$E" << numSplits;
  else
    emitLabel(trueFallsThrough ? whenFalse : whenTrue);
  body << ";\n";

  emitCopies(trueFallsThrough ? trueCopies : falseCopies);
  emitJump(trueFallsThrough ? whenTrue : whenFalse, needsSplit ? nullptr : next);
  if (!needsSplit)
    return;
  body << "$E" << numSplits++ << ":\n";
  emitCopies(falseCopies);
  emitJump(whenFalse, next);
}

//===----------------------------------------------------------------------===//
// Calls
//===----------------------------------------------------------------------===//

/// One result is a register; several are a parameter in memory, since ptxas gives up the calling
/// convention for several registers.
void FunctionEmitter::emitSignature(FunctionOpInterface function, raw_ostream &os) {
  StringRef name = function.getName();
  if (auto entry = dyn_cast<EntryOp>(*function)) {
    os << ".visible .entry " << name << "(";
    for (auto [index, type] : llvm::enumerate(entry.getArgumentTypes())) {
      auto param = entry.getArgAttrOfType<ParamAttr>(index, "ptx.param");
      os << (index ? ",\n" : "\n") << "\t.param ."
         << (param && param.getType() ? stringifyParamType(*param.getType()) : typeName(type));
      if (param && param.getPointer()) {
        os << " .ptr ." << stringifyPointerSpace(*param.getPointer());
        if (param.getAlign())
          os << " .align " << *param.getAlign();
      }
      os << ' ' << name << "_param_" << index;
    }
    os << (entry.getArgumentTypes().empty() ? ")" : "\n)");
    if (std::optional<ArrayRef<int32_t>> threads = entry.getRequiredThreads())
      os << "\n.reqntid " << llvm::interleaved(*threads);
    return;
  }
  os << ".func ";
  ArrayRef<Type> results = function.getResultTypes();
  if (results.size() == 1)
    os << "(.reg ." << typeName(results.front()) << " %result) ";
  else if (results.size() > 1)
    os << "(.param .align " << resultStride << " .b8 results[" << resultStride * results.size()
       << "]) ";
  os << name << "(";
  for (auto [index, type] : llvm::enumerate(function.getArgumentTypes())) {
    const RegisterClassInfo &info = registerClassInfo(registerClassOf(type));
    os << (index ? ", " : "") << ".reg ." << info.type << ' ' << info.prefix << 'a' << index;
  }
  os << ")";
}

void FunctionEmitter::emit(CallOp op) {
  unsigned numResults = op.getNumResults();
  if (numResults > 1)
    body << "\t{\n\t.param .align " << resultStride << " .b8 results[" << resultStride * numResults
         << "];\n";
  body << "\tcall ";
  if (numResults == 1) {
    body << '(';
    emitRegister(op.getResult(0));
    body << "), ";
  } else if (numResults > 1) {
    body << "(results), ";
  }
  body << op.getCallee();
  if (!op.getInputs().empty()) {
    body << ", (";
    emitRegisterList(op.getInputs());
    body << ')';
  }
  body << ";\n";
  if (numResults <= 1)
    return;
  for (auto [index, result] : llvm::enumerate(op.getResults())) {
    body << "\tld.param." << typeName(result.getType()) << ' ';
    emitRegister(result);
    body << ", [results+" << resultStride * index << "];\n";
  }
  body << "\t}\n";
}

void FunctionEmitter::emit(RetOp op) {
  if (op.getInputs().size() == 1) {
    body << "\tmov." << typeName(op.getInputs().front().getType()) << " %result, ";
    emitRegister(op.getInputs().front());
    body << ";\n";
  } else {
    for (auto [index, value] : llvm::enumerate(op.getInputs())) {
      body << "\tst.param." << typeName(value.getType()) << " [results+" << resultStride * index
           << "], ";
      emitRegister(value);
      body << ";\n";
    }
  }
  body << "\tret;\n";
}

void FunctionEmitter::emitParameterLoads(EntryOp entry) {
  for (BlockArgument argument : entry.getBody().getArguments()) {
    if (argument.use_empty())
      continue;
    unsigned index = argument.getArgNumber();
    auto param = entry.getArgAttrOfType<ParamAttr>(index, "ptx.param");
    body << "\tld.param."
         << (param && param.getType() ? stringifyParamType(*param.getType())
                                      : typeName(argument.getType()))
         << ' ';
    emitRegister(argument);
    body << ", [" << entry.getName() << "_param_" << index << "];\n";
  }
}

//===----------------------------------------------------------------------===//
// Storage
//===----------------------------------------------------------------------===//

void FunctionEmitter::emitAddress(Value address, const Twine &name) {
  body << "\tmov." << typeName(address.getType()) << ' ';
  emitRegister(address);
  body << ", " << name << ";\n";
}

void FunctionEmitter::emitStorage(StringRef space, int64_t size, int64_t alignment, Value address) {
  unsigned number = numStorages++;
  storage << "\t." << space << " .align " << alignment << " .b8 $" << space << number << '[' << size
          << "];\n";
  emitAddress(address, "$" + space + Twine(number));
}

//===----------------------------------------------------------------------===//
// Functions
//===----------------------------------------------------------------------===//

LogicalResult FunctionEmitter::emitOperation(Operation &op, Block *next) {
  emitLocation(op.getLoc());
  return llvm::TypeSwitch<Operation *, LogicalResult>(&op)
      .Case([&](InstOp inst) { return emit(inst), success(); })
      .Case([&](BraOp bra) { return emit(bra, next), success(); })
      .Case([&](CondBraOp bra) { return emit(bra, next), success(); })
      .Case([&](CallOp call) { return emit(call), success(); })
      .Case([&](RetOp ret) { return emit(ret), success(); })
      .Case([&](SharedOp shared) {
        emitStorage("shared", shared.getSize(), shared.getAlignment(), shared.getAddress());
        return success();
      })
      .Case([&](LocalOp local) {
        emitStorage("local", local.getSize(), local.getAlignment(), local.getAddress());
        return success();
      })
      .Case([&](DynamicSharedOp shared) {
        emitAddress(shared.getAddress(), dynamicSharedName);
        return success();
      })
      .Default([](Operation *other) {
        return other->emitError() << "expected an operation of the ptx dialect, got "
                                  << other->getName();
      });
}

LogicalResult FunctionEmitter::emitBlock(Block &block, Block *next) {
  if (!block.isEntryBlock()) {
    emitLabel(&block);
    body << ":\n";
  }
  for (Operation &op : block)
    if (failed(emitOperation(op, next)))
      return failure();
  return success();
}

LogicalResult FunctionEmitter::emit(raw_ostream &os) {
  numberRegisters();
  if (auto entry = dyn_cast<EntryOp>(*function))
    emitParameterLoads(entry);
  Region &region = function.getFunctionBody();
  for (Block &block : region)
    if (failed(emitBlock(block, block.getNextNode())))
      return failure();

  emitSignature(function, os);
  os << "\n{\n";
  for (unsigned index = 0; index < numRegisterClasses; ++index) {
    const RegisterClassInfo &info = registerClassInfo(RegisterClass(index));
    if (classSizes[index])
      os << "\t.reg ." << info.type << ' ' << info.prefix << '<' << classSizes[index] << ">;\n";
  }
  os << storageText << bodyText << "}\n";
  return success();
}
