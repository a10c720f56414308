//===- Pieces.h - Outputs as they are stored --------------------*- C++ -*-===//
//
// One piece a store instruction (and a decided bit): an address over the bits of the thread, the
// block and the loops that store, the conditions, and the tree.
//
//===----------------------------------------------------------------------===//

#ifndef METTLE_LIB_CHECKER_EQUIV_PIECES_H
#define METTLE_LIB_CHECKER_EQUIV_PIECES_H

#include "Mettle/Checker/Equiv/Signature.h"
#include "Mettle/Checker/Tree/Evaluate.h"

namespace mettle::checker {

struct Piece {
  uint32_t parameter = 0;
  uint8_t bytes = 0;
  FormId address = 0;
  std::vector<FormId> negative; ///< forms below zero wherever it is stored
  Tree tree;
  InstructionId instruction = ~0u;
};

/// All pieces of a program; a reason where they cannot be told.
std::optional<Reason> collectPieces(Analysis &analysis, std::vector<Piece> &pieces);

/// Writes block indices that were taken apart by division as independent variables; forms of the
/// pieces are rewritten. Returns a reason where that is not possible.
std::optional<Reason> separateBlocks(Analysis &analysis, std::vector<Piece> &pieces);

/// Brings the pieces of one parameter together as a function of the offset.
std::optional<Reason> mergePieces(Analysis &analysis, std::vector<Piece> &pieces, Output &output);

/// Calls visit(FormId) for every form in a template.
void forEachForm(const Templates &trees, TemplateId id, llvm::DenseMap<TemplateId, bool> &seen,
                 llvm::function_ref<void(FormId)> visit);

/// The template with every form replaced; memo holds what was done.
TemplateId rewrite(Templates &trees, TemplateId id, llvm::DenseMap<TemplateId, TemplateId> &memo,
                   llvm::function_ref<FormId(FormId)> change);

/// The structural hash of a template whose forms mention digits only.
Hash128 hashOf(Templates &trees, TemplateId id, llvm::DenseMap<TemplateId, Hash128> &memo);

} // namespace mettle::checker

#endif // METTLE_LIB_CHECKER_EQUIV_PIECES_H
