// Sum of 2^20 numbers: warps by shuffles, blocks through shared memory, and the partial sums by the
// block that comes last, in a fixed order.

__device__ float warpSum(float value) {
  for (int offset = 16; offset > 0; offset /= 2)
    value += __shfl_down_sync(0xffffffffu, value, offset);
  return value;
}

__device__ float blockSum(float value, float *warps) {
  value = warpSum(value);
  if (threadIdx.x % 32 == 0)
    warps[threadIdx.x / 32] = value;
  __syncthreads();
  value = threadIdx.x < blockDim.x / 32 ? warps[threadIdx.x] : 0.0f;
  return threadIdx.x < 32 ? warpSum(value) : 0.0f;
}

extern "C" __global__ void reduction(const float *in, float *partial, float *sum,
                                     unsigned *finished, int count) {
  __shared__ float warps[32];
  __shared__ bool isLast;
  float value = 0.0f;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < count; i += gridDim.x * blockDim.x)
    value += in[i];
  value = blockSum(value, warps);
  if (threadIdx.x == 0) {
    partial[blockIdx.x] = value;
    __threadfence();
    isLast = atomicInc(finished, gridDim.x - 1) == gridDim.x - 1;
  }
  __syncthreads();
  if (!isLast)
    return;
  __threadfence();
  const volatile float *all = partial;
  value = 0.0f;
  for (int i = threadIdx.x; i < gridDim.x; i += blockDim.x)
    value += all[i];
  __syncthreads();
  value = blockSum(value, warps);
  if (threadIdx.x == 0)
    *sum = value;
}
