//===- SpecialRegister.cpp - Predefined registers -------------------------===//
//
// Names of the rows of SpecialRegisters.def.
//
//===----------------------------------------------------------------------===//

#include "Mettle/Assembly/PTX/SpecialRegister.h"

using namespace mettle::assembly::ptx;

static constexpr SpecialRegisterInfo rows[] = {
#define METTLE_PTX_SPECIAL(Enumerator, Name, TypeName, Shape)                                      \
  {Name, Type::TypeName, SpecialShape::Shape},
#include "Mettle/Assembly/PTX/SpecialRegisters.def"
};

const SpecialRegisterInfo &mettle::assembly::ptx::specialRegisterInfo(SpecialRegister special) {
  return rows[size_t(special)];
}

std::optional<SpecialRegisterName>
mettle::assembly::ptx::specialRegisterNamed(llvm::StringRef name) {
  for (size_t i = 0; i < std::size(rows); ++i) {
    llvm::StringRef rest = name;
    if (!rest.consume_front(rows[i].name))
      continue;
    auto special = SpecialRegister(i);
    if (rest.empty() && rows[i].shape != SpecialShape::Numbered)
      return SpecialRegisterName{special, 0};
    uint16_t number;
    bool canonical = rest.size() == 1 || !rest.starts_with("0");
    if (rows[i].shape == SpecialShape::Numbered && canonical && rest.size() <= 3 &&
        !rest.getAsInteger(10, number))
      return SpecialRegisterName{special, number};
  }
  return std::nullopt;
}
