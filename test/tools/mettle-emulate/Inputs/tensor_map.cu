// A box of a tensor, by a map that the host made, as nvcc compiles it for sm_90a.

typedef struct alignas(64) {
  unsigned long long opaque[16];
} Map;

extern "C" __global__ void load(const short *in, short *out, const __grid_constant__ Map map, int x,
                                int y) {
  __shared__ alignas(1024) short tile[8 * 16];
  __shared__ alignas(8) unsigned long long barrier;
  unsigned b = (unsigned)__cvta_generic_to_shared(&barrier),
           t = (unsigned)__cvta_generic_to_shared(tile);
  if (threadIdx.x == 0) {
    asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;" ::"r"(b) : "memory");
    asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
    asm volatile("mbarrier.arrive.expect_tx.shared.b64 _, [%0], 256;" ::"r"(b) : "memory");
    asm volatile("cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes "
                 "[%0], [%1, {%2, %3}], [%4];" ::"r"(t),
                 "l"(&map), "r"(x), "r"(y), "r"(b)
                 : "memory");
  }
  __syncthreads();
  asm volatile("{\n.reg .pred p;\nloop:\nmbarrier.try_wait.parity.shared.b64 p, [%0], 0;\n"
               "@!p bra loop;\n}" ::"r"(b)
               : "memory");
  for (int i = threadIdx.x; i < 128; i += 32)
    out[i] = tile[i];
}
