// mma.sp on every type and selector that the emulator takes, with metadata that differs from lane
// to lane.

/// Valid metadata: in every nibble two different columns in order.
__device__ unsigned metadata16(unsigned seed) {
  const unsigned pairs[6] = {0x4, 0x8, 0xC, 0x9, 0xD, 0xE};
  unsigned word = 0;
  for (int i = 0; i < 8; ++i, seed = seed * 1664525u + 1013904223u)
    word |= pairs[(seed >> 16) % 6] << 4 * i;
  return word;
}
__device__ unsigned metadata32(unsigned seed) {
  unsigned word = 0;
  for (int i = 0; i < 8; ++i, seed = seed * 1664525u + 1013904223u)
    word |= (seed >> 20 & 1 ? 0xEu : 0x4u) << 4 * i;
  return word;
}

#define SHORT(Name, Instruction, Selector)                                                         \
  __device__ void Name(const unsigned *in, float *out, unsigned e) {                               \
    unsigned t = threadIdx.x;                                                                      \
    float d[4];                                                                                    \
    asm volatile(Instruction " {%0, %1, %2, %3}, {%4, %5}, {%6, %7}, {%8, %9, %10, %11}, %12, "    \
                 Selector ";"                                                                      \
                 : "=f"(d[0]), "=f"(d[1]), "=f"(d[2]), "=f"(d[3])                                  \
                 : "r"(in[t]), "r"(in[t + 32]), "r"(in[t + 64]), "r"(in[t + 96]), "f"(0.5f),       \
                   "f"(-0.25f), "f"(0.0f), "f"(1.0f), "r"(e));                                     \
    for (int i = 0; i < 4; ++i)                                                                    \
      out[i * 32 + t] = d[i];                                                                      \
  }
#define LONG(Name, Instruction, Selector)                                                          \
  __device__ void Name(const unsigned *in, float *out, unsigned e) {                               \
    unsigned t = threadIdx.x;                                                                      \
    float d[4];                                                                                    \
    asm volatile(Instruction " {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9, %10, %11}, "           \
                             "{%12, %13, %14, %15}, %16, " Selector ";"                            \
                 : "=f"(d[0]), "=f"(d[1]), "=f"(d[2]), "=f"(d[3])                                  \
                 : "r"(in[t]), "r"(in[t + 32]), "r"(in[t + 64]), "r"(in[t + 96]), "r"(in[t + 128]), \
                   "r"(in[t + 160]), "r"(in[t + 192]), "r"(in[t + 224]), "f"(0.5f), "f"(-0.25f),   \
                   "f"(0.0f), "f"(1.0f), "r"(e));                                                  \
    for (int i = 0; i < 4; ++i)                                                                    \
      out[i * 32 + t] = d[i];                                                                      \
  }

#define MMA(Shape, Type) "mma.sp::ordered_metadata.sync.aligned." Shape ".row.col.f32." Type "." Type ".f32"
SHORT(f16k16s0, MMA("m16n8k16", "f16"), "0x0")
SHORT(f16k16s1, MMA("m16n8k16", "f16"), "0x1")
SHORT(f16k16s2, MMA("m16n8k16", "f16"), "0x2")
SHORT(f16k16s3, MMA("m16n8k16", "f16"), "0x3")
LONG(f16k32s0, MMA("m16n8k32", "f16"), "0x0")
LONG(f16k32s1, MMA("m16n8k32", "f16"), "0x1")
SHORT(bf16k16s2, MMA("m16n8k16", "bf16"), "0x2")
LONG(bf16k32s1, MMA("m16n8k32", "bf16"), "0x1")
SHORT(tf32k8s0, MMA("m16n8k8", "tf32"), "0x0")
SHORT(tf32k8s3, MMA("m16n8k8", "tf32"), "0x3")
LONG(tf32k16s0, MMA("m16n8k16", "tf32"), "0x0")
LONG(tf32k16s1, MMA("m16n8k16", "tf32"), "0x1")

extern "C" __global__ void sparse(const unsigned *halves, const unsigned *brains,
                                  const unsigned *floats, float *out) {
  unsigned e = metadata16(threadIdx.x * 77u + 5u), f = metadata32(threadIdx.x * 91u + 3u);
  f16k16s0(halves, out, e);
  f16k16s1(halves, out + 128, e);
  f16k16s2(halves, out + 256, e);
  f16k16s3(halves, out + 384, e);
  f16k32s0(halves, out + 512, e);
  f16k32s1(halves, out + 640, e);
  bf16k16s2(brains, out + 768, e);
  bf16k32s1(brains, out + 896, e);
  tf32k8s0(floats, out + 1024, f);
  tf32k8s3(floats, out + 1152, f);
  tf32k16s0(floats, out + 1280, f);
  tf32k16s1(floats, out + 1408, f);
}
