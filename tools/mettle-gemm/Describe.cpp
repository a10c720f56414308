//===- Describe.cpp - mettle-gemm describe --------------------------------===//
//
// What a descriptor is: its text, canonical form, hash, and what it folds at one K.
//
//===----------------------------------------------------------------------===//

#include "Commands.h"
#include "Mettle/Numerics/SumTree.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"

namespace cl = llvm::cl;
using namespace mettle;
using numerics::GEMMDesc;

static int runDescribe();
gemm::Command gemm::describeCommand = {
    {"describe",
     "print a descriptor's canonical form and hash; without one, all named descriptors"},
    runDescribe};

static cl::opt<std::string> text(cl::Positional, cl::desc("<descriptor or name>"),
                                 cl::sub(gemm::describeCommand.name));
static cl::opt<std::string> arch("arch", cl::desc("also check that this architecture realises it"),
                                 cl::sub(gemm::describeCommand.name));
static cl::opt<uint64_t> atK("k", cl::init(0), cl::desc("also print its canonical form at this K"),
                             cl::sub(gemm::describeCommand.name));
static cl::opt<bool> tree("tree", cl::desc("with --k: also print in which order it adds"),
                          cl::sub(gemm::describeCommand.name));

static int runDescribe() {
  if (text.empty()) {
    for (const numerics::NamedDesc &named : numerics::namedDescs())
      llvm::outs() << named.name << "\n  " << named.text << "\n  " << named.about << '\n';
    return 0;
  }
  llvm::Expected<GEMMDesc> desc = numerics::findDesc(text);
  if (!desc)
    return gemm::fail(desc.takeError());
  llvm::outs() << "text       " << desc->text() << "\ncanonical  " << desc->canonical().text()
               << "\nhash       " << llvm::format_hex_no_prefix(desc->hash(), 16) << '\n';
  if (atK) {
    llvm::outs() << "at K " << atK << "  " << numerics::canonicalAt(*desc, atK).text() << '\n';
    if (tree)
      llvm::outs() << numerics::SumTree::build(*desc, atK).text() << '\n';
  }
  if (!arch.empty()) {
    if (llvm::Error error = numerics::checkRealisable(*desc, arch))
      return gemm::fail(std::move(error));
    llvm::outs() << "realised on " << arch << '\n';
  }
  return 0;
}
