//===- CharacterClass.h - Classes of bytes ----------------------*- C++ -*-===//
//
// A table that tells for a byte what PTX's lexical rules need to know, so that scanning costs one
// load a byte.
//
//===----------------------------------------------------------------------===//

#ifndef METTLE_LIB_ASSEMBLY_PTX_CHARACTERCLASS_H
#define METTLE_LIB_ASSEMBLY_PTX_CHARACTERCLASS_H

#include <array>
#include <cstdint>

namespace mettle::assembly::ptx {

enum CharacterClass : uint8_t {
  Space = 1,
  Digit = 2,
  NameStart = 4, ///< letters, _ $ %
  NameBody = 8,  ///< letters, digits, _ $ $
  HexDigit = 16,
  Suffix = 32, ///< what a directive or modifier is made of, :: apart: letters, digits, _ $
};

inline constexpr std::array<uint8_t, 256> characterClasses = [] {
  std::array<uint8_t, 256> table = {};
  for (char c : {' ', '\t', '\n', '\r', '\v', '\f'})
    table[uint8_t(c)] |= Space;
  for (int c = '0'; c <= '9'; ++c)
    table[c] |= Digit | NameBody | HexDigit | Suffix;
  for (int c = 'a'; c <= 'z'; ++c)
    table[c] |= NameStart | NameBody | Suffix | (c <= 'f' ? HexDigit : 0);
  for (int c = 'A'; c <= 'Z'; ++c)
    table[c] |= NameStart | NameBody | Suffix | (c <= 'F' ? HexDigit : 0);
  table['_'] |= NameStart | NameBody | Suffix;
  table['$'] |= NameStart | NameBody | Suffix;
  table['%'] |= NameStart;
  return table;
}();

inline bool isClass(char c, uint8_t classes) { return characterClasses[uint8_t(c)] & classes; }

} // namespace mettle::assembly::ptx

#endif // METTLE_LIB_ASSEMBLY_PTX_CHARACTERCLASS_H
