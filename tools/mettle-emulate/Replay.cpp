//===- Replay.cpp - Launches whose results are known ----------------------===//
//
// mettle-emulate replay: runs an execution set, one line a kernel. Launches are small, so each runs
// on one thread and the set is spread over the cores.
//
//===----------------------------------------------------------------------===//

#include "Commands.h"
#include "Mettle/Emulator/ExecutionSet.h"
#include "Mettle/Support/Progress.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/SHA256.h"
#include "llvm/Support/raw_ostream.h"

using namespace mettle;
using namespace mettle::emulate;
using namespace mettle::emulator;

static int replaySet();
Command mettle::emulate::replayCommand{
    {"replay", "run launches whose results are known, and compare"}, replaySet};

static llvm::cl::SubCommand &sub = replayCommand.name;
static llvm::cl::opt<std::string> set(llvm::cl::Positional, llvm::cl::Required,
                                      llvm::cl::desc("SET.jsonl[.xz]"), llvm::cl::sub(sub));
static llvm::cl::opt<std::string> ptxFolder("ptx", llvm::cl::Required, llvm::cl::value_desc("DIR"),
                                            llvm::cl::desc("where the PTX files are"),
                                            llvm::cl::sub(sub));
static llvm::cl::list<std::string> kernels("kernel", llvm::cl::CommaSeparated,
                                           llvm::cl::value_desc("NAME"),
                                           llvm::cl::desc("only kernels with these names"),
                                           llvm::cl::sub(sub));
static llvm::cl::list<unsigned> draws("draw", llvm::cl::CommaSeparated, llvm::cl::value_desc("N"),
                                      llvm::cl::desc("only these draws"), llvm::cl::sub(sub));
static llvm::cl::list<unsigned> indices("index", llvm::cl::CommaSeparated,
                                        llvm::cl::value_desc("N"),
                                        llvm::cl::desc("only these configurations"),
                                        llvm::cl::sub(sub));
static llvm::cl::opt<unsigned> sample("sample", llvm::cl::value_desc("N"),
                                      llvm::cl::desc("only about N runs, spread over the set"),
                                      llvm::cl::sub(sub));
static llvm::cl::opt<unsigned> jobs("j", llvm::cl::Prefix, llvm::cl::value_desc("N"),
                                    llvm::cl::desc("worker threads (default: all cores)"),
                                    llvm::cl::sub(sub));
static llvm::cl::opt<bool> checks("check", llvm::cl::desc("look for faults that hardware ignores"),
                                  llvm::cl::sub(sub));
static llvm::cl::opt<uint64_t>
    stepLimit("step-limit", llvm::cl::value_desc("N"), llvm::cl::init(0),
              llvm::cl::desc("instructions a warp may execute in a run; 0: no limit"),
              llvm::cl::sub(sub));
static llvm::cl::opt<bool> all("show-all",
                               llvm::cl::desc("show every mismatch, not the first of each kernel"),
                               llvm::cl::sub(sub));

namespace {
/// The runs of one kernel name.
struct Tally {
  uint64_t matched = 0, total = 0;
  std::vector<std::string> messages;
};

/// One record's draws, and what became of them.
struct Task {
  SetRecord record;
  std::vector<unsigned> draws;
  uint64_t matched = 0, laneInstructions = 0;
  std::vector<std::string> messages;
};
} // namespace

/// Runs a task's draws on this thread.
static void runTask(Task &task) {
  const SetRecord &record = task.record;
  std::string name = record.kernel + "/" + llvm::utostr(record.index);
  llvm::SmallString<128> path(ptxFolder);
  llvm::sys::path::append(path, record.ptx);
  auto complain = [&](const llvm::Twine &message) {
    task.messages.push_back((name + ": " + message).str());
  };
  auto file = llvm::MemoryBuffer::getFile(path);
  if (!file)
    return complain("cannot read " + path + ": " + file.getError().message());
  llvm::StringRef text = (*file)->getBuffer();
  llvm::SHA256 hash;
  hash.update(text);
  if (llvm::toHex(hash.final(), true) != record.ptxSHA256)
    return complain(path + ": expected the text with sha256 " + record.ptxSHA256);
  std::vector<assembly::ptx::Diagnostic> errors;
  std::unique_ptr<Program> program = Program::read(text, errors);
  std::unique_ptr<Kernel> kernel = program ? program->kernel(record.entry, errors) : nullptr;
  if (!kernel) {
    std::string shown;
    llvm::raw_string_ostream stream(shown);
    assembly::ptx::printDiagnostic(stream, path, text, errors.front());
    return complain(llvm::StringRef(shown).split('\n').first);
  }
  RunOptions options;
  options.workers = 1;
  options.checks = checks;
  options.stepLimit = stepLimit;
  for (unsigned draw : task.draws) {
    ReplayResult result = replay(record, *kernel, draw, options);
    task.matched += result.matched;
    task.laneInstructions += result.counts.laneInstructions;
    if (result.matched)
      continue;
    if (result.fault) {
      std::string message;
      llvm::raw_string_ostream stream(message);
      printFault(stream, path, text, *result.fault);
      result.messages = {llvm::StringRef(message).split('\n').first.str()};
    }
    for (const std::string &message : result.messages)
      complain("draw " + llvm::Twine(draw) + ": " + message);
  }
}

