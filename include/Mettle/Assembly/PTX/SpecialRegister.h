//===- SpecialRegister.h - Predefined registers -----------------*- C++ -*-===//
//
// The predefined registers of SpecialRegisters.def as an enum.
//
//===----------------------------------------------------------------------===//

#ifndef METTLE_ASSEMBLY_PTX_SPECIALREGISTER_H
#define METTLE_ASSEMBLY_PTX_SPECIALREGISTER_H

#include "Mettle/Assembly/PTX/Type.h"
#include <optional>

namespace mettle::assembly::ptx {

enum class SpecialRegister : uint8_t {
#define METTLE_PTX_SPECIAL(Enumerator, Name, Type, Shape) Enumerator,
#include "Mettle/Assembly/PTX/SpecialRegisters.def"
};

enum class SpecialShape : uint8_t { Scalar, Vector, Numbered };

struct SpecialRegisterInfo {
  llvm::StringLiteral name;
  Type type;
  SpecialShape shape;
};

const SpecialRegisterInfo &specialRegisterInfo(SpecialRegister special);

/// A special register and, for a numbered family, the number that followed its name.
struct SpecialRegisterName {
  SpecialRegister special;
  uint16_t number;
};

/// Reads a name such as `%tid` or `%envreg3`.
std::optional<SpecialRegisterName> specialRegisterNamed(llvm::StringRef name);

} // namespace mettle::assembly::ptx

#endif // METTLE_ASSEMBLY_PTX_SPECIALREGISTER_H
