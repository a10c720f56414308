//===- CodeArray.cpp - .npy arrays as codes of a number format ------------===//
//
// The map between our formats and numpy's types.
//
//===----------------------------------------------------------------------===//

#include "CodeArray.h"
#include "Mettle/Runtime/Npy.h"

using namespace mettle;
using numerics::Format;
using runtime::ElementType;

unsigned gemm::codeBytes(Format format) { return (numerics::info(format).bits + 7) / 8; }

ElementType gemm::elementType(Format format) {
  switch (format) {
  case Format::F16:
    return ElementType::F16;
  case Format::F32:
  case Format::TF32:
    return ElementType::F32;
  case Format::F64:
    return ElementType::F64;
  case Format::I8:
    return ElementType::I8;
  case Format::I32:
    return ElementType::I32;
  default:
    return codeBytes(format) == 2 ? ElementType::U16 : ElementType::U8;
  }
}

llvm::Expected<runtime::Buffer> gemm::readCodes(llvm::StringRef path, Format format) {
  llvm::Expected<runtime::Buffer> buffer = runtime::readNpy(path);
  if (!buffer)
    return buffer.takeError();
  const runtime::ElementRecord &element = runtime::recordOf(buffer->type());
  if (element.bytes != codeBytes(format))
    return llvm::createStringError(path + ": expected elements of " +
                                   llvm::Twine(codeBytes(format)) + " bytes for " + name(format) +
                                   ", found " + element.name);
  return buffer;
}
