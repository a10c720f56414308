//===- Fault.cpp - Names and texts of faults ------------------------------===//
//
// How a fault reads: one located line, one more for the other access of a race.
//
//===----------------------------------------------------------------------===//

#include "Mettle/Emulator/Fault.h"
#include "Mettle/Assembly/PTX/Diagnostic.h"
#include "llvm/Support/raw_ostream.h"

using namespace mettle::emulator;
using namespace mettle::assembly;

static constexpr llvm::StringLiteral names[] = {
    "out of bounds",        "misaligned",       "uninitialised register",
    "uninitialised memory", "read-only memory", "race",
    "barrier divergence",   "warp divergence",  "deadlock",
    "missing wait",         "missing fence",    "trap",
    "step limit",           "not modelled",     "misuse",
};

llvm::StringRef mettle::emulator::name(FaultKind kind) { return names[size_t(kind)]; }

static void printPlace(llvm::raw_ostream &os, llvm::StringRef file, llvm::StringRef text,
                       uint32_t offset) {
  os << file << ':';
  if (offset == ~0u)
    return;
  ptx::Position position = ptx::positionOf(text, offset);
  os << position.line << ':' << position.column << ':';
}

void mettle::emulator::printFault(llvm::raw_ostream &os, llvm::StringRef file, llvm::StringRef text,
                                  const Fault &fault) {
  auto triple = [&](const std::array<uint32_t, 3> &of) {
    os << '(' << of[0] << ", " << of[1] << ", " << of[2] << ')';
  };
  printPlace(os, file, text, fault.offset);
  os << " error: " << fault.message << " [" << name(fault.kind) << ']';
  if (fault.hasThread) {
    os << " in thread ";
    triple(fault.thread);
  }
  if (fault.hasBlock) {
    os << (fault.hasThread ? " of block " : " in block ");
    triple(fault.block);
  }
  if (!fault.source.empty())
    os << ", from " << fault.source;
  os << '\n';
  if (fault.otherOffset == ~0u)
    return;
  printPlace(os, file, text, fault.otherOffset);
  os << " note: " << fault.otherMessage << '\n';
}
