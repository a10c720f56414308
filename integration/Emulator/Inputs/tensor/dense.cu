// mma.sync of every type that sm_90 has, on the same words.

#define F32(Name, Instruction, ...)                                                                \
  {                                                                                                \
    float d[4];                                                                                    \
    asm volatile("mma.sync.aligned." Instruction " {%0, %1, %2, %3}, " __VA_ARGS__                 \
                 ", {%10, %11, %12, %13};"                                                         \
                 : "=f"(d[0]), "=f"(d[1]), "=f"(d[2]), "=f"(d[3])                                  \
                 : "r"(in[t]), "r"(in[t + 32]), "r"(in[t + 64]), "r"(in[t + 96]), "r"(in[t + 128]), \
                   "r"(in[t + 160]), "f"(c[t]), "f"(c[t + 32]), "f"(c[t + 64]), "f"(c[t + 96]));   \
    for (int i = 0; i < 4; ++i, out += 32)                                                         \
      out[t] = __float_as_uint(d[i]);                                                              \
  }
#define S32(Name, Instruction, ...)                                                                \
  {                                                                                                \
    int d[4];                                                                                      \
    const int *ci = reinterpret_cast<const int *>(in + 192);                                       \
    asm volatile("mma.sync.aligned." Instruction " {%0, %1, %2, %3}, " __VA_ARGS__                 \
                 ", {%10, %11, %12, %13};"                                                         \
                 : "=r"(d[0]), "=r"(d[1]), "=r"(d[2]), "=r"(d[3])                                  \
                 : "r"(in[t]), "r"(in[t + 32]), "r"(in[t + 64]), "r"(in[t + 96]), "r"(in[t + 128]), \
                   "r"(in[t + 160]), "r"(ci[t]), "r"(ci[t + 32]), "r"(ci[t + 64]), "r"(ci[t + 96])); \
    for (int i = 0; i < 4; ++i, out += 32)                                                         \
      out[t] = d[i];                                                                               \
  }
#define F16(Name, Instruction, ...)                                                                \
  {                                                                                                \
    unsigned d[2];                                                                                 \
    asm volatile("mma.sync.aligned." Instruction " {%0, %1}, " __VA_ARGS__ ", {%8, %9};"           \
                 : "=r"(d[0]), "=r"(d[1])                                                          \
                 : "r"(in[t]), "r"(in[t + 32]), "r"(in[t + 64]), "r"(in[t + 96]), "r"(in[t + 128]), \
                   "r"(in[t + 160]), "r"(in[t + 192]), "r"(in[t + 224]));                          \
    for (int i = 0; i < 2; ++i, out += 32)                                                         \
      out[t] = d[i];                                                                               \
  }
#define A4B2 "{%4, %5, %6, %7}, {%8, %9}"
#define A2B1 "{%4, %5}, {%6}"

extern "C" __global__ void dense(const unsigned *in, const float *c, const double *wide,
                                 unsigned *out) {
  unsigned t = threadIdx.x;
  F32(f16, "m16n8k16.row.col.f32.f16.f16.f32", A4B2)
  F32(f16k8, "m16n8k8.row.col.f32.f16.f16.f32", A2B1)
  F32(bf16, "m16n8k16.row.col.f32.bf16.bf16.f32", A4B2)
  F32(bf16k8, "m16n8k8.row.col.f32.bf16.bf16.f32", A2B1)
  F32(tf32, "m16n8k8.row.col.f32.tf32.tf32.f32", A4B2)
  F32(tf32k4, "m16n8k4.row.col.f32.tf32.tf32.f32", A2B1)
  F32(e4m3, "m16n8k32.row.col.f32.e4m3.e4m3.f32", A4B2)
  F32(e5m2, "m16n8k32.row.col.f32.e5m2.e4m3.f32", A4B2)
  S32(s8, "m16n8k32.row.col.satfinite.s32.s8.u8.s32", A4B2)
  S32(u8, "m16n8k16.row.col.s32.u8.s8.s32", A2B1)
  S32(s4, "m16n8k64.row.col.s32.s4.u4.s32", A4B2)
  S32(u4, "m16n8k32.row.col.satfinite.s32.u4.s4.s32", A2B1)
  S32(bits, "m16n8k256.row.col.s32.b1.b1.s32.and.popc", A4B2)
  S32(bitsXor, "m16n8k128.row.col.s32.b1.b1.s32.xor.popc", A2B1)
#undef A4B2
#undef A2B1
#define A4B2 "{%2, %3, %4, %5}, {%6, %7}"
#define A2B1 "{%2, %3}, {%4}"
  F16(half16, "m16n8k16.row.col.f16.f16.f16.f16", A4B2)
  F16(half8, "m16n8k8.row.col.f16.f16.f16.f16", A2B1)
  double d[4];
  asm volatile("mma.sync.aligned.m16n8k16.row.col.f64.f64.f64.f64 {%0, %1, %2, %3}, "
               "{%4, %5, %6, %7, %8, %9, %10, %11}, {%12, %13, %14, %15}, {%16, %17, %18, %19};"
               : "=d"(d[0]), "=d"(d[1]), "=d"(d[2]), "=d"(d[3])
               : "d"(wide[t]), "d"(wide[t + 32]), "d"(wide[t + 64]), "d"(wide[t + 96]),
                 "d"(wide[t + 128]), "d"(wide[t + 160]), "d"(wide[t + 192]), "d"(wide[t + 224]),
                 "d"(wide[t + 256]), "d"(wide[t + 288]), "d"(wide[t + 320]), "d"(wide[t + 352]),
                 "d"(wide[t + 384]), "d"(wide[t + 416]), "d"(wide[t + 448]), "d"(wide[t + 480]));
  for (int i = 0; i < 4; ++i)
    reinterpret_cast<double *>(out)[i * 32 + t] = d[i];
}
