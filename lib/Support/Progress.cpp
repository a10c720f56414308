//===- Progress.cpp - A sign of life for anything over a second -----------===//
//
// The printing thread sleeps through the delay, then redraws every period until
// the work is done, and leaves the terminal line empty behind it.
//
//===----------------------------------------------------------------------===//

#include "Mettle/Support/Progress.h"

#include "llvm/Support/Process.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace mettle {

ProgressOptions::ProgressOptions()
    : stream(&errs()), terminal(sys::Process::StandardErrIsDisplayed()),
      period(terminal ? 200 : 1000) {}

std::string progressLine(StringRef label, uint64_t done, uint64_t total,
                         std::chrono::milliseconds elapsed) {
  std::string line;
  raw_string_ostream os(line);
  os << label << ": ";
  if (total) {
    uint64_t percent = uint64_t(100.0 * double(std::min(done, total)) / double(total));
    os << percent << " % (" << done << " of " << total << "), ";
  } else if (done) {
    os << done << " done, ";
  }
  os << elapsed.count() / 1000 << " s";
  return line;
}

Progress::Progress(StringRef label, uint64_t total, ProgressOptions options)
    : label(label), total(total), options(options), start(std::chrono::steady_clock::now()),
      thread([this] { show(); }) {}

Progress::~Progress() {
  {
    std::lock_guard<std::mutex> lock(mutex);
    finished = true;
  }
  wake.notify_one();
  thread.join();
}

void Progress::show() {
  std::unique_lock<std::mutex> lock(mutex);
  auto isFinished = [this] { return finished; };
  if (wake.wait_for(lock, options.delay, isFinished))
    return;
  raw_ostream &os = *options.stream;
  if (!options.terminal)
    os << label << ' ';
  size_t width = 0;
  do {
    if (options.terminal) {
      auto elapsed = std::chrono::duration_cast<std::chrono::milliseconds>(
          std::chrono::steady_clock::now() - start);
      std::string line = progressLine(label, done, total, elapsed);
      os << '\r' << line;
      if (line.size() < width)
        os.indent(unsigned(width - line.size()));
      width = std::max(width, line.size());
    } else {
      os << '.';
    }
    os.flush();
  } while (!wake.wait_for(lock, options.period, isFinished));
  if (options.terminal) {
    os << '\r';
    os.indent(unsigned(width)) << '\r';
  } else {
    os << '\n';
  }
  os.flush();
}

} // namespace mettle
