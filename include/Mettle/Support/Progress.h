//===- Progress.h - A sign of life for anything over a second ---*- C++ -*-===//
//
// A long run says on stderr what it is doing. Work shorter than a second prints
// nothing, so tools can put one of these around every step. A thread does the
// printing: a blocking call (a kernel on a GPU) shows progress too, and counting
// costs the working thread one relaxed atomic addition.
//
//===----------------------------------------------------------------------===//

#ifndef METTLE_SUPPORT_PROGRESS_H
#define METTLE_SUPPORT_PROGRESS_H

#include "llvm/ADT/StringRef.h"

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <string>
#include <thread>

namespace llvm {
class raw_ostream;
} // namespace llvm

namespace mettle {

/// Where and how often progress is shown.
struct ProgressOptions {
  /// Defaults to stderr.
  llvm::raw_ostream *stream = nullptr;
  /// Redraw one line in place; otherwise one dot a period. Defaults to whether
  /// stderr is a terminal.
  bool terminal;
  std::chrono::milliseconds delay{1000};
  /// Time between redraws.
  std::chrono::milliseconds period;

  ProgressOptions();
};

/// The line shown on a terminal, e.g. `running vadd: 45 % (450 of 1000), 3 s`;
/// a `total` of 0 means that the amount of work is not known.
std::string progressLine(llvm::StringRef label, uint64_t done, uint64_t total,
                         std::chrono::milliseconds elapsed);

/// Shows progress from construction to destruction.
class Progress {
public:
  explicit Progress(llvm::StringRef label, uint64_t total = 0,
                    ProgressOptions options = ProgressOptions());
  ~Progress();
  Progress(const Progress &) = delete;
  Progress &operator=(const Progress &) = delete;

  /// Notes that `count` more units of `total` are done; from any thread.
  void advance(uint64_t count = 1) { done.fetch_add(count, std::memory_order_relaxed); }

private:
  void show();

  const std::string label;
  const uint64_t total;
  const ProgressOptions options;
  const std::chrono::steady_clock::time_point start;
  std::atomic<uint64_t> done{0};
  std::mutex mutex;
  std::condition_variable wake;
  bool finished = false;
  std::thread thread;
};

} // namespace mettle

#endif // METTLE_SUPPORT_PROGRESS_H
