//===- NameTable.cpp - Interned pieces of a text --------------------------===//
//
// A hash table with open addressing; the hash eats eight bytes at a time, since most texts that
// are interned are whole mnemonics of 10 to 60 bytes.
//
//===----------------------------------------------------------------------===//

#include "Mettle/Assembly/PTX/NameTable.h"
#include <cstring>

using namespace mettle::assembly::ptx;

static uint32_t hashOf(llvm::StringRef text) {
  uint64_t hash = text.size() * 0x9e3779b97f4a7c15ull;
  const char *p = text.begin();
  size_t left = text.size();
  auto mix = [&](uint64_t word) {
    hash = (hash ^ word) * 0xff51afd7ed558ccdull;
    hash ^= hash >> 32;
  };
  for (; left >= 8; left -= 8, p += 8) {
    uint64_t word;
    memcpy(&word, p, 8);
    mix(word);
  }
  if (left) {
    uint64_t word = 0;
    memcpy(&word, p, left);
    mix(word);
  }
  return uint32_t(hash);
}

size_t NameTable::slotOf(llvm::StringRef text, uint32_t hash) const {
  size_t mask = slots.size() - 1;
  for (size_t slot = hash & mask;; slot = (slot + 1) & mask) {
    if (!slots[slot])
      return slot;
    const Entry &entry = entries[slots[slot] - 1];
    if (entry.hash == hash && entry.length == text.size() &&
        memcmp(entry.data, text.data(), text.size()) == 0)
      return slot;
  }
}

uint32_t NameTable::intern(llvm::StringRef text) {
  if (entries.size() * 2 >= slots.size())
    grow();
  uint32_t hash = hashOf(text);
  size_t slot = slotOf(text, hash);
  if (!slots[slot]) {
    entries.push_back({text.data(), uint32_t(text.size()), hash});
    slots[slot] = uint32_t(entries.size());
  }
  return slots[slot] - 1;
}

uint32_t NameTable::find(llvm::StringRef text) const {
  // A free slot holds 0, so that a text without one gets ~0.
  return slots.empty() ? ~0u : slots[slotOf(text, hashOf(text))] - 1;
}

void NameTable::grow() {
  slots.assign(slots.empty() ? 256 : slots.size() * 2, 0);
  size_t mask = slots.size() - 1;
  for (size_t i = 0; i < entries.size(); ++i) {
    size_t slot = entries[i].hash & mask;
    while (slots[slot])
      slot = (slot + 1) & mask;
    slots[slot] = uint32_t(i + 1);
  }
}

void NameTable::clear() {
  entries.clear();
  std::fill(slots.begin(), slots.end(), 0);
}

size_t NameTable::memory() const {
  return entries.capacity() * sizeof(Entry) + slots.capacity() * sizeof(uint32_t);
}
