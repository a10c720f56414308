//===- Foreign.cpp - Telling other formats from PTX -----------------------===//
//
// A table of what other formats start with or hold near their start.
//
//===----------------------------------------------------------------------===//

#include "Foreign.h"
#include "CharacterClass.h"
#include "llvm/ADT/STLExtras.h"

using namespace mettle::assembly::ptx;

namespace {
struct Signature {
  llvm::StringLiteral bytes;
  bool atStart;
  llvm::StringLiteral format;
};
} // namespace

static constexpr Signature signatures[] = {
    {"\x7f"
     "ELF",
     true, "an ELF file, perhaps a cubin"},
    {llvm::StringLiteral::withInnerNUL("\x03\x02\x23\x07"), true, "a SPIR-V binary"},
    {llvm::StringLiteral::withInnerNUL("\x07\x23\x02\x03"), true, "a SPIR-V binary"},
    {"\x50\xed\x55\xba", true, "a CUDA fat binary"},
    {"BC\xc0\xde", true, "LLVM bitcode"},
    {"ML\xefR", true, "MLIR bytecode"},
    {"\x1f\x8b", true, "a gzip archive"},
    {"\x28\xb5\x2f\xfd", true, "a Zstandard archive"},
    {"\xfd"
     "7zXZ",
     true, "an xz archive"},
    {"PK\x03\x04", true, "a zip archive"},
    {"\xff\xfe", true, "UTF-16 text"},
    {"\xfe\xff", true, "UTF-16 text"},
    {"\xef\xbb\xbf", true, "text with a byte order mark"},
    {"; SPIR-V", false, "SPIR-V assembly"},
    {"OpCapability", false, "SPIR-V assembly"},
    {".amdgcn_target", false, "AMDGCN assembly"},
    {".amdhsa_", false, "AMDGCN assembly"},
    {"s_load_dword", false, "AMDGCN assembly"},
    {".headerflags", false, "SASS, the disassembly of a cubin"},
    {"Function : ", false, "SASS, the disassembly of a cubin"},
    {"/*0000*/", false, "SASS, the disassembly of a cubin"},
    {"target triple", false, "LLVM IR"},
    {"define ", false, "LLVM IR"},
    {"module attributes", false, "MLIR"},
    {"module {", false, "MLIR"},
    {"func.func", false, "MLIR"},
    {"__global__", false, "CUDA C++"},
    {"#include", false, "C++"},
};

llvm::StringRef mettle::assembly::ptx::foreignFormat(llvm::StringRef text) {
  llvm::StringRef start = text.take_front(4096);
  for (const Signature &signature : signatures)
    if (signature.atStart ? start.starts_with(signature.bytes) : start.contains(signature.bytes))
      return signature.format;
  auto isControl = [](char c) { return uint8_t(c) < ' ' && !isClass(c, Space); };
  return llvm::any_of(start, isControl) ? "binary data" : "";
}
