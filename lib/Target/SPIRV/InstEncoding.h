//===- InstEncoding.h - how an operation becomes an instruction -----------===//
//
// The table that mettle-tblgen makes from operation records: an encoder for every operation whose
// words follow from its record alone.
//
//===----------------------------------------------------------------------===//

#ifndef METTLE_LIB_TARGET_SPIRV_INSTENCODING_H
#define METTLE_LIB_TARGET_SPIRV_INSTENCODING_H

#include "mlir/IR/Attributes.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include <initializer_list>

namespace mettle::spirvx {

/// One argument of an operation, in the order of the instruction's words.
struct ArgumentEncoding {
  enum class Kind : uint8_t {
    /// The id of one operand.
    Operand,
    /// The ids of all operands that no other argument takes.
    OperandList,
    /// An attribute's words; none if the attribute is absent.
    Literal,
    /// The id of an i32 constant with an attribute's value.
    Constant,
  };
  Kind kind = Kind::Operand;
  /// Name of the attribute, for the kinds that have one.
  llvm::StringRef attribute = {};
  void (*appendWords)(mlir::Attribute, llvm::SmallVectorImpl<uint32_t> &) = nullptr;
};

struct InstEncoding {
  constexpr InstEncoding(llvm::StringRef operation, uint16_t opcode, bool extended,
                         std::initializer_list<ArgumentEncoding> list)
      : operation(operation), opcode(opcode), extended(extended) {
    for (const ArgumentEncoding &argument : list)
      storage[count++] = argument;
  }

  llvm::ArrayRef<ArgumentEncoding> arguments() const { return {storage, count}; }

  llvm::StringRef operation;
  uint16_t opcode;
  /// `opcode` is a number of OpenCL.std, not of the core.
  bool extended;

private:
  static constexpr unsigned maxArguments = 6;
  ArgumentEncoding storage[maxArguments];
  uint8_t count = 0;
};

/// The encoding of the operation of that name, or null.
const InstEncoding *lookupEncoding(llvm::StringRef operation);

} // namespace mettle::spirvx

#endif // METTLE_LIB_TARGET_SPIRV_INSTENCODING_H
