// Bulk and tensor copies with maps made on the device: boxes that reach over every edge, swizzles,
// element strides, three dimensions, stores, reductions; mbarrier states and phases.

extern __shared__ __align__(1024) unsigned char memory[];
typedef unsigned long long u64;

__device__ unsigned shared(const void *p) { return (unsigned)__cvta_generic_to_shared(p); }

#define REPLACE(Field, Bits, Constraint, Value)                                                    \
  asm volatile("tensormap.replace.tile." Field ".shared::cta.b1024." Bits " [%0], %1;" ::"l"(      \
                   (u64)map),                                                                      \
               Constraint(Value)                                                                   \
               : "memory")
#define REPLACE_AT(Field, Bits, Constraint, Ordinal, Value)                                        \
  asm volatile("tensormap.replace.tile." Field ".shared::cta.b1024." Bits " [%0], " Ordinal        \
               ", %1;" ::"l"((u64)map),                                                            \
               Constraint(Value)                                                                   \
               : "memory")
#define REPLACE_WITH(Field, Value)                                                                 \
  asm volatile("tensormap.replace.tile." Field ".shared::cta.b1024.b32 [%0], " Value ";" ::"l"(    \
                   (u64)map)                                                                       \
               : "memory")

/// A map in shared memory of a tensor of `x` x `y` x `z` elements in rows of `pitch` bytes.
__device__ void begin(unsigned map, const void *tensor, unsigned x, unsigned y, unsigned z,
                      u64 pitch, unsigned boxX, unsigned boxY, unsigned boxZ, unsigned strideY) {
  REPLACE("global_address", "b64", "l", tensor);
  REPLACE_WITH("rank", "2");
  REPLACE_AT("global_dim", "b32", "r", "0", x);
  REPLACE_AT("global_dim", "b32", "r", "1", y);
  REPLACE_AT("global_dim", "b32", "r", "2", z);
  REPLACE_AT("global_stride", "b64", "l", "0", pitch);
  REPLACE_AT("global_stride", "b64", "l", "1", pitch * y);
  REPLACE_AT("box_dim", "b32", "r", "0", boxX);
  REPLACE_AT("box_dim", "b32", "r", "1", boxY);
  REPLACE_AT("box_dim", "b32", "r", "2", boxZ);
  REPLACE_AT("element_stride", "b32", "r", "0", 1u);
  REPLACE_AT("element_stride", "b32", "r", "1", strideY);
  REPLACE_AT("element_stride", "b32", "r", "2", 1u);
  REPLACE_WITH("interleave_layout", "0");
}

/// Makes the map visible to the copy engine, in global memory.
__device__ void publish(unsigned map, void *global) {
  __syncwarp();
  asm volatile("tensormap.cp_fenceproxy.global.shared::cta.tensormap::generic.release.gpu.sync."
               "aligned [%0], [%1], 128;" ::"l"((u64)__cvta_generic_to_global(global)),
               "l"((u64)map)
               : "memory");
  asm volatile("fence.proxy.tensormap::generic.acquire.gpu [%0], 128;" ::"l"(global) : "memory");
  __syncwarp();
}

__device__ void expect(unsigned barrier, unsigned bytes) {
  asm volatile("mbarrier.arrive.expect_tx.shared.b64 _, [%0], %1;" ::"r"(barrier), "r"(bytes)
               : "memory");
}

__device__ void wait(unsigned barrier, unsigned parity) {
  asm volatile("{\n.reg .pred p;\nloop:\nmbarrier.try_wait.parity.shared.b64 p, [%0], %1;\n"
               "@!p bra loop;\n}" ::"r"(barrier),
               "r"(parity)
               : "memory");
}

__device__ void load(unsigned to, const void *map, int x, int y, int z, unsigned barrier) {
  asm volatile("cp.async.bulk.tensor.3d.shared::cluster.global.tile.mbarrier::complete_tx::bytes "
               "[%0], [%1, {%2, %3, %4}], [%5];" ::"r"(to),
               "l"(map), "r"(x), "r"(y), "r"(z), "r"(barrier)
               : "memory");
}

#define TENSOR_STORE(Name, Instruction)                                                            \
  __device__ void Name(unsigned from, void *map, int x, int y, int z) {                            \
    asm volatile(Instruction ".bulk_group [%0, {%2, %3, %4}], [%1];\n"                              \
                             "cp.async.bulk.commit_group;\n cp.async.bulk.wait_group 0;" ::"l"(map), \
                 "r"(from), "r"(x), "r"(y), "r"(z)                                                 \
                 : "memory");                                                                      \
  }
TENSOR_STORE(store, "cp.async.bulk.tensor.3d.global.shared::cta.tile")
TENSOR_STORE(addTo, "cp.reduce.async.bulk.tensor.3d.global.shared::cta.add.tile")

__device__ void clear(unsigned bytes) {
  for (unsigned i = threadIdx.x; i < bytes / 4; i += 32)
    reinterpret_cast<unsigned *>(memory)[i] = 0xDEADBEEF;
  asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
  __syncwarp();
}

