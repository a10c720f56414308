//===- Positions.h - byte offsets and the protocol's positions ------------===//
//
// The protocol counts lines and UTF-16 code units from 0, the frontend bytes.
//
//===----------------------------------------------------------------------===//

#ifndef METTLE_TOOLS_METTLE_LSP_SERVER_POSITIONS_H
#define METTLE_TOOLS_METTLE_LSP_SERVER_POSITIONS_H

#include "Mettle/Frontend/Source.h"

#include "llvm/Support/LSP/Protocol.h"

namespace mettle::lsp {

llvm::lsp::Position positionOf(const frontend::Source &source, frontend::Offset offset);
llvm::lsp::Range rangeOf(const frontend::Source &source, frontend::Offset begin,
                         frontend::Offset end);

/// The byte a position names; one past the end of a line or of the text names that end.
frontend::Offset offsetOf(const frontend::Source &source, const llvm::lsp::Position &position);

} // namespace mettle::lsp

#endif // METTLE_TOOLS_METTLE_LSP_SERVER_POSITIONS_H
