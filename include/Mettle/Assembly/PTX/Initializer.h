//===- Initializer.h - The initial value of a variable ----------*- C++ -*-===//
//
// Initialisers may be megabytes of text that only an emulator wants, so a module keeps each as a
// piece of text, checked but not stored. This walks one, and makes the bytes.
//
//===----------------------------------------------------------------------===//

#ifndef METTLE_ASSEMBLY_PTX_INITIALIZER_H
#define METTLE_ASSEMBLY_PTX_INITIALIZER_H

#include "Mettle/Assembly/PTX/Module.h"
#include "llvm/ADT/Twine.h"
#include <string>

namespace mettle::assembly::ptx {

/// One step of an initialiser.
struct InitializerStep {
  enum class Kind : uint8_t {
    Open,    ///< {
    Close,   ///< }
    Integer, ///< bits
    Float32, ///< bits, a 0f literal
    Float64, ///< bits, a 0d or decimal literal
    Address, ///< of symbol, plus bits; through generic() and a byte mask, if given
    Field,   ///< symbol = value, of a sampler; value is a name or a number
  };
  Kind kind = Kind::Integer;
  bool isGeneric = false;
  bool isMasked = false;
  uint64_t bits = 0;
  /// 0xff00 of `0xff00(symbol)`: which byte of the address is meant.
  uint64_t mask = 0;
  llvm::StringRef symbol, value;
};

/// Walks an initialiser from just after its `=` up to the comma or semicolon behind it.
class InitializerReader {
public:
  /// `text` is a module's, followed by a zero byte.
  InitializerReader(llvm::StringRef text, uint32_t offset) : text(text), p(text.data() + offset) {}

  /// Reads the next step; false behind the last, or at a fault.
  bool next();
  const InitializerStep &step() const { return current; }

  /// What is wrong at `offset()`, as `expected ...`; empty when all was well.
  llvm::StringRef fault() const { return message; }
  uint32_t offset() const { return uint32_t(p - text.data()); }

private:
  bool fail(const char *at, const llvm::Twine &what) {
    p = at;
    message = ("expected " + what).str();
    return false;
  }
  bool scalar(const char *at);

  llvm::StringRef text;
  const char *p;
  InitializerStep current;
  std::string message;
  unsigned depth = 0;
  bool needsComma = false;
  bool isDone = false;
};

/// An address to be added into the bytes once symbols have one.
struct Relocation {
  uint64_t offset; ///< of the first byte in the variable
  uint8_t bytes;   ///< how many are replaced
  NameId symbol;   ///< a variable or function of the module
  uint64_t addend;
  bool isGeneric; ///< the generic address is meant, else that in the symbol's own space
  uint64_t mask;  ///< which part of the address, all ones for the whole
};

/// The bytes a variable starts with, little-endian, `Variable::size` of them (of an array of open
/// extent: as many as the initialiser has), zeros where nothing is written; addresses are left
/// zero and listed. Values wider than an element are cut to it, a float literal is converted to
/// the element's type, rounding to nearest even. Returns false, with a reason, where the
/// initialiser does not fit: too many values, braces deeper than the array, a sampler.
bool initialBytes(const Module &module, const Variable &variable, std::vector<uint8_t> &bytes,
                  std::vector<Relocation> &relocations, std::string &reason);

} // namespace mettle::assembly::ptx

#endif // METTLE_ASSEMBLY_PTX_INITIALIZER_H
