//===- InternTable.h - Numbers of things by what they are -------*- C++ -*-===//
//
// The table behind hash-consing: open addressing over the numbers of things that stand in a vector
// of their owner's, each with half of its hash beside it, so that a look-up mostly touches one
// cache line here and the thing itself.
//
//===----------------------------------------------------------------------===//

#ifndef METTLE_CHECKER_ADDRESS_INTERNTABLE_H
#define METTLE_CHECKER_ADDRESS_INTERNTABLE_H

#include <cstddef>
#include <cstdint>
#include <vector>

namespace mettle::checker {

class InternTable {
public:
  /// The number of what has this hash and is the same, else that of what is made.
  template <typename Same, typename Make> uint32_t find(uint64_t hash, Same same, Make make) {
    if (used * 2 >= slots.size())
      grow();
    auto tag = uint32_t(hash >> 32);
    size_t at = hash & (slots.size() - 1);
    for (; slots[at].id != Empty; at = (at + 1) & (slots.size() - 1))
      if (slots[at].tag == tag && same(slots[at].id))
        return slots[at].id;
    uint32_t id = make();
    // What was made may have made others first, and moved the table.
    at = hash & (slots.size() - 1);
    while (slots[at].id != Empty)
      at = (at + 1) & (slots.size() - 1);
    slots[at] = {uint32_t(hash), tag, id};
    ++used;
    return id;
  }

  /// A hash from parts; the last step spreads it over all bits.
  static uint64_t mix(uint64_t hash, uint64_t part) {
    return (hash ^ part ^ hash >> 29) * 0x9fb21c651e98df25;
  }
  static uint64_t finish(uint64_t hash) { return hash ^ hash >> 32; }

private:
  static constexpr uint32_t Empty = ~0u;
  struct Slot {
    uint32_t low = 0, tag = 0, id = Empty;
  };
  void grow() {
    std::vector<Slot> old(slots.empty() ? 256 : slots.size() * 2);
    old.swap(slots);
    for (const Slot &slot : old)
      if (slot.id != Empty) {
        size_t at = slot.low & (slots.size() - 1);
        while (slots[at].id != Empty)
          at = (at + 1) & (slots.size() - 1);
        slots[at] = slot;
      }
  }

  std::vector<Slot> slots;
  size_t used = 0;
};

} // namespace mettle::checker

#endif // METTLE_CHECKER_ADDRESS_INTERNTABLE_H
