// mbarrier and the bulk copies of sm_90 by inline assembly; an election.
#include <cstdint>
__global__ void barriers(const char *in, char *out) {
  extern __shared__ __align__(128) char buffer[];
  __shared__ __align__(8) uint64_t bar;
  uint32_t b = (uint32_t)__cvta_generic_to_shared(&bar), s = (uint32_t)__cvta_generic_to_shared(buffer), done;
  if (!threadIdx.x) {
    asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" :: "r"(b), "r"(1));
    asm volatile("fence.proxy.async.shared::cta;");
    asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" :: "r"(b), "r"(1024));
    asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];" :: "r"(s), "l"(in), "r"(1024), "r"(b) : "memory");
  }
  __syncthreads();
  do
    asm volatile("{ .reg .pred complete; mbarrier.try_wait.parity.shared::cta.b64 complete, [%1], %2; selp.b32 %0, 1, 0, complete; }" : "=r"(done) : "r"(b), "r"(0) : "memory");
  while (!done);
  out[threadIdx.x] = buffer[threadIdx.x ^ 5];
}
