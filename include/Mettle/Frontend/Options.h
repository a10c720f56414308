//===- Options.h - what a caller may ask of the frontend -===//
//
// Plain settings, in a header of their own so that every stage can take them.
//
//===----------------------------------------------------------------------===//

#ifndef METTLE_FRONTEND_OPTIONS_H
#define METTLE_FRONTEND_OPTIONS_H

namespace mettle::frontend {

struct FrontendOptions {
  /// Errors shown before the rest is only counted.
  unsigned errorLimit = 20;
  /// expf, logf, sinf, cosf and rsqrtf are what the device makes of them, in place of the sequences
  /// that return the same bits everywhere.
  bool approximateMath = false;
  /// gpu_assert and gpu_print are compiled; without it they vanish.
  bool checks = false;
};

} // namespace mettle::frontend

#endif // METTLE_FRONTEND_OPTIONS_H
