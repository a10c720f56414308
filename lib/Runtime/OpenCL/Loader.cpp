//===- Loader.cpp - OpenCL, if there is one -------------------------------===//
//
// Loading OpenCL's functions, its errors in words, and device queries.
//
//===----------------------------------------------------------------------===//

#include "Mettle/Runtime/OpenCL/Loader.h"

#include "LoaderTable.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

#include <dlfcn.h>

using namespace llvm;

namespace mettle::runtime::opencl {

namespace {
struct ErrorName {
  cl_int code;
  StringLiteral name;
};
} // namespace

/// From CL/cl.h and CL/cl_icd.h of the OpenCL headers.
static constexpr ErrorName errorNames[] = {
    {-1, "CL_DEVICE_NOT_FOUND"},
    {-2, "CL_DEVICE_NOT_AVAILABLE"},
    {-3, "CL_COMPILER_NOT_AVAILABLE"},
    {-4, "CL_MEM_OBJECT_ALLOCATION_FAILURE"},
    {-5, "CL_OUT_OF_RESOURCES"},
    {-6, "CL_OUT_OF_HOST_MEMORY"},
    {-11, "CL_BUILD_PROGRAM_FAILURE"},
    {-30, "CL_INVALID_VALUE"},
    {-32, "CL_INVALID_PLATFORM"},
    {-33, "CL_INVALID_DEVICE"},
    {-34, "CL_INVALID_CONTEXT"},
    {-36, "CL_INVALID_COMMAND_QUEUE"},
    {-38, "CL_INVALID_MEM_OBJECT"},
    {-42, "CL_INVALID_BINARY"},
    {-43, "CL_INVALID_BUILD_OPTIONS"},
    {-44, "CL_INVALID_PROGRAM"},
    {-45, "CL_INVALID_PROGRAM_EXECUTABLE"},
    {-46, "CL_INVALID_KERNEL_NAME"},
    {-48, "CL_INVALID_KERNEL"},
    {-49, "CL_INVALID_ARG_INDEX"},
    {-50, "CL_INVALID_ARG_VALUE"},
    {-51, "CL_INVALID_ARG_SIZE"},
    {-52, "CL_INVALID_KERNEL_ARGS"},
    {-53, "CL_INVALID_WORK_DIMENSION"},
    {-54, "CL_INVALID_WORK_GROUP_SIZE"},
    {-55, "CL_INVALID_WORK_ITEM_SIZE"},
    {-59, "CL_INVALID_OPERATION"},
    {-61, "CL_INVALID_BUFFER_SIZE"},
    {-63, "CL_INVALID_GLOBAL_WORK_SIZE"},
    {-1001, "CL_PLATFORM_NOT_FOUND_KHR"},
};

Error LoaderTable::check(cl_int result, StringRef function) const {
  if (result == success)
    return Error::success();
  const ErrorName *row = find_if(errorNames, [&](const ErrorName &e) { return e.code == result; });
  if (row == std::end(errorNames))
    return createStringError("OpenCL: " + function + " failed with code " + Twine(result));
  return createStringError("OpenCL: " + function + " failed: " + row->name);
}

bool DeviceInfo::hasExtension(StringRef extension) const {
  return is_contained(extensions, extension);
}

Loader::Loader(std::unique_ptr<LoaderTable> functions) : functions(std::move(functions)) {}

Loader::~Loader() = default;

Expected<std::shared_ptr<const Loader>> Loader::load(StringRef library) {
  // Never closed: a platform keeps threads and exit handlers of its own.
  void *handle = dlopen(library.str().c_str(), RTLD_NOW | RTLD_LOCAL);
  if (!handle)
    return createStringError("no OpenCL loader found (" + library + ")");

  auto table = std::make_unique<LoaderTable>();
  const char *missing = nullptr;
  auto resolve = [&](auto &function, const char *symbol) {
    function = reinterpret_cast<std::decay_t<decltype(function)>>(dlsym(handle, symbol));
    if (!function && !missing)
      missing = symbol;
  };
#define METTLE_OPENCL_FUNCTION(symbol, ...) resolve(table->symbol, #symbol);
#include "Functions.def"
  if (missing)
    return createStringError("expected " + Twine(missing) + " in the OpenCL loader, found none (" +
                             library + ")");
  return std::shared_ptr<const Loader>(new Loader(std::move(table)));
}

//===----------------------------------------------------------------------===//
// Devices
//===----------------------------------------------------------------------===//

template <typename T>
static Error query(const LoaderTable &table, cl_device_id device, DeviceQuery what, T &value) {
  return METTLE_OPENCL_CALL(table, clGetDeviceInfo, device, what, sizeof(T), &value, nullptr);
}

static Error query(const LoaderTable &table, cl_device_id device, DeviceQuery what,
                   std::string &text) {
  size_t size = 0;
  if (Error error = METTLE_OPENCL_CALL(table, clGetDeviceInfo, device, what, 0, nullptr, &size))
    return error;
  text.resize(size);
  if (Error error =
          METTLE_OPENCL_CALL(table, clGetDeviceInfo, device, what, size, text.data(), nullptr))
    return error;
  // The size counts the terminating zero.
  text.resize(StringRef(text).rtrim('\0').size());
  return Error::success();
}

static std::vector<std::string> words(StringRef text) {
  SmallVector<StringRef> parts;
  SplitString(text, parts);
  return {parts.begin(), parts.end()};
}

/// With cl_intel_required_subgroup_size: what a kernel may ask for.
static Error querySubgroupSizes(const LoaderTable &table, cl_device_id device,
                                std::vector<uint64_t> &sizes) {
  size_t bytes = 0;
  if (Error error = METTLE_OPENCL_CALL(table, clGetDeviceInfo, device, DeviceQuery::SubgroupSizes,
                                       0, nullptr, &bytes))
    return error;
  SmallVector<size_t> found(bytes / sizeof(size_t));
  if (Error error = METTLE_OPENCL_CALL(table, clGetDeviceInfo, device, DeviceQuery::SubgroupSizes,
                                       bytes, found.data(), nullptr))
    return error;
  sizes.assign(found.begin(), found.end());
  return Error::success();
}

static Error describe(const LoaderTable &table, cl_device_id device, DeviceInfo &info) {
  info.deviceHandle = device;
  std::string extensions, languages;
  std::array<size_t, 3> sizes = {};
  size_t maxWorkgroupSize = 0;
  cl_bitfield floats = 0;
  for (auto [what, text] :
       {std::pair(DeviceQuery::Name, &info.name), std::pair(DeviceQuery::Version, &info.version),
        std::pair(DeviceQuery::Extensions, &extensions)})
    if (Error error = query(table, device, what, *text))
      return error;
  // Devices before OpenCL 2.1 do not know the question.
  if (Error error = query(table, device, DeviceQuery::ILVersion, languages)) {
    consumeError(std::move(error));
    languages.clear();
  }
  if (Error error = query(table, device, DeviceQuery::MaxWorkGroupSize, maxWorkgroupSize))
    return error;
  if (Error error = query(table, device, DeviceQuery::MaxWorkItemSizes, sizes))
    return error;
  if (Error error = query(table, device, DeviceQuery::GlobalMemorySize, info.globalMemory))
    return error;
  if (Error error = query(table, device, DeviceQuery::LocalMemorySize, info.localMemory))
    return error;
  if (Error error = query(table, device, DeviceQuery::SingleFloatConfig, floats))
    return error;
  info.extensions = words(extensions);
  if (info.hasExtension("cl_intel_required_subgroup_size"))
    if (Error error = querySubgroupSizes(table, device, info.subgroupSizes))
      return error;
  info.languages = words(languages);
  info.maxWorkgroupSize = maxWorkgroupSize;
  info.maxWorkItemSizes = {sizes[0], sizes[1], sizes[2]};
  info.offersCorrectRounding = floats & correctlyRoundedDivideSqrt;
  return Error::success();
}

Expected<std::vector<DeviceInfo>> Loader::devices() const {
  const LoaderTable &table = *functions;
  cl_uint count = 0;
  cl_int result = table.clGetPlatformIDs(0, nullptr, &count);
  if (result == platformNotFound || (result == success && count == 0))
    return createStringError("no OpenCL platform found: expected a vendor file (.icd) where the "
                             "OpenCL loader looks");
  if (Error error = table.check(result, "clGetPlatformIDs"))
    return error;
  SmallVector<cl_platform_id> platforms(count);
  if (Error error = METTLE_OPENCL_CALL(table, clGetPlatformIDs, count, platforms.data(), nullptr))
    return error;

  std::vector<DeviceInfo> all;
  for (cl_platform_id platform : platforms) {
    char name[256] = "";
    if (Error error = METTLE_OPENCL_CALL(table, clGetPlatformInfo, platform, PlatformQuery::Name,
                                         sizeof(name) - 1, name, nullptr))
      return error;
    result = table.clGetDeviceIDs(platform, deviceTypeAll, 0, nullptr, &count);
    if (result == deviceNotFound)
      continue;
    if (Error error = table.check(result, "clGetDeviceIDs"))
      return error;
    SmallVector<cl_device_id> handles(count);
    if (Error error = METTLE_OPENCL_CALL(table, clGetDeviceIDs, platform, deviceTypeAll, count,
                                         handles.data(), nullptr))
      return error;
    for (cl_device_id handle : handles) {
      DeviceInfo info;
      info.ordinal = all.size();
      info.platform = name;
      info.platformHandle = platform;
      if (Error error = describe(table, handle, info))
        return error;
      all.push_back(std::move(info));
    }
  }
  if (all.empty())
    return createStringError("no OpenCL device found on any of " + Twine(platforms.size()) +
                             " platforms");
  return all;
}

} // namespace mettle::runtime::opencl
