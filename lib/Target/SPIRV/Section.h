//===- Section.h - instructions as words ----------------------------------===//
//
// A run of SPIR-V instructions. The binary is a header and eleven of them, in the order that the
// specification's "Logical Layout of a Module" gives.
//
//===----------------------------------------------------------------------===//

#ifndef METTLE_LIB_TARGET_SPIRV_SECTION_H
#define METTLE_LIB_TARGET_SPIRV_SECTION_H

#include "mlir/Dialect/SPIRV/IR/SPIRVEnums.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"

namespace mettle::spirvx {

/// Appends a literal string: UTF-8, zero-terminated, four octets a word, the first lowest.
inline void appendString(llvm::StringRef text, llvm::SmallVectorImpl<uint32_t> &words) {
  size_t first = words.size();
  words.append(text.size() / 4 + 1, 0);
  for (size_t i = 0; i < text.size(); ++i)
    words[first + i / 4] |= static_cast<uint32_t>(static_cast<uint8_t>(text[i])) << (i % 4 * 8);
}

/// Appends `operands` after the word that holds their number and the opcode.
inline void appendInstruction(uint16_t opcode, llvm::ArrayRef<uint32_t> operands,
                              llvm::SmallVectorImpl<uint32_t> &words) {
  words.push_back(static_cast<uint32_t>(operands.size() + 1) << 16 | opcode);
  words.append(operands.begin(), operands.end());
}

inline void appendInstruction(mlir::spirv::Opcode opcode, llvm::ArrayRef<uint32_t> operands,
                              llvm::SmallVectorImpl<uint32_t> &words) {
  appendInstruction(static_cast<uint16_t>(opcode), operands, words);
}

using Section = llvm::SmallVector<uint32_t, 0>;

/// The sections in the order of the binary.
struct Sections {
  Section capabilities, extensions, imports, memoryModel, entryPoints, executionModes, strings,
      names, decorations, globals, functions;
};

} // namespace mettle::spirvx

#endif // METTLE_LIB_TARGET_SPIRV_SECTION_H
