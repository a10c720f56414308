//===- Checker.cpp - The PTX checker from C -------------------------------===//
//
// What include/Mettle-c/Checker.h declares, over Equiv/Partition.
//
//===----------------------------------------------------------------------===//

#include "Mettle-c/Checker.h"
#include "Mettle/Checker/Equiv/Partition.h"

using namespace mettle::checker;

struct MettleSignature {
  Classified classified;
};

MettleSignature *mettleSignatureCreate(const char *ptx, size_t length, const MettleLaunch *launch) {
  auto *signature = new MettleSignature;
  Source source;
  source.path = "<ptx>";
  source.text.assign(ptx, length);
  if (llvm::Error problem = decodeSource(source)) {
    signature->classified.unknown = llvm::toString(std::move(problem));
    signature->classified.unusable = true;
    return signature;
  }
  LaunchFacts facts;
  for (unsigned d = 0; d < 3; ++d) {
    facts.block[d] = launch->block[d];
    facts.grid[d] = launch->grid[d];
  }
  facts.dynamicShared = launch->dynamicShared;
  for (size_t i = 0; i < launch->scalarCount; ++i)
    facts.scalars.push_back(launch->isKnown[i] ? std::optional<uint64_t>(launch->scalars[i])
                                               : std::nullopt);
  signature->classified = classify(source, launch->entry ? launch->entry : "", facts);
  return signature;
}

void mettleSignatureDestroy(MettleSignature *signature) { delete signature; }

MettleAnswer mettleSignatureAnswer(const MettleSignature *signature) {
  const Classified &classified = signature->classified;
  return classified.unusable      ? METTLE_UNUSABLE
         : classified.key.empty() ? METTLE_UNKNOWN
                                  : METTLE_CLASSIFIED;
}

const char *mettleSignatureKey(const MettleSignature *signature) {
  return signature->classified.key.c_str();
}

const char *mettleSignatureReason(const MettleSignature *signature) {
  return signature->classified.unknown.c_str();
}

uint32_t mettleSignatureLine(const MettleSignature *signature) {
  return signature->classified.line;
}

int mettleSignatureIsPtxasDependent(const MettleSignature *signature) {
  return signature->classified.ptxasDependent;
}
