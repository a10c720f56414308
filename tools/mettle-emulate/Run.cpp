//===- Run.cpp - One launch -----------------------------------------------===//
//
// mettle-emulate run: a launch given on the command line or as JSON.
//
//===----------------------------------------------------------------------===//

#include "Commands.h"
#include "Mettle/Pipelines/EmulatePTX.h"
#include "Mettle/Runtime/Session.h"
#include "Mettle/Support/Progress.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/raw_ostream.h"

using namespace mettle;
using namespace mettle::emulate;

static int runLaunch();
Command mettle::emulate::runCommand{{"run", "run an entry and show what it wrote"}, runLaunch};

namespace cl = llvm::cl;
static cl::SubCommand &sub = runCommand.name;
static cl::opt<std::string> input(cl::Positional, cl::Required, cl::desc("FILE.ptx"), cl::sub(sub));
static cl::opt<std::string> kernel("kernel", cl::value_desc("NAME"),
                                   cl::desc("the entry; may be left out when there is one"),
                                   cl::sub(sub));
static cl::opt<std::string> grid("grid", cl::value_desc("X[,Y[,Z]]"), cl::init("1"),
                                 cl::desc("blocks of the launch"), cl::sub(sub));
static cl::opt<std::string> block("block", cl::value_desc("X[,Y[,Z]]"), cl::init("1"),
                                  cl::desc("threads of a block"), cl::sub(sub));
static cl::opt<uint64_t> shared("shared", cl::value_desc("BYTES"), cl::init(0),
                                cl::desc("dynamic shared memory"), cl::sub(sub));
static cl::list<std::string>
    arguments("arg", cl::value_desc("VALUE"),
              cl::desc("a parameter, in order: a number, or an array as "
                       "f32[1024]=iota|zeros|ones|rand:SEED|special:SEED|nan:SEED|@FILE.npy, or "
                       "a tensor map as map={\"of\": \"PARAMETER\", ...}"),
              cl::sub(sub));
static cl::list<std::string> saves("save", cl::value_desc("PARAMETER=FILE.npy"),
                                   cl::desc("write an array after the run"), cl::sub(sub));
static cl::opt<std::string>
    launchFile("launch", cl::value_desc("FILE.json"),
               cl::desc("the launch as an object with the names of these options: kernel, grid, "
                        "block, shared, arg (a list), save (a list)"),
               cl::sub(sub));
static cl::opt<bool> json("json", cl::desc("show the arrays as JSON"), cl::sub(sub));
static cl::opt<bool> checks("check", cl::desc("look for faults that hardware ignores"),
                            cl::sub(sub));
static cl::opt<bool> counts("profile",
                            cl::desc("show what the run consisted of: a table, or JSON with "
                                     "--json, on the standard error"),
                            cl::sub(sub));
static cl::opt<unsigned> jobs("j", cl::Prefix, cl::value_desc("N"),
                              cl::desc("worker threads (default: all cores)"), cl::sub(sub));
static cl::opt<uint64_t> stepLimit("step-limit", cl::value_desc("N"), cl::init(0),
                                   cl::desc("instructions a warp may execute; 0: no limit"),
                                   cl::sub(sub));

/// Reads --launch over what the other options say.
static llvm::Error readLaunch(runtime::SessionOptions &options, std::string &entry) {
  auto file = llvm::MemoryBuffer::getFile(launchFile);
  if (!file)
    return llvm::createStringError("cannot read '" + launchFile +
                                   "': " + file.getError().message());
  llvm::Expected<llvm::json::Value> value = llvm::json::parse((*file)->getBuffer());
  if (!value)
    return llvm::createStringError(launchFile + ": " + llvm::toString(value.takeError()));
  llvm::json::Path::Root root("launch");
  llvm::json::ObjectMapper mapper(*value, root);
  int64_t bytes = 0;
  if (!mapper || !mapper.mapOptional("kernel", entry) ||
      !mapper.mapOptional("grid", options.grid) || !mapper.mapOptional("block", options.block) ||
      !mapper.mapOptional("shared", bytes) || !mapper.mapOptional("arg", options.arguments) ||
      !mapper.mapOptional("save", options.saves))
    return llvm::createStringError(launchFile + ": " + llvm::toString(root.getError()));
  if (bytes < 0)
    return llvm::createStringError(
        launchFile + ": expected at least 0 bytes of shared memory, found " + llvm::Twine(bytes));
  options.shared = uint64_t(bytes);
  return llvm::Error::success();
}

static int runLaunch() {
  if (counts && checks)
    return fail(llvm::createStringError("expected --profile or --check, found both"));
  runtime::SessionOptions options{grid, block, shared, arguments, saves, json};
  std::string entry = kernel;
  if (!launchFile.empty())
    if (llvm::Error error = readLaunch(options, entry))
      return fail(std::move(error));
  auto file = llvm::MemoryBuffer::getFile(input, /*IsText=*/true);
  if (!file)
    return fail(
        llvm::createStringError("cannot read '" + input + "': " + file.getError().message()));
  llvm::Expected<PTXKernel> ptx = PTXKernel::read(input, (*file)->getBuffer().str(), entry);
  if (!ptx)
    return fail(ptx.takeError());
  if (llvm::Error error = ptx->takeTensorMaps(options.arguments))
    return fail(std::move(error));
  llvm::Expected<std::vector<runtime::KernelParameter>> parameters =
      ptx->parameters(options.arguments);
  if (!parameters)
    return fail(parameters.takeError());
  llvm::Expected<runtime::Session> session =
      runtime::Session::prepare(ptx->kernel().name(), *parameters, options);
  if (!session)
    return fail(session.takeError());
  emulator::RunOptions run;
  run.workers = jobs;
  run.checks = checks;
  run.stepLimit = stepLimit;
  emulator::Profile profile;
  if (counts)
    run.profile = &profile;
  {
    Progress progress("emulating " + ptx->kernel().name().str(), session->workgroups());
    uint64_t shown = 0;
    run.progress = [&](uint64_t finished) {
      progress.advance(finished - shown);
      shown = finished;
    };
    if (llvm::Error fault =
            ptx->run(session->config(), session->parameters(), session->arguments(), run)) {
      fail(std::move(fault));
      return 1;
    }
  }
  ptx->printNotes(llvm::errs());
  if (counts)
    json ? emulator::printProfileJSON(llvm::errs(), profile)
         : emulator::printProfile(llvm::errs(), profile);
  if (llvm::Error error = session->finish(llvm::outs()))
    return fail(std::move(error));
  return 0;
}
