//===- Options.cpp - what the command line asks for -===//
//
// Declares the options of `mettle` and `mettle run` and gathers their values.
//
//===----------------------------------------------------------------------===//

#include "Options.h"

#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/raw_ostream.h"

#include <cstdlib>
#include <optional>

using namespace mettle;
using namespace mettle::driver;
namespace cl = llvm::cl;

[[noreturn]] static void fail(const llvm::Twine &message) {
  llvm::errs() << "mettle: error: " << message << '\n';
  std::exit(1);
}

Options mettle::driver::parseCommandLine(int argc, char **argv) {
  cl::OptionCategory category("Mettle options");
  cl::SubCommand run("run", "execute a kernel and show what it wrote");
  cl::SubCommand &compile = cl::SubCommand::getTopLevel();

  cl::opt<std::string> input(cl::Positional,
                             cl::desc("FILE.mettle, FILE.mlir or, to run, FILE.ptx"),
                             cl::sub(compile), cl::sub(run), cl::cat(category));
  cl::opt<bool> optimize("O", cl::desc("Optimize, keeping every bit"), cl::sub(compile),
                         cl::sub(run), cl::cat(category));
  cl::opt<bool> approximateMath(
      "approx-math",
      cl::desc("Take the device's own expf, logf, sinf, cosf and rsqrtf, whose bits differ between "
               "devices"),
      cl::sub(compile), cl::sub(run), cl::cat(category));
  cl::opt<bool> gpuChecks(
      "gpu-checks",
      cl::desc("Compile gpu_assert and gpu_print, which vanish without; kernels with either take a "
               "buffer as their last argument, which mettle run gives"),
      cl::sub(compile), cl::sub(run), cl::cat(category));
  cl::opt<std::string> explain(
      "explain",
      cl::desc("With -O, say in remarks what was optimized, and what not and why; as text, or "
               "json, one a line"),
      cl::value_desc("form"), cl::ValueOptional, cl::sub(compile), cl::sub(run), cl::cat(category));
  cl::opt<bool> dumpIR("dump-ir", cl::desc("Print the IR after every pass to the standard error"),
                       cl::sub(compile), cl::sub(run), cl::cat(category));
  cl::opt<std::string> gpuArch(
      "gpu-arch",
      cl::desc("sm_NN[a|f], compute_NN, portable (PTX 6.4, compute_75) or gb10; default: the "
               "local GPU, or gb10 (PTX 8.8, sm_121a) without one"),
      cl::value_desc("target"), cl::sub(compile), cl::sub(run), cl::cat(category));
  cl::opt<std::string> ptxVersion("ptx-version", cl::desc("PTX ISA version M.m"),
                                  cl::value_desc("M.m"), cl::sub(compile), cl::sub(run),
                                  cl::cat(category));
  cl::opt<std::string> diagnostics(
      "diagnostics", cl::desc("Form of messages about Mettle source: text, or json, one a line"),
      cl::value_desc("form"), cl::init("text"), cl::sub(compile), cl::sub(run), cl::cat(category));

  cl::opt<Action> action(
      cl::desc("What to write:"), cl::init(Action::EmitPTX),
      cl::values(clEnumValN(Action::EmitPTX, "emit-ptx", "PTX text (default)"),
                 clEnumValN(Action::EmitSPIRV, "emit-spirv", "a SPIR-V binary for OpenCL"),
                 clEnumValN(Action::EmitMLIR, "emit-mlir",
                            "the neutral MLIR that the targets start from")),
      cl::sub(compile), cl::cat(category));
  cl::opt<std::string> spirvVersion(
      "spirv-version", cl::desc("SPIR-V version: 1.4 (default), or 1.0 for OpenCL 2.0 devices"),
      cl::value_desc("M.m"), cl::init("1.4"), cl::sub(compile), cl::sub(run), cl::cat(category));
  cl::opt<std::string> output("o", cl::desc("Output file, or - for the standard output"),
                              cl::value_desc("file"), cl::init("-"), cl::sub(compile),
                              cl::cat(category));
  cl::opt<bool> debugInfo("g", cl::desc("Keep source lines in the output (.loc)"), cl::sub(compile),
                          cl::cat(category));

  cl::opt<std::string> kernel("kernel",
                              cl::desc("Kernel to run; may be left out when there is one"),
                              cl::value_desc("name"), cl::sub(run), cl::cat(category));
  cl::opt<std::string> grid("grid", cl::desc("Workgroups of the launch, 1 where left out"),
                            cl::value_desc("X[,Y[,Z]]"), cl::init("1"), cl::sub(run),
                            cl::cat(category));
  cl::opt<std::string> block("block", cl::desc("Work-items of a workgroup, 1 where left out"),
                             cl::value_desc("X[,Y[,Z]]"), cl::init("1"), cl::sub(run),
                             cl::cat(category));
  cl::opt<uint64_t> shared("shared", cl::desc("Bytes of dynamic workgroup memory"),
                           cl::value_desc("bytes"), cl::init(0), cl::sub(run), cl::cat(category));
  cl::list<std::string> arguments(
      "arg",
      cl::desc("An argument, in the kernel's order: a number, or an array as "
               "f32[1024]=iota|zeros|ones|rand:SEED|special:SEED|nan:SEED|@FILE.npy"),
      cl::value_desc("value"), cl::sub(run), cl::cat(category));
  cl::list<std::string> saves("save", cl::desc("Write an array after the run"),
                              cl::value_desc("parameter=FILE.npy"), cl::sub(run),
                              cl::cat(category));
  cl::opt<std::string> device(
      "device",
      cl::desc("Where to run: interp, the interpreter, which also reports faults (default); or "
               "emulate, the emulator of an sm_90 GPU (default for PTX files); or cuda, the first "
               "NVIDIA GPU; or opencl, the first OpenCL device"),
      cl::value_desc("name"), cl::sub(run), cl::cat(category));
  cl::opt<std::string> ptxas(
      "ptxas", cl::desc("Compile PTX for the GPU with this ptxas, in place of the driver's"),
      cl::value_desc("file"), cl::sub(run), cl::cat(category));
  cl::opt<bool> json("json", cl::desc("Print the arrays as JSON"), cl::sub(run), cl::cat(category));
  cl::opt<bool> check("check",
                      cl::desc("In the emulator, look for races, uninitialised reads and other "
                               "faults that hardware ignores"),
                      cl::sub(run), cl::cat(category));
  cl::opt<uint64_t> stepLimit(
      "step-limit",
      cl::desc("Instructions a work-item may execute in the interpreter; 0: no limit"),
      cl::value_desc("n"), cl::init(0), cl::sub(run), cl::cat(category));

  cl::opt<unsigned> subgroupSize(
      "subgroup-size",
      cl::desc("Lanes of a subgroup in the interpreter: 1, 4, 8, 16, 32 or 64; default: what the "
               "kernel fixes, or 32"),
      cl::value_desc("n"), cl::init(0), cl::sub(run), cl::cat(category));

  cl::HideUnrelatedOptions(category, compile);
  cl::HideUnrelatedOptions(category, run);
  cl::SetVersionPrinter([](llvm::raw_ostream &os) { os << "mettle " METTLE_VERSION "\n"; });
  cl::ParseCommandLineOptions(
      argc, argv,
      "Compiles GPU kernels to PTX and SPIR-V and runs them anywhere with the same bits\n");

  if (input.empty())
    fail("expected an input: mettle [options] FILE or mettle run [options] FILE");
  bool isPTX = llvm::StringRef(input).ends_with(".ptx");
  std::optional<Device> where = llvm::StringSwitch<std::optional<Device>>(device)
                                    .Case("", isPTX ? Device::Emulator : Device::Interpreter)
                                    .Case("interp", Device::Interpreter)
                                    .Case("emulate", Device::Emulator)
                                    .Case("cuda", Device::CUDA)
                                    .Case("opencl", Device::OpenCL)
                                    .Default(std::nullopt);
  if (!where)
    fail("expected --device=interp, emulate, cuda or opencl, got '" + device + "'");
  if (isPTX && run && *where != Device::Emulator && *where != Device::CUDA)
    fail("expected --device=emulate or cuda for a PTX file, got '" + device + "'");
  if (subgroupSize && *where != Device::Interpreter)
    fail(
        "expected --subgroup-size with --device=interp; elsewhere 'kernel(subgroup = N)' fixes it");
  if (isPTX && !run)
    fail("expected kernel source or MLIR to compile, got '" + input + "'; mettle run runs PTX");
  if (spirvVersion != "1.0" && spirvVersion != "1.4")
    fail("expected --spirv-version=1.0 or 1.4, got '" + spirvVersion + "'");
  if (explain != "" && explain != "text" && explain != "json")
    fail("expected --explain, --explain=text or --explain=json, got '" + explain + "'");
  if (diagnostics != "text" && diagnostics != "json")
    fail("expected --diagnostics=text or --diagnostics=json, got '" + diagnostics + "'");

  Options options;
  options.jsonDiagnostics = diagnostics == "json";
  options.action = run ? Action::Run : action;
  options.input = input;
  options.output = output;
  options.optimize = optimize;
  options.approximateMath = approximateMath;
  options.gpuChecks = gpuChecks;
  options.debugInfo = debugInfo;
  options.dumpIR = dumpIR;
  options.explain = explain.getNumOccurrences() != 0;
  options.jsonRemarks = explain == "json";
  options.gpuArch = gpuArch;
  options.ptxVersion = ptxVersion;
  options.kernel = kernel;
  options.session = {grid, block, shared, arguments, saves, json};
  options.device = *where;
  options.spirvVersion = spirvVersion == "1.0" ? SPIRVVersion::V1_0 : SPIRVVersion::V1_4;
  options.ptxas = ptxas;
  options.check = check;
  options.stepLimit = stepLimit;
  options.subgroupSize = subgroupSize;
  return options;
}
