//===- SweepKernel.cpp - The kernel that runs one instruction -------------===//
//
// PTX that stores what an instruction returns for the operands of consecutive
// indices.
//
//===----------------------------------------------------------------------===//

#include "SweepKernel.h"

using namespace mettle::numerics;

static constexpr char head[] = R"(.version 7.8
.target sm_90
.address_size 64
.visible .entry sweep(.param .u64 results, .param .u64 first)
{
  .reg .b64 %results, %index, %z, %t;
  .reg .b32 %thread, %block, %size, %a, %b, %d, %kind, %x;
  .reg .b16 %h;
  .reg .pred %p;
  ld.param.u64 %results, [results];
  ld.param.u64 %index, [first];
  mov.u32 %thread, %tid.x;
  mov.u32 %block, %ctaid.x;
  mov.u32 %size, %ntid.x;
  mad.lo.u32 %thread, %block, %size, %thread;
  cvt.u64.u32 %t, %thread;
  add.u64 %index, %index, %t;
  shl.b64 %t, %t, 2;
  add.u64 %results, %results, %t;
)";

// One round of splitmix64, then operandsAt's cases.
static constexpr char operandPair[] = R"(
  add.u64 %z, %index, 0x9E3779B97F4A7C15;
  shr.u64 %t, %z, 30;
  xor.b64 %z, %z, %t;
  mul.lo.u64 %z, %z, 0xBF58476D1CE4E5B9;
  shr.u64 %t, %z, 27;
  xor.b64 %z, %z, %t;
  mul.lo.u64 %z, %z, 0x94D049BB133111EB;
  shr.u64 %t, %z, 31;
  xor.b64 %z, %z, %t;
  mov.b64 {%b, %a}, %z;
  cvt.u32.u64 %kind, %index;
  and.b32 %kind, %kind, 7;
  setp.eq.u32 %p, %kind, 7;
  @%p and.b32 %a, %a, 0x80FFFFFF;
  setp.eq.u32 %p, %kind, 6;
  @%p and.b32 %a, %a, 0xFF80000F;
  @%p and.b32 %b, %b, 0xFF80000F;
  setp.eq.u32 %p, %kind, 5;
  and.b32 %x, %a, 15;
  add.u32 %x, %x, %b;
  sub.u32 %x, %x, 0x3F000008;
  and.b32 %d, %a, 0x80000000;
  xor.b32 %x, %x, %d;
  selp.b32 %a, %x, %a, %p;
)";

static constexpr char tail[] = R"(
  st.global.b32 [%results], %d;
  ret;
}
)";

std::string mettle::numerics::test::sweepKernel(const ApproximateInfo &info) {
  std::string text = head;
  std::string mnemonic = info.mnemonic.str();
  if (info.operands == 2)
    return text + operandPair + "  " + mnemonic + " %d, %a, %b;" + tail;
  text += "  cvt.u32.u64 %a, %index;\n";
  if (info.bits == 16)
    return text + "  cvt.u16.u32 %h, %a;\n  " + mnemonic + " %h, %h;\n  cvt.u32.u16 %d, %h;" + tail;
  // The lower half of the operand is some word, and that of the result has to be 0.
  if (info.bits == 64)
    return text + "  not.b32 %b, %a;\n  mov.b64 %z, {%b, %a};\n  " + mnemonic +
           " %z, %z;\n  mov.b64 {%x, %d}, %z;\n  xor.b32 %d, %d, %x;" + tail;
  return text + "  " + mnemonic + " %d, %a;" + tail;
}
