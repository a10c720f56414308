//===- Directed.cpp - Float arithmetic that rounds elsewhere --------------===//
//
// Uses the host's rounding mode, restored after each op; the file is compiled with the knowledge
// that the mode may change.
//
//===----------------------------------------------------------------------===//

#include "Directed.h"
#include "FloatDetail.h"
#include <cfenv>
#include <cmath>
#include <initializer_list>

using namespace mettle::emulator;

#pragma STDC FENV_ACCESS ON

static uint32_t bitsOf(float value) { return __builtin_bit_cast(uint32_t, value); }
static uint64_t bitsOf(double value) { return __builtin_bit_cast(uint64_t, value); }

template <DirectedOperation operation, typename T> static T compute(T a, T b, T c) {
  switch (operation) {
  case DirectedOperation::Add:
    return a + b;
  case DirectedOperation::Sub:
    return a - b;
  case DirectedOperation::Mul:
    return a * b;
  case DirectedOperation::Fma:
    return std::fma(a, b, c);
  case DirectedOperation::Div:
    return a / b;
  case DirectedOperation::Rcp:
    return T(1) / a;
  case DirectedOperation::Sqrt:
    return std::sqrt(a);
  }
}

static float flushed(float value) {
  return std::fabs(value) < 0x1p-126f ? std::copysign(0.0f, value) : value;
}

template <DirectedOperation operation>
__attribute__((noinline)) static const Op *runF32(Execution &x, const Op &op, LaneMask mask) {
  static constexpr int modes[] = {FE_TOWARDZERO, FE_DOWNWARD, FE_UPWARD};
  auto in = [&](Slot slot, unsigned lane) {
    float value = slot == NoSlot ? 0 : x.lanes<float>(slot)[lane];
    return op.detail & Flush ? flushed(value) : value;
  };
  fesetround(modes[op.immediate]);
  uint32_t *d = x.lanes<uint32_t>(op.d);
  for (unsigned lane : Execution::each(mask)) {
    volatile float a = in(op.a, lane), b = in(op.b, lane), c = in(op.c, lane);
    float value = compute<operation, float>(a, b, c);
    if (op.detail & Flush) {
      // 2^-126 may be what a result below it was rounded to, which 24 bits of an unbounded
      // exponent would not have done: with half the ulp it shows.
      if (std::fabs(value) == 0x1p-126f && operation == DirectedOperation::Mul) {
        double exact = std::fabs(double(a) * double(b));
        bool grows = (op.immediate == uint64_t(DirectedRounding::Up)) == (value > 0) &&
                     op.immediate != uint64_t(DirectedRounding::Zero);
        if (grows ? exact <= 0x1p-126 - 0x1p-150 : exact < 0x1p-126)
          value = 0 * value;
      }
      value = flushed(value);
    }
    uint32_t word = value != value ? 0x7fffffff : bitsOf(value);
    if (op.detail & Saturate)
      word = value > 0 ? value < 1 ? word : bitsOf(1.0f) : 0;
    d[lane] = word;
  }
  fesetround(FE_TONEAREST);
  return op.next();
}

template <DirectedOperation operation>
__attribute__((noinline)) static const Op *runF64(Execution &x, const Op &op, LaneMask mask) {
  static constexpr int modes[] = {FE_TOWARDZERO, FE_DOWNWARD, FE_UPWARD};
  auto in = [&](Slot slot, unsigned lane) {
    return slot == NoSlot ? 0 : x.lanes<double>(slot)[lane];
  };
  fesetround(modes[op.immediate]);
  uint64_t *d = x.lanes<uint64_t>(op.d);
  for (unsigned lane : Execution::each(mask)) {
    volatile double a = in(op.a, lane), b = in(op.b, lane), c = in(op.c, lane);
    double value = compute<operation, double>(a, b, c);
    uint64_t word = bitsOf(value);
    if (value != value) {
      word = 0xfff8000000000000;
      // The last NaN of these gives the result (FloatLanes.cpp).
      bool isDivision = operation == DirectedOperation::Div;
      for (double operand :
           {double(isDivision ? c : a), double(isDivision ? b : c), double(isDivision ? a : b)})
        if (operand != operand)
          word = bitsOf(operand) | 0x0008000000000000;
    }
    d[lane] = word;
  }
  fesetround(FE_TONEAREST);
  return op.next();
}

Handler mettle::emulator::directedHandler(DirectedOperation operation, bool isDouble) {
  switch (operation) {
#define METTLE_CASE(Name)                                                                          \
  case DirectedOperation::Name:                                                                    \
    return isDouble ? runF64<DirectedOperation::Name> : runF32<DirectedOperation::Name>;
    METTLE_CASE(Add)
    METTLE_CASE(Sub)
    METTLE_CASE(Mul)
    METTLE_CASE(Fma)
    METTLE_CASE(Div)
    METTLE_CASE(Rcp)
    METTLE_CASE(Sqrt)
#undef METTLE_CASE
  }
  return nullptr;
}
