//===- ParsedText.h - A text and what was read from it ----------*- C++ -*-===//
//
// What the tests of the reader start from: text in, module and error lines out.
//
//===----------------------------------------------------------------------===//

#ifndef METTLE_UNITTESTS_ASSEMBLY_PTX_PARSEDTEXT_H
#define METTLE_UNITTESTS_ASSEMBLY_PTX_PARSEDTEXT_H

#include "Mettle/Assembly/PTX/Parser.h"
#include "Mettle/Assembly/PTX/Printer.h"
#include "Mettle/Assembly/PTX/Token.h"
#include "llvm/ADT/Twine.h"
#include "llvm/Support/raw_ostream.h"

namespace mettle::assembly::ptx {

struct ParsedText {
  explicit ParsedText(std::string source, const ParseOptions &options = {})
      : text(std::move(source)) {
    good = parse(text, module, errors, options);
  }

  /// Each error as `line:column: message`, a line each.
  std::string complaints() const {
    std::string lines;
    for (const Diagnostic &error : errors) {
      Position position = positionOf(text, error.offset);
      lines += std::to_string(position.line) + ":" + std::to_string(position.column) + ": " +
               error.message + "\n";
    }
    return lines;
  }

  std::string printed() const {
    std::string out;
    llvm::raw_string_ostream os(out);
    printModule(os, module);
    return out;
  }

  /// Empty if the printed module has the tokens of the text, else the first two that differ.
  std::string lost() const {
    TokenDifference difference = compareTokens(text, printed());
    if (difference.equal)
      return "";
    return (llvm::Twine("'") + difference.left + "' became '" + difference.right + "'").str();
  }

  const Instruction &instruction(unsigned index) const { return module.instructions[index]; }
  const Operand &operand(unsigned instruction, unsigned index) const {
    return module.operandsOf(module.instructions[instruction])[index];
  }

  std::string text;
  Module module;
  std::vector<Diagnostic> errors;
  bool good;
};

/// A module with these statements as the body of its only entry. The first statement is on line 6.
inline std::string inEntry(const std::string &body) {
  return ".version 8.0\n.target sm_90a\n.address_size 64\n.visible .entry k(.param .u64 p)\n{\n" +
         body + "\n}\n";
}

} // namespace mettle::assembly::ptx

#endif // METTLE_UNITTESTS_ASSEMBLY_PTX_PARSEDTEXT_H
