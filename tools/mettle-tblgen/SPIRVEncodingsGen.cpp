//===- SPIRVEncodingsGen.cpp - How each SPIR-V operation is encoded -------===//
//
// Makes the encoder's table from upstream's operation records and from those of the spirvx dialect:
// a row an operation with its opcode and, in the order of the words, what each argument becomes.
// Operations whose words do not follow from their record alone (functions, branches, constants) get
// no row; the encoder writes those by hand.
//
//===----------------------------------------------------------------------===//

#include "mlir/TableGen/Attribute.h"
#include "mlir/TableGen/GenInfo.h"
#include "mlir/TableGen/Operator.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/TableGen/Error.h"
#include "llvm/TableGen/Record.h"

using namespace llvm;
using mlir::tblgen::NamedAttribute;
using mlir::tblgen::NamedTypeConstraint;
using mlir::tblgen::Operator;

/// Enumerations that SPIR-V passes as the id of a constant; every other one is a literal.
static bool isPassedAsConstant(StringRef attribute) {
  return is_contained({"SPIRV_ScopeAttr", "SPIRV_MemorySemanticsAttr"}, attribute);
}

/// The C++ expression of an argument's encoding; nothing if the record does not say it.
static std::optional<std::string> encodingOf(const NamedAttribute &named) {
  mlir::tblgen::Attribute attribute = named.attr.getBaseAttr();
  StringRef storage = attribute.getStorageType();
  bool isEnum = storage.starts_with("::mlir::spirv::") || storage.starts_with("::mettle::spirvx::");
  bool isInteger = is_contained({"::mlir::IntegerAttr", "::mlir::ArrayAttr"}, storage);
  if (!isEnum && !isInteger)
    return std::nullopt;
  StringRef kind = isPassedAsConstant(attribute.getAttrDefName()) ? "constant" : "literal";
  return (kind + "<" + storage + ">(\"" + named.name + "\")").str();
}

static std::optional<std::string> encodingOf(const Operator &op) {
  std::vector<std::string> arguments;
  unsigned variadic = 0;
  for (const mlir::tblgen::Argument &argument : op.getArgs()) {
    if (const auto *attribute = dyn_cast<NamedAttribute *>(argument)) {
      std::optional<std::string> encoding = encodingOf(*attribute);
      if (!encoding)
        return std::nullopt;
      arguments.push_back(*encoding);
      continue;
    }
    const auto *operand = dyn_cast<NamedTypeConstraint *>(argument);
    if (!operand)
      return std::nullopt;
    variadic += operand->isVariableLength();
    arguments.push_back(operand->isVariableLength() ? "operandList()" : "operand()");
  }
  // With two lists of operands the split is in an attribute, not in the record.
  if (variadic > 1)
    return std::nullopt;
  return join(arguments, ", ");
}

/// The number of the record's instruction among the core's, or of OpenCL.std's; nothing if neither.
static std::optional<int64_t> opcodeOf(const RecordKeeper &records, const Record &def,
                                       bool extended) {
  if (extended) {
    if (def.getValueAsString("extendedInstSetName") != "OpenCL.std")
      return std::nullopt;
    return def.getValueAsInt("extendedInstOpcode");
  }
  if (!def.getValueAsBit("hasOpcode"))
    return std::nullopt;
  if (def.getValue("spirvOpcode"))
    return def.getValueAsInt("spirvOpcode");
  const Record *opcode = records.getDef(("SPIRV_OC_" + def.getValueAsString("spirvOpName")).str());
  if (!opcode)
    return std::nullopt;
  return opcode->getValueAsInt("value");
}

static bool emitEncodings(const RecordKeeper &records, raw_ostream &os) {
  std::vector<std::string> rows;
  for (StringRef base : {"SPIRV_Op", "SPIRVX_Op"}) {
    if (!records.getClass(base))
      PrintFatalError("expected the class '" + base + "' among the records");
    for (const Record *def : records.getAllDerivedDefinitions(base)) {
      Operator op(*def);
      bool extended = def->getValue("extendedInstSetName");
      std::optional<int64_t> opcode = opcodeOf(records, *def, extended);
      if (!opcode || !def->getValueAsBit("autogenSerialization"))
        continue;
      std::optional<std::string> arguments = encodingOf(op);
      if (!arguments)
        continue;
      rows.push_back("{\"" + op.getOperationName() + "\", " + std::to_string(*opcode) + ", " +
                     (extended ? "true" : "false") + ", {" + *arguments + "}},\n");
    }
  }
  // The encoder searches by name.
  sort(rows);
  for (const std::string &row : rows)
    os << row;
  return false;
}

static mlir::GenRegistration encodings("gen-spirv-encodings", "The table of SPIR-V encodings",
                                       emitEncodings);
