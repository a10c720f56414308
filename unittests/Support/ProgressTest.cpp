//===- ProgressTest.cpp - What long runs print ----------------------------===//
//
// Short work prints nothing; long work prints a line or dots, and cleans up.
//
//===----------------------------------------------------------------------===//

#include "Mettle/Support/Progress.h"

#include "llvm/Support/raw_ostream.h"
#include "gtest/gtest.h"

using namespace llvm;
using namespace mettle;
using std::chrono::milliseconds;

namespace {

/// Collects text and lets a test wait for the first of it.
class WatchedStream : public raw_ostream {
public:
  WatchedStream() : raw_ostream(/*unbuffered=*/true) {}
  std::string text;

  void waitForText() {
    std::unique_lock<std::mutex> lock(mutex);
    written.wait(lock, [this] { return !text.empty(); });
  }

private:
  void write_impl(const char *data, size_t size) override {
    std::lock_guard<std::mutex> lock(mutex);
    text.append(data, size);
    written.notify_one();
  }
  uint64_t current_pos() const override { return text.size(); }

  std::mutex mutex;
  std::condition_variable written;
};

/// What progress prints over work that lasts until something is printed.
std::string shown(bool terminal) {
  WatchedStream os;
  ProgressOptions options;
  options.stream = &os;
  options.terminal = terminal;
  options.delay = milliseconds(0);
  {
    Progress progress("running vadd", 8, options);
    progress.advance(2);
    os.waitForText();
  }
  return os.text;
}

TEST(Progress, LineSaysHowMuchOfWhat) {
  EXPECT_EQ(progressLine("running vadd", 450, 1000, milliseconds(3999)),
            "running vadd: 45 % (450 of 1000), 3 s");
  EXPECT_EQ(progressLine("reading", 7, 0, milliseconds(1000)), "reading: 7 done, 1 s");
  EXPECT_EQ(progressLine("waiting", 0, 0, milliseconds(2500)), "waiting: 2 s");
  EXPECT_EQ(progressLine("x", UINT64_MAX, 1, milliseconds(0)),
            "x: 100 % (18446744073709551615 of 1), 0 s");
}

TEST(Progress, ShortWorkPrintsNothing) {
  for (bool terminal : {false, true}) {
    WatchedStream os;
    ProgressOptions options;
    options.stream = &os;
    options.terminal = terminal;
    options.delay = std::chrono::hours(1);
    Progress("running vadd", 8, options).advance(8);
    EXPECT_EQ(os.text, "");
  }
}

TEST(Progress, DotsWithoutTerminal) {
  std::string printed = shown(/*terminal=*/false);
  StringRef text = printed;
  EXPECT_TRUE(text.consume_front("running vadd ."));
  EXPECT_TRUE(text.consume_back("\n"));
  EXPECT_EQ(text.find_first_not_of('.'), StringRef::npos);
}

TEST(Progress, TerminalLineIsErasedAtTheEnd) {
  std::string text = shown(/*terminal=*/true);
  std::string line = "\rrunning vadd: 25 % (2 of 8), 0 s";
  EXPECT_EQ(text.substr(0, line.size()), line);
  std::string erased = "\r" + std::string(line.size() - 1, ' ') + "\r";
  ASSERT_GE(text.size(), erased.size());
  EXPECT_EQ(text.substr(text.size() - erased.size()), erased);
}

} // namespace
