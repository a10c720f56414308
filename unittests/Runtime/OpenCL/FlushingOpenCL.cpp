//===- FlushingOpenCL.cpp - an OpenCL that flushes subnormals -------------===//
//
// Stands before a real OpenCL library, whose path METTLE_REAL_OPENCL holds, and builds every
// program with -cl-denorms-are-zero: a device whose flags promise what its arithmetic does not
// keep.
//
//===----------------------------------------------------------------------===//

#include <cstdint>
#include <cstdlib>
#include <dlfcn.h>
#include <string>
#include <string_view>

static void *real(const char *symbol) {
  static void *library = dlopen(std::getenv("METTLE_REAL_OPENCL"), RTLD_NOW);
  return dlsym(library, symbol);
}

using BuildProgram = int32_t(void *, uint32_t, void *const *, const char *,
                             void (*)(void *, void *), void *);

static int32_t buildFlushing(void *program, uint32_t count, void *const *devices,
                             const char *options, void (*callback)(void *, void *), void *data) {
  auto *build = reinterpret_cast<BuildProgram *>(real("clBuildProgram"));
  std::string flushing = std::string(options) + " -cl-denorms-are-zero";
  return build(program, count, devices, flushing.c_str(), callback, data);
}

static void *find(std::string_view symbol) {
  return symbol == "clBuildProgram" ? reinterpret_cast<void *>(buildFlushing) : real(symbol.data());
}

// What a symbol stands for is found when it is looked up.
#define METTLE_OPENCL_FUNCTION(SYMBOL, ...)                                                        \
  extern "C" void *find_##SYMBOL() { return find(#SYMBOL); }                                       \
  extern "C" void SYMBOL() __attribute__((ifunc("find_" #SYMBOL)));
#include "Functions.def"
