//===- Kernels.h - Running pieces of PTX in tests -----------------*- C++ -*-===//
//
// Wraps a body into an entry with one pointer parameter, runs it, and gives what it left in memory.
//
//===----------------------------------------------------------------------===//

#ifndef METTLE_UNITTESTS_EMULATOR_KERNELS_H
#define METTLE_UNITTESTS_EMULATOR_KERNELS_H

#include "Mettle/Emulator/Launch.h"
#include "llvm/Support/raw_ostream.h"
#include "gtest/gtest.h"
#include <cstring>

namespace mettle::emulator {

/// What became of a run.
struct Outcome {
  std::string error; ///< of decoding, or the fault's message; empty if all went well
  std::optional<Fault> fault;
};

/// Runs the first entry of `text` with pointers to `buffers` as its parameters.
inline Outcome runText(const std::string &text, std::vector<std::vector<uint8_t>> &buffers,
                       Launch launch = {}, RunOptions options = {}) {
  std::vector<assembly::ptx::Diagnostic> errors;
  std::unique_ptr<Program> program = Program::read(text, errors);
  if (!program)
    return {errors.front().message, {}};
  std::unique_ptr<Kernel> kernel = program->kernel(program->entries().front(), errors);
  if (!kernel)
    return {errors.front().message, {}};
  GlobalMemory memory;
  launch.parameters.resize(kernel->parameterBytes());
  for (size_t i = 0; i < buffers.size(); ++i) {
    uint64_t address = memory.map(buffers[i], "buffer" + std::to_string(i));
    memcpy(launch.parameters.data() + kernel->parameters()[i].offset, &address, 8);
  }
  if (!options.workers)
    options.workers = 1;
  std::optional<Fault> fault = run(*kernel, launch, memory, options);
  return {fault ? fault->message : "", fault};
}

/// An entry `k` with `count` pointer parameters p0, p1, ... and these statements.
inline std::string entry(const std::string &body, unsigned count = 1,
                         const std::string &before = "") {
  std::string text =
      ".version 8.6\n.target sm_90a\n.address_size 64\n" + before + "\n.visible .entry k(";
  for (unsigned i = 0; i < count; ++i)
    text += (i ? ", .param .u64 p" : ".param .u64 p") + std::to_string(i);
  return text +
         ")\n{\n.reg .pred %p<16>;\n.reg .b16 %h<64>;\n.reg .b32 %r<64>;\n"
         ".reg .b64 %d<64>;\n" +
         body + "\n}\n";
}

} // namespace mettle::emulator

#endif // METTLE_UNITTESTS_EMULATOR_KERNELS_H
