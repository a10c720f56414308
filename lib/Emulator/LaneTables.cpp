//===- LaneTables.cpp - Choosing the vector code ----------------*- C++ -*-===//
//
// The best of the compiled instruction sets that this machine has, once, at the first use.
//
//===----------------------------------------------------------------------===//

#include "LaneTables.h"
#include "Mettle/Emulator/Launch.h"

#define METTLE_TABLES_OF(ISA)                                                                      \
  namespace mettle::emulator::ISA {                                                                \
  extern const Handler integerLanes[], floatLanes[], halfLanes[], convertLanes[], memoryLanes[],   \
      warpLanes[];                                                                                 \
  static const LaneTables tables = {integerLanes, floatLanes,  halfLanes,                          \
                                    convertLanes, memoryLanes, warpLanes};                         \
  }
METTLE_TABLES_OF(portable)
#ifdef METTLE_X86_LANES
METTLE_TABLES_OF(avx2)
METTLE_TABLES_OF(avx512)
#endif

using namespace mettle::emulator;

static const LaneTables *chosen = nullptr;

bool mettle::emulator::setHostISA(HostISA isa) {
#ifdef METTLE_X86_LANES
  bool hasAVX512 = __builtin_cpu_supports("x86-64-v4"),
       hasAVX2 = __builtin_cpu_supports("x86-64-v3");
  switch (isa) {
  case HostISA::Best:
    chosen = hasAVX512 ? &avx512::tables : hasAVX2 ? &avx2::tables : &portable::tables;
    return true;
  case HostISA::AVX512:
    chosen = &avx512::tables;
    return hasAVX512;
  case HostISA::AVX2:
    chosen = &avx2::tables;
    return hasAVX2;
  case HostISA::Portable:
    break;
  }
#endif
  chosen = &portable::tables;
  return isa == HostISA::Best || isa == HostISA::Portable;
}

const LaneTables &mettle::emulator::laneTables() {
  static const bool isChosen = chosen || setHostISA(HostISA::Best);
  (void)isChosen;
  return *chosen;
}
