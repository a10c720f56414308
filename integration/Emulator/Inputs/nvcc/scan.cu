// Inclusive scan of segments of 1,024 numbers, 2^20 in all: warps by shuffles, then the warps' sums.

extern "C" __global__ void scan(const float *in, float *out, int count) {
  __shared__ float sums[32];
  int i = blockIdx.x * blockDim.x + threadIdx.x, lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  float value = i < count ? in[i] : 0.0f;
  for (int offset = 1; offset < 32; offset *= 2) {
    float other = __shfl_up_sync(0xffffffffu, value, offset);
    if (lane >= offset)
      value += other;
  }
  if (lane == 31)
    sums[warp] = value;
  __syncthreads();
  if (warp == 0) {
    float sum = lane < blockDim.x / 32 ? sums[lane] : 0.0f;
    for (int offset = 1; offset < 32; offset *= 2) {
      float other = __shfl_up_sync(0xffffffffu, sum, offset);
      if (lane >= offset)
        sum += other;
    }
    sums[lane] = sum;
  }
  __syncthreads();
  if (warp > 0)
    value += sums[warp - 1];
  if (i < count)
    out[i] = value;
}
