// What kernels_on_device.py measures, in CUDA: the kernels of examples/ and of Inputs/kernels.mettle, operation for
// operation. To be compiled with -fmad=false, so that the results can be compared bit for bit.

extern "C" {

__global__ void copy(const float *x, float *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    y[i] = x[i];
}

__global__ void copy4(const float4 *x, float4 *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    y[i] = x[i];
}

__global__ void add4(const float4 *x, float4 *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  float4 a = x[i], b = y[i];
  b.x += a.x;
  b.y += a.y;
  b.z += a.z;
  b.w += a.w;
  y[i] = b;
}

__global__ void saxpy(float alpha, const float *x, float *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  y[i] = alpha * x[i] + y[i];
}

__global__ void transpose(const float *input, float *output, int rows, int columns) {
  __shared__ float tile[32 * 33];
  int column = blockIdx.x * 32 + threadIdx.x, top = blockIdx.y * 32;
  for (int y = threadIdx.y; y < 32; y += blockDim.y)
    if (column < columns && top + y < rows)
      tile[y * 33 + threadIdx.x] = input[(long long)(top + y) * columns + column];
  __syncthreads();
  int row = top + threadIdx.x, left = blockIdx.x * 32;
  for (int y = threadIdx.y; y < 32; y += blockDim.y)
    if (row < rows && left + y < columns)
      output[(long long)(left + y) * rows + row] = tile[threadIdx.x * 33 + y];
}

__global__ void row_sum(const float *input, float *sums, int rows, int columns) {
  __shared__ float partial[256];
  int row = blockIdx.x, lane = threadIdx.x;
  float sum = 0;
  for (int column = lane; column < columns; column += 256)
    sum += input[(long long)row * columns + column];
  partial[lane] = sum;
  __syncthreads();
  if (lane == 0) {
    float total = 0;
    for (int i = 0; i < 256; ++i)
      total += partial[i];
    sums[row] = total;
  }
}

__global__ void histogram(const unsigned *words, unsigned *bins, int n) {
  __shared__ unsigned mine[256];
  mine[threadIdx.x] = 0;
  __syncthreads();
  int stride = gridDim.x * blockDim.x;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += stride)
    atomicAdd(&mine[words[i] >> 24], 1u);
  __syncthreads();
  atomicAdd(&bins[threadIdx.x], mine[threadIdx.x]);
}

__global__ void stencil2d(const float *input, float *output, int width, int height, float rate) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= width || y >= height)
    return;
  const float *here = input + ((long long)y * width + x);
  float result = *here;
  if (x > 0 && x < width - 1 && y > 0 && y < height - 1) {
    float around = here[-1] + here[1] + *(here - width) + *(here + width);
    result += rate * (0.25f * around - result);
  }
  output[(long long)y * width + x] = result;
}

} // extern "C"

// Mettle/Math/Elementary.h's exp.
static __device__ float exactExp(float x) {
  float clamped = x > 89.0f ? 89.0f : x < -105.0f ? -105.0f : x;
  float shifted = __fmaf_rn(clamped, 0x1.715476p+0f, 12582912.0f);
  float n = shifted - 12582912.0f;
  float first = __fmaf_rn(n, -0x1.62e43p-1f, clamped);
  float high = __fmaf_rn(n, 0x1.05c61p-29f, first), low = __fmaf_rn(n, 0x1.05c61p-29f, first - high);
  float tail = __fmaf_rn(0x1.6ac74ap-10f, high, 0x1.123dep-7f);
  tail = __fmaf_rn(tail, high, 0x1.555858p-5f);
  tail = __fmaf_rn(tail, high, 0x1.55548cp-3f);
  tail = __fmaf_rn(tail, high, 0x1.fffffcp-2f);
  float power = high + __fmaf_rn(tail, high * high, low) + 1.0f;
  int exponent = __float_as_int(shifted) - 0x4B400000, half = exponent >> 1;
  return power * __int_as_float((half + 127) << 23) * __int_as_float((exponent - half + 127) << 23);
}

static __device__ float hardwareExp(float x) { return __expf(x); }

template <float exponential(float)>
static __device__ void softmaxRows(const float *input, float *output, int rows, int columns, int inputStride,
                                   int outputStride) {
  int lane = threadIdx.x % 32, row = (blockIdx.x * blockDim.x + threadIdx.x) / 32;
  if (row >= rows)
    return;
  const float *from = input + (long long)row * inputStride;
  float *to = output + (long long)row * outputStride;
  float largest = from[0];
  for (int c = lane; c < columns; c += 32)
    if (from[c] > largest)
      largest = from[c];
  for (int distance = 1; distance < 32; distance *= 2)
    largest = fmaxf(largest, __shfl_xor_sync(~0u, largest, distance));
  float sum = 0;
  for (int c = lane; c < columns; c += 32)
    sum += exponential(from[c] - largest);
  for (int distance = 1; distance < 32; distance *= 2)
    sum += __shfl_xor_sync(~0u, sum, distance);
  float scale = 1.0f / sum;
  for (int c = lane; c < columns; c += 32)
    to[c] = exponential(from[c] - largest) * scale;
}

extern "C" __global__ void softmax(const float *input, float *output, int rows, int columns, int inputStride,
                                   int outputStride) {
  softmaxRows<exactExp>(input, output, rows, columns, inputStride, outputStride);
}

extern "C" __global__ void softmax_hardware(const float *input, float *output, int rows, int columns, int inputStride,
                                            int outputStride) {
  softmaxRows<hardwareExp>(input, output, rows, columns, inputStride, outputStride);
}
