//===- Support.cpp - what a device must have for a module -----------------===//
//
// Which OpenCL extension brings which SPIR-V capability, from the OpenCL SPIR-V Environment
// Specification. Capabilities that every device has are not in the table.
//
//===----------------------------------------------------------------------===//

#include "Mettle/Runtime/OpenCL/Context.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;

namespace mettle::runtime::opencl {

namespace {
struct CapabilityRow {
  uint32_t capability;
  StringLiteral name;
  /// A device has the capability if it has this extension.
  StringLiteral extension;
};
} // namespace

static constexpr CapabilityRow rows[] = {
    {9, "Float16", "cl_khr_fp16"},
    {10, "Float64", "cl_khr_fp64"},
    {12, "Int64Atomics", "cl_khr_int64_base_atomics"},
    {12, "Int64Atomics", "cl_khr_int64_extended_atomics"},
    {18, "Groups", "cl_khr_subgroups"},
    {62, "GroupNonUniformVote", "cl_khr_subgroup_non_uniform_vote"},
    {63, "GroupNonUniformArithmetic", "cl_khr_subgroup_non_uniform_arithmetic"},
    {64, "GroupNonUniformBallot", "cl_khr_subgroup_ballot"},
    {65, "GroupNonUniformShuffle", "cl_khr_subgroup_shuffle"},
    {66, "GroupNonUniformShuffleRelative", "cl_khr_subgroup_shuffle_relative"},
    {67, "GroupNonUniformClustered", "cl_khr_subgroup_clustered_reduce"},
    {6033, "AtomicFloat32AddEXT", "cl_ext_float_atomics"},
    {6034, "AtomicFloat64AddEXT", "cl_ext_float_atomics"},
    {6400, "GroupUniformArithmeticKHR", "cl_khr_work_group_uniform_arithmetic"},
};

Error checkSupport(const DeviceInfo &device, const ModuleInfo &module) {
  std::string language = ("SPIR-V_" + Twine(module.major) + "." + Twine(module.minor)).str();
  if (!is_contained(device.languages, language)) {
    std::string taken = device.languages.empty() ? "no SPIR-V" : join(device.languages, " ");
    return createStringError("expected a device that takes " + language + ", got '" + device.name +
                             "', which takes " + taken);
  }
  for (const CapabilityRow &row : rows)
    if (is_contained(module.capabilities, row.capability) && !device.hasExtension(row.extension))
      return createStringError("expected a device with the extension " + row.extension +
                               ", which the module's capability " + row.name + " needs, got '" +
                               device.name + "', which lacks it");
  for (const KernelInfo &kernel : module.kernels) {
    if (!kernel.subgroupSize || is_contained(device.subgroupSizes, kernel.subgroupSize))
      continue;
    std::string sizes =
        device.subgroupSizes.empty()
            ? "lets no kernel choose: it lacks cl_intel_required_subgroup_size"
            : "has " +
                  join(map_range(device.subgroupSizes, [](auto n) { return utostr(n); }), ", ");
    return createStringError("kernel '" + kernel.name + "' fixes a subgroup size of " +
                             Twine(kernel.subgroupSize) + ", '" + device.name + "' " + sizes);
  }
  return Error::success();
}

} // namespace mettle::runtime::opencl