static int replaySet() {
  // A sample takes every n-th run, in the order of the set.
  constexpr unsigned drawCount = 6;
  uint64_t seen = 0, stride = sample ? std::max<uint64_t>(1, 9672 / sample) : 1;
  std::vector<std::unique_ptr<Task>> tasks;
  uint64_t lineNumber = 0, runs = 0;
  llvm::Error error = forEachLine(set, [&](llvm::StringRef line) -> llvm::Error {
    ++lineNumber;
    // The name stands first: what is not asked for need not be parsed.
    if (!kernels.empty()) {
      llvm::StringRef name = line.split("\"kernel\": \"").second.split('"').first;
      if (!name.empty() && !llvm::is_contained(kernels, name))
        return llvm::Error::success();
    }
    std::vector<unsigned> wanted;
    for (unsigned draw = 0; draw < drawCount; ++draw)
      if ((draws.empty() || llvm::is_contained(draws, draw)) && seen++ % stride == 0)
        wanted.push_back(draw);
    if (wanted.empty())
      return llvm::Error::success();
    llvm::Expected<SetRecord> record = parseSetRecord(line);
    if (!record)
      return llvm::createStringError(set + ":" + llvm::Twine(lineNumber) + ": " +
                                     llvm::toString(record.takeError()));
    if (!indices.empty() && !llvm::is_contained(indices, record->index))
      return llvm::Error::success();
    llvm::erase_if(wanted, [&](unsigned draw) { return draw >= record->results.size(); });
    if (wanted.empty())
      return llvm::Error::success();
    runs += wanted.size();
    tasks.push_back(std::make_unique<Task>(Task{std::move(*record), std::move(wanted), 0, 0, {}}));
    return llvm::Error::success();
  });
  if (error)
    return fail(std::move(error));
  if (tasks.empty())
    return fail(llvm::createStringError("expected a run that --kernel, --index and --draw leave"));

  {
    Progress progress("replaying", runs);
    std::atomic<size_t> next{0};
    auto work = [&] {
      for (size_t i; (i = next++) < tasks.size();) {
        runTask(*tasks[i]);
        progress.advance(tasks[i]->draws.size());
      }
    };
    std::vector<std::thread> threads;
    unsigned workers = jobs ? jobs : std::max(1u, std::thread::hardware_concurrency());
    for (unsigned i = 1; i < workers; ++i)
      threads.emplace_back(work);
    work();
    for (std::thread &thread : threads)
      thread.join();
  }

  llvm::MapVector<llvm::StringRef, Tally> tallies;
  Tally total;
  uint64_t laneInstructions = 0;
  for (const std::unique_ptr<Task> &task : tasks) {
    Tally &tally = tallies[task->record.kernel];
    tally.matched += task->matched;
    tally.total += task->draws.size();
    llvm::append_range(tally.messages, task->messages);
    laneInstructions += task->laneInstructions;
  }
  for (auto &[name, tally] : tallies) {
    llvm::outs() << name << ": " << tally.matched << "/" << tally.total << " runs equal\n";
    for (size_t i = 0; i < tally.messages.size() && (all || i == 0); ++i)
      llvm::outs() << "  " << tally.messages[i] << '\n';
    total.matched += tally.matched;
    total.total += tally.total;
  }
  llvm::outs() << "total: " << total.matched << "/" << total.total << " runs equal, "
               << laneInstructions << " thread instructions\n";
  return total.matched == total.total ? 0 : 1;
}
