//===- InstEncoding.cpp - how an operation becomes an instruction ---------===//
//
// The generated table and the words of each kind of attribute that it names.
//
//===----------------------------------------------------------------------===//

#include "InstEncoding.h"

#include "mlir/Dialect/SPIRV/IR/SPIRVAttributes.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlir;
using namespace mettle::spirvx;

template <typename AttrT>
static void appendAttribute(Attribute attribute, SmallVectorImpl<uint32_t> &words) {
  if constexpr (std::is_same_v<AttrT, IntegerAttr>)
    words.push_back(static_cast<uint32_t>(cast<IntegerAttr>(attribute).getValue().getZExtValue()));
  else if constexpr (std::is_same_v<AttrT, ArrayAttr>)
    for (Attribute element : cast<ArrayAttr>(attribute))
      appendAttribute<IntegerAttr>(element, words);
  else
    words.push_back(static_cast<uint32_t>(cast<AttrT>(attribute).getValue()));
}

static constexpr ArgumentEncoding operand() { return {ArgumentEncoding::Kind::Operand}; }

static constexpr ArgumentEncoding operandList() { return {ArgumentEncoding::Kind::OperandList}; }

template <typename AttrT> static constexpr ArgumentEncoding literal(StringRef attribute) {
  return {ArgumentEncoding::Kind::Literal, attribute, appendAttribute<AttrT>};
}

template <typename AttrT> static constexpr ArgumentEncoding constant(StringRef attribute) {
  return {ArgumentEncoding::Kind::Constant, attribute, appendAttribute<AttrT>};
}

static constexpr InstEncoding encodings[] = {
#include "SPIRVEncodings.inc"
};

const InstEncoding *mettle::spirvx::lookupEncoding(StringRef operation) {
  const InstEncoding *row =
      llvm::lower_bound(encodings, operation, [](const InstEncoding &entry, StringRef name) {
        return entry.operation < name;
      });
  return row != std::end(encodings) && row->operation == operation ? row : nullptr;
}
