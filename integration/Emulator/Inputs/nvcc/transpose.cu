// Matrix transpose through padded shared memory, 1024 x 1024.

extern "C" __global__ void transpose(const float *in, float *out, int width, int height) {
  __shared__ float tile[32][33];
  int tx = threadIdx.x % 32, ty = threadIdx.x / 32;
  int x = blockIdx.x * 32 + tx, y = blockIdx.y * 32 + ty;
  for (int j = 0; j < 32; j += 8)
    if (x < width && y + j < height)
      tile[ty + j][tx] = in[(y + j) * width + x];
  __syncthreads();
  x = blockIdx.y * 32 + tx;
  y = blockIdx.x * 32 + ty;
  for (int j = 0; j < 32; j += 8)
    if (x < height && y + j < width)
      out[(y + j) * height + x] = tile[tx][ty + j];
}
