//===- Checks.cpp - What a kernel said about its run ----------------------===//
//
// Reads the buffer word by word and believes nothing of it.
//
//===----------------------------------------------------------------------===//

#include "Mettle/Runtime/Checks.h"

#include "Mettle/Support/CheckBuffer.h"

#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace mettle::runtime {

std::string formatPrint(StringRef text, ArrayRef<ElementType> kinds, ArrayRef<uint64_t> values) {
  std::string shown;
  size_t next = 0;
  for (; !text.empty(); text = text.drop_front()) {
    bool isBrace = text.front() == '{' || text.front() == '}';
    if (!isBrace || !text.starts_with("{}"))
      shown += text.front();
    else if (next < values.size())
      shown += printElement(kinds[next], values[next]), ++next;
    if (isBrace)
      text = text.drop_front();
  }
  return shown;
}

void sortPrints(std::vector<Printed> &prints) {
  using Key = std::array<uint64_t, 7>;
  std::vector<std::pair<Key, Printed>> keyed;
  for (Printed &print : prints) {
    auto [x, y, z] = print.workgroup;
    auto [i, j, k] = print.workItem;
    keyed.push_back({{z, y, x, k, j, i, keyed.size()}, std::move(print)});
  }
  sort(keyed, [](const auto &a, const auto &b) { return a.first < b.first; });
  for (auto [print, sorted] : zip_equal(prints, keyed))
    print = std::move(sorted.second);
}

Expected<Buffer> makeCheckBuffer(uint32_t words) {
  Expected<Buffer> buffer = Buffer::zeros(ElementType::U32, {checks::Records + words});
  if (buffer)
    buffer->setBitsAt(checks::Capacity, words);
  return buffer;
}

namespace {
/// Reads words of a buffer one after another.
class Reader {
public:
  Reader(const Buffer &buffer, uint64_t at) : buffer(buffer), at(at) {}

  uint64_t word() { return at < buffer.size() ? buffer.bitsAt(at++) : 0; }
  Extents extents() {
    uint64_t x = word(), y = word(), z = word();
    return {x, y, z};
  }
  uint64_t value(ElementType kind) {
    uint64_t low = word();
    return recordOf(kind).bytes == 8 ? low | word() << 32 : low;
  }
  uint64_t place() const { return at; }

private:
  const Buffer &buffer;
  uint64_t at;
};
} // namespace

static Error foreign() {
  return createStringError("the kernel has overwritten the buffer of its assertions and prints");
}

Expected<CheckResults> readCheckBuffer(const Buffer &buffer, ArrayRef<CheckSite> sites) {
  CheckResults results;
  if (buffer.bitsAt(checks::Failed)) {
    Reader reader(buffer, checks::FailedSite);
    size_t site = reader.word() - 1;
    Extents workItem = reader.extents();
    if (site >= sites.size() || sites[site].isPrint)
      return foreign();
    results.failed = {site, reader.extents(), workItem};
  }
  results.lost = buffer.bitsAt(checks::Lost);
  uint64_t asked = checks::Records + buffer.bitsAt(checks::Asked);
  for (Reader reader(buffer, checks::Records); reader.place() < std::min(asked, buffer.size());) {
    size_t site = reader.word();
    if (!site)
      break; // Asked for, and too long for what was left.
    if (site > sites.size() || !sites[site - 1].isPrint)
      return foreign();
    Printed print;
    print.workItem = reader.extents();
    print.workgroup = reader.extents();
    SmallVector<uint64_t> values;
    for (ElementType kind : sites[site - 1].kinds)
      values.push_back(reader.value(kind));
    print.text = formatPrint(sites[site - 1].text, sites[site - 1].kinds, values);
    results.prints.push_back(std::move(print));
  }
  sortPrints(results.prints);
  return results;
}

} // namespace mettle::runtime
