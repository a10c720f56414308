//===- Classes.cpp - mettle-equiv --classes -------------------------------===//
//
// A class for every line of an index, on all cores; lines come out in the order of the index.
//
//===----------------------------------------------------------------------===//

#include "Commands.h"
#include "Mettle/Checker/Equiv/Partition.h"
#include "Mettle/Support/OutputFile.h"
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
  } else {
    line["unknown"] = result.unknown;
    if (result.line) {
      line["line"] = result.line;
      line["column"] = result.column;
    }
  }
  os << llvm::json::Value(std::move(line)) << '\n';
}

int equiv::runClasses(Arguments arguments) {
  llvm::StringRef indexPath, outputPath = "-";
  unsigned jobs = std::max(1u, std::thread::hardware_concurrency());
  for (size_t i = 0; i < arguments.size(); ++i) {
    bool more = i + 1 < arguments.size();
    if (arguments[i] == "-o" && more) {
      outputPath = arguments[++i];
    } else if (arguments[i] == "--jobs" && more) {
      if (arguments[++i].getAsInteger(10, jobs) || jobs == 0) {
        llvm::errs() << "mettle-equiv: error: expected a number of jobs, found '" << arguments[i]
                     << "'\n";
        return Unusable;
      }
    } else if (arguments[i] == "--json") {
      // The only format there is.
    } else if (indexPath.empty() && !arguments[i].starts_with("-")) {
      indexPath = arguments[i];
    } else {
      llvm::errs() << "mettle-equiv: error: unexpected argument '" << arguments[i] << "'\n";
      return Unusable;
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
  std::string report;
  llvm::raw_string_ostream os(report);
  std::vector<Classified> results(entries->size());
  std::vector<bool> done(entries->size(), false);
  std::mutex mutex;
  std::condition_variable changed;
  std::atomic<size_t> next = 0;
  auto work = [&] {
    for (size_t i; (i = next++) < entries->size();) {
      Classified result = classify((*entries)[i]);
      std::lock_guard<std::mutex> lock(mutex);
      results[i] = std::move(result);
      done[i] = true;
      changed.notify_one();
    }
  };
  std::vector<std::thread> threads;
  for (unsigned i = 0; i < jobs; ++i)
    threads.emplace_back(work);
  bool unusable = false;
  std::error_code code;
  std::optional<llvm::raw_fd_ostream> file;
  llvm::raw_ostream *out = &llvm::outs();
  if (outputPath != "-") {
    file.emplace(outputPath, code);
    if (code) {
      llvm::errs() << outputPath << ": error: cannot write: " << code.message() << '\n';
      next = entries->size();
      for (std::thread &thread : threads)
        thread.join();
      return Unusable;
    }
    out = &*file;
  }
  for (size_t i = 0; i < entries->size(); ++i) {
    std::unique_lock<std::mutex> lock(mutex);
    changed.wait(lock, [&] { return done[i]; });
    Classified result = std::move(results[i]);
    lock.unlock();
    unusable |= result.unusable;
    if (result.unusable)
      llvm::errs() << result.unknown << '\n';
    print(*out, (*entries)[i], result);
    out->flush();
  }
  for (std::thread &thread : threads)
    thread.join();
  return unusable ? Unusable : Equal;
}
