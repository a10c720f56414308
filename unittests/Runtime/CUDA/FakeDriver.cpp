//===- FakeDriver.cpp - A CUDA driver without a device --------------------===//
//
// A stand-in for libcuda.so.1: device memory is host memory, and the one kernel
// it knows, `add(ptr, i32 n)`, adds n to as many i32 as there are threads. It
// counts what is open, and fails where a test asks it to, so that every error
// path of the runtime runs on any machine.
//
//===----------------------------------------------------------------------===//

#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <set>
#include <string>

namespace {

enum { Success = 0, InvalidValue = 1, InvalidPTX = 218, NotFound = 500 };

std::string failing;
int failure = Success;
int openContexts = 0;
int openModules = 0;
std::set<void *> allocations;
int dynamicSharedLimit = -1;
char moduleHandle, functionHandle, contextHandle;

/// What `function` returns when nothing else is wrong with the call.
int result(const char *function) { return failing == function ? failure : Success; }

} // namespace

#define RETURN_IF_FAILING                                                                          \
  if (int error = result(__func__))                                                                \
  return error

extern "C" {

/// The tests' control: makes `function` return `code` until told otherwise.
void fakeFail(const char *function, int code) {
  failing = function;
  failure = code;
}
int fakeOpenObjects() { return openContexts + openModules + int(allocations.size()); }
int fakeDynamicSharedLimit() { return dynamicSharedLimit; }

int cuGetErrorName(int code, const char **name) {
  RETURN_IF_FAILING;
  switch (code) {
  case InvalidValue:
    *name = "CUDA_ERROR_INVALID_VALUE";
    return Success;
  case 2:
    *name = "CUDA_ERROR_OUT_OF_MEMORY";
    return Success;
  case InvalidPTX:
    *name = "CUDA_ERROR_INVALID_PTX";
    return Success;
  case NotFound:
    *name = "CUDA_ERROR_NOT_FOUND";
    return Success;
  }
  *name = nullptr;
  return InvalidValue;
}
int cuGetErrorString(int code, const char **text) {
  RETURN_IF_FAILING;
  switch (code) {
  case InvalidValue:
    *text = "invalid argument";
    return Success;
  case 2:
    *text = "out of memory";
    return Success;
  case InvalidPTX:
    *text = "a PTX JIT compilation failed";
    return Success;
  case NotFound:
    *text = "named symbol not found";
    return Success;
  }
  *text = nullptr;
  return InvalidValue;
}
int cuInit(unsigned) { return result(__func__); }
int cuDriverGetVersion(int *version) {
  *version = 13000;
  return result(__func__);
}
int cuDeviceGetCount(int *count) {
  *count = 2;
  return result(__func__);
}
int cuDeviceGet(int *device, int ordinal) {
  *device = ordinal + 40;
  return result(__func__);
}
int cuDeviceGetName(char *name, int size, int device) {
  strncpy(name, device == 40 ? "Fake GPU 0" : "Fake GPU 1", size_t(size));
  return result(__func__);
}
int cuDeviceGetAttribute(int *value, int attribute, int device) {
  RETURN_IF_FAILING;
  switch (attribute) {
  case 16:
    *value = 132;
    return Success;
  case 75:
    *value = device == 40 ? 12 : 9;
    return Success;
  case 76:
    *value = device == 40 ? 1 : 0;
    return Success;
  case 97:
    *value = 100 * 1024;
    return Success;
  }
  return InvalidValue;
}
int cuDeviceTotalMem_v2(size_t *bytes, int) {
  *bytes = size_t(1) << 37;
  return result(__func__);
}
int cuDevicePrimaryCtxRetain(void **context, int) {
  RETURN_IF_FAILING;
  ++openContexts;
  *context = &contextHandle;
  return Success;
}
int cuDevicePrimaryCtxRelease_v2(int) {
  --openContexts;
  return Success;
}
int cuCtxSetCurrent(void *context) {
  RETURN_IF_FAILING;
  return context == &contextHandle ? Success : InvalidValue;
}
int cuCtxSynchronize() { return result(__func__); }
int cuMemAlloc_v2(unsigned long long *pointer, size_t bytes) {
  RETURN_IF_FAILING;
  if (!bytes)
    return InvalidValue;
  void *memory = malloc(bytes);
  allocations.insert(memory);
  *pointer = reinterpret_cast<unsigned long long>(memory);
  return Success;
}
int cuMemFree_v2(unsigned long long pointer) {
  void *memory = reinterpret_cast<void *>(pointer);
  if (!allocations.erase(memory))
    return InvalidValue;
  free(memory);
  return Success;
}
int cuMemcpyHtoD_v2(unsigned long long to, const void *from, size_t bytes) {
  RETURN_IF_FAILING;
  memcpy(reinterpret_cast<void *>(to), from, bytes);
  return Success;
}
int cuMemcpyDtoH_v2(void *to, unsigned long long from, size_t bytes) {
  RETURN_IF_FAILING;
  memcpy(to, reinterpret_cast<const void *>(from), bytes);
  return Success;
}
int cuModuleLoadDataEx(void **module, const void *image, unsigned count, int *options,
                       void **values) {
  RETURN_IF_FAILING;
  if (!strstr(static_cast<const char *>(image), ".version")) {
    for (unsigned i = 0; i != count; ++i)
      if (options[i] == 5)
        strcpy(static_cast<char *>(values[i]),
               "ptxas application ptx input, line 1; fatal: missing .version\n");
    return InvalidPTX;
  }
  ++openModules;
  *module = &moduleHandle;
  return Success;
}
int cuModuleUnload(void *) {
  --openModules;
  return Success;
}
int cuModuleGetFunction(void **function, void *, const char *name) {
  RETURN_IF_FAILING;
  if (strcmp(name, "add"))
    return NotFound;
  *function = &functionHandle;
  return Success;
}
int cuFuncGetAttribute(int *value, int attribute, void *) {
  RETURN_IF_FAILING;
  *value = attribute == 0 ? 512 : 1024;
  return attribute <= 1 ? Success : InvalidValue;
}
int cuFuncSetAttribute(void *, int attribute, int value) {
  RETURN_IF_FAILING;
  dynamicSharedLimit = value;
  return attribute == 8 ? Success : InvalidValue;
}
int cuFuncGetParamInfo(void *, size_t index, size_t *offset, size_t *size) {
  RETURN_IF_FAILING;
  if (index > 1)
    return InvalidValue;
  *offset = index * 8;
  *size = index == 0 ? 8 : 4;
  return Success;
}
int cuLaunchKernel(void *, unsigned gridX, unsigned gridY, unsigned gridZ, unsigned blockX,
                   unsigned blockY, unsigned blockZ, unsigned, void *stream, void **parameters,
                   void **) {
  RETURN_IF_FAILING;
  if (stream)
    return InvalidValue;
  int32_t *data, n;
  memcpy(&data, parameters[0], sizeof(data));
  memcpy(&n, parameters[1], sizeof(n));
  unsigned threads = gridX * gridY * gridZ * blockX * blockY * blockZ;
  for (unsigned i = 0; i != threads; ++i)
    data[i] += n;
  return Success;
}

} // extern "C"
