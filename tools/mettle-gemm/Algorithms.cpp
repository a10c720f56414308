//===- Algorithms.cpp - mettle-gemm algorithms ----------------------------===//
//
// Which algorithm cuBLASLt's heuristic takes for each of some shapes, and with which options the
// library takes the algorithms that are asked about: what a probe can then be pointed at.
//
//===----------------------------------------------------------------------===//

#include "Commands.h"
#include "CuBLASLt.h"
#include "Mettle/Support/Progress.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/raw_ostream.h"

namespace cl = llvm::cl;
using namespace mettle;

static int runAlgorithms();
gemm::Command gemm::algorithmsCommand = {
    {"algorithms", "list the algorithms that cuBLASLt takes for shapes"}, runAlgorithms};

static cl::list<std::string> shapes(cl::Positional, cl::OneOrMore,
                                    cl::desc("TYPE,OUTPUT,M,N,K[,b-along-k][,a-along-m] ..."),
                                    cl::sub(gemm::algorithmsCommand.name));
static cl::list<int> wantedIds("id", cl::CommaSeparated,
                               cl::desc("algorithms whose options are listed"),
                               cl::sub(gemm::algorithmsCommand.name));
static cl::opt<std::string> libraries(gemm::librariesOption, gemm::librariesHelp,
                                      cl::sub(gemm::algorithmsCommand.name));

static llvm::Expected<gemm::CuBLASLtShape> parseShape(llvm::StringRef text) {
  llvm::SmallVector<llvm::StringRef, 8> fields;
  text.split(fields, ',');
  gemm::CuBLASLtShape shape{};
  bool bad = fields.size() < 5;
  if (!bad) {
    std::optional<numerics::Format> operands = numerics::parseFormat(fields[0]),
                                    output = numerics::parseFormat(fields[1]);
    bad = !operands || !output || fields[2].getAsInteger(10, shape.m) ||
          fields[3].getAsInteger(10, shape.n) || fields[4].getAsInteger(10, shape.k);
    if (!bad)
      shape.operands = *operands, shape.output = *output;
  }
  for (llvm::StringRef flag : llvm::ArrayRef(fields).drop_front(std::min<size_t>(5, fields.size())))
    if (flag == "b-along-k")
      shape.bAlongK = true;
    else if (flag == "a-along-m")
      shape.aAlongM = true;
    else
      bad = true;
  if (bad)
    return llvm::createStringError(
        "algorithms: expected TYPE,OUTPUT,M,N,K[,b-along-k][,a-along-m], found '" + text + "'");
  return shape;
}

static llvm::Expected<llvm::json::Object> describe(const gemm::CuBLASLtShape &shape) {
  auto library = gemm::CuBLASLt::open(shape, libraries);
  if (!library)
    return library.takeError();
  llvm::json::Object object{{"version", int64_t((*library)->version())}};
  if (llvm::Error error = (*library)->chooseByHeuristic())
    object["heuristic"] = llvm::toString(std::move(error));
  else
    object["heuristic"] = (*library)->chosen().text();
  llvm::Expected<std::vector<int>> ids = (*library)->ids();
  if (!ids)
    return ids.takeError();
  object["ids"] = llvm::json::Array(*ids);
  llvm::json::Array accepted;
  for (int id : wantedIds)
    for (const gemm::CuBLASLtAlgorithm &algorithm : (*library)->accepted(id))
      accepted.push_back(algorithm.text());
  object["accepted"] = std::move(accepted);
  return object;
}

static int runAlgorithms() {
  Progress progress("algorithms");
  for (const std::string &text : shapes) {
    llvm::Expected<gemm::CuBLASLtShape> shape = parseShape(text);
    if (!shape)
      return gemm::fail(shape.takeError());
    llvm::Expected<llvm::json::Object> object = describe(*shape);
    if (!object)
      return gemm::fail(object.takeError());
    (*object)["shape"] = text;
    llvm::outs() << llvm::json::Value(std::move(*object)) << '\n';
    llvm::outs().flush();
  }
  return 0;
}
