//===- ControlFlowTest.cpp - jumps do what they say -===//
//
// Random programs full of jumps, compiled and executed by the interpreter, against their direct
// execution.
//
//===----------------------------------------------------------------------===//

#include "Execution.h"
#include "RandomProgram.h"

using namespace mettle;
using namespace mettle::frontend;

namespace {
class ControlFlow : public Execution {};
} // namespace

TEST_F(ControlFlow, RandomProgramsComputeWhatTheySay) {
  uint64_t count = isDeep() ? 50000 : 500;
  for (uint64_t seed = 0; seed < count && !HasFailure(); ++seed) {
    RandomProgram program(seed);
    auto module = compile(program.text());
    ASSERT_TRUE(module);
    interpreter::Interpreter machine(*module);
    for (auto [a, b] : {std::pair{0, 1}, {5, -7}, {INT32_MIN, -1}}) {
      RandomProgram::Outputs out{};
      run(machine, out.data(), sizeof(out), {argument(a), argument(b)});
      EXPECT_EQ(out, program.run(a, b)) << "seed " << seed << " with " << a << ", " << b << "\n"
                                        << program.text();
    }
  }
}
