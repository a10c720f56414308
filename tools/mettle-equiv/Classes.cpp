//===- Classes.cpp - mettle-equiv --classes -------------------------------===//
//
// A class for every line of an index, on all cores; lines come out in the order of the index.
//
//===----------------------------------------------------------------------===//

#include "Commands.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"
#include <atomic>
#include <condition_variable>
#include <mutex>
#include <thread>

using namespace mettle;
using namespace mettle::checker;
using namespace mettle::equiv;

static void print(llvm::raw_ostream &os, const IndexEntry &entry, const Classified &result) {
  llvm::json::Object line{{"kernel", entry.kernel}, {"index", entry.index}};
  if (!result.key.empty()) {
    line["class"] = result.key;
    if (result.ptxasDependent)
      line["ptxas_dependent"] = true;
    line["rules"] = result.rules.names();
  } else {
    line["unknown"] = result.unknown;
    if (result.line) {
      line["line"] = result.line;
      line["column"] = result.column;
    }
  }
  os << llvm::json::Value(std::move(line)) << '\n';
}

/// What each answer took, as a JSON line: milliseconds of processor time by phase.
static void printTimings(llvm::raw_ostream &os, llvm::ArrayRef<IndexEntry> entries,
                         llvm::ArrayRef<Classified> results) {
  for (size_t i = 0; i < entries.size(); ++i) {
    const Effort &effort = results[i].effort;
    llvm::json::Object line{{"kernel", entries[i].kernel},
                            {"index", entries[i].index},
                            {"reading", 1e3 * effort.seconds[Effort::Reading]},
                            {"walking", 1e3 * effort.seconds[Effort::Walking]},
                            {"following", 1e3 * effort.seconds[Effort::Following]},
                            {"merging", 1e3 * effort.seconds[Effort::Merging]},
                            {"objects", int64_t(effort.objects)}};
    os << llvm::json::Value(std::move(line)) << '\n';
  }
}

/// Gives every line its class, on so many threads, and hands each over in the order of the index.
static std::vector<Classified>
classifyAll(llvm::ArrayRef<IndexEntry> entries, unsigned jobs,
            llvm::function_ref<void(const IndexEntry &, const Classified &)> done) {
  std::vector<Classified> results(entries.size());
  std::vector<bool> isDone(entries.size(), false);
  std::mutex mutex;
  std::condition_variable changed;
  std::atomic<size_t> next = 0;
  std::vector<std::thread> threads;
  for (unsigned i = 0; i < jobs; ++i)
    threads.emplace_back([&] {
      for (size_t i; (i = next++) < entries.size();) {
        Classified result = classify(entries[i]);
        std::lock_guard<std::mutex> lock(mutex);
        results[i] = std::move(result);
        isDone[i] = true;
        changed.notify_one();
      }
    });
  for (size_t i = 0; i < entries.size(); ++i) {
    std::unique_lock<std::mutex> lock(mutex);
    changed.wait(lock, [&] { return isDone[i]; });
    lock.unlock();
    done(entries[i], results[i]);
  }
  for (std::thread &thread : threads)
    thread.join();
  return results;
}

int equiv::runClasses(Arguments arguments, llvm::raw_ostream &os) {
  llvm::StringRef indexPath, witnessPath, timingsPath;
  unsigned jobs = std::max(1u, std::thread::hardware_concurrency());
  for (size_t i = 0; i < arguments.size(); ++i) {
    bool more = i + 1 < arguments.size();
    if (arguments[i] == "--witnesses" && more) {
      witnessPath = arguments[++i];
    } else if (arguments[i] == "--timings" && more) {
      timingsPath = arguments[++i];
    } else if (arguments[i] == "--jobs" && more) {
      if (arguments[++i].getAsInteger(10, jobs) || jobs == 0)
        return bad("expected a number of jobs, found '" + arguments[i] + "'");
    } else if (arguments[i] == "--json") {
      // The only format there is.
    } else if (indexPath.empty() && !arguments[i].starts_with("-")) {
      indexPath = arguments[i];
    } else {
      return bad("unexpected argument '" + arguments[i] + "'");
    }
  }
  auto buffer = llvm::MemoryBuffer::getFile(indexPath);
  if (!buffer) {
    llvm::errs() << indexPath << ": error: cannot read: " << buffer.getError().message() << '\n';
    return Unusable;
  }
  llvm::Expected<std::vector<IndexEntry>> entries =
      readIndex((*buffer)->getBuffer(), llvm::sys::path::parent_path(indexPath));
  if (!entries) {
    llvm::errs() << indexPath << ':' << llvm::toString(entries.takeError()) << '\n';
    return Unusable;
  }
  bool unusable = false;
  std::vector<Classified> results =
      classifyAll(*entries, jobs, [&](const IndexEntry &entry, const Classified &result) {
        unusable |= result.unusable;
        if (result.unusable)
          llvm::errs() << result.unknown << '\n';
        print(os, entry, result);
        os.flush();
      });
  if (!witnessPath.empty() && !writeFile(witnessPath, [&](llvm::raw_ostream &file) {
        writeWitnesses(*entries, results, jobs, file);
      }))
    return Unusable;
  if (!timingsPath.empty() && !writeFile(timingsPath, [&](llvm::raw_ostream &file) {
        printTimings(file, *entries, results);
      }))
    return Unusable;
  return unusable ? Unusable : Equal;
}
