//===- OutputFileTest.cpp - Whole files or none ---------------------------===//
//
// Every way a write can fail must leave the folder as it was.
//
//===----------------------------------------------------------------------===//

#include "Mettle/Support/OutputFile.h"

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "gtest/gtest.h"

#include <csignal>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

using namespace llvm;
using namespace mettle;

namespace {

class OutputFileTest : public testing::Test {
protected:
  void SetUp() override {
    ASSERT_FALSE(sys::fs::createUniqueDirectory("mettle-output", folder));
    // Some tests go on as another user.
    ASSERT_EQ(chmod(folder.c_str(), 0777), 0);
  }
  void TearDown() override { sys::fs::remove_directories(folder); }

  std::string inFolder(StringRef name) { return (folder + "/" + name).str(); }

  static std::string contents(StringRef path) {
    auto buffer = MemoryBuffer::getFile(path);
    return buffer ? (*buffer)->getBuffer().str() : "(no file)";
  }

  std::vector<std::string> filesInFolder() {
    std::vector<std::string> names;
    std::error_code error;
    for (sys::fs::directory_iterator it(folder, error), end; it != end && !error;
         it.increment(error))
      names.push_back(it->path().substr(folder.size() + 1));
    llvm::sort(names);
    return names;
  }

  static Error write(StringRef path, StringRef text) {
    Expected<OutputFile> file = OutputFile::open(path);
    if (!file)
      return file.takeError();
    file->os() << text;
    return file->commit();
  }

  SmallString<128> folder;
};

/// Runs as a user who owns nothing, also when the tests run as root.
class Unprivileged {
public:
  Unprivileged() : wasRoot(geteuid() == 0) {
    if (wasRoot && setresuid(65534, 65534, 0) != 0)
      abort();
  }
  ~Unprivileged() {
    if (wasRoot && setresuid(0, 0, 0) != 0)
      abort();
  }

private:
  bool wasRoot;
};

TEST_F(OutputFileTest, CreatesAndReplaces) {
  std::string path = inFolder("out");
  EXPECT_EQ(toString(write(path, "first")), "");
  EXPECT_EQ(contents(path), "first");
  EXPECT_EQ(toString(write(path, "2")), "");
  EXPECT_EQ(contents(path), "2");
  EXPECT_EQ(filesInFolder(), std::vector<std::string>{"out"});
}

TEST_F(OutputFileTest, NothingIsVisibleBeforeCommit) {
  std::string path = inFolder("out");
  ASSERT_EQ(toString(write(path, "old")), "");
  {
    OutputFile file = cantFail(OutputFile::open(path));
    file.os() << "new";
    file.os().flush();
    EXPECT_EQ(contents(path), "old");
  }
  EXPECT_EQ(contents(path), "old");
  EXPECT_EQ(filesInFolder(), std::vector<std::string>{"out"});
}

TEST_F(OutputFileTest, UnfinishedNewFileLeavesNoTrace) {
  {
    cantFail(OutputFile::open(inFolder("out"))).os() << "half";
  }
  EXPECT_TRUE(filesInFolder().empty());
}

TEST_F(OutputFileTest, KilledProcessLeavesNoTrace) {
  EXPECT_EXIT(
      {
        OutputFile file = cantFail(OutputFile::open(inFolder("out")));
        file.os() << "half";
        file.os().flush();
        raise(SIGTERM);
      },
      testing::KilledBySignal(SIGTERM), "");
  EXPECT_TRUE(filesInFolder().empty());
}

TEST_F(OutputFileTest, FullDeviceIsAnError) {
  EXPECT_EQ(toString(write("/dev/full", "text")),
            "cannot write '/dev/full': No space left on device");
}

TEST_F(OutputFileTest, FailedWriteKeepsTheOldFile) {
  std::string path = inFolder("out");
  ASSERT_EQ(toString(write(path, "old")), "");
  rlimit before;
  ASSERT_EQ(getrlimit(RLIMIT_FSIZE, &before), 0);
  auto *handler = std::signal(SIGXFSZ, SIG_IGN);
  rlimit limit = {1 << 16, before.rlim_max};
  ASSERT_EQ(setrlimit(RLIMIT_FSIZE, &limit), 0);
  std::string message = toString(write(path, std::string(1 << 20, 'x')));
  ASSERT_EQ(setrlimit(RLIMIT_FSIZE, &before), 0);
  std::signal(SIGXFSZ, handler);
  EXPECT_EQ(message, "cannot write '" + path + "': File too large");
  EXPECT_EQ(contents(path), "old");
  EXPECT_EQ(filesInFolder(), std::vector<std::string>{"out"});
}

TEST_F(OutputFileTest, MissingFolderIsAnError) {
  std::string path = inFolder("missing/out");
  EXPECT_EQ(toString(write(path, "text")),
            "cannot write '" + path + "': No such file or directory");
}

TEST_F(OutputFileTest, FolderAsTargetIsAnError) {
  std::string path = folder.str().str();
  EXPECT_EQ(toString(write(path, "text")), "cannot write '" + path + "': Is a directory");
}

TEST_F(OutputFileTest, EmptyNameIsAnError) {
  EXPECT_EQ(toString(write("", "text")), "cannot write '': Invalid argument");
}

TEST_F(OutputFileTest, ReadOnlyFolderIsAnError) {
  ASSERT_EQ(chmod(folder.c_str(), 0555), 0);
  std::string message;
  {
    Unprivileged user;
    message = toString(write(inFolder("out"), "text"));
  }
  EXPECT_EQ(message, "cannot write '" + inFolder("out") + "': Permission denied");
  EXPECT_TRUE(filesInFolder().empty());
}

TEST_F(OutputFileTest, ReadOnlyFileIsKept) {
  std::string path = inFolder("out");
  ASSERT_EQ(toString(write(path, "old")), "");
  ASSERT_EQ(chmod(path.c_str(), 0444), 0);
  std::string message;
  {
    Unprivileged user;
    message = toString(write(path, "new"));
  }
  EXPECT_EQ(message, "cannot write '" + path + "': Permission denied");
  EXPECT_EQ(contents(path), "old");
}

TEST_F(OutputFileTest, LinkIsFollowedAndPermissionsStay) {
  std::string path = inFolder("out"), link = inFolder("link");
  ASSERT_EQ(toString(write(path, "old")), "");
  ASSERT_EQ(chmod(path.c_str(), 0751), 0);
  ASSERT_EQ(symlink("out", link.c_str()), 0);
  EXPECT_EQ(toString(write(link, "new")), "");
  EXPECT_EQ(contents(path), "new");
  EXPECT_EQ(filesInFolder(), (std::vector<std::string>{"link", "out"}));
  struct stat status;
  ASSERT_EQ(stat(path.c_str(), &status), 0);
  EXPECT_EQ(status.st_mode & 0777, 0751u);
}

TEST_F(OutputFileTest, DeviceIsWrittenDirectly) {
  EXPECT_EQ(toString(write("/dev/null", "text")), "");
  struct stat status;
  ASSERT_EQ(stat("/dev/null", &status), 0);
  EXPECT_TRUE(S_ISCHR(status.st_mode));
}

} // namespace
