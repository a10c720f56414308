//===- Contraction.cpp - Sums that an assembler may contract ---------------===//
//
// ptxas makes one fused instruction of an add or sub and a product behind one of its operands, if
// neither says how it rounds; the product that ends an approximate division counts as one
// (docs/approximate-functions.md). The emulator rounds both, and says where. A register's product
// is the last one of the block, or any of the function if the block has none before the sum.
//
//===----------------------------------------------------------------------===//

#include "Decoder.h"
#include "Mettle/Assembly/PTX/ControlFlow.h"
#include "llvm/ADT/DenseMap.h"

using namespace mettle::emulator;
using namespace mettle::assembly;
using ptx::Modifier;

static bool statesRounding(const ptx::Mnemonic &mnemonic) {
  return mnemonic.has(Modifier::Rn) || mnemonic.has(Modifier::Rz) || mnemonic.has(Modifier::Rm) ||
         mnemonic.has(Modifier::Rp);
}

static bool isProduct(const ptx::Instruction &instruction, const ptx::Mnemonic &mnemonic) {
  if (ptx::typeKind(mnemonic.type()) != ptx::TypeKind::Float || mnemonic.has(Modifier::Sat))
    return false;
  if (instruction.opcode == ptx::Opcode::Div)
    return mnemonic.has(Modifier::Full) || mnemonic.has(Modifier::Approx);
  return instruction.opcode == ptx::Opcode::Mul && !statesRounding(mnemonic);
}

static bool isSum(const ptx::Instruction &instruction, const ptx::Mnemonic &mnemonic) {
  return (instruction.opcode == ptx::Opcode::Add || instruction.opcode == ptx::Opcode::Sub) &&
         ptx::typeKind(mnemonic.type()) == ptx::TypeKind::Float && !statesRounding(mnemonic);
}

void Decoder::noteContractions(const ptx::Function &body) {
  using Definitions = llvm::DenseMap<uint64_t, llvm::SmallVector<uint32_t, 1>>;
  auto key = [](ptx::RegisterId reg) { return uint64_t(reg.cls()) << 32 | reg.number(); };
  Definitions all;
  for (uint32_t i = body.instructions.first; i != body.instructions.last; ++i)
    module.forEachRegister(module.instructions[i], [&](ptx::RegisterId reg, bool written, bool) {
      if (written)
        all[key(reg)].push_back(i);
    });
  ptx::ControlFlowGraph graph(module, body);
  for (const ptx::BasicBlock &block : graph.blocks())
    for (uint32_t i = block.first; i < block.last; ++i) {
      const ptx::Instruction &sum = module.instructions[i];
      const ptx::Mnemonic &mnemonic = module.mnemonicOf(sum);
      if (!isSum(sum, mnemonic))
        continue;
      auto isOfProduct = [&](uint32_t definition) {
        const ptx::Instruction &one = module.instructions[definition];
        const ptx::Mnemonic &other = module.mnemonicOf(one);
        return isProduct(one, other) && other.type() == mnemonic.type() &&
               other.has(Modifier::Ftz) == mnemonic.has(Modifier::Ftz);
      };
      auto mayContract = [&](const ptx::Operand &operand) {
        if (!operand.is(ptx::OperandKind::Register))
          return false;
        llvm::ArrayRef<uint32_t> definitions = all[key(operand.reg())];
        llvm::ArrayRef<uint32_t> before =
            definitions.take_while([&](uint32_t one) { return one < i; });
        if (!before.empty() && before.back() >= block.first)
          return isOfProduct(before.back());
        return llvm::any_of(definitions, isOfProduct);
      };
      if (llvm::any_of(module.operandsOf(sum).drop_front(), mayContract))
        code.notes.push_back(
            {uint32_t(sum.offset),
             "an assembler may contract this sum with a product; here both are rounded"});
    }
}
