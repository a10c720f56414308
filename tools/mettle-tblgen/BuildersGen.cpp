//===- BuildersGen.cpp - Typed builders of one family ---------------------===//
//
// A function an instruction, named like its record with a small first letter. Parameters follow
// `ins`; what may stay away comes last with a default.
//
//===----------------------------------------------------------------------===//

#include "InstRecord.h"
#include "mlir/TableGen/GenInfo.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;
using namespace mettle::tblgen;

static std::string builderName(const InstRecord &inst) {
  std::string name = inst.name().str();
  name.front() = toLower(name.front());
  return name;
}

static StringRef returnType(const InstRecord &inst) {
  unsigned number = inst.numResults();
  return number == 0 ? "void" : number == 1 ? "::mlir::Value" : "::mlir::ResultRange";
}

static std::string parameterType(const Argument &argument) {
  switch (argument.kind) {
  case Argument::Kind::Register:
    return "::mlir::Value";
  case Argument::Kind::List:
    return "::mlir::ValueRange";
  case Argument::Kind::Immediate:
    return "int64_t";
  case Argument::Kind::Modifier:
    break;
  }
  if (argument.def->isSubClassOf("PTX_Flag"))
    return "bool";
  return argument.optional ? "std::optional<" + argument.def->getName().str() + ">"
                           : argument.def->getName().str();
}

static void emitSignature(const InstRecord &inst, bool withDefaults, raw_ostream &os) {
  os << returnType(inst) << ' ' << builderName(inst)
     << "(::mlir::OpBuilder &builder, ::mlir::Location loc";
  for (bool optional : {false, true})
    for (const Argument &argument : inst.arguments()) {
      if (argument.optional != optional)
        continue;
      std::string type = parameterType(argument);
      os << ", " << type << ' ' << argument.name;
      if (optional && withDefaults)
        os << (type == "bool" ? " = false" : " = std::nullopt");
    }
  os << ')';
}

static bool emitDeclarations(const RecordKeeper &records, raw_ostream &os) {
  os << "#include \"Mettle/Dialect/PTX/IR/InstBuilders.h\"\n\nnamespace mettle::ptx {\n\n";
  for (const InstRecord &inst : readInstructions(records)) {
    os << "/// " << inst.format().readable() << '\n' << "/// " << inst.summary() << '\n';
    emitSignature(inst, /*withDefaults=*/true, os);
    os << ";\n\n";
  }
  os << "} // namespace mettle::ptx\n";
  return false;
}

static void emitDefinition(const InstRecord &inst, raw_ostream &os) {
  emitSignature(inst, /*withDefaults=*/false, os);
  os << " {\n";
  bool hasList =
      any_of(inst.arguments(), [](const Argument &a) { return a.kind == Argument::Kind::List; });
  if (hasList) {
    os << "  llvm::SmallVector<::mlir::Value> operands;\n";
    for (const Argument &argument : inst.arguments()) {
      if (argument.kind == Argument::Kind::List)
        os << "  operands.append(" << argument.name << ".begin(), " << argument.name
           << ".end());\n";
      else if (argument.kind == Argument::Kind::Register)
        os << "  operands.push_back(" << argument.name << ");\n";
    }
  }
  unsigned results = inst.numResults();
  os << "  " << (results ? "return " : "") << "buildInst(builder, loc, Opcode::" << inst.name()
     << ", ";
  auto emitList = [&](Argument::Kind kind, function_ref<void(const Argument &)> emit) {
    ListSeparator comma;
    os << '{';
    for (const Argument &argument : inst.arguments())
      if (argument.kind == kind) {
        os << comma;
        emit(argument);
      }
    os << '}';
  };
  if (hasList)
    os << "operands";
  else
    emitList(Argument::Kind::Register, [&](const Argument &a) { os << a.name; });
  os << ", ";
  emitList(Argument::Kind::Modifier, [&](const Argument &a) {
    if (a.optional && !a.def->isSubClassOf("PTX_Flag"))
      os << "choice(" << a.name << ')';
    else
      os << "uint8_t(" << a.name << ')';
  });
  os << ", ";
  emitList(Argument::Kind::Immediate, [&](const Argument &a) { os << a.name; });
  os << ')' << (results == 1 ? ".front()" : "") << ";\n}\n\n";
}

static bool emitDefinitions(const RecordKeeper &records, raw_ostream &os) {
  os << "namespace mettle::ptx {\n\n";
  for (const InstRecord &inst : readInstructions(records))
    emitDefinition(inst, os);
  os << "} // namespace mettle::ptx\n";
  return false;
}

static mlir::GenRegistration declarations("gen-ptx-builder-decls",
                                          "Declarations of typed PTX builders", emitDeclarations);
static mlir::GenRegistration definitions("gen-ptx-builder-defs",
                                         "Definitions of typed PTX builders", emitDefinitions);
