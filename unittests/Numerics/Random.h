//===- Random.h - The generator of the numerics tests -----------*- C++ -*-===//
//
// splitmix64: the same draws on every machine, so that a failing seed in a log can be repeated.
// `deep()` says whether the full counts were asked for (scripts/run_tests.py --deep).
//
//===----------------------------------------------------------------------===//

#ifndef METTLE_UNITTESTS_NUMERICS_RANDOM_H
#define METTLE_UNITTESTS_NUMERICS_RANDOM_H

#include <cstdint>
#include <cstdlib>
#include <cstring>

namespace mettle::numerics::test {

class Random {
public:
  explicit Random(uint64_t seed) : state(seed) {}

  uint64_t word() {
    uint64_t z = (state += 0x9E3779B97F4A7C15);
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EB;
    return z ^ (z >> 31);
  }
  /// 0 .. bound - 1.
  uint64_t below(uint64_t bound) { return word() % bound; }
  bool oneIn(uint64_t n) { return below(n) == 0; }

private:
  uint64_t state;
};

inline bool deep() {
  const char *value = std::getenv("METTLE_DEEP");
  return value && std::strcmp(value, "1") == 0;
}

} // namespace mettle::numerics::test

#endif // METTLE_UNITTESTS_NUMERICS_RANDOM_H
