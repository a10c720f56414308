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
  /// Opens the first of the names that is in the folder or, without one, where the system looks.
  bool open(llvm::StringRef folder, std::initializer_list<const char *> names) {
    for (const char *name : names) {
      std::string path = folder.empty() ? name : (folder + "/" + name).str();
      if ((handle = dlopen(path.c_str(), RTLD_NOW | RTLD_GLOBAL)))
        return true;
    }
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

llvm::Error Functions::load(llvm::StringRef folder) {
  Library runtime, lt;
  std::string where = folder.empty() ? "" : (" in " + folder).str();
  if (!runtime.open(folder, {"libcudart.so.13", "libcudart.so.12", "libcudart.so"}))
    return llvm::createStringError("cublaslt: no CUDA runtime (libcudart.so) found" + where);
  if (!lt.open(folder, {"libcublasLt.so.13", "libcublasLt.so.12", "libcublasLt.so"}))
    return llvm::createStringError("cublaslt: no libcublasLt.so found" + where);
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
