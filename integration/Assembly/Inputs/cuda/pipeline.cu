// Asynchronous copies in a two-stage pipeline over dynamic shared memory.
#include <cuda_pipeline.h>
__global__ void pipeline(const float4 *in, float4 *out, int n) {
  extern __shared__ __align__(16) float4 stages[];
  int lane = threadIdx.x, width = blockDim.x;
  __pipeline_memcpy_async(&stages[lane], &in[lane], 16);
  __pipeline_commit();
  for (int i = 0; i < n; ++i) {
    if (i + 1 < n) {
      __pipeline_memcpy_async(&stages[(i + 1) % 2 * width + lane], &in[(i + 1) * width + lane], 16, 4);
      __pipeline_commit();
    }
    __pipeline_wait_prior(i + 1 < n);
    __syncthreads();
    out[i * width + lane] = stages[i % 2 * width + (lane ^ 1)];
    __syncthreads();
  }
}
