//===- Hash.h - 128-bit hashes of structures --------------------*- C++ -*-===//
//
// Class keys must be the same in every process and machine, so they are hashes of structure, never
// of table indices. 128 bits: two structures that share one are taken to be one.
//
//===----------------------------------------------------------------------===//

#ifndef METTLE_CHECKER_ADDRESS_HASH_H
#define METTLE_CHECKER_ADDRESS_HASH_H

#include "llvm/ADT/StringRef.h"
#include <array>
#include <cstdint>

namespace mettle::checker {

struct Hash128 {
  uint64_t a = 0x9e3779b97f4a7c15, b = 0xc2b2ae3d27d4eb4f;

  bool operator==(const Hash128 &other) const { return a == other.a && b == other.b; }
  bool operator!=(const Hash128 &other) const { return !(*this == other); }
  bool operator<(const Hash128 &other) const { return a != other.a ? a < other.a : b < other.b; }

  Hash128 &add(uint64_t value) {
    a = mix(a ^ value) + 0x165667b19e3779f9;
    b = mix(b + value * 0x9fb21c651e98df25) ^ (a >> 29);
    return *this;
  }
  Hash128 &add(const Hash128 &other) { return add(other.a).add(other.b); }
  Hash128 &add(llvm::StringRef text) {
    add(uint64_t(text.size()));
    for (char c : text)
      add(uint64_t(uint8_t(c)));
    return *this;
  }

private:
  static uint64_t mix(uint64_t x) {
    x = (x ^ (x >> 32)) * 0xd6e8feb86659fd93;
    x = (x ^ (x >> 29)) * 0xa0761d6478bd642f;
    return x ^ (x >> 32);
  }
};

} // namespace mettle::checker

#endif // METTLE_CHECKER_ADDRESS_HASH_H
