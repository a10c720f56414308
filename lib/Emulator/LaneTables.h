//===- LaneTables.h - Handlers of the vector families -----------*- C++ -*-===//
//
// The vector families are compiled once for each instruction set of the host; their decode
// functions name handlers by the rows of the .def files and get those for this machine.
//
//===----------------------------------------------------------------------===//

#ifndef METTLE_LIB_EMULATOR_LANETABLES_H
#define METTLE_LIB_EMULATOR_LANETABLES_H

#include "Op.h"

namespace mettle::emulator {

#define METTLE_LANE(Name, ...) Name,
enum class IntegerLane : uint16_t {
#include "IntegerLanes.def"
};
enum class FloatLane : uint16_t {
#include "FloatLanes.def"
};
enum class HalfLane : uint16_t {
#include "HalfLanes.def"
};
enum class ConvertLane : uint16_t {
#include "ConvertLanes.def"
};
enum class MemoryLane : uint16_t {
#include "MemoryLanes.def"
};
enum class WarpLane : uint16_t {
#include "WarpLanes.def"
};
#undef METTLE_LANE

/// One table a family, indexed by the rows above.
struct LaneTables {
  const Handler *integer, *floating, *half, *convert, *memory, *warp;
};

/// The tables for this machine, or for what `setHostISA` asked for.
const LaneTables &laneTables();

inline Handler handlerOf(IntegerLane lane) { return laneTables().integer[unsigned(lane)]; }
inline Handler handlerOf(FloatLane lane) { return laneTables().floating[unsigned(lane)]; }
inline Handler handlerOf(HalfLane lane) { return laneTables().half[unsigned(lane)]; }
inline Handler handlerOf(ConvertLane lane) { return laneTables().convert[unsigned(lane)]; }
inline Handler handlerOf(MemoryLane lane) { return laneTables().memory[unsigned(lane)]; }
inline Handler handlerOf(WarpLane lane) { return laneTables().warp[unsigned(lane)]; }
/// The row `offset` rows below this one.
template <typename Lane> Handler handlerOf(Lane lane, unsigned offset) {
  return handlerOf(Lane(unsigned(lane) + offset));
}

} // namespace mettle::emulator

#endif // METTLE_LIB_EMULATOR_LANETABLES_H
