//===- Heap.cpp - memory in huge pages for long sources -------------------===//
//
// A compilation reads its IR a dozen times from end to end. In pages of 4 KB a long kernel's
// reads wait for the page tables, so that twice the length takes more than twice the time.
//
//===----------------------------------------------------------------------===//

#include "Driver.h"

#include "llvm/Support/MathExtras.h"

#ifdef __GLIBC__
#include <cstdlib>
#include <malloc.h>
#include <sys/mman.h>
#endif

void mettle::driver::prepareHeap([[maybe_unused]] uint64_t sourceBytes) {
#ifdef __GLIBC__
  constexpr uint64_t hugePage = 2 << 20, most = uint64_t(4) << 30;
  // What compilations were seen to need for a byte of source.
  uint64_t bytes = std::min(sourceBytes * 180, most);
  if (bytes < hugePage)
    return;
  // The block comes from the end of the heap, and stays there when it is freed.
  mallopt(M_MMAP_THRESHOLD, std::numeric_limits<int>::max());
  mallopt(M_TRIM_THRESHOLD, std::numeric_limits<int>::max());
  void *block = std::malloc(bytes);
  if (!block)
    return;
  uint64_t begin = llvm::alignTo(reinterpret_cast<uint64_t>(block), hugePage);
  uint64_t end = llvm::alignDown(reinterpret_cast<uint64_t>(block) + bytes, hugePage);
  // Refused where the system has no huge pages: then all is as it was.
  if (begin < end)
    madvise(reinterpret_cast<void *>(begin), end - begin, MADV_HUGEPAGE);
  std::free(block);
#endif
}
