//===- Code.h - A decoded kernel --------------------------------*- C++ -*-===//
//
// The ops of an entry and of every function it may call, the layout of a warp's register file, and
// what the launch must lay out in memory.
//
//===----------------------------------------------------------------------===//

#ifndef METTLE_LIB_EMULATOR_CODE_H
#define METTLE_LIB_EMULATOR_CODE_H

#include "Conversion.h"
#include "Mettle/Assembly/PTX/Module.h"
#include "Op.h"
#include "llvm/ADT/DenseMap.h"
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace mettle::emulator {

struct MatrixPlan;

/// A slot whose words are known only at launch.
struct SpecialSlot {
  assembly::ptx::SpecialRegister special;
  uint16_t component; ///< or the number of a numbered one
  Slot slot;
  uint8_t bits;
};

/// A slot that holds a piece of the entry's parameters.
struct ParameterSlot {
  uint32_t offset;
  uint8_t bits;
  Slot slot;
};

/// Registers an op reads and writes, for the check of uninitialised ones: entries of Code::uses.
struct OpUses {
  uint32_t first = 0;
  uint16_t reads = 0, writes = 0; ///< reads come first
};

struct Code {
  const assembly::ptx::Module *module = nullptr;
  const assembly::ptx::Function *entry = nullptr;

  std::vector<Op> ops;
  std::vector<Slot> slots;
  /// Bytes of a register file, and what it starts with: literals splatted over the lanes, zeros.
  uint32_t fileBytes = 0;
  std::vector<uint8_t> constants;
  std::vector<SpecialSlot> specials;
  std::vector<ParameterSlot> parameters;
  /// Registers that some path may read before it writes them: zeroed when a block starts, so that
  /// even a faulty kernel returns the same words again.
  std::vector<Slot> unwritten;
  llvm::DenseMap<Slot, uint32_t> slotSize; ///< bytes of each register
  Slot trueSlot = 0;                       ///< of unguarded ops: a predicate that always holds

  /// The first op of each of the module's instructions (~0 if it has none here), and of functions.
  std::vector<uint32_t> firstOp;
  llvm::DenseMap<const assembly::ptx::Function *, uint32_t> functionStart;

  /// What the ops of cvt do that have no handler of their own.
  std::vector<Conversion> conversions;

  std::vector<OpUses> opUses; ///< an entry each op
  std::vector<Slot> uses;

  /// Byte offsets of variables in their space: shared (from SharedStart), local, param, constant.
  std::vector<uint64_t> variableOffset; ///< by the module's variable index; ~0 if not laid out
  uint32_t staticShared = 0;  ///< bytes of shared memory from SharedStart on that variables take
  uint32_t dynamicOffset = 0; ///< where dynamic shared memory starts
  uint32_t localBytes = 0;    ///< of a thread
  uint32_t paramBytes = 0;    ///< of the entry's parameters
  uint64_t globalVariableBytes = 0, constantBytes = 0;               ///< of the module's variables
  std::array<uint32_t, 3> requiredThreads = {}, maximumThreads = {}; ///< .reqntid, .maxntid; 0

  /// What the matrix instructions need besides registers, one a different instruction, by its key.
  std::vector<std::shared_ptr<const MatrixPlan>> matrixPlans;
  std::map<std::string, unsigned, std::less<>> matrixPlanOf;

  /// Some result may depend on the order in which threads of different blocks run: blocks run one
  /// after another, in order.
  bool isOrderSensitive = false;
  /// What a run should say once: `offset in the text, message`.
  std::vector<std::pair<uint32_t, std::string>> notes;
};

} // namespace mettle::emulator

#endif // METTLE_LIB_EMULATOR_CODE_H
