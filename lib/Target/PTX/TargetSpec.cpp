//===- TargetSpec.cpp - which PTX version and architecture to emit for -===//
//
// The tables of versions and architectures, and their reading.
//
//===----------------------------------------------------------------------===//

#include "Mettle/Target/PTX/TargetSpec.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;

namespace mettle::ptx {

namespace {

/// The last minor version of each major one; ptxas 13.5 is the source.
struct Major {
  unsigned major, lastMinor;
};
constexpr Major majors[] = {{6, 5}, {7, 8}, {8, 8}, {9, 5}};

/// An architecture with the version that introduced it and its variants (0.0: has none). Features
/// of a family hold from the lowest member on. The source is the .target directive's page of the
/// PTX manual; the tests hold it against ptxas.
struct Known {
  unsigned sm, family;
  Version plain, f, a;
};
constexpr Known known[] = {
    {70, 70, {6, 0}, {}, {}},           {72, 72, {6, 1}, {}, {}},
    {75, 75, {6, 3}, {}, {}},           {80, 80, {7, 0}, {}, {}},
    {86, 86, {7, 1}, {}, {}},           {87, 87, {7, 4}, {}, {}},
    {88, 88, {9, 0}, {}, {}},           {89, 89, {7, 8}, {}, {}},
    {90, 90, {7, 8}, {}, {8, 0}},       {100, 100, {8, 6}, {8, 8}, {8, 6}},
    {101, 101, {8, 6}, {8, 8}, {8, 6}}, {103, 100, {8, 8}, {8, 8}, {8, 8}},
    {107, 100, {9, 4}, {9, 4}, {9, 4}}, {110, 110, {9, 0}, {9, 0}, {9, 0}},
    {120, 120, {8, 7}, {8, 8}, {8, 7}}, {121, 120, {8, 8}, {8, 8}, {8, 8}},
};

const Known *find(unsigned sm) {
  const Known *row = partition_point(known, [&](const Known &k) { return k.sm < sm; });
  return row != std::end(known) && row->sm == sm ? row : nullptr;
}

Version introducedIn(const Known &row, char suffix) {
  return suffix == 'a' ? row.a : suffix == 'f' ? row.f : row.plain;
}

/// The number and suffix of NN, NNa or NNf.
bool readNumber(StringRef text, unsigned &sm, char &suffix) {
  suffix = 0;
  if (text.consumeInteger(10, sm))
    return false;
  if (text == "a" || text == "f")
    suffix = text[0];
  else if (!text.empty())
    return false;
  return true;
}

std::string listed() {
  std::string result;
  ListSeparator comma;
  for (const Known &row : known)
    result += (StringRef(comma) + "sm_" + Twine(row.sm)).str();
  return result;
}

} // namespace

Expected<Version> Version::parse(StringRef text) {
  Version version;
  auto [major, minor] = text.split('.');
  if (major.getAsInteger(10, version.major) || minor.getAsInteger(10, version.minor))
    return createStringError("expected a PTX version such as 8.8, got '" + text + "'");
  for (const Major &row : majors) {
    if (row.major != version.major)
      continue;
    if (version.minor > row.lastMinor)
      return createStringError("expected a known PTX version, got " + text + ", but " +
                               Twine(row.major) + "." + Twine(row.lastMinor) + " is the last of " +
                               Twine(row.major));
    return version;
  }
  return createStringError("expected a known PTX version from " + Twine(majors[0].major) +
                           ".0 on, got " + text);
}

std::string Version::str() const { return (Twine(major) + "." + Twine(minor)).str(); }

Expected<Architecture> Architecture::parse(StringRef text) {
  Architecture arch;
  StringRef rest = text;
  arch.isVirtual = rest.consume_front("compute_");
  if ((!arch.isVirtual && !rest.consume_front("sm_")) || !readNumber(rest, arch.sm, arch.suffix))
    return createStringError("expected an architecture such as sm_90a, compute_75, portable or "
                             "gb10, got '" +
                             text + "'");
  const Known *row = find(arch.sm);
  if (!row)
    return createStringError("expected a known architecture (" + listed() + "), got " + text);
  if (introducedIn(*row, arch.suffix) == Version())
    return createStringError("expected sm_" + Twine(arch.sm) + " without '" + Twine(arch.suffix) +
                             "', which it does not have, got " + text);
  return arch;
}

std::string Architecture::str() const {
  std::string text = ((isVirtual ? "compute_" : "sm_") + Twine(sm)).str();
  if (suffix)
    text += suffix;
  return text;
}

Version Architecture::introduced() const { return introducedIn(*find(sm), suffix); }

bool Architecture::offers(StringRef feature) const {
  unsigned number;
  char kind;
  feature.consume_front("sm_");
  if (!readNumber(feature, number, kind) || !kind)
    llvm_unreachable("mettle-tblgen checked the spelling");
  if (kind == 'a')
    return suffix == 'a' && sm == number;
  const Known *row = find(number);
  return suffix && row && find(sm)->family == row->family && sm >= number;
}

ArrayRef<Architecture> currentArchitectures() {
  static const SmallVector<Architecture> all = [] {
    SmallVector<Architecture> list;
    for (const Known &row : known)
      for (char suffix : {'\0', 'f', 'a'})
        if (row.sm >= 75 && !(introducedIn(row, suffix) == Version()))
          list.push_back({row.sm, suffix, false});
    return list;
  }();
  return all;
}

Expected<TargetSpec> TargetSpec::parse(StringRef arch, StringRef version) {
  TargetSpec spec;
  if (arch == "portable") {
    spec = {Architecture{75, 0, true}, Version{6, 4}};
  } else if (arch == "gb10") {
    spec = {Architecture{121, 'a', false}, Version{8, 8}};
  } else if (!arch.empty()) {
    Expected<Architecture> parsed = Architecture::parse(arch);
    if (!parsed)
      return parsed.takeError();
    spec.architecture = *parsed;
  }
  if (!version.empty()) {
    Expected<Version> parsed = Version::parse(version);
    if (!parsed)
      return parsed.takeError();
    spec.version = *parsed;
  }
  if (spec.architecture && spec.version && *spec.version < spec.architecture->introduced())
    return createStringError("expected PTX " + spec.architecture->introduced().str() +
                             " or later for " + spec.architecture->str() + ", got " +
                             spec.version->str());
  return spec;
}

} // namespace mettle::ptx
