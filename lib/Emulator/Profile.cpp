//===- Profile.cpp - What a run consisted of ------------------------------===//
//
// Counts one op of a warp, and prints the sums as a table or as JSON.
//
//===----------------------------------------------------------------------===//

#include "Mettle/Emulator/Profile.h"
#include "Warp.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/raw_ostream.h"
#include <algorithm>

using namespace mettle::emulator;
using namespace mettle::assembly;

static constexpr llvm::StringLiteral classNames[] = {
    "integer", "float", "double", "half",  "special", "convert", "compare", "move",
    "load",    "store", "atomic", "async", "control", "barrier", "warp",    "matrix"};
static constexpr llvm::StringLiteral spaceNames[] = {"generic", "global",   "shared",
                                                     "local",   "constant", "parameter"};

llvm::StringRef mettle::emulator::profileClassName(unsigned row) { return classNames[row]; }
llvm::StringRef mettle::emulator::profileSpaceName(unsigned row) { return spaceNames[row]; }

void Profile::add(const Profile &other) {
  for (size_t i = 0; i < instructions.size(); ++i) {
    instructions[i].warps += other.instructions[i].warps;
    instructions[i].threads += other.instructions[i].threads;
  }
  for (size_t i = 0; i < bytes.size(); ++i) {
    bytes[i].read += other.bytes[i].read;
    bytes[i].written += other.bytes[i].written;
  }
  divergent += other.divergent;
  sharedPasses += other.sharedPasses;
  sharedPassesNeeded += other.sharedPassesNeeded;
}

/// Passes of the lanes `first` to `first` + `lanes` - 1: the most words that one bank is asked for.
static unsigned passes(Execution &x, const Op &op, LaneMask mask, unsigned first, unsigned lanes) {
  std::array<llvm::SmallVector<uint64_t, 4>, 32> banks;
  size_t most = 0;
  for (unsigned lane = first; lane < first + lanes; ++lane) {
    if (!(mask >> lane & 1))
      continue;
    uint64_t address = op.detail == 32 ? x.lanes<uint32_t>(op.a)[lane] + uint32_t(op.immediate)
                                       : x.lanes<uint64_t>(op.a)[lane] + op.immediate;
    uint64_t end = address + op.bytes * op.count;
    for (uint64_t word = address / 4; word * 4 < end; ++word) {
      llvm::SmallVector<uint64_t, 4> &bank = banks[word % 32];
      if (!llvm::is_contained(bank, word))
        bank.push_back(word);
      most = std::max(most, bank.size());
    }
  }
  return unsigned(most);
}

void mettle::emulator::countOp(Profile &profile, Execution &x, const Op &op, LaneMask mask) {
  Profile::Instructions &row = profile.instructions[unsigned(op.opClass)];
  unsigned lanes = unsigned(__builtin_popcount(mask));
  ++row.warps;
  row.threads += lanes;
  profile.divergent += mask != x.live;
  ptx::Opcode opcode = x.code->module->instructions[op.instruction].opcode;
  bool isLoad = opcode == ptx::Opcode::Ld, isStore = opcode == ptx::Opcode::St;
  if ((!isLoad && !isStore) || !op.bytes || !op.count ||
      (op.opClass != OpClass::Load && op.opClass != OpClass::Store))
    return;
  uint64_t bytes = uint64_t(lanes) * op.bytes * op.count;
  Profile::Bytes &space = profile.bytes[unsigned(op.space)];
  (isLoad ? space.read : space.written) += bytes;
  if (op.space != Space::Shared)
    return;
  unsigned width = op.bytes * op.count;
  unsigned together = width >= 16 ? 8 : width == 8 ? 16 : 32;
  for (unsigned first = 0; first < NumLanes; first += together)
    if (unsigned taken = passes(x, op, mask, first, together)) {
      profile.sharedPasses += taken;
      ++profile.sharedPassesNeeded;
    }
}

void mettle::emulator::printProfile(llvm::raw_ostream &os, const Profile &profile) {
  Profile::Instructions total;
  os << llvm::format("%-12s %16s %16s\n", "class", "warp instr.", "thread instr.");
  for (size_t i = 0; i < profile.instructions.size(); ++i) {
    const Profile::Instructions &row = profile.instructions[i];
    total.warps += row.warps;
    total.threads += row.threads;
    if (row.warps)
      os << llvm::format("%-12s %16llu %16llu\n", classNames[i].data(),
                         (unsigned long long)row.warps, (unsigned long long)row.threads);
  }
  os << llvm::format("%-12s %16llu %16llu\n", "total", (unsigned long long)total.warps,
                     (unsigned long long)total.threads);
  os << llvm::format("%-12s %16llu\n", "divergent", (unsigned long long)profile.divergent);
  os << llvm::format("%-12s %16s %16s\n", "space", "bytes read", "bytes written");
  for (size_t i = 0; i < profile.bytes.size(); ++i)
    if (profile.bytes[i].read || profile.bytes[i].written)
      os << llvm::format("%-12s %16llu %16llu\n", spaceNames[i].data(),
                         (unsigned long long)profile.bytes[i].read,
                         (unsigned long long)profile.bytes[i].written);
  if (profile.sharedPasses)
    os << "shared memory took " << profile.sharedPasses << " passes over its banks, "
       << profile.sharedPassesNeeded << " without conflicts\n";
}

void mettle::emulator::printProfileJSON(llvm::raw_ostream &os, const Profile &profile) {
  llvm::json::OStream json(os);
  json.object([&] {
    json.attributeObject("instructions", [&] {
      for (size_t i = 0; i < profile.instructions.size(); ++i)
        if (profile.instructions[i].warps)
          json.attributeObject(classNames[i], [&] {
            json.attribute("warps", int64_t(profile.instructions[i].warps));
            json.attribute("threads", int64_t(profile.instructions[i].threads));
          });
    });
    json.attribute("divergent", int64_t(profile.divergent));
    json.attributeObject("bytes", [&] {
      for (size_t i = 0; i < profile.bytes.size(); ++i)
        if (profile.bytes[i].read || profile.bytes[i].written)
          json.attributeObject(spaceNames[i], [&] {
            json.attribute("read", int64_t(profile.bytes[i].read));
            json.attribute("written", int64_t(profile.bytes[i].written));
          });
    });
    json.attributeObject("shared_passes", [&] {
      json.attribute("taken", int64_t(profile.sharedPasses));
      json.attribute("needed", int64_t(profile.sharedPassesNeeded));
    });
  });
  os << '\n';
}
