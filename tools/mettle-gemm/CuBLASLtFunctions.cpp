//===- CuBLASLtFunctions.cpp - What is used of cublasLt.h -----------------===//
//
// Finds the libraries and their functions by dlopen.
//
//===----------------------------------------------------------------------===//

#include "CuBLASLtFunctions.h"
#include <dlfcn.h>
#include <string>

using namespace mettle::gemm::lt;

namespace {

/// A shared library and the symbols taken from it; the first that is missing is remembered.
class Library {
public:
  bool open(std::initializer_list<const char *> names) {
    for (const char *name : names)
      if ((handle = dlopen(name, RTLD_NOW | RTLD_GLOBAL)))
        return true;
    return false;
  }
  template <typename Function> void load(Function &function, const char *name) {
    function = reinterpret_cast<Function>(dlsym(handle, name));
    if (!function && missing.empty())
      missing = name;
  }
  std::string missing;

private:
  void *handle = nullptr;
};

} // namespace

llvm::Error Functions::load() {
  Library runtime, lt;
  if (!runtime.open({"libcudart.so.13", "libcudart.so.12", "libcudart.so"}))
    return llvm::createStringError("cublaslt: no CUDA runtime (libcudart.so) found");
  if (!lt.open({"libcublasLt.so.13", "libcublasLt.so.12", "libcublasLt.so"}))
    return llvm::createStringError("cublaslt: no libcublasLt.so found");
#define LOAD_RUNTIME(name, ...) runtime.load(name, #name);
#define LOAD_LT(name, ...) lt.load(name, #name);
  METTLE_CUDA_RUNTIME_FUNCTIONS(LOAD_RUNTIME)
  METTLE_CUBLASLT_FUNCTIONS(LOAD_LT)
#undef LOAD_RUNTIME
#undef LOAD_LT
  lt.load(cublasLtGetVersion, "cublasLtGetVersion");
  for (const std::string &missing : {runtime.missing, lt.missing})
    if (!missing.empty())
      return llvm::createStringError("cublaslt: the library has no " + missing);
  return llvm::Error::success();
}
