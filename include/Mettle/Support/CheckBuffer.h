//===- CheckBuffer.h - where kernels leave failed assertions and prints ---===//
//
// The words of the buffer that a kernel with checks takes as its last argument. The pass that makes
// the accesses and the runtime that reads them share this one description; a launch of someone
// else's must give a buffer of the same shape: zeros but for the capacity.
//
//===----------------------------------------------------------------------===//

#ifndef METTLE_SUPPORT_CHECKBUFFER_H
#define METTLE_SUPPORT_CHECKBUFFER_H

#include <cstdint>

namespace mettle::checks {

/// Places of 32-bit words. A site is a number from 1 on; work-items and workgroups are three words.
enum Word : uint32_t {
  /// 1 when an assertion has failed: the first one to set it writes the next seven words.
  Failed = 0,
  FailedSite = 1,
  FailedWorkItem = 2,
  FailedWorkgroup = 5,
  /// Words of records that have been asked for; those beyond the capacity were not written.
  Asked = 8,
  /// How many prints found no room.
  Lost = 9,
  /// Words for records, which the host sets.
  Capacity = 10,
  /// Line of the failed assertion, for those who have no table of sites.
  FailedLine = 11,
  /// The records, one behind another: site, work-item, workgroup, and the values, of which one of
  /// 64 bits takes two words, the low one first, and any other one.
  Records = 16,
};

/// Of a record, before its values.
inline constexpr uint32_t recordHead = 7;

/// A record is at most this long, so that a buffer of this capacity holds one.
inline constexpr uint32_t longestRecord = 64;

} // namespace mettle::checks

#endif // METTLE_SUPPORT_CHECKBUFFER_H
