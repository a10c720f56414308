//===- Partition.h - Classes of many kernels --------------------*- C++ -*-===//
//
// Reads an index of kernels with their launch facts and gives each a class key, or a reason why
// there is none.
//
//===----------------------------------------------------------------------===//

#ifndef METTLE_CHECKER_EQUIV_PARTITION_H
#define METTLE_CHECKER_EQUIV_PARTITION_H

#include "Mettle/Checker/Equiv/Signature.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/JSON.h"
#include <functional>

namespace mettle::checker {

/// One line of an index.
struct IndexEntry {
  std::string kernel, path, entryName;
  llvm::json::Value index = nullptr; ///< as the line has it, or its number
  LaunchFacts facts;
  std::vector<std::optional<double>> floats; ///< parameters that are written as fractions
};

/// Reads the lines of an index; an error names the line.
llvm::Expected<std::vector<IndexEntry>> readIndex(llvm::StringRef text, llvm::StringRef folder);

/// A PTX file, read and decoded; kept for its text.
struct Source {
  std::string path;
  std::string text;
  assembly::ptx::Module module;
};

/// Reads and decodes a file. An error is one line, with its position.
llvm::Error readSource(llvm::StringRef path, Source &source);

/// Decodes the text of a source; its path is what an error names.
llvm::Error decodeSource(Source &source);

/// The entry of that name; without a name, the only one.
llvm::Expected<const assembly::ptx::Function *> findEntry(const Source &source,
                                                          llvm::StringRef name);

/// Takes `.reqntid` into the facts and says where they contradict it; turns scalars that were given
/// as numbers into the bits of their parameter's type.
llvm::Error completeFacts(const Source &source, const assembly::ptx::Function &entry,
                          LaunchFacts &facts, llvm::ArrayRef<std::optional<double>> floats = {});

/// Reads the file of a line and analyses its entry. An error is one line: the input is unusable.
llvm::Error analyseEntry(const IndexEntry &index, Source &source, Analysis &analysis);

struct Classified {
  std::string key; ///< empty where there is no answer
  std::string unknown;
  unsigned line = 0, column = 0; ///< of the instruction that stands in the way, or 0
  bool ptxasDependent = false;
  RuleSet rules;         ///< that the key rests on
  bool unusable = false; ///< the input could not be used at all
  Effort effort;
};

Classified classify(const IndexEntry &entry);
/// The same of a source that is decoded.
Classified classify(const Source &source, llvm::StringRef entryName, LaunchFacts facts,
                    llvm::ArrayRef<std::optional<double>> floats = {});

} // namespace mettle::checker

#endif // METTLE_CHECKER_EQUIV_PARTITION_H
