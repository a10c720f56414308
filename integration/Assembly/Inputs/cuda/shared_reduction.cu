// A tree in static shared memory, barriers in a loop, a vector load.
__global__ void reduce(const float4 *in, float *out, int n) {
  __shared__ float tile[256];
  float sum = 0;
  for (int i = threadIdx.x + blockIdx.x * blockDim.x; i < n; i += gridDim.x * blockDim.x) {
    float4 v = in[i];
    sum += (v.x + v.y) + (v.z + v.w);
  }
  tile[threadIdx.x] = sum;
  __syncthreads();
  for (int s = blockDim.x / 2; s; s /= 2) {
    if (threadIdx.x < s)
      tile[threadIdx.x] += tile[threadIdx.x + s];
    __syncthreads();
  }
  if (!threadIdx.x)
    out[blockIdx.x] = tile[0];
}
