// Accelerations of 4,096 bodies on one another: tiles of positions in shared memory, 2^24 pairs.

extern "C" __global__ void nbody(const float4 *positions, float4 *accelerations, int count,
                                 float softening) {
  __shared__ float4 tile[256];
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float4 self = positions[i];
  float ax = 0.0f, ay = 0.0f, az = 0.0f;
  for (int first = 0; first < count; first += 256) {
    tile[threadIdx.x] = positions[first + threadIdx.x];
    __syncthreads();
#pragma unroll 8
    for (int j = 0; j < 256; ++j) {
      float dx = tile[j].x - self.x, dy = tile[j].y - self.y, dz = tile[j].z - self.z;
      float squared = dx * dx + dy * dy + dz * dz + softening;
      float inverse = rsqrtf(squared);
      float scale = tile[j].w * inverse * inverse * inverse;
      ax += dx * scale;
      ay += dy * scale;
      az += dz * scale;
    }
    __syncthreads();
  }
  accelerations[i] = make_float4(ax, ay, az, 0.0f);
}
