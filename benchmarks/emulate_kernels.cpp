//===- emulate_kernels.cpp - How fast the emulator runs kernels -----------===//
//
// Active-lane instructions a second on one core: saxpy, a shared-memory tree reduction, and saxpy
// with a stride of three elements, with and without the sanitizer. Prints one JSON line a
// measurement; emulator_speed.py runs it and compares.
//
//===----------------------------------------------------------------------===//

#include "Mettle/Emulator/Launch.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/raw_ostream.h"
#include <cstring>
#include <ctime>

using namespace mettle::emulator;

static std::string saxpy(unsigned stride) {
  return R"(.version 8.0
.target sm_90
.address_size 64
.visible .entry k(.param .u64 px, .param .u64 py, .param .u32 pn)
{
.reg .pred %p<2>;
.reg .b32 %r<8>;
.reg .f32 %f<4>;
.reg .b64 %d<8>;
ld.param.u64 %d1, [px];
ld.param.u64 %d2, [py];
ld.param.u32 %r1, [pn];
mov.u32 %r2, %ctaid.x;
mov.u32 %r3, %ntid.x;
mov.u32 %r4, %tid.x;
mad.lo.s32 %r5, %r2, %r3, %r4;
setp.ge.s32 %p1, %r5, %r1;
@%p1 bra done;
mul.wide.s32 %d3, %r5, )" +
         std::to_string(4 * stride) + R"(;
add.s64 %d4, %d1, %d3;
add.s64 %d5, %d2, %d3;
ld.global.f32 %f1, [%d4];
ld.global.f32 %f2, [%d5];
fma.rn.f32 %f3, %f1, 0f40000000, %f2;
st.global.f32 [%d5], %f3;
done:
ret;
}
)";
}

static const char *reduction = R"(.version 8.0
.target sm_90
.address_size 64
.visible .entry k(.param .u64 px, .param .u64 py, .param .u32 pn)
{
.reg .pred %p<3>;
.reg .b32 %r<12>;
.reg .f32 %f<4>;
.reg .b64 %d<8>;
.shared .align 4 .b8 sums[1024];
ld.param.u64 %d1, [px];
ld.param.u64 %d2, [py];
mov.u32 %r2, %ctaid.x;
mov.u32 %r3, %ntid.x;
mov.u32 %r4, %tid.x;
mad.lo.s32 %r5, %r2, %r3, %r4;
mul.wide.s32 %d3, %r5, 4;
add.s64 %d4, %d1, %d3;
ld.global.f32 %f1, [%d4];
shl.b32 %r6, %r4, 2;
mov.u32 %r7, sums;
add.s32 %r8, %r7, %r6;
st.shared.f32 [%r8], %f1;
bar.sync 0;
shr.u32 %r9, %r3, 1;
again:
setp.ge.u32 %p1, %r4, %r9;
@%p1 bra skip;
shl.b32 %r10, %r9, 2;
add.s32 %r11, %r8, %r10;
ld.shared.f32 %f2, [%r11];
ld.shared.f32 %f3, [%r8];
add.f32 %f3, %f3, %f2;
st.shared.f32 [%r8], %f3;
skip:
bar.sync 0;
shr.u32 %r9, %r9, 1;
setp.ne.u32 %p2, %r9, 0;
@%p2 bra again;
setp.ne.u32 %p1, %r4, 0;
@%p1 bra done;
mul.wide.s32 %d5, %r2, 4;
add.s64 %d6, %d2, %d5;
ld.shared.f32 %f1, [sums];
st.global.f32 [%d6], %f1;
done:
ret;
}
)";

/// Of this thread, which runs the one worker: others on the machine do not count.
static double seconds() {
  timespec time;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return double(time.tv_sec) + double(time.tv_nsec) * 1e-9;
}

/// Active-lane instructions a second, the best of some runs.
static double measure(const std::string &text, uint32_t blocks, unsigned stride, bool checks) {
  std::vector<mettle::assembly::ptx::Diagnostic> errors;
  std::unique_ptr<Program> program = Program::read(text, errors);
  std::unique_ptr<Kernel> kernel = program ? program->kernel("k", errors) : nullptr;
  if (!kernel) {
    llvm::errs() << "error: " << errors.front().message << '\n';
    exit(1);
  }
  uint32_t n = blocks * 256;
  std::vector<uint8_t> x(size_t(n) * stride * 4, 1), y(size_t(n) * stride * 4, 2);
  double best = 0;
  GlobalMemory memory;
  uint64_t addresses[] = {memory.map(x, "x"), memory.map(y, "y")};
  for (unsigned repeat = 0; repeat < 9; ++repeat) {
    Launch launch;
    launch.grid = {blocks, 1, 1};
    launch.block = {256, 1, 1};
    launch.parameters.resize(20);
    memcpy(launch.parameters.data(), addresses, 16);
    memcpy(launch.parameters.data() + 16, &n, 4);
    RunOptions options;
    options.workers = 1;
    options.checks = checks;
    RunCounts counts;
    double start = seconds();
    if (std::optional<Fault> fault = run(*kernel, launch, memory, options, &counts)) {
      printFault(llvm::errs(), "benchmark", text, *fault);
      exit(1);
    }
    best = std::max(best, double(counts.laneInstructions) / (seconds() - start));
  }
  return best;
}

/// With an argument, only measurements whose JSON holds it.
int main(int argc, char **argv) {
  for (auto [isa, isaName] : {std::pair(HostISA::AVX512, "avx512"),
                              {HostISA::AVX2, "avx2"},
                              {HostISA::Portable, "portable"}}) {
    if (!setHostISA(isa))
      continue;
    for (bool checks : {false, true})
      for (auto [name, text, blocks, stride] : {std::tuple("saxpy", saxpy(1), 1024u, 1u),
                                                {"reduction", std::string(reduction), 1024u, 1u},
                                                {"strided saxpy", saxpy(3), 1024u, 3u}}) {
        std::string head;
        llvm::raw_string_ostream(head) << "{\"isa\": \"" << isaName << "\", \"kernel\": \"" << name
                                       << "\", \"checks\": " << (checks ? "true" : "false")
                                       << ", \"lane_instructions_per_second\": ";
        if (argc > 1 && !llvm::StringRef(head).contains(argv[1]))
          continue;
        llvm::outs() << head << uint64_t(measure(text, blocks, stride, checks)) << "}\n";
      }
  }
  return 0;
}
