// Shuffles, votes, matches, reductions of a warp.
__global__ void warp(const int *in, unsigned *out) {
  int v = in[threadIdx.x];
  for (int d = 16; d; d /= 2)
    v += __shfl_xor_sync(~0u, v, d);
  v ^= __shfl_up_sync(~0u, v, 3, 8) ^ __shfl_down_sync(~0u, v, 1) ^ __shfl_sync(~0u, v, v & 31);
  unsigned m = __ballot_sync(~0u, v > 3);
  if (__any_sync(m, v == 7) && __all_sync(~0u, v))
    m |= __match_any_sync(~0u, v);
  int all;
  m ^= __match_all_sync(~0u, v, &all) + all;
  m += __reduce_add_sync(~0u, (unsigned)v) + __activemask() + __popc(m) + __ffs(m) + __brev(m);
  __syncwarp();
  out[threadIdx.x] = m;
}
