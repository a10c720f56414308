// Histogram of the top bits of 2^20 words: atomics in shared memory, then in global memory.

extern "C" __global__ void histogram(const unsigned *in, unsigned *bins, int count) {
  __shared__ unsigned local[256];
  local[threadIdx.x] = 0;
  __syncthreads();
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < count; i += gridDim.x * blockDim.x)
    atomicAdd(&local[in[i] >> 20 & 255], 1u);
  __syncthreads();
  if (local[threadIdx.x])
    atomicAdd(&bins[threadIdx.x], local[threadIdx.x]);
}