/// One warp. `tensor` is 24 x 20 x 3 f16 in rows of 64 bytes.
extern "C" __global__ void copies(const void *tensor, unsigned *out, float *target,
                                  unsigned *words, unsigned char *maps) {
  u64 *barrier = reinterpret_cast<u64 *>(memory + 32768);
  unsigned map = shared(memory + 33792), b = shared(barrier), parity = 0;
  if (threadIdx.x == 0)
    asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;" ::"r"(b) : "memory");
  asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
  for (unsigned swizzle = 0; swizzle < 4; ++swizzle)
    for (unsigned place = 0; place < 6; ++place) {
      unsigned boxX = swizzle == 1 ? 16 : 32, strideY = place == 5 ? 3 : 1;
      if (threadIdx.x < 32)
        reinterpret_cast<unsigned *>(memory + 33792)[threadIdx.x] = 0;
      __syncwarp();
      if (threadIdx.x == 0) {
        begin(map, tensor, 24, 20, 3, 64, boxX, 12, 2, strideY);
        REPLACE_WITH("elemtype", "6");
        REPLACE_WITH("fill_mode", "0");
        if (swizzle == 0)
          REPLACE_WITH("swizzle_mode", "0");
        if (swizzle == 1)
          REPLACE_WITH("swizzle_mode", "1");
        if (swizzle == 2)
          REPLACE_WITH("swizzle_mode", "2");
        if (swizzle == 3)
          REPLACE_WITH("swizzle_mode", "3");
      }
      publish(map, maps);
      clear(4096);
      if (threadIdx.x == 0) {
        unsigned rows = strideY == 3 ? 4 : 12;
        const int xs[6] = {0, -8, 16, 8, 100, 0}, ys[6] = {0, -3, 15, 19, 0, 1},
                  zs[6] = {0, -1, 2, 1, 0, 1};
        expect(b, boxX * 2 * rows * 2);
        load(shared(memory), maps, xs[place], ys[place], zs[place], b);
      }
      wait(b, parity);
      parity ^= 1;
      for (unsigned i = threadIdx.x; i < 512; i += 32)
        out[i] = reinterpret_cast<unsigned *>(memory)[i];
      out += 512;
      __syncwarp();
    }

  // Stores and sums: a box of f32 that reaches over three edges of a 20 x 9 x 2 tensor.
  for (unsigned turn = 0; turn < 2; ++turn) {
    if (threadIdx.x < 32)
      reinterpret_cast<unsigned *>(memory + 33792)[threadIdx.x] = 0;
    __syncwarp();
    if (threadIdx.x == 0) {
      begin(map, target, 20, 9, 2, 96, 8, 4, 2, 1);
      REPLACE_WITH("elemtype", "7");
      REPLACE_WITH("fill_mode", "0");
      REPLACE_WITH("swizzle_mode", "1");
    }
    publish(map, maps + 128);
    for (unsigned i = threadIdx.x; i < 64; i += 32)
      reinterpret_cast<float *>(memory)[i] = i * 0.75f - 11.0f;
    asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
    __syncwarp();
    if (threadIdx.x == 0) {
      if (turn == 0) {
        store(shared(memory), maps + 128, -4, -1, 0);
        store(shared(memory), maps + 128, 16, 7, 1);
      } else {
        addTo(shared(memory), maps + 128, 14, 6, 0);
        addTo(shared(memory), maps + 128, 0, 0, 0);
      }
    }
    __syncwarp();
  }

  // Plain bulk copies, sums that meet subnormals, and the states of an mbarrier.
  if (threadIdx.x == 0) {
    expect(b, 256);
    asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], 256, "
                 "[%2];" ::"r"(shared(memory) + 512),
                 "l"(tensor), "r"(b)
                 : "memory");
  }
  wait(b, parity);
  for (unsigned i = threadIdx.x; i < 64; i += 32)
    out[i] = reinterpret_cast<unsigned *>(memory + 512)[i];
  out += 64;
  if (threadIdx.x == 0) {
    unsigned *source = reinterpret_cast<unsigned *>(memory + 1024);
    const unsigned bits[8] = {0x00000001, 0x007FFFFF, 0x80000001, 0x00800000,
                              0x7F800000, 0xFF800000, 0x3F800000, 0x80000000};
    for (int i = 0; i < 8; ++i)
      source[i] = bits[i];
    asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
    asm volatile("cp.reduce.async.bulk.global.shared::cta.bulk_group.add.f32 [%0], [%1], 32;" ::"l"(words),
                 "r"(shared(source))
                 : "memory");
    asm volatile("cp.reduce.async.bulk.global.shared::cta.bulk_group.max.s32 [%0], [%1], 32;" ::"l"(words + 8),
                 "r"(shared(source))
                 : "memory");
    asm volatile("cp.reduce.async.bulk.global.shared::cta.bulk_group.add.noftz.f16 [%0], [%1], 32;" ::"l"(words + 16),
                 "r"(shared(source))
                 : "memory");
    asm volatile("cp.async.bulk.commit_group;\n cp.async.bulk.wait_group 0;" ::: "memory");
    u64 state;
    unsigned pending;
    unsigned second = b + 8;
    asm volatile("mbarrier.init.shared::cta.b64 [%0], 3;" ::"r"(second) : "memory");
    for (int i = 0; i < 7; ++i) {
      unsigned done;
      asm volatile("mbarrier.arrive.shared.b64 %0, [%1];" : "=l"(state) : "r"(second) : "memory");
      asm volatile("mbarrier.pending_count.b64 %0, %1;" : "=r"(pending) : "l"(state));
      asm volatile("{\n.reg .pred p;\nmbarrier.test_wait.shared.b64 p, [%1], %2;\nselp.u32 %0, 1, 0, "
                   "p;\n}"
                   : "=r"(done)
                   : "r"(second), "l"(state)
                   : "memory");
      out[i] = pending << 8 | done;
    }
  }
}
