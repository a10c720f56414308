// wgmma over matrices of shared memory in every layout: swizzles, both majors, offsets, base
// offsets, negated operands, A in registers. Shared memory is full of numbers, so that an address
// that is computed wrongly shows.

extern __shared__ __align__(1024) unsigned char memory[];

__device__ unsigned long long descriptor(unsigned start, unsigned leading, unsigned stride,
                                         unsigned base, unsigned swizzle) {
  unsigned address = (unsigned)__cvta_generic_to_shared(memory) + start;
  return (unsigned long long)((address & 0x3FFFF) >> 4) | (unsigned long long)(leading >> 4) << 16 |
         (unsigned long long)(stride >> 4) << 32 | (unsigned long long)base << 49 |
         (unsigned long long)((4 - swizzle) % 4) << 62;
}

#define REGISTERS                                                                                  \
  "{%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15}"
#define ACCUMULATORS                                                                               \
  "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3]), "+f"(d[4]), "+f"(d[5]), "+f"(d[6]), "+f"(d[7]),  \
      "+f"(d[8]), "+f"(d[9]), "+f"(d[10]), "+f"(d[11]), "+f"(d[12]), "+f"(d[13]), "+f"(d[14]),     \
      "+f"(d[15])

__device__ void finish(float (&d)[16], float *&out) {
  asm volatile("wgmma.commit_group.sync.aligned;\n wgmma.wait_group.sync.aligned 0;" ::: "memory");
  for (int i = 0; i < 16; ++i)
    out[i * 128 + threadIdx.x] = d[i];
  out += 16 * 128;
}

#define CASE(Name, Shape, Type, Tail)                                                              \
  __device__ void Name(unsigned long long a, unsigned long long b, float *&out) {                  \
    float d[16];                                                                                   \
    for (int i = 0; i < 16; ++i)                                                                   \
      d[i] = i - 8.0f;                                                                             \
    asm volatile("wgmma.fence.sync.aligned;\n"                                                     \
                 "wgmma.mma_async.sync.aligned.m64n32" Shape ".f32." Type "." Type " " REGISTERS   \
                 ", %16, %17, 1, " Tail ";"                                                        \
                 : ACCUMULATORS                                                                    \
                 : "l"(a), "l"(b)                                                                  \
                 : "memory");                                                                      \
    finish(d, out);                                                                                \
  }

CASE(kk, "k16", "f16", "1, 1, 0, 0")
CASE(mk, "k16", "f16", "1, 1, 1, 0")
CASE(km, "k16", "f16", "1, 1, 0, 1")
CASE(mm, "k16", "f16", "1, 1, 1, 1")
CASE(negatedA, "k16", "f16", "-1, 1, 0, 0")
CASE(negatedB, "k16", "f16", "1, -1, 0, 1")
CASE(tf32, "k8", "tf32", "1, 1")
CASE(e4m3, "k32", "e4m3", "1, 1")

__device__ void registers(const unsigned *in, unsigned long long b, float *&out) {
  float d[16];
  for (int i = 0; i < 16; ++i)
    d[i] = 1.0f;
  unsigned t = threadIdx.x;
  asm volatile("wgmma.fence.sync.aligned;\n"
               "wgmma.mma_async.sync.aligned.m64n32k16.f32.f16.f16 " REGISTERS
               ", {%16, %17, %18, %19}, %20, 0, -1, 1, 1;"
               : ACCUMULATORS
               : "r"(in[t]), "r"(in[t + 128]), "r"(in[t + 256]), "r"(in[t + 384]), "l"(b)
               : "memory");
  finish(d, out);
}

extern "C" __global__ void wgmma(const unsigned *in, float *out) {
  for (int i = threadIdx.x; i < 16384; i += blockDim.x)
    reinterpret_cast<unsigned *>(memory)[i] = in[i];
  asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
  __syncthreads();
  for (unsigned swizzle = 0; swizzle < 4; ++swizzle) {
    unsigned row = 16u << swizzle, group = 8 * row;
    unsigned long long kA = descriptor(1024, 512, group, 0, swizzle),
                       kB = descriptor(32768, 2048, group + 1024, 0, swizzle),
                       mA = descriptor(2048, 4096, group, 0, swizzle),
                       mB = descriptor(34816, 6144, group + 2048, 0, swizzle);
    kk(kA, kB, out);
    mk(mA, kB, out);
    km(kA, mB, out);
    mm(mA, mB, out);
    negatedA(kA, kB, out);
    negatedB(kA, mB, out);
    tf32(kA, kB, out);
    e4m3(kA, kB, out);
    registers(in, kB, out);
  }
  // Steps along k within a swizzled row.
  for (unsigned step = 1; step < 4; ++step)
    kk(descriptor(1024 + 32 * step, 0, 1024, 0, 3), descriptor(32768 + 32 * step, 0, 1024, 0, 3), out);
}

/// Patterns that do not start at their period, with and without saying so.
extern "C" __global__ void wgmma_base(const unsigned *in, float *out) {
  for (int i = threadIdx.x; i < 16384; i += blockDim.x)
    reinterpret_cast<unsigned *>(memory)[i] = in[i];
  asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
  __syncthreads();
  for (unsigned swizzle = 1; swizzle < 4; ++swizzle)
    for (unsigned base = 0; base < 8; ++base) {
      unsigned row = 16u << swizzle, group = 8 * row;
      kk(descriptor(1024 + 128 * base, 0, group, 0, swizzle), descriptor(32768, 0, group, 0, swizzle), out);
      kk(descriptor(1024 + 128 * base, 0, group, base, swizzle), descriptor(32768, 0, group, 0, swizzle), out);
      kk(descriptor(1024, 0, group, base, swizzle), descriptor(32768, 0, group, 0, swizzle), out);
    }
}
