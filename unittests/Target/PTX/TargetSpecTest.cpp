//===- TargetSpecTest.cpp - Reading of targets ----------------------------===//
//
// What --gpu-arch and --ptx-version accept, and the words they refuse with.
//
//===----------------------------------------------------------------------===//

#include "Mettle/Target/PTX/TargetSpec.h"
#include "gtest/gtest.h"

using namespace mettle::ptx;

namespace {

/// The target as text, or the error.
std::string parsed(llvm::StringRef arch, llvm::StringRef version = "") {
  llvm::Expected<TargetSpec> spec = TargetSpec::parse(arch, version);
  if (!spec)
    return "error: " + llvm::toString(spec.takeError());
  return (spec->version ? spec->version->str() : "-") + " " +
         (spec->architecture ? spec->architecture->str() : "-");
}

TEST(TargetSpec, Names) {
  EXPECT_EQ(parsed(""), "- -");
  EXPECT_EQ(parsed("portable"), "6.4 compute_75");
  EXPECT_EQ(parsed("gb10"), "8.8 sm_121a");
  EXPECT_EQ(parsed("sm_75"), "- sm_75");
  EXPECT_EQ(parsed("sm_90a"), "- sm_90a");
  EXPECT_EQ(parsed("sm_100f"), "- sm_100f");
  EXPECT_EQ(parsed("compute_90a"), "- compute_90a");
}

TEST(TargetSpec, Versions) {
  EXPECT_EQ(parsed("", "8.8"), "8.8 -");
  EXPECT_EQ(parsed("portable", "7.0"), "7.0 compute_75");
  EXPECT_EQ(parsed("sm_90", "8.0"), "8.0 sm_90");
  EXPECT_EQ(parsed("sm_90a", "7.8"), "error: expected PTX 8.0 or later for sm_90a, got 7.8");
  EXPECT_EQ(parsed("gb10", "8.7"), "error: expected PTX 8.8 or later for sm_121a, got 8.7");
  EXPECT_EQ(parsed("", "8.9"),
            "error: expected a known PTX version, got 8.9, but 8.8 is the last of 8");
  EXPECT_EQ(parsed("", "5.0"), "error: expected a known PTX version from 6.0 on, got 5.0");
  EXPECT_EQ(parsed("", "10.0"), "error: expected a known PTX version from 6.0 on, got 10.0");
  EXPECT_EQ(parsed("", "8"), "error: expected a PTX version such as 8.8, got '8'");
  EXPECT_EQ(parsed("", "8.x"), "error: expected a PTX version such as 8.8, got '8.x'");
  EXPECT_EQ(parsed("", "8.8.1"), "error: expected a PTX version such as 8.8, got '8.8.1'");
}

TEST(TargetSpec, RefusedArchitectures) {
  llvm::StringRef shape =
      "error: expected an architecture such as sm_90a, compute_75, portable or gb10, got ";
  for (llvm::StringRef text :
       {"hopper", "sm_", "sm_x", "sm_90b", "sm_90aa", "90", "SM_90", "sm_-90", "compute_"})
    EXPECT_EQ(parsed(text), (shape + "'" + text + "'").str());
  EXPECT_EQ(parsed("sm_75a"),
            "error: expected sm_75 without 'a', which it does not have, got sm_75a");
  EXPECT_EQ(parsed("sm_90f"),
            "error: expected sm_90 without 'f', which it does not have, got sm_90f");
  EXPECT_EQ(
      parsed("sm_91"),
      "error: expected a known architecture (sm_70, sm_72, sm_75, sm_80, sm_86, sm_87, "
      "sm_88, sm_89, sm_90, sm_100, sm_101, sm_103, sm_107, sm_110, sm_120, sm_121), got sm_91");
}

/// Whether `arch` offers `feature`.
bool offers(llvm::StringRef arch, llvm::StringRef feature) {
  return llvm::cantFail(Architecture::parse(arch)).offers(feature);
}

TEST(TargetSpec, Features) {
  EXPECT_TRUE(offers("sm_90a", "sm_90a"));
  EXPECT_FALSE(offers("sm_90", "sm_90a"));
  EXPECT_FALSE(offers("sm_100a", "sm_90a"));
  EXPECT_TRUE(offers("sm_100f", "sm_100f"));
  EXPECT_TRUE(offers("sm_100a", "sm_100f"));
  EXPECT_TRUE(offers("sm_103f", "sm_100f"));
  EXPECT_TRUE(offers("sm_103a", "sm_100f"));
  EXPECT_FALSE(offers("sm_103", "sm_100f"));
  EXPECT_FALSE(offers("sm_100f", "sm_103f"));
  EXPECT_FALSE(offers("sm_100f", "sm_100a"));
  EXPECT_FALSE(offers("sm_120f", "sm_100f"));
  EXPECT_TRUE(offers("sm_121a", "sm_120f"));
}

TEST(TargetSpec, ArchitecturesAreInOrder) {
  llvm::ArrayRef<Architecture> all = currentArchitectures();
  ASSERT_FALSE(all.empty());
  EXPECT_EQ(all.front().str(), "sm_75");
  for (size_t i = 1; i < all.size(); ++i)
    EXPECT_LE(all[i - 1].sm, all[i].sm);
}

} // namespace
