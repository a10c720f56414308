//===- Kernels.h - Small kernels to compare ---------------------*- C++ -*-===//
//
// A sum of 64 numbers a row by one warp or two, with the places that tests change.
//
//===----------------------------------------------------------------------===//

#ifndef METTLE_UNITTESTS_CHECKER_EQUIV_KERNELS_H
#define METTLE_UNITTESTS_CHECKER_EQUIV_KERNELS_H

#include "Mettle/Assembly/PTX/Parser.h"
#include "Mettle/Checker/Equiv/Partition.h"
#include "gtest/gtest.h"
#include <string>

namespace mettle::checker {

inline std::string replaced(std::string text, const std::string &from, const std::string &to) {
  size_t at = text.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  if (at != std::string::npos)
    text.replace(at, from.size(), to);
  return text;
}

inline std::string module(const std::string &body, unsigned threads = 64) {
  return ".version 8.0\n.target sm_90\n.address_size 64\n"
         ".shared .align 16 .b8 buffer[1024];\n"
         ".visible .entry k(.param .u64 .ptr .global x, .param .u64 .ptr .global y)\n.reqntid " +
         std::to_string(threads) +
         "\n{\n.reg .pred %p<16>;\n.reg .b16 %h<16>;\n.reg .b32 %r<64>;\n.reg .b64 %d<16>;\n"
         "ld.param.u64 %d0, [x];\nld.param.u64 %d1, [y];\n"
         "mov.u32 %r0, %tid.x;\nmov.u32 %r1, %ctaid.x;\n" +
         body + "ret;\n}\n";
}

/// Each of 64 threads holds one number of the row; lanes, then warps.
inline std::string rowSum() {
  std::string body = "mad.lo.s32 %r2, %r1, 64, %r0;\nmad.wide.s32 %d2, %r2, 4, %d0;\n"
                     "ld.global.f32 %r3, [%d2];\n";
  const char *value = "%r3";
  static const char *names[] = {"%r4", "%r5", "%r6", "%r7", "%r8"};
  for (unsigned k = 0; k < 5; ++k) {
    body += "shfl.sync.bfly.b32 %r20, " + std::string(value) + ", " + std::to_string(16 >> k) +
            ", 31, -1;\nadd.f32 " + names[k] + ", " + value + ", %r20;\n";
    value = names[k];
  }
  body += "and.b32 %r9, %r0, 31;\nsetp.eq.s32 %p0, %r9, 0;\nshr.u32 %r10, %r0, 5;\n"
          "shl.b32 %r10, %r10, 2;\nmov.b32 %r11, buffer;\nadd.s32 %r12, %r11, %r10;\n"
          "@%p0 st.shared.f32 [%r12], %r8;\nbar.sync 0;\n"
          "ld.shared.f32 %r13, [buffer];\nld.shared.f32 %r14, [buffer+4];\n"
          "add.f32 %r15, %r13, %r14;\nsetp.eq.s32 %p1, %r0, 0;\n"
          "mad.wide.s32 %d3, %r1, 4, %d1;\n@%p1 st.global.f32 [%d3], %r15;\n";
  return module(body);
}

/// A key, or `unknown: ` and the reason.
inline std::string keyOf(const std::string &text, uint32_t blocks = 8) {
  Source source;
  source.text = text;
  std::vector<assembly::ptx::Diagnostic> errors;
  if (!assembly::ptx::parse(source.text, source.module, errors)) {
    ADD_FAILURE() << errors.front().message << " at "
                  << source.text.substr(errors.front().offset, 40);
    return "bad";
  }
  llvm::Expected<const assembly::ptx::Function *> entry = findEntry(source, "");
  if (!entry) {
    ADD_FAILURE() << llvm::toString(entry.takeError());
    return "bad";
  }
  LaunchFacts facts;
  facts.grid = {blocks, 1, 1};
  if (llvm::Error error = completeFacts(source, **entry, facts)) {
    ADD_FAILURE() << llvm::toString(std::move(error));
    return "bad";
  }
  Analysis analysis;
  analyse(source.module, **entry, facts, analysis);
  if (analysis.signature.unknown)
    return "unknown: " + analysis.signature.unknown->text;
  return mettle::checker::text(analysis.signature.hash);
}

inline bool isUnknown(const std::string &key) { return key.compare(0, 7, "unknown") == 0; }

} // namespace mettle::checker

#endif // METTLE_UNITTESTS_CHECKER_EQUIV_KERNELS_H
