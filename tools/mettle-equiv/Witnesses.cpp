//===- Witnesses.cpp - Inputs on which classes really part ----------------===//
//
// For every kernel of an index and every two of its classes: an input on which the first
// configuration of each returns another word. A class is one function, so a word for two of them is
// one for all. Kernels are worked on side by side; lines come out in their order.
//
//===----------------------------------------------------------------------===//

#include "Commands.h"
#include "Mettle/Checker/Equiv/Difference.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"
#include <atomic>
#include <list>
#include <numeric>
#include <thread>

using namespace mettle;
using namespace mettle::checker;
using namespace mettle::equiv;

namespace {
/// A class by its first configuration, and all of them.
struct Class {
  std::string key;
  std::vector<size_t> entries;
};
} // namespace

/// The classes of each kernel, kernels and classes in the order of the index.
static std::vector<std::vector<Class>> classesOf(llvm::ArrayRef<IndexEntry> entries,
                                                 llvm::ArrayRef<Classified> results) {
  std::vector<std::vector<Class>> kernels;
  llvm::StringMap<size_t> numbers;
  for (size_t i = 0; i < entries.size(); ++i) {
    if (results[i].key.empty())
      continue;
    size_t number = numbers.try_emplace(entries[i].kernel, kernels.size()).first->second;
    if (number == kernels.size())
      kernels.emplace_back();
    std::vector<Class> &classes = kernels[number];
    auto found = llvm::find_if(classes, [&](const Class &c) { return c.key == results[i].key; });
    if (found == classes.end())
      found = classes.insert(classes.end(), {results[i].key, {}});
    found->entries.push_back(i);
  }
  return kernels;
}

static std::string word(uint64_t value, unsigned bytes) {
  std::string text;
  llvm::raw_string_ostream(text) << llvm::format_hex_no_prefix(value, 2 * bytes);
  return text;
}

static llvm::json::Object lineOf(llvm::ArrayRef<IndexEntry> entries, const Class &a, const Class &b,
                                 const Difference &difference) {
  auto members = [&](const Class &c) {
    llvm::json::Array list;
    for (size_t entry : c.entries)
      list.push_back(entries[entry].index);
    return list;
  };
  llvm::json::Object line{{"kernel", entries[a.entries[0]].kernel},
                          {"a", entries[a.entries[0]].index},
                          {"b", entries[b.entries[0]].index},
                          {"classes", llvm::json::Array{a.key, b.key}},
                          {"members", llvm::json::Array{members(a), members(b)}},
                          {"sentence", difference.sentence}};
  if (!difference.witness) {
    line["no_witness"] = difference.refused.empty() ? "no input tried tells the trees apart"
                                                    : difference.refused + " has no evaluation";
    return line;
  }
  const Witness &witness = *difference.witness;
  line["output"] = llvm::json::Object{
      {"parameter", witness.parameter}, {"offset", witness.offset}, {"bytes", witness.bytes}};
  llvm::json::Array words;
  for (bool second : {false, true})
    words.push_back(witness.writtenBy == (second ? Witness::A : Witness::B)
                        ? "unwritten"
                        : word(second ? witness.b : witness.a, witness.bytes));
  line["words"] = std::move(words);
  line["reads"] = int64_t(witness.inputs.size());
  return line;
}

/// The lines of one kernel.
static std::string linesOf(llvm::ArrayRef<IndexEntry> entries, llvm::ArrayRef<Class> classes) {
  std::string text;
  llvm::raw_string_ostream os(text);
  std::list<Source> sources;
  std::list<Analysis> analyses;
  std::vector<Analysis *> of;
  for (const Class &each : classes) {
    Analysis &analysis = analyses.emplace_back();
    llvm::Error problem = analyseEntry(entries[each.entries[0]], sources.emplace_back(), analysis);
    // What was classified a moment ago may have been taken away since.
    bool isGone = bool(problem) || analysis.signature.unknown;
    llvm::consumeError(std::move(problem));
    of.push_back(isGone ? nullptr : &analysis);
  }
  for (size_t b = 0; b < classes.size(); ++b)
    for (size_t a = 0; a < b; ++a)
      if (of[a] && of[b])
        os << llvm::json::Value(
                  lineOf(entries, classes[a], classes[b], findDifference(*of[a], *of[b])))
           << '\n';
  return text;
}

void equiv::writeWitnesses(llvm::ArrayRef<IndexEntry> entries, llvm::ArrayRef<Classified> results,
                           unsigned jobs, llvm::raw_ostream &os) {
  std::vector<std::vector<Class>> kernels = classesOf(entries, results);
  std::vector<std::string> lines(kernels.size());
  // The longest first, so that none is left alone at the end.
  std::vector<size_t> order(kernels.size());
  std::iota(order.begin(), order.end(), 0);
  llvm::sort(order, [&](size_t a, size_t b) {
    return std::make_pair(kernels[b].size(), a) < std::make_pair(kernels[a].size(), b);
  });
  std::atomic<size_t> next = 0;
  std::vector<std::thread> threads;
  for (unsigned i = 0; i < jobs; ++i)
    threads.emplace_back([&] {
      for (size_t i; (i = next++) < order.size();)
        lines[order[i]] = linesOf(entries, kernels[order[i]]);
    });
  for (std::thread &thread : threads)
    thread.join();
  for (const std::string &each : lines)
    os << each;
}
