//===- DotPrinter.cpp - Control-flow graphs in DOT ------------------------===//
//
// One cluster a function, one box a block with its instructions.
//
//===----------------------------------------------------------------------===//

#include "Mettle/Assembly/PTX/ControlFlow.h"
#include "OperandPrinter.h"
#include "llvm/ADT/Twine.h"
#include "llvm/Support/raw_ostream.h"

using namespace mettle::assembly::ptx;

static void escape(llvm::raw_ostream &os, llvm::StringRef text) {
  for (char c : text) {
    if (c == '"' || c == '\\')
      os << '\\';
    os << c;
  }
}

/// The labels that stand before the block's first instruction.
static std::string title(const Module &module, const Function &function, uint32_t number,
                         const BasicBlock &block) {
  std::string text = "block " + std::to_string(number);
  for (uint32_t i = function.labels.first; i < function.labels.last; ++i) {
    const Label &label = module.labels[i];
    if (label.kind == LabelKind::Code && label.target == block.first)
      text += (llvm::Twine(" ") + module.name(label.name)).str();
  }
  return text;
}

void mettle::assembly::ptx::printControlFlow(llvm::raw_ostream &os, const Module &module) {
  for (size_t f = 0; f < module.functions.size(); ++f) {
    const Function &function = module.functions[f];
    if (!function.hasBody)
      continue;
    ControlFlowGraph graph(module, function);
    os << "digraph \"";
    escape(os, module.name(function.name));
    os << "\" {\n  node [shape=box, fontname=monospace];\n";
    for (uint32_t b = 0; b < graph.blocks().size(); ++b) {
      const BasicBlock &block = graph.blocks()[b];
      os << "  b" << b << " [label=\"";
      escape(os, title(module, function, b, block));
      os << "\\l";
      std::string text;
      llvm::raw_string_ostream line(text);
      OperandPrinter printer(line, module, function);
      for (uint32_t i = block.first; i < block.last; ++i) {
        text.clear();
        printer.print(module.instructions[i]);
        escape(os, text);
        os << "\\l";
      }
      os << "\"" << (graph.isReachable(b) ? "" : ", style=dashed") << "];\n";
      for (uint32_t successor : graph.successors(b))
        os << "  b" << b << " -> b" << successor << ";\n";
    }
    os << "}\n";
  }
}
