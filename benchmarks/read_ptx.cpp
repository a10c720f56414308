//===- read_ptx.cpp - How fast PTX is read, in how much memory ------------===//
//
// Reads files into memory, then times parsing all of them into one module that is used again, as a
// checker of many configurations does. The clock is the thread's CPU time, so that other work on
// the machine does not count. The peer is the least a reader can do: finding the line ends.
//
//   read-ptx ROUNDS FILE...
//
// Prints one JSON object: bytes, files, instructions; MB/s of the best and the median round; MB/s
// of the peer's best round; the memory of a fresh module over the bytes of its text, over all files
// and of the worst file.
//
//===----------------------------------------------------------------------===//

#include "Mettle/Assembly/PTX/Parser.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/raw_ostream.h"
#include <algorithm>
#include <cstring>
#include <ctime>

using namespace mettle::assembly::ptx;

static double cpuSeconds() {
  timespec now;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return double(now.tv_sec) + double(now.tv_nsec) * 1e-9;
}

static size_t countLines(llvm::StringRef text) {
  size_t lines = 0;
  for (const char *p = text.begin();
       (p = static_cast<const char *>(memchr(p, '\n', size_t(text.end() - p)))); ++p)
    ++lines;
  return lines;
}

int main(int argc, char **argv) {
  unsigned rounds = 0;
  if (argc < 3 || llvm::StringRef(argv[1]).getAsInteger(10, rounds) || rounds == 0) {
    llvm::errs() << "usage: read-ptx ROUNDS FILE...\n";
    return 1;
  }
  std::vector<std::unique_ptr<llvm::MemoryBuffer>> files;
  size_t bytes = 0, instructions = 0, held = 0;
  double worst = 0;
  for (int i = 2; i < argc; ++i) {
    // Not mapped: page faults of the first touch are the kernel's time, not the reader's.
    auto file = llvm::MemoryBuffer::getFile(argv[i], /*IsText=*/false,
                                            /*RequiresNullTerminator=*/true, /*IsVolatile=*/true);
    if (!file) {
      llvm::errs() << argv[i] << ": error: cannot read: " << file.getError().message() << '\n';
      return 1;
    }
    llvm::StringRef text = (*file)->getBuffer();
    Module fresh;
    std::vector<Diagnostic> errors;
    if (!parse(text, fresh, errors)) {
      printDiagnostic(llvm::errs(), argv[i], text, errors.front());
      return 1;
    }
    bytes += text.size();
    instructions += fresh.instructions.size();
    held += fresh.memory();
    worst = std::max(worst, double(fresh.memory()) / double(text.size()));
    files.push_back(std::move(*file));
  }

  std::vector<double> ours, peers;
  Module module;
  std::vector<Diagnostic> errors;
  size_t sink = 0;
  for (unsigned round = 0; round < rounds; ++round) {
    double start = cpuSeconds();
    for (const auto &file : files)
      sink += parse(file->getBuffer(), module, errors);
    double middle = cpuSeconds();
    for (const auto &file : files)
      sink += countLines(file->getBuffer());
    double end = cpuSeconds();
    ours.push_back(middle - start);
    peers.push_back(end - middle);
  }
  std::sort(ours.begin(), ours.end());
  std::sort(peers.begin(), peers.end());
  auto speed = [&](double seconds) { return double(bytes) / 1e6 / seconds; };
  llvm::outs() << "{\"bytes\": " << bytes << ", \"files\": " << files.size()
               << ", \"instructions\": " << instructions
               << llvm::format(", \"best\": %.1f, \"median\": %.1f, \"lines\": %.1f",
                               speed(ours.front()), speed(ours[ours.size() / 2]),
                               speed(peers.front()))
               << llvm::format(", \"memory\": %.3f, \"worst_memory\": %.3f}\n",
                               double(held) / double(bytes), worst);
  return sink ? 0 : 1;
}
