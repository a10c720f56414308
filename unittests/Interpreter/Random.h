//===- Random.h - reproducible random words -===//
//
// splitmix64 (Steele, Lea, Flood 2014): the same words on every machine, so a failing seed repeats.
//
//===----------------------------------------------------------------------===//

#ifndef METTLE_UNITTESTS_INTERPRETER_RANDOM_H
#define METTLE_UNITTESTS_INTERPRETER_RANDOM_H

#include <cstdint>

namespace mettle::interpreter {

class Random {
public:
  explicit Random(uint64_t seed) : state(seed) {}

  uint64_t word() {
    uint64_t mixed = (state += 0x9E3779B97F4A7C15);
    mixed = (mixed ^ (mixed >> 30)) * 0xBF58476D1CE4E5B9;
    mixed = (mixed ^ (mixed >> 27)) * 0x94D049BB133111EB;
    return mixed ^ (mixed >> 31);
  }
  /// From 0 to `end` - 1.
  uint64_t below(uint64_t end) { return word() % end; }

private:
  uint64_t state;
};

} // namespace mettle::interpreter

#endif // METTLE_UNITTESTS_INTERPRETER_RANDOM_H
